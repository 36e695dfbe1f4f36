"""Says a limit in other words, or turns it round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random

from mutatis.core.transformation import as_a_whole, transformation
from mutatis.languages import Language, needing
from mutatis.text.normalisation import like
from mutatis.text.values import values
from mutatis.transformations.clear import quoted_spans
from mutatis.transformations.known import one_of
from mutatis.transformations.pieces import Edit, edited, is_free

LIMITED = ("values", "limits.alike", "limits.turned")
"""Lists of a language that contain the wordings of limits."""

_NO_LIMITS = frozenset({"code", "name"})
"""Kinds of values that cannot have a limit."""


@cache
def _alike(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return a mapping from each wording of a limit to the other wordings with the same meaning."""
    groups: Sequence[Sequence[str]] = Language(language).tables("limits")["alike"]
    return {words: tuple(other for other in group if other != words) for group in groups for words in group}


@cache
def _turned(language: str) -> Mapping[str, tuple[str, ...]]:
    """Return a mapping from each wording of a limit to the wording of the opposite limit."""
    pairs: Mapping[str, str] = Language(language).tables("limits")["turned"]
    return {words: (other,) for words, other in pairs.items()}


def _worded(
    text: str, language: str, known: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the position of each wording of a limit right before a value, with its possible replacements."""
    folder, quoted, low = Language(language), quoted_spans(text), text.lower()
    for value in values(text, language):
        if value.kind in _NO_LIMITS or not is_free(value.start, value.end, quoted):
            continue
        end = len(low[: value.start].rstrip())
        for words in sorted(known, key=len, reverse=True):
            start = end - len(words)
            apart = not folder.spaces or start <= 0 or not low[start - 1].isalnum()
            if start >= 0 and low[start:end] == words and apart:
                yield start, end, known[words]
                break


def turned_limits(text: str, language: str) -> list[str]:
    """Return copies of a text in which one of its limits is reversed: a minimum becomes a maximum.

    >>> turned_limits("Groups have at least 10 people and at most 30 people.", "en")[0]
    'Groups have at most 10 people and at most 30 people.'
    >>> turned_limits("Der Turm ist mehr als 500 Jahre alt.", "de")
    ['Der Turm ist weniger als 500 Jahre alt.']
    """
    limits = _worded(text, language, _turned(language))
    return [edited(text, [(start, end, like(text[start:end], new))]) for start, end, (new,) in limits]


@transformation(
    "limit-in-other-words",
    capability="limits",
    says="a limit in other words",
    languages=needing(*LIMITED),
)
@as_a_whole
def limit_in_other_words(text: str, rng: Random, written_in: str = "en") -> str:
    """Reword every limit ("at most" for "no more than"). Texts without a limit are left unchanged.

    >>> limit_in_other_words("Is there a room for at most 80 euros?", Random(1))
    'Is there a room for no more than 80 euros?'
    """
    edits: list[Edit] = [
        (start, end, like(text[start:end], one_of(others, rng)))
        for start, end, others in _worded(text, written_in, _alike(written_in))
    ]
    return edited(text, edits)
