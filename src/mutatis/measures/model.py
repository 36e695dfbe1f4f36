"""Loads a judge model, stored as JSON with named weights, and evaluates it with NumPy.

The models are trained by `studies/judge/train.py`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.core.measure import Says

FORMAT = "mutatis/judge-model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic:
    """A calibrated logistic model over named features.

    The probability is 1 / (1 + exp(-(intercept + weights . row))).
    """

    features: tuple[str, ...]
    weights: NDArray[np.float64]
    intercept: float

    def probabilities(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return one probability per row. `rows` has shape (pairs, features)."""
        # Row by row: in a product of all rows, the last digits of a row depend on how many there are.
        weighed: NDArray[np.float64] = np.einsum("ij,j->i", np.ascontiguousarray(rows), self.weights)
        sums = np.clip(weighed + self.intercept, -30.0, 30.0)
        return 1.0 / (1.0 + np.exp(-sums))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeModel:
    """The models of one measure, with their decision threshold, undecided band and origin.

    Attributes:
        directed: model that compares an output with an annotated answer.
        symmetric: model that compares two outputs.
        exchange: model for two texts that differ only in replaced words, or None if the measure has none.
        threshold: minimum probability at which two answers count as the same.
        undecided: band of probabilities within which a person should look at the pair.
        provenance: training data, counts, command and measured agreement, as stored in the file.
    """

    name: str
    directed: Logistic
    symmetric: Logistic
    exchange: Logistic | None
    threshold: float
    undecided: tuple[float, float]
    provenance: dict[str, Any]

    @property
    def precision(self) -> dict[Says, float]:
        """Proportion of verdicts on two outputs that people agreed with, for questions not in the training data."""
        figures = self.provenance["agreement_on_held_out_questions"]["symmetric"]
        different, same = figures["different"], figures["pairs"] - figures["different"]
        accepted = same * (1 - figures["false_alarms"])
        missed = different * (1 - figures["recall"])
        return {"different": figures["precision"], "same": round(accepted / (accepted + missed), 3)}


def _logistic(data: dict[str, Any]) -> Logistic:
    weights: dict[str, float] = data["weights"]
    return Logistic(
        features=tuple(weights),
        weights=np.array(list(weights.values()), dtype=np.float64),
        intercept=float(data["intercept"]),
    )


def parse_model(text: str) -> JudgeModel:
    """Parse a judge model.

    Raises:
        ValueError: the text is not a judge model, or is one of a version that this release cannot read.
    """
    data = json.loads(text)
    if data.get("format") != FORMAT or data.get("version") != 1:
        raise ValueError(f"expected format {FORMAT!r} version 1, got {data.get('format')!r} {data.get('version')!r}")
    low, high = data["undecided"]
    return JudgeModel(
        name=data["name"],
        directed=_logistic(data["directed"]),
        symmetric=_logistic(data["symmetric"]),
        exchange=_logistic(data["exchange"]) if "exchange" in data else None,
        threshold=float(data["threshold"]),
        undecided=(float(low), float(high)),
        provenance=dict(data["provenance"]),
    )


@lru_cache(maxsize=8)
def load_model(name: str) -> JudgeModel:
    """Load a model that ships with the package."""
    return parse_model((resources.files(__package__) / "models" / f"{name}.json").read_text("utf-8"))


def matrix(rows: Sequence[Sequence[float]], width: int) -> NDArray[np.float64]:
    """Return rows as an array of shape (rows, width), even if there are no rows."""
    return np.array(rows, dtype=np.float64).reshape(len(rows), width)
