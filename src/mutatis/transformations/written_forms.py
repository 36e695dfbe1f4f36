"""Writes values in other forms in languages other than English, using each language's formats and patterns.

Only forms that Mutatis can also read as values are written (`values.toml`). The patterns show when a number is not a
value. English has more precise rules (`formats.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from random import Random

from mutatis.core.dictionary import ranked
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import in_other_languages
from mutatis.languages import Language, needing
from mutatis.text.values import Form, Value, values
from mutatis.transformations.clear import quoted_spans
from mutatis.transformations.formats import Level, another_form, stands_before
from mutatis.transformations.pieces import edited, is_free

_PATTERNS = ("converts", "names_number", "range_before", "range_behind", "counted_thing")
_FORMS = needing("values", "function_words", *(f"speech.patterns.{name}" for name in _PATTERNS), but="en")
_JOINED_BEFORE, _JOINED_BEHIND = r"[\w.,:/#\u00b0\u20ac$\u00a3-]\Z", r"[\w/\u00b2\u00b3^-]|[.,:]\d"
"""Patterns of characters that join a value to its neighbours."""

_YEARS = range(1000, 2101)
_SMALL = range(2, 13)
_ASKED_IN_UNITS = ("quantity", "words")
"""Styles in which a value is not written if the question asks for a conversion."""
_COMMON = 2
"""Highest level of the forms that people commonly write."""


def _stands_before(folder: Language, name: str, text: str, value: Value) -> bool:
    """Return True if a pattern of the language matches right before a value."""
    return stands_before(folder.pattern(name), text, value.start)


def _stands_alone(folder: Language, text: str, value: Value) -> bool:
    """Return True if a value is not part of a range, a code, a compound or anything else longer."""
    # Without spaces, any character of the language may stand next to a value, and \w is limited to ASCII.
    flags = re.NOFLAG if folder.spaces else re.ASCII
    before, behind = re.compile(_JOINED_BEFORE, flags), re.compile(_JOINED_BEHIND, flags)
    joined = before.search(text, max(0, value.start - 1), value.start) or behind.match(text, value.end)
    in_range = _stands_before(folder, "range_before", text, value)
    return not joined and not in_range and not folder.pattern("range_behind").match(text, value.end)


def _fits(folder: Language, text: str, value: Value, form: Form) -> bool:
    """Return True if people would write a value in a text in the given form."""
    if not _stands_alone(folder, text, value):
        return False
    if form.style in _ASKED_IN_UNITS and folder.pattern("converts").search(text):
        return False
    if value.measure == "count":
        may_be_year = value.size in _YEARS and value.text.isdigit() and value.unit not in value.words.counted
        if may_be_year or _stands_before(folder, "names_number", text, value):
            return False
        counted = folder.pattern("counted_thing").match(text, value.end) is not None
        return counted and (form.style != "words" or value.size in _SMALL)
    if value.kind == "date":
        return value.measure in ("date", "weekday")
    if value.kind == "code":
        return value.unit != "house"
    return True


def _forms(folder: Language, text: str, styles: Collection[str]) -> list[tuple[Value, list[Form]]]:
    """Return the values in a text that have a different form in one of the given styles, along with these forms."""
    quoted = quoted_spans(text)
    forms_of = []
    for value in values(text, folder.code):
        forms = [form for form in value.forms() if form.style in styles and _fits(folder, text, value, form)]
        if forms and is_free(value.start, value.end, quoted):
            forms_of.append((value, forms))
    return forms_of


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
    """Return a function that writes all values of a text in another form of one style."""

    def write(text: str, rng: Random, written_in: str, *, level: Level = 2) -> str:
        share = rng.random()
        edits = [
            (value.start, value.end, another_form(forms, value.text, share, level))
            for value, forms in _forms(Language(written_in), text, (style,))
        ]
        return edited(text, edits)

    return write


for _name, _style in _STYLE_OF.items():
    in_other_languages(_name, languages=_FORMS)(_writer(_style))

_STYLES = (*_STYLE_OF.values(), "percent")


@in_other_languages("write-otherwise", languages=_FORMS)
def otherwise_elsewhere(text: str, draw: int, written_in: str) -> str:
    """Write one value in a different form. Each number passed as `draw` selects a different form.

    >>> otherwise_elsewhere("Darf ich 3 Koffer mitnehmen?", 0, "de")
    'Darf ich drei Koffer mitnehmen?'
    """
    choices = [
        {"text": edited(text, [(value.start, value.end, form.text)]), "style": form.style}
        for value, forms in _forms(Language(written_in), text, _STYLES)
        for form in forms
        if form.level <= _COMMON
    ]
    texts = list(dict.fromkeys(choice["text"] for choice in ranked(text, choices)))
    if draw < len(texts):
        return texts[draw]
    raise UnusableFollowUp(f"the values in the question have no further forms ({len(texts)} in total)")
