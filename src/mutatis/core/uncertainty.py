"""Measures the uncertainty of an answer as Gini impurity, using probabilities or repeated answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from mutatis.core.system import Response


def gini(chances: Iterable[float]) -> float:
    """Return the Gini impurity (1 - sum p^2) of one decision.

    If the probabilities sum to less than 1, the remainder counts as one more outcome.

    >>> gini([1.0]), gini([0.5, 0.5]), round(gini([0.5]), 2)
    (0.0, 0.5, 0.5)
    """
    known = list(chances)
    rest = max(0.0, 1.0 - sum(known))
    return max(0.0, 1.0 - sum(p * p for p in known) - rest * rest)


def uncertainty(response: Response) -> float | None:
    """Return the mean Gini impurity of an answer's decisions, or None if the system gives no probabilities.

    >>> uncertainty(Response(text="{}", decisions={"a-day": {"(none)": 1.0}, "a-name": {"(none)": 0.5, "x": 0.5}}))
    0.25
    """
    decisions: Mapping[str, Mapping[str, float]] = response.decisions or {}
    if not decisions and response.probabilities:
        decisions = {"answer": response.probabilities}
    if not decisions:
        return None
    return sum(gini(outcomes.values()) for outcomes in decisions.values()) / len(decisions)


def disagreement(answers: Sequence[Any]) -> float:
    """Return the Gini impurity of repeated answers to one question: 0 if they are all the same or there is only one.

    Answers with several parts (dialogue states) are compared part by part. The result is then the mean over all parts
    that occur in any answer.

    >>> disagreement(["a", "a", "b", "b"]), disagreement(["a"]), disagreement([])
    (0.5, 0.0, 0.0)
    >>> disagreement([{"hotel-area": "east", "hotel-stars": "4"}, {"hotel-area": "east"}])
    0.25
    """
    if not answers:
        return 0.0
    if all(isinstance(answer, Mapping) for answer in answers):
        parts = sorted(set().union(*answers))
        return sum(disagreement([answer.get(part) for answer in answers]) for part in parts) / max(1, len(parts))
    counts = Counter(answer if isinstance(answer, Hashable) else repr(answer) for answer in answers)
    return gini(count / len(answers) for count in counts.values())
