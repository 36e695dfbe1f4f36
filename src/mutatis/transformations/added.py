"""Adds to a question a value that it lacks: an age, a number of people, the sum of an order or a time of day.

The reply to the question states a limit or opening hours, so a user who has read it might add the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mutatis.core.dictionary import Limit
from mutatis.dictionary import limits_of
from mutatis.text.values import Value, values, vocabulary, whole_value
from mutatis.transformations.at_limits import PEOPLE, applies, is_near_age_words
from mutatis.transformations.given import GROWN

Say = Callable[[str], str]
"""A function that returns a message containing a given value."""

_ASKS_LIMIT = re.compile(
    r"\b(?:limits?|maximum|minimum|max|min|allowance|(?:until|from|up to|to|at) what|what (?:age|size|weight)"
    r"|how (?:many people|old|young|heavy|high|tall|big|large|long can|wide))\b",
    re.IGNORECASE,
)
"""Matches questions about a limit itself. Users who ask them do not also give a value."""

_ASKS_WHEN_OR_WHERE = re.compile(
    r"\s*(?:(?:at |on |from |until |by )?(?:when|where|(?:what|which) (?:times?|hours|days?|dates?|weekdays?))\b"
    r"|(?:is|are) [^?]*\bopen\b|do(?:es)? [^?]*\b(?:open|close|start|begin|end)\b"
    r"|what(?: is| are|['\u2019]s) [^?]*\b(?:hours|times|address)\b)",
    re.IGNORECASE,
)
"""Matches questions about a time or a place, whose answer does not depend on a user's age, group or order."""

_ASKS_FOR_GROUP = re.compile(
    r"\b(?:students?|trainees?|apprentices?|teachers?|members?|disabled|unemployed|companions?|carers?)\b",
    re.IGNORECASE,
)
"""Matches groups that do not depend on age. Users who ask about them do not give an age."""

_SEVERAL = 2
"""Smallest number of people or times that is more than one."""
_CROWD = 1000
"""Number of people that nobody brings along."""
_NOON, _HALF_AN_HOUR = 720, 30
_EVENING = 18
"""The first hour of the evening."""

