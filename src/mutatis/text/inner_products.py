"""Computes inner products of unit vectors that are bit-for-bit equal on every BLAS and for any number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_GRID = 2.0**25
"""Number of steps between 0 and 1 to which vectors are rounded.

Products of two rounded numbers, and their sums up to 1, then have at most 51 binary digits.
"""


def inner_products(rows: NDArray[Any], others: NDArray[Any]) -> NDArray[np.float64]:
    """Return the inner product of each row with each of the other vectors, shape (rows, others). All are unit vectors.

    A BLAS adds in an order that depends on its kernel, the number of rows and the number of threads. Here the order
    does not matter, because the rounded numbers add up exactly in a double.

    >>> inner_products(np.array([[0.6, 0.8]]), np.array([[0.0, 1.0], [0.6, 0.8]])).round(4).tolist()
    [[0.8, 1.0]]
    """
    left, right = (np.round(np.asarray(part, dtype=np.float64) * _GRID) / _GRID for part in (rows, others))
    return np.asarray(left @ right.T)
