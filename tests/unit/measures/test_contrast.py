"""A word in another's place is another answer, unless it is not what was asked."""

from __future__ import annotations

import pytest

from mutatis.core.measure import Comparison, Similarity
from mutatis.measures import judge
from mutatis.measures.contrast import classes, exclude
from mutatis.measures.features import focus
from mutatis.measures.rules import all_phrases, relations

LEXICAL = judge("answer-equivalence-lexical")


def score(first: str, second: str, question: str = "", *, directed: bool = False) -> Similarity:
    comparison = Comparison(reference=(first,), answer=second, question=question, directed=directed)
    return next(iter(LEXICAL.measure.compare([comparison])))


CONTRASTS = [
    ("They met on Monday.", "They met on Tuesday."),
    ("They went up", "They went down"),
    ("the first one", "the second one"),
    ("migrants from Russia", "migrants from India"),
    ("the last two days", "the last nine days"),
    ("a red bicycle", "a green bicycle"),
    ("his older sister", "his older brother"),
    ("before the war", "after the war"),
    ("the black horse", "the black cow"),
    ("25 dollars", "25 euros"),
    ("civil obedience", "civil disobedience"),
    ("he had a long nap", "she had a long nap"),
]


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("first", "second"), CONTRASTS)
def test_another_word_of_the_class_is_another_answer(first: str, second: str, directed: bool) -> None:
    assert score(first, second, directed=directed).score < 0.3
    assert score(second, first, directed=directed).score < 0.3


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the small boy", "the little boy"),
        ("on Mondays", "on Monday"),
        ("a grey cat", "a gray cat"),
        ("his mother", "his mum"),
        ("the war began in spring", "the war started in spring"),
        ("2 km away", "2000 m away"),
    ],
)
def test_another_word_for_the_same_is_no_contrast(first: str, second: str) -> None:
    assert score(first, second).score >= 0.5
    assert score(second, first).score >= 0.5


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("on Monday", "on Friday", "another weekday: monday / friday"),
        ("on Tues", "on Friday", "another weekday: tues / friday"),
        ("an even number", "an uneven number", "another opposite: even / uneven"),
    ],
)
def test_the_reason_names_the_class(first: str, second: str, reason: str) -> None:
    assert score(first, second).reason == reason


def test_no_word_stands_twice_in_a_class() -> None:
    for word, places in classes().items():
        names = [name for name, _ in places]
        assert len(names) == len(set(names)), word
        assert word == word.lower()
    assert exclude("may", "june") == "month"


QUESTION = "What is the fastest animal on two legs?"


def test_detail_beyond_the_answer_is_not_missed() -> None:
    told = focus("The ostrich is the fastest animal on two legs and can reach speeds of 43 miles per hour.", QUESTION)
    assert "ostrich" in told.words
    assert "43" not in told.words


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("place of birth", "born in", True),
        ("was born in", "place of birth", True),
        ("employer", "works for", True),
        ("place of birth", "died in", False),
        ("author of", "written by", False),
        ("follows", "followed by", False),
        ("is owned by", "subsidiary of", True),
    ],
)
def test_relation_phrases(first: str, second: str, same: bool) -> None:
    assert (score(first, second).score >= 0.5) is same
    assert (score(second, first).score >= 0.5) is same


def test_relation_phrases_are_read_only_as_a_whole() -> None:
    assert relations("She was born in a village near the sea and moved later.") == frozenset()
    assert all(names for names in all_phrases().values())


@pytest.mark.parametrize(
    ("question", "reference", "answer", "same"),
    [
        ("In what year did it open?", "June 12, 1996", "1996", True),
        ("On what date did it open?", "June 12, 1996", "1996", False),
        ("In what year did it open?", "June 12, 1996", "June 12, 1997", False),
        ("Which one?", "the north or the south gate", "the south gate", True),
    ],
)
def test_what_was_asked_decides_how_much_is_needed(question: str, reference: str, answer: str, same: bool) -> None:
    assert (score(reference, answer, question, directed=True).score >= 0.5) is same
