"""Stems of words, from one shared Snowball stemmer per language that is safe to use from several threads."""

from __future__ import annotations

import threading
from functools import cache, lru_cache
from typing import Any

from mutatis.core.languages import language_name

_lock = threading.Lock()


@cache
def _stemmer(language: str) -> Any:
    """Return the stemmer of a language, or None if Snowball has none."""
    import snowballstemmer

    name = language_name(language).lower()
    return snowballstemmer.stemmer(name) if name in snowballstemmer.algorithms() else None


@lru_cache(maxsize=100_000)
def stem(word: str, language: str = "en") -> str:
    """Return the Snowball stem of a word, in lower case; the word itself in a language that Snowball does not have.

    The stemmer stores the word that it is working on, and measures, readers and annotators run in threads of their own.
    Hence the lock, which is needed only for words that have not been seen lately.

    >>> stem("Painters"), stem("H\u00e4user", "de"), stem("Talot", "xx")
    ('painter', 'haus', 'talot')
    """
    stemmer = _stemmer(language)
    if stemmer is None:
        return word.lower()
    with _lock:
        return str(stemmer.stemWord(word.lower()))
