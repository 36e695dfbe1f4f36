"""Spellings that are looked up are those that are pairs when every word is compared with every other."""

from __future__ import annotations

import random

import pytest

from mutatis.core.measure import Comparison
from mutatis.measures import MEASURES
from mutatis.measures.words import alike, has_spelling, spellings

LETTERS = "abcdeilnorst"


def misspelt(word: str, draw: random.Random, edits: int) -> str:
    for _ in range(edits):
        at = draw.randrange(len(word) or 1)
        new = draw.choice(LETTERS)
        word = draw.choice(
            [word[:at] + word[at + 1 :], word[:at] + new + word[at:], word[:at] + new + word[at + 1 :],
             word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :], word + new, word[: at + 5]]
        )  # fmt: skip
    return word


@pytest.mark.parametrize("seed", range(4))
def test_what_is_looked_up_is_what_is_compared(seed):
    draw = random.Random(seed)
    words = ["".join(draw.choices(LETTERS, k=draw.randint(1, 26))) for _ in range(300)]
    words += [misspelt(word, draw, draw.randint(1, 4)) for word in words] + ["1999", "1998", "", "a" * 40, "a" * 36]
    pairs = 0
    for word in [*words, *(misspelt(word, draw, draw.randint(1, 5)) for word in words)]:
        expected = {other for other in words if alike(word, other)}
        assert set(spellings(word, words)) == expected
        assert has_spelling(word, words) == bool(expected)
        pairs += len(expected)
    assert pairs > 1_000


def unknown(letters: int, seed: int) -> str:
    draw = random.Random(seed)
    words = ("".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(3, 12))) for _ in range(letters // 8))
    return " ".join(words)


def test_two_long_replies_of_unknown_words_are_not_compared_word_by_word(monkeypatch):
    compared = []
    for letters in (4_000, 8_000):
        count = 0

        def counted(first: str, second: str) -> bool:
            nonlocal count
            count += 1
            return alike(first, second)

        monkeypatch.setattr("mutatis.measures.words.alike", counted)
        pair = Comparison(reference=(unknown(letters, 1),), answer=unknown(letters, 2), question="What is it?")
        MEASURES["answer-equivalence-lexical"].make().compare([pair])
        compared.append(count)
    assert compared[1] < 20_000, compared  # of 1,000,000 pairs of words in each of four tables
    assert compared[1] <= 4 * compared[0] + 1_000
