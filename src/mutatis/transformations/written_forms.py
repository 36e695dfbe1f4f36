"""Writes values in other forms in languages other than English, using each language's formats and patterns.

Only forms that Mutatis can also read as values are written (`values.toml`). The patterns show when a number is not a
value. English has more precise rules (`formats.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
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
_JOINED = {
    True: (_JOINED_BEFORE, _JOINED_BEHIND),
    False: (re.compile(_JOINED_BEFORE.pattern, re.ASCII), re.compile(_JOINED_BEHIND.pattern, re.ASCII)),
}
"""Patterns of characters that join a value to its neighbours, for languages with and without spaces.

Without spaces, any non-ASCII character may stand next to a value.
"""

_YEARS = range(1000, 2101)
_SMALL = range(2, 13)
_ASKED_IN_UNITS = ("quantity", "words")


def _before(folder: Language, name: str, text: str, value: Value) -> bool:
    return folder.pattern(name).search(text, max(0, value.start - NEAR), value.start) is not None


def _stands_alone(folder: Language, text: str, value: Value) -> bool:
    """Return True if a value is not part of a range, a code, a compound or anything else longer."""
    before, behind = _JOINED[folder.spaces]
    joined = before.search(text, max(0, value.start - 1), value.start) or behind.match(text, value.end)
    in_range = _before(folder, "range_before", text, value) or folder.pattern("range_behind").match(text, value.end)
    return not joined and not in_range


def _fits(folder: Language, text: str, value: Value, form: Form) -> bool:
    """Return True if people would write a value in a text in the given form."""
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
        return value.measure in ("date", "weekday")
    if value.kind == "code":
        return value.unit != "house"
    return True


def _forms(folder: Language, text: str, styles: Iterable[str]) -> list[tuple[Value, list[Form]]]:
    """Return the values in a text that have a different form in one of the given styles, along with these forms."""
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


_STYLE_OF = {
    "write-thousands": "thousands",
    "write-currency": "currency",
    "write-units": "unit",
    "equal-quantities": "quantity",
    "write-times": "clock",
    "write-dates": "calendar",
    "quantities-in-words": "words",
    "group-identifiers": "groups",
}
"""The style of the values that each transformation writes."""


def _writer(style: str) -> Callable[..., str]:
    def write(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
        return _written(text, rng, level, style, written_in)

    return write


for _name, _style in _STYLE_OF.items():
    in_other_languages(_name, languages=_FORMS)(_writer(_style))

_STYLES = (*_STYLE_OF.values(), "percent")
_COMMON = 2


@in_other_languages("write-otherwise", languages=_FORMS)
def otherwise_elsewhere(text: str, draw: int, written_in: str) -> str:
    """Write one value in a different form. Each number passed as `draw` selects a different form.

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
    raise UnusableFollowUp(f"the values in the question have no further forms ({len(ways)} in total)")
