"""Values at a limit that the system's own answer names: the last that is allowed, the first that is not; and one more.

"Only from 18 years" says what 18 gets. The limit is read from the answer to the source, so no label is needed
(`reads`). After boundary value analysis. Must not know tasks or relations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.text.letter_case import like
from mutatis.text.sides import side_taken
from mutatis.text.values import vocabulary
from mutatis.transformations.interruptions import JUDGED, Moved, Rounds
from mutatis.transformations.several import turn_of
from mutatis.transformations.values import only_value

_NUMBER = rf"(?P<number>\d{{1,4}}|{'|'.join(vocabulary().ones[2:13])})"
_UNIT = r"(?:[ -]?(?P<unit>[a-z]+))?"
_ALLOWED_FROM = (
    rf"\b(?:from|at least|minimum (?:age |weight |of |is )*(?:of |is )?|starting at|aged)\s+{_NUMBER}{_UNIT}",
    rf"\b{_NUMBER}{_UNIT}(?: of age| old)? (?:or|and) (?:older|over|more|above|up|heavier|longer)\b",
)
_ALLOWED_OVER = (rf"\b(?:over|above|older than|more than)\s+{_NUMBER}{_UNIT}",)
_ALLOWED_TO = (
    rf"\b(?:up to|at most|no more than|not more than|a maximum of|maximum (?:is |of )?|limited to|no longer than)\s+"
    rf"{_NUMBER}{_UNIT}",
    rf"\b{_NUMBER}{_UNIT} (?:or|and) (?:younger|under|fewer|less|below|lighter)\b",
)
_ALLOWED_BELOW = (rf"\b(?:under|below|younger than|less than|fewer than)\s+{_NUMBER}{_UNIT}",)
_SIDES = (
    (_ALLOWED_FROM, "least", 0),
    (_ALLOWED_OVER, "least", 1),
    (_ALLOWED_TO, "most", 0),
    (_ALLOWED_BELOW, "most", -1),
)
_FEWEST = 2
"""The least value that is put into the place of another: one has another form of the noun."""

_ASKED = re.compile(rf"(?<![\w.,:/#€$£-]){_NUMBER}(?![\w:]|[.,]\d){_UNIT}", re.IGNORECASE)
_CLAUSES = re.compile(r"[.!?;](?=\s|\Z)|,\s(?:and|but)\b")
_OF_PRICES = re.compile(
    r"\b(?:discount(?:s|ed)?|costs?|free|euros?|dollars?|pounds?|pay|prices?|cheaper|fees?|surcharge|we give|you get)\b"
    r"|[€$£%]",
    re.IGNORECASE,
)
"""What makes a limit one of prices: it says nothing about what is allowed."""
_NO_UNITS = frozenset(("or", "and", "of", "on", "in", "at", "to", "is", "are", "for", "can", "may"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit that an answer names: the values from `least` to `most` are on one side of it; None where open."""

    least: int | None = None
    most: int | None = None
    unit: str = ""

    def holds(self, value: int) -> bool:
        """Whether a value is between them."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def across(self, value: int) -> int:
        """Return the value nearest to the limit on the other side of it than `value` is."""
        if self.least is not None:
            return self.least - 1 if self.holds(value) else self.least
        assert self.most is not None
        return self.most + 1 if self.holds(value) else self.most


def _number(written: str) -> int:
    low = written.lower()
    return vocabulary().ones.index(low) if low in vocabulary().ones else int(low)


def limits_in(answer: str) -> list[Limit]:
    """Return the limits that an answer names.

    >>> limits_in("Whitening is only possible from 18 years."), limits_in("Tables for up to eight people, please.")
    ([Limit(least=18, most=None, unit='years')], [Limit(least=None, most=8, unit='people')])
    >>> limits_in("It is for anybody over 12, and costs 5 euros.")
    [Limit(least=13, most=None, unit='')]
    """
    limits = []
    for patterns, side, shift in _SIDES:
        for match in (m for pattern in patterns for m in re.finditer(pattern, answer, re.IGNORECASE)):
            unit = (match["unit"] or "").lower()
            unit = "" if unit in _NO_UNITS else unit
            limits.append(Limit(**{side: _number(match["number"]) + shift}, unit=unit))
    return limits


def _bare(unit: str) -> str:
    unit = unit.lower().removesuffix("s")
    return {"people": "person", "kilo": "kg", "kilogram": "kg", "gram": "g", "metre": "m"}.get(unit, unit)


def named_limit(question: str, answer: str) -> dict[str, str] | None:
    """Return the number of a question and the one just across the limit that its answer names; None without one.

    >>> named_limit("I am 16. Can I get a whitening?", "No, only from 18 years on.")
    {'old': '16', 'new': '18'}
    >>> named_limit("Can I bring 5 people?", "Yes, up to 8 people."), named_limit("Is it 5 km?", "Up to 8 people.")
    ({'old': '5', 'new': '9'}, None)
    """
    asked, limits = list(_ASKED.finditer(question)), limits_in(answer)
    if len(asked) != 1 or len(limits) != 1:
        return None
    if any(_OF_PRICES.search(clause) for clause in _CLAUSES.split(answer) if limits_in(clause)):
        return None
    [number], [limit] = asked, limits
    age = only_value(question, "age") is not None
    mine = "year" if age else _bare(number["unit"] or "")
    if _bare(limit.unit) != mine and not (age and limit.unit == ""):
        return None
    value = _number(number["number"])
    new = limit.across(value)
    if side_taken(answer) is not limit.holds(value) or min(new, value) < _FEWEST:
        return None
    written = number["number"]
    return {
        "old": written,
        "new": like(written, vocabulary().ones[new])
        if written.isalpha() and new < len(vocabulary().ones)
        else str(new),
    }


@transformation("cross-limit", level="dialogue", capability="limits", languages=ENGLISH, reads=named_limit)
@as_a_whole
def cross_limit(rounds: Rounds, turns: tuple[Turn, ...], *, old: str = "", new: str = "") -> Moved:
    """Ask with the value just across the limit that the system's answer named; filled in when the source was answered.

    >>> turns = (Turn(fields={"message": "I am 16. Can I get a whitening?"}),)
    >>> given = named_limit("I am 16. Can I get a whitening?", "No, only from 18 years on.")
    >>> for _, turn in cross_limit((0,), turns, **given): print(turn.fields["message"])
    I am 18. Can I get a whitening?
    """
    if not new:
        return rounds
    place = len(turns) - 1
    question = turns[place].question
    asked = next((match for match in _ASKED.finditer(question) if match["number"] == old), None)
    if asked is None:
        return rounds
    text = question[: asked.start("number")] + new + question[asked.end("number") :]
    return [*rounds[:place], (rounds[place], turn_of(turns[place], text, **{JUDGED: True}))]


@transformation("one-more", capability="limits", says="one more of it asked for", languages=ENGLISH)
def one_more(text: str) -> str:
    """Ask for one more of what is counted; texts without just one count stay.

    >>> one_more("I want 9 tickets for four people."), one_more("A room for two people?")
    ('I want 9 tickets for four people.', 'A room for three people?')
    """
    value = only_value(text, "count")
    if value is None:
        return text
    new = _number(value.text) + 1
    written = (
        like(value.text, vocabulary().ones[new]) if value.text.isalpha() and new < len(vocabulary().ones) else str(new)
    )
    return text[: value.start] + written + text[value.end :]
