"""Multi-PDQN as a policy: converts turns to states, the agent's output to edits, and results to transitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mutatis.extending import FEATURES, UsageError
from mutatis.rltest4chatbot.explore import Policy
from mutatis.rltest4chatbot.learning.agent import Agent, Numbers, Shape, load_agent, save_agent
from mutatis.rltest4chatbot.learning.options import AgentOptions
from mutatis.rltest4chatbot.rewards import MoveResult, thesis
from mutatis.rltest4chatbot.space import Move, Site, Space

BUCKETS = 48
"""Number of dimensions for the hashed words of a turn. The words of the dialogue so far get as many."""

SIZES = 4
DIMENSIONS = 2 * BUCKETS + SIZES + len(FEATURES)
"""Length of an agent's state."""


@cache
def _hashing() -> Any:
    from sklearn.feature_extraction.text import HashingVectorizer

    return HashingVectorizer(n_features=BUCKETS, alternate_sign=True, norm="l2", token_pattern=r"\S+", dtype=np.float32)


def state_rows(sites: Sequence[Site]) -> Numbers:
    """Return one row of numbers from -1 to 1 per turn.

    Features of the answer before any edit are averaged over systems.
    """
    texts = [site.text for site in sites] + [site.context for site in sites]
    words = _hashing().transform(texts).toarray()
    sizes = [_sizes(site) for site in sites]
    shown = [_shown(site) for site in sites]
    return np.hstack([words[: len(sites)], words[len(sites) :], sizes, shown]).astype(np.float32)


def _sizes(site: Site) -> list[float]:
    words, letters = len(site.text.split()), len(site.text)
    return [site.turn / (site.turn + 5), words / (words + 10), letters / (letters + 50), min(1.0, site.tries / 5)]


def _shown(site: Site) -> list[float]:
    if not site.clean:
        return [0.0] * len(FEATURES)
    return np.mean([reading.features for reading in site.clean], axis=0).tolist()  # type: ignore[no-any-return]


SCALE = 0.01
"""Factor applied to rewards before the networks learn from them.

The importance of a family is a softmax of values (the thesis names no function). With the thesis' rewards, from -100 to
above 100, the second-best family would never get a repetition, whatever k is.
"""


class MultiPdqn(Policy):
    """Chooses moves with an agent, which learns from every result unless `frozen`.

    `see` returns the state that represents a turn to the agent.

    Args:
        space: the moves that are possible at a turn.
        options: hyperparameters of the agent, its seed, and the files that it reads and writes. With `evaluate`, it
            uses the networks without learning, with epsilon 0 and no noise.
        reward: function that returns the worth of a result; it is multiplied by `SCALE` before the networks learn.
    """

    def __init__(self, space: Space, options: AgentOptions, reward: Callable[[MoveResult], float] = thesis) -> None:
        self._space, self._options, self._reward, self.frozen = space, options, reward, options.evaluate
        # Each block of an action's vector is the importance of an arm, then its parameters.
        widths = tuple(block.stop - block.start - 1 for block in space.blocks)
        self.agent = Agent(Shape(state=DIMENSIONS, widths=widths, combined=space.combined), options)
        self._name = ", ".join(space.names)
        if options.resume is not None:
            load_agent(self.agent, Path(options.resume), self._name)
        self._log = None if options.log is None else _log_in(Path(options.log))
        self._batches = self._trials = 0
        self._unfinished: dict[int, dict[str, Any]] = {}  # the last transition of each episode, without its next turn
        self._is_parameter = np.ones(space.size, dtype=bool)
        self._is_parameter[[block.start for block in space.blocks]] = False

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return the agent's move for each turn. A judged turn also completes the transition of the turn before it."""
        if not sites:
            return []
        states = state_rows(sites)
        masks = np.array([self._space.mask(site) for site in sites], dtype=np.float32)[:, self._is_parameter]
        possible = [self._space.open(site) for site in sites]
        rng = None if self.frozen else np.random.default_rng([self._options.seed, self.agent.updates, self._batches])
        self._batches += 1
        importances, parameters = self.agent.act(states, possible, masks, rng)
        moves = []
        for row, site in enumerate(sites):
            if site.scored and not self.frozen:
                before = self._unfinished.pop(site.episode, None)  # complete, now that its next turn is known
                if before is not None and "reward" in before:
                    self._keep(before, states[row], masks[row], np.array(possible[row], np.float32), end=False)
                used = (importances[row] > 0).astype(np.float32)
                transition = {"state": states[row], "parameters": parameters[row], "mask": masks[row], "used": used}
                self._unfinished[site.episode] = transition
            moves.append(self._space.move(site, self._vector(importances[row], parameters[row])))
        return moves

    def _vector(self, importances: Numbers, parameters: Numbers) -> list[float]:
        """Return a move's vector, with the importance of each arm before its parameters."""
        vector = np.empty(self._space.size, dtype=np.float64)
        vector[~self._is_parameter], vector[self._is_parameter] = importances, parameters
        return [float(number) for number in np.clip(vector, 0, 1)]

    def _keep(self, transition: dict[str, Any], state: Numbers, mask: Numbers, possible: Numbers, *, end: bool) -> None:
        """Store a transition with the state, mask and possible arms of the next turn."""
        after: dict[str, Any] = {"following": state, "mask_next": mask, "open_next": possible, "end": float(end)}
        self.agent.replay.add({**transition, **after})

    def learn(self, trials: Sequence[MoveResult]) -> None:
        """Record the rewards of moves, and update the agent. `moves` stores a move once its next turn is known."""
        if self.frozen:
            return
        for trial in trials:
            reward = self._reward(trial)
            transition = self._unfinished[trial.site.episode]
            transition["reward"] = reward * SCALE
            if trial.last:
                del self._unfinished[trial.site.episode]
                no_next_turn = [np.zeros_like(transition[name]) for name in ("state", "mask", "used")]
                self._keep(transition, *no_next_turn, end=True)
                self.agent.episodes += 1
            self._trials += 1
            losses: dict[str, float] = {}
            for _ in range(self._options.updates):
                losses = self.agent.learn()
            if self._log is not None:
                numbers = {"reward": reward, "valid": trial.valid, "failure": trial.violated}
                numbers |= {"epsilon": self.agent.epsilon, **{f"loss/{name}": loss for name, loss in losses.items()}}
                for name, value in numbers.items():
                    self._log.add_scalar(name, float(value), self._trials)
            if self._trials % 500 == 0:
                self._save()

    def freeze(self) -> None:
        """Stop learning, and use the networks with epsilon 0 and no noise."""
        self.frozen = True

    def close(self) -> None:
        """Write the final checkpoint and the rest of the log."""
        if not self.frozen:
            self._save()
        if self._log is not None:
            self._log.close()

    def _save(self) -> None:
        if self._options.save is not None:
            save_agent(self.agent, Path(self._options.save), self._name)


def _log_in(folder: Path) -> Any:
    """Return a writer that logs numbers in TensorBoard's format.

    Raises:
        UsageError: the folder cannot be written to.
    """
    from tensorboardX import SummaryWriter

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"log = {str(folder)!r}: {error.strerror}; name a folder that is writable") from None
    return SummaryWriter(str(folder), flush_secs=5)
