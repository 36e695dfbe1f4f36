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
from string import ascii_letters
from typing import Any

from mutatis.text.normalisation import in_one_case, like
from mutatis.text.values.vocabulary import Unit, Vocabulary, vocabulary
from mutatis.text.values.written import Form, Written, commas_for_points, points_for_commas

_DIGITS = re.compile(r"(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?P<decimals>\.\d+)?(?![\d\u00bc-\u00be])")
"""Matches a number in digits that no fraction (¼, ½, ¾) follows."""

_SCALE = re.compile(r"\s?(?:million|billion|thousand|k)\b", re.IGNORECASE)
_JOINT = re.compile(r"[ -]")
_YEARS = range(1000, 2101)

_MOST_IN_PLAIN = 1_000_000
"""Whole numbers below this limit can be read without separators of thousands."""

_MOST_IN_WORDS = 1_000
"""Whole numbers below this limit can be written in words."""

_LONG_CODE = 6
"""Number of digits of the shortest reference numbers."""


def forms_of(value: Written) -> tuple[Form, ...]:
    """Return the other forms of a value, without duplicates and without the original form.

    >>> from mutatis.text.values import whole_value
    >>> [form.text for form in forms_of(whole_value("1,500 m"))]
    ['1500 m', '1 500 m']
    >>> [form.text for form in forms_of(whole_value("6 pm"))]
    ['6pm', '6 PM', '18:00', '6 in the evening']
    """
    forms: dict[tuple[str, str, str], Form] = {}
    has_comma = value.words.writes_comma and value.kind not in ("date", "time", "code")
    thousands = value.words.thousands
    # The makers read points before decimals, so "1.500,50" is written "1,500.50" for them.
    pointed = replace(value, text=points_for_commas(value.text, thousands)) if has_comma else value
    for maker in _MAKERS.get(value.kind, ()):
        for form in maker(pointed):
            shown = replace(form, text=commas_for_points(form.text, thousands)) if has_comma else form
            if shown.text != value.text:
                forms.setdefault((shown.text, shown.style, shown.place), shown)
    return tuple(forms.values())


def _thousands(value: Written) -> Iterator[Form]:
    """Write a number of a thousand or more with a comma, a space or nothing between its thousands, or with "k".

    >>> from mutatis.text.values import whole_value
    >>> [(form.text, form.level) for form in _thousands(whole_value("4,500 EUR"))]
    [('4,500 EUR', 1), ('4500 EUR', 1), ('4.5k EUR', 2), ('4 500 EUR', 3)]
    """
    match = _DIGITS.search(value.text)
    if match is None or _SCALE.match(value.text, match.end()):
        return
    whole, decimals = match["whole"], match["decimals"] or ""
    number = int(whole.replace(",", ""))
    may_be_code = whole[0] == "0" or ("," not in whole and len(whole) > _LONG_CODE)
    if number < 1000 or may_be_code or len(decimals) > len(".00"):
        return

    def form(level: int, text: str) -> Form:
        return Form(text=value.text[: match.start()] + text + value.text[match.end() :], style="thousands", level=level)

    yield form(1, f"{number:,}{decimals}")
    may_be_year = value.kind == "number" and number in _YEARS and not decimals and value.unit not in value.words.counted
    if number < _MOST_IN_PLAIN and not may_be_year:
        yield form(1, f"{number}{decimals}")
    is_round = number % 100 == 0 and number < _MOST_IN_PLAIN and not decimals
    uses_k = value.words.spaces and not value.words.writes_comma  # "1.5k" is English usage
    if is_round and value.kind in ("number", "amount") and uses_k:
        yield form(2, f"{number / 1000:g}k")
    yield form(3, f"{number:,}{decimals}".replace(",", " "))


_DECIMALS = re.compile(r"(?<![\d.,])\d+(?P<mark>[.,])\d{1,2}(?![\d.,])")


