"""Words and formats of natural languages: a folder of data per language, `en/places.txt`, and the one way to read it.

A `.txt` file holds a line per entry; a `.toml` file holds tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mutatis.core.languages import Languages
from mutatis.core.parsing import toml_of

_FOLDER = Path(__file__).parent


@cache
def languages_with(name: str) -> Languages:
    """Return the languages for which a list exists.

    >>> "de" in languages_with("keyboard"), languages_with("synonyms")
    (True, ('en',))
    """
    return tuple(sorted(path.parent.name for path in _FOLDER.glob(f"*/{name}.txt")))


@cache
def listed(name: str, language: str = "en") -> tuple[str, ...]:
    """Return the lines of a list without blank lines and comments.

    >>> listed("sentences")[0]
    'The kettle on the stove is made of copper.'
    """
    text = (_FOLDER / language / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


@cache
def word_list(name: str, language: str = "en") -> tuple[str, ...]:
    """Return the words in a list, in order.

    >>> word_list("neutral")[:2]
    ('anchor', 'apron')
    """
    return tuple(word for line in listed(name, language) for word in line.split())


@cache
def word_set(name: str, language: str = "en") -> frozenset[str]:
    """Return the words in a list as a set.

    >>> "the" in word_set("function_words")
    True
    """
    return frozenset(word_list(name, language))


@cache
def language_tables(name: str, language: str = "en") -> Mapping[str, Any]:
    """Return the tables in a file.

    >>> sorted(language_tables("tools"))[:2]
    ['common', 'tools']
    """
    return toml_of((_FOLDER / language / f"{name}.toml").read_text(encoding="utf-8"))
