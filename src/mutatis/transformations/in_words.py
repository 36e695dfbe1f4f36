"""Quantities and times in the words that people say for them: "four", "half an hour", "a dozen", "noon".

The value never changes; what has no such words stays. Must not know tasks or relations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.text.numbers import ONES
from mutatis.transformations.amounts import CONVERTS
from mutatis.transformations.forms import Form, Level, ends_phrase, in_other_forms, stands_before
from mutatis.transformations.pieces import like
from mutatis.transformations.values import THINGS

_IN_RANGE = re.compile(rf"(?:\d|\b(?:{'|'.join(ONES[1:11])}))\s*(?:-|\u2013|to|and|or)\s*\Z", re.IGNORECASE)
_NO_COUNT = re.compile(
    r"(?:\b(?:size|row|section|table|room|gate|seat|no\.?|number|(?<!to )order|article|chapter|type|class"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|(?:hundred|thousand)(?: and)?)[ -])\Z",
    re.IGNORECASE,
)
"""What stands before a number that names a thing, or before the rest of a longer number in words."""
_BEFORE = r"(?<![\w.,:/#€$£-])"
_SMALL = "|".join(ONES[2:13])
_COUNT = re.compile(
    rf"{_BEFORE}(?P<number>[2-9]|1[0-2]|{_SMALL})(?=\s+(?:[a-z]+\s)?(?:{THINGS}|hours|days|weeks|months|years|minutes)\b)"
    rf"(?!\s+(?:and|or|to)\b)",
    re.IGNORECASE,
)
_DOZEN = re.compile(rf"{_BEFORE}(?:(?P<number>12|24)|(?P<words>a|two) dozen)(?=\s+(?:{THINGS})\b)", re.IGNORECASE)


def _count(match: re.Match[str]) -> list[Form]:
    if any(stands_before(pattern, match.string, match.start()) for pattern in (_IN_RANGE, _NO_COUNT)):
        return []
    written = match["number"]
    if written.isdigit():
        return [(1, ONES[int(written)])]
    return [(1, str(ONES.index(written.lower())))]


def _dozen(match: re.Match[str]) -> list[Form]:
    if stands_before(_NO_COUNT, match.string, match.start()):
        return []
    if match["number"]:
        return [(2, "a dozen" if match["number"] == "12" else "two dozen")]
    return [(2, "12" if match["words"].lower() == "a" else "24")]


_SPELT: Mapping[str, tuple[str, ...]] = {
    "15 minutes": ("a quarter of an hour",),
    "30 minutes": ("half an hour",),
    "45 minutes": ("three quarters of an hour",),
    "60 minutes": ("an hour", "one hour"),
    "90 minutes": ("an hour and a half", "one and a half hours"),
    "1.5 hours": ("an hour and a half", "90 minutes"),
    "2.5 hours": ("two and a half hours",),
    "6 months": ("half a year",),
    "18 months": ("a year and a half", "one and a half years"),
    "14 days": ("two weeks",),
    "24 hours": ("a day",),
    "500 g": ("half a kilo",),
    "0.5 kg": ("half a kilo", "500 g"),
    "1.5 kg": ("one and a half kilos", "a kilo and a half"),
    "2.5 kg": ("two and a half kilos",),
    "500 ml": ("half a litre",),
    "0.5 l": ("half a litre", "500 ml"),
    "1.5 l": ("one and a half litres", "a litre and a half"),
    "500 metres": ("half a kilometre", "0.5 km"),
    "0.5 km": ("half a kilometre", "500 metres"),
    "1.5 km": ("one and a half kilometres",),
    "2.5 km": ("two and a half kilometres",),
}
"""Quantities in figures with the words for them."""

_NAMED = {words: figures for figures, ways in _SPELT.items() for words in ways if not words[0].isdigit()}
_UNITS = {
    **{"min": "minutes", "mins": "minutes", "hrs": "hours", "hr": "hours", "kilos": "kg", "kilograms": "kg"},
    **{"grams": "g", "litres": "l", "liters": "l", "kilometres": "km", "kilometers": "km", "meters": "metres"},
}
_WRITTEN = re.compile(
    rf"{_BEFORE}(?P<number>\d+(?:\.5)?) ?(?P<unit>minutes|mins?|hours|hrs?|days|months|kilos|kilograms|kg|grams|g"
    r"|litres|liters|l|ml|kilometres|kilometers|km|metres|meters)(?![\w-]|/)"
)
_SAID = re.compile(
    rf"\b(?:{'|'.join(sorted(_NAMED, key=len, reverse=True))})\b(?! ?(?:ago|old|per|an?|each|every)\b)", re.IGNORECASE
)
_RARE = frozenset({"24 hours"})
"""What is told by the hour where that matters; its words are of level 3."""


def _written(match: re.Match[str]) -> list[Form]:
    if stands_before(_IN_RANGE, match.string, match.start()) or not ends_phrase(match.string, match.end()):
        return []
    unit = _UNITS.get(match["unit"], match["unit"])
    figures = f"{match['number']} {unit}"
    return [(3 if figures in _RARE else 1, words) for words in _SPELT.get(figures, ())]


def _said(match: re.Match[str]) -> list[Form]:
    if not ends_phrase(match.string, match.end()):
        return []
    figures = _NAMED[match.group().lower()]
    return [] if figures in _RARE or match.group().lower() in ("an hour", "one hour", "two weeks") else [(1, figures)]


_NOON = re.compile(
    r"(?P<cue>\b(?:at|by|after|before|until|till|around|about|from|since|than)\s+)"
    r"(?P<time>12[:.]00(?! ?(?:[ap]\.?m\b|midnight))|12(?:[:.]00)? ?(?:p\.?m\b\.?|noon)|noon|midday)"
    r"(?![\w:-]| ?(?:-|\u2013|to|and|or) ?\d)",
    re.IGNORECASE,
)


def _noon(match: re.Match[str]) -> list[Form]:
    forms = ("noon", "midday", "12 noon") if match["time"][0].isdigit() else ("12:00", "12 noon", "noon", "midday")
    return [(1, match["cue"] + form) for form in forms]


@transformation(
    "quantities-in-words", capability="formats", says="quantities in words, or in figures", languages=ENGLISH
)
def quantities_in_words(text: str, rng: Random, *, level: Level = 2) -> str:
    """Say quantities and noon in words where figures stand, and in figures where words stand; other texts stay.

    Level 1: four, half an hour, half a kilo, noon; 2: also a dozen; 3: also a day for 24 hours.

    >>> quantities_in_words("Can I come at 12:00 for 90 minutes?", Random(1))
    'Can I come at noon for an hour and a half?'
    >>> quantities_in_words("A table for four people at noon, please.", Random(1))
    'A table for 4 people at 12:00, please.'
    >>> quantities_in_words("Within 3 to 5 days?", Random(1)), quantities_in_words("How long is 90 minutes?", Random(1))
    ('Within 3 to 5 days?', 'How long is 90 minutes?')
    """
    if CONVERTS.search(text):
        return text
    matches: list[re.Match[str]] = []
    for pattern in (_SAID, _WRITTEN, _DOZEN, _COUNT, _NOON):
        matches += [
            m for m in pattern.finditer(text) if all(m.end() <= o.start() or m.start() >= o.end() for o in matches)
        ]
    makers = {_SAID: _said, _WRITTEN: _written, _DOZEN: _dozen, _COUNT: _count, _NOON: _noon}
    return in_other_forms(
        text, matches, lambda m: [(rank, like(m.group(), form)) for rank, form in makers[m.re](m)], rng, level
    )
