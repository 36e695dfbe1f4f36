"""Splits a text into words, and finds their stems.

Languages that are written without spaces have a segmenter (rjieba), which is loaded for the first text in such a
language. Each language has one shared Snowball stemmer.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence, Set
from functools import cache, lru_cache
from typing import Any

from mutatis.core.languages import language_name
from mutatis.languages import Language, word_set

_ANY = re.compile(r"[^\W\d_]+")


def segmented_words(text: str, language: str) -> list[re.Match[str]]:
    """Return the words of a text in order, without numbers or punctuation.

    >>> [word.group() for word in segmented_words("Wo ist's? 3 km", "de")]
    ['Wo', "ist's", 'km']
    >>> [word.group() for word in segmented_words("成人票多少钱？", "zh")]
    ['成人票', '多少', '钱']
    """
    if Language(language).spaces:
        return list(Language(language).word_pattern(hyphens=True).finditer(text))
    import rjieba  # a tenth of a second for its dictionary

    spans = [
        (run.start() + start, run.start() + end)
        for run in _ANY.finditer(text)
        for _, start, end in rjieba.tokenize(run.group(), "default", False)
    ]
    spans = _compounds(text, spans, word_set("function_words", language))
    return [word for start, end in spans if (word := _ANY.fullmatch(text, start, end)) is not None]


def _compounds(text: str, spans: Sequence[tuple[int, int]], small: Set[str]) -> list[tuple[int, int]]:
    """Join single characters to the longer word before them, since together they usually form a noun.

    Function words are never joined.
    """
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        first, last = joined[-1] if joined else (0, 0)
        longer = last == start and last - first > 1 and text[first:last] not in small
        if longer and end - start == 1 and text[start:end] not in small:
            joined[-1] = (first, end)
        else:
            joined.append((start, end))
    return joined


def content_word_stems(text: str, language: str = "en") -> frozenset[str]:
    """Return the stems of the words in a text, without function words.

    >>> sorted(content_word_stems("The painters were in the house"))
    ['hous', 'painter']
    """
    small = word_set("function_words", language)
    words = (word.group().lower() for word in segmented_words(text, language))
    return frozenset(stem(word, language) for word in words if word not in small)


_lock = threading.Lock()


@cache
def _stemmer(language: str) -> Any:
    """Return the stemmer of a language, or None if Snowball does not support the language."""
    import snowballstemmer

    name = language_name(language).lower()
    return snowballstemmer.stemmer(name) if name in snowballstemmer.algorithms() else None


@lru_cache(maxsize=100_000)
def stem(word: str, language: str = "en") -> str:
    """Return the Snowball stem of a word in lower case, or the word itself if Snowball does not support the language.

    A lock protects the stemmer, which is not thread-safe. Cached words need no lock.

    >>> stem("Painters"), stem("Häuser", "de"), stem("Talot", "xx")
    ('painter', 'haus', 'talot')
    """
    stemmer = _stemmer(language)
    if stemmer is None:
        return word.lower()
    with _lock:
        return str(stemmer.stemWord(word.lower()))
