"""Replaces a value that occurs once in a text or request: the extracted data or the tool calls must change, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Literal, TypeAlias

from mutatis.core.calls import tools_in
from mutatis.core.cases import Case, Turn
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import given_names, word_list
from mutatis.text.normalisation import like
from mutatis.text.values import numbers, values, vocabulary, with_day
from mutatis.transformations.called_for import choices_in, request_edit, request_of, with_last_turn
from mutatis.transformations.exchange import put_name
from mutatis.transformations.known import at_least_one, one_of
from mutatis.transformations.pieces import edited, replaced_at
from mutatis.transformations.values import EXCHANGED, exchanged, names_one_day

StatedKind: TypeAlias = Literal["name", "number", "date", "city"]
STATED_KINDS: tuple[StatedKind, ...] = ("name", "number", "date", "city")

_TRIANGLE = re.compile(r"\btriangles?\b.*\bsides?\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,:/$#-])(?:[2-9]|[1-9]\d{1,2})(?![\w:/%-]|[.,]\d)")
"""A whole number from 2 to 999 that is not part of a longer number, a time, a price or a code."""
_NAMED = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w&]* (\d+)\b")
"""A number after a capitalised word within a sentence: "S&P 500"."""
_NEAR = 60
_NAME_BEFORE = re.compile(r"\w[^.!?]*\s[A-Z][\w'’.-]+ (?:in |of |at )?\Z")
"""Matches a name right before a town within a sentence.