def _point(value: Written) -> Iterator[Form]:
    """Write a decimal point as a comma, as is usual in most of Europe, or a decimal comma as a point."""
    match = _DECIMALS.search(value.text)
    if match is not None and value.raw == float(match.group().replace(",", ".")):
        at, other_mark = match.start("mark"), "," if match["mark"] == "." else "."
        yield Form(text=value.text[:at] + other_mark + value.text[at + 1 :], style="point", level=2)


def _money(value: Written) -> Iterator[Form]:
    """Write an amount with its currency as a sign, code or word.

    If the language lists its formats of money, these are used.
    """
    number, unit = _DIGITS.search(value.text), value.words.units[value.unit]
    if number is None:
        return
    formats = value.words.tables.get("written", {}).get("money")
    if formats is None:
        yield from _with_currency(value, number, unit)
    elif _is_all(number, value):
        yield from _in_currency((text.format(number.group()), level) for level, text in formats.get(value.unit, ()))


def _with_currency(value: Written, number: re.Match[str], unit: Unit) -> Iterator[Form]:
    """Write an amount with its currency in a language without listed formats. A dollar's country is never added."""
    if not (unit.sign or unit.code) or not unit.names:
        return
    scale = _SCALE.match(value.text, number.end())
    if scale is None and not _is_all(number, value):
        return  # "€1.5m"
    word = re.search(rf"\b(?:{unit.names[0]}|{unit.plurals[unit.names[0]]})\b", value.text, re.IGNORECASE)
    is_singular = word is not None and word.group() in unit.names and value.raw != 1
    if word and unit.also:
        return  # pounds of flour
    if (is_singular and unit.sign == "$") or value.text.startswith("-", number.end()):
        return  # 3 dollar coins, a 20-euro note
    amount = number.group() + (scale.group() if scale else "")
    if "US" in value.text.upper().split():  # the country of "200 US dollars" is kept
        yield from _in_currency([(f"{amount} {unit.code}", 2)])
        return
    in_words = f"{amount} {_in_number(unit, unit.names[0], amount, value.words)}"
    if unit.sign == "$" and unit.code not in value.text.upper():
        yield Form(text=in_words, style="currency", level=2, place="end")
        yield from _in_currency([(f"${amount}", 1), (f"{amount}$", 2), (f"$ {amount}", 3)])
        return
    yield from _in_currency(_with_signs(amount, unit, value.words, in_digits=scale is None))
    if unit.sign and not unit.also:
        yield Form(text=in_words, style="currency", level=2, place="" if word else "end")


def _in_currency(forms: Iterable[tuple[str, int]]) -> Iterator[Form]:
    return (Form(text=text, style="currency", level=level) for text, level in forms)


def _with_signs(amount: str, unit: Unit, words: Vocabulary, *, in_digits: bool) -> list[tuple[str, int]]:
    """Return an amount with the code and the sign of its currency, each form with its level of rarity.

    The code does not stand before an amount with a scale, such as "5 million" (`in_digits` is False).
    """
    forms = [(f"{amount} {unit.code}", 2)]
    if in_digits:
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


def _in_number(unit: Unit, name: str, number: str, words: Vocabulary) -> str:
    """Return a name of a unit in the singular or plural, as the number before it requires."""
    return name if _is_singular(number, words) else unit.plurals[name]


def _is_all(digits: re.Match[str], value: Written) -> bool:
    """Return True if the digits are the whole number of a value, with no following word such as "million"."""
    return value.raw == float(digits.group().replace(",", ""))


