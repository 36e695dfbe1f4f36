"""Builds the verdicts of rules on two answers: the same, different, or undecided."""

from __future__ import annotations

from mutatis.core.measure import Similarity


def same(reason: str, score: float = 0.95) -> Similarity:
    """Return the verdict that two answers are the same."""
    return Similarity(score=score, reason=reason)


def different(reason: str, cause: str = "") -> Similarity:
    """Return the verdict that two answers differ. `cause` is the fault behind the difference, if known."""
    return Similarity(score=0.03, reason=reason, cause=cause)


def cannot_tell(reason: str) -> Similarity:
    """Return a similarity that leaves a pair of answers open."""
    return Similarity(score=0.5, reason=reason, open=True)
