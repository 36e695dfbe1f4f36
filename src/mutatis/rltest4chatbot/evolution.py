"""An evolution strategy over vectors: CMA-ES with a diagonal covariance, from the library `cma`.

One distribution of vectors serves all places. A generation is spread over the next places, one candidate each, so that
survivors do well wherever they are tried.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mutatis.extending import MissingExtra
from mutatis.rltest4chatbot.rewards import MoveResult
from mutatis.rltest4chatbot.space import Move, Site, Space


class Evolution:
    """Samples vectors from a normal distribution and moves it towards high rewards.

    Args:
        space: turns vectors into moves.
        reward: the worth of a trial.
        seed: seed of the samples.
        population: candidates per generation; 0 leaves it to the library (4 + 3 ln dimensions).
        learning: whether the distribution moves; otherwise it stays fixed.

    Raises:
        MissingExtra: `cma` is not installed.
    """

    def __init__(
        self,
        space: Space,
        reward: Callable[[MoveResult], float],
        *,
        seed: int = 0,
        population: int = 0,
        learning: bool = True,
    ) -> None:
        if importlib.util.find_spec("cma") is None:
            raise MissingExtra("the search evolutionary", "rl")
        import cma

        self._space, self._reward, self.learning = space, reward, learning
        self._rng = np.random.default_rng(seed)
        options = {
            **{"bounds": [0, 1], "verbose": -9, "CMA_diagonal": True, "seed": math.nan},
            **{"randn": lambda *shape: self._rng.standard_normal(shape)},
            **({"popsize": population} if population else {}),
        }
        self._strategy: Any = cma.CMAEvolutionStrategy([0.5] * space.size, 0.3, options)
        self._told: list[tuple[Any, float]] = []
        self._by_vector: dict[tuple[float, ...], list[Any]] = {}

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return the next candidates, one per place."""
        chosen = []
        for site, candidate in zip(sites, self._strategy.ask(number=len(sites)) if sites else (), strict=True):
            move = self._space.move(site, candidate.tolist())
            if site.scored:
                self._by_vector.setdefault(move.vector, []).append(candidate)
            chosen.append(move)
        return chosen

    def learn(self, trials: Sequence[MoveResult]) -> None:
        """Pass the results of a generation to the strategy as soon as it is complete."""
        for trial in trials:
            candidate = self._by_vector[trial.move.vector].pop(0)
            if not self._by_vector[trial.move.vector]:
                del self._by_vector[trial.move.vector]
            self._told.append((candidate, -self._reward(trial)))
        size = self._strategy.popsize
        while len(self._told) >= size:
            generation, self._told = self._told[:size], self._told[size:]
            if self.learning:
                self._strategy.tell([point for point, _ in generation], [cost for _, cost in generation])
                self._strategy.ask(number=1)  # it refuses two generations in a row without asking in between

    def stays(self, trial: MoveResult) -> bool:
        """Return False, because every place is tried once per episode."""
        return False

    def freeze(self) -> None:
        """Continue to draw from the learnt distribution."""
        self.learning = False

    def close(self) -> None:
        """Do nothing."""
