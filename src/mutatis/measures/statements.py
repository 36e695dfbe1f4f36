"""Reads a reply of several sentences: its statements, and in each the values and names that another may contradict.

Works on one text at a time and must not know what it is compared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mutatis.measures.answer import LONGEST, Answer, read
from mutatis.measures.features import gives
from mutatis.measures.words import FUNCTION_WORDS, TITLES
from mutatis.text.kept_within import kept_within
from mutatis.text.normalisation import fold, tokens
from mutatis.text.numbers import ORDINALS, in_full, numbers
from mutatis.text.sentences import sentences

_BULLET = re.compile(r"^\s*(?:[-*\u2022#>]+|\d{1,2}[.)])\s+")
_CITATION = re.compile(r"\[\^?\d{1,3}\^?\]")
_TIME = re.compile(
    r"(?<![\d.,:])(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d))?\s*(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\d.,:])(?P<hour2>[01]?\d|2[0-4]):(?P<minute2>[0-5]\d)(?!:?\d)"
    r"|(?<![\d.,:])(?P<hour3>[01]?\d|2[0-4])\s*o'?clock\b|\b(?P<word>noon|midday|midnight)\b"
)
_CODE = re.compile(r"(?<![\w.,])\+?\d[\d /-]{6,}\d(?![\w%])")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})(?:[a-z]{{0,6}})\b\.?"
_DATES = (
    re.compile(rf"\b(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}"),
    re.compile(rf"\b{_MONTH}\s+(?:the\s+)?(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?![:.]\d)"),
)
_MONTH_ALONE = re.compile(
    r"(?<!\d )(?<!\d(?:st|nd|rd|th) )(?<!\d(?:st|nd|rd|th) of )\b(January|February|March|April|May|June|July|August|"
    r"September|October|November|December)\b(?!\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?\b)"
)
_NAME = re.compile(
    r"[A-Z\u00c0-\u00de][\w'\u2019-]*(?:\s+(?:of\s+the\s+|of\s+|de\s+|von\s+|van\s+)?[A-Z][\w'\u2019-]*)*"
)
_CAPITALISED = (
    "sorry please unfortunately thanks hello hi okay ok jan feb mar apr jun jul aug sep oct nov dec january february "
    "march april june july august september october november december monday tuesday wednesday thursday friday "
    "saturday sunday am pm url pdf faq id json"
)
_NO_NAMES = TITLES | FUNCTION_WORDS | frozenset(_CAPITALISED.split())
_NEAR = 28  # characters around a value that tell what it counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A number, a date, a time of the day or a code (a telephone number) in a statement.

    Attributes:
        kind: "date", "month", "time of day", "code", or the kind of the number.
        text: as written, with the word behind a bare count.
        size: the value in base units; minutes of the day for a time; month and day as one number for a date.
        vague: a time that may be before or after noon; "first", and a "one" that counts no noun.
        digits: the digits of a code, "" for anything else.
        near: content words around it.
    """

    kind: str
    text: str
    size: float
    vague: bool
    digits: str
    near: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name in a statement.

    Attributes:
        text: as written.
        words: its words in one spelling, titles left out.
        stems: their stems.
        before: the word before it, if any.
    """

    text: str
    words: tuple[str, ...]
    stems: frozenset[str]
    before: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadStatement:
    """A sentence or a part of one, read.

    Attributes:
        text: as written.
        answer: what the judge reads in it.
        values: its values in order.
        names: the names in it.
        content: the stems that carry what it says, numbers and their units left out.
    """

    text: str
    answer: Answer
    values: tuple[Value, ...]
    names: tuple[Name, ...]
    content: frozenset[str]

    @property
    def negated(self) -> bool:
        """Whether it denies anything."""
        return self.answer.negations > 0


def _context(folded: str, start: int, end: int) -> frozenset[str]:
    words = read(f"{folded[max(0, start - _NEAR) : start]} {folded[end : end + _NEAR]}")
    return frozenset(stem for stem in words.stems if stem not in FUNCTION_WORDS and not stem[0].isdigit())


def _time(match: re.Match[str]) -> tuple[float, bool]:
    """Return minutes of the day, and whether they may stand for the other half of the day as well."""
    word = match.group("word")
    if word:
        return (0.0 if word == "midnight" else 720.0), False
    hour = int(match.group("hour") or match.group("hour2") or match.group("hour3"))
    minute = int(match.group("minute") or match.group("minute2") or 0)
    half = match.group("half")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 60.0 + minute, half is None and hour <= 12


def _special(kind: str, match: re.Match[str], near: frozenset[str]) -> Value:
    """Return the value of a date, a time of the day or a code."""
    size, vague, digits = 0.0, False, ""
    if kind == "time of day":
        size, vague = _time(match)
    elif kind == "date":
        size = (_MONTHS.index(match.group("month")) + 1) * 100.0 + int(match.group("day"))
    else:
        digits = "".join(filter(str.isdigit, match.group()))
    return Value(kind=kind, text=match.group().strip(" ."), size=size, vague=vague, digits=digits, near=near)


_SPECIAL = (("date", _DATES[0]), ("date", _DATES[1]), ("time of day", _TIME), ("code", _CODE))


def _values(text: str, folded: str) -> tuple[Value, ...]:
    """Read dates, times and codes first, then the numbers of what is left (offsets are kept)."""
    placed: list[tuple[int, Value]] = list(_months(text, folded))
    rest = folded
    for kind, pattern in _SPECIAL:
        for match in pattern.finditer(rest):
            placed.append((match.start(), _special(kind, match, _context(folded, *match.span()))))
        rest = pattern.sub(lambda match: "\u00a6" * len(match.group()), rest)
    for number in numbers(rest):
        behind = re.match(r"[\s-]+([a-z]+)", rest[number.end :]) if number.kind in ("count", "ordinal") else None
        noun = behind.group(1) if behind and behind.group(1) not in FUNCTION_WORDS else ""
        text_found = number.text.strip()
        value = Value(
            kind=number.kind,
            text=f"{text_found} {noun}".rstrip(),
            size=number.value,
            vague=text_found == "first" or (text_found == "one" and not noun),
            digits="",
            near=_context(folded, number.start, number.end),
        )
        placed.append((number.start, value))
    return tuple(value for _, value in sorted(placed, key=lambda pair: pair[0]))


def _names(text: str) -> tuple[Name, ...]:
    """Find runs of capitalised words; a single one at the beginning of a sentence may be any word."""
    names: dict[tuple[str, ...], Name] = {}
    for match in _NAME.finditer(text):
        read_name = read(match.group())
        kept = [(word, stem) for word, stem in zip(read_name.words, read_name.stems, strict=True) if _may_name(word)]
        ahead = text[: match.start()].strip(" \"'\u201c\u2018(")
        if not kept or (not ahead and len(match.group().split()) == 1) or all(len(word) == 1 for word, _ in kept):
            continue
        words, stems = zip(*kept, strict=True)
        before = tokens(ahead)[-1:] if ahead else ()
        names.setdefault(words, Name(text=match.group(), words=words, stems=frozenset(stems), before=before))
    return tuple(names.values())


def _may_name(word: str) -> bool:
    return word not in _NO_NAMES and word not in ORDINALS and not word[0].isdigit()


def _months(text: str, folded: str) -> Iterator[tuple[int, Value]]:
    """Yield the months that stand without a day; only a capital letter tells "May" from "may"."""
    for match in _MONTH_ALONE.finditer(text):
        size = (_MONTHS.index(match.group(1)[:3].lower()) + 1) * 100.0
        near = _context(folded, *match.span())
        yield match.start(), Value(kind="month", text=match.group(1), size=size, vague=False, digits="", near=near)


def _statement(text: str) -> ReadStatement:
    folded = fold(text)
    answer = read(text)
    values = _values(text, folded)
    units = {stem for value in values if value.kind not in ("count", "ordinal") for stem in read(value.text).stems}
    content = frozenset(
        stem
        for word, stem in zip(answer.words, answer.stems, strict=True)
        if word not in FUNCTION_WORDS and stem not in units and not stem[0].isdigit()
    )
    return ReadStatement(text=text, answer=answer, values=values, names=_names(text), content=content)


@kept_within(16_000_000, per_character=60)
def statements(reply: str) -> tuple[ReadStatement, ...]:
    """Return the statements of a reply: its sentences, lines and parts between semicolons, bullets taken off."""
    lines = (_BULLET.sub("", line) for line in in_full(_CITATION.sub(" ", reply[:LONGEST])).splitlines())
    parts = (part.strip() for line in lines for sentence in sentences(line) for part in sentence.split(";"))
    return tuple(_statement(part) for part in parts if any(map(str.isalnum, part)))


def same_value(first: Value, second: Value) -> bool:
    """Whether two values may be one: equal, equal in other units, or an hour without its half of the day."""
    times = (first.kind == "time of day") + (second.kind == "time of day")
    if first.digits or second.digits:
        return first.digits == second.digits
    if {first.kind, second.kind} & {"date", "month"}:
        days = first.kind == second.kind == "date"
        dated = {first.kind, second.kind} <= {"date", "month"}
        return dated and (first.size == second.size if days else first.size // 100 == second.size // 100)
    if times == 2:
        return first.size % 720 == second.size % 720 if first.vague or second.vague else first.size == second.size
    if times == 1:
        clock, count = (first, second) if first.kind == "time of day" else (second, first)
        return count.kind == "count" and clock.size % 720 == count.size * 60 % 720
    return _equal_numbers(first, second)


def _equal_numbers(first: Value, second: Value) -> bool:
    ours, theirs = numbers(first.text), numbers(second.text)
    return any(gives(left, right) or gives(right, left) for left in ours for right in theirs) or (
        first.kind == second.kind and first.size == second.size
    )
