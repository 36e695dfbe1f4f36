"""Builds the verdicts that rules give on two answers: the same, different, or undecided."""

from __future__ import annotations

from collections.abc import Iterable

from mutatis.core.measure import Similarity


def same(reason: str, score: float = 0.95) -> Similarity:
    """Return the verdict that two answers are the same."""
    return Similarity(score=score, reason=reason)


def different(reason: str, cause: str = "") -> Similarity:
    """Return the verdict that two answers differ. `cause` is the fault behind the difference, if known."""
    return Similarity(score=0.03, reason=reason, cause=cause)


def cannot_tell(reason: str) -> Similarity:
    """Return a similarity that leaves a pair of answers undecided."""
    return Similarity(score=0.5, reason=reason, open=True)


def most_similar(similarities: Iterable[Similarity]) -> Similarity:
    """Return the best similarity of an answer to any of the accepted answers."""
    none = Similarity(score=0.0, reason="there is no reference answer")
    return max(similarities, key=lambda similarity: similarity.score, default=none)
