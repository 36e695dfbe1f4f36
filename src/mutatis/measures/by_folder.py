"""Compares two answers in languages other than English, which has more detailed rules (`free.py`).

In a language with a data folder, replies are compared by yes or no, refusals, values, negations and words. A pair is
decided only if a difference can be named, or if one reply contains everything in the other. In every language, some
checks need no word list: they compare text, JSON data, numbers in answers with the same words, and the language of the
answers, and they recognise stock replies given to many questions. Most other pairs remain undecided. Other measures,
too, read the words and negations of a reply here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache

from mutatis.core.languages import ENGLISH, Languages, knows, language_name
from mutatis.core.measure import NOT_UNDERSTOOD, SOURCE_IS_ODD, Comparison, Measure, Similarity
from mutatis.languages import Language, languages_with, word_set
from mutatis.measures.answer import as_text
from mutatis.measures.facts import Fact, are_of_one_sort, facts, is_among
from mutatis.measures.payload import compare_json
from mutatis.measures.similarities import cannot_tell, different, same
from mutatis.measures.stock_replies import stock_reply
from mutatis.text.by_folder import READS, is_lost_in, knows_not_in, polarity_in, reads, refuses_in, without_courtesy
from mutatis.text.languages import reply_language
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
    function_words, notation = word_set("function_words", language), _notation(language)
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
    return len(Language(language).pattern("negates").findall(text))


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
        if rivals and not any(is_among(other, rivals) for other in kin):
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
    has_values = all(is_among(fact, known) for fact in stated if fact.kind != "stance")
    return has_values and len(words & content_words(other, language).keys()) >= _FOUND * len(words)


# Marks that only set a text; signs that change what it says (%, currencies, C#, C++) stay.
_MARKS = "\\s.,;:!?\u00bf\u00a1\"'`()\\[\\]{}\u2026\u00b7\u3001\u3002\uff0c\uff01\uff1f\uff1b\uff1a\u300c-\u300f"
_MARKS += "\u201c-\u201f\u2018-\u201b\u00ab\u00bb\u2039\u203a\u2032\u2033\u2013\u2014\u200b*_"
_GROUPING = ".,'\u2019\u00a0\u202f"
_TOKEN = re.compile(rf"(?<![a-z\d.,])-?\d(?:[{_GROUPING}]?\d)*|[^{_MARKS}\d]+|\d+")
_WHOLE = re.compile(rf"-?\d+|-?\d{{1,3}}(?:[{_GROUPING}]\d{{3}})+")


def script_tokens(text: str) -> tuple[str, ...]:
    """Return the words, numbers and symbols of a text in any script, in lower case and without punctuation.

    Accents are kept.

    >>> script_tokens("¡Sí, son 1.250,50 €!"), script_tokens("Schön."), script_tokens("三天")
    (('sí', 'son', '1.250,50', '€'), ('schön',), ('三天',))
    """
    return tuple(_TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()))


def possible_values(number: str) -> frozenset[float]:
    """Return the possible values of a number in digits. A comma or full stop may group digits or begin decimals.

    >>> [sorted(possible_values(number)) for number in ("1.250", "1.250,5", "20", "3.5.2024")]
    [[1.25, 1250.0], [1250.5], [20.0], []]
    """
    values = {float(_digits(number))} if _WHOLE.fullmatch(number) else set[float]()
    for mark in (".", ","):
        whole, _, decimals = number.rpartition(mark)
        if mark not in whole and decimals.isdigit() and _WHOLE.fullmatch(whole):
            values.add(float(f"{_digits(whole)}.{decimals}"))
    return frozenset(values)


def _digits(number: str) -> str:
    return re.sub(r"[^\d-]", "", number)


def _by_words(first: str, second: str) -> Similarity | None:
    """Return a decision if two answers have the same words, or differ only in their numbers. Otherwise, return None."""
    ours, theirs = script_tokens(first), script_tokens(second)
    if ours == theirs:
        return same("the same text", 1.0)
    if not ours or not theirs:
        return different("one answer is empty")
    if len(ours) != len(theirs):
        return None
    pairs = [(left, right) for left, right in zip(ours, theirs, strict=True) if left != right]
    if not all(left.lstrip("-")[:1].isdigit() and right.lstrip("-")[:1].isdigit() for left, right in pairs):
        return None
    read = [(possible_values(left), possible_values(right)) for left, right in pairs]
    for (left, right), (ours_read, theirs_read) in zip(pairs, read, strict=True):
        if ours_read and theirs_read and not ours_read & theirs_read:
            return different(f"numbers differ: {left} / {right}")
    alike = all(left == right and len(left) == 1 for left, right in read)
    return same("the same except for how a number is written", 1.0) if alike else None


def by_language(first: str, second: str) -> Similarity | None:
    """Return a decision if two answers are in different languages or scripts. Otherwise, return None."""
    ours, theirs = reply_language(first), reply_language(second)
    if not ours or not theirs or ours == theirs:
        return None
    return different(f"another language: {language_name(ours)} / {language_name(theirs)}")


def compare_in_any_language(first: str, second: str) -> Similarity | None:
    """Compare two answers by rules that hold in every language. Return None if no rule applies.

    >>> compare_in_any_language("Das dauert 3 Tage.", "das dauert 5 Tage").reason
    'numbers differ: 3 / 5'
    >>> compare_in_any_language("Drei Tage.", "Es dauert drei Tage.")
    """
    return compare_json(first, second) or _by_words(first, second) or by_language(first, second)


class KnownLanguages:
    """A measure limited to the languages that it supports. General rules judge answers in other languages."""

    def __init__(self, measure: Measure, languages: Languages) -> None:
        self.name = measure.name
        self.languages = languages
        self._measure = measure

    def compare(self, comparisons: Sequence[Comparison]) -> list[Similarity]:
        """Return one similarity per comparison, undecided if neither the measure nor any general rule applies."""
        known = [comparison for comparison in comparisons if knows(self.languages, comparison.language)]
        scored = iter(self._measure.compare(known))  # type: ignore[arg-type]
        return [
            next(scored) if knows(self.languages, comparison.language) else self._foreign(comparison)
            for comparison in comparisons
        ]

    def _foreign(self, comparison: Comparison) -> Similarity:
        """Judge an answer in an unsupported language by the most similar reference, as every measure does."""
        answer, language = as_text(comparison.answer), comparison.language
        scores = [
            compare_in_any_language(text, answer) or compare_by_folder(text, answer, language)
            for text in map(as_text, comparison.reference)
        ]
        scored = [score for score in scores if score is not None]
        best = max(scored, key=lambda score: score.score, default=None)
        if best is not None and (best.score == 1.0 or len(scored) == len(scores)):
            return best
        if not comparison.directed and comparison.reference and (stock := stock_reply(comparison)) is not None:
            return stock
        reason = f"{self.name} does not support {language_name(language)}"
        return cannot_tell(reason)
