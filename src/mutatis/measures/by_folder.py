"""Compares two replies using the data folder of their language: yes or no, refusals, values, negations, words.

It serves languages other than English, which has more detailed rules (`free.py`). A pair is decided only if a
difference can be named, or if one reply contains everything in the other. Other measures, too, read the words and
negations of a reply here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from mutatis.core.languages import ENGLISH, Languages
from mutatis.core.measure import NOT_UNDERSTOOD, SOURCE_IS_ODD, Similarity
from mutatis.languages import Language, languages_with
from mutatis.measures.facts import Fact, are_of_one_sort, facts, same_fact
from mutatis.measures.similarities import different, same
from mutatis.text.by_folder import READS, is_lost_in, knows_not_in, polarity_in, reads, refuses_in, without_courtesy
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


_FOUND = 0.8
"""Share of a reply's content words that another reply must contain for the two to count as the same."""

_FEWEST = 2
"""Minimum number of content words that a reply needs, unless it states a value, to be found in another reply."""

_VALUES = ("amount", "day", "time", "code")
_WITHOUT_ANSWER: Sequence[tuple[Callable[[str, str], bool], str]] = (
    (is_lost_in, "not understood"),
    (refuses_in, "refused"),
    (knows_not_in, "not known"),
)
"""The functions that recognise a reply without an answer, each with the reason to state."""


def languages_read() -> Languages:
    """Return English and all languages whose folders have the lists needed to compare replies."""
    return tuple(dict.fromkeys((*ENGLISH, *languages_with(*READS))))


def certain_in(first: str, second: str, language: str) -> Similarity | None:
    """Judge two replies by clear signs, whatever their wording. Return None if they give no such sign.

    The signs are misunderstandings, refusals, admissions of ignorance, yes or no, and values.

    >>> certain_in("Das kostet 5 Euro.", "Es sind 7 Euro.", "de").reason
    'values differ: 5 euro / 7 euro'
    """
    if not reads(language):
        return None
    for recognises, reason in _WITHOUT_ANSWER:
        in_first, in_second = recognises(first, language), recognises(second, language)
        if in_first is not in_second:
            cause = SOURCE_IS_ODD if in_first else NOT_UNDERSTOOD
            return different(f"{reason} in one, not in the other", cause if recognises is is_lost_in else "")
    if {polarity_in(first, language), polarity_in(second, language)} == {True, False}:
        return different("yes / no")
    return _by_values(first, second, language)


def _by_values(first: str, second: str, language: str) -> Similarity | None:
    """Return "different" if both replies contain values of the same sort but have none in common, else None."""
    ours, theirs = (
        [fact for fact in facts(text, language=language) if fact.kind in _VALUES] for text in (first, second)
    )
    for fact in ours:
        rivals, kin = ([other for other in side if _are_rivals(fact, other)] for side in (theirs, ours))
        if rivals and not any(same_fact(left, right) for left in kin for right in rivals):
            return different(f"values differ: {fact.text} / {rivals[0].text}")
    return None


def _are_rivals(fact: Fact, other: Fact) -> bool:
    """Return True if two facts contradict each other unless they are equal, unlike a weekday and a date."""
    return fact.kind == other.kind and (fact.value is None) is (other.value is None) and are_of_one_sort(fact, other)


def compare_by_folder(first: str, second: str, language: str) -> Similarity | None:
    """Judge two replies using the data folder of their language. Return None if no rule applies.

    >>> compare_by_folder("Das kostet 5 Euro.", "Gerne! Das kostet 5 Euro.", "de").reason
    'everything in one reply is found in the other'
    >>> compare_by_folder("Hunde sind erlaubt.", "Hunde sind nicht erlaubt.", "de").reason
    'one is negated'
    """
    if not reads(language):
        return None
    if (decided := certain_in(first, second, language)) is not None:
        return decided
    left, right = without_courtesy(first, language), without_courtesy(second, language)
    if negations_in(left, language) % 2 != negations_in(right, language) % 2:  # two negations cancel each other out
        words = content_words(left, language).keys()
        return different("one is negated") if words and words == content_words(right, language).keys() else None
    if _is_found(left, right, language) or _is_found(right, left, language):
        return same("everything in one reply is found in the other")
    return None


def _is_found(reply: str, other: str, language: str) -> bool:
    """Return True if another reply contains most of this reply's words and all of its values."""
    words, stated = content_words(reply, language).keys(), facts(reply, language=language)
    if len(words) < _FEWEST and not stated:
        return False
    known = facts(other, language=language)
    has_values = all(
        any(same_fact(fact, fact_there) for fact_there in known) for fact in stated if fact.kind != "stance"
    )
    return has_values and len(words & content_words(other, language).keys()) >= _FOUND * len(words)
