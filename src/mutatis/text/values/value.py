"""Represents a value in a text, and decides whether two values are equal."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random

from mutatis.text.values.forms import forms_of
from mutatis.text.values.others import other_than
from mutatis.text.values.written import Form, Written

HALF_A_DAY = 720
"""The number of minutes in half a day."""

_LOOSE = frozenset({"count", "year", "ordinal", "percent", "decade"})
"""Measures of numbers that can be compared even if only one of the two has a unit."""

_CLOSE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Value(Written):
    """A value in a text, which can be compared, written in a different form or replaced."""

    def same(self, other: Value) -> bool:
        """Return True if two values may be the same. Their units may differ, and a part of either may be missing.

        The noun after a number is ignored: "3 adults" and "3" are the same number.
        """
        measures = {self.measure, other.measure}
        if "house" in (self.unit, other.unit) and "count" in measures:
            return self.text == other.text
        if "code" in measures or "name" in measures or measures & {"size", "weekday", "day"}:
            return self.key == other.key or _is_of_weekend(self, other)
        if measures & {"date", "month"}:
            return _same_date(self, other)
        if "time of day" in measures:
            return _same_time(self, other)
        return _same_number(self, other)

    def forms(self) -> tuple[Form, ...]:
        """Return other ways to write the value. All have the same key."""
        return forms_of(self)

    def other(self, rng: Random, besides: Iterable[Value] = ()) -> Value:
        """Choose a different plausible value of the same kind, in the same format and not among `besides`."""
        text, key, raw = other_than(self, rng, tuple(besides))
        return replace(self, text=text, key=key, raw=raw)


def _is_of_weekend(first: Value, second: Value) -> bool:
    """Return True if one value is the weekend and the other is Saturday or Sunday."""
    whole, day = (first, second) if first.measure == "day" else (second, first)
    return whole.key == ("day", whole.words.tables["calendar"]["weekend"]) and day.measure == "weekday" and day.size > 4


def _same_date(first: Value, second: Value) -> bool:
    measures = {first.measure, second.measure}
    if not measures <= {"date", "month", "year"}:
        return False
    if "year" in measures:
        year, dated = (first, second) if first.measure == "year" else (second, first)
        return year.key[1] == dated.key[1]
    ours, theirs = first.key[1:], second.key[1:]
    if not _fits(ours[0], theirs[0]):
        return False
    if first.open is not second.open and (ours[2], ours[1]) == theirs[1:]:
        return True
    return ours[1] == theirs[1] and _fits(ours[2], theirs[2])


def _fits(first: str | float, second: str | float) -> bool:
    """Return True if two parts of a date are equal or one of them is missing."""
    return first == second or not first or not second


def _same_time(first: Value, second: Value) -> bool:
    if first.measure == second.measure:
        if first.open or second.open:
            return first.size % HALF_A_DAY == second.size % HALF_A_DAY
        return first.size == second.size
    clock, count = (first, second) if first.measure == "time of day" else (second, first)
    return count.measure == "count" and clock.size % HALF_A_DAY == count.size * 60 % HALF_A_DAY


def _same_number(first: Value, second: Value) -> bool:
    measures = {first.measure, second.measure}
    if first.measure == "decade" != second.measure or second.measure == "decade" != first.measure:
        decade, year = (first, second) if first.measure == "decade" else (second, first)
        if year.measure == "year":
            return decade.size <= year.size < decade.size + 10
    if abs(first.size - second.size) <= _CLOSE * max(abs(first.size), abs(second.size)):
        if len(measures) == 1 or measures & _LOOSE or measures == {"age", "months"}:
            return True
        if "cent" in measures and first.kind == second.kind == "amount":
            return True
    if first.raw is None or second.raw is None or not math.isclose(first.raw, second.raw):
        return False
    units = first.words.units
    named = [units[value.unit].also for value in (first, second) if value.unit in units]
    return bool(measures & {"count", "year"}) or first.unit in named or second.unit in named
