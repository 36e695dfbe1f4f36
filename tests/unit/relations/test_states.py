"""Relations of dialogue states: values of slots survive every one of them."""

from __future__ import annotations

import pytest

import mutatis.relations  # noqa: F401
from mutatis.core.cases import Derivation
from mutatis.core.relation import RELATIONS
from mutatis.core.transformation import derive
from mutatis.datasets import read, sample
from mutatis.testing import check_relation, sync

NAMES = [name for name in RELATIONS if "states" in RELATIONS[name].tags]


@pytest.mark.parametrize("name", NAMES)
def test_marked_values_survive(name: str) -> None:
    check_relation(name)
    relation, changed = RELATIONS[name], 0
    for case in read("states", sample("bookings")):
        order = tuple(range(len(case.turns)))
        plan = Derivation(source=case.id, steps=relation.transformations, variant=("utterance",), draw=0, origin=order)
        made = sync(derive(case, plan))
        for before, after in zip(case.turns, made.turns, strict=True):
            values = before.annotations["protected"]["values"]
            assert all(value in after.fields["utterance"] for value in values), (values, after.fields)
            changed += before.fields != after.fields
    assert changed > 5
    assert "robustness" in relation.tags


def test_there_are_twelve() -> None:
    assert len(NAMES) == 12
