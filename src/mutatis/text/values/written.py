"""Data classes for a value as written, and for a different way to write it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from mutatis.text.values.vocabulary import Vocabulary, vocabulary

ValueKind: TypeAlias = Literal["number", "amount", "quantity", "duration", "age", "date", "time", "name", "code"]
Key: TypeAlias = tuple[str | float, ...]
"""The measure of a value, then its size in base units, its text if it is a name or a code, or the parts of a date."""


class DateParts(NamedTuple):
    """The year, month and day of a date. A part that is not stated is 0."""

    year: int
    month: int
    day: int

    @property
    def key(self) -> Key:
        """The key of a date with these parts, or of a month if the day is missing."""
        return "date" if self.day else "month", *map(float, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A value as written, with its meaning.

    Attributes:
        kind: the kind of value.
        text: the value as written.
        start: offset of the value in the text.
        key: the measure and the size in base units, the same however the value is written: ("length", 5000.0) for 5 km.
        unit: the unit as written; the noun after a plain number; what kind of entity a name refers to, if known.
        raw: the number as written, before units are converted; None if there is no number.
        open: whether a different value may be meant, such as a time in the other half of the day, or a date with day
            and month swapped.
        language: the language of the value's words.
    """

    kind: ValueKind
    text: str
    start: int
    key: Key
    unit: str = ""
    raw: float | None = None
    open: bool = False
    language: str = "en"

    @property
    def end(self) -> int:
        """The offset just after the value."""
        return self.start + len(self.text)

    @property
    def measure(self) -> str:
        """The quantity measured: "count", "ordinal", "length", "euro", "time of day", "weekday", ..."""
        return str(self.key[0])

    @property
    def size(self) -> float:
        """The size in base units: minutes of the day for a time, or month and day as one number for a date."""
        if self.measure in ("date", "month"):
            return float(self.date.month * 100 + self.date.day)
        _, size, *_ = self.key
        return size if isinstance(size, float) else 0.0

    @property
    def date(self) -> DateParts:
        """The year, month and day of a date or month. Other values have none."""
        _, year, month, day = self.key
        return DateParts(year=int(year), month=int(month), day=int(day))

    @property
    def words(self) -> Vocabulary:
        """The vocabulary of the value's language."""
        return vocabulary(self.language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A different way to write a value.

    Attributes:
        text: the value in this form.
        style: the kind of change: "thousands", "currency", "unit", "quantity" (a different unit), "words", "clock",
            "calendar", "groups", "age", "point" (decimals after a comma).
        level: how rare the form is: 1 if only spaces or marks differ, higher for rarer forms.
        place: "end" if no noun may follow the form, "noun" if a noun must follow, otherwise "".
    """

    text: str
    style: str
    level: int
    place: Literal["", "end", "noun"] = ""


# These match a number with separators of thousands, or with decimals only, unless the marks around it make it a part of
# a date, a time or a version number (5.3.2027, 10:30, 1.2.3).
_COMMA_NUMBER = re.compile(r"(?<![\d.,:/])(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)(?![\d:/]|[.,]\d)")
_POINT_NUMBER = re.compile(r"(?<![\d.,:/])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\d:/]|[.,]\d)")
_BLANK = r"[ \u00a0\u202f]"
_SPACED_NUMBER = re.compile(rf"(?<![\w.,:/])(?<!\d{_BLANK})\d{{1,3}}(?:{_BLANK}\d{{3}})+(?!\d|{_BLANK}\d)")
_EXCHANGED = str.maketrans(".,", ",.")


def points_for_commas(text: str, thousands: str = ".") -> str:
    """Replace decimal commas in a text with decimal points. Dates and version numbers stay the same.

    If `thousands` is a space, points may also separate thousands.

    >>> points_for_commas("1.250,50 oder 2,5 am 5.3.2027"), points_for_commas("25.000")
    ('1,250.50 oder 2.5 am 5.3.2027', '25,000')
    >>> points_for_commas("1 250,50 ou 05 61 55 50 14", " ")
    '1,250.50 ou 05 61 55 50 14'
    """
    if thousands == " ":
        text = _SPACED_NUMBER.sub(lambda match: re.sub(_BLANK, ".", match.group()), text)
    return _COMMA_NUMBER.sub(lambda match: match.group().translate(_EXCHANGED), text)


def commas_for_points(text: str, thousands: str = ".") -> str:
    """Replace decimal points in a text with decimal commas.

    >>> commas_for_points("1,250.50 oder 2.5"), commas_for_points("1,250.50", " ")
    ('1.250,50 oder 2,5', '1 250,50')
    """
    exchanged = {ord(","): thousands, ord("."): ","}
    return _POINT_NUMBER.sub(lambda match: match.group().translate(exchanged), text)