def _unit(value: Written) -> Iterator[Form]:
    """Write a quantity with its unit as a symbol or a word, preceded by a space, a hyphen or nothing.

    Before a noun ("a 3-hour tour", "a 3 hour tour") words stay in the singular.

    >>> from mutatis.text.values import whole_value
    >>> [(form.text, form.level, form.place) for form in _unit(whole_value("3-hour"))][-2:]
    [('3-hour', 2, 'noun'), ('3 hour', 3, 'noun')]
    """
    unit = value.words.units.get(value.unit)
    match = _DIGITS.match(value.text)
    if unit is None or match is None or not unit.symbols or not _is_all(match, value):
        return
    number, behind = match.group(), value.text[match.end() :]
    spelling, symbol = behind.lstrip(" -"), unit.symbols[0]
    if unit.unclear and spelling.lower() == symbol:
        return  # "5 m" may be minutes
    is_plural = spelling in unit.plurals.values()
    before_noun = behind.startswith("-") or (spelling in unit.names and not is_plural and number != "1")
    if not unit.unclear:
        yield from (Form(text=f"{number}{gap}{symbol}", style="unit", level=1) for gap in ("", " "))
    if unit.short:
        singular, plural = unit.short
        text = f"{number}-{singular}" if before_noun else f"{number} {singular if number == '1' else plural}"
        yield Form(text=text, style="unit", level=1)
    if before_noun:
        yield from (Form(text=f"{number}-{name}", style="unit", level=2, place="noun") for name in unit.names)
        yield from (Form(text=f"{number} {name}", style="unit", level=3, place="noun") for name in unit.names[:1])
        return
    for name in unit.names:
        text = f"{number}{value.words.gap}{_in_number(unit, name, number, value.words)}"
        yield Form(text=text, style="unit", level=2, place="" if is_plural else "end")


def _percent(value: Written) -> Iterator[Form]:
    """Write a percentage with a sign or a word, in the forms listed for its language, the most common ones first."""
    match = _DIGITS.search(value.text)
    if value.measure == "percent" and match is not None and match.end() < len(value.text):
        texts = (f"{value.text[: match.end()]}{ending}" for ending in value.words.tables["numbers"]["percent_forms"])
        yield from (
            Form(text=text, style="percent", level=level) for level, text in zip((1, 1, 2, 3), texts, strict=False)
        )


def _equal(value: Written) -> Iterator[Form]:
    """Write a quantity in a larger or smaller unit, if the conversion is exact to one decimal.

    A symbol in place of a symbol may stand before a noun ("a 1500 g parcel"), but "1.5 hours" may not.

    >>> from mutatis.text.values import whole_value
    >>> [(form.text, form.place) for form in _equal(whole_value("90 minutes"))]
    [('1.5 hours', 'end')]
    """
    words, match = value.words, _DIGITS.match(value.text)
    if match is None or value.unit not in words.units or not _is_all(match, value):
        return
    behind, equal = value.text[match.end() :], words.tables["equal"]
    whole_units, symbols = equal["whole"].split(), equal["symbols"].split()
    spelling = behind.strip()
    if behind.startswith("-") or spelling in equal["unread"].split():
        return  # "a 3-hour tour"; symbols that may mean another unit
    for level, number, unit in _converted(Decimal(match.group().replace(",", "")), value.unit, equal["steps"]):
        is_whole = number == number.to_integral_value()
        is_odd = (unit in whole_units and not is_whole) or (unit == "h" and number < 1)  # nobody writes "0.5 hours"
        if is_odd or number != number.quantize(Decimal("0.1")):
            continue
        name = equal["written"].get(unit, unit)
        if unit in equal["written"] and _is_singular(str(number), words):
            name = words.units[unit].names[0]
        digits = f"{int(number):,}" if is_whole else f"{number.normalize():f}"
        yield Form(
            text=f"{digits}{words.gap}{name}",
            style="quantity",
            level=level,
            place="" if unit in symbols and spelling in symbols else "end",
        )


