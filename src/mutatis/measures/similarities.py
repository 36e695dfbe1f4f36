"""What a judge says of two answers where a rule decides: they are the same, they differ, or it cannot tell.

Must not know the rules.
"""

from __future__ import annotations

from mutatis.core.measure import Similarity


def same(reason: str, score: float = 0.95) -> Similarity:
    """Return that two answers say the same."""
    return Similarity(score=score, reason=reason)


def different(reason: str, cause: str = "") -> Similarity:
    """Return that two answers say different things; `cause` is what is wrong, where that is known."""
    return Similarity(score=0.03, reason=reason, cause=cause)


def cannot_tell(reason: str) -> Similarity:
    """Return that the score decides nothing."""
    return Similarity(score=0.5, reason=reason, open=True)
