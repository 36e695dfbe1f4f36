"""A value as written, and another form of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mutatis.text.values.vocabulary import Vocabulary, vocabulary

ValueKind: TypeAlias = Literal["number", "amount", "quantity", "duration", "age", "date", "time", "name", "code"]
Key: TypeAlias = tuple[str | float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A value as written, and its meaning.

    Attributes:
        kind: kind of value.
        text: as written.
        start: offset of its beginning in the text.
        key: its measure and its size in base units, the same however it is written: ("length", 5000.0) for 5 km.
        unit: its unit as written; for a plain number the noun after it, for a name the kind of thing, if given.
        raw: its number as written, before units are converted; None if there is none.
        open: whether another value may be meant: a time in the other half of the day, a date with day and month
            swapped.
        language: the language of its words.
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
        """The offset after it."""
        return self.start + len(self.text)

    @property
    def measure(self) -> str:
        """Return the quantity measured: "count", "ordinal", "length", "euro", "time of day", "weekday", ..."""
        return str(self.key[0])

    @property
    def size(self) -> float:
        """Return its size in base units: minutes of the day for a time; for a date, month and day as one number."""
        if self.measure in ("date", "month"):
            month, day = (float(part) for part in self.key[2:4])
            return month * 100 + day
        return self.key[1] if isinstance(self.key[1], float) else 0.0

    @property
    def words(self) -> Vocabulary:
        """Return the vocabulary of its language."""
        return vocabulary(self.language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Another way to write a value.

    Attributes:
        text: the value in this form.
        style: the kind of change: "thousands", "currency", "unit", "quantity" (another unit), "words", "clock",
            "calendar", "groups", "age", "point" (decimals behind a comma).
        level: 1 for another spacing or mark; higher ones are rarer.
        place: "end" if it can stand only without a noun after it, "noun" only before a noun, else "".
    """

    text: str
    style: str
    level: int
    place: Literal["", "end", "noun"] = ""


_COMMA = re.compile(r"(?<![\d.,:/])(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)(?![\d:/]|[.,]\d)")
_POINT = re.compile(r"(?<![\d.,:/])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\d:/]|[.,]\d)")
_BLANK = r"[ \u00a0\u202f]"
_SPACED = re.compile(rf"(?<![\w.,:/])(?<!\d{_BLANK})\d{{1,3}}(?:{_BLANK}\d{{3}})+(?!\d|{_BLANK}\d)")
_EXCHANGED = str.maketrans(".,", ",.")


def points_for_commas(text: str, thousands: str = ".") -> str:
    """Replace decimal commas in a text by decimal points. Dates and versions stay the same.

    Where spaces separate thousands, points may do so, too.

    >>> points_for_commas("1.250,50 oder 2,5 am 5.3.2027"), points_for_commas("25.000")
    ('1,250.50 oder 2.5 am 5.3.2027', '25,000')
    >>> points_for_commas("1 250,50 ou 05 61 55 50 14", " ")
    '1,250.50 ou 05 61 55 50 14'
    """
    if thousands == " ":
        text = _SPACED.sub(lambda match: re.sub(_BLANK, ".", match.group()), text)
    return _COMMA.sub(lambda match: match.group().translate(_EXCHANGED), text)


def commas_for_points(text: str, thousands: str = ".") -> str:
    """Replace decimal points in a text by decimal commas.

    >>> commas_for_points("1,250.50 oder 2.5"), commas_for_points("1,250.50", " ")
    ('1.250,50 oder 2,5', '1 250,50')
    """
    exchanged = {ord(","): thousands, ord("."): ","}
    return _POINT.sub(lambda match: match.group().translate(exchanged), text)
