"""Rewrites values in other common forms: amounts, units, equal quantities, times, dates and number words.

The value never changes. Numbers that only look like values are left alone: a year, an order number, one end of a range.
One random draw determines all new forms in a text, so that a range ("from 6 pm to 8 pm") has a single style.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from random import Random
from typing import Annotated, TypeAlias

from mutatis.core.dictionary import Parameters, ranked
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.languages import ENGLISH, is_english
from mutatis.core.parameters import Within
from mutatis.core.transformation import as_a_whole, taken_in_turn, transformation
from mutatis.languages import Language, language_tables, needing, word_set
from mutatis.text.values import Form, Value, values, vocabulary
from mutatis.text.values.numerals import NEAR
from mutatis.transformations.clear import quoted_spans
from mutatis.transformations.pieces import Edit, edited, is_free, replaced_at, with_articles

Level = Annotated[int, Within(1, 3)]
"""Distance of a form from the original. Level 1 changes spacing or marks only; higher levels add rarer forms."""

Rule: TypeAlias = Callable[[str, Value], bool]
"""A function that returns True if people would write an English value in a text in a certain style."""

_ADDRESS = re.compile(r"(?<![!-?A-~])[!-?A-~]++@[!-~]++|(?:https?://|www\.)[!-~]++")
"""An e-mail or web address. Its characters are limited to ASCII, since Chinese has no spaces around it."""
_NEXT_WORD = re.compile(r"[ \t]*(?P<mark>[^\w\s]?)[ \t]*(?P<word>[^\W\d_]*)")
"""The punctuation mark and the word after a value, which may both be missing."""
_JOINED_BEFORE = r"[\w.,:/#\u00b0\u20ac$\u00a3-]\Z"
"""A character right before a value that makes it part of something longer: "v1,000", "#1000"."""
_JOINED_BEHIND = r"[\w/\u00b2\u00b3^-]|[.,:]\d"
"""Characters right after a value that make it part of something longer: "5:30", "m/s", "m2", "two-thirds"."""
_IN_RANGE = re.compile(r"\d\s*(?:-|\u2013|to|and|or|x|\u00d7)\s*\Z", re.IGNORECASE)
"""The first number of a range, a list or a size, before the value that ends it: "5 to 10 euros", "3 x 4 m"."""


def another_form(forms: Iterable[Form], written: str, share: float, level: int) -> str:
    """Return a form that differs from the original and has at most the given level, or else the original.

    The share, a number from 0 to 1, selects one of the forms.

    >>> ways = [Form(text="6pm", style="clock", level=1), Form(text="18:00", style="clock", level=2)]
    >>> another_form(ways, "6 pm", 0.9, 2), another_form(ways, "6 pm", 0.9, 1)
    ('18:00', '6pm')
    """
    others = list(dict.fromkeys(form.text for form in forms if form.level <= level and form.text != written))
    return others[int(share * len(others))] if others else written


def stands_before(pattern: re.Pattern[str], text: str, end: int) -> bool:
    r"""Return True if the text right before a position matches a pattern ending in `\Z`, within `NEAR` characters.

    >>> stands_before(re.compile(r"no\. *\Z"), "It is no. 7", 10)
    True
    """
    return pattern.search(text, max(0, end - NEAR), end) is not None


def ends_phrase(text: str, end: int) -> bool:
    """Return True if no noun follows a position: the text or clause ends there, or a function word comes next.

    >>> text = "5 km away, a 5 km run, 5 km"
    >>> [ends_phrase(text, m.end()) for m in re.finditer("km", text)]
    [True, False, True]
    """
    follows = _NEXT_WORD.match(text, end)
    assert follows is not None
    if follows["mark"]:
        return follows["mark"] not in "-/"
    return not follows["word"] or follows["word"].lower() in word_set("function_words")


def in_other_forms(text: str, rng: Random, level: int, style: str, language: str) -> str:
    """Return the text with every suitable value in a different form of the given style.

    Values in quotations and addresses are left unchanged, and quantities if the text asks for one.

    >>> in_other_forms("1,000 m or 2,000 m", Random(1), 1, "thousands", "en")
    '1000 m or 2000 m'
    """
    if style in _ASKED_IN_UNITS and asks_to_convert(text, language):
        return text
    share = rng.random()
    edits: list[Edit] = []
    for value in _unquoted(text, values(text, language)):
        if _is_suitable(text, value, style):
            forms = [form for form in value.forms() if form.style == style]
            if is_english(language) and not ends_phrase(text, value.end):
                forms = [form for form in forms if form.place != "end"]
            edits.append((value.start, value.end, _in_case(text, value, another_form(forms, value.text, share, level))))
    return edited(text, with_articles(text, edits) if is_english(language) else edits)


def _in_case(text: str, value: Value, written: str) -> str:
    """Return a written value with its unit in the case of the preposition before it.

    >>> text = "Was kostet die Fahrt mit 7 km?"
    >>> _in_case(text, values(text, "de")[0], "7 Kilometer")
    '7 Kilometern'
    """
    cases = language_tables("values", value.language).get("cases")
    number, gap, unit = written.rpartition(" ")
    if cases is None or number == "1" or unit not in cases["spellings"]:
        return written
    is_ruled = re.search(cases["before"], text[: value.start], re.IGNORECASE) is not None
    is_measure = re.match(cases["not_behind"], text[value.end :]) is not None
    return f"{number}{gap}{cases['spellings'][unit]}" if is_ruled and not is_measure else written


def _is_suitable(text: str, value: Value, style: str) -> bool:
    """Return True if people would write a value in a style: by a rule in English, else by the language's folder."""
    return _RULES[style](text, value) if is_english(value.language) else _fits_by_folder(text, value, style)


