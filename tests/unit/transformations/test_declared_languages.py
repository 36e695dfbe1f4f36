"""Every transformation of the package says which languages it knows: what holds English words must not forget it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mutatis.transformations
from mutatis import languages
from mutatis.core.languages import NAMES
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.languages import languages_with
from mutatis.transformations import language_model, lexicon
from mutatis.transformations.metal import PLAIN

MODULES = sorted(Path(mutatis.transformations.__file__).parent.glob("*.py"))


def _calls(path: Path, name: str) -> list[ast.Call]:
    nodes = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    return [node for node in nodes if isinstance(node.func, ast.Name) and node.func.id == name]


def _decorators() -> dict[str, bool]:
    """Return `transformation` and the decorators made of it by `partial`, each with True if it states the languages."""
    assigned = [
        node for path in MODULES for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.Assign)
    ]
    partials = [(node.targets[0], node.value) for node in assigned if isinstance(node.value, ast.Call)]
    states = {"transformation": False}
    for _ in range(2):  # one may be made of another, such as those of `conversation`
        for name, call in partials:
            base = ast.unparse(call.args[0]) if ast.unparse(call.func) == "partial" else ""
            if base in states:
                states[ast.unparse(name)] = states[base] or "languages" in {keyword.arg for keyword in call.keywords}
    return states


DECORATORS = _decorators()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_languages_are_declared(path: Path) -> None:
    """By a list of codes, or by the lists that it reads: then it is for the languages whose folders hold them."""
    for call in (call for name, stated in DECORATORS.items() if not stated for call in _calls(path, name)):
        assert "languages" in {keyword.arg for keyword in call.keywords}, f"{path.name}, line {call.lineno}"


def test_all_of_them_were_looked_at() -> None:
    """Each is a decorated function, a rewriting by one prompt or a row of METAL's table, and names its languages.

    Some decorators declare the languages for all that they decorate, such as `conversation` English.
    """
    assert {name for name, stated in DECORATORS.items() if stated} >= {"conversation", "request_edit"}
    decorated = sum(len(_calls(path, name)) for path in MODULES for name in DECORATORS) - 2
    rewritings = len(_calls(Path(language_model.__file__), "_register"))
    assert decorated + rewritings + len(PLAIN) == len(TRANSFORMATIONS)


def test_a_language_is_a_folder_of_lists() -> None:
    """What a language has is what lies in its folder; every folder is a language, and English has them all."""
    lists = list(Path(languages.__file__).parent.glob("*/*.txt"))
    assert {path.parent.name for path in lists} <= set(NAMES)
    names = {path.stem for path in lists} - {"verbs", "particles"}  # English asks by its auxiliaries
    assert all("en" in languages_with(name) for name in names)
    assert set(TRANSFORMATIONS["keyboard-typos"].languages) == set(languages_with("keyboard"))


@pytest.mark.parametrize("code", languages_with("keyboard"))
def test_keys_lie_beside_each_other(code: str) -> None:
    table = lexicon.keyboard(code)
    assert all(len(key) == 1 for key in table)
    assert all(key.lower() in table[near].lower() for key in table for near in table[key] if near in table)
    small = [key for key in table if key.islower()]
    assert len(small) >= 24
    assert all(1 < len(table[key]) <= 8 for key in small)


def test_a_slip_on_a_german_keyboard() -> None:
    """Z lies between T and U there, and Y beside X; on an English one it is the other way round."""
    assert {"t", "u"} <= set(lexicon.keyboard("de")["z"])
    assert {"t", "u"} <= set(lexicon.keyboard("en")["y"])
    assert "x" in lexicon.keyboard("de")["y"]
    assert "ö" in lexicon.keyboard("de")["l"]
