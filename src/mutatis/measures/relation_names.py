"""Lists phrases that name a relation between two things: "place of birth" is "born in", "author" is not "author of".

The data are in `lexicons/relations.txt`, written for this project.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from mutatis.text.normalisation import tokens

_LEADING = frozenset({"is", "was", "are", "were", "has", "been", "relation", "he", "she", "it"})
LONGEST = 8
"""Number of words in the longest phrase that is looked up."""


def _key(words: tuple[str, ...]) -> tuple[str, ...]:
    at = next((at for at, word in enumerate(words) if word not in _LEADING), len(words))
    return words[at:]


@cache
def _phrases() -> dict[tuple[str, ...], frozenset[str]]:
    text = (resources.files(__package__) / "lexicons" / "relations.txt").read_text("utf-8")
    by_key: dict[tuple[str, ...], set[str]] = {}
    for line in text.splitlines():
        name, colon, phrases = line.partition(":")
        if line.startswith("#") or not colon:
            continue
        for phrase in (name, *phrases.split("|")):
            by_key.setdefault(_key(tokens(phrase)), set()).add(name)
    return {key: frozenset(names) for key, names in by_key.items()}


def relations(text: str) -> frozenset[str]:
    """Return the relations that a phrase may name, or nothing for any other text.

    >>> sorted(relations("was born in")), sorted(relations("author of")), sorted(relations("in the garden"))
    (['place of birth'], ['author of'], [])
    """
    if len(text) > 100:
        return frozenset()
    return _phrases().get(_key(tokens(text)), frozenset())


def all_phrases() -> dict[str, frozenset[str]]:
    """Return every known phrase with the relations that it may name."""
    return {" ".join(key): names for key, names in _phrases().items()}
