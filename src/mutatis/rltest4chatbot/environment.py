"""A Gymnasium environment. An episode is a source, and an action is a vector of edits to its next turn.

It is intended for users' own agents; `[search] type = "multi-pdqn"` does not need it. It requires the extra `rl`.

    environment = AttackEnvironment(system, cases, task="sentiment", combined=3)
    observation, _ = environment.reset(seed=0)
    observation, reward, terminated, truncated, info = environment.step(environment.action_space.sample())
"""

from __future__ import annotations

import asyncio
import importlib.util
import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.run import Loop
from mutatis.config import check
from mutatis.core.cases import Case
from mutatis.core.errors import MissingExtra, UsageError
from mutatis.query import Store
from mutatis.rltest4chatbot.explore import Policy
from mutatis.rltest4chatbot.learning.policy import DIMENSIONS, state_rows
from mutatis.rltest4chatbot.rewards import REWARDS, MoveResult
from mutatis.rltest4chatbot.searches import EvolutionaryOptions
from mutatis.rltest4chatbot.space import Move, Site, Space

if importlib.util.find_spec("gymnasium") is None:
    raise MissingExtra("the environment of searches", "rl")

import gymnasium

_ENDLESS = 2**31
_PATIENCE = 600.0
"""Maximum number of seconds that a step waits for the system under test."""


class _Over(Exception):
    """Raised inside the search if the environment was closed or restarted."""


@dataclass(slots=True)
class _Driven(Policy):
    """A search policy controlled by the caller: it reports the turn it has reached and waits for a vector."""

    space: Space
    messages: queue.Queue[Site | MoveResult | BaseException]
    vectors: queue.Queue[NDArray[np.float32] | None]

    def move(self, site: Site) -> Move:
        if not site.scored:  # context that nobody is asked about stays clean: an action is for a judged turn
            return self.space.move(site, [0.0] * self.space.size)
        self.messages.put(site)
        vector = self.vectors.get()
        if vector is None:
            raise _Over
        return self.space.move(site, [float(number) for number in vector])

    def learn(self, trials: Sequence[MoveResult]) -> None:
        for trial in trials:
            self.messages.put(trial)


class AttackEnvironment(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):  # type: ignore[misc]
    """A Gymnasium environment whose actions edit a system's inputs and whose reward is the worth of an edit.

    Observations are the states that `learning.state` returns for a turn. Actions are vectors of the action space (116
    numbers from 0 to 1 for edits). `info` holds the result of the edit.

    Args:
        system: the system under test.
        cases: the cases to test it with.
        task: the task of the cases, if they do not name one.
        relations: relations by name, for `space="relations"`.
        options: options of the search `evolutionary` (space, combined, attack, validity, reward, ...).
    """

    def __init__(
        self,
        system: Any,
        cases: Sequence[Case],
        *,
        task: str = "",
        relations: Sequence[str] = (),
        **options: Any,
    ) -> None:
        self._config = check({"search": {"type": "evolutionary", **options}}, objects=("systems", "data"))
        self._objects = HandedOver(systems=[system], cases=list(cases), task=task or None, relations=list(relations))
        with Store(None) as answers:  # only for the sources: each run assembles anew
            self._sources = assemble(self._config, answers, self._objects).sources
        # One episode at a time, until `close`.
        self._options = EvolutionaryOptions(**{**options, "lanes": 1, "proposals": _ENDLESS})
        self._space = self._options.action_space(self._sources)
        self.observation_space = gymnasium.spaces.Box(-1.0, 1.0, (DIMENSIONS,), np.float32)
        self.action_space = gymnasium.spaces.Box(0.0, 1.0, (self._space.size,), np.float32)
        self._thread: threading.Thread | None = None
        self._policy: _Driven | None = None
        self._waiting: Site | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode. With a seed, restart with the first source in the random order that the seed determines."""
        super().reset(seed=seed)
        if seed is not None or self._thread is None:
            self.close()
            self._begin(self._options.seed if seed is None else seed)
        elif self._waiting is not None:
            no_edit, terminated = np.zeros(self._space.size, np.float32), False
            while not terminated:  # to the end of this episode
                *_, terminated, _, _ = self.step(no_edit)
        self._waiting = self._next(Site)
        return self._seen(self._waiting), {}

    def step(self, action: NDArray[np.float32]) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Edit the next judged turn as `action` specifies.

        The episode ends after the last judged turn of its source.
        """
        if self._waiting is None or self._policy is None:
            raise UsageError("the episode is over; call reset()")
        site, self._waiting = self._waiting, None
        self._policy.vectors.put(action)
        trial: MoveResult = self._next(MoveResult)
        if not trial.last:
            self._waiting = self._next(Site)
        seen = self._seen(self._waiting or site)
        info = {"trial": trial, "valid": trial.valid, "failure": trial.violated}
        return seen, float(REWARDS[self._options.reward](trial)), trial.last, False, info

    def close(self) -> None:
        """End the search. A later `reset` starts a new one."""
        if self._thread is not None and self._policy is not None:
            self._policy.vectors.put(None)
            self._thread.join(timeout=_PATIENCE)
        self._thread = self._policy = self._waiting = None

    @staticmethod
    def _seen(site: Site) -> NDArray[np.float32]:
        seen: NDArray[np.float32] = np.clip(state_rows([site])[0], -1.0, 1.0).astype(np.float32)
        return seen

    def _next(self, kind: type) -> Any:
        assert self._policy is not None
        message = self._policy.messages.get(timeout=_PATIENCE)
        if isinstance(message, BaseException):
            raise message
        assert isinstance(message, kind), f"expected a {kind.__name__}, found {message!r}"
        return message

    def _begin(self, seed: int) -> None:
        policy = _Driven(self._space, queue.Queue(), queue.Queue())
        options = self._options.model_copy(update={"seed": seed})
        explorer = options.exploring(self._sources, self._space, policy)

        def run() -> None:
            try:
                with Store(None) as answers:  # a store belongs to the thread that asks
                    campaign = assemble(self._config, answers, self._objects)
                    loop = Loop(targets=campaign.targets, judges=campaign.judges, helper=campaign.helper, seed=seed)
                    asyncio.run(loop.run(explorer, self._sources))
            except _Over:
                pass
            except BaseException as error:
                policy.messages.put(error)

        self._policy, self._thread = policy, threading.Thread(target=run, daemon=True)
        self._thread.start()
