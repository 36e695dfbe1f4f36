"""Chooses a different value of the same kind and format, to replace a value in a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import TypeAlias

from mutatis.languages import listed
from mutatis.text.letter_case import like
from mutatis.text.values.vocabulary import vocabulary
from mutatis.text.values.written import Key, Written, commas_for_points, points_for_commas

Drawn: TypeAlias = tuple[str, Key, float | None]
"""A new value: its text, its key, and its number, if any."""

_SUM = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{2})?|\d+(?:\.\d{2})?")
_FIGURES = re.compile(r"[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)[\u00bc-\u00be]?")
_YEARS = range(1000, 2100)


def moved(written: str, step: int, language: str = "en") -> str:
    """Return a larger number in the same format. Number words from two to twelve are also accepted.

    >>> moved("1973", 4), moved("1,204", 4), moved("7", 4), moved("two", 4)
    ('1977', '1,604', '11', 'six')
    """
    words = vocabulary(language).ones[2:13]
    if written.lower() in words:
        place = words.index(written.lower()) + step
        return like(written, words[place]) if place < len(words) else str(place + 2)
    value = int(written.replace(",", ""))
    if "," not in written and value in _YEARS:
        return str(value + step)
    unit = 10 ** max(0, len(str(value)) - 2)
    return f"{value + step * unit:,}" if "," in written else str(value + step * unit).zfill(len(written))


def other_than(value: Written, rng: Random, besides: Collection[Written] = ()) -> Drawn:
    """Choose a different value of the same kind, avoiding those in `besides`.

    A value without a listed alternative is returned unchanged.
    """
    if value.kind in ("duration", "amount") and value.raw is None:  # a span in two units has no number of its own
        return _unchanged(value)
    draw = _OF_MEASURE.get(value.measure) or _OF_KIND[value.kind]
    if not value.words.writes_comma or value.kind in ("date", "time", "name", "code"):
        return draw(value, rng, besides)
    thousands = value.words.thousands
    text, key, raw = draw(replace(value, text=points_for_commas(value.text, thousands)), rng, besides)
    return commas_for_points(text, thousands), key, raw


def _unchanged(value: Written) -> Drawn:
    return value.text, value.key, value.raw


def _sized(value: Written, text: str, raw: float) -> Drawn:
    """Return a value with a different number and the same unit."""
    unit = value.words.units.get(value.unit)
    factor = value.size / value.raw if value.raw else unit.factor if unit else 0.01 if value.unit == "%" else 1.0
    return text, (value.measure, round(raw * factor, 9)), raw


def _weekday(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    by = 1 + int(rng.random() * 5)
    days, plural = value.words.weekdays, value.text.lower().endswith("s")
    if plural and any(day.endswith("s") for day in days):  # "los lunes": these have no form of their own for it
        by = next(way for way in (*range(by, 7), *range(1, by)) if days[(int(value.size) + way) % 7].endswith("s"))
    return later_weekday(value, by), ("weekday", (value.size + by) % 7), None


def later_weekday(value: Written, by: int) -> str:
    """Return the weekday that comes a number of days later.

    >>> from mutatis.text.values import whole_value
    >>> later_weekday(whole_value("saturday"), 2)
    'Monday'
    """
    days = value.words.weekdays
    for row in value.words.rows_of_weekdays[1:]:
        days = row if value.text in row else days
    return like(value.text, days[(int(value.size) + by) % len(days)])


def _number(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    """Return a slightly larger number.

    A smaller number could leave the answer unchanged: what is large enough for more people is also large enough for
    fewer.
    """
    if not value.text.isdigit() and any(map(str.isdigit, value.text)):
        return _amount(value, rng, besides)
    if value.size != int(value.size):
        return _unchanged(value)  # "half", "two thirds"
    old, ones = int(value.size), value.words.ones
    taken = {other.size for other in besides if other.measure == value.measure}
    new = rng.choice([number for number in range(old + 1, old + 6) if number not in taken])
    text = like(value.text, ones[new]) if value.text[0].isalpha() and new < len(ones) else str(new)
    return text, (value.measure, float(new)), float(new)


def _amount(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    number, step = _SUM.search(value.text), 2 + int(rng.random() * 6)
    if number is None:
        return _measured(value, rng, besides)
    whole, point, cents = number.group().partition(".")
    text = value.text.replace(number.group(), moved(whole, step, value.language) + point + cents)
    old, new = (
        float(figures.group().replace(",", "")) for figures in map(_FIGURES.search, (value.text, text)) if figures
    )
    return _sized(value, text, round((value.raw or 0.0) * new / old, 6) if old else new)


def _measured(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    number, raw = _FIGURES.search(value.text), value.raw or 1.0
    size = raw + max(1, round(abs(raw) * (0.2 + 0.6 * rng.random())))
    if number is None and not value.words.spaces and value.measure == "percent":
        return _unchanged(value)
    if number is None:
        return _sized(value, f"{_short(size, value)}{value.words.gap}{_unit_in_words(value)}", size)
    written = f"{size:,.0f}" if "," in number.group() else f"{size:g}"
    raw = float(written.replace(",", ""))
    return _sized(value, value.text[: number.start()] + written + value.text[number.end() :], raw)


def _short(size: float, value: Written) -> str:
    """Return a number in words if possible, otherwise in digits."""
    ones = value.words.ones
    return ones[int(size)] if size == int(size) and size < len(ones) else f"{size:g}"


def _unit_in_words(value: Written) -> str:
    unit = value.words.units.get(value.unit)
    return unit.plurals[unit.names[0]] if unit and unit.names else value.text.partition(" ")[2]


def _age(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    raw = value.raw or 0.0
    if not value.text[0].isdigit():
        return _unchanged(value)
    new = int(raw) + 1 + int(rng.random() * 5)
    return _sized(value, re.sub(r"\A\d+", str(new), value.text), float(new))


def _date(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    old = int(float(value.key[3]))
    new = (old + 3 + int(rng.random() * 20)) % 28 + 1
    new = new if new != old else new % 28 + 1
    return with_day(value, new), (*value.key[:3], float(new)), None


def with_day(value: Written, day: int) -> str:
    """Return a date in the same format, with a different day of the month.

    >>> from mutatis.text.values import whole_value
    >>> with_day(whole_value("May 3rd"), 12), with_day(whole_value("2026-05-03"), 12)
    ('May 12th', '2026-05-12')
    >>> with_day(whole_value("13-05-2026"), 12), with_day(whole_value("05-13-2026"), 12)
    ('12-05-2026', '05-12-2026')
    """
    _, _, _, number, *_ = value.key
    old, known = int(float(number)), value.words
    if re.fullmatch(r"\d{4}\D\d+\D\d+", value.text):
        return re.sub(r"\d+\Z", f"{day:02}", value.text)
    if numeric := re.fullmatch(r"(\d+)[/-](\d+)[/-]\d{4}", value.text):
        month_first = any(way.turns for way in known.dates) and int(numeric[2]) == old
        start, end = numeric.span(2 if month_first else 1)
        return f"{value.text[:start]}{day:02}{value.text[end:]}"
    ordinals = {int(size): word for word, size in known.ordinals.items()}
    numbered = known.tables["calendar"].get("days")  # days with a word of their own: "1er mars"
    if numbered and re.search(r"[^\W\d_]{3}", value.text):
        ways = [word for word in (ordinals.get(old), numbered.get(str(old)), f"0?{old}") if word]
        old_day = rf"\A(?:{'|'.join(ways)})(?!\w)"
        return re.sub(old_day, numbered.get(str(day), str(day)), value.text, flags=re.IGNORECASE)
    if old in ordinals and ordinals[old] in value.text.lower():
        return re.sub(ordinals[old], known.ordinal(day), value.text, flags=re.IGNORECASE)
    pattern = re.compile(rf"(?<!\d)0?{old}(st|nd|rd|th)?(?!\d)")
    if not known.spaces and (places := list(pattern.finditer(value.text))):  # the day is last: 3月3日
        return value.text[: places[-1].start()] + str(day) + value.text[places[-1].end() :]
    return pattern.sub(lambda m: known.ordinal(day) if m.group(1) else str(day), value.text, count=1)


def on_day(value: Written, month: int, day: int) -> str | None:
    """Return a date in the same format on a different day of its year, or None if the format cannot be kept.

    >>> from mutatis.text.values import whole_value
    >>> [on_day(whole_value(date), 4, 7) for date in ("31 March", "Mar 3rd, 2027", "2027-03-31", "3/12/2027")]
    ['7 April', 'Apr 7th, 2027', '2027-04-07', None]
    """
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value.text):
        return f"{value.text[:4]}-{month:02}-{day:02}"
    known, words = value.words, re.finditer(r"[^\W\d_]+", with_day(value, day))
    named = next((word for word in words if word.group().lower() in known.month_numbers), None)
    if named is None:
        return None
    short = len(named.group()) == 3 and named.group().lower() != known.months[int(float(value.key[2])) - 1].lower()
    new = known.words("calendar", "short_months")[month - 1] if short else known.months[month - 1]
    return f"{named.string[: named.start()]}{like(named.group(), new)}{named.string[named.end() :]}"


def _time(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    hours, low = re.search(r"\d+", value.text), value.text.lower().rstrip(".")
    share = rng.random()
    if hours is not None and (likely := _hours_of(low[: hours.start()].strip(), value)):
        others = [hour for hour in likely if (hour - 1) % 12 + 1 != int(hours.group())]
        new = others[int(share * len(others))]
        text = f"{value.text[: hours.start()]}{(new - 1) % 12 + 1}{value.text[hours.end() :]}"
        return text, ("time of day", new * 60.0 + value.size % 60), None
    if hours is None or hours.start() or low in value.words.tables["clock"]["words"]:
        return _unchanged(value)
    spoken = low.endswith(tuple(value.words.tables["clock"]["parts"]))
    hour, half = int(hours.group()), spoken or low.endswith("m")
    likely = range(8, 22) if not half else range(8, 12) if value.size < 720 else range(1, 9)
    others = [other for other in likely if other != hour]
    new = others[int(share * len(others))]
    text = re.sub(r"\d+", str(new).zfill(1 if half else len(hours.group())), value.text, count=1)
    noon = 12 if value.size >= 720 and (half or hour < 12) and new < 12 else 0
    return text, ("time of day", (new + noon) * 60.0 + value.size % 60), None


def _hours_of(part: str, value: Written) -> Sequence[int]:
    """Return the hours in a part of the day, for a language that writes this part before the hour."""
    parts = value.words.tables.get("written", {}).get("parts_of_day", ())
    begins = {name: (first, following[0]) for (first, name), following in pairwise([*parts, (_NIGHT, "")])}
    first, end = begins.get(part, (0, 0))
    return range(first, end) if end > first + 1 else ()


_NIGHT = 22


def _size(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    rows: list[list[str]] = [row.split() for row in value.words.tables["sizes"]["rows"]]
    for row in rows:
        low = [size.lower() for size in row]
        if value.text.lower() in low:
            new = row[(low.index(value.text.lower()) + 1) % len(row)]
            return new, ("size", new.lower()), None
    return _unchanged(value)


def _name(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    taken = {str(other.key[1]) for other in besides} | {str(value.key[1])}
    choices = [name for name in _listed(value) if name.lower() not in taken]
    if not choices:
        return _unchanged(value)
    new = rng.choice(choices)
    text = like(value.text, new.lower() if value.text.islower() else new)
    return text, (value.measure, text.lower()), None


def _listed(value: Written) -> tuple[str, ...]:
    """Return all names in the list that contains the given name, such as all cities."""
    if value.unit == "country":
        return tuple(row.split()[0] for row in listed("nations", value.language))
    if value.unit == "city":
        return tuple(name for row in listed("places", value.language) for name in row.split())
    groups = [row.split() for row in "\n".join(listed("given_names", value.language)).split("-----")]
    return tuple(next((group for group in groups if value.text in group), ()))


def _code(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    """Return a code with a different last digit. An IBAN is not changed, because its check digits would be wrong."""
    step = 1 + int(rng.random() * 8)
    if value.unit == "iban":
        return _unchanged(value)
    text = re.sub(r"\d(?=\D*\Z)", lambda match: str((int(match.group()) + step) % 10), value.text)
    return text, ("code", "".join(filter(str.isalnum, text)).upper()), None


def _month(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    place = (int(float(value.key[2])) + int(rng.random() * 10)) % 12
    text = re.sub(r"\A[^\W\d]+\.?", value.words.months[place], value.text)
    return text, (*value.key[:2], float(place + 1), *value.key[3:]), None


def _year(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    new = value.size + 1 + int(rng.random() * 5)
    return str(int(new)), ("year", new), new


def _decade(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    new = value.size + 10 * (1 + int(rng.random() * 3))
    return f"{int(new)}s", ("decade", new), new


def _other_day(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    days = [day for day in value.words.words("calendar", "other_days") if day != value.key[1]]
    new = days[int(rng.random() * len(days))]
    return like(value.text, new), ("day", new), None


def _ordinal(value: Written, rng: Random, besides: Collection[Written]) -> Drawn:
    new = int(value.size) + 1 + int(rng.random() * 5)
    words = value.words.words("numbers", "ordinals")
    spelt = not value.text[0].isdigit() and new <= len(words)
    text = like(value.text, words[new - 1]) if spelt else value.words.ordinal(new)
    return text, ("ordinal", float(new)), float(new)


_Draw = Callable[[Written, Random, Collection[Written]], Drawn]
_OF_KIND: Mapping[str, _Draw] = {
    **{"number": _number, "amount": _amount, "quantity": _measured, "duration": _measured, "age": _age},
    **{"time": _time, "name": _name, "code": _code},
}
_OF_MEASURE: Mapping[str, _Draw] = {
    **{"weekday": _weekday, "date": _date, "month": _month, "year": _year, "decade": _decade, "day": _other_day},
    **{"size": _size, "ordinal": _ordinal, "discount": lambda value, rng, besides: _unchanged(value)},
}
