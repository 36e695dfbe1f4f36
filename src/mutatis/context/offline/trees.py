"""Boosted trees read from JSON and evaluated with numpy: no scikit-learn and no pickle when a campaign runs.

Must not know what the features mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Trees:
    """A sum of regression trees on the log-odds scale.

    The JSON form: `baseline`, `features` (names), `trees`: each a list of nodes [feature, threshold, left, right] or
    [value] for a leaf; a row goes left where its feature is <= the threshold.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.features: list[str] = list(data["features"])
        self.baseline = float(data["baseline"])
        trees: Sequence[Sequence[Sequence[float]]] = data["trees"]
        size = max((len(tree) for tree in trees), default=1)
        shape = (len(trees), size)
        self._feature = np.zeros(shape, dtype=np.int32)
        self._threshold = np.full(shape, np.inf)
        self._left = np.tile(np.arange(size, dtype=np.int32), (len(trees), 1))
        self._right = self._left.copy()
        self._value = np.zeros(shape)
        depth = 0
        for row, tree in enumerate(trees):
            depth = max(depth, _depth(tree))
            for place, node in enumerate(tree):
                if len(node) == 1:
                    self._value[row, place] = node[0]
                    continue
                self._feature[row, place] = int(node[0])
                self._threshold[row, place] = node[1]
                self._left[row, place] = int(node[2])
                self._right[row, place] = int(node[3])
        self._depth = depth

    def probability(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the probability of each row (rows x features)."""
        result = np.empty(len(rows))
        for start in range(0, len(rows), 512):
            part = rows[start : start + 512]
            result[start : start + 512] = self._part(part)
        return result

    def _part(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        count = len(self._value)
        tree = np.arange(count)[None, :]
        row = np.arange(len(rows))[:, None]
        node = np.zeros((len(rows), count), dtype=np.int32)
        for _ in range(self._depth):
            left = rows[row, self._feature[tree, node]] <= self._threshold[tree, node]
            node = np.where(left, self._left[tree, node], self._right[tree, node])
        raw = self.baseline + self._value[tree, node].sum(axis=1)
        return np.asarray(1.0 / (1.0 + np.exp(-raw)))


def _depth(tree: Sequence[Sequence[float]]) -> int:
    depths = [0] * len(tree)
    for place, node in enumerate(tree):
        if len(node) == 4:
            depths[int(node[2])] = depths[int(node[3])] = depths[place] + 1
    return max(depths, default=0)
