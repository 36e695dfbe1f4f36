"""Finds the words of praise and blame in a text, and decides whether the text clearly does one of the two.

Uses the package's own lists of words, for short reviews.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mutatis.languages import word_set
from mutatis.transformations.pieces import words

_TURNING = word_set("turning")
"""Words that may reverse, weaken or leave open the words next to them."""


@dataclass(frozen=True, slots=True)
class Feelings:
    """The feelings in a text: words that praise, blame, or may do either, and whether the feeling is clear."""

    praise: tuple[str, ...]
    blame: tuple[str, ...]
    mixed: tuple[str, ...]
    plain: bool

    @property
    def side(self) -> int:
        """1 if the text clearly praises, -1 if it clearly blames, else 0."""
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
    """Return the feelings in a text. They are clear if nothing negates, weakens or contrasts.

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
