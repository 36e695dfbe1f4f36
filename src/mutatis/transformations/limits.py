"""Asks a question with a value just across a limit stated in the system's own answer, or asks for one more item.

The limit is read from the answer to the source, so no label is needed: "only from 18 years" decides the case of an
18-year-old. Based on boundary value analysis.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.text.normalisation import like
from mutatis.text.sides import side_taken
from mutatis.text.values import Value, values, vocabulary
from mutatis.transformations.conversation import conversation
from mutatis.transformations.interruptions import Moved, Rounds
from mutatis.transformations.several import judged_after
from mutatis.transformations.values import only_value

_SIDES: tuple[tuple[Literal["least", "most"], int, str, str], ...] = (
    ("least", 0, r"\b(?:from|at least|minimum (?:age |weight |of |is )*(?:of |is )?|starting at|aged)\s+", ""),
    ("least", 0, "", "older|over|more|above|up|heavier|longer"),
    ("least", 1, r"\b(?:over|above|older than|more than)\s+", ""),
    (
        *("most", 0),
        r"\b(?:up to|at most|no more than|not more than|a maximum of|maximum (?:is |of )?|limited to"
        r"|no longer than)\s+",
        "",
    ),
    ("most", 0, "", "younger|under|fewer|less|below|lighter"),
    ("most", -1, r"\b(?:under|below|younger than|less than|fewer than)\s+", ""),
)
"""Patterns of a limit: its side, the offset to the last value within it, and the words around the value."""

_BEFORE = {before: re.compile(rf"(?:{before})\Z", re.IGNORECASE) for _, _, before, _ in _SIDES if before}
_BEHIND = {
    behind: re.compile(rf"(?:[ -]?[a-z]+)?(?: of age| old)? (?:or|and) (?:{behind})\b", re.IGNORECASE)
    for _, _, _, behind in _SIDES
    if behind
}
_NEAR = 40
_COUNTED = frozenset({"number", "duration", "quantity", "age"})
"""Kinds of values that can be limits."""

_FEWEST = 2
"""Smallest replacement value, since "one" would need a different form of the noun."""

_CLAUSES = re.compile(r"[.!?;](?=\s|\Z)|,\s(?:and|but)\b")
_OF_PRICES = re.compile(
    r"\b(?:discount(?:s|ed)?|costs?|free|euros?|dollars?|pounds?|pay|prices?|cheaper|fees?|surcharge|we give|you get)\b"
    r"|[€$£%]",
    re.IGNORECASE,
)
"""Words about prices. A limit near them affects the price, not whether something is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit stated in an answer: values from `least` to `most` are within it. None means unbounded."""

    least: int | None = None
    most: int | None = None
    unit: str = ""

    def holds(self, value: int) -> bool:
        """Return True if a value is between `least` and `most`."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def across(self, value: int) -> int:
        """Return the value nearest to the limit on the opposite side from `value`."""
        if self.least is not None:
            return self.least - 1 if self.holds(value) else self.least
        assert self.most is not None
        return self.most + 1 if self.holds(value) else self.most


def limits_in(answer: str) -> list[Limit]:
    """Return the limits stated in an answer.

    >>> limits_in("Whitening is only possible from 18 years."), limits_in("Tables for up to eight people, please.")
    ([Limit(least=18, most=None, unit='year')], [Limit(least=None, most=8, unit='people')])
    >>> limits_in("It is for anybody over 12, and costs 5 euros.")
    [Limit(least=13, most=None, unit='')]
    """
    counted = [(value, int(value.raw or 0)) for value in _numbered(answer)]
    return [
        Limit(**{side: number + shift}, unit=value.unit)
        for side, shift, before, behind in _SIDES
        for value, number in counted
        if _stands(answer, value, before, behind)
    ]


def _stands(answer: str, value: Value, before: str, behind: str) -> bool:
    if before:
        return _BEFORE[before].search(answer, max(0, value.start - _NEAR), value.start) is not None
    return _BEHIND[behind].match(answer, value.end) is not None


def _bare(unit: str) -> str:
    return "person" if unit in ("people", "persons") else unit.removesuffix("s")


def named_limit(question: str, answer: str) -> dict[str, str] | None:
    """Return the number in a question and the nearest number across the limit in its answer.

    The result is None unless the question has one number and the answer one limit, which is on the same unit and not on
    a price. The answer must also say yes to a number within the limit, or no to one outside it.

    >>> named_limit("I am 16. Can I get a whitening?", "No, only from 18 years on.")
    {'old': '16', 'new': '18'}
    >>> named_limit("Can I bring 5 people?", "Yes, up to 8 people."), named_limit("Is it 5 km?", "Up to 8 people.")
    ({'old': '5', 'new': '9'}, None)
    """
    in_question, limits = _numbered(question), limits_in(answer)
    if len(in_question) != 1 or len(limits) != 1:
        return None
    if any(_OF_PRICES.search(clause) for clause in _CLAUSES.split(answer) if limits_in(clause)):
        return None
    [value], [limit] = in_question, limits
    if _bare(limit.unit) != _bare(value.unit) and not (value.kind == "age" and limit.unit == ""):
        return None
    number = int(value.raw or 0)
    new = limit.across(number)
    if side_taken(answer) is not limit.holds(number) or min(new, number) < _FEWEST:
        return None
    written = value.text.split()[0] if value.text[0].isalpha() else str(number)
    return {"old": written, "new": _written_as(written, new)}


def _numbered(text: str) -> list[Value]:
    """Return the values in a text that could be limits: whole numbers in counts, measures and ages."""
    return [
        value
        for value in values(text)
        if value.kind in _COUNTED and value.measure not in ("ordinal", "percent")
        if value.raw is not None and value.raw == int(value.raw)
    ]


def _written_as(written: str, number: int) -> str:
    ones = vocabulary().ones
    return like(written, ones[number]) if written.isalpha() and number < len(ones) else str(number)


@conversation("cross-limit", capability="limits", reads=named_limit)
@as_a_whole
def cross_limit(rounds: Rounds, turns: tuple[Turn, ...], *, old: str = "", new: str = "") -> Moved:
    """Ask the question with the value just across the limit stated in the system's answer to the source.

    >>> turns = (Turn(fields={"message": "I am 16. Can I get a whitening?"}),)
    >>> given = named_limit("I am 16. Can I get a whitening?", "No, only from 18 years on.")
    >>> for _, turn in cross_limit((0,), turns, **given): print(turn.fields["message"])
    I am 18. Can I get a whitening?
    """
    if not new:
        return rounds
    place = len(turns) - 1
    question = turns[place].question
    asked = next((value for value in _numbered(question) if value.text.startswith(old)), None)
    if asked is None:
        return rounds
    text = question[: asked.start] + new + question[asked.start + len(old) :]
    return judged_after(rounds, turns, place, [], text)


@transformation("one-more", capability="limits", says="one more of it asked for", languages=ENGLISH)
def one_more(text: str) -> str:
    """Ask for one more of what the question counts. Texts without exactly one count are left unchanged.

    >>> one_more("I want 9 tickets for four people."), one_more("A room for two people?")
    ('I want 9 tickets for four people.', 'A room for three people?')
    """
    value = only_value(text, "count")
    if value is None:
        return text
    written = _written_as(value.text, int(value.size) + 1)
    return text[: value.start] + written + text[value.end :]
