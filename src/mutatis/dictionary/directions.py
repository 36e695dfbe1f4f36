"""Reads the price trends that a user states: how a price changes with a value ("the heavier, the dearer")."""

from __future__ import annotations

import re
from functools import cache

from mutatis.core.dictionary import Goes
from mutatis.dictionary.limits import alternatives
from mutatis.languages import Language, language_tables


def directions_of(text: str, language: str = "en") -> list[tuple[str, Goes]]:
    """Return the measures with which prices go up or down, according to a text.

    >>> directions_of("The heavier the parcel, the dearer it is."), directions_of("Fees fall with age.")
    ([('mass', 'up')], [('age', 'down')])
    >>> directions_of("Heavier parcels cost 9 EUR.")
    []
    """
    if not Language(language).has("directions"):
        return []
    compared, along = _patterns(language)
    tables = language_tables("directions", language)
    prices, axes = tables["prices"], tables["axes"]
    rising: list[tuple[str, bool]] = []
    for match in compared.finditer(text):
        dearer, word = _words(match["price"]) in prices["dearer"], _words(match["axis"])
        for axis in axes:
            if word in (*axis["more"], *axis["less"]):
                rising += [(measure, dearer is (word in axis["more"])) for measure in axis["measures"]]
    for match in along.finditer(text):
        rises, noun = _words(match["way"]) in prices["rise"], _words(match["noun"])
        rising += [(measure, rises) for axis in axes if noun in axis["nouns"] for measure in axis["measures"]]
    return [(measure, "up" if rises else "down") for measure, rises in rising]


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
