"""An agent's replay memory: a ring buffer of transitions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]


class Replay:
    """Ring buffer with the last `size` transitions of an agent, as one table for each part of a transition.

    `used` marks the arms that the action used, and `open_next` the arms that were possible after it.
    """

    def __init__(self, size: int, state: int, parameters: int, arms: int) -> None:
        widths = {"state": state, "parameters": parameters, "used": arms, "reward": 1, "following": state}
        widths |= {"mask_next": parameters, "open_next": arms, "end": 1, "mask": parameters}
        self.rows: dict[str, Numbers] = {name: np.zeros((size, width), np.float32) for name, width in widths.items()}
        self.size, self.count = size, 0

    def __len__(self) -> int:
        return min(self.count, self.size)

    def add(self, transition: Mapping[str, Numbers | float]) -> None:
        """Store a transition, replacing the oldest one if the buffer is full."""
        for name, value in transition.items():
            self.rows[name][self.count % self.size] = value
        self.count += 1

    def sample(self, rng: np.random.Generator, size: int) -> dict[str, Numbers]:
        """Return random transitions, drawn with replacement."""
        chosen = rng.integers(len(self), size=size)
        return {name: rows[chosen] for name, rows in self.rows.items()}
