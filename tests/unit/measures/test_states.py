"""Measures of states: they score, they give a reason, they never raise."""

from __future__ import annotations

from mutatis.core.measure import Comparison
from mutatis.measures import judge


def test_state_and_state_exact() -> None:
    pair = Comparison(reference=('{"hotel-area": "centre", "hotel-stars": "4"}',), answer={"hotel-area": "Center"})
    (usual,), (exact,) = (judge(name).measure.compare([pair]) for name in ("state", "state-exact"))  # type: ignore[misc]
    assert (usual.score, usual.reason) == (0.5, "hotel-stars: 4 / (none)")
    assert exact.score == 0.0


def test_equal_states() -> None:
    (same,) = judge("state").measure.compare([Comparison(reference=({},), answer="{}")])  # type: ignore[misc]
    assert same.score == 1.0


def test_anything_can_be_compared() -> None:
    strange = [None, "", "hello", 3, ["x"], {"a-b": "c"}]
    comparisons = [Comparison(reference=(one,), answer=two) for one in strange for two in strange]
    assert all(0 <= one.score <= 1 for one in judge("state").measure.compare(comparisons))  # type: ignore[union-attr]
