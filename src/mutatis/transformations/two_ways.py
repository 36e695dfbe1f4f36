"""Replaces a user's value with a different one, written in two equivalent ways, as two follow-ups.

Both follow-ups mean the same, so they must have the same answer. The new value is chosen to suit the forms to test: it
ends in .5 for the decimal comma ("2,5 kg"), is above six for number words, and is a day above twelve for a date in
figures, so that the day cannot be taken for the month.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Limit, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.dictionary import limits_of
from mutatis.text.values import Value, values, vocabulary
from mutatis.transformations.added import (
    Stated,
    afternoon_between,
    afternoon_within,
    can_come_after,
    clock_times,
    hour_said,
    open_at,
    stated_limits,
)
from mutatis.transformations.conversation import Moved, Rounds, asked_after, asked_instead, conversation
from mutatis.transformations.formats import asks_to_convert, ends_phrase
from mutatis.transformations.given import GROWN, exchanged_for, values_given_once
from mutatis.transformations.interruptions import asks_one_thing, stands_by_itself
from mutatis.transformations.known import at_least_one

format_edit = partial(conversation, capability="formats")
"""Decorator that registers a message with a value in one of two forms."""

TWO_WAYS = "two ways"
"""Annotation of a turn: its value in both forms, the plain form first, and the value replaced, if any."""

PLAIN, OTHERWISE = "plain", "otherwise"
"""Roles of the two follow-ups, recorded in the annotation `WAY`."""

WAY = "way"
"""Annotation of a turn: the form of its value, `PLAIN` or `OTHERWISE`."""

Pair: TypeAlias = tuple[str, str]
"""A value in two forms, the plain form first."""

_MEASURED = re.compile(r" (?:away|deep|heavy|high|long|tall|thick|wide)\b")
"""Words after a quantity that no noun follows, so that every form fits: "2 m high", "6 ft 7 in high"."""

_TEN = 10
"""Number up to which people write numbers in words anyway."""
_LARGE = 1000
"""Number from which people separate thousands, and write no decimals."""
_SMALL = 8.0
"""Number below which a quantity beside a limit has two decimals."""
_ROUND = 20.0
"""Number from which people usually round quantities to whole numbers."""

_NEIGHBOURS, _MOST = 2, 10
"""Maximum number of values in the other unit to try: near a limit, and elsewhere."""

_NEAR_ENOUGH = 0.005
"""Maximum relative error of a number in another unit, small enough that no limit lies between the two values."""

_SOME_MONTH = 3
"""Month of the dates that replace a weekday."""


_FIGURES = re.compile(r"\d[\d,.]*(?<![.,])")


def _with_figures(value: Value, figures: str) -> str:
    """Return a value with its digits replaced, in the same format."""
    return _FIGURES.sub(figures, value.text, count=1)


def _quantities(value: Value) -> Iterator[Pair]:
    """Yield quantities in two forms: with a decimal point and a comma, or with and without a thousands separator.

    >>> [*_quantities(values("12 kg")[0]), *_quantities(values("2000 m")[0])]
    [('12.5 kg', '12,5 kg'), ('1,250 m', '1250 m')]
    """
    if value.raw is None:
        return
    if value.raw >= _LARGE:
        yield _with_figures(value, "1,250"), _with_figures(value, "1250")
    elif value.raw <= 100 and value.unit in vocabulary().words("halves", "units"):
        whole = int(value.raw)
        yield _with_figures(value, f"{whole}.5"), _with_figures(value, f"{whole},5")


def _unit_abroad(value: Value) -> tuple[float, Sequence[str]] | None:
    """Return the size of the unit used abroad, measured in the value's own unit, and the unit's spellings."""
    words = vocabulary()
    for unit, other, *spellings in words.tables["abroad"]["units"]:
        if value.unit == unit:
            return words.units[other].factor / words.units[unit].factor, spellings
    return None


def _in_unit(
    value: Value, near: float, ratio: float, spellings: Sequence[str], *, beside_limit: bool = False
) -> Iterator[Pair]:
    """Yield a quantity near a number in the value's own unit, paired with each spelling in another unit.

    The ratio is the size of the other unit in the value's own unit. From two of the other unit upwards (one would need
    a singular), the first number that is nearly exact in both units is taken: 5 miles, 8 km. Beside a limit, the
    quantity is more exact and nearer to the number.
    """
    if beside_limit:
        decimals, most_tried = (2 if near < _SMALL else 1 if near < _LARGE else 0), _NEIGHBOURS
    else:
        decimals, most_tried = (1 if near < _ROUND else 0), _MOST
    first = max(2, round(near / ratio))
    for number in range(first, first + most_tried):
        plain = round(number * ratio, decimals)
        if abs(plain / (number * ratio) - 1) <= _NEAR_ENOUGH:
            yield from ((_with_figures(value, f"{plain:g}"), f"{number} {spelling}") for spelling in spellings)
            return


_DURATIONS: Mapping[str, Pair] = {
    **dict.fromkeys(("h", "min"), ("90 minutes", "1.5 hours")),
    **{"week": ("2 weeks", "14 days"), "day": ("14 days", "two weeks")},
    **{"month": ("18 months", "1.5 years"), "year": ("2 years", "24 months")},
}
"""Equal durations in two units, by the unit of the given value."""


def _durations(value: Value) -> Iterator[Pair]:
    """Yield durations in two units, and a number of days in digits and in words.

    >>> [*_durations(values("3 days")[0])]
    [('14 days', 'two weeks'), ('25 days', 'twenty five days')]
    """
    if value.unit in _DURATIONS and " " in value.text and value.raw != 1:
        yield _DURATIONS[value.unit]
    if re.fullmatch(r"\d{1,2} days", value.text):
        yield "25 days", "twenty five days"


def _counts(value: Value) -> Iterator[Pair]:
    """Yield numbers above six in digits and in words, and a large number with and without a thousands separator.

    >>> [*_counts(values("4 people")[0]), *_counts(values("400 people")[0])]
    [('8', 'eight'), ('11', 'eleven'), ('1000', '1,000')]
    """
    if value.measure != "count" or value.raw is None:
        return
    if value.raw <= 12:
        yield from (("8", "eight"), ("11", "eleven"))
    elif value.raw < 100:
        yield from (("35", "thirty-five"), ("40", "forty"), ("25", "twenty five"))
    else:
        yield ("10000", "10,000") if value.raw >= 5000 else ("1000", "1,000")


def _ages(value: Value) -> Iterator[Pair]:
    """Yield an age in digits and in words, and for a small child also in months and in years.

    >>> [*_ages(values("a 4-year-old")[0])]
    [('11-year-old', 'eleven-year-old'), ('18-month-old', 'one-and-a-half-year-old')]
    """
    match = re.fullmatch(r"(?P<years>\d{1,2})(?P<behind>(?P<gap>[ -])years?[ -]old)?", value.text)
    if match is None or value.unit != "year":
        return
    behind, years = match["behind"] or "", int(match["years"])
    yield (f"40{behind}", f"forty{behind}") if years >= GROWN else (f"11{behind}", f"eleven{behind}")
    if years <= 5:
        yield ("18-month-old", "one-and-a-half-year-old") if match["gap"] == "-" else ("18 months old", "1.5 years old")


def _amounts(value: Value) -> Iterator[Pair]:
    """Yield amounts in two forms: with a decimal point and a comma, or with and without a thousands separator.

    >>> [*_amounts(values("500 euros")[0])]
    [('500.50 euros', '500,50 euros'), ('1,250 euros', '1250 euros')]
    """
    if value.raw is None or not (value.text.isascii() or value.unit == "euro"):
        return
    if value.unit == "euro" and value.raw < _LARGE:
        euros = int(value.raw)
        yield _with_figures(value, f"{euros}.50"), _with_figures(value, f"{euros},50")
    if value.raw >= 100:
        yield _with_figures(value, "1,250"), _with_figures(value, "1250")


def _dates(value: Value) -> Iterator[Pair]:
    """Yield pairs of forms of a date in the same month: one with the name of the month, the other in figures.

    The figures are an ISO date or, for a day above twelve, have the day or the month first.

    >>> [*_dates(values("14 May 2027")[0])]
    [('23 May 2027', '23/5/2027'), ('23 May 2027', '5/23/2027'), ('5 May 2027', '2027-05-05')]
    """
    if value.measure != "date":
        return
    year, month, day = value.date
    late = 24 if day == 23 else 23  # other days than the user's
    early = 6 if day == 5 else 5
    plain, day_first = _date_in_two(late, month, year)
    yield plain, day_first
    yield plain, day_first.replace(f"{late}/{month}", f"{month}/{late}")
    if year:
        plain, _ = _date_in_two(early, month, year)
        yield plain, f"{year}-{month:02}-{early:02}"


def _date_in_two(day: int, month: int, year: int) -> Pair:
    """Return a date with the name of the month and in figures, the day first. The year is left out if it is 0."""
    in_words, in_figures = f"{day} {vocabulary().months[month - 1]}", f"{day}/{month}"
    return (f"{in_words} {year}", f"{in_figures}/{year}") if year else (in_words, in_figures)


def _times(value: Value) -> Iterator[Pair]:
    """Yield a time at half past an hour, on the 24-hour and the 12-hour clock.

    >>> [*_times(values("15:00")[0])]
    [('15:30', '3:30 pm'), ('15:30', 'half past 3 in the afternoon')]
    """
    hour = int(value.size // 60)
    if value.open or not 9 <= hour < 22:
        return
    if hour < 12:
        half_day, part_of_day = "am", "morning"
    else:
        half_day, part_of_day = "pm", "afternoon" if hour < 18 else "evening"
    on_dial = (hour - 1) % 12 + 1  # 12 stays 12
    yield f"{hour}:30", f"{on_dial}:30 {half_day}"
    yield f"{hour}:30", f"half past {on_dial} in the {part_of_day}"


_FORMS: Mapping[str, Callable[[Value], Iterator[Pair]]] = {
    "quantity": _quantities,
    "duration": _durations,
    "number": _counts,
    "age": _ages,
    "amount": _amounts,
    "date": _dates,
    "time": _times,
}


def _exchanges(question: str, pairs_for: Callable[[Value], Iterator[Pair]]) -> list[Parameters]:
    """Return the pairs that may replace a value that the user gives only once.

    Before a noun ("a 2 kg parcel"), the other form must end like the value.

    Raises:
        UnusableFollowUp: the user does not give such a value, or the question asks for a conversion or a certain unit.
    """
    if asks_to_convert(question):
        raise UnusableFollowUp("the question asks for a conversion or for a certain unit")
    chosen: list[Parameters] = []
    for value in at_least_one(values_given_once(question), "the user gives no value of their own"):
        any_form_fits = (
            value.kind in ("number", "age")
            or ends_phrase(question, value.end)
            or _MEASURED.match(question, value.end) is not None
        )
        for plain, other in pairs_for(value):
            if plain != other and (any_form_fits or other.endswith(value.text[-1:])):
                chosen.append({"old": value.text, "new": plain, "form": other})
    return chosen


def forms_of_another(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return different values to replace a user's values, each written in two forms.

    Raises:
        UnusableFollowUp: the question gives no value that can be written in two forms.

    >>> forms_of_another("My dog weighs 12 kg. What does it cost?", "", Dictionary())
    [{'old': '12 kg', 'new': '12.5 kg', 'form': '12,5 kg'}]
    >>> [choice["form"] for choice in forms_of_another("Can I come on 14 May?", "", Dictionary())]
    ['23/5', '5/23']
    """
    chosen = _exchanges(question, lambda value: _FORMS[value.kind](value))
    return at_least_one(chosen, "the values in the question cannot be written in a different form")


