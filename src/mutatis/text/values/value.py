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

_WITHOUT_UNIT = frozenset({"count", "year", "ordinal", "percent", "decade"})
"""Measures of numbers without a unit. Such a number may be equal to any number of the same size."""

_ROUNDING = 1e-6
"""Relative difference of sizes that is due to the conversion of units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value(Written):
    """A value in a text, which can be compared, written in a different form or replaced."""

    def same(self, other: Value) -> bool:
        """Return True if two values may be the same. Their units may differ, and a part of either may be missing.

        The noun after a number is ignored: "3 adults" and "3" are the same number.
        """
        measures = {self.measure, other.measure}
        if "house" in (self.unit, other.unit) and "count" in measures:
            return self.text == other.text  # a house number may have been read as a number
        if measures & {"code", "name", "size", "weekday", "day"}:
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
        chosen = other_than(self, rng, tuple(besides))
        return replace(self, text=chosen.text, key=chosen.key, raw=chosen.raw)


def _is_of_weekend(first: Value, second: Value) -> bool:
    """Return True if one value is the weekend and the other is Saturday or Sunday."""
    whole, day = (first, second) if first.measure == "day" else (second, first)
    weekend = ("day", whole.words.tables["calendar"]["weekend"])
    return whole.key == weekend and day.measure == "weekday" and day.size in (_SATURDAY, _SUNDAY)


_SATURDAY, _SUNDAY = 5, 6


def _same_date(first: Value, second: Value) -> bool:
    """Return True if a date or month may be the same as another date, month or year.

    They must agree in every part that both state, but an ambiguous date may have day and month swapped.
    """
    measures = {first.measure, second.measure}
    if not measures <= {"date", "month", "year"}:
        return False
    if "year" in measures:
        year, dated = (first, second) if first.measure == "year" else (second, first)
        return year.size == dated.date.year
    ours, theirs = first.date, second.date
    if not _fits(ours.year, theirs.year):
        return False
    # Two ambiguous dates are in the same order, so only one that is not can show that day and month were swapped.
    if first.open is not second.open and (ours.day, ours.month) == (theirs.month, theirs.day):
        return True
    return ours.month == theirs.month and _fits(ours.day, theirs.day)


def _fits(part: int, other: int) -> bool:
    """Return True if two parts of a date are equal or either is missing."""
    return part == other or not part or not other


def _same_time(first: Value, second: Value) -> bool:
    """Return True if a time of day may be the same as another time or a number."""
    if not (_may_be_time(first) and _may_be_time(second)):
        return False
    ours, theirs = (value.size * 60 if value.measure == "count" else value.size for value in (first, second))
    if any(value.open or (value.measure == "count" and value.size <= 12) for value in (first, second)):
        return ours % HALF_A_DAY == theirs % HALF_A_DAY
    return ours == theirs


def _may_be_time(value: Value) -> bool:
    return value.measure == "time of day" or (value.measure == "count" and value.size <= 24)


def _same_number(first: Value, second: Value) -> bool:
    """Return True if two numbers, amounts or quantities may be the same.

    Their sizes must be equal in base units. It is enough that the numbers are equal as written if one is a count or a
    year, or if the name of one unit also means the other ("pounds" of money and of weight).
    """
    measures = {first.measure, second.measure}
    if measures == {"decade", "year"}:
        decade, year = (first, second) if first.measure == "decade" else (second, first)
        return decade.size <= year.size < decade.size + 10
    if abs(first.size - second.size) <= _ROUNDING * max(abs(first.size), abs(second.size)):
        if len(measures) == 1 or measures & _WITHOUT_UNIT or measures == {"age", "months"}:
            return True  # a bare number may count anything, and ages are measured in months
        if "cent" in measures and first.kind == second.kind == "amount":
            return True  # the currency of cents is not known
    if first.raw is None or second.raw is None or not math.isclose(first.raw, second.raw):
        return False
    units = first.words.units
    also_named = [units[value.unit].also for value in (first, second) if value.unit in units]
    return bool(measures & {"count", "year"}) or first.unit in also_named or second.unit in also_named
