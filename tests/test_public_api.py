"""The public names: exactly these, few, documented, and all of them load."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import mutatis

NAMES = [
    "Case",
    "Comparison",
    "Constraint",
    "Conversation",
    "GateFailed",
    "Judge",
    "MetamorphicRelation",
    "MutatisError",
    "Outcome",
    "Precondition",
    "Response",
    "Run",
    "SystemFailure",
    "Turn",
    "UnusableFollowUp",
    "UsageError",
    "judge",
    "measure",
    "read_cases",
    "relation",
    "report",
    "run",
    "run_async",
    "sample",
    "system",
    "transformation",
]
"""Written down here a second time: a name that comes or goes is a decision."""


def test_the_names_are_these_sorted_and_few() -> None:
    assert mutatis.__all__ == sorted(mutatis.__all__) == NAMES
    assert len(NAMES) <= 30


def test_they_are_what_a_star_import_gives() -> None:
    given: dict[str, Any] = {}
    exec("from mutatis import *", given)
    assert sorted(name for name in given if name != "__builtins__") == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_name_loads_and_has_a_docstring(name: str) -> None:
    thing = getattr(mutatis, name)
    text = inspect.getdoc(thing) or ""
    assert text.strip()
    inherited = inspect.getdoc(type(thing)) if not inspect.isclass(thing) else None
    assert text != inherited
    assert not text.startswith(f"{name}("), "the docstring is only the generated signature"


@pytest.mark.parametrize("name", NAMES)
def test_its_public_methods_have_docstrings(name: str) -> None:
    thing = getattr(mutatis, name)
    if inspect.isclass(thing):
        for own, value in vars(thing).items():
            function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if not own.startswith("_") and inspect.isfunction(function):
                assert inspect.getdoc(function), f"{name}.{own}"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = mutatis.nothing


def test_all_names_are_told_before_any_is_used() -> None:
    assert set(NAMES) <= set(dir(mutatis))
