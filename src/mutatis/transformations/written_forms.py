"""Values in other forms in languages other than English, by the formats and patterns of a language's folder.

The forms are those of the reader of values (`values.toml`); the patterns say where a number is no value. English has
finer rules (`formats.py`). Independent of tasks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

from mutatis.core.dictionary import ranked
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import in_other_languages
from mutatis.languages import Language, needing
from mutatis.text.values import Form, Value, values
from mutatis.transformations.clear import quoted_spans
from mutatis.transformations.formats import NEAR, Level, another_form
from mutatis.transformations.pieces import edited, is_free

_PATTERNS = ("converts", "names_number", "range_before", "range_behind", "counted_thing")
_FORMS = needing("values", "function_words", *(f"speech.patterns.{name}" for name in _PATTERNS), but="en")
_JOINED_BEFORE = re.compile(r"[\w.,:/#\u00b0\u20ac$\u00a3-]\Z")
_JOINED_BEHIND = re.compile(r"[\w/\u00b2\u00b3^-]|[.,:]\d")
_YEARS = range(1000, 2101)
_SMALL = range(2, 13)
_ASKED_IN_UNITS = ("quantity", "words")


def _before(folder: Language, name: str, text: str, value: Value) -> bool:
    return folder.pattern(name).search(text, max(0, value.start - NEAR), value.start) is not None


def _stands_alone(folder: Language, text: str, value: Value) -> bool:
    """Return True if a value is not part of something longer: a range, a code, a compound."""
    joined = _JOINED_BEFORE.search(text, max(0, value.start - 1), value.start) or _JOINED_BEHIND.match(text, value.end)
    in_range = _before(folder, "range_before", text, value) or folder.pattern("range_behind").match(text, value.end)
    return not joined and not in_range


def _fits(folder: Language, text: str, value: Value, form: Form) -> bool:
    """Return True if people would write a value of this text in a form."""
    if not _stands_alone(folder, text, value):
        return False
    if form.style in _ASKED_IN_UNITS and folder.pattern("converts").search(text):
        return False
    if value.measure == "count":
        may_be_year = value.size in _YEARS and value.text.isdigit() and value.unit not in value.words.counted
        if may_be_year or _before(folder, "names_number", text, value):
            return False
        counted = folder.pattern("counted_thing").match(text, value.end) is not None
        return counted and (form.style != "words" or value.size in _SMALL)
    if value.kind == "date":
        return value.measure == "date"
    if value.kind == "code":
        return value.unit != "house"
    return True


def _forms(folder: Language, text: str, styles: Iterable[str]) -> list[tuple[Value, list[Form]]]:
    """Return the values of a text that may be written in another form of these styles, with the forms."""
    fixed, wanted = quoted_spans(text), frozenset(styles)
    free = [value for value in values(text, folder.code) if is_free(value.start, value.end, fixed)]
    made = [
        (value, [form for form in value.forms() if form.style in wanted and _fits(folder, text, value, form)])
        for value in free
    ]
    return [(value, forms) for value, forms in made if forms]


def _written(text: str, rng: Random, level: int, style: str, language: str) -> str:
    share = rng.random()
    edits = [
        (value.start, value.end, another_form(forms, value.text, share, level))
        for value, forms in _forms(Language(language), text, (style,))
    ]
    return edited(text, edits)


@in_other_languages("write-thousands", languages=_FORMS)
def thousands_elsewhere(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
    """Write large amounts with or without marks at the thousands.

    >>> thousands_elsewhere("Passen 1500 Personen hinein?", Random(1), "de")
    'Passen 1.500 Personen hinein?'
    """
    return _written(text, rng, level, "thousands", written_in)


@in_other_languages("write-currency", languages=_FORMS)
def currency_elsewhere(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
    """Write a currency as sign, code or word.

    >>> currency_elsewhere("Geht es unter 20 Euro?", Random(2), "de")
    'Geht es unter 20€?'
    """
    return _written(text, rng, level, "currency", written_in)


@in_other_languages("write-units", languages=_FORMS)
def units_elsewhere(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
    """Write units of measure as symbols or words, with or without a blank.

    >>> units_elsewhere("Mein Koffer wiegt 12 kg.", Random(2), "de")
    'Mein Koffer wiegt 12 Kilo.'
    """
    return _written(text, rng, level, "unit", written_in)


@in_other_languages("equal-quantities", languages=_FORMS)
def quantities_elsewhere(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
    """Express a quantity in a unit that is an exact multiple of its own.

    >>> quantities_elsewhere("Geht das in 90 Minuten?", Random(1), "de")
    'Geht das in 1,5 Stunden?'
    """
    return _written(text, rng, level, "quantity", written_in)


@in_other_languages("write-times", languages=_FORMS)
def times_elsewhere(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
    """Write times of day in another form.

    >>> times_elsewhere("Kann ich um 14 Uhr kommen?", Random(2), "de")
    'Kann ich um 14:00 kommen?'
    """
    return _written(text, rng, level, "clock", written_in)


@in_other_languages("write-dates", languages=_FORMS)
def dates_elsewhere(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
    """Write dates with the month as a word or a number.

    >>> dates_elsewhere("Haben Sie am 5. März geöffnet?", Random(1), "de")
    'Haben Sie am 05.03. geöffnet?'
    """
    return _written(text, rng, level, "calendar", written_in)


@in_other_languages("quantities-in-words", languages=_FORMS)
def words_elsewhere(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
    """Write quantities in words instead of figures, and in figures instead of words.

    >>> words_elsewhere("Ein Tisch für 4 Personen, für zwei Stunden?", Random(1), "de")
    'Ein Tisch für vier Personen, für 2 Stunden?'
    """
    return _written(text, rng, level, "words", written_in)


@in_other_languages("group-identifiers", languages=_FORMS)
def groups_elsewhere(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
    """Write numbers that name something joined, or in groups.

    >>> groups_elsewhere("Wo ist Bestellung 20481937?", Random(1), "de")
    'Wo ist Bestellung 2048 1937?'
    """
    return _written(text, rng, level, "groups", written_in)


_STYLES = ("thousands", "currency", "unit", "percent", "quantity", "words", "clock", "calendar", "groups")
_COMMON = 2


@in_other_languages("write-otherwise", languages=_FORMS)
def otherwise_elsewhere(text: str, draw: int, written_in: str) -> str:
    """Write one value in another of its forms, taken in turn.

    >>> otherwise_elsewhere("Darf ich 3 Koffer mitnehmen?", 0, "de")
    'Darf ich drei Koffer mitnehmen?'
    """
    made = [
        {"text": edited(text, [(value.start, value.end, form.text)]), "style": form.style}
        for value, forms in _forms(Language(written_in), text, _STYLES)
        for form in forms
        if form.level <= _COMMON
    ]
    ways = list(dict.fromkeys(way["text"] for way in ranked(text, made)))
    if draw < len(ways):
        return ways[draw]
    raise UnusableFollowUp(f"the values of the question have {len(ways)} other forms, no more")
