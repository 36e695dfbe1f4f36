"""Inner products of unit vectors, equal to the last bit on every BLAS, for any number of threads and rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_GRID = 2.0**25
"""Steps from 0 to 1. Products of two numbers on this grid, and their sums up to 1, have at most 51 binary digits."""


def inner_products(rows: NDArray[Any], others: NDArray[Any]) -> NDArray[np.float64]:
    """Return the inner product of each unit vector with each of the others, shape (rows, others).

    A BLAS adds in an order that depends on its kernel, the number of rows and the number of threads. Here the order
    cannot matter: nothing is rounded in between, because a double holds 53 binary digits.

    >>> inner_products(np.array([[0.6, 0.8]]), np.array([[0.0, 1.0], [0.6, 0.8]])).round(4).tolist()
    [[0.8, 1.0]]
    """
    left, right = (np.round(np.asarray(part, dtype=np.float64) * _GRID) / _GRID for part in (rows, others))
    return np.asarray(left @ right.T)
