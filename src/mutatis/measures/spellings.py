"""Finds the words of a text that are variant spellings of the same word ("colour", "color").

If there are only a few words, all of them are compared. If there are many, a table finds the words that become equal
once a letter or two are removed. The time for long texts thus grows only linearly with their length.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, islice, takewhile

from rapidfuzz import process
from rapidfuzz.distance import OSA

_ALIKE = 0.84
_FEW = 48
"""Maximum number of words that are compared directly, which is faster than building a table."""

_LONG = 14
"""Minimum length of words whose spellings may differ in three letters.

Such words are not put in the table, because there are too many ways to remove three letters.
"""


@lru_cache(maxsize=32768)
def alike(first: str, second: str) -> bool:
    """Return True if two stems are spellings of the same word ("colour", "color").

    Short words and numbers must be equal.
    """
    if first == second:
        return True
    if min(len(first), len(second)) < 4 or first[0].isdigit() or second[0].isdigit():
        return False
    if first[0] != second[0] and len(first) < 7:
        return False
    return OSA.normalized_similarity(first, second, score_cutoff=_ALIKE) >= _ALIKE or (
        min(len(first), len(second)) >= 5 and (first.startswith(second) or second.startswith(first))
    )


def may_abbreviate(first: str, second: str) -> bool:
    """Return True if the shorter text is one short word whose letters all occur in the longer text, in order."""
    short, long = sorted((first, second), key=len)
    if len(short) > 5 or " " in short or short[:1] != long[:1]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)  # each search goes on behind the letter found last


class Spellings:
    """A set of words, prepared for a fast search for spellings of other words."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = dict.fromkeys(words)
        self._sorted: list[str] = []
        self._long: list[str] = []
        self._shortened: dict[str, list[str]] = defaultdict(list)
        if len(self._words) <= _FEW:
            return
        self._sorted = sorted(self._words)
        for word in self._words:
            if len(word) >= _LONG:
                self._long.append(word)
            for shorter in _shortened(word):
                self._shortened[shorter].append(word)

    def of(self, word: str) -> Iterator[str]:
        """Yield the words of this set that are spellings of a given word, in no particular order."""
        candidates = self._candidates(word) if self._sorted else self._words
        return (other for other in candidates if alike(word, other))

    def has(self, word: str) -> bool:
        """Return True if this set contains a spelling of the given word."""
        return word in self._words or any(True for _ in self.of(word))

    def _candidates(self, word: str) -> dict[str, None]:
        """Return all words of this set that may be spellings of a given word, and possibly a few others."""
        nearby = [word] if word in self._words else []
        nearby += (word[:end] for end in range(5, len(word)) if word[:end] in self._words)
        if len(word) >= 5:  # words that begin with this word stand next to each other in the sorted list
            start = bisect_left(self._sorted, word)
            nearby += takewhile(lambda other: other.startswith(word), islice(self._sorted, start, None))
        for shorter in _shortened(word):
            nearby += self._shortened.get(shorter, ())
        if len(word) >= _LONG:
            near = process.extract(
                word, self._long, scorer=OSA.normalized_similarity, score_cutoff=_ALIKE, limit=None, processor=None
            )
            nearby += (other for other, _, _ in near)
        return dict.fromkeys(nearby)


def _shortened(word: str) -> set[str]:
    """Return a word in every form with up to two letters removed, to find similar spellings.

    Two spellings of a word may differ in at most one of every seven letters.
    """
    if not 6 <= len(word) < _LONG + 2:
        return set()
    forms = {word} | {word[:at] + word[at + 1 :] for at in range(len(word))}
    if len(word) >= 11:
        forms |= {word[:a] + word[a + 1 : b] + word[b + 1 :] for a, b in combinations(range(len(word)), 2)}
    return forms


@lru_cache(maxsize=256)
def spellings_in(words: tuple[str, ...]) -> Spellings:
    """Prepare words for a search for spellings. Recent results are cached."""
    return Spellings(words)
