"""Mistypes weekdays as people do: in a message, or in one of two versions of the same question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import taken_in_turn, transformation
from mutatis.languages import listed
from mutatis.text.letter_case import like
from mutatis.text.values import values
from mutatis.transformations.conversation import conversation
from mutatis.transformations.interruptions import Moved, Rounds, asks_one_thing
from mutatis.transformations.pieces import edited, words
from mutatis.transformations.two_ways import Way, in_two_ways


@cache
def _mistyped_days() -> Mapping[str, tuple[str, ...]]:
    lines = [line.partition(": ") for line in listed("misspelt_weekdays")]
    return {day: tuple(ways.split()) for day, _, ways in lines}


def _weekdays(text: str) -> list[re.Match[str]]:
    return [word for word in words(text) if word.group().lower() in _mistyped_days()]


@transformation("mistype-weekday", capability="typing noise", says="a weekday mistyped", languages=ENGLISH)
@taken_in_turn(lambda text: len(_mistyped_days()["monday"]) if len(_weekdays(text)) == 1 else 0)
def mistype_weekday(text: str, draw: int) -> str:
    """Mistype the only weekday in a message, as people often do. Other texts are left unchanged.

    >>> mistype_weekday("Are you open on Tuesday?", 0), mistype_weekday("From Monday to Friday?", 0)
    ('Are you open on Tusday?', 'From Monday to Friday?')
    """
    days = _weekdays(text)
    if len(days) != 1:
        return text
    ways = _mistyped_days()[days[0].group().lower()]
    return edited(text, [(*days[0].span(), like(days[0].group(), ways[draw % len(ways)]))])


_OPENS = re.compile(
    r"\s*(?:when|what time|until (?:when|what time)|are|is)\b[^?]*\b(?:open|opens|close|closes)\b"
    r"|.*\bopening (?:hours|times)\b",
    re.IGNORECASE,
)
_OTHER_DAYS = re.compile(r"\b\w+days\b|\bweekend\b|\btoday\b|\btomorrow\b", re.IGNORECASE)


def _days(question: str, reply: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return a question about opening hours for each weekday, spelled correctly and mistyped."""
    if (
        not asks_one_thing(question)
        or not _OPENS.match(question)
        or _weekdays(question)
        or _OTHER_DAYS.search(question)
    ):
        raise UnusableFollowUp("the message is not a single question about opening hours, or already names a weekday")
    dates = [value for value in values(question) if value.kind in ("date", "time")]
    if not dates:
        lead, rest = question.rstrip(" ?"), "?"
    elif len(dates) == 1 and re.search(r"\bon \Z", question[: dates[0].start]):
        lead, rest = question[: dates[0].start].removesuffix("on ").rstrip(), question[dates[0].end :]
    else:
        raise UnusableFollowUp("the question already gives a day or a time")
    return [
        {"plain": f"{lead} on {day.title()}{rest}", "mistyped": f"{lead} on {way.title()}{rest}"}
        for day, ways in _mistyped_days().items()
        for way in ways
    ]


@conversation(
    "day-in-two-spellings",
    capability="typing noise",
    says="a weekday asked about, spelt right and mistyped",
    reads=_days,
)
def day_in_two_spellings(
    rounds: Rounds,
    turns: tuple[Turn, ...],
    *,
    way: Way = "plain",
    plain: str = "",
    mistyped: str = "",
) -> Moved:
    """Ask about the opening hours on a weekday, spelled correctly or mistyped.

    >>> turns = (Turn(fields={"message": "When are you open?"}),)
    >>> said = {"plain": "When are you open on Tuesday?", "mistyped": "When are you open on Tusday?"}
    >>> day_in_two_spellings((0,), turns, way="otherwise", **said)[0][1].fields["message"]
    'When are you open on Tusday?'
    """
    return in_two_ways(rounds, turns, way, plain, mistyped)
