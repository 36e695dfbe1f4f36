"""Replaces a user's value with another one, said in two ways that mean the same, as two follow-ups.

The value itself does not matter: both follow-ups say the same, so both have the same answer. Every usual form can
therefore be tried, whether or not the data contain a value with that form: a half for the comma ("2,5 kg"), a number
above six for words. Only unambiguous forms are written: if day and month are given in figures, the day is above twelve.
Independent of tasks and relations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from mutatis.core.cases import Turn
from mutatis.core.dictionary import Dictionary, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import as_a_whole, transformation
from mutatis.text.values import Value, values, vocabulary
from mutatis.transformations.formats import CONVERTS, ends_phrase
from mutatis.transformations.interruptions import Moved, Rounds
from mutatis.transformations.reaching import GROWN, asked_instead, exchanged_for, user_values

TWO_WAYS = "two ways"
"""Annotation of a turn: its value in both forms, the plain one first."""

PLAIN, OTHERWISE = "plain", "otherwise"
"""Roles of the two follow-ups, as annotated on a turn of each."""

WAY = "way"
"""Annotation of a turn: the way in which its value is written, `PLAIN` or `OTHERWISE`."""

Pair: TypeAlias = tuple[str, str]
_NUMBER = re.compile(r"\d[\d,.]*(?<![.,])")
_MEASURED = re.compile(r" (?:away|deep|heavy|high|long|tall|thick|wide)\b")
_LARGE = 1000
_ROUND = 20.0
"""From here on people give whole numbers."""

_NEAR_ENOUGH = 0.005
"""Relative error allowed for a number in another unit, so small that no limit lies between the two values."""


def _with_figures(value: Value, figures: str) -> str:
    """Return a value in the same form with other figures."""
    return _NUMBER.sub(figures, value.text, count=1)


def _figures(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _quantities(value: Value) -> Iterator[Pair]:
    """Yield a quantity ending in a half, with a point and with a comma, and a large one with and without separator."""
    if value.raw is not None and value.raw >= _LARGE and value.measure != "percent":
        yield _with_figures(value, "1,250"), _with_figures(value, "1250")
    if value.raw is None or value.unit not in vocabulary().words("halves", "units") or value.raw > 100:
        return
    half = _figures(int(value.raw) + 0.5)
    yield _with_figures(value, half), _with_figures(value, half.replace(".", ","))


def _abroad(value: Value) -> Iterator[Pair]:
    """Yield a quantity near the given one, in its own unit and in that of other countries."""
    words = vocabulary()
    here, there, sign = words.tables["abroad"]["warmth"]
    if value.unit == here and value.raw is not None:
        warmth = round(value.raw / 5) * 5
        yield _with_figures(value, str(warmth)), f"{warmth * 9 // 5 + 32}{sign if sign else there}"
    for unit, other, written in words.tables["abroad"]["units"]:
        if value.unit != unit or not value.raw:
            continue
        ratio = words.units[other].factor / words.units[unit].factor
        nearest = max(2, round(value.raw / ratio))
        for number in range(nearest, nearest + 10):
            plain = round(number * ratio, 1 if number * ratio < _ROUND else 0)
            if abs(plain / (number * ratio) - 1) <= _NEAR_ENOUGH:
                yield _with_figures(value, _figures(plain)), f"{number} {written}"
                return


_LENGTHS: Mapping[str, Pair] = {
    **dict.fromkeys(("h", "min"), ("90 minutes", "1.5 hours")),
    **{"week": ("2 weeks", "14 days"), "day": ("14 days", "two weeks")},
    **{"month": ("18 months", "1.5 years"), "year": ("2 years", "24 months")},
}
"""Durations by the unit of the given value, each in two units."""


def _durations(value: Value) -> Iterator[Pair]:
    if value.unit in _LENGTHS and " " in value.text and value.raw != 1:
        yield _LENGTHS[value.unit]


def _counts(value: Value) -> Iterator[Pair]:
    """Yield numbers above six, in figures and in words."""
    if value.measure == "count" and value.raw is not None and value.raw < 100:
        small = ("8", "eight") if value.raw <= 12 else ("35", "thirty-five")
        yield small
        yield ("11", "eleven") if value.raw <= 12 else ("40", "forty")


def _ages(value: Value) -> Iterator[Pair]:
    match = re.fullmatch(r"(?P<years>\d{1,2})(?P<behind>(?P<gap>[ -])years?[ -]old)?", value.text)
    if match is None or value.unit != "year":
        return
    behind, years = match["behind"] or "", int(match["years"])
    yield (f"40{behind}", f"forty{behind}") if years >= GROWN else (f"11{behind}", f"eleven{behind}")
    if years <= 5:
        yield ("18-month-old", "one-and-a-half-year-old") if match["gap"] == "-" else ("18 months old", "1.5 years old")


def _amounts(value: Value) -> Iterator[Pair]:
    """Yield an amount with cents after a point and after a comma, and a large amount with and without separator."""
    if not value.text.isascii() and value.unit != "euro":
        return
    if value.unit == "euro" and value.raw is not None and value.raw < 1000:
        cents = f"{int(value.raw)}.50"
        yield _with_figures(value, cents), _with_figures(value, cents.replace(".", ","))
    if value.raw is not None and value.raw >= 100:
        yield _with_figures(value, "1,250"), _with_figures(value, "1250")


def _dates(value: Value) -> Iterator[Pair]:
    """Yield a day above twelve in the same month, in figures with day or month first, and as an ISO date."""
    if value.measure != "date" or len(value.key) < 4:
        return
    year, month, day = (int(float(part)) for part in value.key[1:4])
    if not (month and day):
        return
    name, new = vocabulary().months[month - 1], 23 if day != 23 else 24
    behind, dotted = (f" {year}", f"/{year}") if year else ("", "")
    yield f"{new} {name}{behind}", f"{new}/{month}{dotted}"
    yield f"{new} {name}{behind}", f"{month}/{new}{dotted}"
    if year:
        early = 5 if day != 5 else 6
        yield f"{early} {name} {year}", f"{year}-{month:02}-{early:02}"


def _times(value: Value) -> Iterator[Pair]:
    """Yield half past the hour on the 24-hour clock and on the 12-hour clock."""
    hour = int(value.size // 60)
    if not value.open and 9 <= hour < 22:
        half = "pm" if hour >= 12 else "am"
        part = "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
        yield f"{hour}:30", f"{(hour - 1) % 12 + 1}:30 {half}"
        yield f"{hour}:30", f"half past {(hour - 1) % 12 + 1} in the {part}"


_FORMS: Mapping[str, Callable[[Value], Iterator[Pair]]] = {
    "quantity": _quantities,
    "duration": _durations,
    "number": _counts,
    "age": _ages,
    "amount": _amounts,
    "date": _dates,
    "time": _times,
}


def _in_forms(value: Value) -> Iterator[Pair]:
    return _FORMS[value.kind](value) if value.kind in _FORMS else iter(())


def _exchangeable(question: str) -> list[Value]:
    """Return the user's values that occur once, have figures, and are followed by text that fits any form.

    Raises:
        UnusableFollowUp: there are no such values, or the question asks for a conversion.
    """
    if CONVERTS.search(question):
        raise UnusableFollowUp("the question asks for a value in a unit of its own")
    everywhere = values(question)
    dated = any(value.measure == "weekday" for value in everywhere)
    theirs = [
        value
        for value in user_values(question)
        if sum(other.same(value) for other in everywhere) == 1 and not (value.measure == "date" and dated)
    ]
    if not theirs:
        raise UnusableFollowUp("the question gives no value of the user's own")
    return theirs


def _pairs(question: str, ways: Callable[[Value], Iterator[Pair]]) -> list[Parameters]:
    chosen: list[Parameters] = []
    for value in _exchangeable(question):
        for plain, other in ways(value):
            ends = ends_phrase(question, value.end) or _MEASURED.match(question, value.end) is not None
            ends = ends or value.kind in ("number", "age")
            if plain != other and (ends or other.endswith(value.text[-1:])):
                chosen.append({"old": value.text, "new": plain, "form": other})
    return chosen


def forms_of_another(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return other values to replace those that a user gives, each in two forms.

    Raises:
        UnusableFollowUp: the question gives no value, or none that can be written in two forms.

    >>> forms_of_another("My dog weighs 12 kg. What does it cost?", "", Dictionary())
    [{'old': '12 kg', 'new': '12.5 kg', 'form': '12,5 kg'}]
    >>> [choice["form"] for choice in forms_of_another("Can I come on 14 May?", "", Dictionary())]
    ['23/5', '5/23']
    """
    chosen = _pairs(question, _in_forms)
    if not chosen:
        raise UnusableFollowUp("the values of the question have no other form")
    return chosen


