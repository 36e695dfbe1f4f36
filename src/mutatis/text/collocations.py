"""Finds words that belong together in a body of texts: names of products and services written without capitals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import pairwise

LEAST = 3
"""Minimum number of different texts that contain two words next to each other."""

BOUND = 0.8
"""Minimum share of the texts with the rarer word in which the other word is next to it."""

_WORD = re.compile(r"[^\W\d_]{2,}(?:['\u2019-][^\W\d_]+)*")


def collocations(texts: Iterable[str], common: Collection[str]) -> frozenset[tuple[str, str]]:
    """Return the pairs of words that are often adjacent and rarely apart: "freedom card".

    Args:
        texts: the texts; a text that occurs twice counts once.
        common: words that are not part of any name, in lower case (articles, prepositions, everyday verbs).

    >>> said = ["my freedom card is lost", "block the freedom card", "a freedom card please", "the card", "a lost card"]
    >>> collocations(said, {"my", "is", "the", "a"})
    frozenset({('freedom', 'card')})
    """
    singles: Counter[str] = Counter()
    doubles: Counter[tuple[str, str]] = Counter()
    for text in dict.fromkeys(texts):
        words = [(match.start(), match.end(), match.group().casefold()) for match in _WORD.finditer(text)]
        singles.update({word for _, _, word in words})
        doubles.update(
            {
                (first, second)
                for (_, end, first), (start, _, second) in pairwise(words)
                if start == end + 1 and first not in common and second not in common and text[end] == " "
            }
        )
    return frozenset(
        pair
        for pair, number in doubles.items()
        if number >= LEAST and number >= BOUND * min(singles[word] for word in pair)
    )


def standing_in(text: str, pairs: Collection[tuple[str, str]]) -> tuple[str, ...]:
    """Return the pairs that occur in a text, as spelt there.

    >>> standing_in("Is the Freedom card free?", {("freedom", "card")})
    ('Freedom card',)
    """
    words = list(_WORD.finditer(text)) if pairs else []
    return tuple(
        dict.fromkeys(
            text[first.start() : second.end()]
            for first, second in pairwise(words)
            if (first.group().casefold(), second.group().casefold()) in pairs
            and text[first.end() : second.start()] == " "
        )
    )
