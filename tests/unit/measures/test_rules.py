"""The certain cases of the judge of short answers, and what is said of them."""

from __future__ import annotations

import pytest

from mutatis.core.measure import Similarity
from mutatis.measures import rules
from mutatis.measures.answer import read
from mutatis.measures.features import FeatureRow, compare_answers


def evidence(reference: str, answer: str) -> FeatureRow:
    return compare_answers(read(reference), read(answer), read(""), read(""))


def told(similarity: Similarity | None) -> tuple[float, str] | None:
    return similarity and (similarity.score, similarity.reason)


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        ("12", "13", (0.02, "numbers differ: 12 / 13")),
        ("12 and 15", "16 and 17", (0.02, "numbers differ: 12, 15 / 16, 17")),
        ("12 and 15", "12 and 16", (0.03, "numbers differ: 15 / 16")),  # as many numbers, and nothing else
        ("12 and 15", "15 and 12 but 16", None),
        ("12 and 15", "12 of the rooms and 16", None),  # it says more than numbers
        ("12 and 15", "12, 16 and 17", None),
        ("12 and 15", "15 and 12", (0.96, "the same number: 12, 15")),
        ("5000", "5050", (0.02, "numbers differ: 5000 / 5050")),
        ("a red house", "13", None),
    ],
)
def test_numbers(reference: str, answer: str, expected: tuple[float, str] | None):
    assert told(rules.decide_number(read(reference), read(answer), read(""), False)) == expected


@pytest.mark.parametrize(
    ("reference", "answer", "negated"),
    [
        ("the war did end", "the war did not end", True),
        ("the red door opens", "the red door never opens", True),
        ("the red door opens", "the blue door never opens", False),
        ("it is not so", "it is never so", False),
    ],
)
def test_negation(reference: str, answer: str, negated: bool):
    expected = (0.03, "one of the two is negated") if negated else None
    assert told(rules.decide_negation(read(reference), read(answer))) == expected


def test_what_is_named_only_to_be_excluded():
    assert told(rules.excluded(evidence("Paris", "It was not Paris"))) == (0.08, "named only to be excluded")
    assert rules.excluded(evidence("Paris", "It was Paris")) is None


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("Rome", (0.1, "named only as one of 6 candidates")),
        ("Rome, Oslo, Bonn and Turin", (0.1, "named only as one of 6 candidates")),
        ("Rome, Oslo, Bonn, Turin and Madrid", None),  # nearly all of them: it may be the answer
    ],
)
def test_candidates_of_which_none_is_chosen(reference: str, expected: tuple[float, str] | None):
    answer = "Options include Paris, Rome, Oslo, Bonn, Turin and Madrid."
    assert told(rules.candidates(read(answer), evidence(reference, answer))) == expected


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("Paris, Londn and Rome", (0.95, "the same list")),  # a slip
        ("Paris, Oslo and Rome", (0.05, "lists differ in: london, oslo")),
    ],
)
def test_an_item_of_a_list_may_be_misspelt(other: str, expected: tuple[float, str]) -> None:
    assert told(rules.lists(read("Paris, London and Rome"), read(other), read(""))) == expected


@pytest.mark.parametrize(
    ("asked", "reference", "answer", "expected"),
    [
        ("How many of the 12 rooms are free?", "5 of 12", "5", (0.96, "the same number: 5, 12")),
        ("How many of the 12 rooms are free?", "5 of 12", "7", (0.02, "numbers differ: 5 / 7")),
        ("How many of the 12 rooms are free?", "5", "5 of 12", (0.96, "the same number: 5")),
    ],
)
def test_numbers_of_the_question_are_not_asked_for(
    asked: str, reference: str, answer: str, expected: tuple[float, str]
):
    assert told(rules.decide_number(read(reference), read(answer), read(asked), True)) == expected


def test_of_a_date_only_the_year_is_asked_for_by_a_question_for_the_year():
    asked = read("In which year did the house open?")
    same = (0.96, "the same number: 12, 1950")
    assert told(rules.decide_number(read("12 March 1950"), read("1950"), asked, True)) == same
