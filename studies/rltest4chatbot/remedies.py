"""What was tried where learning did not beat edits that merely fill the bound: the agent changed before it learns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from mutatis.core.actions import FAMILIES
from mutatis.search.explore import Policy
from mutatis.search.learning.policy import MultiPdqn
from mutatis.search.learning.replay import Replay, TransitionBatch
from mutatis.search.learning.state import BUCKETS, state_rows
from mutatis.search.sampling import Fitted
from mutatis.search.space import Site, Space

FULL = 0.9
"""Where triggers begin that are to be on: exploration may still turn them off."""


def innermost(policy: Policy) -> Policy:
    """Return the policy that learns."""
    return innermost(policy.policy) if isinstance(policy, Fitted) else policy


def begins_full(policy: Policy, space: Space, _: int) -> Policy:
    """The agent begins with all repetitions on, as `filled` has them, and not with triggers on the edge."""
    begin = np.full(space.size, 0.5)
    for block, parameters in zip(space.blocks, FAMILIES.values(), strict=True):
        begin[block.start + 1 : block.stop : 1 + len(parameters)] = FULL
    return _beginning(policy, space, begin)


def begin_at(policy: Policy, space: Space, vector: NDArray[np.float64]) -> None:
    """Let the agent's parameters begin at a vector, whatever the state."""
    _beginning(policy, space, vector)


def _beginning(policy: Policy, space: Space, vector: NDArray[np.float64]) -> Policy:
    agent = _agent(policy).agent
    start = np.delete(vector, [block.start for block in space.blocks])
    with torch.no_grad():
        for network in (agent.parameters, agent.target_parameters):
            network.layers[-1].bias.copy_(torch.from_numpy(start).float())
    return policy


class FailuresFirst(Replay):
    """A replay that draws transitions with a failure three times as often."""

    def sample(self, rng: np.random.Generator, size: int) -> TransitionBatch:
        """Return random transitions."""
        worth = np.where(self.rows["reward"][: len(self), 0] > 0.2, 3.0, 1.0)
        chosen = rng.choice(len(self), size=size, p=worth / worth.sum())
        return TransitionBatch(**{name: rows[chosen] for name, rows in self.rows.items()})


def failures_replayed(policy: Policy, space: Space, _: int) -> Policy:
    """Failures are replayed thrice as often as what was refused or held."""
    agent = _agent(policy).agent
    agent.replay = FailuresFirst(agent.settings.replay, agent.shape.state, sum(agent.shape.widths), len(space.blocks))
    return policy


def without_words(policy: Policy, space: Space, _: int) -> Policy:
    """The state has no words of the turn or the dialogue: sizes and the clean answer alone."""
    _agent(policy).see = _blind
    return policy


def _blind(sites: Sequence[Site]) -> NDArray[np.float32]:
    seen = state_rows(sites)
    seen[:, : 2 * BUCKETS] = 0.0
    return seen


def _agent(policy: Policy) -> MultiPdqn:
    learner = innermost(policy)
    assert isinstance(learner, MultiPdqn), "a remedy of the agent"
    return learner
