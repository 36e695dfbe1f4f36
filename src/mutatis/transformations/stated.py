"""Replaces a value that occurs once in a text, to check that the data extracted from it changes, too."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.text.values import numbers
from mutatis.transformations.called_for import is_in_name, lone_numbers
from mutatis.transformations.exchange import given_names, put_name
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import edited
from mutatis.transformations.values import exchanged

StatedKind: TypeAlias = Literal["name", "number", "date", "city"]
STATED_KINDS: tuple[StatedKind, ...] = ("name", "number", "date", "city")

STATED = "stated"
"""Annotation of a turn: the kind of the replaced value, its old text and its new text."""


def _pair(text: str, kind: StatedKind, rng: Random) -> tuple[str, str] | None:
    """Return a value in the text and its replacement, or None if there is nothing to replace."""
    if kind in ("date", "city"):
        exchange = exchanged(text, "date" if kind == "date" else "city", rng)
        if exchange is None or (kind == "city" and is_in_name(exchange.old, text)):
            return None
        return exchange.old, exchange.new
    if kind == "number":
        # Of "5 out of 6" the one must not be more than the other, and 13 am is no time.
        numbers = [] if re.search(r"(?i)\bof \d|\d ?[ap]\.?m\b", text) else lone_numbers(text)
        old = one_of(numbers, rng) if numbers else ""
        return (old, _other_number(old, text, 1 + int(rng.random() * 3))) if old else None
    for names in given_names():
        told = [name for name in names if re.search(rf"\b{name}\b", text)]
        if told:
            others = [name for name in names if name not in text]
            return told[0], one_of(others, rng)
    return None


def _other_number(old: str, text: str, step: int) -> str:
    """Return a number several steps above the given one, skipping numbers that already occur in the text.

    >>> _other_number("10", "10 chairs and 12 tables", 2), _other_number("2", "2 chairs, four lamps", 2)
    ('13', '5')
    """
    said = {*re.findall(r"\d+", text), *(str(int(number.raw)) for number in numbers(text))}
    number = int(old) + step
    while str(number) in said:
        number += 1
    return str(number)


@transformation(
    "exchange-stated", level="turn", capability="facts of the text", says="a {kind} exchanged", languages=ENGLISH
)
def exchange_stated(turn: Turn, rng: Random, fields: tuple[str, ...], *, kind: StatedKind = "name") -> Turn:
    """Replace a name, number, date or city that a text states only once. The extracted data must change with it.

    >>> turn = Turn(fields={"text": "Invoice for Linda: 12 chairs."})
    >>> changed = exchange_stated(turn, Random(1), ("text",))
    >>> changed.fields["text"], changed.annotations["stated"]
    ('Invoice for Sarah: 12 chairs.', ['name', 'Linda', 'Sarah'])
    """
    name = fields[0]
    text = turn.fields[name]
    pair = _pair(text, kind, rng)
    if pair is None or len(re.findall(rf"(?i)(?<!\w){re.escape(pair[0])}", text)) != 1:
        return turn
    places = re.finditer(rf"(?<!\w){re.escape(pair[0])}(?!\w)", text)
    changed = edited(text, [put_name(text, match, pair[1]) for match in places])
    return replace(turn, fields={**turn.fields, name: changed}, annotations={**turn.annotations, STATED: [kind, *pair]})
