"""Keeps results equal on every BLAS: inner products of unit vectors, and one thread while texts are embedded.

The number of threads is a setting of the whole process. If each encoder set and restored it, overlapping encoders would
restore the wrong value. Because a limit set with threadpoolctl can only be lifted by the thread that set it, a
dedicated thread sets the limit, lifts it, and ends.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


class SharedLimit:
    """A limit of one BLAS thread, set by the first user and lifted by the last.

    Args:
        blas: an object that sets limits, and whose `info()` returns the number of threads of each library, like
            threadpoolctl's controller.
    """

    def __init__(self, blas: Any) -> None:
        self._blas = blas
        self._lock = threading.Lock()
        self._inside = 0
        self._keeper: ThreadPoolExecutor | None = None
        self._limiter: Any = None
        self.threads: int = max((library["num_threads"] for library in blas.info()), default=1)
        """Number of BLAS threads before any limit is set."""

    @contextmanager
    def held(self) -> Iterator[None]:
        """Limit the BLAS to one thread within the `with` block."""
        with self._lock:
            if not self._inside:
                self._keeper = ThreadPoolExecutor(1)
                self._limiter = self._keeper.submit(self._blas.limit, limits=1).result()
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside and self._keeper is not None:
                    with self._keeper as keeper:
                        keeper.submit(self._limiter.restore_original_limits).result()


@cache
def shared_limit() -> SharedLimit:
    """Return the limit shared by the whole process."""
    from threadpoolctl import ThreadpoolController  # here: nothing else needs the extra `semantic`

    return SharedLimit(ThreadpoolController().select(user_api="blas"))


_GRID = 2.0**25
"""Number of steps between 0 and 1 for rounding vectors.

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
