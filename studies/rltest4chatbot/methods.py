"""What is compared: searches with their options, samplers; agents of ours, which are gone, by their runs' names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from samplers import Fitted, Sampler, Within
from trials import Single

from mutatis.rltest4chatbot.explore import Policy
from mutatis.rltest4chatbot.searches import ExploringOptions
from mutatis.rltest4chatbot.space import EditSpace


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A search as the study runs it.

    Attributes:
        kind, options: of `[search]`.
        sampler: how random edits are drawn that no search of the product draws.
        fit: whether edits are removed until the rest is small enough.
    """

    kind: str
    options: Mapping[str, Any] = field(default_factory=dict)
    sampler: Within | None = None
    fit: bool = False

    @property
    def learns(self) -> bool:
        """Whether it is trained first."""
        return self.kind in ("multi-pdqn", "evolutionary")

    def policy(self, options: ExploringOptions, space: EditSpace, seed: int) -> Policy:
        """Return who chooses the moves."""
        if self.kind == "single":
            return Single(seed, space.fixed)
        if self.sampler is not None:
            return Sampler(space, seed, self.sampler)
        policy = options.policy(space)
        return Fitted(policy, space, seed) if self.fit else policy


def _random(within: str = "anything", **options: Any) -> Method:
    return Method(kind="random-edits", options={"within": within, **options})


def _sampled(sampler: Within) -> Method:
    return Method(kind="random-edits", sampler=sampler)


THESIS = "multi-pdqn, thesis"
"""The thesis' agent: what its tables call RL. "multi-pdqn" was ours: its reward, noise and loss were our own."""

GONE = None
"""An agent of ours, which found more than `filled` at k = 1 alone and is no search any more; its runs are kept."""

METHODS: Mapping[str, Method | None] = {
    "random": _random(),
    "random, all repetitions": _sampled("full"),
    "random, first families once": _sampled("first"),
    "rejection": _sampled("rejection"),
    "scaled": _sampled("scaled"),
    "filled": _random("filled"),
    "dialtest": Method(kind="dialtest"),
    "evolutionary": Method(kind="evolutionary"),
    THESIS: Method(kind="multi-pdqn"),
    "multi-pdqn": GONE,
    "multi-pdqn, fitted": GONE,
    "single": Method(kind="single"),
    "multi-pdqn, thesis' reward alone": GONE,
    "multi-pdqn, multi-pass": GONE,
    "multi-pdqn, values protected": GONE,
    "random, values protected": _random(protect="values"),
    "evolutionary, values protected": Method(kind="evolutionary", options={"protect": "values"}),
    "filled, values protected": _random("filled", protect="values"),
    "remedy: parameters learn faster": GONE,
    "remedy: faster, no look ahead": GONE,
    "remedy: faster, more noise": GONE,
    "remedy: begins full": GONE,
    "remedy: fitted, begins full": GONE,
    "remedy: begins where CMA-ES ended": GONE,
    "remedy: fitted, begins where CMA-ES ended": GONE,
    "remedy: failures replayed thrice": GONE,
    "remedy: no words in the state": GONE,
    "remedy: 5,000 proposals": GONE,
    "remedy: fitted, begins full, 5,000 proposals": GONE,
    "evolutionary, fitted": Method(kind="evolutionary", fit=True),
}
RUNNABLE: Mapping[str, Method] = {name: method for name, method in METHODS.items() if method is not GONE}

MAIN = ("random", THESIS, "filled", "evolutionary", "scaled", "rejection")
"""What is run at every k; the rest at k = 3, DialTest and single edits because k means nothing to them."""

FITTED = ("multi-pdqn, fitted",)
"""Our agent whose edits were made to fit, which found the most of what is gone; at every k, too."""

THESIS_SAMPLERS = ("random, all repetitions", "random, first families once")
"""Random samplers that are like the published one in what they repeat; at every k, too."""

BOTH_RULES = ("random", "scaled", "evolutionary", "filled", "random, all repetitions")
"""What is run by the default validity as well."""

SAMPLED = ("random", THESIS)
"""What is run where a tracker is asked repeatedly for its uncertainty."""
