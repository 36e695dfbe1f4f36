"""One run of a method on seeds, and what it comes to: the numbers of the thesis' tables."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from subjects import Subject, is_right

from mutatis.core.cases import Case, Step
from mutatis.core.search import Source
from mutatis.core.transformation import TRANSFORMATIONS, generator
from mutatis.core.verdict import Verdict
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.rltest4chatbot.edits import small_edits
from mutatis.rltest4chatbot.explore import Explorer, Policy
from mutatis.rltest4chatbot.metrics import Inertia
from mutatis.rltest4chatbot.rewards import MoveResult
from mutatis.rltest4chatbot.searches import ExploringOptions
from mutatis.rltest4chatbot.space import Move, Site, Space, action_of
from mutatis.transformations.single_edits import KINDS, MASKED, NEIGHBOUR

BY_MODELS: Mapping[str, str] = {"model": MASKED, "vectors": NEIGHBOUR}
"""The last kind of a family where this parameter names a model."""


@dataclass(slots=True)
class Recorder:
    """A policy that passes everything on to another one and keeps the trials."""

    policy: Policy
    space: Space
    trials: list[MoveResult] = field(default_factory=list)
    final: list[bool] = field(default_factory=list)

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return what is tried at each place."""
        return self.policy.moves(sites)

    def learn(self, trials: Sequence[MoveResult]) -> None:
        """Take note of trials."""
        self.trials += trials
        self.policy.learn(trials)

    def stays(self, trial: MoveResult) -> bool:
        """Whether more is tried at the same place."""
        staying = self.policy.stays(trial)
        self.final.append(not staying)
        return staying

    def freeze(self) -> None:
        """Learn nothing more."""
        self.policy.freeze()

    def close(self) -> None:
        """End the search."""
        self.policy.close()


@dataclass(slots=True)
class Single:
    """The first research question: one edit of one family, its kind and parameters random.

    Attributes:
        seed: of the draws.
        fixed: parameters of families that are not drawn: where words come from.
    """

    seed: int
    fixed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def moves(self, sites: Sequence[Site]) -> list[Move]:
        """Return what is tried at each place."""
        return [self._move(site) for site in sites]

    def _move(self, site: Site) -> Move:
        rng = generator(self.seed, "single", site.key, site.episode)
        name = rng.choice(list(FAMILIES))
        parameters = {**{parameter: rng.random() for parameter in FAMILIES[name]}, **self.fixed.get(name, {})}
        step = Step(transformation=name, parameters=TRANSFORMATIONS[name].complete(parameters), turns=site.turns)
        return Move(steps=(step,), variant=site.variant)

    def learn(self, trials: Sequence[MoveResult]) -> None:
        """Take note of trials."""
        pass

    def stays(self, trial: MoveResult) -> bool:
        """Whether more is tried at the same place."""
        return False

    def freeze(self) -> None:
        """Do nothing: there is nothing that learns."""
        pass

    def close(self) -> None:
        """End the search."""
        pass


def explore(
    of: Subject, cases: Sequence[Case], options: ExploringOptions, space: Space, policy: Policy
) -> tuple[Recorder, int, float]:
    """Run a policy on cases; return its trials, how many follow-ups differ from the annotated state, and seconds."""
    sources = [Source(case=case, relations=(small_edits(options.rule),)) for case in cases]
    recorder, wrong = Recorder(policy, space), 0
    explorer: Explorer = options.exploring(sources, space, recorder)

    def judged(event: Any) -> None:
        nonlocal wrong
        if isinstance(event, Verdict) and event.group is not None and event.repeat == 0:
            [member] = event.group.members
            wrong += member.response is not None and not is_right(event.source, event.turn, member.answer)

    started = time.perf_counter()
    asyncio.run(of.loop(judged).run(explorer, sources))
    return recorder, wrong, time.perf_counter() - started


def numbers(recorder: Recorder, wrong: int, seconds: float) -> dict[str, Any]:
    """Return the counts of a run as JSON data.

    Rates of valid edits and failures are over the last try at each place (DialTest tries several times); distinct
    failures, calls and proposals are over all tries.
    """
    trials, last = recorder.trials, [t for t, final in zip(recorder.trials, recorder.final, strict=True) if final]
    failures: dict[tuple[str, str], MoveResult] = {}
    by_dialogue: dict[str, list[int]] = {}
    for trial in trials:
        counts = by_dialogue.setdefault(trial.site.source.case.id, [0, 0, 0])
        counts[1] += 1
        counts[2] += trial.queries
        key = (trial.site.key, trial.text)
        if trial.violated and not trial.inherited and key not in failures:
            failures[key] = trial
            counts[0] += 1
    inertia = Inertia()
    for trial in trials:
        if trial.move.vector:
            inertia.add(action_of(recorder.space, trial.site, trial.move))
    return {
        "proposals": len(trials),
        "calls": sum(trial.queries for trial in trials),
        "places": len(last),
        "valid": sum(trial.valid for trial in last),
        "valid by count": sum(_few(trial) for trial in last),
        "gain": float(np.mean([trial.gain for trial in last if trial.valid] or [0.0])),
        "failures": sum(trial.violated for trial in last),
        "inherited": sum(trial.inherited for trial in last),
        "wrong by labels": wrong,
        "distinct": len(failures),
        "distinct turns": len({key for key, _ in failures}),
        "by dialogue": list(by_dialogue.values()),
        "inertia": inertia.value,
        "dimensions": inertia.dimensions or None,
        "edits": dict(_edits(trial for trial in trials if trial.valid)),
        "edits of failures": dict(_edits(trial for trial in trials if trial.violated)),
        "seconds": round(seconds, 1),
    }


def _few(trial: MoveResult) -> bool:
    """Whether fewer than a quarter of the words are edited, words counted as often as they are edited.

    The published valid rates of random search are those of this count, whatever characters do (README.md).
    """
    of_turn = (None, (trial.site.turn,))
    steps = [step for step in trial.move.steps if step.transformation.startswith("word-")]
    edited = sum(step.turns in of_turn for step in steps)
    return edited < 0.25 * len(trial.site.text.split())


def _edits(trials: Any) -> Counter[str]:
    """Count the trials that used each family, and each kind of edit."""
    counts: Counter[str] = Counter()
    for trial in trials:
        used = set()
        for step in trial.move.steps:
            if step.transformation in KINDS and step.turns in (None, (trial.site.turn,)):
                used |= {step.transformation, f"{step.transformation}: {_kind(step)}"}
        counts.update(used)
    return counts


def _kind(step: Step) -> str:
    named = (kind for parameter, kind in BY_MODELS.items() if step.parameters.get(parameter))
    kinds = (*KINDS[step.transformation], *named)
    return kinds[min(int(float(step.parameters["operator"]) * len(kinds)), len(kinds) - 1)]
