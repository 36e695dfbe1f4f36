"""Splits a reply into statements, and finds the values and names in them that a different reply may contradict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mutatis.measures.answer import LONGEST, read
from mutatis.measures.words import FUNCTION_WORDS, TITLES, UNCOUNTED
from mutatis.text.memory import kept_within
from mutatis.text.normalisation import fold
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, in_full, values, vocabulary

_BULLET = re.compile(r"^\s*(?:[-*\u2022#>]+|\d{1,2}[.)])\s+")
_CITATION = re.compile(r"\[\^?\d{1,3}\^?\]")
_CAPITALISED = "sorry please unfortunately thanks hello hi okay ok am pm url pdf faq id json"
_CALENDAR = frozenset({*vocabulary().month_numbers, *(day.lower() for day in vocabulary().weekdays)}) - {"may"}
_NO_NAMES = TITLES | FUNCTION_WORDS | _CALENDAR | frozenset(_CAPITALISED.split())
_NO_UNITS = FUNCTION_WORDS | UNCOUNTED
_UNSTATED = frozenset({"weekday", "day", "size", "name"})
"""Kinds of values that are compared as words, not as numbers."""
_NEAR = 28  # characters around a value that tell what it counts


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedValue:
    """A value in a statement.

    Attributes:
        value: the parsed value.
        text: the value as written, followed by the next word if the number has no unit.
        near: the content words around the value.
    """

    value: Value
    text: str
    near: frozenset[str]

    @property
    def kind(self) -> str:
        """The kind of quantity, with ages counted as spans of time.

        Only values of the same kind can replace each other.
        """
        return "months" if self.value.measure == "age" else self.value.measure

    @property
    def size(self) -> float:
        """The size of the value in base units, such as metres or seconds."""
        return self.value.size

    @property
    def vague(self) -> bool:
        """True if the value is ambiguous: a time that may be a.m. or p.m., "first", or a "one" that counts nothing."""
        return self.value.open or self.text in ("first", "one") or self.text.startswith("first ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name in a statement.

    Attributes:
        text: the name as written.
        words: the words of the name without titles, in a uniform spelling.
        stems: the stems of these words.
    """

    text: str
    words: tuple[str, ...]
    stems: frozenset[str]


class ReadStatement:
    """A parsed sentence, or a part of one.

    Attributes:
        text: the statement as written.
        answer: the statement as parsed for the judge.
        values: the values in the statement, in order.
        names: the names in the statement.
        content: the stems that carry its meaning, without numbers and their units.
    """

    def __init__(self, text: str) -> None:
        in_text = values(text)
        self.text, self.answer = text, read(text)
        self.values = tuple(_stated(text, value) for value in in_text if value.measure not in _UNSTATED)
        amounts = [value for value in self.values if value.kind not in ("count", "ordinal")]
        units = {stem for value in amounts for stem in read(value.text).stems}
        self.content = frozenset(
            stem
            for word, stem in zip(self.answer.words, self.answer.stems, strict=True)
            if word not in FUNCTION_WORDS and stem not in units and not stem[0].isdigit()
        )
        self.names = _names(text, [value for value in in_text if value.measure == "name" and value.text[0].isupper()])

    @property
    def negated(self) -> bool:
        """True if the statement contains a negation."""
        return self.answer.negations > 0


def _context(text: str, start: int, end: int) -> frozenset[str]:
    words = read(f"{text[max(0, start - _NEAR) : start]} {text[end : end + _NEAR]}")
    return frozenset(stem for stem in words.stems if stem not in FUNCTION_WORDS and not stem[0].isdigit())


def _stated(text: str, value: Value) -> StatedValue:
    written = value.text if value.measure == "month" else fold(value.text).rstrip(" .")
    counts = value.measure in ("count", "ordinal") and value.unit not in _NO_UNITS
    shown = f"{written} {value.unit}".rstrip() if counts else written
    return StatedValue(value=value, text=shown, near=_context(text, value.start, value.end))


def _names(text: str, named_values: Sequence[Value]) -> tuple[Name, ...]:
    """Return the names in a statement.

    A single capitalised word at the beginning is left out, since every sentence begins with a capital letter.
    """
    names: dict[tuple[str, ...], Name] = {}
    for value in named_values:
        read_name = read(value.text)
        kept = [(word, stem) for word, stem in zip(read_name.words, read_name.stems, strict=True) if _may_name(word)]
        ahead = text[: value.start].strip(" \"'\u201c\u2018(")
        is_first_word = not ahead and len(value.text.split()) == 1
        if is_first_word or all(len(word) == 1 for word, _ in kept):  # nothing is left, or only initials
            continue
        words, stems = zip(*kept, strict=True)
        names.setdefault(words, Name(text=value.text, words=words, stems=frozenset(stems)))
    return tuple(names.values())


def _may_name(word: str) -> bool:
    """Return True if a word may be part of a name, unlike titles, function words, months, weekdays and numbers."""
    return word not in _NO_NAMES and word not in vocabulary().ordinals and not word[0].isdigit()


@kept_within(16_000_000, per_character=60)
def statements(reply: str) -> tuple[ReadStatement, ...]:
    """Split a reply into statements at the ends of sentences and lines and at semicolons, without bullets."""
    lines = (_BULLET.sub("", line) for line in in_full(_CITATION.sub(" ", reply[:LONGEST])).splitlines())
    parts = (part.strip() for line in lines for sentence in sentences(line) for part in sentence.split(";"))
    return tuple(ReadStatement(part) for part in parts if any(map(str.isalnum, part)))
