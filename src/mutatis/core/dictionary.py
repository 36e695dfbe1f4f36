"""Facts about the subject of a system: names of one kind, values, limits and trends of prices.

The idea resembles the token dictionary of a fuzzer. This dictionary is built from the run's own questions and replies,
and records the evidence for each entry; only the user states trends of prices. Edits use the dictionary to replace a
name with one of the same kind, or a value with one in the same unit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, TypeAlias, TypeVar

USER = "user"
"""Marks an entry that was written by the user and needs no further evidence."""

ENOUGH = 2
"""Number of different questions whose replies must support an entry before a finding may rely on it."""

Side = Literal["least", "most"]
Goes = Literal["up", "down"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Base class of dictionary entries: the questions that support an entry, and whether a reply contradicts it.

    Attributes:
        seen: hashes of the questions that contain the entry or whose replies state it; `USER` if the user wrote it.
        contradicted: whether a different reply contradicts it.
    """

    seen: tuple[str, ...] = ()
    contradicted: bool = False

    @property
    def trusted(self) -> bool:
        """Return True if a finding may rely on the entry. Other entries are only used for probes."""
        return USER in self.seen or (len(self.seen) >= ENOUGH and not self.contradicted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Name(Known):
    """A name of something that the system knows."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKind:
    """Names of the same kind, which occur in the same contexts. `kind` is the noun that they share, or ""."""

    kind: str
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownValue(Known):
    """A value as written. `measure` is the quantity, and `unit` is its unit or the noun that it counts."""

    text: str
    measure: str
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit(Known):
    """A limit stated in replies, such as "from 65" or "up to 3 days".

    Attributes:
        text: the words that state it.
        value: the limit itself as written, with its unit ("65", "3 days").
        measure: the measured quantity ("age", "euro", "time of day").
        size: its size in base units.
        side: whether it is the minimum or the maximum that its clause allows.
        inclusive: whether the clause also covers the limit itself ("from 65": yes; "over 65": no).
        about: content words of the clause, which identify the thing that is limited.
    """

    text: str
    value: str
    measure: str
    size: float
    side: Side
    inclusive: bool
    about: tuple[str, ...] = ()

    def holds(self, size: float) -> bool:
        """Return True if a size satisfies the limit."""
        if size == self.size:
            return self.inclusive
        return size > self.size if self.side == "least" else size < self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction(Known):
    """A trend of prices that the user states, such as "the heavier, the dearer".

    Attributes:
        text: the words that state it.
        measure: the measured quantity ("mass", "age").
        goes: whether a price goes up or down as the quantity increases.
    """

    text: str
    measure: str
    goes: Goes


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A question and the system's reply to it."""

    question: str
    reply: str

    @property
    def name(self) -> str:
        """Return a short hash of the question, which evidence uses to refer to it."""
        return hashlib.blake2b(self.question.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


Turned: TypeAlias = Literal["left out", "corrected", "pronoun"]
"""The ways in which a message may depend on an earlier one: it omits words of the earlier one, corrects it, or refers
to it as "it".
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dictionary:
    """All known facts about the subject of one system.

    `exchanges` holds the run's questions that were sent without context, with their replies, so that other questions
    can be combined with them. `understands` lists the kinds of references to earlier messages that the system
    understood when the run tested it. Neither is written to a file. `language` is the language of the question that
    uses the dictionary.
    """

    names: tuple[NameKind, ...] = ()
    values: tuple[KnownValue, ...] = ()
    limits: tuple[Limit, ...] = ()
    directions: tuple[Direction, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    understands: frozenset[Turned] = frozenset()
    language: str = "en"

    def kinds_of(self, text: str) -> tuple[tuple[NameKind, Name], ...]:
        """Return the names that occur in a text, each with its kind. If names overlap, only the longest is returned.

        >>> plans = NameKind(kind="plan", names=(Name(text="Basic"), Name(text="Basic Plus")))
        >>> [name.text for _, name in Dictionary(names=(plans,)).kinds_of("Is Basic Plus dear?")]
        ['Basic Plus']
        """
        folded = text.casefold()
        known = [(name, kind) for kind in self.names for name in kind.names]
        known.sort(key=lambda entry: (-len(entry[0].text), entry[0].text))  # the longest name first
        present: dict[range, tuple[NameKind, Name]] = {}  # by their places in the text
        for name, kind in known:
            start = _word_at(folded, name.text.casefold())
            end = start + len(name.text)
            if start >= 0 and all(end <= other.start or other.stop <= start for other in present):
                present[range(start, end)] = kind, name
        return tuple(present[place] for place in sorted(present, key=lambda place: place.start))

    def without(self, texts: frozenset[str]) -> Dictionary:
        """Return a copy of this dictionary without the entries that have one of these case-folded texts."""
        kinds = [
            replace(kind, names=tuple(name for name in kind.names if name.text.casefold() not in texts))
            for kind in self.names
        ]
        return replace(
            self,
            names=tuple(kind for kind in kinds if kind.names),
            values=tuple(value for value in self.values if value.text.casefold() not in texts),
            limits=tuple(limit for limit in self.limits if limit.text.casefold() not in texts),
        )

    def with_entries(self, other: Dictionary) -> Dictionary:
        """Return this dictionary merged with `other`. If two texts are equal, the entry from `other` is kept.

        Kinds that share a noun or a name are merged.

        >>> cities = NameKind(kind="", names=(Name(text="Hull"), Name(text="York")))
        >>> plans = NameKind(kind="", names=(Name(text="Basic"), Name(text="Flex")))
        >>> more = NameKind(kind="plan", names=(Name(text="Basic"), Name(text="Sun")))
        >>> made = Dictionary(names=(cities, plans)).with_entries(Dictionary(names=(more,)))
        >>> [[kind.kind, *(name.text for name in kind.names)] for kind in made.names]
        [['plan', 'Basic', 'Flex', 'Sun'], ['', 'Hull', 'York']]
        """
        kinds = list(self.names)
        for theirs in other.names:
            same = [kind for kind in kinds if _belong_together(kind, theirs)]
            kinds = [*(kind for kind in kinds if kind not in same), _united([*same, theirs])]
        return replace(
            self,
            names=tuple(sorted(kinds, key=lambda kind: [name.text for name in kind.names])),
            values=tuple(_merged(self.values, other.values)),
            limits=tuple(_merged(self.limits, other.limits)),
            directions=tuple(_merged(self.directions, other.directions)),
        )


NO_ENTRIES = Dictionary()


def names_in(text: str, dictionaries: Iterable[Dictionary]) -> tuple[str, ...]:
    """Return the names in a text that occur in any of the dictionaries, sorted.

    >>> plans = NameKind(kind="plan", names=(Name(text="Green Flex"), Name(text="Basic")))
    >>> names_in("Is basic dearer than Green Flex?", [NO_ENTRIES, Dictionary(names=(plans,))])
    ('Basic', 'Green Flex')
    """
    return tuple(sorted({name.text for dictionary in dictionaries for _, name in dictionary.kinds_of(text)}))


E = TypeVar("E", bound=Name | KnownValue | Limit | Direction)


def _belong_together(kind: NameKind, other: NameKind) -> bool:
    """Return True if two kinds share their noun or a name."""
    ours, theirs = ({name.text.casefold() for name in each.names} for each in (kind, other))
    return bool(kind.kind and kind.kind == other.kind) or not ours.isdisjoint(theirs)


def _united(kinds: Sequence[NameKind]) -> NameKind:
    """Merge several kinds of names into one. The last noun is kept, and entries of later kinds take precedence."""
    nouns = [kind.kind for kind in kinds if kind.kind]
    return NameKind(
        kind=nouns[-1] if nouns else "", names=tuple(_merged(name for kind in kinds for name in kind.names))
    )


def _merged(*parts: Iterable[E]) -> list[E]:
    """Return the entries of all parts, sorted by text. Of equal texts (and measures of trends), the last is kept."""
    kept: dict[tuple[str, str], E] = {}
    for entry in chain.from_iterable(parts):
        kept[entry.text.casefold(), entry.measure if isinstance(entry, Direction) else ""] = entry
    return [kept[key] for key in sorted(kept)]


def _word_at(text: str, word: str) -> int:
    """Return the position of a whole word in a text, or -1."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            return start
        start = text.find(word, start + 1)
    return -1


Parameters: TypeAlias = Mapping[str, str]


def ranked(question: str, choices: Iterable[Parameters]) -> list[Parameters]:
    """Sort choices in an order that depends only on the question and on each choice itself.

    A new choice does not reorder the others, so adding a question to the data does not affect the existing ones.
    """

    def rank(choice: Parameters) -> bytes:
        key = "\x1f".join([question, *(f"{name}={choice[name]}" for name in sorted(choice))])
        return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()

    return sorted(choices, key=rank)
