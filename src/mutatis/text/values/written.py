"""A value as whoever writes it otherwise needs it, and what it becomes. Must not know how values are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from mutatis.text.values.vocabulary import Vocabulary

ValueKind: TypeAlias = Literal["number", "amount", "quantity", "duration", "age", "date", "time", "name", "code"]
Key: TypeAlias = tuple[str | float, ...]


class Written(Protocol):
    """A value: its kind, its words, what it comes to."""

    @property
    def kind(self) -> ValueKind:
        """Return what kind of value it is."""

    @property
    def text(self) -> str:
        """Return it as written."""

    @property
    def key(self) -> Key:
        """Return its measure and size in base units."""

    @property
    def unit(self) -> str:
        """Return the unit it is written in."""

    @property
    def raw(self) -> float | None:
        """Return its number as written."""

    @property
    def open(self) -> bool:
        """Whether another value may be meant."""

    @property
    def language(self) -> str:
        """Return the language of its words."""

    @property
    def measure(self) -> str:
        """Return what it measures."""

    @property
    def size(self) -> float:
        """Return its size in base units."""

    @property
    def words(self) -> Vocabulary:
        """Return the words of its language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Another way to write a value.

    Attributes:
        text: the value in this form.
        style: what it changes: "thousands", "currency", "unit", "quantity" (another unit), "words", "clock",
            "calendar", "groups".
        level: 1 for another spacing or mark; higher ones are rarer.
        place: "end" where it can stand only if no noun follows, "noun" only before a noun, else "".
    """

    text: str
    style: str
    level: int
    place: Literal["", "end", "noun"] = ""