def _converted(
    number: Decimal, unit: str, steps: list[tuple[int, str, str, int, int]]
) -> Iterator[tuple[int, Decimal, str]]:
    """Yield the same quantity in the next larger or smaller unit, as level of rarity, number and unit.

    Each step holds the level, the two units, how many of the small one make the large one, and the largest number of
    the large one that is converted.
    """
    for level, large, small, ratio, most in steps:
        if unit == large and number <= most:
            yield level, number * ratio, small
        elif unit == small and Decimal("0.5") <= number / ratio <= most:
            yield level, number / ratio, large


def _in_words(value: Written) -> Iterator[Form]:
    """Write a whole count in words instead of digits, or vice versa. Numbers that may be years stay as they are."""
    if value.measure != "count" or value.raw != value.size or value.size != int(value.size) or value.size in _YEARS:
        return
    number, words, rules = int(value.size), value.words, value.words.tables["numbers"]
    first_in_words = rules.get("first_in_words", 1)  # 2 if the word for 1 depends on the noun ("ein")
    level = 1 if number in range(2, 13) else 2  # these are the most common in words
    if value.text[0].isalpha():
        yield Form(text=str(number), style="words", level=level)
    elif value.text.isdigit() and first_in_words <= number < _MOST_IN_WORDS:
        yield Form(text=words.in_words(number), style="words", level=level)
    if value.text[0].isdigit() and (dozens := rules["dozens"].get(str(number))):
        yield Form(text=dozens, style="words", level=2)


@cache
def _spelt(language: str) -> tuple[Mapping[tuple[str, float], tuple[str, ...]], Mapping[str, str]]:
    """Return two mappings: from units and numbers to the same quantities in words, and from words to digits."""
    rows: Mapping[str, Sequence[str]] = vocabulary(language).tables["spelt"]
    spellings = vocabulary(language).spellings
    in_words_of: dict[tuple[str, float], tuple[str, ...]] = {}
    in_digits_of: dict[str, str] = {}
    for quantity, phrases in rows.items():
        number, unit = quantity.split(" ", 1)
        in_words_of[spellings[in_one_case(unit)].unit, float(number)] = tuple(phrases)
        in_digits_of |= {phrase: quantity for phrase in phrases if not phrase[0].isdigit()}
    return in_words_of, in_digits_of


def _quantity_in_words(value: Written) -> Iterator[Form]:
    """Write a quantity as a phrase instead of digits, or vice versa: "30 minutes", "half an hour"."""
    in_words_of, in_digits_of = _spelt(value.language)
    is_unclear = value.text.rpartition(" ")[2] in value.words.tables["equal"]["unread_in_words"].split()
    if value.text[0].isdigit() and value.raw is not None and not is_unclear:
        level = 3 if value.text in value.words.tables["equal"]["rare"] else 1
        for phrase in in_words_of.get((value.unit, value.raw), ()):
            yield Form(text=phrase, style="words", level=level, place="end")
    elif (quantity := in_digits_of.get(value.text.lower())) is not None:
        yield Form(text=like(value.text, quantity), style="words", level=1, place="end")
    unit = value.words.units.get(value.unit)
    if value.kind == "duration" or (unit is not None and not unit.symbols):
        yield from _number_in_words(value)


_IN_CHINESE = re.compile(r"(?P<number>\d+|[一二两三四五六七八九十]+)(?P<blank>\s?)(?P<unit>\D+)")


def _number_in_words(value: Written) -> Iterator[Form]:
    """Write a quantity's number, from 2 to 12, in words instead of digits, or vice versa: "3 days", "three days"."""
    number, blank, unit = value.text.partition(" ")
    if not value.words.spaces and (parts := _IN_CHINESE.fullmatch(value.text)) is not None:
        number, blank, unit = parts["number"], parts["blank"], parts["unit"]
    words = value.words.ones[:13]
    if number.lower() in words[2:] and value.raw == words.index(number.lower()):
        yield Form(text=f"{words.index(number.lower())}{blank}{unit}", style="words", level=1)
    elif number.isdigit() and int(number) in range(2, 13) and unit:
        yield Form(text=f"{words[int(number)]}{blank}{unit}", style="words", level=1)


