"""Every transformation of the package says which languages it knows: what holds English words must not forget it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mutatis.transformations
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import TRANSFORMATIONS

MODULES = sorted(Path(mutatis.transformations.__file__).parent.glob("*.py"))


def _declarations(path: Path) -> list[ast.Call]:
    found = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
    found += [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.AsyncFunctionDef)]  # type: ignore[misc]
    calls = [call for node in found for call in node.decorator_list if isinstance(call, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "transformation"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_languages_are_declared(path: Path) -> None:
    for call in _declarations(path):
        assert "languages" in {keyword.arg for keyword in call.keywords}, f"{path.name}, line {call.lineno}"


def test_all_of_them_were_looked_at() -> None:
    assert sum(len(_declarations(path)) for path in MODULES) == len(TRANSFORMATIONS)


def test_who_reads_a_list_of_words_knows_the_languages_of_the_list() -> None:
    """Modules that read the lexicons hold no transformation for every language but those named here."""
    layout_only = {"no-change", "duplicate", "remove-copies", "swap-entities", "exchange-texts", "identity-order"}
    layout_only |= {"premise-as-hypothesis", "append-hypothesis", "prepend-premise"}
    layout_only |= {"order-passages", "repeat-passage", "merge-passages", "number-passages", "no-passages"}
    for path in MODULES:
        if "lexicon" in path.read_text("utf-8") and path.stem != "lexicon":
            names = {call.args[0].value for call in _declarations(path) if isinstance(call.args[0], ast.Constant)}
            others = {name for name in names if TRANSFORMATIONS[str(name)].languages != ENGLISH}
            assert others <= layout_only | {"drop-punctuation"}, path.name
