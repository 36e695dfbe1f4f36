"""Answers that copy a slip from a perturbed text: the number and the list are still the same ones."""

from __future__ import annotations

import pytest

from mutatis.core.measure import Comparison
from mutatis.measures import judge


def score(first: str, second: str) -> float:
    measure = judge("answer-equivalence-lexical").measure
    [similarity] = measure.compare([Comparison(reference=(first,), answer=second)])  # type: ignore[misc]
    return similarity.score


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("34 million years", "34 milion years"),
        ("2 thousand", "2 thousnd"),
        ("Saudi Arabia and Iran", "Saudi Axabia and Iran"),
        ("copper and manganese", "copper and manganse"),
    ],
)
def test_a_slip_is_no_other_answer(first: str, second: str) -> None:
    assert score(first, second) > 0.9
    assert score(second, first) > 0.9


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("5 million", "5 billion"),
        ("5 million", "5 bilion"),
        ("Austria and Hungary", "Australia and Hungary"),
        ("Iran and Iraq", "Iran and Oman"),
    ],
)
def test_another_number_or_name_is(first: str, second: str) -> None:
    assert score(first, second) < 0.1
    assert score(second, first) < 0.1
