"""Finds by bisection the value that changes replies, even if no reply states a limit.

A value that the user gives is replaced with a smaller and a larger one. If the reply changes between two values,
bisection narrows down the threshold within a few questions. A price that rises by the same amount per unit, such as a
price per person, has no threshold.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from typing import TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Limit, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.relation import Group
from mutatis.core.transformation import Seen, taken_in_turn
from mutatis.dictionary import limits_of
from mutatis.text.alike import answer_alike, values_told
from mutatis.text.refusals import gives_no_answer
from mutatis.text.sentences import sentences
from mutatis.text.values import Value, values
from mutatis.transformations.at_limits import PEOPLE, limit_edit, number_written, shared_words, value_with_number
from mutatis.transformations.conversation import Moved, Rounds, asked_instead
from mutatis.transformations.given import GROWN, exchanged_for, given_values, values_given_once
from mutatis.transformations.known import at_least_one

HALVED = "halved"
"""Annotation of a turn: the old and new value, their numbers, and the direction that prices should move in."""

MOST = 10
"""Maximum number of values tried for one question."""

AXES = 2
"""Maximum number of values to vary in one question."""

Points: TypeAlias = Mapping[int, str]
"""Replies, keyed by the number in the question that they answer."""

Step: TypeAlias = tuple[Mapping[str, str], str]
"""One value that was tried, as its turn is annotated, and the reply."""

_FEWEST, _OLDEST = 2, 90
_HOURS, _EARLIEST, _LATEST = 240, 360, 1380
"""Distance of the first times tried from the user's own, the earliest and the latest time, in minutes."""
_MINUTES = (60, 30, 15, 5)
_STEPS = (10_000, 5000, 1000, 500, 100, 50, 10, 5, 1)
"""Steps to round numbers of minutes and to other round numbers, from the roundest to the finest."""
_EVEN = 0.01
"""Maximum relative difference of two slopes that still count as equal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A value in the question to be varied: its own number, and a smaller and a larger one to begin with."""

    value: Value
    now: int
    low: int
    high: int


def axes_of(question: str) -> list[Axis]:
    """Return up to `AXES` values of a question that have smaller and larger values.

    >>> [(axis.value.text, axis.low, axis.high) for axis in axes_of("My dog weighs 12 kg. What does it cost?")]
    [('12 kg', 6, 26)]
    """
    return [axis for value in values_given_once(question) if (axis := _axis(value)) is not None][:AXES]


