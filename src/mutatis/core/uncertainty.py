"""How unsure an answer is: Gini impurity, from probabilities or from what repeated asks answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mutatis.core.system import Response


def gini(chances: Iterable[float]) -> float:
    """Return 1 - sum p^2 of one decision; where the outcomes do not sum to 1, the rest counts as one outcome.

    >>> gini([1.0]), gini([0.5, 0.5]), round(gini([0.5]), 2)
    (0.0, 0.5, 0.5)
    """
    known = list(chances)
    rest = max(0.0, 1.0 - sum(known))
    return max(0.0, 1.0 - sum(p * p for p in known) - rest * rest)


def uncertainty(response: Response) -> float | None:
    """Return the mean Gini impurity of an answer's decisions; None where the system gives no probabilities.

    >>> uncertainty(Response(text="{}", decisions={"a-day": {"(none)": 1.0}, "a-name": {"(none)": 0.5, "x": 0.5}}))
    0.25
    """
    decisions: Mapping[str, Mapping[str, float]] = response.decisions or {}
    if not decisions and response.probabilities:
        decisions = {"answer": response.probabilities}
    if not decisions:
        return None
    return sum(gini(outcomes.values()) for outcomes in decisions.values()) / len(decisions)


def disagreement(answers: Sequence[str]) -> float:
    """Return the Gini impurity of the answers to one question asked repeatedly: 0 where all agree, or one was asked.

    >>> disagreement(["a", "a", "b", "b"]), disagreement(["a"]), disagreement([])
    (0.5, 0.0, 0.0)
    """
    if not answers:
        return 0.0
    return gini(count / len(answers) for count in Counter(answers).values())
