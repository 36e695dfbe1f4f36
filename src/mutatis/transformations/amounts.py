"""Amounts as others type them: thousands, currencies, units, and equal quantities ("2 km", "2,000 m").

The value never changes. What only looks like an amount (a year, an order number, a version) is left alone: where the
text does not say that a number is an amount, it is none. Must not know tasks or relations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from random import Random

from mutatis.core.languages import ENGLISH
from mutatis.core.transformation import transformation
from mutatis.transformations.forms import Form, Level, ends_phrase, in_other_forms, stands_before

_BEFORE = r"(?<![\w.,:/#\u00b0-])"
_AFTER = r"(?![\w]|[.,:/-]\d)"
_SIGNS = {"€": ("euro", "EUR"), "£": ("pound", "GBP"), "$": ("dollar", "USD")}
_COUNTED = (
    "people|users|customers|visitors|members|employees|guests|students|fans|followers|subscribers|voters|soldiers|copies"
    "|items|pieces|units|books|songs|photos|pictures|pages|words|characters|letters|steps|points|miles|kilometres"
    "|kilometers|metres|meters|feet|km|calories|kcal|litres|liters|tons|tonnes|dollars|euros?|pounds|bucks|euros|usd"
    "|eur|gbp|views|likes|tickets|seats|rooms|houses|trees|sheets|boxes|bottles|minutes|hours|days|times"
)
_THOUSANDS = re.compile(
    rf"(?P<sign>[€£$] ?)?{_BEFORE}(?P<number>\d{{1,3}}(?:,\d{{3}})+|[1-9]\d{{3,5}})(?P<point>\.\d{{1,2}})?"
    rf"{_AFTER}(?=(?P<unit>[ -](?:{_COUNTED})\b)?)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:\b(?:in|since|until|by|during|before|after|around|circa|year|early|late|mid|order|orders|number|no|nr|code|pin"
    r"|zip|room|flight|line|model|id|ref|reference|invoice|ticket|case|account|card|version|error|page|article|section"
    r"|bus|train|gate|route|of|from|to|ending|digits?)[.:]?|#)\s*\Z",
    re.IGNORECASE,
)
_YEARS = range(1000, 2100)


def _thousands(match: re.Match[str]) -> list[Form]:
    written, sign, point = match["number"], match["sign"] or "", match["point"] or ""
    value = int(written.replace(",", ""))
    counts = bool(sign or match["unit"])
    numbered = stands_before(_NUMBERED, match.string, match.start("number"))
    if not counts and ("," not in written or (numbered and value in _YEARS)):
        return []  # a year, an order, a version
    forms = [(1, f"{sign}{value:,}{point}"), *([(1, f"{sign}{value}{point}")] if value < 1_000_000 else [])]
    if value % 100 == 0 and value < 1_000_000 and not point:
        forms.append((2, f"{sign}{value / 1000:g}k"))
    return [*forms, (3, f"{sign}{value:,}{point}".replace(",", " "))]


@transformation(
    "write-thousands", capability="formats", says="{numbers} with or without marks at the thousands", languages=ENGLISH
)
def write_thousands(text: str, rng: Random, *, level: Level = 2) -> str:
    """Write large amounts with commas, without, as "1k" or with blanks; years and order numbers stay.

    Level 1: 1,000 and 1000; 2: also 1k; 3: also 1 000.

    >>> write_thousands("Do you have 1,000 in stock? I have $1500. It is order 12345 of 2026.", Random(2), level=1)
    'Do you have 1000 in stock? I have $1,500. It is order 12345 of 2026.'
    >>> write_thousands("Can 12,500 people visit?", Random(2)), write_thousands("1,000 books", Random(2), level=3)
    ('Can 12.5k people visit?', '1 000 books')
    """
    return in_other_forms(text, _THOUSANDS.finditer(text), _thousands, rng, level)


_AMOUNT = r"\d+(?:,\d{3})*(?:\.\d{1,2})?"
_SCALE = r"(?P<{}> ?(?:million|billion|thousand|k)\b)?"
_MONEY = re.compile(
    rf"(?<![\w.,-])(?:(?P<sign>[€£$]) ?(?P<after_sign>{_AMOUNT}){_SCALE.format('s1')}(?![\w]|[.,:/-]\d|-|/|[€£$%])"
    rf"|(?P<code>EUR|GBP|USD|CHF) (?P<after_code>{_AMOUNT})(?![\w]|[.,:/-]\d|-|/)"
    rf"|(?P<before>{_AMOUNT}){_SCALE.format('s2')} ?"
    r"(?:(?P<behind>€)|(?P<last>EUR|GBP|USD|CHF)\b|(?P<word>euros?|dollars)\b(?!-)))",
)
_IN_RANGE = re.compile(r"\d\s*(?:-|\u2013|to|and|or)\s*\Z", re.IGNORECASE)
_OF_WORD = {"e": "€", "d": "$"}
_CODES = {"EUR": "€", "GBP": "£", "USD": "$"}


def _money(match: re.Match[str]) -> list[Form]:
    if stands_before(_IN_RANGE, match.string, match.start()):
        return []  # "5 to 10 euros": the first number has no currency of its own
    amount = match["after_sign"] or match["after_code"] or match["before"]
    scale = match["s1"] or match["s2"] or ""
    sign = (
        match["sign"]
        or match["behind"]
        or (_OF_WORD[match["word"][0]] if match["word"] else _CODES.get(match["code"] or match["last"], ""))
    )
    plural = "" if amount == "1" and not scale else "s"
    if sign == "$" and (match["sign"] or match["word"]):
        # Whose dollars they are is not said, so no code may say it.
        forms = [(2, f"{amount}{scale} dollar{plural}")] if ends_phrase(match.string, match.end()) else []
        return [*forms, (1, f"${amount}{scale}"), (2, f"{amount}{scale}$"), (3, f"$ {amount}{scale}")]
    name, code = _SIGNS.get(sign, ("", match["code"] or match["last"]))
    forms = [(2, f"{amount}{scale} {code}"), *([] if scale else [(3, f"{code} {amount}")])]
    if sign:
        forms += [(1, f"{sign}{amount}{scale}"), (1 if sign == "€" else 3, f"{amount}{scale}{sign}")]
    if name and (ends_phrase(match.string, match.end()) or match["word"]) and sign != "£":
        forms.append((2, f"{amount}{scale} {name}{plural}"))
    return forms


@transformation("write-currency", capability="formats", says="amounts of money in another form", languages=ENGLISH)
def write_currency(text: str, rng: Random, *, level: Level = 2) -> str:
    """Write a currency as sign, code or word, before or behind; whose dollars they are is never added.

    Level 1: €20 and 20€; 2: also 20 EUR and 20 euros; 3: also EUR 20.

    >>> write_currency("Is it under 20 euros?", Random(1)), write_currency("A €5 note, or $30?", Random(5))
    ('Is it under 20 EUR?', 'A 5€ note, or 30$?')
    """
    return in_other_forms(text, _MONEY.finditer(text), _money, rng, level)


_UNITS: Mapping[str, tuple[str, ...]] = {
    "km": ("kilometre", "kilometer"),
    "cm": ("centimetre", "centimeter"),
    "mm": ("millimetre", "millimeter"),
    "m": ("metre", "meter"),
    "kg": ("kilogram", "kilo"),
    "g": ("gram",),
    "mg": ("milligram",),
    "l": ("litre", "liter"),
    "ml": ("millilitre", "milliliter"),
    "GB": ("gigabyte",),
    "MB": ("megabyte",),
    "TB": ("terabyte",),
    "kWh": ("kilowatt-hour",),
    "lb": ("pound",),
    "oz": ("ounce",),
    "ft": ("foot",),
    "min": ("minute",),
    "h": ("hour",),
}
_SHORT_OF = {
    "hr": "h",
    "hrs": "h",
    "mins": "min",
    "lbs": "lb",
    "gb": "GB",
    "mb": "MB",
    "tb": "TB",
    "kgs": "kg",
    "kms": "km",
}
_UNCLEAR = frozenset({"m", "g", "h"})
"""Symbols that may stand for something else ("5 m" for millions or minutes, "4G"): neither read nor written."""
_PLURALS = {"foot": "feet", "feet": "foot"}


def _longest_first(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def _plural(name: str) -> str:
    return _PLURALS.get(name, name + "s")


_NAMED = {name: short for short, names in _UNITS.items() for name in names if (short, name) != ("lb", "pound")}
_NAMED_PLURALS = {_plural(name): name for name in _NAMED}
_SYMBOLS = {**{short: short for short in _UNITS if short not in _UNCLEAR}, **_SHORT_OF}
_UNIT = re.compile(
    rf"{_BEFORE}(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?)(?P<gap>[ -]?)"
    rf"(?P<unit>{_longest_first({*_NAMED, *_NAMED_PLURALS, *_SYMBOLS})})(?![\w]|-\d|[\u00b2\u00b3^/])"
)


def _unit(match: re.Match[str]) -> list[Form]:
    if stands_before(_IN_RANGE, match.string, match.start()):
        return []
    number, unit = match["number"], match["unit"]
    short = _NAMED.get(_NAMED_PLURALS.get(unit, unit)) or _SYMBOLS[unit]
    names = _UNITS[short]
    before_noun = match["gap"] == "-" or (unit in _NAMED and number != "1")
    forms: list[Form] = []
    if short not in _UNCLEAR:
        forms += [(1, f"{number}{short}"), (1, f"{number} {short}")]
    if short in {"h", "min"}:
        clock = "hr" if short == "h" else "min"
        forms.append((1, f"{number}-{clock}" if before_noun else f"{number} {clock}{'' if number == '1' else 's'}"))
    if before_noun:
        return [*forms, *((2, f"{number}-{name}") for name in names), (3, f"{number} {names[0]}")]
    if unit in _NAMED_PLURALS or ends_phrase(match.string, match.end()):
        return [*forms, *((2, f"{number} {name if number == '1' else _plural(name)}") for name in names)]
    return forms


@transformation("write-units", capability="formats", says="units spelt in another way", languages=ENGLISH)
def write_units(text: str, rng: Random, *, level: Level = 2) -> str:
    """Write units of measure as symbol or word, with a blank, a hyphen or neither.

    Level 1: 4l, 4 l, and 30 mins for 30 minutes; 2: also 4 litres and 4 liters; 3: also 4 litre before a noun.

    >>> write_units("Does the 4-litre pan weigh 2 kg?", Random(1)), write_units("It is 5 km away.", Random(7))
    ('Does the 4l pan weigh 2kg?', 'It is 5km away.')
    """
    return in_other_forms(text, _UNIT.finditer(text), _unit, rng, level)


_STEPS: tuple[tuple[int, str, str, int, int], ...] = (
    # level, larger unit, smaller unit, how many; up to how many of the larger one people say it in the smaller one
    *((1, "km", "m", 1000, 10), (1, "m", "cm", 100, 5), (1, "cm", "mm", 10, 50)),
    *((1, "kg", "g", 1000, 5), (1, "l", "ml", 1000, 5)),
    *((2, "hours", "minutes", 60, 3), (2, "weeks", "days", 7, 6)),
    *((3, "years", "months", 12, 3), (3, "feet", "inches", 12, 7)),
)
_SPELT = {
    **{short: (short,) for short in ("km", "cm", "mm", "kg", "ml")},
    **{"l": ("l", "litre", "litres", "liter", "liters"), "g": ("g", "grams", "gram")},
    **{"m": ("metres", "meters", "metre", "meter"), "hours": ("hours", "hour", "hrs", "hr")},
    **{
        "minutes": ("minutes", "mins"),
        "weeks": ("weeks", "week"),
        "years": ("years", "year"),
        "feet": ("feet", "foot"),
    },
}
_SPELT["km"] += ("kilometres", "kilometers", "kilometre", "kilometer")
_SPELT["kg"] += ("kilos", "kilo", "kilograms", "kilogram")
_READ = {spelt: unit for unit, names in _SPELT.items() for spelt in names}
_QUANTITY = re.compile(
    rf"{_BEFORE}(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?)(?P<gap> ?)(?P<unit>{_longest_first(_READ)})"
    r"(?![\w-]|[\u00b2\u00b3^/]| (?:old|per|an?|each|every)\b)"
)
CONVERTS = re.compile(
    r"\b(?:convert|conversion|equals?|equivalent|how many|what amount|number of|in terms of|(?:is|are)(?: there)? in"
    r"|how (?:long|far|heavy|tall|high|big|wide|deep|fast|old)"
    r"|how much (?!(?:is|are|does|do|did|would|will|money|change)\b)"
    r"|distance|duration|longest|shortest)\b",
    re.IGNORECASE,
)
"""What asks for a quantity is answered in the units of the text."""
_SYMBOL_UNITS = frozenset({"km", "kg", "g", "l", "ml"})
"""Units that stand before a noun as a symbol ("a 3 kg parcel"), and so do those of their size."""
_WHOLE = frozenset({"years", "weeks", "feet"})
"""Units of which nobody says a half in figures."""


def _equals(number: Decimal, unit: str) -> Iterator[tuple[int, Decimal, str]]:
    """Yield level, number and unit of the same quantity, one step up or down."""
    for level, large, small, ratio, most in _STEPS:
        if unit == large and number <= most:
            yield level, number * ratio, small
        elif unit == small and Decimal("0.5") <= number / ratio <= most:
            yield level, number / ratio, large


def _equal(match: re.Match[str]) -> list[Form]:
    if stands_before(_IN_RANGE, match.string, match.start()):
        return []
    before_noun = not ends_phrase(match.string, match.end())
    if before_noun and match["unit"] not in _SYMBOL_UNITS:
        return []
    forms: list[Form] = []
    for level, number, unit in _equals(Decimal(match["number"].replace(",", "")), _READ[match["unit"]]):
        whole = number == number.to_integral_value()
        if number != number.quantize(Decimal("0.1")) or (unit in _WHOLE and not whole):
            continue
        if before_noun and unit not in _SYMBOL_UNITS:
            continue
        if unit == "hours" and number < 1:
            continue  # "0.5 hours" is written by nobody
        written = f"{int(number):,}" if whole else f"{number.normalize():f}"
        name = unit.rstrip("s") if number == 1 and len(unit) > 2 else unit
        forms.append((level, f"{written} {'foot' if name == 'feet' and number == 1 else name}"))
    return forms


@transformation("equal-quantities", capability="formats", says="quantities in another unit", languages=ENGLISH)
def equal_quantities(text: str, rng: Random, *, level: Level = 2) -> str:
    """Give a quantity in a unit that is an exact multiple of its own; texts that ask for a conversion stay.

    Level 1: metric lengths, weights and volumes; 2: also hours and minutes, weeks and days; 3: also years and months,
    feet and inches.

    >>> equal_quantities("Is the beach within 2 km, or 90 minutes by bus?", Random(1))
    'Is the beach within 2,000 m, or 1.5 hours by bus?'
    >>> equal_quantities("How much does a 3 kg parcel cost?", Random(1))
    'How much does a 3,000 g parcel cost?'
    >>> equal_quantities("How much milk is left of 2 kg?", Random(1))
    'How much milk is left of 2 kg?'
    """
    if CONVERTS.search(text):
        return text
    return in_other_forms(text, _QUANTITY.finditer(text), _equal, rng, level)
