"""Another value of a kind, written in the same way: what takes a value's place in a question.

Must not know the questions. The step is drawn first, so that one draw gives one value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from random import Random

from mutatis.languages import listed
from mutatis.text.letter_case import like
from mutatis.text.values.reading import whole_value
from mutatis.text.values.value import Value

_SUM = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+(?:\.\d{2})?")
_FIGURES = re.compile(r"[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)[\u00bc-\u00be]?")
_YEARS = range(1000, 2100)


def moved(written: str, step: int, words: Sequence[str]) -> str:
    """Return a larger number in the same form; `words` are those from two to twelve.

    >>> from mutatis.text.values import vocabulary
    >>> small = vocabulary().ones[2:13]
    >>> moved("1973", 4, small), moved("1,204", 4, small), moved("7", 4, small), moved("two", 4, small)
    ('1977', '1,604', '11', 'six')
    """
    if written.lower() in words:
        place = words.index(written.lower()) + step
        return like(written, words[place]) if place < len(words) else str(place + 2)
    value = int(written.replace(",", ""))
    if "," not in written and value in _YEARS:
        return str(value + step)
    unit = 10 ** max(0, len(str(value)) - 2)
    return f"{value + step * unit:,}" if "," in written else str(value + step * unit).zfill(len(written))


def other_than(value: Value, rng: Random, besides: Collection[Value] = ()) -> Value:
    """Draw another value of a value's kind; `besides` are left out."""
    text = _text(value, rng, besides)
    if value.kind == "name":
        return replace(value, text=text, key=(value.key[0], text.lower()))
    read = whole_value(text, value.language)
    if read is None or text == value.text:
        return value
    if value.kind == "age" and read.kind == "number":  # "I am 16": the number alone is no age
        months = value.words.units[value.unit].factor * read.size
        return replace(value, text=text, key=("age", months), raw=read.size)
    if value.kind == "number" and read.measure == "year":
        read = replace(read, kind="number", key=("count", read.size))
    return replace(read, start=value.start, unit=value.unit if read.kind == "number" else read.unit)


def _text(value: Value, rng: Random, besides: Collection[Value]) -> str:
    if value.measure in _OTHER_MEASURES:
        return _OTHER_MEASURES[value.measure](value, rng, besides)
    return _OTHER_KINDS[value.kind](value, rng, besides)


def _weekday(value: Value, rng: Random, besides: Collection[Value]) -> str:
    return later_weekday(value, 1 + int(rng.random() * 5))


def later_weekday(value: Value, by: int) -> str:
    """Return the day of the week so many days later.

    >>> later_weekday(whole_value("saturday"), 2)
    'Monday'
    """
    days = value.words.weekdays
    return like(value.text, days[(int(value.size) + by) % len(days)])


def _number(value: Value, rng: Random, besides: Collection[Value]) -> str:
    """Return a larger number: what is large enough for more is so for fewer, and may be said again."""
    if not (value.text.isdigit() or value.text.isalpha()):
        return _amount(value, rng, besides)
    old, ones = int(value.size), value.words.ones
    taken = {other.size for other in besides if other.measure == value.measure}
    new = rng.choice([number for number in range(old + 1, old + 6) if number not in taken])
    return like(value.text, ones[new]) if value.text[0].isalpha() and new < len(ones) else str(new)


def _amount(value: Value, rng: Random, besides: Collection[Value]) -> str:
    number = _SUM.search(value.text)
    step = 2 + int(rng.random() * 6)
    if number is None:
        return value.text
    whole, point, cents = number.group().partition(".")
    return value.text.replace(number.group(), moved(whole, step, value.words.ones[2:13]) + point + cents)


def _measured(value: Value, rng: Random, besides: Collection[Value]) -> str:
    number, raw = _FIGURES.search(value.text), value.raw or 1.0
    size = raw + max(1, round(abs(raw) * (0.2 + 0.6 * rng.random())))
    if number is None:
        return f"{_short(size, value)} {_unit_in_words(value)}"
    written = f"{size:,.0f}" if "," in number.group() else f"{size:g}"
    return value.text[: number.start()] + written + value.text[number.end() :]


def _short(size: float, value: Value) -> str:
    """Return a number in words where it has one, else in figures."""
    ones = value.words.ones
    return ones[int(size)] if size == int(size) and size < len(ones) else f"{size:g}"


def _unit_in_words(value: Value) -> str:
    unit = value.words.units.get(value.unit)
    return unit.plurals[unit.names[0]] if unit and unit.names else value.text.partition(" ")[2]


def _age(value: Value, rng: Random, besides: Collection[Value]) -> str:
    return re.sub(r"\A\d+", lambda match: str(int(match.group()) + 1 + int(rng.random() * 5)), value.text)


