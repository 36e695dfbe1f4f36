"""Joint goal accuracy, slot accuracy and slot F1, by hand."""

from __future__ import annotations

import pytest

from mutatis.core.errors import UsageError
from mutatis.rltest4chatbot.metrics import state_accuracy

PAIRS = [
    ({"a-x": "1", "a-y": "2"}, {"a-x": "1", "a-y": "2"}),  # right
    ({"a-x": "1", "a-y": "2"}, {"a-x": "1"}),  # one is missing
    ({"a-x": "1"}, {"a-x": "3", "a-z": "4"}),  # one is wrong, one is too many
    ({}, {}),  # right
]


def test_figures_by_hand() -> None:
    figures = state_accuracy(PAIRS, slots=["a-x", "a-y", "a-z", "b-x"])
    assert figures.turns == 4
    assert figures.joint == 2 / 4
    # 16 slots in all; wrong: a-y of the second turn, a-x and a-z of the third.
    assert figures.slot == 13 / 16
    # Given: 2 + 1 + 2 + 0, of which right: 2 + 1 + 0 + 0; annotated: 2 + 2 + 1 + 0.
    assert (figures.precision, figures.recall, figures.f1) == (3 / 5, 3 / 5, pytest.approx(0.6))


def test_normalisation_is_switched() -> None:
    pairs = [({"hotel-area": "centre"}, {"hotel-area": "Center"})]
    assert (state_accuracy(pairs).joint, state_accuracy(pairs, normalisation="none").joint) == (1.0, 0.0)


def test_nothing_to_compare() -> None:
    with pytest.raises(UsageError, match="no states to compare"):
        state_accuracy([])
