"""Loads the trained models of the judge and evaluates them with NumPy.

A judge model is stored as JSON with named weights (`studies/judge/train.py`). The word adapter decides from embeddings
whether two words exclude each other or are interchangeable: in sentence embeddings, "Monday" is closer to "Tuesday"
than "glad" is to "happy", and a small network trained on synonyms, co-hyponyms and antonyms separates such pairs better
(`studies/judge/adapter.py`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from importlib import resources
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.core.measure import Says
from mutatis.text.embedder import CARRIED, embed
from mutatis.text.memory import Pair, remembered

FORMAT = "mutatis/judge-model"

LIMIT = 5.0
"""Maximum absolute value of the logits that the word adapter returns."""

ADAPTER_FILE = "word-adapter.npz"

Halves = NDArray[np.float16]


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


class JudgeModel:
    """The models of one measure, with their decision threshold and origin.

    Attributes:
        directed: model that compares an output with an annotated answer.
        symmetric: model that compares two outputs.
        exchange: model for two texts that differ only in replaced words, or None if the measure has none.
        threshold: minimum probability for two answers to count as the same.
        provenance: training data, counts, command and measured agreement, as stored in the file.
    """

    def __init__(self, text: str) -> None:
        """Read a model from the text of its file.

        Raises:
            ValueError: the text is not a judge model, or is one of a version that this release cannot read.
        """
        data = json.loads(text)
        form, version = data.get("format"), data.get("version")
        if (form, version) != (FORMAT, 1):
            raise ValueError(f"expected format {FORMAT!r} version 1, got {form!r} {version!r}")
        self.directed = _logistic(data["directed"])
        self.symmetric = _logistic(data["symmetric"])
        self.exchange = _logistic(data["exchange"]) if "exchange" in data else None
        self.threshold = float(data["threshold"])
        self.provenance: dict[str, Any] = data["provenance"]

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


@lru_cache(maxsize=8)
def load_model(name: str) -> JudgeModel:
    """Load a model that ships with the package."""
    return JudgeModel((resources.files(__package__) / "models" / f"{name}.json").read_text("utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class WordAdapter:
    """A projection to a few dimensions, followed by a small network that compares two projected words.

    The network has one layer of rectified linear units. Its inputs are the cosine of the two words, their differences
    and their products.

    Attributes:
        projection: shape (size of an embedding, dimensions).
        inner: weights of the layer, shape (1 + 2 * dimensions, units), for cosine, differences and products.
        inner_shift: biases of the layer, shape (units,).
        outer: weights of the output, shape (units,).
        outer_shift: bias of the output, shape (1,).
    """

    projection: Halves
    inner: Halves
    inner_shift: Halves
    outer: Halves
    outer_shift: Halves

    def apart(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return a logit for each pair of words. The higher it is, the more certainly the words exclude each other.

        Logits lie between -5 and 5 and are rounded to 2 digits. The order of the two words does not matter.
        """
        if not pairs:
            return np.zeros(0)
        return np.array(remembered(f"apart {CARRIED.numbers} {self._digest()}", pairs, self._logits), dtype=np.float64)

    def _logits(self, pairs: Sequence[Pair]) -> list[float]:
        first, second = embed([left for left, _ in pairs]), embed([right for _, right in pairs])
        cosine = (first * second).sum(axis=1, keepdims=True)
        ours, theirs = _row_by_row(first, self.projection), _row_by_row(second, self.projection)
        rows = np.hstack([cosine, np.abs(ours - theirs), ours * theirs])
        units = np.maximum(_row_by_row(rows, self.inner) + _single(self.inner_shift), 0)
        logits = (units * _single(self.outer)).sum(axis=1) + _single(self.outer_shift)
        clipped: NDArray[np.float64] = np.clip(logits, -LIMIT, LIMIT).astype(np.float64)
        return list(map(float, clipped.round(2)))

    def _digest(self) -> str:
        return hashlib.sha256(b"".join(getattr(self, part.name).tobytes() for part in fields(self))).hexdigest()[:16]

    def stored(self) -> bytes:
        """Return the adapter in serialised form."""
        file = BytesIO()
        np.savez_compressed(file, **{part.name: getattr(self, part.name) for part in fields(self)})
        return file.getvalue()


def _single(part: Halves) -> NDArray[np.float32]:
    return part.astype(np.float32)


def _row_by_row(rows: NDArray[np.float32], matrix: Halves) -> NDArray[np.float32]:
    """Multiply each row by the matrix separately.

    If all rows were multiplied at once, the last digits of a row would depend on the number of rows.
    """
    return np.asarray((rows[:, None, :] @ _single(matrix))[:, 0])


def parse_adapter(data: bytes) -> WordAdapter:
    """Return the adapter stored in the contents of a file."""
    with np.load(BytesIO(data), allow_pickle=False) as parts:
        return WordAdapter(**{name: parts[name] for name in parts.files})


@cache
def shipped_adapter() -> WordAdapter:
    """Return the adapter that ships with the package."""
    return parse_adapter((resources.files(__package__) / "models" / ADAPTER_FILE).read_bytes())