def _unquoted(text: str, candidates: Iterable[Value]) -> list[Value]:
    """Return the values that are not part of a quotation or an address."""
    fixed = [*quoted_spans(text), *(match.span() for match in _ADDRESS.finditer(text))]
    return [value for value in candidates if is_free(value.start, value.end, fixed)]


def _stands_alone(text: str, value: Value) -> bool:
    """Return True if a value is not part of something longer ("v1,000", "#1000", "m2")."""
    # Without spaces, any character of the language may stand next to a value, and \w is limited to ASCII.
    flags = re.NOFLAG if Language(value.language).spaces else re.ASCII
    before, behind = re.compile(_JOINED_BEFORE, flags), re.compile(_JOINED_BEHIND, flags)
    return not before.search(text, max(0, value.start - 1), value.start) and not behind.match(text, value.end)


def _is_outside_range(text: str, value: Value) -> bool:
    """Return True unless a value ends a range whose first number lacks a unit, as in "5 to 10 euros"."""
    return _stands_alone(text, value) and not stands_before(_IN_RANGE, text, value.start)


_NUMBERED = re.compile(
    r"(?:\b(?:in|since|until|by|during|before|after|around|circa|year|early|late|mid|order|orders|number|no|nr|code|pin"
    r"|zip|room|flight|line|model|id|ref|reference|invoice|ticket|case|account|card|version|error|page|article|section"
    r"|bus|train|gate|route|of|from|to|ending|digits?)[.:]?|#)\s*\Z",
    re.IGNORECASE,
)
"""Words before a number that is a year, an order number or another identifier."""
_YEARS = range(1000, 2100)


def _is_large(text: str, value: Value) -> bool:
    """Return True if a number is a quantity, not a year, order number or version."""
    if not _stands_alone(text, value) or value.kind == "date":
        return False
    if value.kind != "number" or value.unit in vocabulary().counted:
        return True
    return "," in value.text and not (stands_before(_NUMBERED, text, value.start) and value.size in _YEARS)


_PATTERNS = ("converts", "names_number", "range_before", "range_behind", "counted_thing")
_FORMS = needing("values", "function_words", *(f"speech.patterns.{name}" for name in _PATTERNS), also=ENGLISH)


def _fits_by_folder(text: str, value: Value, style: str) -> bool:
    """Return True if people would write a value in a style, by the patterns of its language's folder."""
    folder = Language(value.language)
    in_range = stands_before(folder.pattern("range_before"), text, value.start)
    if in_range or folder.pattern("range_behind").match(text, value.end) or not _stands_alone(text, value):
        return False
    if value.measure == "count":
        may_be_year = value.size in _YEARS and value.text.isdigit() and value.unit not in value.words.counted
        if may_be_year or stands_before(folder.pattern("names_number"), text, value.start):
            return False
        counted = folder.pattern("counted_thing").match(text, value.end) is not None
        return counted and (style != "words" or value.size in _SMALL_NUMBERS)
    if value.kind == "date":
        return value.measure in ("date", "weekday")
    return value.kind != "code" or value.unit != "house"