def _date(value: Value, rng: Random, besides: Collection[Value]) -> str:
    old = int(float(value.key[3]))
    new = (old + 3 + int(rng.random() * 20)) % 28 + 1
    new = new if new != old else new % 28 + 1
    return with_day(value, new)


def with_day(value: Value, day: int) -> str:
    """Return a date as it is written with another day of the month.

    >>> with_day(whole_value("May 3rd"), 12), with_day(whole_value("2026-05-03"), 12)
    ('May 12th', '2026-05-12')
    """
    old = int(float(value.key[3]))
    if re.fullmatch(r"\d{4}\D\d+\D\d+", value.text):
        return f"{value.text[:-2]}{day:02}"
    ordinal = value.words.ordinal(day)
    pattern = re.compile(rf"(?<!\d)0?{old}(st|nd|rd|th)?(?!\d)")
    return pattern.sub(lambda match: ordinal if match.group(1) else str(day), value.text, count=1)


def _time(value: Value, rng: Random, besides: Collection[Value]) -> str:
    hours, low = re.search(r"\d+", value.text), value.text.lower()
    share = rng.random()
    if hours is None:
        return value.text
    hour, half = int(hours.group()), low.endswith("m")
    likely = range(8, 12) if low.endswith("am") else range(1, 9) if low.endswith("pm") else range(8, 22)
    others = [other for other in likely if other != hour]
    new = str(others[int(share * len(others))]).zfill(1 if half else len(hours.group()))
    return re.sub(r"\d+", new, value.text, count=1)


def _size(value: Value, rng: Random, besides: Collection[Value]) -> str:
    if value.text.isdigit():
        return str(int(value.text) + 2)
    rows: list[list[str]] = [row.split() for row in value.words.tables["sizes"]["rows"]]
    row = next(row for row in rows if value.text.lower() in [size.lower() for size in row])
    place = [size.lower() for size in row].index(value.text.lower())
    return row[(place + 1) % len(row)]


def _name(value: Value, rng: Random, besides: Collection[Value]) -> str:
    taken = {str(other.key[1]) for other in besides} | {str(value.key[1])}
    choices = [name for name in _listed(value) if name.lower() not in taken]
    new = rng.choice(choices) if choices else value.text
    return like(value.text, new.lower() if value.text.islower() else new)


def _listed(value: Value) -> tuple[str, ...]:
    """Return the names of the list that a name stands in."""
    if value.unit == "country":
        return tuple(row.split()[0] for row in listed("nations", value.language))
    if value.unit == "city":
        return tuple(name for row in listed("places", value.language) for name in row.split())
    groups = [row.split() for row in "\n".join(listed("given_names", value.language)).split("-----")]
    return tuple(next((group for group in groups if value.text in group), ()))


def _code(value: Value, rng: Random, besides: Collection[Value]) -> str:
    """Return a code with its last digit moved on: the check of an IBAN would not hold, so that stays."""
    if value.unit == "iban":
        return value.text
    step = 1 + int(rng.random() * 8)
    return re.sub(r"\d(?=\D*\Z)", lambda match: str((int(match.group()) + step) % 10), value.text)


_Draw = Callable[[Value, Random, Collection[Value]], str]
_OTHER_KINDS: Mapping[str, _Draw] = {
    "number": _number,
    "amount": _amount,
    "quantity": _measured,
    "duration": _measured,
    "age": _age,
    "time": _time,
    "name": _name,
    "code": _code,
}
_OTHER_MEASURES: Mapping[str, _Draw] = {
    "weekday": _weekday,
    "date": _date,
    "size": _size,
    "month": lambda value, rng, besides: _month(value, rng),
    "year": lambda value, rng, besides: str(int(value.size) + 1 + int(rng.random() * 5)),
    "decade": lambda value, rng, besides: f"{int(value.size) + 10 * (1 + int(rng.random() * 3))}s",
    "day": lambda value, rng, besides: _other_day(value, rng),
    "ordinal": lambda value, rng, besides: _ordinal(value, rng),
}


def _month(value: Value, rng: Random) -> str:
    months = value.words.months
    place = int(float(value.key[2])) - 1
    name = months[(place + 1 + int(rng.random() * 10)) % 12]
    return re.sub(r"\A[^\W\d]+\.?", name, value.text)


def _other_day(value: Value, rng: Random) -> str:
    days = [day for day in value.words.words("calendar", "other_days") if day != value.key[1]]
    return like(value.text, days[int(rng.random() * len(days))])


def _ordinal(value: Value, rng: Random) -> str:
    new = int(value.size) + 1 + int(rng.random() * 5)
    words = value.words.words("numbers", "ordinals")
    if value.text[0].isdigit() or new > len(words):
        return value.words.ordinal(new)
    return like(value.text, words[new - 1])
