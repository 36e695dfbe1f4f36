"""The plain run: every transformation of every relation, on every variant and draw, once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from mutatis.core.cases import Derivation, Step
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Proposal, Seed
from mutatis.core.task import TASKS
from mutatis.core.transformation import KEEP_ROUNDS, TRANSFORMATIONS
from mutatis.core.verdict import Verdict

BATCH = 256
"""Proposals per batch of a search that does not learn."""


def variants(relation: MetamorphicRelation, seed: Seed) -> tuple[tuple[str, ...], ...]:
    """Return the combinations of fields that `relation` transforms on a seed; one empty one for dialogue orders.

    Combinations with a field that the case lacks are left out; where none is left (a classifier's data have fields of
    their own, such as title and body) it is all fields of the case together.
    """
    if all(TRANSFORMATIONS[step.transformation].level == "dialogue" for step in relation.transformations):
        return relation.variants.get(seed.task, ((),))
    fields = seed.case.turns[0].fields
    chosen = relation.variants.get(seed.task, TASKS[seed.task].variants)
    fitting = tuple(variant for variant in chosen if all(name in fields for name in variant))
    return fitting or (tuple(fields),)


def plans(seed: Seed) -> list[Derivation]:
    """Return the follow-ups of a seed: what its relations ask for, each once however many relations share it."""
    found: dict[str, Derivation] = {}
    for relation in seed.relations:
        for step, variant in product(relation.transformations, variants(relation, seed)):
            for draw in range(relation.draws):
                found.update(
                    (plan.digest(), plan) for plan in _by_turn(seed, relation, _plan(seed, step, variant, draw))
                )
    return list(found.values())


def _by_turn(seed: Seed, relation: MetamorphicRelation, plan: Derivation) -> list[Derivation]:
    """Return the plan itself, or one plan per asked turn that changes this turn alone and ends with it."""
    [step] = plan.steps
    if relation.turns == "all" or TRANSFORMATIONS[step.transformation].level == "dialogue":
        return [plan]
    return [
        replace(
            plan,
            steps=(
                replace(step, turns=(turn,)),
                Step(transformation=KEEP_ROUNDS, parameters={"rounds": list(range(turn + 1))}),
            ),
        )
        for turn in seed.case.asked
    ]


def _plan(seed: Seed, step: Step, variant: tuple[str, ...], draw: int) -> Derivation:
    chosen = TRANSFORMATIONS[step.transformation]
    whole = Step(
        transformation=chosen.name, parameters=chosen.complete(dict(step.parameters)), turns=step.turns
    )  # every parameter is written down, so that a record needs no defaults
    return Derivation(source=seed.case.id, steps=(whole,), variant=variant, draw=draw)


def batches(proposals: Iterable[Proposal], size: int = BATCH) -> Iterator[list[Proposal]]:
    """Cut a stream of proposals into lists of at most `size`."""
    stream = iter(proposals)
    while batch := list(islice(stream, size)):
        yield batch


class Once:
    """Proposes every plan of every seed once, seed by seed; learns nothing."""

    learns = False

    def __init__(self, seeds: Iterable[Seed]) -> None:
        self._batches = batches(self._proposals(seeds))

    @staticmethod
    def _proposals(seeds: Iterable[Seed]) -> Iterator[Proposal]:
        for seed in seeds:
            wanted = plans(seed)
            for number, plan in enumerate(wanted, 1):
                yield Proposal(seed=seed, plan=plan, closes=number == len(wanted))

    def ask(self) -> Sequence[Proposal]:
        """Return the next proposals; empty at the end."""
        return next(self._batches, [])

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Mapping[str, float]) -> None:
        """Do nothing: a plain run does not learn."""