@transformation(
    "write-thousands", capability="formats", says="{numbers} with or without thousands separators", languages=_FORMS
)
@as_a_whole
def write_thousands(text: str, rng: Random, written_in: str = "en", *, level: Level = 2) -> str:
    """Write large numbers with or without commas, with spaces, or as "1k". Years and order numbers are unchanged.

    Level 1: 1,000 and 1000; 2: also 1k; 3: also 1 000.

    >>> write_thousands("Do you have 4,000 in stock? I have $1500. It is order 12345 of 2026.", Random(2), level=1)
    'Do you have 4000 in stock? I have $1,500. It is order 12345 of 2026.'
    >>> write_thousands("Can 12,500 people visit?", Random(2)), write_thousands("1,000 books", Random(2), level=3)
    ('Can 12.5k people visit?', '1 000 books')
    """
    return in_other_forms(text, rng, level, "thousands", written_in)


@transformation("write-currency", capability="formats", says="amounts of money in another form", languages=_FORMS)
@as_a_whole
def write_currency(text: str, rng: Random, written_in: str = "en", *, level: Level = 2) -> str:
    """Write a currency as a sign, code or word, before or after the amount. The country of a dollar is never stated.

    Level 1: €20 and 20€; 2: also 20 EUR and 20 euros; 3: also EUR 20.

    >>> write_currency("Is it under 20 euros?", Random(1)), write_currency("A €5 note, or $30?", Random(5))
    ('Is it under 20 EUR?', 'A 5€ note, or 30$?')
    """
    return in_other_forms(text, rng, level, "currency", written_in)


@transformation("write-units", capability="formats", says="units spelt differently", languages=_FORMS)
@as_a_whole
def write_units(text: str, rng: Random, written_in: str = "en", *, level: Level = 2) -> str:
    """Write units of measure as symbols or words, with a space, a hyphen or neither.

    Level 1: 4l, 4 l, and 30 mins for 30 minutes; 2: also 4 litres and 4 liters; 3: also 4 litre before a noun.

    >>> write_units("Does the 4-litre pan weigh 2 kg?", Random(1)), write_units("It is 5 km away.", Random(7))
    ('Does the 4l pan weigh 2kg?', 'It is 5km away.')
    """
    return in_other_forms(text, rng, level, "unit", written_in)


def asks_to_convert(text: str, language: str = "en") -> bool:
    """Return True if a question asks for a quantity. It is answered in the units of the text, which must not change.

    >>> asks_to_convert("How long is 90 minutes?"), asks_to_convert("Wie viele Stunden sind 90 Minuten?", "de")
    (True, True)
    >>> asks_to_convert("How long should my skis be? I am 1.80 m.")
    False
    """
    return Language(language).pattern("converts").search(text) is not None


_A_RATE = re.compile(r" ?(?:old|per|an?|each|every)\b", re.IGNORECASE)
"""Text after a quantity that is an age or a rate: "5 years old", "5 km per day"."""


def _is_quantity(text: str, value: Value) -> bool:
    return _is_outside_range(text, value) and _A_RATE.match(text, value.end) is None


@transformation("equal-quantities", capability="formats", says="quantities in another unit", languages=_FORMS)
@as_a_whole
def equal_quantities(text: str, rng: Random, written_in: str = "en", *, level: Level = 2) -> str:
    """Express a quantity in a larger or smaller unit, if this is exact and the question asks for no quantity.

    Level 1: metric lengths, weights and volumes; 2: also hours and minutes, weeks and days; 3: also years and months,
    feet and inches.

    >>> equal_quantities("Is the beach within 2 km, or 90 minutes by bus?", Random(1))
    'Is the beach within 2,000 m, or 1.5 hours by bus?'
    >>> equal_quantities("How much does a 3 kg parcel cost?", Random(1))
    'How much does a 3,000 g parcel cost?'
    >>> equal_quantities("How much milk is left of 2 kg?", Random(1))
    'How much milk is left of 2 kg?'
    """
    return in_other_forms(text, rng, level, "quantity", written_in)