def units_of_another(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return different quantities to replace a user's quantities, each in two common units.

    Raises:
        UnusableFollowUp: the question gives no quantity that other countries use another unit for.

    >>> units_of_another("My dog weighs 12 kg. What does it cost?", "", Dictionary())
    [{'old': '12 kg', 'new': '11.8 kg', 'form': '26 lbs'}, {'old': '12 kg', 'new': '11.8 kg', 'form': '26 pounds'}]
    """
    chosen = _exchanges(question, partial(_in_two_units, limits=limits_of(answer)))
    return at_least_one(chosen, "the question gives no quantity for which other countries use a different unit")


def _in_two_units(value: Value, limits: Sequence[Limit]) -> Iterator[Pair]:
    """Yield quantities near the given one, in its own unit and in other countries' unit, and some beside each limit.

    Quantities beside a limit of the same measure would be on its wrong side if they were read in the wrong unit.

    >>> [*_in_two_units(values("12 kg")[0], [])]
    [('11.8 kg', '26 lbs'), ('11.8 kg', '26 pounds')]
    """
    celsius, fahrenheit, sign = vocabulary().tables["abroad"]["warmth"]
    if value.unit == celsius and value.raw is not None:
        degrees = round(value.raw / 5) * 5  # only multiples of five are whole numbers in both units
        yield _with_figures(value, str(degrees)), f"{degrees * 9 // 5 + 32}{sign or fahrenheit}"
    abroad = _unit_abroad(value)
    if abroad is None or not value.raw:
        return
    ratio, spellings = abroad
    yield from _in_unit(value, value.raw, ratio, spellings)
    for limit in limits:
        if limit.measure == value.measure:
            near = limit.size / value.size * value.raw * math.sqrt(ratio)
            yield from _in_unit(value, near, ratio, spellings, beside_limit=True)


# Values that the question lacks


def _beside(question: str, answer: str) -> Iterator[Parameters]:
    """Yield the question with an added value in two forms, for each limit and each range of hours in its answer."""
    if not asks_one_thing(question):
        return
    for limit in stated_limits(question, answer):
        for plain, other in _limit_in_two(limit):
            yield {"plain": limit.say(plain), "otherwise": limit.say(other), "new": plain, "form": other}
    times = clock_times(answer)
    while_open = open_at(question), afternoon_within(times)
    after_opening = can_come_after(question, answer), afternoon_between(times)
    for say, hour in (while_open, after_opening):
        if say is not None and hour is not None:
            for plain, other in hour_said(hour):
                yield {"plain": say(plain), "otherwise": say(other), "new": plain, "form": other}


def _limit_in_two(stated: Stated) -> Iterator[Pair]:
    """Yield a number above ten on one side of a limit, in digits and in words."""
    limit, value, ones = stated.limit, stated.value, vocabulary().ones
    if value.kind in ("number", "age") and limit.size > _TEN and value.raw is not None:
        number = int(value.raw) + (1 if limit.side == "least" else -1)
        if _TEN < number < len(ones):
            yield str(number), ones[number]


def forms_beside(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return the question with an added value, in two equivalent forms.

    Raises:
        UnusableFollowUp: the answer states no limit and no hours that the added value could refer to.

    >>> [choice] = forms_beside("Is there a discount?", "Groups of 12 or more get 15 % off.", Dictionary())
    >>> choice["new"], choice["otherwise"]
    ('13', 'We are thirteen people. Is there a discount?')
    """
    chosen = {choice["otherwise"]: choice for choice in _beside(question, answer)}
    return at_least_one([*chosen.values()], "the answer states no limit and no hours to which a user could refer")


# Days and months in figures


def dates_in_order(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return a new day for a question, and a question to ask first that shows the order of day and month.

    The first question contains a day above twelve. It repeats the original question, or asks about opening hours if the
    original is a request.

    Raises:
        UnusableFollowUp: the user gives no day of their own, or several.

    >>> [choice] = dates_in_order("Is the pool open on 14 May?", "", Dictionary())
    >>> choice["before_form"], choice["form"]
    ('Is the pool open on 23/5?', '8/5')
    """
    if not stands_by_itself(question):
        raise UnusableFollowUp("the message refers to something earlier, or does not ask for anything")
    days = [value for value in values(question) if value.kind == "date"]
    dated = _month_of(question, days[0]) if len(days) == 1 else None
    if dated is None:
        raise UnusableFollowUp("the user gives no day of their own, or gives several days")
    [day] = days
    year, month = dated
    is_23rd = day.measure == "date" and day.date.day == 23
    above_twelve = 24 if is_23rd else 23  # another day than the user's
    ambiguous = 8 if month != 8 else 9  # 8/8 is the same in either order
    first = question if asks_one_thing(question) else f"Are you open on {day.text}?"
    before, before_form = (first.replace(day.text, form, 1) for form in _date_in_two(above_twelve, month, year))
    new, form = _date_in_two(ambiguous, month, year)
    return [{"old": day.text, "before": before, "before_form": before_form, "new": new, "form": form}]


def _month_of(question: str, day: Value) -> tuple[int, int] | None:
    """Return the year (or 0) and month of a day, an arbitrary month for a weekday, or None for other values."""
    if day.measure == "weekday":
        single = re.search(r"\bon \Z", question[: day.start]) and not day.text.endswith("s")  # not "on Mondays"
        return (0, _SOME_MONTH) if single else None
    placed = re.search(r"\b(?:on|from|for|until|by|before|after|of) \Z", question[: day.start])
    if day.measure != "date" or day.open or not placed:
        return None
    return day.date.year, day.date.month


Way: TypeAlias = Literal["plain", "otherwise"]


@format_edit("another-in-two-forms", says="another value, in the {way} form", reads=forms_of_another)
@format_edit("another-in-two-units", says="another quantity, in the {way} unit", reads=units_of_another)
def another_in_two_forms(rounds: Rounds, turns: tuple[Turn, ...], *, way: Way = "plain", **choice: str) -> Moved:
    """Ask the question with a different value, in its plain form or in another form, such as another country's unit.

    >>> turns = (Turn(fields={"message": "My dog weighs 12 kg. What does it cost?"}),)
    >>> given = {"old": "12 kg", "new": "12.5 kg", "form": "12,5 kg"}
    >>> [(_, turn)] = another_in_two_forms((0,), turns, way="otherwise", **given)
    >>> turn.fields["message"]
    'My dog weighs 12,5 kg. What does it cost?'
    """
    old, new, form = choice["old"], choice["new"], choice["form"]
    text = exchanged_for(turns[-1].question, old, new if way == PLAIN else form)
    return asked_instead(rounds, turns, text, **{WAY: way, TWO_WAYS: [new, form, old]})


@format_edit("beside-in-two-forms", says="a value given next to the question, in the {way} form", reads=forms_beside)
def beside_in_two_forms(rounds: Rounds, turns: tuple[Turn, ...], *, way: Way = "plain", **choice: str) -> Moved:
    """Add a value to a question that has none, in its plain form or in another form.

    `plain` and `otherwise` are the two questions; `new` and `form` are the two forms of the value in them.

    >>> turns = (Turn(fields={"message": "Is the pool open on Sunday?"}),)
    >>> [choice, *_] = forms_beside(turns[0].question, "It is open from 9:00 to 18:00.", Dictionary())
    >>> beside_in_two_forms((0,), turns, way="otherwise", **choice)[0][1].fields["message"]
    'Is the pool open on Sunday at 3 pm?'
    """
    noted = [choice["new"], choice["form"]]
    return asked_after(rounds, turns, [], choice[way], **{WAY: way, TWO_WAYS: noted})


@format_edit(
    "dates-in-one-order",
    says="a day in {way} form, after one that shows the order of day and month",
    reads=dates_in_order,
    adds=1,
)
def dates_in_one_order(rounds: Rounds, turns: tuple[Turn, ...], *, way: Way = "plain", **choice: str) -> Moved:
    """Ask about a day above twelve, which shows the order of day and month, and then about an ambiguous date.

    If `way` is "plain", both days are written with the name of the month, otherwise in figures.

    >>> turns = (Turn(fields={"message": "Is the pool open on 14 May?"}),)
    >>> [choice] = dates_in_order(turns[0].question, "", Dictionary())
    >>> [turn.fields["message"] for _, turn in dates_in_one_order((0,), turns, way="otherwise", **choice)]
    ['Is the pool open on 23/5?', 'Is the pool open on 8/5?']
    """
    new, form = choice["new"], choice["form"]
    before, day = (choice["before"], new) if way == PLAIN else (choice["before_form"], form)
    text = turns[0].question.replace(choice["old"], day, 1)
    return asked_after(rounds, turns, [before], text, **{WAY: way, TWO_WAYS: [new, form]})
