"""A value as it is written, and another form of it. Must not know how values are read or written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mutatis.text.values.vocabulary import Vocabulary, vocabulary

ValueKind: TypeAlias = Literal["number", "amount", "quantity", "duration", "age", "date", "time", "name", "code"]
Key: TypeAlias = tuple[str | float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A value as it is written, and what it comes to.

    Attributes:
        kind: what kind of value it is.
        text: as written.
        start: where it begins in the text.
        key: its measure and its size in base units, the same however it is written: ("length", 5000.0) for 5 km.
        unit: the unit it is written in; of a plain number the noun behind it, of a name what it names, if known.
        raw: its number as written, before units are converted; None without one.
        open: another value may be meant: a time of the other half of the day, a date with day and month exchanged.
        language: the language whose words it is written in.
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
        """Return the offset behind it."""
        return self.start + len(self.text)

    @property
    def measure(self) -> str:
        """Return what it measures: "count", "ordinal", "length", "euro", "time of day", "weekday", ..."""
        return str(self.key[0])

    @property
    def size(self) -> float:
        """Return its size in base units; minutes of the day for a time, month and day as one number for a date."""
        if self.measure in ("date", "month"):
            month, day = (float(part) for part in self.key[2:4])
            return month * 100 + day
        return self.key[1] if isinstance(self.key[1], float) else 0.0

    @property
    def words(self) -> Vocabulary:
        """Return the words of its language."""
        return vocabulary(self.language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Another way to write a value.

    Attributes:
        text: the value in this form.
        style: what it changes: "thousands", "currency", "unit", "quantity" (another unit), "words", "clock",
            "calendar", "groups", "age".
        level: 1 for another spacing or mark; higher ones are rarer.
        place: "end" where it can stand only if no noun follows, "noun" only before a noun, else "".
    """

    text: str
    style: str
    level: int
    place: Literal["", "end", "noun"] = ""
