"""Measures of states: they score, they give a reason, they never raise."""

from __future__ import annotations

import mutatis.rltest4chatbot  # noqa: F401 - registers its measures
from mutatis.core.measure import Comparison
from mutatis.measures import judge


def test_state_and_state_exact() -> None:
    pair = Comparison(reference=('{"hotel-area": "centre", "hotel-stars": "4"}',), answer={"hotel-area": "Center"})
    (usual,), (exact,) = (judge(name).measure.compare([pair]) for name in ("state", "state-exact"))  # type: ignore[misc]
    assert (usual.score, usual.reason) == (0.5, "hotel-stars: 4 / (none)")
    assert exact.score == 0.0


def test_the_first_slots_that_differ_are_named_and_the_others_counted() -> None:
    before = {f"hotel-{name}": "yes" for name in ("area", "internet", "parking", "stars", "type")}
    for wrong, more in ((3, ""), (4, " and 1 more"), (5, " and 2 more")):
        after = {slot: "no" if place < wrong else "yes" for place, slot in enumerate(before)}
        [similarity] = judge("state").measure.compare([Comparison(reference=(before,), answer=after)])  # type: ignore[misc]
        named = "hotel-area: yes / no, hotel-internet: yes / no, hotel-parking: yes / no"
        assert (similarity.score, similarity.reason) == (1 - wrong / 5, named + more)


def test_equal_states() -> None:
    (same,) = judge("state").measure.compare([Comparison(reference=({},), answer="{}")])  # type: ignore[misc]
    assert (same.score, same.reason) == (1.0, "the same state")


def test_anything_can_be_compared() -> None:
    strange = [None, "", "hello", 3, ["x"], {"a-b": "c"}]
    comparisons = [Comparison(reference=(state,), answer=two) for state in strange for two in strange]
    assert all(0 <= similarity.score <= 1 for similarity in judge("state").measure.compare(comparisons))  # type: ignore[union-attr]
