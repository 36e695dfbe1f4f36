"""Finds other ways to write a value, such as 1500 m for 1,500 m. The value's key stays the same.

Only unambiguous forms are written. The surrounding text is not considered, but `Form.place` states whether a noun must
or must not follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from mutatis.text.letter_case import like
from mutatis.text.normalisation import in_one_case
from mutatis.text.values.han import han_number
from mutatis.text.values.vocabulary import Unit, Vocabulary, joined_number, vocabulary
from mutatis.text.values.written import Form, Written, commas_for_points, points_for_commas

_DIGITS = re.compile(r"(?P<number>\d{1,3}(?:,\d{3})+|\d+)(?P<point>\.\d+)?(?![\d\u00bc-\u00be])")
_SCALED = re.compile(r"\s?(?:million|billion|thousand|k)\b", re.IGNORECASE)
_JOINT = re.compile(r"[ -]")
_MOST_IN_PLAIN, _LONG = 1_000_000, 6
_YEARS = range(1000, 2101)
_SPOKEN = 1_000
"""Whole numbers below this limit can be written in words."""


def forms_of(value: Written) -> tuple[Form, ...]:
    """Return the other forms of a value, without duplicates and without the original form.

    >>> from mutatis.text.values import whole_value
    >>> [form.text for form in forms_of(whole_value("1,500 m"))]
    ['1500 m', '1 500 m']
    >>> [form.text for form in forms_of(whole_value("6 pm"))]
    ['6pm', '6 PM', '18:00', '6 in the evening']
    """
    made: dict[tuple[str, str, str], Form] = {}
    comma = value.words.writes_comma and value.kind not in ("date", "time", "code")
    thousands = value.words.thousands
    pointed = replace(value, text=points_for_commas(value.text, thousands)) if comma else value
    for maker in _MAKERS.get(value.kind, ()):
        for form in maker(pointed):
            shown = replace(form, text=commas_for_points(form.text, thousands)) if comma else form
            if shown.text != value.text:
                made.setdefault((shown.text, shown.style, shown.place), shown)
    return tuple(made.values())


def _thousands(value: Written) -> Iterator[Form]:
    match = _DIGITS.search(value.text)
    if match is None or _SCALED.match(value.text, match.end()):
        return
    written, point = match["number"], match["point"] or ""
    number = int(written.replace(",", ""))
    if number < 1000 or written[0] == "0" or ("," not in written and len(written) > _LONG) or len(point) > 3:
        return

    def form(level: int, text: str) -> Form:
        return Form(text=value.text[: match.start()] + text + value.text[match.end() :], style="thousands", level=level)

    yield form(1, f"{number:,}{point}")
    may_be_year = value.kind == "number" and number in _YEARS and not point and value.unit not in value.words.counted
    if number < _MOST_IN_PLAIN and not may_be_year:
        yield form(1, f"{number}{point}")
    short = number % 100 == 0 and number < _MOST_IN_PLAIN and not point and value.kind in ("number", "amount")
    if short and value.words.spaces and not value.words.writes_comma:
        yield form(2, f"{number / 1000:g}k")
    yield form(3, f"{number:,}{point}".replace(",", " "))


_DECIMALS = re.compile(r"(?<![\d.,])\d+(?P<point>[.,])\d{1,2}(?![\d.,])")


def _point(value: Written) -> Iterator[Form]:
    """Write a decimal point as a comma, as is usual in most of Europe, or a decimal comma as a point."""
    match = _DECIMALS.search(value.text)
    if match is not None and value.raw == float(match.group().replace(",", ".")):
        at, other = match.start("point"), "," if match["point"] == "." else "."
        yield Form(text=value.text[:at] + other + value.text[at + 1 :], style="point", level=2)


def _money(value: Written) -> Iterator[Form]:
    """Write an amount with its currency as a sign, code or word. The country of a dollar is never stated."""
    figures, unit = _DIGITS.search(value.text), value.words.units[value.unit]
    if figures is not None and (ways := value.words.tables.get("written", {}).get("money")) is not None:
        if _is_all(figures, value):
            yield from _in_currency((way.format(figures.group()), level) for level, way in ways.get(value.unit, ()))
        return
    if figures is None or not (unit.sign or unit.code) or not unit.names:
        return
    scale = _SCALED.match(value.text, figures.end())
    if scale is None and not _is_all(figures, value):
        return  # "€1.5m"
    in_words = re.search(rf"\b(?:{unit.names[0]}|{unit.plurals[unit.names[0]]})\b", value.text, re.IGNORECASE)
    singular = in_words is not None and in_words.group() in unit.names and value.raw != 1
    if (in_words and unit.also) or (singular and unit.sign == "$") or value.text.startswith("-", figures.end()):
        return  # pounds of flour, 3 dollar coins, a 20-euro note
    amount = figures.group() + (scale.group() if scale else "")
    name = _named(unit.names[0], amount, unit, value.words)
    if unit.sign == "$" and unit.code not in value.text.upper():
        yield Form(text=f"{amount} {name}", style="currency", level=2, place="end")
        yield from _in_currency([(f"${amount}", 1), (f"{amount}$", 2), (f"$ {amount}", 3)])
        return
    yield from _in_currency(_with_signs(amount, unit, value.words, in_figures=scale is None))
    if unit.sign and not unit.also:
        yield Form(text=f"{amount} {name}", style="currency", level=2, place="" if in_words else "end")


def _in_currency(forms: Iterable[tuple[str, int]]) -> Iterator[Form]:
    return (Form(text=text, style="currency", level=level) for text, level in forms)


def _with_signs(amount: str, unit: Unit, words: Vocabulary, *, in_figures: bool) -> list[tuple[str, int]]:
    """Return an amount with the code and the sign of its currency.

    Each form has a level of rarity, with 1 the most common.
    """
    forms = [(f"{amount} {unit.code}", 2)]
    if in_figures:
        forms.append((f"{unit.code} {amount}", 3))
    if unit.sign:
        forms += [(f"{amount} {unit.sign}", 1)] if words.writes_comma else []
        forms.append((f"{unit.sign}{amount}", words.tables["numbers"].get("sign_before", 1)))
        forms.append((f"{amount}{unit.sign}", 1 if unit.sign == "€" else 3))
    return forms


def _is_singular(number: str, words: Vocabulary) -> bool:
    """Return True if a noun is in the singular after this number: 1 or, in some languages, any number below 2."""
    bare = number.replace(",", "")
    below: float = words.tables["numbers"].get("singular_below", 0)
    return bare == "1" or (bare.replace(".", "").isdigit() and float(bare) < below)


def _named(name: str, number: str, unit: Unit, words: Vocabulary) -> str:
    return name if _is_singular(number, words) else unit.plurals[name]


def _is_all(figures: re.Match[str], value: Written) -> bool:
    """Return True if the digits are the whole number of a value, with no following word such as "million"."""
    return value.raw == float(figures.group().replace(",", ""))


def _unit(value: Written) -> Iterator[Form]:
    """Write a quantity with its unit as a symbol or a word, preceded by a space, a hyphen or nothing."""
    unit = value.words.units.get(value.unit)
    match = _DIGITS.match(value.text)
    if unit is None or match is None or not unit.symbols or not _is_all(match, value):
        return
    number, written = match.group(), value.text[match.end() :].lstrip(" -")
    short, singular = unit.symbols[0], written in unit.names
    if unit.unclear and written.lower() == short:
        return  # "5 m" may be minutes
    singular = singular and written not in unit.plurals.values()
    before_noun = value.text[match.end() : match.end() + 1] == "-" or (singular and number != "1")
    if not unit.unclear:
        yield from (Form(text=f"{number}{gap}{short}", style="unit", level=1) for gap in ("", " "))
    if unit.short:
        text = f"{number}-{unit.short[0]}" if before_noun else f"{number} {unit.short[number != '1']}"
        yield Form(text=text, style="unit", level=1)
    if before_noun:
        yield from (Form(text=f"{number}-{name}", style="unit", level=2, place="noun") for name in unit.names)
        yield from (Form(text=f"{number} {name}", style="unit", level=3, place="noun") for name in unit.names[:1])
        return
    place: Literal["", "end"] = "" if written in unit.plurals.values() else "end"
    for name in unit.names:
        text = f"{number}{value.words.gap}{_named(name, number, unit, value.words)}"
        yield Form(text=text, style="unit", level=2, place=place)


def _percent(value: Written) -> Iterator[Form]:
    match = _DIGITS.search(value.text)
    if value.measure == "percent" and match is not None and match.end() < len(value.text):
        texts = (f"{value.text[: match.end()]}{way}" for way in value.words.tables["numbers"]["percent_forms"])
        yield from (
            Form(text=text, style="percent", level=level) for level, text in zip((1, 1, 2, 3), texts, strict=False)
        )


def _equal(value: Written) -> Iterator[Form]:
    """Write a quantity in a larger or smaller unit, if the conversion is exact."""
    words, match = value.words, _DIGITS.match(value.text)
    equal = words.tables["equal"]
    hyphened = match is not None and value.text[match.end() : match.end() + 1] == "-"
    if match is None or value.unit not in words.units or hyphened or not _is_all(match, value):
        return
    whole_units, symbols = equal["whole"].split(), equal["symbols"].split()
    spelt = value.text[match.end() :].strip()
    if spelt in equal["unread"].split():
        return
    number = Decimal(match.group().replace(",", ""))
    for level, other, unit in _steps(number, value.unit, equal["steps"]):
        whole = other == other.to_integral_value()
        if (
            other != other.quantize(Decimal("0.1"))
            or (unit in whole_units and not whole)
            or (unit == "h" and other < 1)
        ):
            continue  # "0.5 hours" is written by nobody
        name = equal["written"].get(unit, unit)
        if _is_singular(str(other), words):
            name = words.units[unit].names[0] if unit in equal["written"] else unit
        place: Literal["", "end"] = "" if unit in symbols and spelt in symbols else "end"
        figures = f"{int(other):,}" if whole else f"{other.normalize():f}"
        yield Form(text=f"{figures}{words.gap}{name}", style="quantity", level=level, place=place)


def _steps(
    number: Decimal, unit: str, steps: list[tuple[int, str, str, int, int]]
) -> Iterator[tuple[int, Decimal, str]]:
    """Yield the same quantity in the next larger or smaller unit, as level, number and unit."""
    for level, large, small, ratio, most in steps:
        if unit == large and number <= most:
            yield level, number * ratio, small
        elif unit == small and Decimal("0.5") <= number / ratio <= most:
            yield level, number / ratio, large


def in_words(number: int, words: Vocabulary) -> str:
    """Return a whole number below a thousand in words.

    >>> [in_words(number, vocabulary()) for number in (7, 42, 305)]
    ['seven', 'forty-two', 'three hundred and five']
    """
    if number < len(words.ones):
        return words.ones[number]
    if words.number_item is not None:
        return han_number(number)
    if joined := words.tables["numbers"].get("joined"):
        return joined_number(number, words.ones, words.words("numbers", "tens"), joined)
    if number < 100:
        tens, ones = divmod(number, 10)
        name = words.words("numbers", "tens")[tens - 2]
        between = words.tables["numbers"].get("between", "")
        return f"{name}{f' {between} ' if between else '-'}{words.ones[ones]}" if ones else name
    hundreds, rest = divmod(number, 100)
    behind = f" {words.tables['numbers']['and']} {in_words(rest, words)}" if rest else ""
    return f"{words.ones[hundreds]} {words.words('numbers', 'long_scales')[0]}{behind}"


def _first_in_words(words: Vocabulary) -> int:
    """Return the smallest number that may be written in words. The word for 1 may depend on the noun ("ein")."""
    least: int = words.tables["numbers"].get("first_in_words", 2 if "joined" in words.tables["numbers"] else 1)
    return least


def _in_words(value: Written) -> Iterator[Form]:
    if value.measure != "count" or value.raw != value.size or value.size != int(value.size) or value.size in _YEARS:
        return
    number, words = int(value.size), value.words
    if not value.text.isdigit():
        if value.text[0].isalpha():
            yield Form(text=str(number), style="words", level=1 if number in range(2, 13) else 2)
    elif _first_in_words(words) <= number < _SPOKEN:
        yield Form(text=in_words(number, words), style="words", level=1 if number in range(2, 13) else 2)
    if value.text[0].isdigit() and (dozens := words.tables["numbers"]["dozens"].get(str(number))):
        yield Form(text=dozens, style="words", level=2)


@cache
def _spelt(language: str) -> tuple[Mapping[tuple[str, float], tuple[str, ...]], Mapping[str, str]]:
    """Return two mappings: from quantities in digits to the same quantities in words, and vice versa."""
    rows = vocabulary(language).tables["spelt"]
    spellings = vocabulary(language).spellings
    split = {row: row.split(" ", 1) for row in rows}
    figures = {
        (spellings[in_one_case(unit)].unit, float(number)): tuple(rows[row]) for row, (number, unit) in split.items()
    }
    named = {way: row for row, ways in rows.items() for way in ways if not way[0].isdigit()}
    return figures, named


def _quantity_in_words(value: Written) -> Iterator[Form]:
    figures, named = _spelt(value.language)
    unread = value.text.rpartition(" ")[2] in value.words.tables["equal"]["unread_in_words"].split()
    if value.text[0].isdigit() and value.raw is not None and not unread:
        rare = value.text in value.words.tables["equal"]["rare"]
        for words in figures.get((value.unit, value.raw), ()):
            yield Form(text=words, style="words", level=3 if rare else 1, place="end")
    elif (row := named.get(value.text.lower())) is not None:
        yield Form(text=like(value.text, row), style="words", level=1, place="end")
    unit = value.words.units.get(value.unit)
    if value.kind == "duration" or (unit is not None and not unit.symbols):
        yield from _number_in_words(value)


_GLUED = re.compile(r"(\d+|[一二两三四五六七八九十]+)(\s?)(\D+)")


def _number_in_words(value: Written) -> Iterator[Form]:
    """Write the number of a duration in words instead of digits, or vice versa: "3 days", "three days"."""
    number, blank, unit = value.text.partition(" ")
    if not value.words.spaces and (parts := _GLUED.fullmatch(value.text)) is not None:
        number, blank, unit = parts.groups()
    words = value.words.ones[2:13]
    if number.lower() in words and value.raw == words.index(number.lower()) + 2:
        yield Form(text=f"{words.index(number.lower()) + 2}{blank}{unit}", style="words", level=1)
    elif number.isdigit() and int(number) in range(2, 13) and unit:
        yield Form(text=f"{words[int(number) - 2]}{blank}{unit}", style="words", level=1)


_OLD = re.compile(r"(?P<number>\d{1,3})(?P<unit>[ -](?P<name>years?|months?)[ -]old)?")


def _age(value: Written) -> Iterator[Form]:
    """Write an age in words, with its unit, or converted from years to months or vice versa."""
    if value.words.number_item is not None and (glued := _GLUED.fullmatch(value.text)) and value.raw:
        number, _, unit = glued.groups()
        number = in_words(int(value.raw), value.words) if number.isdigit() else f"{value.raw:g}"
        yield Form(text=f"{number}{unit}", style="words", level=2)
        return
    match = _OLD.fullmatch(value.text) if value.language == "en" else None
    if match is None or value.unit not in ("year", "month"):
        return
    number, unit = int(match["number"]), match["unit"] or ""
    hyphened = unit.startswith("-")
    if number in range(2, 100):
        yield Form(text=f"{in_words(number, value.words)}{unit}", style="age", level=2)
    if not unit and number > 1:
        yield Form(text=f"{number} years old", style="age", level=1, place="end")
    if value.unit == "month" and number in (18, 24, 30, 36) and not hyphened:
        yield Form(text=f"{number / 12:g} years old", style="age", level=3)
    if value.unit == "year" and number in (2, 3) and not hyphened:
        yield Form(text=f"{number * 12} months old", style="age", level=3, place="" if unit else "end")


def _clock(value: Written) -> Iterator[Form]:
    if "full_hours" in (written := value.words.tables.get("written", {})):
        yield from _clock_of(value, written)
        return
    if value.open or value.size != int(value.size) or value.size >= 1440:
        return
    hour, minute = divmod(int(value.size), 60)
    half, bare = ("pm" if hour >= 12 else "am"), str((hour - 1) % 12 + 1)
    clock = f"{bare}:{minute:02}" if minute else bare
    for form in (f"{clock}{half}", f"{clock} {half}", f"{clock} {half.upper()}"):
        yield Form(text=form, style="clock", level=1)
    yield Form(text=f"{hour:02}:{minute:02}", style="clock", level=2)
    part = "morning" if half == "am" else "afternoon" if hour < 18 else "evening" if hour < 22 else "night"
    if 5 <= hour < 22:
        yield Form(text=f"{clock} in the {part}", style="clock", level=3)
    if value.size == 720:
        ways = ("noon", "midday", "12 noon") if value.text[0].isdigit() else ("12:00", "12 noon", "noon", "midday")
        yield from (Form(text=way, style="words", level=1) for way in ways)


def _clock_of(value: Written, written: Mapping[str, Any]) -> Iterator[Form]:
    """Write a time of day in a language that does not use "am" and "pm"."""
    if parts := written.get("parts_of_day"):
        yield from _clock_with_parts(value, written, parts)
        return
    last = re.search(r"[^\W\d]+\Z", value.text.lower())
    if not value.text[0].isdigit() or (last and last.group() not in written.get("hour_marks", "uhr").split()):
        return  # "9 Uhr abends"
    figures = re.search(r"\d+", value.text)
    assert figures is not None, "it begins with a figure"
    hour, minute = int(figures.group()), int(value.size) % 60
    if value.size == int(value.size) and hour < 24:
        for level, form in written["minutes" if minute else "full_hours"]:
            yield Form(text=form.format(hour=hour, minute=minute), style="clock", level=level)


_HALF_AN_HOUR = 30


def _clock_with_parts(value: Written, written: Mapping[str, Any], parts: Sequence[tuple[int, str]]) -> Iterator[Form]:
    """Write a time of day in digits, with or without the part of the day before it."""
    hour, minute = divmod(int(value.size), 60)
    if value.open or value.size != int(value.size) or not parts[0][0] <= hour < 24:
        return
    part = next(name for begins, name in reversed(parts) if hour >= begins)
    half = (hour - 1) % 12 + 1
    for level, form in written["half_hours" if minute == _HALF_AN_HOUR else "minutes" if minute else "full_hours"]:
        text = form.format(hour=hour, minute=minute, half=half, part=part, word=value.words.ones[half])
        yield Form(text=text, style="clock", level=level)


def _calendar(value: Written) -> Iterator[Form]:
    """Write a date in the ways listed for its language, but never with the month as an ambiguous number."""
    if value.measure == "weekday":
        rows = value.words.rows_of_weekdays
        yield from (Form(text=row[int(value.size)], style="calendar", level=1) for row in rows[1:] and rows[:3])
        return
    words, calendar, written = value.words, value.words.tables["calendar"], value.words.tables.get("written", {})
    word_too = value.text[:3].lower() in calendar.get("words_too", "").split() and not value.text[0].isupper()
    if value.measure != "date" or value.open or word_too:
        return
    year, month, day = (int(part) for part in value.key[1:])
    for level, form in written.get("dates_of_a_year" if year else "dates", ()):
        text = form.format(
            day=day,
            nth=calendar.get("days", written.get("nth", {})).get(str(day), day),
            ordinal=words.ordinal(day),
            month=words.months[month - 1],
            short=words.words("calendar", "short_months")[month - 1],
            number=month,
            year=year,
        )
        yield Form(text=text, style="calendar", level=level)


def _groups(value: Written) -> Iterator[Form]:
    """Write a reference number without gaps, or in groups separated by spaces or hyphens."""
    joined = _JOINT.sub("", value.text)
    if value.unit == "iban":
        parts = [joined[start : start + 4] for start in range(0, len(joined), 4)]
        texts = [joined, " ".join(parts), "-".join(parts), joined.lower()]
    else:
        digits = joined.lstrip("+ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        head = joined[: len(joined) - len(digits)]
        if len(digits) < _LONG or not digits.isdigit():
            return
        cut = re.search(r"\d[ -]\d", value.text) is not None
        parts = _JOINT.split(value.text.removeprefix(head).strip(" -")) if cut else _cut(digits)
        lead = f"{head} " if head.isalpha() else head
        texts = [joined, lead + " ".join(parts), f"{head}{'-' if head.isalpha() else ''}{'-'.join(parts)}"]
    for level, text in zip((1, 1, 2, 3), texts, strict=False):
        yield Form(text=text, style="groups", level=level)


def _cut(digits: str) -> list[str]:
    """Split digits into groups of four, or of three if their number is divisible by three but not by four.

    The last group never consists of a single digit.
    """
    size = 3 if len(digits) % 3 == 0 and len(digits) % 4 else 4
    parts = [digits[start : start + size] for start in range(0, len(digits), size)]
    if len(parts) > 1 and len(parts[-1]) == 1:
        parts[-2:] = [parts[-2] + parts[-1]]
    return parts


_Maker = Callable[[Written], Iterator[Form]]
_MEASURED: tuple[_Maker, ...] = (_thousands, _point, _unit, _percent, _equal, _quantity_in_words)
_MAKERS: Mapping[str, tuple[_Maker, ...]] = {
    "number": (_thousands, _in_words),
    "amount": (_thousands, _point, _money),
    "quantity": _MEASURED,
    "duration": _MEASURED,
    "age": (_age,),
    "date": (_calendar,),
    "time": (_clock,),
    "code": (_groups,),
}
