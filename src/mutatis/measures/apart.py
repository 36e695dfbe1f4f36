"""The word adapter: decides from embeddings whether two words exclude each other or are interchangeable.

In sentence embeddings, "Monday" is closer to "Tuesday" than "glad" is to "happy". A small network trained on synonyms,
co-hyponyms and antonyms separates such pairs better (`studies/judge/adapter.py`). At run time it only needs NumPy.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from mutatis.text.embedder import CARRIED, embed
from mutatis.text.memory import Pair, remembered

Halves = NDArray[np.float16]

LIMIT = 5.0
"""Maximum absolute value of the logits that the adapter returns."""

FILE = "word-adapter.npz"


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


def parse(data: bytes) -> WordAdapter:
    """Return the adapter stored in the contents of a file."""
    with np.load(BytesIO(data), allow_pickle=False) as parts:
        return WordAdapter(**{name: parts[name] for name in parts.files})


@cache
def shipped_adapter() -> WordAdapter:
    """Return the adapter that ships with the package."""
    return parse((resources.files(__package__) / "models" / FILE).read_bytes())
