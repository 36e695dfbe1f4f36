"""Finds values in messages to the inn: days, numbers, amounts, times, sizes, places.

The patterns are separate from the package's own, because a system under test must not share code with its tests.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from mutatis.languages import listed
from mutatis.text.values import vocabulary

_WORDS = vocabulary()
_ONES = _WORDS.ones
_DAY = "|".join(_WORDS.weekdays)
_MONTH = "|".join(_WORDS.months)
_NUMBER = rf"\d{{1,3}}|{'|'.join(_ONES[2:13])}"
_CURRENCY = r"euros?|EUR|dollars?|USD|pounds?|GBP|francs?|CHF|[€$£]"
_SUM = r"\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+(?:\.\d{2})?"
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?:\s?[ap]m\b)?|(?:1[0-2]|[1-9])\s?[ap]m\b"
_NO_COUNT = r"minutes?|hours?|days?|weeks?|months?|years?|km\b|miles?"
_PATTERNS: Mapping[str, str] = {
    "weekday": rf"\b(?P<value>{_DAY})s?\b",
    "count": rf"(?<![\w.,:€$£-])(?<!size )(?P<value>{_NUMBER})(?![\w:%€$£]|[.,]\d"
    rf"|[\s-]*(?:{_CURRENCY}|(?:{_MONTH})|%|[ap]m\b|percent|o'clock|stars?\b|{_NO_COUNT}))",
    "amount": rf"(?<![\w.,])(?P<value>[€$£]\s?(?:{_SUM})|(?:{_SUM})\s?(?:{_CURRENCY}))(?!\w)",
    "date": rf"\b(?P<value>\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})|(?:{_MONTH})\s+(?:the\s+)?\d{{1,2}}"
    r"(?:st|nd|rd|th)?)\b",
    "time": rf"(?<![\d:.])(?P<value>{_CLOCK})",
    "duration": rf"(?<![\w.,])(?P<value>(?:{_NUMBER})\s+(?:working\s+|business\s+|calendar\s+)?"
    r"(?:minute|hour|day|week|month|year)s?)\b",
    "size": r"\b(?P<value>XXL|XL|XS|small|medium|large|(?<=size )(?:[SML]|\d{2}))\b",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardValue:
    """A value as written, its position, and a key that is the same for all ways of writing it."""

    text: str
    start: int
    key: str

    @property
    def end(self) -> int:
        """The offset just after the value."""
        return self.start + len(self.text)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    if kind in ("city", "country"):
        rows = listed("places") if kind == "city" else [row.split()[0] for row in listed("nations")]
        names = "|".join(name for row in rows for name in row.split())
        return re.compile(rf"\b(?P<value>{names})\b(?!['\u2019-]\w)(?!\s+(?-i:[A-Z]))", re.IGNORECASE)
    return re.compile(_PATTERNS[kind], re.IGNORECASE)


def values_heard(text: str, kind: str) -> list[HeardValue]:
    """Return the values of one kind in a text, such as the days.

    >>> [value.key for value in values_heard("A table for four at 6 pm", "count")]
    ['4']
    """
    matches = _pattern(kind).finditer(text)
    return [HeardValue(text=m["value"], start=m.start("value"), key=one_spelling(kind, m["value"])) for m in matches]


def one_spelling(kind: str, written: str) -> str:
    """Return a key that is the same for all ways of writing a value.

    >>> one_spelling("count", "Four"), one_spelling("amount", "$1,200"), one_spelling("time", "6 pm")
    ('4', '1200 $', '18:00')
    """
    low = written.lower().strip()
    if kind == "count":
        return str(_ONES.index(low)) if low in _ONES else str(int(low))
    if kind == "amount":
        number = re.sub(r"[^\d.]", "", low).removesuffix(".00")
        currency = re.sub(r"[\d.,\s]", "", low)
        signs = {"eur": "€", "€": "€", "dol": "$", "usd": "$", "$": "$", "pou": "£", "gbp": "£", "£": "£"}
        return f"{number} {signs.get(currency[:3], 'chf')}"  # any other currency is francs
    if kind == "duration":
        number, _, unit = low.partition(" ")
        return f"{one_spelling('count', number)} {unit.split()[-1].removesuffix('s')}"
    if kind == "date":
        [day] = re.findall(r"\d+", low)
        return f"{int(day)} {next(month.lower() for month in _WORDS.months if month.lower() in low)}"
    if kind == "time":
        hour, minute = [*map(int, re.findall(r"\d+", low)), 0][:2]  # "6 pm" has no minutes
        if low.endswith(("am", "pm")):
            hour = hour % 12 + (12 if low.endswith("pm") else 0)  # 12 am is 0:00
        return f"{hour}:{minute:02}"
    return low
