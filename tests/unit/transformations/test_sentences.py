"""Edits of sentences and whole turns."""

from random import Random

import pytest

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.languages import listed
from mutatis.transformations.sentences import duplicate, exclamation, random_sentence, shuffle_sentences, swap_entities


def test_shuffled_sentences_are_the_same_ones_in_another_order() -> None:
    text = "It rained.  We stayed in.\nNobody minded! Why?"
    for seed in range(30):
        made = shuffle_sentences(text, Random(seed))
        assert made != text
        assert sorted(made.split()) == sorted(text.split())
        assert [len(made), made.count("\n"), made.count("  ")] == [len(text), 1, 1]


@pytest.mark.parametrize("text", ["", "One sentence.", "Same. Same.", "   "])
def test_nothing_to_shuffle(text: str) -> None:
    assert shuffle_sentences(text, Random(1)) == text


def test_random_sentences_are_appended_and_nested() -> None:
    few, many = (random_sentence("It rained.", Random(4), count=count) for count in (2, 5))
    assert many.startswith(few)
    assert few.startswith("It rained. ")
    assert sum(sentence in many for sentence in listed("sentences")) == 5
    assert random_sentence("It rained.", Random(4), count=0) == "It rained."


def test_the_own_sentences_are_different_and_plain() -> None:
    sentences = listed("sentences")
    assert len(sentences) >= 50
    assert len(set(sentences)) == len(sentences)
    assert all(s[0].isupper() and s.endswith(".") for s in sentences)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good.", "Good!"),
        ("Good .", "Good !"),
        ('He said "good."', 'He said "good!"'),
        ("Good...", "Good..."),
        ("It cost 3.50 in the U.S. last year.", "It cost 3.50 in the U.S. last year!"),
        ("Is it? Yes. Fine!", "Is it? Yes! Fine!"),
        ("no stop", "no stop"),
    ],
)
def test_exclamation(text: str, expected: str) -> None:
    assert exclamation(text) == expected


def test_copies_in_total() -> None:
    assert [duplicate("a b", copies=n).count("a b") for n in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert duplicate("a b", copies=1) == "a b"


def test_entities_are_needed() -> None:
    with pytest.raises(UnusableFollowUp, match="no head to edit"):
        swap_entities(Turn(fields={"text": "x"}))
