"""Tests values at the edge of a limit, just inside it and just outside it, as three follow-ups.

The answers inside and outside show whether a system applies the limit, and the wording of the limit determines which of
the two the answer at the edge must match. A question without a value is given one, as in "We are 10 people."
Independent of tasks and relations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Limit, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.text.values import values
from mutatis.transformations.added import around, stated_limits
from mutatis.transformations.interruptions import Moved, Rounds
from mutatis.transformations.reaching import (
    PlacedValue,
    asked_instead,
    exchanged_for,
    has_clear_edge,
    limits_on,
    user_values,
    value_with_number,
)
from mutatis.transformations.together import asks_one_thing

EDGE = "edge"
"""Annotation of a turn: which of the three values it has, all three values, and on which side the limit itself lies."""

INSIDE, AT_EDGE, OUTSIDE = "inside", "at the edge", "outside"

Side: TypeAlias = Literal["inside", "at the edge", "outside"]
_WITHIN = re.compile(r"within\b", re.IGNORECASE)
_ABOUT = re.compile(r"\b(?:about|around|roughly|nearly|almost|some|approximately)\s+\Z", re.IGNORECASE)
_STEPS = {"time": 15, "date": 7}
"""Minutes, and days: a week away is the same day of the week, which may have hours of its own."""


def _numbers(place: PlacedValue) -> tuple[int, int, int] | None:
    """Return the numbers inside, at the edge and outside; None if the wording is unclear or a number is too small."""
    if _WITHIN.match(place.limit.text) or not has_clear_edge(place.limit):
        return None
    step = _step(place) if place.limit.side == "least" else -_step(place)
    inside, outside = place.at + step, place.at - step
    return (inside, place.at, outside) if min(inside, outside) >= 2 else None


def _step(place: PlacedValue) -> int:
    """Return the distance of the values inside and outside from the limit."""
    return _STEPS.get(place.value.kind, 1)


def _alone(place: PlacedValue, others: Sequence[PlacedValue]) -> bool:
    """Return True if the value has no other limit within a step of this one, except the next class of a table."""
    return not any(
        other.value is place.value
        and abs(other.at - place.at) <= _step(place)
        and other.rule != place.rule
        and not _is_next_class(place, other)
        for other in others
    )


def _is_next_class(place: PlacedValue, other: PlacedValue) -> bool:
    """Return True if one limit begins where the other ends: "up to 10 kg", "over 10 kg"."""
    turned = other.limit.side != place.limit.side and other.limit.inclusive is not place.limit.inclusive
    return other.at == place.at and turned


def _exchanges(question: str, answer: str, dictionary: Dictionary) -> Iterator[Parameters]:
    everywhere = values(question)
    alone = [
        value
        for value in user_values(question)
        if sum(value.measure == v.measure for v in everywhere) == 1 and not _ABOUT.search(question[: value.start])
    ]
    placed = [place for value in alone for place in limits_on(value, question, answer, dictionary)]
    for place in placed:
        numbers = _numbers(place)
        if numbers is None or not _alone(place, placed):
            continue
        said = [value_with_number(place.value, number) for number in numbers]
        texts = [exchanged_for(question, place.value.text, new) for new in said if new]
        if len(said) == len(texts) and None not in said and None not in texts:
            yield _choice(place.limit, [str(new) for new in said], [str(text) for text in texts])


def _choice(limit: Limit, said: Sequence[str], texts: Sequence[str]) -> Parameters:
    rule = f"{INSIDE if limit.inclusive else OUTSIDE}: {limit.text}"
    return {"rule": rule, "values": " | ".join(said), "inner": texts[0], "edge": texts[1], "outer": texts[2]}


def _given(question: str, answer: str) -> Iterator[Parameters]:
    """Yield a question that gives no value, with a value added at a limit stated in its own answer."""
    if not asks_one_thing(question):
        return
    stated = stated_limits(question, answer)
    for each in stated:
        clear = has_clear_edge(each.limit) and not _WITHIN.match(each.limit.text)
        said = around(each, stated) if clear else None
        if said is not None:
            yield _choice(each.limit, said, [each.say(text) for text in said])


def at_edges(question: str, answer: str, dictionary: Dictionary) -> list[Parameters]:
    """Return the questions inside, at the edge and outside of each limit on a value that a user gives or could give.

    Raises:
        UnusableFollowUp: no reply states a limit that one of the user's values can be moved to.

    >>> [choice] = at_edges("Is there a group discount?", "Groups of 10 or more get 15 % off.", Dictionary())
    >>> choice["edge"], choice["rule"]
    ('We are 10 people. Is there a group discount?', 'inside: Groups of 10 or more')
    >>> for choice in at_edges("It weighs 12 kg. What is it?", "Up to 10 kg 35 EUR, over 10 kg 42 EUR.", Dictionary()):
    ...     print(choice["values"], choice["rule"])
    9 kg | 10 kg | 11 kg inside: Up to 10 kg
    """
    choices = [*_exchanges(question, answer, dictionary)] or [*_given(question, answer)]
    if not choices:
        raise UnusableFollowUp("no reply states a limit that a value of the user's can be brought to")
    return list({choice["edge"]: choice for choice in reversed(choices)}.values())[::-1]


@transformation(
    "at-edge",
    level="dialogue",
    capability="limits",
    says="a value at, inside or outside a limit that a reply states",
    languages=ENGLISH,
    reads=at_edges,
)
@as_a_whole
def at_edge(
    rounds: Rounds,
    turns: tuple[Turn, ...],
    *,
    side: Side = "inside",
    inner: str = "",
    edge: str = "",
    outer: str = "",
    rule: str = "",
    values: str = "",
) -> Moved:
    """Ask with a value inside a limit, at its edge or outside it.

    >>> turns = (Turn(fields={"message": "Is there a group discount?"}),)
    >>> given = {"inner": "We are 11.", "edge": "We are 10.", "outer": "We are 9."}
    >>> [turn.fields["message"] for _, turn in at_edge((0,), turns, side="at the edge", **given)]
    ['We are 10.']
    """
    text = {INSIDE: inner, AT_EDGE: edge, OUTSIDE: outer}[side]
    noted = {"side": side, "rule": rule, "values": values}
    return asked_instead(rounds, turns, text or None, **{EDGE: noted})
