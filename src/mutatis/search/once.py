"""The plain run, which proposes every transformation of every relation once for each variant and draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import TypeVar

from mutatis.core.cases import Case, Derivation, Step
from mutatis.core.gathering import gathered
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Measurements, Proposal, Source
from mutatis.core.transformation import KEEP_ROUNDS, TRANSFORMATIONS
from mutatis.core.verdict import Verdict

T = TypeVar("T")

BATCH = 256
"""Number of proposals in a batch if the search does not learn."""


def derivations(source: Source, draws: int | None = None) -> list[Derivation]:
    """Return the follow-ups that a source's relations need. Those needed by several relations appear only once.

    `draws` replaces the relations' own number of random draws. Edits without randomness have only one.
    """
    distinct: dict[str, Derivation] = {}
    for relation in source.relations:
        for step, variant in product(relation.transformations, relation.variants_of(source.case)):
            wanted = relation.edits.draws if draws is None else draws
            for draw in range(_draws(step, wanted, source.case, variant)):
                for derivation in _by_turn(source, relation, _derivation(source, step, variant, draw)):
                    distinct[derivation.digest()] = derivation
    return list(distinct.values())


def judged_derivations(source: Source) -> list[Derivation]:
    """Return the follow-ups of a source that can be judged in its language, or all follow-ups if none can.

    Searches that choose follow-ups would waste questions on the others. A run of all follow-ups includes them, so that
    its verdicts state the reason.
    """
    wanted = derivations(source)
    return [derivation for derivation in wanted if source.judges(derivation.steps)] or wanted


def _draws(step: Step, wanted: int, case: Case, variant: tuple[str, ...]) -> int:
    """Return the number of different random draws, but at least 1.

    If an edit has no draws for a text, a single verdict states the reason.
    """
    chosen = TRANSFORMATIONS[step.transformation]
    if not (chosen.wants & {"rng", "draw"} or chosen.looks_up or chosen.explores):
        return 1
    if chosen.level == "case":
        return chosen.draws_of(case, wanted, case.language)
    texts = [turn.fields[name] for turn in case.turns for name in variant or turn.fields if name in turn.fields]
    return max((chosen.draws_of(text, wanted, case.language) for text in texts), default=wanted)


def _by_turn(source: Source, relation: MetamorphicRelation, whole: Derivation) -> list[Derivation]:
    """Return one derivation for each turn to be asked, which changes only this turn and ends there.

    If the relation changes the dialogue as a whole, return the derivation unchanged.
    """
    [step] = whole.steps
    edits_whole_case = TRANSFORMATIONS[step.transformation].level in ("dialogue", "case")
    if len(source.case.turns) == 1 or relation.edits.turns == "all" or edits_whole_case:
        return [whole]
    return [
        replace(
            whole,
            steps=(
                replace(step, turns=(turn,)),
                Step(transformation=KEEP_ROUNDS, parameters={"rounds": list(range(turn + 1))}),
            ),
        )
        for turn in source.case.asked
    ]


def judged_turns(derivation: Derivation) -> tuple[int, ...] | None:
    """Return the turn that is judged in a follow-up, as a tuple, or None if all its turns are judged.

    If only one turn is changed, the follow-up is judged at that turn and keeps the source's rounds before it.
    """
    one_at_a_time = derivation.steps[-1].transformation == KEEP_ROUNDS
    return derivation.steps[0].turns if one_at_a_time else None


def proposed(source: Source, derivation: Derivation, *, closes: bool = False, estimates: bool = True) -> Proposal:
    """Return the proposal for a follow-up of a source, to be judged only at the turns that it changes.

    All searches over relations make their proposals here. Judging unchanged turns as well would distort the counts.
    """
    return Proposal(
        source=source, derivation=derivation, turns=judged_turns(derivation), closes=closes, estimates=estimates
    )


def all_proposed(source: Source, wanted: Sequence[Derivation], *, closes: bool = True) -> Iterator[Proposal]:
    """Yield proposals of follow-ups of a source. The last one closes the source, unless more of it is to come."""
    for number, derivation in enumerate(wanted, 1):
        yield proposed(source, derivation, closes=closes and number == len(wanted))


def proposal_name(proposal: Proposal) -> tuple[str, str, str]:
    """Return what identifies a proposal in a search: the task, the source and the follow-up."""
    return proposal.source.task, proposal.source.case.id, proposal.derivation.digest()


def _derivation(source: Source, step: Step, variant: tuple[str, ...], draw: int) -> Derivation:
    chosen = TRANSFORMATIONS[step.transformation]
    whole = Step(
        transformation=chosen.name, parameters=chosen.complete(dict(step.parameters)), turns=step.turns
    )  # every parameter is written down, so that a record needs no defaults
    return Derivation(source=source.case.id, steps=(whole,), variant=variant, draw=draw)


def tasks_in_turn(sources: Sequence[Source], order: Callable[[list[int]], None]) -> Iterator[int]:
    """Yield the numbers of all sources, taking one from each task in turn.

    `order` sorts the numbers of a task in place. They are taken from the end of the sorted list.
    """
    tasks = gathered(range(len(sources)), lambda number: sources[number].task)
    for numbers in tasks.values():
        order(numbers)
    while tasks:
        for task in list(tasks):
            yield tasks[task].pop()
            if not tasks[task]:
                del tasks[task]


def batches(things: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """Yield the items of a stream, usually proposals, in lists of at most `size`."""
    stream = iter(things)
    while batch := list(islice(stream, size)):
        yield batch


class DecidedBeforehand:
    """Base class of searches that do not learn, so that their proposals do not depend on answers."""

    learns = False

    def __init__(self, proposals: Iterable[Proposal]) -> None:
        self._batches = batches(proposals)

    def ask(self) -> Sequence[Proposal]:
        """Return the next proposals, or an empty list once the search has finished."""
        return next(self._batches, [])

    def tell(self, proposal: Proposal, verdicts: Sequence[Verdict], measurements: Measurements) -> None:
        """Do nothing, because the questions are fixed in advance."""


class Once(DecidedBeforehand):
    """Proposes every follow-up of every source once, source by source, without learning anything."""

    def __init__(self, sources: Iterable[Source], *, draws: int | None = None) -> None:
        super().__init__(p for source in sources for p in all_proposed(source, derivations(source, draws)))
