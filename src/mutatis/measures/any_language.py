"""Compares two answers in a language that a measure does not support. Most pairs remain undecided.

The checks need no word list. They compare text, JSON data, numbers in answers with the same words, and the language of
the answers, and they recognise stock replies given to many questions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from mutatis.core.languages import Languages, knows, language_name
from mutatis.core.measure import Comparison, Measure, Similarity
from mutatis.measures.answer import as_text
from mutatis.measures.by_folder import compare_by_folder
from mutatis.measures.payload import compare_json
from mutatis.measures.similarities import cannot_tell, different, same
from mutatis.measures.stock_replies import stock_reply
from mutatis.text.languages import reply_language

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
        scored: Sequence[Similarity] = self._measure.compare(known)  # type: ignore[assignment]
        if len(known) == len(comparisons):
            return list(scored)
        left = iter(scored)
        return [
            next(left) if knows(self.languages, comparison.language) else self._foreign(comparison)
            for comparison in comparisons
        ]

    def _foreign(self, comparison: Comparison) -> Similarity:
        """Judge an answer in an unsupported language by the most similar reference, as every measure does."""
        answer, language = as_text(comparison.answer), comparison.language
        scores = [
            compare_in_any_language(text, answer) or compare_by_folder(text, answer, language)
            for text in map(as_text, comparison.reference)
        ]
        told = [score for score in scores if score is not None]
        best = max(told, key=lambda score: score.score, default=None)
        if best is not None and (best.score == 1.0 or len(told) == len(scores)):
            return best
        if not comparison.directed and comparison.reference and (stock := stock_reply(comparison)) is not None:
            return stock
        reason = f"{self.name} does not support {language_name(language)}"
        return cannot_tell(reason)
