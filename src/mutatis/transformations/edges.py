"""Tests a limit with three follow-ups, whose values are just inside it, exactly at it and just outside it.

The answers for the values inside and outside show whether the system applies the limit. The wording of the limit
determines which of these the answer at the limit must match. A value is added to questions without one, as in "We are
10 people."
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple, TypeAlias, get_args

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Limit, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.transformation import generator
from mutatis.languages import needing
from mutatis.transformations.added import stated_limits
from mutatis.transformations.at_limits import (
    PlacedValue,
    has_clear_edge,
    limit_edit,
    limits_on,
    may_be_given,
    placed_value,
    takes_side,
    value_with_number,
)
from mutatis.transformations.conversation import Moved, Rounds, asked_instead
from mutatis.transformations.given import BY_FOLDER, single_values
from mutatis.transformations.interruptions import asks_one_thing
from mutatis.transformations.known import at_least_one
from mutatis.transformations.pieces import replaced_at

EDGE = "edge"
"""Annotation of a turn: the side of its value, the limit it is tested against, and all three values."""

INSIDE, AT_EDGE, OUTSIDE = "inside", "at the edge", "outside"
WITHIN, FAR = "within the range", "at the other end"
"""Sides of values in the range that a limit ends: between its ends, and at the other end."""

Side: TypeAlias = Literal["inside", "at the edge", "outside", "within the range", "at the other end"]

_WITHIN = re.compile(r"within\b", re.IGNORECASE)
"""The beginning of a limit that may be meant roughly: "within 10 km"."""

_ABOUT = re.compile(r"\b(?:about|around|roughly|nearly|almost|some|approximately)\s+\Z", re.IGNORECASE)
"""Words before a value that the user does not give exactly: "about 10 kg"."""

_MINUTES = 15
"""Distance of the times tested from a limit, in minutes."""


class ValuesAround(NamedTuple):
    """Written values just inside, exactly at and just outside a limit; if it ends a range, also two inside the range.

    `within` lies between the ends of the range, and `far` at its other end.
    """

    inner: str
    edge: str
    outer: str
    within: str = ""
    far: str = ""


_QUESTION_ON: Mapping[Side, str] = dict(zip(get_args(Side), ValuesAround._fields, strict=True))
"""The part of a choice that holds the question for each side; the parts are in the order of the sides."""


def _values(place: PlacedValue, placed: Sequence[PlacedValue], question: str) -> ValuesAround | None:
    """Return the values around a limit; None if its wording is unclear or nobody would give one of the first three.

    The question decides which value within a range is drawn.
    """
    if not has_clear_edge(place.limit, place.value.language) or _WITHIN.match(place.limit.text):
        return None
    others = [other for other in placed if other.value is place.value and other.rule != place.rule]
    written = [value_with_number(place.value, number) or "" for number in _numbers(place, others, question)]
    return ValuesAround(*written) if written and all(written) else None


def _numbers(place: PlacedValue, others: Sequence[PlacedValue], question: str) -> list[float]:
    """Return the numbers inside, at and outside a limit and, if it ends a range, one within it and its other end.

    The result is empty if nobody would give one of the first three, or if another limit lies within a step, unless a
    range ends at one of the two limits and another begins at the other.
    """
    step = _MINUTES if place.value.kind == "time" else place.step
    if any(round(abs(other.at - place.at), 2) <= step and not _adjoins(place, other, step) for other in others):
        return []
    inwards = step if place.limit.side == "least" else -step
    around, spans = (
        [round(place.at + inwards * steps, 2) for steps in away]
        for away in ((1, 0, -1), _steps_into_range(place, others, step, question))
    )
    if not all(may_be_given(place.value, number) for number in around):
        return []
    return [*around, *spans] if all(may_be_given(place.value, number) for number in spans) else around


def _adjoins(place: PlacedValue, other: PlacedValue, step: float) -> bool:
    """Return True if one range ends where another begins: "up to 10 kg" and "over 10 kg", "5 to 12" and "13 to 17"."""
    limit, outwards = place.limit, -step if place.limit.side == "least" else step
    if other.limit.side == limit.side:
        return False
    if other.at == place.at:
        return limit.inclusive is not other.limit.inclusive
    is_next = other.at == round(place.at + outwards, 2) and limit.inclusive and other.limit.inclusive
    return is_next and limit.measure.startswith(("count", "age", "months"))  # 10.5 kg is neither 10 nor 11 kg


def _steps_into_range(place: PlacedValue, others: Sequence[PlacedValue], step: float, question: str) -> tuple[int, ...]:
    """Return how many steps a number in a range, and the other end of the range, lie away from a limit.

    The range consists of all numbers from the limit to the next one on its inner side. The result is empty if the limit
    is not in a range, or if no number lies between the ends. Hours and seasons may have breaks.
    """
    inwards = 1 if place.limit.side == "least" else -1
    inner = [other for other in others if inwards * (other.at - place.at) > 0]
    if not (place.limit.inclusive and inner) or place.value.kind in ("time", "date"):
        return ()
    nearest = min(inwards * (other.at - place.at) for other in inner)
    ends = [other.limit for other in inner if inwards * (other.at - place.at) == nearest]
    is_end_within = all(end.inclusive is (end.side != place.limit.side) for end in ends)
    away = round(nearest / step, 6)
    furthest = int(away) if is_end_within or away % 1 else int(away) - 1
    return (generator(question, place.limit.text, place.at).randrange(1, furthest), furthest) if furthest > 1 else ()


def _around_user_values(question: str, answer: str, dictionary: Dictionary) -> Iterator[Triple]:
    """Yield values around each limit on a value that the user gives exactly, to replace that value."""
    language = dictionary.language
    exact = [value for value in single_values(question, language) if not _ABOUT.search(question[: value.start])]
    placed = [place for value in exact for place in limits_on(value, question, answer, dictionary)]
    if not (is_english(language) or takes_side(answer, placed, language)):
        raise UnusableFollowUp("the answer says neither yes nor no")
    for place in placed:
        written = _values(place, placed, question)
        if written is not None:
            text_with = partial(replaced_at, question, place.value.start, place.value.end, language=language)
            yield Triple(limit=place.limit, values=written, text_with=text_with)


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """Written values around a limit, and a function that puts a value into the question."""

    limit: Limit
    values: ValuesAround
    text_with: Callable[[str], str]

    def asked(self, middle: str, *, is_inside: bool) -> Parameters:
        """Return the questions with the given value in the middle.

        `is_inside` is true if the middle value lies inside the limit.
        """
        values = self.values._replace(edge=middle)
        questions = {name: self.text_with(value) for name, value in values._asdict().items() if value}
        rule = f"{INSIDE if is_inside else OUTSIDE}: {self.limit.text}"
        return {"rule": rule, "values": " | ".join(filter(None, values)), **questions}

    def at_edge(self) -> Parameters:
        """Return the three questions, with the limit itself as the middle value."""
        return self.asked(self.values.edge, is_inside=self.limit.inclusive)

    def beside_edge(self) -> Parameters | None:
        """Return the three questions with a comparison in the middle, such as "more than 10 km".

        The comparison lies on one side of the limit and the number in it on the other, so a system that reads only the
        number gives the wrong answer: by "from 10 on", "fewer than 10" is outside, and 10 is inside.
        """
        edge, limit, text = self.values.edge, self.limit, self.text_with(self.values.edge)
        is_exact = limit.measure == "time of day" or "-" in edge
        if is_exact or _LISTED.search(text) or _BOOKS.search(text):
            return None
        is_of_age = limit.measure == "age" or edge.endswith("old") or _IS_AGED.search(text)
        # "Fewer than 10" by "from 10 on" and "under 10"; "more than 10" by "up to 10" and "more than 10".
        is_more = (limit.side == "least") is not limit.inclusive
        if is_of_age and is_more and limit.side == "most":
            return None  # "over 6" may be six and a half, which "1 to 6" may include
        if is_of_age:
            comparison = "over" if is_more else "under"
        elif is_more:
            comparison = "more than"
        else:
            comparison = "fewer than" if limit.measure.startswith("count") else "less than"
        triple = replace(self, values=self.values._replace(within="", far=""))
        return triple.asked(f"{comparison} {edge}", is_inside=not limit.inclusive)


_LISTED = re.compile(r"\baged?\b[^.?!]*\b(?:and|or) \d", re.IGNORECASE)
"""Lists of ages, which take no comparison: no one writes "children aged under 5 and 9"."""

_BOOKS = re.compile(r"\b(?:book|reserve|register)\b", re.IGNORECASE)
"""Words of a booking, which needs an exact number: no one books a table for more than 6."""

_IS_AGED = re.compile(
    r"\b(?:I am|I['\u2019]m|(?:child|son|daughter|mother|father|wife|husband|[Ss]?[Hh]e) is)"
    r" (?:\d{1,2}|[a-z]+)(?=[.,?!]|\Z)"
    r"|\baged? \d{1,2}\b"
)
"""An age without a unit: "My son is 9.", "I am seventy,", "aged 9"."""


def _around_missing_values(question: str, answer: str, language: str) -> Iterator[Triple]:
    """Yield values around each limit stated in an English answer, to be added to a question without its own value."""
    if not (is_english(language) and asks_one_thing(question)):
        return
    stated = stated_limits(question, answer)
    for each in stated:
        limits = [other.limit for other in stated if other.limit.measure == each.limit.measure]
        placed = [place for limit in limits if (place := placed_value(each.value, limit, stated_here=True))]
        for place in placed:
            if place.limit is each.limit and (written := _values(place, placed, question)):
                yield Triple(limit=place.limit, values=written, text_with=each.say)


def at_edges(question: str, answer: str, dictionary: Dictionary) -> list[Parameters]:
    """Return three questions for each limit in the answer, with values inside, at and outside it.

    The limits must apply to values that the user gives or could give.

    Raises:
        UnusableFollowUp: no reply states a limit that can be tested in this way.

    >>> [choice] = at_edges("Is there a group discount?", "Groups of 10 or more get 15 % off.", Dictionary())
    >>> choice["edge"], choice["rule"]
    ('We are 10 people. Is there a group discount?', 'inside: Groups of 10 or more')
    >>> for choice in at_edges("It weighs 12 kg. What is it?", "Up to 10 kg 35 EUR, over 10 kg 42 EUR.", Dictionary()):
    ...     print(choice["values"], choice["rule"])
    9 kg | 10 kg | 11 kg inside: Up to 10 kg
    """
    triples = [*_around_user_values(question, answer, dictionary)]
    triples = triples or [*_around_missing_values(question, answer, dictionary.language)]
    return _one_per_edge(triple.at_edge() for triple in triples)


def beside_edges(question: str, answer: str, dictionary: Dictionary) -> list[Parameters]:
    """Return three questions for each limit, with a value inside it, a comparison to it, and a value outside it.

    A comparison such as "My child is under 12" is used only if the question itself gives the value. In reply to a
    general question, a general reply might still be correct.

    Raises:
        UnusableFollowUp: no reply states a limit that can be tested in this way.

    >>> answer = "Groups of 10 or more get 15 % off."
    >>> [choice] = beside_edges("We are 14 people. Is there a discount?", answer, Dictionary())
    >>> choice["edge"], choice["rule"]
    ('We are fewer than 10 people. Is there a discount?', 'outside: Groups of 10 or more')
    """
    triples = [*_around_user_values(question, answer, dictionary)]
    missing = () if triples else _around_missing_values(question, answer, dictionary.language)
    triples += [each for each in missing if not each.limit.measure.startswith(("age", "count"))]  # these are of people
    return _one_per_edge(triple.beside_edge() for triple in triples)


def _one_per_edge(choices: Iterable[Parameters | None]) -> list[Parameters]:
    """Return the sets of questions that can be written, one for each middle question: if possible, one with a range."""
    chosen: dict[str, Parameters] = {}
    for choice in choices:
        if choice is not None and ("within" in choice or choice["edge"] not in chosen):
            chosen[choice["edge"]] = choice
    return list(
        at_least_one([*chosen.values()], "no reply states a limit to which one of the user's values can be moved")
    )


@limit_edit(
    "at-edge",
    says="a value at, inside or outside a limit that a reply states",
    languages=needing(*BY_FOLDER, "speech.until", also=ENGLISH),
    reads=at_edges,
)
@limit_edit(
    "beside-edge",
    says="more or less than a limit stated by a reply, or a value inside or outside it",
    reads=beside_edges,
)
def at_edge(rounds: Rounds, turns: tuple[Turn, ...], *, side: Side = "inside", **choice: str) -> Moved:
    """Ask the question with a value inside a limit, at its edge ("10", or "fewer than 10") or outside it.

    If the limit is the end of a range, such as "5 to 12", also ask with a value within the range and at its other end.
    `rule` and `values` are only annotated: they describe the limit to the relation.

    >>> turns = (Turn(fields={"message": "Is there a group discount?"}),)
    >>> [choice] = at_edges(turns[0].question, "Groups of 10 or more get 15 % off.", Dictionary())
    >>> [turn.fields["message"] for _, turn in at_edge((0,), turns, side="at the edge", **choice)]
    ['We are 10 people. Is there a group discount?']
    """
    text = choice.get(_QUESTION_ON[side])
    if text is None:
        raise UnusableFollowUp("the limit is not the end of a range")
    noted = {"side": side, "rule": choice["rule"], "values": choice["values"]}
    return asked_instead(rounds, turns, text, **{EDGE: noted})
