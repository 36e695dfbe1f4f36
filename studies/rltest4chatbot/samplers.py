"""Policies that are compared with those of the product: random edits drawn in other ways, and edits made to fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mutatis.core.transformation import generator
from mutatis.rltest4chatbot.explore import Policy
from mutatis.rltest4chatbot.rewards import MoveResult
from mutatis.rltest4chatbot.searches import scaled, triggered
from mutatis.rltest4chatbot.space import EditSpace, Move, Site

Within = Literal["rejection", "scaled", "full", "first"]
"""How edits that are too large are handled.

"rejection" draws again, and "scaled" removes edits until the rest fits. The other two draw only the parameters: "full"
proposes all repetitions of k random families, and "first" one edit of each of the first k families, words first.
"""

ONCE = 0.001
"""An importance low enough to use exactly one repetition, whatever the text."""

REDRAWS = 50
"""Number of draws after which rejection sampling gives up on an edit for a turn."""


@dataclass(slots=True)
class Sampler(Policy):
    """Policy that draws random vectors as `within` says, and learns nothing."""

    space: EditSpace
    seed: int
    within: Within

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return a random edit for each turn. The seed depends on the turn."""
        return [self._move(site) for site in sites]

    def _move(self, site: Site) -> Move:
        rng = generator(self.seed, "uniform", site.key, site.episode, site.tries)
        vector = [rng.random() for _ in range(self.space.size)]
        if self.within == "full":
            vector = triggered(self.space, vector, rng.sample(range(len(self.space.blocks)), self.space.combined))
        elif self.within == "first":
            vector = triggered(self.space, vector, range(self.space.combined), importance=ONCE)
        move = self.space.move(site, vector)
        if self.within == "scaled":
            return scaled(self.space, site, move, rng)
        for _ in range(REDRAWS if self.within == "rejection" else 0):
            if self.space.broken(site, move.steps) is None:
                break
            move = self.space.move(site, [rng.random() for _ in range(self.space.size)])
        return move


@dataclass(slots=True)
class Fitted(Policy):
    """Policy that wraps another one and removes its edits in random order until the rest is small enough.

    The wrapped policy learns from the result as if all its edits had been used.
    """

    policy: Policy
    space: EditSpace
    seed: int

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return the wrapped policy's moves, with edits removed until they are small enough."""
        return [
            scaled(self.space, site, move, generator(self.seed, "fitted", site.key, site.episode, site.tries))
            for site, move in zip(sites, self.policy.moves(sites), strict=True)
        ]

    def learn(self, trials: Sequence[MoveResult]) -> None:
        """Pass the results of moves on to the wrapped policy."""
        self.policy.learn(trials)

    def freeze(self) -> None:
        """Stop the wrapped policy from learning."""
        self.policy.freeze()