_OF_ORDERS = frozenset({"order", "orders", "purchase", "purchases", "delivery", "shipping", "basket", "deliver"})
_CLAUSE_END = re.compile(r"[.;!?](?:\s|\Z)|,\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A limit stated in the reply to a question, with its value and a function that adds a value to the question.

    The text of a number of people or of an age is only its number, without a unit.
    """

    limit: Limit
    value: Value
    say: Say


def stated_limits(question: str, answer: str) -> list[Stated]:
    """Return the limits stated in an answer, for values that the question could contain but does not.

    >>> [each] = stated_limits("What does delivery cost?", "Delivery is free for orders from 35 EUR on.")
    >>> each.say("34 EUR")
    'My order is 34 EUR. What does delivery cost?'
    """
    asked = {value.measure for value in values(question)}
    stated = []
    for limit in limits_of(answer):
        value = whole_value(limit.value) if applies(limit, answer) else None
        if value is None or value.measure in asked or not value.raw:  # without a number: "on Monday"
            continue
        say = _sentence(limit, value, question, answer)
        if say is not None:
            stated.append(Stated(limit=limit, value=value if value.kind == "amount" else _bare(value), say=say))
    return stated


def _bare(value: Value) -> Value:
    """Return a value with its number as its text: "16" for "16 years"."""
    return replace(value, text=re.split(r"[\s-]", value.text)[0])


def _sentence(limit: Limit, value: Value, question: str, answer: str) -> Say | None:
    """Return a function that adds a value to a question, as a user would, or None if it is unclear what to add."""
    measure, _, noun = limit.measure.partition(":")
    if _ASKS_LIMIT.search(question) or (_ASKS_WHEN_OR_WHERE.match(question) and not _is_of_time(limit, answer)):
        return None
    aged = is_near_age_words(limit) and not _ASKS_FOR_GROUP.search(question)
    of_people = aged and (measure == "months" or (measure == "count" and not noun))
    if (value.kind == "age" or of_people) and value.unit in ("", "year"):
        return lambda text: f"My child is {text}. {question}" if _years(text) < GROWN else f"I am {text}. {question}"
    if measure == "count" and noun in PEOPLE and limit.size < _CROWD:
        return lambda text: f"We are {text} people. {question}"
    if value.kind == "amount" and _OF_ORDERS & {*limit.about}:
        return lambda text: f"My order is {text}. {question}"
    return None


def _is_of_time(limit: Limit, answer: str) -> bool:
    """Return True if the clause with a limit also states a time: "children under 8 only until 6 pm"."""
    clauses = (clause for clause in _CLAUSE_END.split(answer) if limit.text in clause)
    return any(
        value.kind in ("time", "date") or value.unit == "weekday" for clause in clauses for value in values(clause)
    )


def _years(text: str) -> int:
    """Return the number of years in digits or in words, or an adult's age if there is no number."""
    ones, figures = vocabulary().ones, re.search(r"\d+", text)
    if figures:
        return int(figures.group())
    return ones.index(text) if text in ones else GROWN


# Times of day beside questions about hours

_WHEN = re.compile(
    r"\s*(?:until )?(?:when|what time|at what time|what (?:days|hours)) (?P<verb>is|are) (?P<who>[^?,.]+?) open\?\s*\Z",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"\s*(?:until )?(?:when|what time|at what time) (?P<verb>does|do) (?P<who>[^?,.]+?) (?:open|close)\?\s*\Z",
    re.IGNORECASE,
)
_HOURS = re.compile(
    r"\s*what(?: are|['\u2019]s) (?P<whose>your|the) (?:opening|office|business|reception)?\s?(?:hours|times)"
    r"(?: (?:of|at|for) (?P<who>[^?,.]+?))?\?\s*\Z",
    re.IGNORECASE,
)
_IS_OPEN = re.compile(r"\s*(?P<all>(?:is|are) [^?,.]*?\bopen(?: on [A-Z][a-z]+day)?)\?\s*\Z", re.IGNORECASE)
_ON_DAY = re.compile(r"\bon (?:an? |the )?(?P<day>[A-Z][a-z]+day)s?\b")


def open_at(question: str) -> Say | None:
    """Return a function that turns a question about opening hours into one about a given time, or None.

    >>> asked = ("When is the shop open?", "What are your hours?", "Are you open on Sunday?")
    >>> [open_at(question)("4 pm") for question in asked]
    ['Is the shop open at 4 pm?', 'Are you open at 4 pm?', 'Are you open on Sunday at 4 pm?']
    """
    if asked := _IS_OPEN.match(question):
        whole = asked["all"]
        return lambda text: f"{whole} at {text}?"
    if asked := _WHEN.match(question) or _OPENS.match(question):
        who, takes_are = asked["who"], asked["verb"].lower() in ("are", "do")
    elif asked := _HOURS.match(question):
        who, takes_are = asked["who"] or "you", not asked["who"]
    else:
        return None
    day = _ON_DAY.search(who)
    bare = _ON_DAY.sub("", who).strip() if day else who
    on = f" on {day['day']}" if day else ""
    return lambda text: f"{'Are' if takes_are else 'Is'} {bare} open{on} at {text}?"


def can_come_after(question: str, answer: str) -> Say | None:
    """Return a function that adds the earliest time for the user to come; None if no times were asked for.

    >>> asked = can_come_after("When does the ferry leave?", "At 8:00, 12:00 and 16:00.")
    >>> asked("3 pm")
    "When does the ferry leave? I can't come before 3 pm."
    """
    if not _ASKS_TIMES.match(question) or _ASKS_END.search(question) or len(clock_times(answer)) < _SEVERAL:
        return None
    return lambda text: f"{question} I can't come before {text}."


_ASKS_TIMES = re.compile(r"\s*(?:when|at what times?|what times?|which)\b", re.IGNORECASE)
_ASKS_END = re.compile(
    r"\b(?:first|last|latest|earliest|close|closes|end|ends|open|opening|hours|next)\b", re.IGNORECASE
)


def clock_times(answer: str) -> list[int]:
    """Return the times of day in an answer, sorted, as minutes since midnight.

    A time such as 9:00 is taken to be in the morning.

    >>> clock_times("Open from 9:00 to 17:30.")
    [540, 1050]
    """
    return sorted({int(value.size) for value in values(answer) if value.kind == "time"})


def afternoon_within(times: Sequence[int]) -> int | None:
    """Return an afternoon hour, in minutes since midnight, that is inside the opening hours, or None.

    The same hour in the morning must be outside them, so that confusing the two changes the answer.

    >>> afternoon_within([540, 1050]), afternoon_within([0, 1439]), afternoon_within([480, 720])
    (900, None, None)
    """
    if len(times) != _SEVERAL:
        return None
    first, last = times
    for hour in (15, 16, 14, 17, 18, 19, 13):
        if first < hour * 60 < last and hour * 60 - _NOON < first and last - hour * 60 >= _HALF_AN_HOUR:
            return hour * 60
    return None


def afternoon_between(times: Sequence[int]) -> int | None:
    """Return an afternoon hour, in minutes since midnight, that lies between two of the stated times, or None.

    >>> afternoon_between([480, 720, 960]), afternoon_between([480, 600])
    (780, None)
    """
    hours = (hour * 60 for hour in range(13, 22))
    return next((hour for hour in hours if any(low < hour < high for low, high in pairwise(times))), None)


def hour_said(minutes: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of ways to write an afternoon hour: on the 24-hour clock, and in words or with "pm".

    >>> list(hour_said(900))
    [('15:00', '3 pm'), ('15:00', "3 o'clock in the afternoon")]
    """
    hour = minutes // 60
    part = "afternoon" if hour < _EVENING else "evening"
    yield f"{hour}:00", f"{hour - 12} pm"
    yield f"{hour}:00", f"{hour - 12} o'clock in the {part}"
