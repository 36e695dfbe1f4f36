"""Replaces a value that occurs once in a text, to check that the data extracted from it changes, too."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.text.values import numbers, values, with_day
from mutatis.transformations.called_for import is_in_name, lone_numbers
from mutatis.transformations.exchange import given_names, put_name
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import edited
from mutatis.transformations.values import exchanged, names_one_day

StatedKind: TypeAlias = Literal["name", "number", "date", "city"]
STATED_KINDS: tuple[StatedKind, ...] = ("name", "number", "date", "city")

STATED = "stated"
"""Annotation of a turn: the kind of the replaced value, its old text and its new text."""


_NOT_FREE = re.compile(r"\bof \d|\d ?[ap]\.?m\b", re.IGNORECASE)
"""Texts whose numbers depend on each other: 7 out of 6 and 13 am are impossible."""


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
    """Return the only date of a text and another day of its month, or None if there is no date, or a weekday is beside.

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
    >>> changed.fields["text"], changed.annotations["stated"]
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
    annotations = {**turn.annotations, STATED: [kind, old, new]}
    return replace(turn, fields={**turn.fields, field: changed}, annotations=annotations)
