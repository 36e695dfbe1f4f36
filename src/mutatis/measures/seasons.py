"""Reads the seasons when something is open. A reply may also state one by the rest of the year ("closed from")."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from mutatis.core.languages import is_english
from mutatis.measures.answer import LONGEST
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, values

_TO = re.compile(r"\s{0,3}(?:to|until|till|through|[-\u2013])\s{0,3}(?:the\s)?", re.IGNORECASE)
_STATE = re.compile(
    r"\b(?:(?P<closed>closed?|closing|shut|(?:not|no longer) open)|open|opened|season)\b"
    r"|n['\u2019]t (?P<unopened>open)\b",
    re.IGNORECASE,
)
_YEAR = 2001  # not a leap year, so that 1 March follows the last day of February


class Season(NamedTuple):
    """The first and the last day of a season when something is open, as numbers of month and day."""

    first: tuple[int, int]
    last: tuple[int, int]


def seasons(text: str, language: str = "en") -> dict[Season, tuple[Value, Value]]:
    """Return the seasons when something is open, each with the two dates or months that state it.

    Years are ignored. Only English is read.

    >>> seasons("We are closed from 1 November to March.").keys() == seasons("Open 1 April - 31 October.").keys()
    True
    >>> [*seasons("We are open from April to October.")], seasons("It rains from 1 April to 2 May.")
    ([Season(first=(4, 1), last=(10, 31))], {})
    """
    if not is_english(language):
        return {}
    return dict(season for sentence in sentences(text[:LONGEST]) for season in _in_sentence(sentence))


def _in_sentence(sentence: str) -> Iterator[tuple[Season, tuple[Value, Value]]]:
    """Yield the seasons in a sentence. The last word for open or closed before the dates counts, or else the first."""
    states = list(_STATE.finditer(sentence))
    for dates in pairwise(values(sentence)) if states else ():
        first, last = dates
        is_range = _TO.fullmatch(sentence, first.end, last.start) is not None
        if is_range and {first.measure, last.measure} <= {"date", "month"}:
            state = next((state for state in reversed(states) if state.end() <= first.start), states[0])
            start, end = _day(first, at_end=False), _day(last, at_end=True)
            if state["closed"] or state["unopened"]:
                start, end = end + timedelta(days=1), start - timedelta(days=1)
            yield Season((start.month, start.day), (end.month, end.day)), dates


def _day(value: Value, *, at_end: bool) -> date:
    """Return a date in a common year. A month stands for its first day, or its last one with `at_end`."""
    _, month, day = value.date
    last = monthrange(_YEAR, month)[1]
    return date(_YEAR, month, min(day or (last if at_end else 1), last))
