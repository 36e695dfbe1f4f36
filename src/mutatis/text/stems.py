"""Finds the stems of words with one shared Snowball stemmer per language. Thread-safe."""

from __future__ import annotations

import threading
from functools import cache, lru_cache
from typing import Any

from mutatis.core.languages import language_name

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
