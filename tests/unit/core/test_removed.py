"""Names that are gone are told with what takes their place."""

from __future__ import annotations

import importlib
import importlib.util

import pytest

import mutatis
import mutatis.extending
from mutatis import MetamorphicRelation, UsageError
from mutatis.core.relation import RELATIONS, Published
from mutatis.core.removed import REMOVED_RELATIONS, REMOVED_TRANSFORMATIONS, SUCCESSORS
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.relations.output import OUTPUT_RELATIONS


@pytest.mark.parametrize("name", SUCCESSORS)
def test_an_import_of_a_removed_name_names_its_successor(name: str) -> None:
    home, _, last = name.rpartition(".")
    statements = [f"from {home} import {last}"]
    if hasattr(importlib.import_module(home), "__path__"):  # a module of a package
        statements += [f"import {name}", f"from {name} import anything"]
    for statement in statements:
        with pytest.raises(ImportError) as caught:
            exec(statement, {})
        assert str(caught.value) == f"{name} was removed; use {SUCCESSORS[name]}"


@pytest.mark.parametrize("name", SUCCESSORS)
def test_the_successor_is_there(name: str) -> None:
    successor = SUCCESSORS[name].replace("(", ",").split(",")[0]
    home, _, last = successor.rpartition(".")
    assert hasattr(importlib.import_module(home), last) or importlib.util.find_spec(successor) is not None


def test_an_attribute_that_never_was_is_no_removed_name() -> None:
    with pytest.raises(AttributeError, match=r"module 'mutatis.core.system' has no attribute 'Sytsem'"):
        getattr(importlib.import_module("mutatis.core.system"), "Sytsem")  # noqa: B009
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'mutatis.txt'"):
        importlib.import_module("mutatis.txt")


@pytest.mark.parametrize(("detail", "part"), [("draws", "edits"), ("grouping", "matching"), ("unchanged", "limits")])
def test_a_keyword_of_an_earlier_relation_names_its_part(detail: str, part: str) -> None:
    of_today = {"name": "x", "transformations": (), "output_relation": OUTPUT_RELATIONS["equal"], "tasks": ("chat",)}
    with pytest.raises(UsageError) as caught:
        MetamorphicRelation(**of_today, **{detail: 2})  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"a relation no longer has an attribute {detail!r}; it is a detail of {part!r}: "
        f"write MetamorphicRelation.of({detail}=...), or {part}=..."
    )
    assert MetamorphicRelation.of(**of_today, paper="P").published == Published(paper="P")


def silent(text: str) -> str:
    return ""


@pytest.mark.parametrize("name", REMOVED_RELATIONS)
def test_a_relation_that_went_is_one_error_with_its_successor(name: str) -> None:
    for ask in (
        lambda: RELATIONS[name],
        lambda: mutatis.run(silent, ["Hi?"], [name], task="chat"),
        lambda: mutatis.run(silent, ["Hi?"], task="chat", settings={"without": [name]}),
        lambda: mutatis.run(silent, ["Hi?"], task="chat", settings={"gate": {"relations": {name: 0.1}}}),
    ):
        with pytest.raises(UsageError) as caught:
            ask()
        assert str(caught.value) == f"relation {name!r} was removed; use {REMOVED_RELATIONS[name]!r}"
    assert REMOVED_RELATIONS[name] in RELATIONS


@pytest.mark.parametrize("name", REMOVED_TRANSFORMATIONS)
def test_a_transformation_that_went_is_one_error_with_its_successor(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        mutatis.extending.relation("mine", transformations=[name], tasks=["chat"])
    assert str(caught.value) == f"transformation {name!r} was removed; use {REMOVED_TRANSFORMATIONS[name]!r}"
    assert REMOVED_TRANSFORMATIONS[name] in TRANSFORMATIONS
