"""Reads the words of texts in languages other than English, using the word lists in each language's folder."""

from __future__ import annotations

from functools import cache

from mutatis.languages import Language
from mutatis.text.by_folder import reads
from mutatis.text.memory import kept_within
from mutatis.text.normalisation import fold, in_one_case
from mutatis.text.segments import segmented_words, stem
from mutatis.text.values import values, vocabulary


@kept_within(8_000_000, per_character=20)
def content_words(text: str, language: str) -> dict[str, str]:
    """Return the stems of a text's content words, each with the word as first written.

    Function words, numbers, units, months, weekdays and times of day are left out.

    >>> sorted(content_words("Die Häuser kosten 20 Euro am Montag.", "de"))
    ['haus', 'kost']
    """
    if not reads(language):
        return {}
    function_words, notation = Language(language).words("function_words"), _notation(language)
    times = [(value.start, value.end) for value in values(text, language) if value.measure == "time of day"]
    first_written: dict[str, str] = {}
    for match in segmented_words(text, language):
        word, low = match.group(), match.group().lower()
        if any(start <= match.start() < end for start, end in times):
            continue  # "abends" in "um 8 Uhr abends"
        if low not in function_words and in_one_case(low) not in notation:
            first_written.setdefault(fold(stem(low, language)), word)
    return first_written


def negations_in(text: str, language: str) -> int:
    """Return the number of negating words in a text.

    >>> negations_in("Das geht nicht, es gibt keine.", "de")
    2
    """
    return len(Language(language).pattern("negates").findall(text)) if reads(language) else 0


@cache
def _notation(language: str) -> frozenset[str]:
    """Return the words used to write dates and amounts, such as the names of months and units, in lower case."""
    known = vocabulary(language)
    names = (*known.months, *known.words("calendar", "other_days"), *known.spellings)
    return frozenset(in_one_case(name) for row in (*known.rows_of_weekdays, names) for name in row)
