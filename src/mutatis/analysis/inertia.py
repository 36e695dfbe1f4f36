"""Measures how far actions spread in their space (inertia), counted as they come, without keeping any.

Independent of the meaning of actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """What actions come to: the variance around their mean, summed over dimensions, and over how many."""

    inertia: float
    dimensions: int


class Inertia:
    """Sums up actions one by one (Welford); None stands for a number without effect at the action's place.

    Each dimension is counted only over the actions that it affected, so that arbitrary values of a search without
    effect, random numbers or zeros, have no part in the figure.

    >>> inertia = Inertia()
    >>> for action in [(0.0, 0.5), (1.0, None), (1.0, 0.5)]:
    ...     inertia.add(action)
    >>> round(inertia.spread.inertia, 4), inertia.spread.dimensions  # of 0, 1, 1 and of 0.5, 0.5
    (0.2222, 2)
    """

    def __init__(self) -> None:
        self._count: NDArray[np.float64] = np.zeros(0)
        self._mean: NDArray[np.float64] = np.zeros(0)
        self._squares: NDArray[np.float64] = np.zeros(0)

    def add(self, action: Sequence[float | None]) -> None:
        """Count an action; all have one length."""
        if not len(self._count):
            self._count, self._mean, self._squares = (np.zeros(len(action)) for _ in range(3))
        numbers = np.array(action, dtype=np.float64)  # None becomes nan
        known = ~np.isnan(numbers)
        self._count += known
        apart = np.where(known, numbers - self._mean, 0.0)
        self._mean += apart / np.maximum(self._count, 1)
        self._squares += np.where(known, apart * (numbers - self._mean), 0.0)

    @property
    def spread(self) -> Spread | None:
        """The figures; None before any action that had a number."""
        mattered = self._count > 0
        if not mattered.any():
            return None
        variances = self._squares[mattered] / self._count[mattered]
        return Spread(inertia=float(variances.sum()), dimensions=int(mattered.sum()))
