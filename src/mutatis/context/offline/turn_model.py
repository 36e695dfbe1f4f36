"""The turn model: boosted trees, or if that is better their mean with a logistic regression on words and features.

With a title the trees alone are never sure enough of an altered context: they see how features work together, but rank
the clearest cases badly (no leaf is small). The regression ranks these cases best, and learns from single words of the
question ("album", "that", "movie") that are not among the cues. Independent of follow-ups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.context.offline.trees import Trees
from mutatis.context.words import plain_words


def question_words(question: str) -> frozenset[str]:
    """Return the words of a question as the regression counts them."""
    return frozenset(word.lower() for word in plain_words(question))


class Linear:
    """A logistic regression read from JSON: `baseline`, `weights` (one per feature), `words` (word -> weight)."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._baseline = float(data["baseline"])
        self._weights = np.array(data["weights"], dtype=np.float64)
        self._words: dict[str, float] = dict(data["words"])

    def probability(self, rows: NDArray[np.float32], questions: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability of each row (rows x features), whose question stands in `questions`."""
        said = np.array(
            [sum(self._words.get(word, 0.0) for word in question_words(question)) for question in questions]
        )
        return np.asarray(1.0 / (1.0 + np.exp(-(self._baseline + rows @ self._weights + said))))


class TurnModel:
    """How probably a turn's context is equivalent: trees alone, or trees and regression, each counting half."""

    def __init__(self, trees: Mapping[str, Any], linear: Mapping[str, Any] | None = None) -> None:
        self.trees = Trees(trees)
        self.linear = None if linear is None else Linear(linear)

    def probability(self, rows: NDArray[np.float32], questions: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability of each row, whose question stands in `questions`."""
        by_trees = self.trees.probability(rows)
        return by_trees if self.linear is None else (by_trees + self.linear.probability(rows, questions)) / 2
