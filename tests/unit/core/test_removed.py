"""Names that are gone are told with what takes their place."""

from __future__ import annotations

import pytest

import mutatis
import mutatis.extending
from mutatis import UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.removed import REMOVED_RELATIONS, REMOVED_TRANSFORMATIONS
from mutatis.core.transformation import TRANSFORMATIONS


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
