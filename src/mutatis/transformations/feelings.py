"""Finds words of praise and blame in a text, and decides which of the two the text clearly expresses, if either.

Uses the package's own word lists, written for short reviews.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mutatis.languages import word_set
from mutatis.transformations.pieces import words

_TURNING = word_set("turning")
"""Words that may reverse or weaken the feeling of nearby words, or leave it open."""


@dataclass(frozen=True, slots=True)
class Feelings:
    """The feelings in a text: words of praise, of blame and of either kind, and whether the feelings are clear."""

    praise: tuple[str, ...]
    blame: tuple[str, ...]
    mixed: tuple[str, ...]
    plain: bool

    @property
    def side(self) -> int:
        """1 if the text clearly expresses praise, -1 if it clearly expresses blame, and 0 otherwise."""
        if not self.plain or self.mixed or bool(self.praise) == bool(self.blame):
            return 0
        return 1 if self.praise else -1


def is_praise(word: str) -> bool:
    """Return True if a lower-case word expresses praise."""
    return word in word_set("praise") or word in word_set("strong_praise")


def is_blame(word: str) -> bool:
    """Return True if a lower-case word expresses blame."""
    return word in word_set("blame") or word in word_set("strong_blame")


def is_polar(word: str) -> bool:
    """Return True if a lower-case word expresses a sentiment."""
    return is_praise(word) or is_blame(word) or word in word_set("mixed")


def feelings(text: str) -> Feelings:
    """Return the feelings in a text. They are clear if nothing negates, weakens or contrasts them.

    >>> feelings("A charming, funny film.").side, feelings("A dull mess.").side
    (1, -1)
    >>> feelings("A charming film with a dull end.").side, feelings("It could have been funny.").side
    (0, 0)
    """
    folded = [re.sub("\u2019", "'", m.group()).lower() for m in words(text)]
    return Feelings(
        praise=tuple(filter(is_praise, folded)),
        blame=tuple(filter(is_blame, folded)),
        mixed=tuple(word for word in folded if word in word_set("mixed")),
        plain=not any(word in _TURNING or word.endswith("n't") or word in {"n't", "n", "t"} for word in folded),
    )