_TO_A_TIME = re.compile(
    r"(?:\d|\bnoon|\b\d(?:st|nd|rd|th))\s*(?:-|\u2013|/|,|to|till|until|and|or)\s*(?:the\s+)?\Z", re.IGNORECASE
)
_AT = re.compile(
    r"(?:\b(?:at|by|after|before|until|till|around|about|from|since|than|leaves?|leaving|departs?|departing|arrives?"
    r"|arriving)|@)\s+\Z",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r":| ?(?:minutes|hours|-|\u2013)", re.IGNORECASE)


def _is_time(text: str, value: Value) -> bool:
    """Return True if a time clearly means morning or afternoon and is not part of a range in another style."""
    if value.kind != "time" or _GOES_ON.match(text, value.end) or not value.text[0].isdigit():
        return False
    if value.size // 60 in (0, 12, 24) or not _stands_alone(text, value):
        return False
    if value.text.lower().rstrip(".").endswith("m"):  # half of a range in another style would be hard to read
        return not stands_before(_TO_A_TIME, text, value.start)
    return stands_before(_AT, text, value.start)


@transformation("write-times", capability="formats", says="times of day in another form", languages=_FORMS)
@as_a_whole
def write_times(text: str, rng: Random, written_in: str = "en", *, level: Level = 2) -> str:
    """Write times of day in a different form. Noon, midnight and times that could be am or pm are left unchanged.

    Level 1: 6pm, 6 pm, 6 PM; 2: also 18:00; 3: also 6 in the evening.

    >>> write_times("Is there a table at 6 pm?", Random(2)), write_times("A train that leaves after 17:15", Random(1))
    ('Is there a table at 18:00?', 'A train that leaves after 5:15pm')
    >>> write_times("From 5 to 6 pm, or 9:15?", Random(1))
    'From 5 to 6 pm, or 9:15?'
    """
    return in_other_forms(text, rng, level, "clock", written_in)


_COUNTS_ON = re.compile(
    r"\s*(?:-|\u2013|to|through|and|or|,|/)\s*(?:the )?\d{1,2}(?:st|nd|rd|th)?(?! ?(?:am|pm)|[\d:])", re.IGNORECASE
)


def _is_date(text: str, value: Value) -> bool:
    """Return True for an ISO date, and for a date with the name of a month that is not part of a range.

    A date after "the" is left out, since "the" goes with few of its forms.
    """
    after_the = text[: value.start].lower().endswith("the ")
    if value.measure != "date" or after_the or text[value.end : value.end + 1] in ("-", "/", ":", "%"):
        return False
    if not any(map(str.isalpha, value.text)):
        return re.fullmatch(r"\d{4}-\d\d-\d\d", value.text) is not None
    return not (stands_before(_TO_A_TIME, text, value.start) or _COUNTS_ON.match(text, value.end))


@transformation("write-dates", capability="formats", says="dates in another form", languages=_FORMS)
@as_a_whole
def write_dates(text: str, rng: Random, written_in: str = "en", *, level: Level = 2) -> str:
    """Write dates with the month before or after the day, in full or abbreviated, or as an ISO date.

    Level 1: 12 November, November 12, Nov 12; 2: also 12th of November; 3: also 2026-11-12 if the year is given.

    >>> write_dates("Can I come on 12 November?", Random(1)), write_dates("Is it due on Nov 3, 2026?", Random(9))
    ('Can I come on November 12?', 'Is it due on 3 Nov 2026?')
    >>> write_dates("Due on 2026-11-12, or 12/11?", Random(1)), write_dates("It was on March 1 to 3.", Random(1))
    ('Due on 12 November 2026, or 12/11?', 'It was on March 1 to 3.')
    """
    return in_other_forms(text, rng, level, "calendar", written_in)


_NO_COUNT = re.compile(
    r"\b(?:size|row|section|table|room|gate|seat|no\.?|number|(?<!to )order|article|chapter|type|class)[ -]\Z",
    re.IGNORECASE,
)
"""Words before a number that identifies something instead of counting: "room 12", "size 8"."""