_OLD = re.compile(r"(?P<number>\d{1,3})(?P<unit>[ -](?:years?|months?)[ -]old)?")


def _age(value: Written) -> Iterator[Form]:
    """Write an age in English in words, with its unit, or converted from years to months or vice versa."""
    if value.language == "zh":
        yield from _age_in_chinese(value)
        return
    match = _OLD.fullmatch(value.text) if value.language == "en" else None
    if match is None or value.unit not in ("year", "month"):
        return
    number, unit = int(match["number"]), match["unit"] or ""
    before_noun = unit.startswith("-")  # "a 2-year-old child"
    if number in range(2, 100):
        yield Form(text=f"{value.words.in_words(number)}{unit}", style="age", level=2)
    if not unit and number > 1:
        yield Form(text=f"{number} years old", style="age", level=1, place="end")
    if value.unit == "month" and number in (18, 24, 30, 36) and not before_noun:
        yield Form(text=f"{number / 12:g} years old", style="age", level=3)
    if value.unit == "year" and number in (2, 3) and not before_noun:
        yield Form(text=f"{number * 12} months old", style="age", level=3, place="" if unit else "end")


def _age_in_chinese(value: Written) -> Iterator[Form]:
    """Write the number of an age in characters instead of digits, or vice versa."""
    parts = _IN_CHINESE.fullmatch(value.text)
    if parts is not None and value.raw:
        new = value.words.in_words(int(value.raw)) if parts["number"].isdigit() else f"{value.raw:g}"
        yield Form(text=f"{new}{parts['unit']}", style="words", level=2)


def _clock(value: Written) -> Iterator[Form]:
    """Write a time of day with "am" or "pm", from 0 to 24, or with the part of the day.

    Languages other than English list their formats. In English, a time with seconds, or one that may be in the morning
    or in the afternoon ("at 4"), has no other form.
    """
    written = value.words.tables.get("written", {})
    if "full_hours" in written:  # a language that lists its formats
        yield from _clock_as_listed(value, written)
        return
    if value.open or value.size != int(value.size) or value.size >= 24 * 60:
        return
    hour, minute = divmod(int(value.size), 60)
    half, hour_on_dial = "pm" if hour >= 12 else "am", str((hour - 1) % 12 + 1)
    clock = f"{hour_on_dial}:{minute:02}" if minute else hour_on_dial
    for form in (f"{clock}{half}", f"{clock} {half}", f"{clock} {half.upper()}"):
        yield Form(text=form, style="clock", level=1)
    yield Form(text=f"{hour:02}:{minute:02}", style="clock", level=2)
    if 5 <= hour < 22:  # at night, people use several names for the part of the day
        part = "morning" if half == "am" else "afternoon" if hour < 18 else "evening"
        yield Form(text=f"{clock} in the {part}", style="clock", level=3)
    if value.size == 12 * 60:
        names = ("noon", "midday", "12 noon") if value.text[0].isdigit() else ("12:00", "12 noon", "noon", "midday")
        yield from (Form(text=name, style="words", level=1) for name in names)


def _clock_as_listed(value: Written, written: Mapping[str, Any]) -> Iterator[Form]:
    """Write a time of day in the formats listed for a language that does not use "am" and "pm"."""
    if parts := written.get("parts_of_day"):
        yield from _clock_with_parts(value, written, parts)
        return
    digits, last_word = re.match(r"\d+", value.text), re.search(r"[^\W\d]+\Z", value.text.lower())
    if digits is None or (last_word and last_word.group() not in written.get("hour_marks", "uhr").split()):
        return  # "9 Uhr abends"
    hour, minute = int(digits.group()), int(value.size) % 60
    if value.size == int(value.size) and hour < 24:
        for level, text in written["minutes" if minute else "full_hours"]:
            yield Form(text=text.format(hour=hour, minute=minute), style="clock", level=level)


