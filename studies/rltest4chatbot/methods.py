"""What is compared: searches with their options, samplers, variants of the agent, and remedies where it was beaten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import remedies
from trials import Single

from mutatis.search import ExploringOptions
from mutatis.search.explore import Policy
from mutatis.search.space import Space

Change = Callable[[Policy, Space, int], Policy]
"""What is done to a policy before it begins; the last argument is the seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A search as the study runs it.

    Attributes:
        kind, options: of `[search]`.
        change: what is done to its policy before it begins.
        train: proposals that it learns from, where not as many as the others.
        warm: proposals of CMA-ES before them; the agent begins with the vector where they ended.
    """

    kind: str
    options: Mapping[str, Any] = field(default_factory=dict)
    change: Change | None = None
    train: int | None = None
    warm: int = 0

    @property
    def learns(self) -> bool:
        """Whether it is trained first."""
        return self.kind in ("multi-pdqn", "evolutionary")

    def policy(self, options: ExploringOptions, space: Space, seed: int) -> Policy:
        """Return who chooses the moves."""
        chosen: Policy = Single(seed, space.actions.fixed) if self.kind == "single" else options.policy(space)
        return chosen if self.change is None else self.change(chosen, space, seed)


def _agent(change: Change | None = None, train: int | None = None, **options: Any) -> Method:
    return Method(kind="multi-pdqn", options=options, change=change, train=train)


def _random(within: str = "anything", **options: Any) -> Method:
    return Method(kind="random-edits", options={"within": within, **options})


PUBLISHED: Mapping[str, Any] = {"reward": "thesis", "noise_kind": "ornstein-uhlenbeck", "loss": "squared"}
"""The thesis' reward, and the noise and the loss of P-DQN, whose settings it took."""

THESIS = "multi-pdqn, thesis"
"""The thesis' agent: what its tables call RL. "multi-pdqn" is ours: its reward, noise and loss are our own."""

METHODS: Mapping[str, Method] = {
    "random": _random(),
    "random, all repetitions": _random("full"),
    "random, first families once": _random("first"),
    "rejection": _random("rejection"),
    "scaled": _random("scaled"),
    "filled": _random("filled"),
    "dialtest": Method(kind="dialtest"),
    "evolutionary": Method(kind="evolutionary"),
    THESIS: _agent(**PUBLISHED),
    "multi-pdqn": _agent(),
    "multi-pdqn, fitted": _agent(fit=True),
    "single": Method(kind="single"),
    "multi-pdqn, thesis' reward alone": _agent(reward="thesis"),
    "multi-pdqn, multi-pass": _agent(passes=True),
    "multi-pdqn, values protected": _agent(protect="values"),
    "random, values protected": _random(protect="values"),
    "evolutionary, values protected": Method(kind="evolutionary", options={"protect": "values"}),
    "filled, values protected": _random("filled", protect="values"),
    "remedy: parameters learn faster": _agent(rate_parameters=1e-3),
    "remedy: faster, no look ahead": _agent(rate_parameters=1e-3, gamma=0.0, updates=2),
    "remedy: faster, more noise": _agent(rate_parameters=1e-3, noise=0.3),
    "remedy: begins full": _agent(remedies.begins_full),
    "remedy: fitted, begins full": _agent(remedies.begins_full, fit=True),
    "remedy: begins where CMA-ES ended": Method(kind="multi-pdqn", train=750, warm=750),
    "remedy: fitted, begins where CMA-ES ended": Method(kind="multi-pdqn", options={"fit": True}, train=750, warm=750),
    "remedy: failures replayed thrice": _agent(remedies.failures_replayed),
    "remedy: no words in the state": _agent(remedies.without_words),
    "remedy: 5,000 proposals": _agent(train=5000),
    "remedy: fitted, begins full, 5,000 proposals": _agent(remedies.begins_full, train=5000, fit=True),
    "evolutionary, fitted": Method(kind="evolutionary", options={"fit": True}),
}
MAIN = ("random", THESIS, "multi-pdqn", "filled", "evolutionary", "scaled", "rejection")
"""What is run at every k; the rest at k = 3, DialTest and single edits because k means nothing to them."""

FITTED = ("multi-pdqn, fitted",)
"""The remedy that helped without another search before it; at every k, too."""

THESIS_SAMPLERS = ("random, all repetitions", "random, first families once")
"""Random samplers that are like the published one in what they repeat; at every k, too."""

BOTH_RULES = ("random", "multi-pdqn", "scaled", "evolutionary", "filled", "random, all repetitions")
"""What is run by the default validity as well."""

SAMPLED = ("random", THESIS, "multi-pdqn")
"""What is run where a tracker is asked repeatedly for its uncertainty."""
