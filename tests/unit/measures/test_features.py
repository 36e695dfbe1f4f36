"""What the judge of short answers weighs: numbers that give each other, initials, names, lists."""

from __future__ import annotations

import pytest

from mutatis.core.measure import Comparison
from mutatis.measures import judge
from mutatis.measures.answer import read
from mutatis.measures.features import compare_answers, gives, same_number
from mutatis.text.values import Number, numbers


def number(text: str) -> Number:
    [read_number] = numbers(text)
    return read_number


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("50 %", "half", True),
        ("12 percent", "0.12 euros", True),  # of one value, and a share may be of anything
        ("3", "third", True),
        ("3 dollars", "3 euros", False),
        ("5 km", "5000 m", True),
        ("5 km", "5", True),  # the unit was left out
        ("5 km", "5000", True),
        ("5 km", "5 kg", False),
        ("5 percent", "5", True),
        ("5 percent", "5 euros", False),
        ("1996", "1996 km", True),
    ],
)
def test_two_numbers_are_one(first: str, second: str, same: bool):
    assert same_number(number(first), number(second)) is same
    assert same_number(number(second), number(first)) is same


@pytest.mark.parametrize(
    ("wanted", "said", "expected"),
    [
        ("the 1990s", "1990", True),
        ("the 1990s", "1996", True),
        ("the 1990s", "1999", True),
        ("the 1990s", "2000", False),
        ("the 1990s", "1989", False),
        ("1996", "the 1990s", False),  # a decade is no year of it
        ("the 1990s", "the 1990s", True),
    ],
)
def test_a_year_gives_its_decade(wanted: str, said: str, expected: bool):
    assert gives(number(wanted), number(said)) is expected


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        ("NBR", "the North Baltic Railway", 1.0),
        ("North of the Baltic Railway", "NBR", 1.0),  # small words have no letter in it
        ("NBX", "the North Baltic Railway", 0.0),
        ("N8R", "the North Baltic Railway", 0.0),
    ],
)
def test_initials(reference: str, answer: str, expected: float):
    assert compare_answers(read(reference), read(answer), read(""), read(""))["initials"] == expected


def test_of_several_accepted_answers_a_certain_one_decides_whatever_the_others_are():
    measure = judge("answer-equivalence-lexical").measure
    open_first = ("a quick brown dog of the neighbours", "the old tower")
    for references in (open_first, open_first[::-1]):
        comparison = Comparison(reference=references, answer="the old tower", directed=True)
        [similarity] = measure.compare([comparison])  # type: ignore[union-attr]
        assert (similarity.score, similarity.reason) == (1.0, "the same words")
