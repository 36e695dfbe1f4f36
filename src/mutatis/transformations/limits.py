"""Edits of limits: a value just across one that the system's own answer states, one more item, or other words.

A limit is read from the answer to the source, so no label is needed: "only from 18 years" decides the case of an
18-year-old. Based on boundary value analysis.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random

from mutatis.core.cases import Turn
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.dictionary import limits_of
from mutatis.languages import Language, needing
from mutatis.text.normalisation import like
from mutatis.text.sides import side_taken
from mutatis.text.values import Value, values, vocabulary
from mutatis.transformations.at_limits import placed_value
from mutatis.transformations.clear import quoted_spans
from mutatis.transformations.conversation import Moved, Rounds, asked_instead, conversation
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import Edit, edited, is_free
from mutatis.transformations.values import only_value

_COUNTED = frozenset({"number", "duration", "quantity", "age"})
"""Kinds of values that can be limits."""

_FEWEST = 2
"""Smallest replacement value, since "one" would need a different form of the noun."""

_CLAUSES = re.compile(r"[.!?;](?=\s|\Z)|,\s(?:and|but)\b")
"""The end of a clause of an answer."""

_OF_PRICES = re.compile(
    r"\b(?:discount(?:s|ed)?|costs?|free|euros?|dollars?|pounds?|pay|prices?|cheaper|fees?|surcharge|we give|you get)\b"
    r"|[€$£%]",
    re.IGNORECASE,
)
"""Words about prices. A limit near them affects the price, not whether something is allowed."""


def named_limit(question: str, answer: str) -> dict[str, str] | None:
    """Return the number in a question and the nearest number across the limit in its answer.

    The result is None unless the question has one number and the answer one limit, which is on the same unit and not on
    a price. The answer must also say yes to a number within the limit, or no to one outside it.

    >>> named_limit("I am 16. Can I get a whitening?", "No, only from 18 years on.")
    {'old': '16', 'new': '18'}
    >>> named_limit("Can I bring 5 people?", "Yes, up to 8 people."), named_limit("Is it 5 km?", "Up to 8 people.")
    ({'old': '5', 'new': '9'}, None)
    """
    in_question, limits = _numbered(question), limits_of(answer)
    if len(in_question) != 1 or len(limits) != 1:
        return None
    [value], [limit] = in_question, limits
    place = placed_value(value, limit, stated_here=True)
    of_price = any(_OF_PRICES.search(clause) for clause in _CLAUSES.split(answer) if limit.text in clause)
    if place is None or of_price:
        return None
    number = int(value.raw or 0)
    inside = place.holds(number)
    new = next(near for near in (place.at, place.at + 1, place.at - 1) if place.holds(near) is not inside)
    if side_taken(answer) is not inside or min(new, number) < _FEWEST:
        return None
    written = value.text.split()[0] if value.text[0].isalpha() else str(number)
    return {"old": written, "new": _written_as(written, int(new))}


def _numbered(text: str) -> list[Value]:
    """Return the values in a text that could be limits: whole numbers in counts, measures and ages."""
    return [
        value
        for value in values(text)
        if value.kind in _COUNTED and value.measure not in ("ordinal", "percent")
        if value.raw is not None and value.raw == int(value.raw)
    ]


def _written_as(written: str, number: int) -> str:
    """Return a number in words if the old number is in words, else in figures."""
    ones = vocabulary().ones
    return like(written, ones[number]) if written.isalpha() and number < len(ones) else str(number)


@conversation("cross-limit", capability="limits", reads=named_limit)
def cross_limit(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """Ask the question with the value just across the limit stated in the system's answer to the source.

    >>> turns = (Turn(fields={"message": "I am 16. Can I get a whitening?"}),)
    >>> given = named_limit("I am 16. Can I get a whitening?", "No, only from 18 years on.")
    >>> for _, turn in cross_limit((0,), turns, **given): print(turn.fields["message"])
    I am 18. Can I get a whitening?
    """
    question, old = turns[-1].question, choice["old"]
    asked = next(value for value in _numbered(question) if value.text.startswith(old))
    text = edited(question, [(asked.start, asked.start + len(old), choice["new"])])
    return asked_instead(rounds, turns, text)


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


LIMITED = ("values", "limits.alike", "limits.turned")
"""Lists of a language that contain the wordings of limits."""

_NO_LIMITS = frozenset({"code", "name"})
"""Kinds of values that cannot have a limit."""


@cache
def _alike(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return a mapping from each wording of a limit to the other wordings with the same meaning."""
    groups: Sequence[Sequence[str]] = Language(language).tables("limits")["alike"]
    return {words: tuple(other for other in group if other != words) for group in groups for words in group}


@cache
def _turned(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return a mapping from each wording of a limit to the wording of the opposite limit."""
    pairs: Mapping[str, str] = Language(language).tables("limits")["turned"]
    return {words: (other,) for words, other in pairs.items()}


def _worded(
    text: str, language: str, known: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the position of each wording of a limit right before a value, with its possible replacements."""
    folder, quoted, low = Language(language), quoted_spans(text), text.lower()
    for value in values(text, language):
        if value.kind in _NO_LIMITS or not is_free(value.start, value.end, quoted):
            continue
        end = len(low[: value.start].rstrip())
        for words in sorted(known, key=len, reverse=True):
            start = end - len(words)
            apart = not folder.spaces or start <= 0 or not low[start - 1].isalnum()
            if start >= 0 and low[start:end] == words and apart:
                yield start, end, known[words]
                break


def turned_limits(text: str, language: str) -> list[str]:
    """Return copies of a text in which one of its limits is reversed: a minimum becomes a maximum.

    >>> turned_limits("Groups have at least 10 people and at most 30 people.", "en")[0]
    'Groups have at most 10 people and at most 30 people.'
    >>> turned_limits("Der Turm ist mehr als 500 Jahre alt.", "de")
    ['Der Turm ist weniger als 500 Jahre alt.']
    """
    limits = _worded(text, language, _turned(language))
    return [edited(text, [(start, end, like(text[start:end], new))]) for start, end, (new,) in limits]


@transformation(
    "limit-in-other-words",
    capability="limits",
    says="a limit in other words",
    languages=needing(*LIMITED),
)
@as_a_whole
def limit_in_other_words(text: str, rng: Random, written_in: str = "en") -> str:
    """Reword every limit ("at most" for "no more than"). Texts without a limit are left unchanged.

    >>> limit_in_other_words("Is there a room for at most 80 euros?", Random(1))
    'Is there a room for no more than 80 euros?'
    """
    edits: list[Edit] = [
        (start, end, like(text[start:end], one_of(others, rng)))
        for start, end, others in _worded(text, written_in, _alike(written_in))
    ]
    return edited(text, edits)