_TO_NUMBER = re.compile(
    rf"(?:\d|\b(?:{'|'.join(vocabulary().ones[1:11])}))\s*(?:-|\u2013|to|and|or)\s*\Z", re.IGNORECASE
)
_NOON = 12 * 60
_SMALL_NUMBERS = range(2, 13)
_AT_NOON = re.compile(r"\b(?:at|by|after|before|until|till|around|about|from|since|than)\s+\Z", re.IGNORECASE)
_TO_NOON = re.compile(r"[\w:-]| ?(?:-|\u2013|to|and|or) ?\d|(?! ?(?:[ap]\.?m\b)) midnight")


def _in_words(text: str, value: Value) -> bool:
    """Return True if people would write a value in words as well as in digits."""
    if value.kind == "time":
        at_noon = value.size == _NOON and stands_before(_AT_NOON, text, value.start)
        return at_noon and _TO_NOON.match(text, value.end) is None
    if stands_before(_TO_NUMBER, text, value.start):
        return False
    if value.kind in ("duration", "quantity"):
        return _stands_alone(text, value) and _A_RATE.match(text, value.end) is None
    return value.measure == "count" and _is_counted(text, value)


@transformation(
    "quantities-in-words", capability="formats", says="quantities in words, or in figures", languages=_FORMS
)
@as_a_whole
def quantities_in_words(text: str, rng: Random, written_in: str = "en", *, level: Level = 2) -> str:
    """Write quantities and noon in words instead of digits, or vice versa.

    Level 1: four, half an hour, half a kilo, noon; 2: also a dozen; 3: also a day for 24 hours.

    >>> quantities_in_words("Can I come at 12:00 for 90 minutes?", Random(1))
    'Can I come at noon for an hour and a half?'
    >>> quantities_in_words("A table for four people at noon, please.", Random(1))
    'A table for 4 people at 12:00, please.'
    >>> quantities_in_words("Within 3 to 5 days?", Random(1)), quantities_in_words("How long is 90 minutes?", Random(1))
    ('Within 3 to 5 days?', 'How long is 90 minutes?')
    """
    return in_other_forms(text, rng, level, "words", written_in)


@transformation("group-identifiers", capability="formats", says="digits of codes grouped differently", languages=_FORMS)
@as_a_whole
def group_identifiers(text: str, rng: Random, written_in: str = "en", *, level: Level = 2) -> str:
    """Write order numbers, IBANs and telephone numbers without gaps, or in groups with spaces or hyphens.

    Level 1: joined or with spaces; 2: also with hyphens; 3: also an IBAN in lower case.

    >>> group_identifiers("Where is order 20481937? I ordered it in 2026.", Random(1))
    'Where is order 2048 1937? I ordered it in 2026.'
    >>> group_identifiers("My IBAN is DE89 3704 0044 0532 0130 00.", Random(1), level=1)
    'My IBAN is DE89370400440532013000.'
    """
    return in_other_forms(text, rng, level, "groups", written_in)


def _is_counted(text: str, value: Value) -> bool:
    """Return True if a number from 2 to 12 counts the noun after it."""
    identifies = stands_before(_NO_COUNT, text, value.start) or stands_before(_NUMBERED, text, value.start)
    if identifies or not _stands_alone(text, value):
        return False
    return value.size in _SMALL_NUMBERS and (value.unit.endswith("s") or value.unit in vocabulary().counted)


_RULES: Mapping[str, Rule] = {
    "thousands": _is_large,
    **dict.fromkeys(("currency", "unit", "percent", "point"), _is_outside_range),
    "quantity": _is_quantity,
    "words": _in_words,
    "age": _stands_alone,
    "clock": _is_time,
    "calendar": _is_date,
    "groups": lambda text, value: value.kind == "code" and value.unit != "",  # a code of a known kind
}
"""The rule for each style."""

_OPEN = re.compile(r"\bopen(?:s|ed)?\s+(?:for\s+)?\Z", re.IGNORECASE)