def _clock_with_parts(value: Written, written: Mapping[str, Any], parts: Sequence[tuple[int, str]]) -> Iterator[Form]:
    """Write a time of day in digits, with or without the part of the day before it.

    Each of `parts` holds the first hour of a part of the day, and its name. Times before the first part are not
    written.
    """
    hour, minute = divmod(int(value.size), 60)
    part = next((name for begins, name in reversed(parts) if hour >= begins), None)
    if value.open or value.size != int(value.size) or part is None or hour >= 24:
        return
    half = (hour - 1) % 12 + 1
    for level, form in written["half_hours" if minute == 30 else "minutes" if minute else "full_hours"]:
        text = form.format(hour=hour, minute=minute, half=half, part=part, word=value.words.ones[half])
        yield Form(text=text, style="clock", level=level)


def _calendar(value: Written) -> Iterator[Form]:
    """Write a date in the formats listed for its language, but never with the month as an ambiguous number.

    A weekday is written in up to three forms if its language has several names for it.
    """
    words, calendar, written = value.words, value.words.tables["calendar"], value.words.tables.get("written", {})
    if value.measure == "weekday":
        rows = words.rows_of_weekdays
        if len(rows) > 1:
            yield from (Form(text=row[int(value.size)], style="calendar", level=1) for row in rows[:3])
        return
    may_be_word = value.text[:3].lower() in calendar.get("words_too", "").split() and not value.text[0].isupper()
    if value.measure != "date" or value.open or may_be_word:  # "march 5" need not be a date
        return
    year, month, day = value.date
    days_in_words = calendar.get("days", written.get("nth", {}))  # "1er"
    for level, form in written.get("dates_of_a_year" if year else "dates", ()):
        text = form.format(
            day=day,
            nth=days_in_words.get(str(day), day),
            ordinal=words.ordinal(day),
            month=words.months[month - 1],
            short=words.words("calendar", "short_months")[month - 1],
            number=month,
            year=year,
        )
        yield Form(text=text, style="calendar", level=level)


def _groups(value: Written) -> Iterator[Form]:
    """Write a reference number without gaps, or in groups separated by spaces or hyphens."""
    texts = _iban_forms(value.text) if value.unit == "iban" else _code_forms(value.text)
    for level, text in zip((1, 1, 2, 3), texts, strict=False):
        yield Form(text=text, style="groups", level=level)


def _iban_forms(iban: str) -> list[str]:
    joined = _JOINT.sub("", iban)
    groups = [joined[start : start + 4] for start in range(0, len(joined), 4)]
    return [joined, " ".join(groups), "-".join(groups), joined.lower()]


def _code_forms(code: str) -> list[str]:
    """Return the forms of a reference number, or [] if it is short or contains letters other than at its beginning.

    Its own groups are kept, if it has any.
    """
    joined = _JOINT.sub("", code)
    digits = joined.lstrip(f"+{ascii_letters}")
    prefix = joined.removesuffix(digits)
    if len(digits) < _LONG_CODE or not digits.isdigit():
        return []
    has_groups = re.search(r"\d[ -]\d", code) is not None
    groups = _JOINT.split(code.removeprefix(prefix).strip(" -")) if has_groups else _in_groups(digits)
    if prefix.isalpha():
        return [joined, " ".join([prefix, *groups]), "-".join([prefix, *groups])]
    return [joined, prefix + " ".join(groups), prefix + "-".join(groups)]


def _in_groups(digits: str) -> list[str]:
    """Split digits into groups of four, or of three if their number is divisible by three but not by four.

    The last group never consists of a single digit.
    """
    size = 3 if len(digits) % 3 == 0 and len(digits) % 4 else 4
    groups = [digits[start : start + size] for start in range(0, len(digits), size)]
    if len(groups) > 1 and len(groups[-1]) == 1:
        groups[-2:] = [groups[-2] + groups[-1]]
    return groups


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
