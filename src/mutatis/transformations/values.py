"""Finds values that users give to a service, such as a day, an amount, a place or a product, and replaces one.

A value in a question counts only if the user asks for it ("a table for four", "to Oslo"), not if it may be a fact
("within 30 days", "a fee of 5 euros"). In an answer, every value counts. Based on the slot exchanges of CheckList and
LAUG.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from mutatis.core.cases import PRODUCTS, Turn
from mutatis.core.removed import names_removed
from mutatis.text.normalisation import like
from mutatis.text.values import Value, named_values, values, vocabulary, whole_value
from mutatis.transformations.clear import follows_name
from mutatis.transformations.pieces import replaced_at

__getattr__ = names_removed(__name__)

Slot: TypeAlias = Literal[
    "weekday", "count", "amount", "date", "time", "size", "city", "country", "duration", "quantity", "age", "product",
    "value",
]  # fmt: skip
"""The role of a value in a request to a service. "value" is any value except a name or a code."""

ASKED_KINDS: tuple[Slot, ...] = (
    "weekday", "count", "amount", "date", "time", "size", "city", "country", "product",
)  # fmt: skip
"""Kinds of values that users ask for. A duration occurs only in answers.

A product is recognised by the names in the data: the name in the question, and its possible replacements
(`products_of`).
"""

MEASURED_KINDS: tuple[Slot, ...] = ("quantity", "age")
"""Kinds of values that users give but answers seldom repeat: a weight, length or volume, and an age."""

EXCHANGED = "exchanged"
"""Annotation of a turn: the kind of the replaced value, its old text and its new text."""

_NEAR = 60
_THINGS = "|".join(vocabulary().words("things", "words"))
_DAYS = "|".join(vocabulary().weekdays)
_WANTED = (
    r"(?:for|of us|need|needs|want|wants|like|book|booking|reserve|reservation|order|buy|get|have|send|bring|are)\s+"
)
_ASKED_FOR: Mapping[Slot, tuple[tuple[str, str], ...]] = {
    "weekday": (
        (
            r"(?<!every )(?<!each )(?<!until )(?<!since )(?<!by )",
            rf"(?!s?\s*(?:to|-|until|through|and|or)\s+(?:{_DAYS}))(?<!s)",
        ),
    ),
    "count": (
        (rf"\b{_WANTED}", rf"\s+(?:[a-z]+\s)?(?:{_THINGS})\b"),
        (r"\bfor\s+", r"\s*(?:[?.!,]|\Z|on\b|at\b)"),
        ("", r"\s+of\s+us\b"),
    ),
    "amount": (
        (
            r"\b(?:transfer|send|withdraw|deposit|exchange|convert|borrow|invest|donate|top up|pay in|loan of"
            r"|transfer of|deposit of|withdrawal of|mortgage of|credit of)\s+(?:\w+\s+)?",
            "",
        ),
    ),
    "date": ((r"\b(?:on|for|from)\s+(?:the\s+)?", ""),),
    "time": ((r"\b(?:at|for)\s+", ""),),
    "size": ((r"\bsize\s+", ""), (r"\bin\s+(?:a\s+|size\s+)?", r"(?<!\b[sml])(?<!\d)")),
    **dict.fromkeys(("city", "country"), ((r"\b(?:to|from|in|for|via|near)\s+", r"(?!['\u2019-]\w)"),)),
    "quantity": (("", r"(?![\w/]|-\d| per\b| an? )"),),
    "age": (("", ""),),
}
"""Patterns for the text before and after a value that a user asks for, by kind of value."""

_PATTERNS = {
    kind: [
        (re.compile(rf"(?:{before})\Z", re.IGNORECASE), re.compile(behind, re.IGNORECASE)) for before, behind in ways
    ]
    for kind, ways in _ASKED_FOR.items()
}
_SIZE_BEFORE = re.compile(r"\bsize \Z", re.IGNORECASE)
_JOINED = re.compile(r"[\w.,:\u20ac$\u00a3-]\Z")
_JOINED_BEHIND = re.compile(r"[\w:%\u20ac$\u00a3]|[.,]\d")
_OF_A_DAY = frozenset({"weekday", "day", "date", "ordinal"})
_SAME_DAY = re.compile(r"\W{1,3}(?:(?:on|the|an?|that is|which is)\W{1,2}){0,2}", re.IGNORECASE)
_MEASURED = frozenset({"length", "mass", "volume", "data", "energy"})
_MOST_DIGITS = 3
_SMALL_WORDS = frozenset(vocabulary().ones[2:13])


def _slot(text: str, value: Value) -> Slot | None:
    """Return the kind of detail that a value gives in a request, such as a count or a city, or None."""
    if value.measure in ("weekday", "size", "date"):
        return value.measure  # type: ignore[return-value]
    if value.measure == "count":
        return _slot_of_number(text, value)
    if value.kind in ("amount", "time", "duration", "age"):
        return value.kind
    if value.kind == "quantity" and value.measure in _MEASURED and value.text[0].isdigit():
        return "quantity"
    return value.unit if value.unit in ("city", "country") else None  # type: ignore[return-value]


def _slot_of_number(text: str, value: Value) -> Slot | None:
    before = text[max(0, value.start - 8) : value.start]
    small = value.text.isdigit() and len(value.text) <= _MOST_DIGITS
    if small and len(value.text) == 2 and _SIZE_BEFORE.search(before):
        return "size"
    if value.unit in ("star", "stars") or _JOINED.search(before) or _JOINED_BEHIND.match(text, value.end):
        return None
    return "count" if small or value.text.lower() in _SMALL_WORDS else None


def products_of(turn: Turn) -> tuple[str, ...]:
    """Return the product that a turn names and then its possible replacements; empty unless it names exactly one."""
    products = turn.annotations.get(PRODUCTS, ())
    return tuple(products[0]) if len(products) == 1 else ()


_ITS_OWN = re.compile(r"\b(?:the|our)\s+\Z", re.IGNORECASE)
_IN_A_NAME = re.compile(r"-[a-z]+\s+[a-z]", re.IGNORECASE)


def is_in_a_name(value: Value, text: str) -> bool:
    """Return True if a number is part of the name of something that the service offers.

    Such a number may differ from the user's: someone who asks for twelve trips may be offered "the ten-trip ticket".
    """
    return bool(_ITS_OWN.search(text[: value.start]) and _IN_A_NAME.match(text, value.end))


def values_said(text: str, kind: Slot, names: Sequence[str] = (), language: str = "en") -> list[Value]:
    """Return all values of a kind in a text. Products are recognised by their `names`.

    >>> [value.text for value in values_said("Yes, a table for 4, at 6 pm, on Fridays; it costs 5 euros.", "count")]
    ['4']
    >>> [value.key for value in values_said("The Orbit costs 30 euros.", "product", ["Nova phone", "Orbit tablet"])]
    [('name', 'orbit tablet')]
    """
    if kind == "product":
        return list(named_values(text, names))
    if kind == "value":
        return [value for value in values(text, language) if value.kind not in ("name", "code")]
    return [value for value in values(text, language) if _slot(text, value) == kind]


def _is_asked_for(text: str, value: Value, kind: Slot) -> bool:
    if kind == "date" and value.date.year:
        return False  # a day of a year may be when something was
    return any(
        before.search(text, max(0, value.start - _NEAR), value.start) and behind.match(text, value.end)
        for before, behind in _PATTERNS.get(kind, ())
    )


def value_as(kind: Slot, written: str, language: str = "en") -> Value:
    """Return a whole text as a value of the given kind.

    >>> value_as("count", "Four").key, value_as("size", "M").key, value_as("product", "Nova phone").key
    (('count', 4.0), ('size', 'm'), ('name', 'nova phone'))
    """
    if kind == "product":
        return named_values(written, [written])[0]
    read = None if kind == "size" else whole_value(written, language)
    if read is None:
        measure = "size" if kind == "size" else "name"
        read = Value(kind="name", text=written, start=0, key=(measure, written.lower()), unit=kind)
    return read


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """A question with one value or name replaced: its new text, the old and new words, and their position.

    `value` is the old value, or None for a name of the run.
    """

    text: str
    old: str
    new: str
    start: int
    value: Value | None = None

    @property
    def end(self) -> int:
        """End offset of the replaced words in the original question."""
        return self.start + len(self.old)


def value_swap(question: str, value: Value, new: str) -> Swap:
    """Return a question with one of its values replaced, and in English with the right article before it."""
    text = replaced_at(question, value.start, value.end, new, value.language)
    return Swap(text=text, old=value.text, new=new, start=value.start, value=value)


def only_value(text: str, kind: Slot, names: Sequence[str] = ()) -> Value | None:
    """Return the value of a kind that a user asks for, if the text has no other value of that kind.

    Users ask for every product, recognised by its `names`.

    >>> only_value("A table for four people on Friday within 30 minutes?", "count").text
    'four'
    >>> only_value("Why was I charged 5 euros?", "amount"), only_value("Are you open every Monday?", "weekday")
    (None, None)
    """
    said = values_said(text, kind, names)
    asked = said if kind == "product" else [value for value in said if _is_asked_for(text, value, kind)]
    if len(asked) != 1 or names_one_day(text, asked[0]):
        return None
    return asked[0] if all(value.key == asked[0].key for value in said) else None


def names_one_day(text: str, value: Value) -> bool:
    """Return True if a value and its neighbour name the same day, so that replacing one contradicts the other.

    >>> [names_one_day(text, values(text)[0]) for text in ("On Saturday, 14 November?", "On Saturday, for 14?")]
    [True, False]
    """
    if value.measure not in _OF_A_DAY:
        return False
    others = [other for other in values(text) if other.measure in _OF_A_DAY and other.measure != value.measure]
    between = (text[min(value.end, other.end) : max(value.start, other.start)] for other in others)
    return any(_SAME_DAY.fullmatch(gap) for gap in between)


def _other_product(written: str, rng: Random, names: Sequence[str]) -> str:
    new = names[1 + int(rng.random() * (len(names) - 1))]
    if written == names[0]:  # "SUV" and "hatchback" are as they are listed
        return new
    return new.lower() if written.islower() else like(written, new)


def exchanged(text: str, kind: Slot, rng: Random, names: Sequence[str] = ()) -> Swap | None:
    """Return a text with its only value of a kind replaced by another, or None if it has none or several.

    >>> swap = exchanged("A room for two nights, please.", "count", Random(1))
    >>> swap.text, swap.old, swap.new
    ('A room for four nights, please.', 'two', 'four')
    """
    value = only_value(text, kind, names)
    if value is None or (kind == "weekday" and follows_name(text, value.start)):  # "Easter Monday"
        return None
    if kind == "product" and (value.text.casefold() != names[0].casefold() or len(names) == 1):
        return None  # a name in the plural, or a part of it, has no place for another one as the data write it
    new = _other_product(value.text, rng, names) if kind == "product" else _other(text, value, kind, rng)
    if new == value.text:
        return None
    return value_swap(text, value, new)


def _other(text: str, value: Value, kind: Slot, rng: Random) -> str:
    if kind == "size" and value.text.isdigit():
        return str(int(value.text) + 2)
    return value.other(rng, besides=values(text)).text