def units_of_another(question: str, answer: str, dictionary: Dictionary) -> Sequence[Parameters]:
    """Return other quantities to replace those that a user gives, each in two units in common use.

    Raises:
        UnusableFollowUp: the question gives no quantity for which other countries use another unit.

    >>> units_of_another("My dog weighs 12 kg. What does it cost?", "", Dictionary())
    [{'old': '12 kg', 'new': '11.8 kg', 'form': '26 lbs'}]
    """
    chosen = _pairs(question, _abroad)
    if not chosen:
        raise UnusableFollowUp("the question gives no quantity that other countries give in another unit")
    return chosen


Way: TypeAlias = Literal["plain", "otherwise"]


def _said(rounds: Rounds, turns: Sequence[Turn], way: Way, old: str, new: str, form: str) -> Moved:
    text = exchanged_for(turns[-1].question, old, new if way == PLAIN else form) if new else None
    return asked_instead(rounds, turns, text, **{WAY: way, TWO_WAYS: [new, form]})


@transformation(
    "another-in-two-forms",
    level="dialogue",
    capability="formats",
    says="another value, in the {way} form",
    languages=ENGLISH,
    reads=forms_of_another,
)
@as_a_whole
def another_in_two_forms(
    rounds: Rounds, turns: tuple[Turn, ...], *, way: Way = "plain", old: str = "", new: str = "", form: str = ""
) -> Moved:
    """Ask with another value, in its plain form or in another form.

    >>> turns = (Turn(fields={"message": "My dog weighs 12 kg. What does it cost?"}),)
    >>> given = {"old": "12 kg", "new": "12.5 kg", "form": "12,5 kg"}
    >>> [(_, turn)] = another_in_two_forms((0,), turns, way="otherwise", **given)
    >>> turn.fields["message"]
    'My dog weighs 12,5 kg. What does it cost?'
    """
    return _said(rounds, turns, way, old, new, form)


@transformation(
    "another-in-two-units",
    level="dialogue",
    capability="formats",
    says="another quantity, in the {way} unit",
    languages=ENGLISH,
    reads=units_of_another,
)
@as_a_whole
def another_in_two_units(
    rounds: Rounds, turns: tuple[Turn, ...], *, way: Way = "plain", old: str = "", new: str = "", form: str = ""
) -> Moved:
    """Ask with another quantity, in its own unit or in the unit of other countries.

    >>> turns = (Turn(fields={"message": "Do you deliver to places 15 km away?"}),)
    >>> [(_, turn)] = another_in_two_units((0,), turns, way="otherwise", old="15 km", new="14.5 km", form="9 miles")
    >>> turn.fields["message"]
    'Do you deliver to places 9 miles away?'
    """
    return _said(rounds, turns, way, old, new, form)
