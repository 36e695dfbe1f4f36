"""Boosted trees read from JSON and evaluated with numpy: no scikit-learn and no pickle at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Trees:
    """A sum of regression trees on the log-odds scale.

    The JSON form has `baseline`, `features` (names) and `trees`. Each tree is a list of nodes [feature, threshold,
    left, right], or [value] for a leaf; a row goes left if its feature is <= the threshold.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.features: list[str] = list(data["features"])
        self.baseline = float(data["baseline"])
        trees: Sequence[Sequence[Sequence[float]]] = data["trees"]
        width = max((sum(len(node) == 4 for node in tree) for tree in trees), default=0)
        self._feature = np.zeros((len(trees), width), dtype=np.intp)
        self._threshold = np.full((len(trees), width), np.inf)
        # Per tree, split and leaf: 1 where the leaf lies to the left of the split, -1 to the right, 0 elsewhere.
        self._side = np.zeros((len(trees), width, width + 1), dtype=np.float32)
        # A leaf is reached when all splits above it agree; leaves that do not exist are never reached.
        self._depth = np.full((len(trees), width + 1), np.inf, dtype=np.float32)
        self._value = np.zeros((len(trees), width + 1))
        for number, tree in enumerate(trees):
            self._read(number, tree)

    def _read(self, number: int, tree: Sequence[Sequence[float]]) -> None:
        """Fill in one tree's tables."""
        splits = 0
        leaves = 0
        waiting: list[tuple[int, dict[int, float]]] = [(0, {})]
        while waiting:
            place, path = waiting.pop()
            node = tree[place]
            if len(node) == 4:
                self._feature[number, splits] = int(node[0])
                self._threshold[number, splits] = node[1]
                waiting += [(int(node[2]), {**path, splits: 1.0}), (int(node[3]), {**path, splits: -1.0})]
                splits += 1
                continue
            for split, side in path.items():
                self._side[number, split, leaves] = side
            self._depth[number, leaves] = len(path)
            self._value[number, leaves] = node[0]
            leaves += 1

    def probability(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the probability for each row (rows x features)."""
        result = np.empty(len(rows))
        for start in range(0, len(rows), 256):
            result[start : start + 256] = self._part(rows[start : start + 256])
        return result

    def _part(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        trees, width = self._feature.shape
        left = rows[:, self._feature.ravel()] <= self._threshold.ravel()
        sides = np.where(left, np.float32(1), np.float32(-1)).reshape(len(rows), trees, width)
        reached = np.matmul(sides.transpose(1, 0, 2), self._side) == self._depth[:, None, :]
        raw = self.baseline + np.einsum("trl,tl->r", reached, self._value)
        return np.asarray(1.0 / (1.0 + np.exp(-raw)))
