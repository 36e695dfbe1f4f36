"""Chooses a different value of the same kind and format, to replace a value in a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import NamedTuple

from mutatis.languages import given_names, listed, word_list
from mutatis.text.normalisation import like
from mutatis.text.values.vocabulary import vocabulary
from mutatis.text.values.written import Key, Written, commas_for_points, points_for_commas

_SUM = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+(?:\.\d{2})?")
"""Matches a sum of money, with cents in two digits if any."""

_FRACTION = r"[\u00bc-\u00be]"
"""Matches a fraction in one character: ¼, ½ or ¾."""

_FIGURES = re.compile(rf"[-+]?(?:\d/\d|\d[\d,]*(?:\.\d+)?|\.\d+){_FRACTION}?")
"""Matches any number in digits, with a sign before it and a fraction after it, or a fraction such as "3/4"."""

_YEARS = range(1000, 2100)


class NewValue(NamedTuple):
    """The text, key and number of a value that replaces another one. Its number is None if it has none."""

    text: str
    key: Key
    raw: float | None = None


def moved(written: str, step: int, language: str = "en") -> str:
    """Return a larger number in the same format. Number words from two to twelve are also accepted.

    >>> moved("1973", 4), moved("1,204", 4), moved("7", 4), moved("two", 4)
    ('1977', '1,604', '11', 'six')
    """
    words = vocabulary(language).ones[:13]
    if written.lower() in words[2:]:
        new = words.index(written.lower()) + step
        return like(written, words[new]) if new < len(words) else str(new)
    value = int(written.replace(",", ""))
    if "," not in written and value in _YEARS:
        return str(value + step)
    new = value + step * 10 ** max(0, len(str(value)) - 2)  # a larger number changes in its second digit
    return f"{new:,}" if "," in written else str(new).zfill(len(written))


def other_than(value: Written, rng: Random, besides: Collection[Written] = ()) -> NewValue:
    """Choose a different value of the same kind, avoiding those in `besides`.

    A value without a listed alternative is returned unchanged.
    """
    if value.kind in ("duration", "amount") and value.raw is None:  # a span in two units has no number of its own
        return _unchanged(value)
    choose = _BY_MEASURE.get(value.measure) or _BY_KIND[value.kind]
    if not value.words.writes_comma or value.kind in ("date", "time", "name", "code"):
        return choose(value, rng, besides)
    thousands = value.words.thousands
    new = choose(replace(value, text=points_for_commas(value.text, thousands)), rng, besides)
    return new._replace(text=commas_for_points(new.text, thousands))


def _unchanged(value: Written) -> NewValue:
    return NewValue(value.text, value.key, value.raw)


def _with_number(value: Written, text: str, raw: float) -> NewValue:
    """Return a value with a different number and the same unit. `raw` is the number without the unit's factor."""
    unit = value.words.units.get(value.unit)
    if value.raw:
        factor = value.size / value.raw
    elif unit:
        factor = unit.factor
    else:
        factor = 0.01 if value.unit == "%" else 1.0
    return NewValue(text, (value.measure, round(raw * factor, 9)), raw)


