"""Gini impurity, by hand."""

from __future__ import annotations

import pytest

from mutatis.campaign.measuring import disagreement, gini, uncertainty
from mutatis.core.system import Response


def test_gini() -> None:
    assert gini([0.7, 0.2, 0.1]) == pytest.approx(1 - 0.49 - 0.04 - 0.01)
    assert gini([]) == 0.0
    # What is not told counts as one outcome: 0.6, 0.1 and 0.3.
    assert gini([0.6, 0.1]) == pytest.approx(1 - 0.36 - 0.01 - 0.09)
    assert gini([0.9, 0.2]) == pytest.approx(1 - 0.81 - 0.04)


def test_an_answer_of_several_decisions_has_their_mean() -> None:
    decisions = {"a": {"x": 1.0}, "b": {"x": 0.5, "y": 0.5}, "c": {"x": 0.5}}
    assert uncertainty(Response(text="", decisions=decisions)) == pytest.approx((0 + 0.5 + 0.5) / 3)


def test_a_label_is_one_decision_and_an_answer_without_probabilities_has_none() -> None:
    assert uncertainty(Response(text="good", probabilities={"good": 0.75, "bad": 0.25})) == pytest.approx(0.375)
    assert uncertainty(Response(text="good")) is None


def test_disagreement_of_repeated_asks() -> None:
    assert disagreement(["a", "b", "c"]) == pytest.approx(2 / 3)
    assert disagreement([["a"], ["a"], ["b"], ["b"]]) == 0.5
    # Of two slots one is agreed on, the other named once in three times: (0 + 4/9) / 2.
    sure, unsure = {"hotel-area": "east"}, {"hotel-area": "east", "hotel-day": "friday"}
    assert disagreement([sure, unsure, sure]) == pytest.approx(2 / 9)
    assert disagreement([{}, {}]) == 0.0
    assert disagreement([{}, "no state"]) == 0.5