def _axis(value: Value) -> Axis | None:
    """Return a value as one to be varied, or None if it is not a whole number that may be smaller or larger.

    A child stays a child, and an adult stays an adult.
    """
    number = number_written(value)
    now = int(number)
    if value.kind == "date" or now != number:
        return None
    low, high = max(_FEWEST, now // 2), 2 * now + 2
    if value.kind == "time":
        low, high = max(_EARLIEST, now - _HOURS), min(_LATEST, now + _HOURS)
    elif value.kind == "age" and value.unit == "year":
        low, high = (low, min(high, _OLDEST)) if now < GROWN else (max(GROWN, low), _OLDEST)
    if value_with_number(value, high) is None or not low <= now <= high:
        return None
    return Axis(value=value, now=now, low=low, high=high)


def halfway(low: int, high: int, steps: Sequence[int]) -> int | None:
    """Return a round number near the middle of an interval, or None if no number lies in between.

    >>> halfway(6, 12, (10, 5, 1)), halfway(11, 12, (10, 5, 1)), halfway(35, 72, (10, 5, 1))
    (10, None, 50)
    """
    middle, quarter = (low + high) / 2, (high - low) / 4
    for step in steps:
        rounded = math.floor(middle / step + 0.5) * step
        if low < rounded < high and abs(rounded - middle) <= quarter:
            return rounded
    rounded_down = math.floor(middle / steps[-1]) * steps[-1]
    return rounded_down if low < rounded_down < high else None


def is_edge(points: Points, value: Value, low: int, high: int) -> bool:
    """Return True if the replies for two numbers give different answers. The numbers themselves do not count.

    >>> nightly = {12: "For 1 night it is 28 EUR.", 16: "It is 22 EUR for 1 night."}
    >>> is_edge(nightly, values("It weighs 12 kg.")[0], 12, 16)
    True
    """
    asked = [value.text, *filter(None, (value_with_number(value, number) for number in (low, high)))]
    same, *_ = answer_alike(points[low], points[high], asked)
    if same is None:  # they agree in part, such as on the number of nights
        pair = {low: points[low], high: points[high]}
        return any(len({*prices.values()}) > 1 for prices in (prices_of(pair, value), shares_to_pay(pair)))
    return same is False


def prices_of(points: Points, value: Value) -> dict[int, float]:
    """Return the amount of money in each reply, in the order of the numbers asked about.

    Replies with no amount or several are left out, and so are amounts that the question states.
    """
    prices: dict[int, float] = {}
    for number in sorted(points):
        asked = [value.text, value_with_number(value, number) or ""]
        amounts = {stated.size for stated in values_told(points[number], asked) if stated.kind == "amount"}
        if len(amounts) == 1:
            prices[number] = amounts.pop()
    return prices


def goes_evenly(points: Points, value: Value) -> bool:
    """Return True if the price changes by the same amount per unit of the value, across at least three numbers.

    >>> value = values("We are 4 people.")[0]
    >>> goes_evenly({2: "20 EUR.", 4: "40 EUR.", 10: "100 EUR."}, value)
    True
    >>> goes_evenly({2: "20 EUR.", 4: "20 EUR.", 10: "30 EUR."}, value)
    False
    """
    prices = prices_of(points, value)
    if len(prices) < 3 or len(prices) != len(points):
        return False
    first, *others = ((prices[high] - prices[low]) / (high - low) for low, high in pairwise(prices))
    return first != 0 and all(abs(slope - first) <= _EVEN * abs(first) for slope in others)


def changes_in(points: Points, value: Value) -> list[tuple[int, int]]:
    """Return the pairs of neighbouring numbers whose replies give different answers."""
    return [(low, high) for low, high in pairwise(sorted(points)) if is_edge(points, value, low, high)]


def turn_in(points: Points, value: Value) -> tuple[int, int, int] | None:
    """Return three numbers between which a price, or the share to pay, rises and then falls, or vice versa; or None.

    >>> turn_in({2: "20 EUR.", 4: "40 EUR.", 10: "30 EUR."}, values("We are 4 people.")[0])
    (2, 4, 10)
    """
    return next(chain(_turns_of(prices_of(points, value)), _turns_of(shares_to_pay(points))), None)


def turn_of_share(points: Points, value: Value) -> tuple[int, int, int] | None:
    """Return three numbers whose middle one has the largest or smallest share of the price to pay, or None.

    They are consecutive, or only the middle one has no discount. Ages and times have none, and neither have prices: 7
    nights may be cheaper than 6 and 8.

    >>> replies = {13: "You pay 80 %.", 14: "You pay the full price.", 15: "You pay 50 %."}
    >>> turn_of_share(replies, values("I cancel 20 days before.")[0])
    (13, 14, 15)
    >>> replies = {10: "You get 15 % off.", 20: "There is no discount.", 26: "You get 20 % off."}
    >>> turn_of_share(replies, values("We are 10 people.")[0])
    (10, 20, 26)
    """
    if not _may_have_no_hole(value):
        return None
    shares = shares_to_pay(points)
    for low, middle, high in _turns_of(shares):
        loses_discount = shares[middle] == 1 and min(shares[low], shares[high]) > 0
        if high - low == 2 or loses_discount:
            return low, middle, high
    return None


def _turns_of(prices: Mapping[int, float]) -> Iterator[tuple[int, int, int]]:
    """Yield three numbers wherever a price or share rises and then falls, or vice versa."""
    moves = [(low, high) for low, high in pairwise(prices) if prices[low] != prices[high]]
    for (low, top), (start, high) in pairwise(moves):
        if (prices[top] > prices[low]) != (prices[high] > prices[start]):
            yield low, start, high


_NO_DISCOUNT = re.compile(
    r"\b(?:no|not get an?|n['\u2019]t get an?|without an?|any) (?:[a-z]+ )?(?:discount|reduction)\b", re.IGNORECASE
)
_DISCOUNT = re.compile(r"\b(?:discount|reduction|less|off|cheaper|save)\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:full|whole|entire|normal|regular|standard) (?:price|amount|cost|fee|fare)\b", re.IGNORECASE)
_NOTHING = re.compile(r"\b(?:(?:pay|pays|costs?) nothing|(?:is|are) free|free of charge|no charge)\b", re.IGNORECASE)
_TO_PAY = re.compile(r"\b(?:pay|pays|costs?|charge[ds]?|price)\b", re.IGNORECASE)
_NOT_TO_PAY = re.compile(r"\b(?:refund\w*|back|returned|deposit|extra|more|tax|VAT|not)\b|n['\u2019]t\b", re.IGNORECASE)
"""Words of a sentence whose percentage is not the share of a price to pay."""


def shares_to_pay(points: Points) -> dict[int, float]:
    """Return the share of a price that each reply charges, by number in ascending order, if it charges one.

    >>> shares_to_pay({9: "You pay the full price.", 20: "It costs 50 % of the price.", 21: "You get 20 % off."})
    {9: 1.0, 20: 0.5, 21: 0.8}
    """
    shares = ((number, share_to_pay(points[number])) for number in sorted(points))
    return {number: share for number, share in shares if share is not None}


def share_to_pay(reply: str) -> float | None:
    """Return the share of a price that a reply charges, from 0 to 1; None if it charges none or several.

    >>> share_to_pay("18 people pay 15 % less."), share_to_pay("Groups of 20 get no group discount.")
    (0.85, 1.0)
    >>> share_to_pay("Groups of 10 or more get 15 % off.") is None  # a rule
    True
    """
    shares = {round(share, 9) for sentence in sentences(reply) for share in _shares_in(sentence)}
    return shares.pop() if len(shares) == 1 else None


def _shares_in(sentence: str) -> Iterator[float]:
    """Yield the shares of a price that a sentence charges. A rule for several values charges none."""
    if _NO_DISCOUNT.search(sentence):
        yield 1.0
        return
    if limits_of(sentence):
        return
    percents = [value.size for value in values(sentence) if value.measure == "percent"]
    if percents and _DISCOUNT.search(sentence):
        yield from (1 - size for size in percents)
    elif not _NOT_TO_PAY.search(sentence):
        yield from (share for share, words in ((1.0, _WHOLE), (0.0, _NOTHING)) if words.search(sentence))
        yield from percents if _TO_PAY.search(sentence) else ()


def hole_in(points: Points, value: Value) -> tuple[int, int, int] | None:
    """Return three numbers where only the outer two have the same price, or None.

    Ages and times never have such numbers: children and pensioners may pay the same, and so may the morning and the
    evening.

    >>> hole_in({8: "22 EUR.", 12: "28 EUR.", 13: "28 EUR.", 16: "22 EUR."}, values("It weighs 12 kg.")[0])
    (8, 12, 16)
    """
    if not _may_have_no_hole(value):
        return None
    prices = prices_of(points, value)
    runs = [list(numbers) for _, numbers in groupby(prices, key=prices.__getitem__)]  # neighbours of one price
    for below, between, above in zip(runs, runs[1:], runs[2:], strict=False):
        if prices[below[-1]] == prices[above[0]]:
            return below[-1], between[0], above[0]
    return None


def _may_have_no_hole(value: Value) -> bool:
    """Return True if the price for a value between two others of one price must be the same as theirs."""
    return value.kind in ("quantity", "duration", "amount") or value.unit in PEOPLE


def next_value(question: str, answer: str, dictionary: Dictionary, seen: Seen) -> Parameters:
    """Return the next value to ask about, chosen on the basis of the replies so far.

    The ends of all ranges come first, and then numbers that halve the gaps between different answers.

    Raises:
        UnusableFollowUp: the user gives no value of their own, or nothing is left to find out.

    >>> next_value("My dog weighs 12 kg. What does it cost?", "It costs 42 EUR.", Dictionary(), [])["new"]
    '6 kg'
    """
    axes = at_least_one(axes_of(question), "the user gives no value of their own that could be larger or smaller")
    if len(seen) >= MOST:
        raise UnusableFollowUp(f"the question was asked with {MOST} values, which is the maximum")
    points_of = [(axis, _points(axis, answer, seen)) for axis in axes]
    ends = [(axis, end) for axis, points in points_of for end in (axis.low, axis.high) if end not in points]
    halves = ((axis, number) for axis, points in points_of for number in _inside(axis, points))
    for axis, number in chain(ends, halves):
        if new := value_with_number(axis.value, number):
            return _choice(axis, number, new, dictionary)
    raise UnusableFollowUp("the answer does not change with the value, or every change has been found")


def _points(axis: Axis, answer: str, seen: Seen) -> dict[int, str]:
    """Return the replies about one value so far, by the number that was asked about."""
    asked = {int(choice["at"]): reply for choice, reply in seen if choice["old"] == axis.value.text}
    return {axis.now: answer, **asked}


def _inside(axis: Axis, points: Points) -> Iterator[int]:
    """Yield numbers that halve gaps between neighbouring numbers, starting nearest to the user's own value.

    If the answer changes at all, wide gaps between equal prices come first, where another price would be a hole, and
    then the gaps between different answers.
    """
    edges = [] if goes_evenly(points, axis.value) else changes_in(points, axis.value)
    gaps = sorted(edges, key=lambda gap: min(abs(end - axis.now) for end in gap))
    has_oddity = hole_in(points, axis.value) or turn_of_share(points, axis.value)
    if edges and _may_have_no_hole(axis.value) and not has_oddity:
        same = [gap for gap in pairwise(sorted(points)) if gap not in edges and _is_wide(gap, points)]
        gaps = [*same, *gaps]
    steps = _MINUTES if axis.value.kind == "time" else _STEPS
    yield from (number for low, high in gaps if (number := halfway(low, high, steps)) is not None)


def _is_wide(gap: tuple[int, int], points: Points) -> bool:
    """Return True if a gap is wider than a fifth of the numbers asked about."""
    return (gap[1] - gap[0]) * 5 > max(points) - min(points)


def _choice(axis: Axis, number: int, new: str, dictionary: Dictionary) -> Parameters:
    """Return the parameters for asking about a number, written as `new`."""
    direction = _direction(axis.value, dictionary)
    stated = _stated_by_age(axis.value, dictionary)
    chosen = {"old": axis.value.text, "new": new, "now": str(axis.now), "at": str(number), "direction": direction}
    return {**chosen, "stated": stated} if stated else chosen


def _direction(value: Value, dictionary: Dictionary) -> str:
    """Return the direction of prices as a value increases, or "" if the tester does not state it."""
    if value.measure == "count" and value.unit not in PEOPLE:
        return ""
    ways = {way.goes for way in dictionary.directions if way.measure == value.measure}
    return ways.pop() if len(ways) == 1 else ""


_AGE_GROUPS = {"adults": "adult", "children": "child", "kids": "kid", "seniors": "senior", "pensioners": "pensioner"}
"""Groups of people by age, as the subject of a limit in the plural, and a word in replies about one such person."""


def _stated_by_age(value: Value, dictionary: Dictionary) -> str:
    """Return the limits that replies of the run state for one age group, such as "adults night: from 15", or "".

    >>> stated = limits_of("Adults (from 15) pay 8 euros a night.")
    >>> _stated_by_age(values("I am 20 years old.")[0], Dictionary(limits=(*stated,)))
    'adults euros night: from 15'
    """
    if value.kind != "age":
        return ""
    of_group = (limit for limit in dictionary.limits if len(_AGE_GROUPS.keys() & {*limit.about}) == 1)
    return " | ".join(f"{' '.join(limit.about)}: {limit.text}" for limit in of_group if not limit.contradicted)


@limit_edit("find-edges", says="another value, to find where the answer changes", reads=next_value)
@taken_in_turn(lambda text, _: MOST if axes_of(text) else 0)
def find_edges(rounds: Rounds, turns: tuple[Turn, ...], **choice: str) -> Moved:
    """Ask the question with a different value, to find out which value changes the answer.

    `now` and `at` are the numbers in `old` and `new`, which the next step starts from. `stated` is only annotated.

    >>> turns = (Turn(fields={"message": "My dog weighs 12 kg. What does it cost?"}),)
    >>> [turn.fields["message"] for _, turn in find_edges((0,), turns, old="12 kg", new="9 kg", now="12", at="9")]
    ['My dog weighs 9 kg. What does it cost?']
    """
    text = exchanged_for(turns[-1].question, choice["old"], choice["new"])
    return asked_instead(rounds, turns, text, **{HALVED: choice})


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The numbers tried for one value of a question, with the replies, the direction of prices and limits on ages."""

    value: Value
    points: Points
    texts: Mapping[int, str]
    direction: str
    stated: str = ""


def walks_of(group: Group) -> list[Walk]:
    """Return the numbers tried for each value of a question; or [] if the follow-ups come from other edits."""
    source = group.source.response
    if source is None:
        return []
    steps_for: dict[str, list[Step]] = {}
    for member in group.members:
        tried = member.asked.annotations.get(HALVED)
        if tried is not None and member.response is not None:
            steps_for.setdefault(tried["old"], []).append((tried, member.response.text))
    of_user = {value.text: value for value in given_values(group.question)}
    return [_walk(of_user[old], steps, source.text) for old, steps in steps_for.items() if old in of_user]


def _walk(value: Value, steps: Sequence[Step], source_reply: str) -> Walk:
    """Return the numbers tried for a value, with the user's own number and the source's reply first."""
    first, _ = steps[0]
    now = int(first["now"])
    return Walk(
        value=value,
        points={now: source_reply, **{int(tried["at"]): reply for tried, reply in steps}},
        texts={now: value.text, **{int(tried["at"]): tried["new"] for tried, _ in steps}},
        direction=first["direction"],
        stated=first.get("stated", ""),
    )


def misplaced_edge(walk: Walk) -> tuple[int, int, Limit] | None:
    """Return two neighbouring numbers with different answers, and a limit that puts both on one side; None without one.

    One of the two replies states the limit, and no limit that they state lies between the numbers. Otherwise, another
    reply states it for an age group that only one of the two replies mentions.

    >>> replies = {65: "The card is 15 EUR.", 66: "The card is 8 EUR from 65 years."}
    >>> age, texts = values("I am 70 years old.")[0], {65: "65 years old", 66: "66 years old"}
    >>> low, high, limit = misplaced_edge(Walk(value=age, points=replies, texts=texts, direction=""))
    >>> low, high, limit.text
    (65, 66, 'from 65 years')
    """
    for low, high in changes_in(walk.points, walk.value):
        if high - low > 1 or any(gives_no_answer(walk.points[number]) for number in (low, high)):
            continue
        # A reply may echo the number that it was asked about: "delivery over 16 km".
        stated = [
            limit
            for asked, other in ((low, high), (high, low))
            for limit in _limits_at(other, walk.points[asked], walk.value)
        ]
        limits = stated or _limits_for_group(walk, low, high)
        if limits and all(limit.holds(low) is limit.holds(high) for limit in limits):
            return low, high, limits[0]
    return None


def _limits_for_group(walk: Walk, low: int, high: int) -> list[Limit]:
    """Return the limits on ages between or beside two numbers, if one puts a number outside of the group in its reply.

    By "adults from 15", a reply with the adult price for 14 is wrong, if the one for 13 has none.
    """
    entries = [entry.partition(": ") for entry in walk.stated.split(" | ") if entry]
    near = [
        replace(limit, about=tuple(about.split()))
        for about, _, text in entries
        for number in range(low - 1, high + 2)
        for limit in _limits_at(number, text, walk.value)
        if any(limit.holds(age) is not limit.holds(age + 1) for age in (low - 1, low, high))
    ]
    outside = [limit for limit in near if any(_is_outside(limit, walk, *ages) for ages in ((low, high), (high, low)))]
    return [*outside, *near] if outside else []


def _is_outside(limit: Limit, walk: Walk, age: int, other: int) -> bool:
    """Return True if the reply for an age, unlike the other one, is about a group whose limit excludes the age."""
    reply, other_reply = walk.points[age], walk.points[other]
    groups = [word for group, word in _AGE_GROUPS.items() if group in limit.about]
    names_group = any(word in reply.lower() and word not in other_reply.lower() for word in groups)
    return names_group and not limit.holds(age) and shared_words(limit.about, reply) > 1


def _limits_at(number: int, reply: str, value: Value) -> Iterator[Limit]:
    """Yield the limits of a reply that lie at a number of a value, with that number as their size."""
    for limit in limits_of(reply):
        figures = re.match(r"\d+(?![\d.,])", limit.value)
        alike = limit.measure in (value.measure, "count") or (value.kind == "age" and limit.measure == "months")
        if figures is not None and alike and int(figures[0]) == number:
            yield replace(limit, size=float(number))
