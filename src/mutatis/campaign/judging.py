"""From observations to verdicts: errors first, then measures, asked for many groups at once, then output relations."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mutatis.core.cases import Case, Derivation
from mutatis.core.errors import BudgetExceeded, OfflineMiss, SystemFailure
from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.core.relation import Group, MetamorphicRelation, Observation
from mutatis.core.task import TASKS
from mutatis.core.verdict import Identity, Judgement, Outcome, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A verdict in the making: the group (None where nothing was asked) and what is already known of its outcome."""

    relation: MetamorphicRelation
    identity: Identity
    source: Case
    group: Group | None
    judgement: Judgement | None = None
    precondition: str | None = None
    unchanged: bool = False
    vacuous: bool = False
    plan: Derivation | None = None
    draw: int = 0
    repeat: int = 0
    steps: tuple[str, ...] = ()

    def verdict(self, judgement: Judgement) -> Verdict:
        """Return the verdict with this judgement."""
        return Verdict(
            identity=self.identity,
            judgement=judgement,
            repeat=self.repeat,
            draw=self.draw,
            steps=self.steps,
            precondition=self.precondition,
            unchanged=self.unchanged,
            vacuous=self.vacuous,
            plan=self.plan,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The judges of a run: one per kind of answer, and those that relations name themselves."""

    by_kind: Mapping[str, Judge]
    by_measure: Mapping[str, Judge]

    def judge(self, relation: MetamorphicRelation, task: str) -> Judge:
        """Return who judges `relation` on `task`."""
        if relation.measure is not None:
            return self.by_measure[relation.measure]
        return self.by_kind[TASKS[task].kind]


def reference_group(relation: MetamorphicRelation, source: Observation, group: Group) -> Group:
    """Return the group with its reference: the annotated answers where the relation wants them, else the system's."""
    expected = source.case.turns[source.turn].expected
    if relation.reference == "annotated" and expected:
        return replace(group, reference=expected, directed=True)
    return replace(group, reference=() if source.response is None else (answer_of(source),))


def answer_of(observation: Observation) -> object:
    """Return what is compared of an observation: the parsed value, else the text."""
    assert observation.response is not None
    return observation.response.text if observation.response.value is None else observation.response.value


def failed(relation: MetamorphicRelation, group: Group) -> str | None:
    """Return why the group cannot be judged because somebody failed to answer, or None."""
    for member in group.members:
        if member.observation.error is not None:
            return f"follow-up: {member.observation.error}"
    if not group.directed and group.source.error is not None:
        return f"source: {group.source.error}"
    return None


async def judge_all(pending: Sequence[Pending], bench: Bench) -> list[Verdict]:
    """Return one verdict per pending group, in order; each judge is asked once for all of its groups."""
    judgements: list[Judgement | None] = [item.judgement for item in pending]
    work: dict[int, tuple[Judge, list[tuple[int, Sequence[Comparison]]]]] = {}
    for number, item in enumerate(pending):
        if judgements[number] is None and item.group is not None:
            judge = bench.judge(item.relation, item.identity.task)
            comparisons = item.relation.output_relation.comparisons(item.group)
            work.setdefault(id(judge), (judge, []))[1].append((number, comparisons))
    for judge, items in work.values():
        try:
            similarities = await compare(judge, [c for _, comparisons in items for c in comparisons])
        except (SystemFailure, OfflineMiss, BudgetExceeded) as error:
            for number, _ in items:
                judgements[number] = Judgement(outcome=Outcome.ERROR, reason=f"{judge.measure.name}: {error}")
            continue
        position = 0
        for number, comparisons in items:
            group = pending[number].group
            assert group is not None
            own = similarities[position : position + len(comparisons)]
            position += len(comparisons)
            judgements[number] = pending[number].relation.output_relation.decide(group, own, judge)
    return [
        item.verdict(judgement) for item, judgement in zip(pending, judgements, strict=True) if judgement is not None
    ]


async def compare(judge: Judge, comparisons: Sequence[Comparison]) -> Sequence[Similarity]:
    """Ask a measure, in a thread where it computes: embedding thousands of answers must not stop the asking."""
    if inspect.iscoroutinefunction(judge.measure.compare):
        return await judge.measure.compare(comparisons)  # type: ignore[no-any-return]
    return await asyncio.to_thread(judge.measure.compare, comparisons)  # type: ignore[arg-type]
