"""Stems are the same whoever asks, and however many at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import snowballstemmer

from mutatis.text.segments import stem

ROOTS = ("relat", "generalis", "nation", "conditional")
ENDINGS = ("ing", "ation", "ed", "fulness", "ousli")
WORDS = [root + ending for root in ROOTS for ending in ENDINGS] * 40


def test_stemming_in_many_threads_gives_what_one_thread_gives() -> None:
    alone = snowballstemmer.stemmer("english")
    expected = [alone.stemWord(word) for word in WORDS]
    stem.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stem, WORDS)) == expected


def test_case_does_not_matter() -> None:
    assert stem("Recordings") == stem("recordings") == "record"