def _weekday(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    by = 1 + int(rng.random() * 5)
    days, plural = value.words.weekdays, value.text.lower().endswith("s")
    if plural and any(day.endswith("s") for day in days):
        # In "los lunes" the name itself is the plural, so another day whose name ends in "s" must follow "los".
        steps = (*range(by, 7), *range(1, by))
        by = next(step for step in steps if days[(int(value.size) + step) % 7].endswith("s"))
    return NewValue(later_weekday(value, by), ("weekday", (value.size + by) % 7))


def later_weekday(value: Written, by: int) -> str:
    """Return the weekday that comes a number of days later.

    >>> from mutatis.text.values import whole_value
    >>> later_weekday(whole_value("saturday"), 2)
    'Monday'
    """
    days = value.words.weekdays
    for other_names in value.words.rows_of_weekdays[1:]:
        days = other_names if value.text in other_names else days
    return like(value.text, days[(int(value.size) + by) % len(days)])


def _number(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    """Return a slightly larger number.

    A smaller number could leave the answer unchanged: what is large enough for more people is also large enough for
    fewer.
    """
    if "/" in value.text:
        return _unchanged(value)  # it may be a size: there is a 3/4 violin, but no 5/4 violin
    if not value.text.isdigit() and any(map(str.isdigit, value.text)):
        return _amount(value, rng, besides)
    if value.size != int(value.size):
        return _unchanged(value)  # "half", "two thirds"
    old, ones = int(value.size), value.words.ones
    taken = {other.size for other in besides if other.measure == value.measure}
    near = [number for number in range(old + 1, old + 6) if number not in taken]
    new = rng.choice(near or [int(max(taken)) + 1])
    text = like(value.text, ones[new]) if value.text[0].isalpha() and new < len(ones) else str(new)
    return NewValue(text, (value.measure, float(new)), float(new))


def _amount(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    """Return a larger amount. Its cents and a scale such as "million" stay the same."""
    number, step = _SUM.search(value.text), 2 + int(rng.random() * 6)
    if number is None or re.search(f"{_FRACTION}|/", value.text):
        return _measured(value, rng, besides)
    whole, point, cents = number.group().partition(".")
    text = value.text.replace(number.group(), moved(whole, step, value.language) + point + cents)
    old, new = (
        float(figures.group().replace(",", "")) for figures in map(_FIGURES.search, (value.text, text)) if figures
    )
    return _with_number(value, text, round((value.raw or 0.0) * new / old, 6) if old else new)


def _measured(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    """Return a quantity with a larger number: by 20 to 80 %, and at least by one."""
    number, raw = _FIGURES.search(value.text), value.raw or 1.0
    larger = raw + max(1, round(abs(raw) * (0.2 + 0.6 * rng.random())))
    if number is None and not value.words.spaces and value.measure == "percent":
        return _unchanged(value)  # in Chinese, "percent" stands before the number
    if number is None:
        unit = value.words.units.get(value.unit)
        noun = unit.plurals[unit.names[0]] if unit and unit.names else value.text.partition(" ")[2]
        return _with_number(value, f"{_in_short(larger, value)}{value.words.gap}{noun}", larger)
    written = f"{larger:,.0f}" if "," in number.group() else f"{larger:g}"
    behind = value.text[number.end() :]
    if value.kind == "duration" and raw == 1:  # "1 day" becomes "2 days"
        noun = behind.strip()
        behind = behind.replace(noun, value.words.units[value.unit].plurals.get(noun, noun))
    return _with_number(value, value.text[: number.start()] + written + behind, float(written.replace(",", "")))


def _in_short(number: float, value: Written) -> str:
    """Return a number as one word if there is one, otherwise in digits."""
    ones = value.words.ones
    return ones[int(number)] if number == int(number) and number < len(ones) else f"{number:g}"


def _age(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    if not value.text[0].isdigit():
        return _unchanged(value)
    new = int(value.raw or 0.0) + 1 + int(rng.random() * 5)
    return _with_number(value, re.sub(r"\A\d+", str(new), value.text), float(new))


def _date(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    """Return a date with a different day from 1 to 28, which every month has."""
    old = value.date.day
    new = (old + 3 + int(rng.random() * 20)) % 28 + 1
    new = new if new != old else new % 28 + 1
    return NewValue(with_day(value, new), value.date._replace(day=new).key)


def with_day(value: Written, day: int) -> str:
    """Return a date in the same format, with a different day of the month.

    >>> from mutatis.text.values import whole_value
    >>> with_day(whole_value("May 3rd"), 12), with_day(whole_value("2026-05-03"), 12)
    ('May 12th', '2026-05-12')
    >>> with_day(whole_value("13-05-2026"), 12), with_day(whole_value("05-13-2026"), 12)
    ('12-05-2026', '05-12-2026')
    """
    if re.fullmatch(r"\d{4}\D\d+\D\d+", value.text):
        return re.sub(r"\d+\Z", f"{day:02}", value.text)
    if in_figures := re.fullmatch(r"(?P<first>\d+)[/-](?P<second>\d+)[/-]\d{4}", value.text):
        either_order = any(way.either_order for way in value.words.dates)
        month_first = either_order and int(in_figures["second"]) == value.date.day
        start, end = in_figures.span("second" if month_first else "first")
        return f"{value.text[:start]}{day:02}{value.text[end:]}"
    return _with_day_in_words(value, day)


def _with_day_in_words(value: Written, day: int) -> str:
    """Return a date that names its month with a different day. The day may be written as a word ("first", "1er")."""
    old, known = value.date.day, value.words
    ordinals = {int(size): word for word, size in known.ordinals.items()}
    named_days = known.tables["calendar"].get("days")  # days with a word of their own: "1er mars"
    if named_days and re.search(r"[^\W\d_]{3}", value.text):
        forms = [form for form in (ordinals.get(old), named_days.get(str(old)), f"0?{old}") if form]
        old_day = rf"\A(?:{'|'.join(forms)})(?!\w)"
        return re.sub(old_day, named_days.get(str(day), str(day)), value.text, flags=re.IGNORECASE)
    if old in ordinals and ordinals[old] in value.text.lower():
        return re.sub(ordinals[old], known.ordinal(day), value.text, flags=re.IGNORECASE)
    number = re.compile(rf"(?<!\d)0?{old}(?P<ending>st|nd|rd|th)?(?!\d)")
    if not known.spaces and (places := list(number.finditer(value.text))):
        start, end = places[-1].span()  # the month, which may be the same number, is before the day: 3月3日
        return f"{value.text[:start]}{day}{value.text[end:]}"
    return number.sub(lambda match: known.ordinal(day) if match["ending"] else str(day), value.text, count=1)


def on_day(value: Written, month: int, day: int) -> str | None:
    """Return a date in the same format on a different day of its year, or None if the format cannot be kept.

    >>> from mutatis.text.values import whole_value
    >>> [on_day(whole_value(date), 4, 7) for date in ("31 March", "Mar 3rd, 2027", "2027-03-31", "3/12/2027")]
    ['7 April', 'Apr 7th, 2027', '2027-04-07', None]
    """
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value.text):
        return f"{value.text[:4]}-{month:02}-{day:02}"
    known, words = value.words, re.finditer(r"[^\W\d_]+", with_day(value, day))
    month_name = next((word for word in words if word.group().lower() in known.month_numbers), None)
    if month_name is None:
        return None
    old, whole_text = month_name.group(), month_name.string
    is_short = len(old) == 3 and old.lower() != known.months[value.date.month - 1].lower()  # "May" is not shortened
    names = known.words("calendar", "short_months") if is_short else known.months
    return f"{whole_text[: month_name.start()]}{like(old, names[month - 1])}{whole_text[month_name.end() :]}"


def _time(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    """Return a time with a different hour of the same half of the day, or the same time if it has no hour in digits.

    The hour is a usual one for appointments. In English, "9:30" becomes an hour from 8 to 21, "9:30 am" and "8 in the
    evening" one of that half of the day. "Noon" and "half past nine" stay the same.
    """
    digits, low = re.search(r"\d+", value.text), value.text.lower().rstrip(".")
    share = rng.random()
    if digits is not None and (hours := _hours_of(low[: digits.start()].strip(), value)):  # "下午3点"
        new = _at_share(share, [hour for hour in hours if _on_dial(hour) != int(digits.group())])
        text = f"{value.text[: digits.start()]}{_on_dial(new)}{value.text[digits.end() :]}"
        return NewValue(text, _time_key(new, value))
    if digits is None or digits.start() or low in value.words.tables["clock"]["words"]:
        return _unchanged(value)
    has_part_of_day = low.endswith(tuple(value.words.tables["clock"]["parts"]))
    hour, of_half_a_day = int(digits.group()), has_part_of_day or low.endswith("m")  # "am", "p.m."
    hours = range(8, 22)
    if of_half_a_day:
        hours = range(8, 12) if value.size < _NOON else range(1, 9)
    new = _at_share(share, [other for other in hours if other != hour])
    text = re.sub(r"\d+", str(new).zfill(1 if of_half_a_day else len(digits.group())), value.text, count=1)
    is_afternoon = value.size >= _NOON and (of_half_a_day or hour < 12) and new < 12
    return NewValue(text, _time_key(new + 12 if is_afternoon else new, value))


_NOON = 12 * 60


def _at_share(share: float, hours: Sequence[int]) -> int:
    return hours[int(share * len(hours))]


def _on_dial(hour: int) -> int:
    """Return an hour of the day as a number from 1 to 12."""
    return (hour - 1) % 12 + 1


def _time_key(hour: int, value: Written) -> Key:
    """Return the key of a time with this hour and the minutes of a value."""
    return "time of day", hour * 60.0 + value.size % 60


def _hours_of(part: str, value: Written) -> Sequence[int]:
    """Return the hours in a part of the day, for a language that writes this part before the hour.

    Return () for any other text, and for a part of a single hour, such as noon, which has no other hour.
    """
    parts = value.words.tables.get("written", {}).get("parts_of_day", ())
    for (first, name), (end, _) in pairwise([*parts, (_NIGHT, "")]):
        if name == part:
            return range(first, end) if end > first + 1 else ()
    return ()


_NIGHT = 22


def _size(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    """Return the next larger size, or the smallest after the largest."""
    rows: list[list[str]] = [row.split() for row in value.words.tables["sizes"]["rows"]]
    for row in rows:
        low = [size.lower() for size in row]
        if value.text.lower() in low:
            new = row[(low.index(value.text.lower()) + 1) % len(row)]
            return NewValue(new, ("size", new.lower()))
    return _unchanged(value)


def _name(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    taken = {name for _, name, *_ in (value.key, *(other.key for other in besides))}
    choices = [name for name in _names_of_kind(value) if name.lower() not in taken]
    if not choices:
        return _unchanged(value)
    new = rng.choice(choices)
    text = like(value.text, new.lower() if value.text.islower() else new)
    return NewValue(text, (value.measure, text.lower()))


def _names_of_kind(value: Written) -> tuple[str, ...]:
    """Return all names in the list that contains the given name: cities, countries, or given names of one gender."""
    if value.unit == "country":
        return tuple(row.split()[0] for row in listed("nations", value.language))
    if value.unit == "city":
        return word_list("places", value.language)
    return next((names for names in given_names(value.language) if value.text in names), ())


def _code(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    """Return a code with a different last digit. An IBAN is not changed, because its check digits would be wrong."""
    step = 1 + int(rng.random() * 8)
    if value.unit == "iban":
        return _unchanged(value)
    text = re.sub(r"\d(?=\D*\Z)", lambda match: str((int(match.group()) + step) % 10), value.text)
    return NewValue(text, ("code", "".join(filter(str.isalnum, text)).upper()))


def _month(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    new = (value.date.month + int(rng.random() * 10)) % 12 + 1
    text = re.sub(r"\A[^\W\d]+\.?", value.words.months[new - 1], value.text)
    return NewValue(text, value.date._replace(month=new).key)


def _year(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    new = value.size + 1 + int(rng.random() * 5)
    return NewValue(str(int(new)), ("year", new), new)


def _decade(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    new = value.size + 10 * (1 + int(rng.random() * 3))
    return NewValue(f"{int(new)}s", ("decade", new), new)


def _other_day(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    days = [day for day in value.words.words("calendar", "other_days") if ("day", day) != value.key]
    new = days[int(rng.random() * len(days))]
    return NewValue(like(value.text, new), ("day", new))


def _ordinal(value: Written, rng: Random, besides: Collection[Written]) -> NewValue:
    new = int(value.size) + 1 + int(rng.random() * 5)
    words = value.words.words("numbers", "ordinals")
    spelt = not value.text[0].isdigit() and new <= len(words)
    text = like(value.text, words[new - 1]) if spelt else value.words.ordinal(new)
    return NewValue(text, ("ordinal", float(new)), float(new))


_Choose = Callable[[Written, Random, Collection[Written]], NewValue]
_BY_KIND: Mapping[str, _Choose] = {
    **{"number": _number, "amount": _amount, "quantity": _measured, "duration": _measured, "age": _age},
    **{"time": _time, "name": _name, "code": _code},
}
_BY_MEASURE: Mapping[str, _Choose] = {
    **{"weekday": _weekday, "date": _date, "month": _month, "year": _year, "decade": _decade, "day": _other_day},
    **{"size": _size, "ordinal": _ordinal, "discount": lambda value, rng, besides: _unchanged(value)},
}