It is applied to only `_NEAR` characters, because its running time is not linear.
"""

_NOT_FREE = re.compile(r"\bof \d|\d ?[ap]\.?m\b", re.IGNORECASE)
"""Texts whose numbers depend on each other: 7 out of 6 and 13 am are impossible."""


def lone_numbers(message: str) -> list[str]:
    """Return the numbers that occur only once in a text and are not part of a date or a name.

    >>> lone_numbers("Seats 14 and 15 on May 31, for 2 people, in the S&P 500 lounge, not on 30 June.")
    ['14', '15', '2']
    """
    # There is no October 32, no S&P 503, and a day never has 27 hours.
    dates = " ".join(value.text for value in values(message) if value.measure == "date")
    fixed = {*re.findall(r"\d+", dates), *_NAMED.findall(message), "24"}
    return [number for number in _NUMBER.findall(message) if message.count(number) == 1 and number not in fixed]


def is_in_name(town: str, message: str) -> bool:
    """Return True if a town is part of a longer name, or the only possible location of something.

    Replacing it would name something that does not exist, such as the team "Real Rome" or a Louvre Museum outside
    Paris.

    >>> is_in_name("Paris", "What does the Louvre Museum in Paris cost?"), is_in_name("Paris", "Fly to Paris.")
    (True, False)
    """
    if re.search(rf"\b{town},? ?[A-Z]|[/'\"]{town}\b", message):  # "Paris, Texas", "Europe/Paris"
        return True
    starts = (match.start() for match in re.finditer(rf"\b{town}\b", message))
    return any(_NAME_BEFORE.search(message[max(0, start - _NEAR) : start]) for start in starts)


def _exchange_of(text: str, kind: StatedKind, rng: Random) -> tuple[str, str] | None:
    """Return a value in the text and its replacement, or None if there is nothing to replace."""
    if kind == "name":
        return _other_name(text, rng)
    if kind == "number":
        candidates = [] if _NOT_FREE.search(text) else lone_numbers(text)
        if not candidates:
            return None
        old = one_of(candidates, rng)
        return old, _other_number(old, text, one_of((1, 2, 3), rng))
    if kind == "date":
        return _other_date(text, rng)
    exchange = exchanged(text, kind, rng)
    if exchange is None or (kind == "city" and is_in_name(exchange.old, text)):
        return None
    return exchange.old, exchange.new


def _other_name(text: str, rng: Random) -> tuple[str, str] | None:
    """Return the first listed name in a text and another of the same list, or None if the text has no such name."""
    for names in given_names():
        named = [name for name in names if re.search(rf"\b{name}\b", text)]
        if named:
            return named[0], one_of([name for name in names if name not in text], rng)
    return None


_RANGE = re.compile(r"\d(?:st|nd|rd|th)?\s*(?:-|\u2013|to|and|or)\s*\Z", re.IGNORECASE)
"""Text before a date that is the end of a range or a list of days: "4-8 March"."""


def _other_date(text: str, rng: Random) -> tuple[str, str] | None:
    """Return the only date of a text and another day of its month; None beside a weekday or in a range of dates.

    If day and month could be meant in either order, they still could afterwards.

    >>> [_other_date(f"Due {date}.", Random(1)) for date in ("4th March 2025", "11/06/2025", "Monday, 4 March")]
    [('4th March 2025', '10th March 2025'), ('11/06/2025', '11/02/2025'), None]
    """
    dates = [value for value in values(text) if value.measure == "date"]
    if len(dates) != 1 or names_one_day(text, dates[0]) or _RANGE.search(text[: dates[0].start]):
        return None
    [old] = dates
    if old.open:
        return old.text, with_day(old, one_of([day for day in range(1, 13) if day != old.date.day], rng))
    return old.text, old.other(rng, besides=values(text)).text


def _other_number(old: str, text: str, step: int) -> str:
    """Return a number several steps above the given one, skipping numbers that already occur in the text.

    >>> _other_number("10", "10 chairs and 12 tables", 2), _other_number("2", "2 chairs, four lamps", 2)
    ('13', '5')
    """
    in_text = {*re.findall(r"\d+", text), *(str(int(number.raw)) for number in numbers(text))}
    new = int(old) + step
    while str(new) in in_text:
        new += 1
    return str(new)


@transformation(
    "exchange-stated", level="turn", capability="facts of the text", says="a {kind} exchanged", languages=ENGLISH
)
@as_a_whole
def exchange_stated(turn: Turn, rng: Random, fields: tuple[str, ...], *, kind: StatedKind = "name") -> Turn:
    """Replace a name, number, date or city that a text states only once. The extracted data must change with it.

    >>> turn = Turn(fields={"text": "Invoice for Linda: 12 chairs."})
    >>> changed = exchange_stated(turn, Random(1), ("text",))
    >>> changed.fields["text"], changed.annotations["exchanged"]
    ('Invoice for Sarah: 12 chairs.', ['name', 'Linda', 'Sarah'])
    """
    field = fields[0]
    text = turn.fields[field]
    exchange = _exchange_of(text, kind, rng)
    if exchange is None:
        return turn
    old, new = exchange
    # A longer word that begins with it is a mention, too: "Lindas", "120".
    if len(re.findall(rf"(?i)(?<!\w){re.escape(old)}", text)) != 1:
        return turn
    matches = re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", text)
    changed = edited(text, [put_name(text, match, new) for match in matches])
    annotations = {**turn.annotations, EXCHANGED: [kind, old, new]}
    return replace(turn, fields={**turn.fields, field: changed}, annotations=annotations)


_SPOKEN_CHOICE = re.compile(r"[A-Za-z][a-z]{2,}(?:[ -][a-z]+)*")
"""Matches a listed value that users say as it is written: "angle grinder", but not "en_US"."""
_COUNTS = re.compile(r" (?!(?:and|or|to|by|times)\b)[a-z]{3,}")
"""Matches the noun after a number that could be written in words."""
_NO_CHOICE = frozenset(
    {"all", "any", "none", "other", "auto", "default", "unknown", "null", "true", "false", "dontcare"}
)


_Candidate: TypeAlias = tuple[str, str, Sequence[str]]
"""A kind of value, a value of a request, and values that may replace it."""


def _others_of(message: str, kind: str, names: Sequence[str]) -> list[_Candidate]:
    """Return the kind, each name that occurs once in a message, and the names that may replace it."""
    others = [name for name in names if name not in message]
    return [(kind, old, others) for old in names if len(re.findall(rf"\b{old}\b", message)) == 1]


def _listed(case: Case, message: str) -> Iterator[_Candidate]:
    """Yield each value of a tool's list that occurs once in a message, and the others of the list.

    The message must have no other value of the list, since "a hammer drill" is no "drill".
    """
    for choices in choices_in([tool["function"].get("parameters") for tool in tools_in(case.material)]):
        spoken = [choice for choice in choices if _SPOKEN_CHOICE.fullmatch(choice) and choice.lower() not in _NO_CHOICE]
        said = [(choice, re.findall(rf"(?i)(?<!\w){re.escape(choice)}(?!\w)", message)) for choice in spoken]
        in_message = [(choice, matches) for choice, matches in said if matches]
        if len(in_message) == 1 and len(in_message[0][1]) == 1 and len(spoken) > 1:
            [(choice, [old])] = in_message
            yield "choice", old, [like(old, other) for other in spoken if other != choice]


@request_edit("exchange-argument", capability="arguments", says="a value exchanged for another")
def exchange_argument(case: Case, rng: Random) -> Case:
    """Replace a value that occurs once in the request: a town, weekday, date, number, or a value listed for a tool.

    >>> from mutatis.doubles import tool_case
    >>> case = tool_case("Is it cold on Monday?", get_weather="Get the weather.")
    >>> exchange_argument(case, Random(1)).turns[-1].fields["message"]
    'Is it cold on Saturday?'
    """
    message = request_of(case)
    kind, old, new = exchange_in(message, [*_listed(case, message)], rng)
    [match] = re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", message)
    in_words = rng.random() < 0.5 and kind == "number" and _COUNTS.match(message, match.end())
    written = dict(zip(map(str, range(20)), vocabulary().ones, strict=False)).get(new, new) if in_words else new
    changed = replaced_at(message, *match.span(), written)
    return with_last_turn(case, message=changed, annotations={EXCHANGED: [kind, old, new]})


def exchange_in(
    message: str, listed: Sequence[_Candidate], rng: Random, fits: Callable[[str], bool] = bool
) -> tuple[str, str, str]:
    """Return the kind of a fitting value that occurs once in a request, the value, and a different one.

    Raises:
        UnusableFollowUp: no value fits.
    """
    named = {value.measure for value in values(message)}
    candidates = [
        *(town for town in _others_of(message, "city", word_list("places")) if not is_in_name(town[1], message)),
        *listed,
    ]
    if "date" not in named:  # both may be the same day
        candidates += _others_of(message, "weekday", vocabulary().weekdays)
    if not _TRIANGLE.search(message):  # sides of 7, 4 and 3 make no triangle
        step = one_of((1, 2, 3), rng)
        candidates += [("number", old, [_other_number(old, message, step)]) for old in lone_numbers(message)]
    if "weekday" not in named and (date := _other_date(message, rng)):
        candidates.append(("date", date[0], [date[1]]))
    candidates = [candidate for candidate in candidates if fits(candidate[1])]
    at_least_one(candidates, "no town, day, number or value listed for a tool occurs exactly once in the request")
    kind, old, others = one_of(candidates, rng)
    return kind, old, one_of(others, rng)