_ASKED_IN_UNITS = ("quantity", "words", "age")
"""Styles not used for a value if the question asks for a quantity."""
_COMMON = 2
_RARE_AND_EXACT = ("age", "calendar", "quantity")
"""Styles whose rare forms are used in English too, since they are exact: 2026-11-12, 1.5 years."""


def written_otherwise(text: str, language: str = "en") -> list[str]:
    """Return copies of the text with one value in a different form, one for every value and form.

    The first form of each value and style comes first, then the second forms, and so on. A form that differs from the
    text or from an earlier form only in spaces, hyphens and capitals comes after the others of its value and style. The
    order depends only on the text.

    >>> sorted(written_otherwise("I use 3,500 kWh a year."))
    ['I use 3,500 kilowatt-hours a year.', 'I use 3,500kWh a year.', 'I use 3500 kWh a year.']
    >>> sorted(written_otherwise("My son is 18 months old."))
    ['My son is 1.5 years old.', 'My son is eighteen months old.']
    """
    # "How many metres are 3 km?" would be answered by another unit.
    excluded = _ASKED_IN_UNITS if asks_to_convert(text, language) else ()
    texts_of: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)  # by place and style
    for value in _unquoted(text, values(text, language)):
        if stands_before(_OPEN, text, value.start):
            continue  # a shop that is open 24 hours is not one that is open 1 day
        for form in value.forms():
            if form.style in excluded or form.style not in _RULES or not _is_usual(form, text, value):
                continue
            if _is_suitable(text, value, form.style):
                new_text = replaced_at(text, value.start, value.end, _in_case(text, value, form.text), language)
                texts_of[str(value.start), form.style].append({"style": form.style, "text": new_text})
    columns = [_mere_spacing_last(text, ranked(text, choices)) for _, choices in sorted(texts_of.items())]
    # Each row has the next choice of every value and style, or None where these have run out.
    rows = (ranked(text, [choice for choice in row if choice is not None]) for row in zip_longest(*columns))
    return list(dict.fromkeys(choice["text"] for row in rows for choice in row))


def _mere_spacing_last(text: str, choices: Iterable[Parameters]) -> list[Parameters]:
    """Return the choices. The last ones differ from the text or an earlier choice only in spacing and capitals.

    >>> [choice["text"] for choice in _mere_spacing_last("at 3 pm", [{"text": "at 3PM"}, {"text": "at 15:00"}])]
    ['at 15:00', 'at 3PM']
    """
    seen = {_closed_up(text)}
    others: list[Parameters] = []
    alike: list[Parameters] = []
    for choice in choices:
        closed_up = _closed_up(str(choice["text"]))
        (alike if closed_up in seen else others).append(choice)
        seen.add(closed_up)
    return [*others, *alike]


def _closed_up(text: str) -> str:
    return re.sub(r"[\s-]+", "", text).casefold()


def _is_usual(form: Form, text: str, value: Value) -> bool:
    """Return True if a form is common, or if it is an English form that is exact, fits its place and is not misread."""
    if not is_english(value.language):
        return form.level <= _COMMON and form.style != "point"  # Chinese has no decimal comma
    fits_place = not form.place or (form.place == "end") == ends_phrase(text, value.end)
    misread = form.style == "thousands" and " " in form.text.removesuffix(value.unit).strip()  # "1 000"
    return fits_place and not misread and (form.level <= _COMMON or form.style in _RARE_AND_EXACT)


@transformation("write-otherwise", capability="formats", says="a value in another form", languages=_FORMS)
@taken_in_turn(lambda text, language: len(written_otherwise(text, language)))
@as_a_whole
def write_otherwise(text: str, draw: int, written_in: str = "en") -> str:
    """Write one value in a different form, such as words, other separators, another unit or an ISO date.

    Each number passed as `draw` selects a different form.

    >>> write_otherwise("Can I bring 3 suitcases?", 0), write_otherwise("Darf ich 3 Koffer mitnehmen?", 0, "de")
    ('Can I bring three suitcases?', 'Darf ich drei Koffer mitnehmen?')
    """
    ways = written_otherwise(text, written_in)
    if draw < len(ways):
        return ways[draw]
    raise UnusableFollowUp(
        f"the values in the question have no further forms ({len(ways)} in total)"
        if ways
        else "the question has no value that can be written in a different form"
    )
