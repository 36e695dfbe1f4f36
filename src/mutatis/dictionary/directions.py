"""Finds price trends stated in a reply: how a price changes with a value ("the heavier, the dearer")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from mutatis.core.dictionary import Direction, Goes
from mutatis.dictionary.limits import alternatives, telling_words
from mutatis.languages import Language, language_tables
from mutatis.text.sentences import sentences


def directions_of(reply: str, language: str = "en") -> list[Direction]:
    """Return the trends stated in a reply, in order.

    >>> [(d.measure, d.goes) for d in directions_of("The heavier the parcel, the dearer it is.")]
    [('mass', 'up')]
    >>> [(d.measure, d.goes) for d in directions_of("Fees rise with age. The lighter, the cheaper.")]
    [('age', 'up'), ('mass', 'up')]
    >>> directions_of("Heavier parcels cost 9 EUR.")
    []
    """
    if not Language(language).has("directions"):
        return []
    return [direction for sentence in sentences(reply) for direction in _in_sentence(sentence, language)]


def _in_sentence(sentence: str, language: str) -> Iterator[Direction]:
    """Yield the trends in a sentence: those of two comparatives, then those of "prices rise with ..."."""
    about = tuple(sorted(telling_words(sentence, language)))
    compared, along = _patterns(language)
    tables = language_tables("directions", language)
    prices, axes = tables["prices"], tables["axes"]
    for match in compared.finditer(sentence):
        dearer, word = _words(match["price"]) in prices["dearer"], _words(match["axis"])
        for axis in axes:
            if word in (*axis["more"], *axis["less"]):
                goes: Goes = "up" if dearer is (word in axis["more"]) else "down"
                yield from _direction(axis, match.group(), goes, about)
    for match in along.finditer(sentence):
        goes, noun = "up" if _words(match["way"]) in prices["rise"] else "down", _words(match["noun"])
        for axis in axes:
            if noun in axis["nouns"]:
                yield from _direction(axis, match.group(), goes, about)


def _direction(axis: Mapping[str, Any], text: str, goes: Goes, about: tuple[str, ...]) -> Iterator[Direction]:
    for measure in axis["measures"]:
        yield Direction(text=" ".join(text.split()), measure=measure, goes=goes, about=about)


def _words(text: str) -> str:
    return " ".join(text.lower().split())


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns for phrases like "the heavier ..., the dearer" and "prices rise with weight"."""
    tables = language_tables("directions", language)
    axes, prices = tables["axes"], tables["prices"]
    compared = alternatives(word for axis in axes for word in (*axis["more"], *axis["less"]))
    nouns = alternatives(noun for axis in axes for noun in axis["nouns"])
    dear, ways = alternatives([*prices["dearer"], *prices["cheaper"]]), alternatives([*prices["rise"], *prices["fall"]])
    return (
        re.compile(rf"\bthe\s+(?P<axis>{compared})\b[^.;!?]{{0,60}}?,?\s+the\s+(?P<price>{dear})\b", re.IGNORECASE),
        re.compile(
            rf"\b(?:{alternatives(prices['named'])})\b[^.;!?]{{0,40}}?\b(?P<way>{ways})\s+with\s+"
            rf"(?:(?:the|its|your|their)\s+)?(?P<noun>{nouns})\b",
            re.IGNORECASE,
        ),
    )
