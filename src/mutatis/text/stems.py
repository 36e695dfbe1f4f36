"""Stems of English words: one shared stemmer, safe to use from several threads."""

from __future__ import annotations

import threading
from functools import cache, lru_cache
from typing import Any

_lock = threading.Lock()


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the Snowball stem of a word, in lower case.

    The stemmer stores the word that it is working on, and measures, readers and annotators run in threads of their own.
    Hence the lock, which is needed only for words that have not been seen lately.

    >>> stem("Painters")
    'painter'
    """
    with _lock:
        return str(_stemmer().stemWord(word.lower()))
