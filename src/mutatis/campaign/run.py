"""The loop: batches of proposals through derive, ask and judge, in order, whatever finished first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mutatis.campaign.events import (
    Advanced,
    Event,
    FollowUpMade,
    Listener,
    PhaseStarted,
    SourceObserved,
    VerdictReached,
)
from mutatis.campaign.follow_up import FollowUp, Maker, Refusal, concerned
from mutatis.campaign.judging import Bench, Pending, judge_all
from mutatis.campaign.matching import Asked, Questions, pairs, refused
from mutatis.campaign.observe import Observations, Observer, Target
from mutatis.core.cases import Case
from mutatis.core.constraint import Stage
from mutatis.core.errors import BudgetExceeded
from mutatis.core.relation import Grouping, MetamorphicRelation
from mutatis.core.search import Proposal, Search
from mutatis.core.system import Helper
from mutatis.core.verdict import Verdict

T = TypeVar("T")

OVERLAP = 3
"""Batches in flight for a search that does not learn."""

SHOWN = f"{Stage.FOLLOW_UP_INPUT.value}: shown by the prompt"
"""Precondition of every follow-up: the system is shown what was changed."""

NO_CHANGE = "no-change"
"""The identity transformation: its follow-ups are asked again under a repeat index of their own."""


@dataclass(slots=True, kw_only=True)
class Campaign:
    """One run over ready-made parts; `repeats` answers are taken of every input.

    Repeat indices: 0 .. repeats-1 the run, `repeats` the noise floor, `repeats`+1 confirm.
    """

    targets: Sequence[Target]
    bench: Bench
    helper: Helper | None = None
    seed: int = 0
    repeats: int = 1
    listeners: Sequence[Listener] = ()
    observers: dict[str, Observer] = field(init=False)
    maker: Maker = field(init=False)
    stopped: str | None = field(init=False, default=None)
    _room: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        # Proposals are finished in their order: were all of a batch begun at once, a budget that ends in the middle of
        # it would leave many half-asked dialogues and no verdict.
        self._room = asyncio.Semaphore(2 * max(target.layer.concurrency for target in self.targets))
        self.observers = {target.label: Observer(target) for target in self.targets}
        self.maker = Maker(seed=self.seed, helper=self.helper)

    def emit(self, event: Event) -> None:
        """Tell every listener."""
        for listener in self.listeners:
            listener(event)

    async def run(self, search: Search, *, phase: str = "search", total: int | None = None) -> None:
        """Drive one search to its end, or to the end of the budget: `stopped` then says so."""
        self.emit(PhaseStarted(name=phase, total=total))
        questions = Questions()
        flying: deque[tuple[Sequence[Proposal], asyncio.Task[list[_Result | None]]]] = deque()
        overlap = 1 if search.learns else OVERLAP
        try:
            while True:
                while self.stopped is None and len(flying) < overlap and (batch := search.ask()):
                    flying.append((batch, asyncio.create_task(self._process(batch))))
                if not flying:
                    break
                batch, task = flying.popleft()
                for proposal, result in zip(batch, await task, strict=True):
                    if result is not None:
                        await self._finish(search, proposal, result, questions)
            await self._judge_and_emit(questions.close_all())
        finally:
            await _abandon([task for _, task in flying])

    async def _finish(self, search: Search, proposal: Proposal, result: _Result, questions: Questions) -> None:
        for event in result.events:
            self.emit(event)
        for asked in result.asked:
            questions.add(asked)
        self._emit_verdicts(result.pending, result.verdicts)
        search.tell(proposal, result.verdicts, {"queries": float(sum(len(a.answers) for a in result.asked))})
        if proposal.closes:
            await self._judge_and_emit(questions.close(proposal.seed.case.id))
            self.emit(Advanced())

    async def _judge_and_emit(self, pending: Sequence[Pending]) -> None:
        if pending:
            self._emit_verdicts(pending, await judge_all(pending, self.bench))

    def _emit_verdicts(self, pending: Sequence[Pending], verdicts: Sequence[Verdict]) -> None:
        for item, verdict in zip(pending, verdicts, strict=True):
            self.emit(VerdictReached(relation=item.relation, group=item.group, source=item.source, verdict=verdict))

    async def _process(self, batch: Sequence[Proposal]) -> list[_Result | None]:
        results = await asyncio.gather(*(self._within_budget(proposal) for proposal in batch))
        pending = [item for result in results if result is not None for item in result.pending]
        verdicts = iter(await judge_all(pending, self.bench))
        for result in results:
            if result is not None:
                result.verdicts = [next(verdicts) for _ in result.pending]
        return results

    async def _within_budget(self, proposal: Proposal) -> _Result | None:
        """Return what came of a proposal, or None where the budget did not reach."""
        try:
            async with self._room:
                return await self.observe(proposal)
        except BudgetExceeded as error:
            self.stopped = str(error)
            return None

    async def observe(self, proposal: Proposal) -> _Result:
        """Take one proposal through derive and ask; its verdicts are still to be judged."""
        follow_up = FollowUp(proposal=proposal, relations=concerned(proposal))
        result = _Result()
        await self.maker.check_source(follow_up)
        labels = [label for label in self.observers if proposal.seed.concerns(label)]
        skipped = {label: await self._check_outputs(label, follow_up, result) for label in labels}
        willing = [label for label in labels if _anyone(follow_up, skipped[label])]
        if willing:
            await self.maker.make(follow_up)
        if follow_up.case is not None and follow_up.alive:
            result.events.append(_made(follow_up, follow_up.case, willing))
            await together(*(self._ask(label, follow_up, skipped[label], result) for label in willing))
            result.asked.sort(key=lambda asked: (labels.index(asked.system), asked.repeat))
        for label in labels:
            result.pending += _refusals(label, follow_up, skipped[label] if label not in willing else {})
        for asked in result.asked:
            result.pending += await pairs(asked, self.maker)
        return result

    async def _check_outputs(self, label: str, follow_up: FollowUp, result: _Result) -> dict[tuple[str, int], Refusal]:
        """Return, per relation and source turn, the broken preconditions on the source; asks the source if need be."""
        skipped: dict[tuple[str, int], Refusal] = {}
        case, variant = follow_up.proposal.seed.case, follow_up.proposal.plan.variant
        hidden = self.observers[label].target.tasks[follow_up.proposal.seed.task].hidden
        if variant and hidden.issuperset(variant):
            unseen = Refusal(reason=f"the prompt does not show {', '.join(variant)}", precondition=SHOWN)
            return {(relation.name, turn): unseen for relation in follow_up.alive for turn in case.asked}
        for relation in follow_up.alive:
            if any(p.stage in (Stage.SOURCE_OUTPUT, Stage.SOURCE_INPUT) for p in relation.preconditions):
                await self._check_turns(label, relation, follow_up, skipped, result)
        return skipped if case.asked else {}

    async def _check_turns(
        self,
        label: str,
        relation: MetamorphicRelation,
        follow_up: FollowUp,
        skipped: dict[tuple[str, int], Refusal],
        result: _Result,
    ) -> None:
        on_output = any(p.stage is Stage.SOURCE_OUTPUT for p in relation.preconditions)
        observations = await self._source(label, follow_up.proposal, 0, result)
        for turn, observation in observations.items():
            broken = await self.maker.broken(relation, Stage.SOURCE_INPUT, follow_up, observation)
            if broken is None and on_output:
                if observation.error is not None:
                    broken = Refusal(reason=f"source: {observation.error}", failed=True)
                else:
                    broken = await self.maker.broken(relation, Stage.SOURCE_OUTPUT, follow_up, observation)
            if broken is not None:
                skipped[relation.name, turn] = broken

    async def _source(self, label: str, proposal: Proposal, repeat: int, result: _Result) -> Observations:
        case, task = proposal.seed.case, proposal.seed.task
        running, new = self.observers[label].source(case, task, repeat)
        observations = running.result() if running.done() else await asyncio.shield(running)
        if new:
            result.events.append(
                SourceObserved(system=label, task=task, case=case, observations=observations, repeat=repeat)
            )
        return observations

    async def _ask(
        self, label: str, follow_up: FollowUp, skipped: dict[tuple[str, int], Refusal], result: _Result
    ) -> None:
        assert follow_up.case is not None
        proposal = follow_up.proposal
        again = all(step.transformation == NO_CHANGE for step in proposal.plan.steps)
        for repeat in range(1 if again else self.repeats):  # asked again once, under the index of the noise floor
            shift = self.repeats if again else 0
            source, answers = await together(
                self._source(label, proposal, repeat, result),
                self.observers[label].observe(follow_up.case, proposal.seed.task, repeat + shift),
            )
            result.asked.append(
                Asked(
                    system=label,
                    follow_up=follow_up,
                    source=source,
                    answers=answers,
                    skipped=skipped,
                    repeat=repeat,
                    vacuous=frozenset() if again else self.observers[label].vacuous(source, answers),
                )
            )


@dataclass(slots=True)
class _Result:
    """What came of one proposal."""

    pending: list[Pending] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


def _made(follow_up: FollowUp, case: Case, systems: Sequence[str]) -> FollowUpMade:
    seed, alive = follow_up.proposal.seed, follow_up.alive
    names = tuple(relation.name for relation in alive)
    return FollowUpMade(task=seed.task, source=seed.case, case=case, relations=names, systems=tuple(systems))


def _anyone(follow_up: FollowUp, skipped: dict[tuple[str, int], Refusal]) -> bool:
    turns = follow_up.proposal.seed.case.asked
    return any((relation.name, turn) not in skipped for relation in follow_up.alive for turn in turns)


def _refusals(label: str, follow_up: FollowUp, skipped: dict[tuple[str, int], Refusal]) -> list[Pending]:
    """Return the verdicts of the relations that reject the follow-up whole; pair relations only.

    Question relations have no verdict for a missing version: their group is judged on the rest.
    """
    proposal = follow_up.proposal
    found = []
    for relation in follow_up.relations:
        if relation.grouping is not Grouping.PAIR:
            continue
        whole = follow_up.refusals.get(relation.name)
        for turn in proposal.seed.case.asked:
            refusal = whole or skipped.get((relation.name, turn))
            if refusal is not None:
                found.append(refused(relation, proposal, label, turn, refusal))
    return found


async def together(*work: Awaitable[T]) -> list[T]:
    """Return what all of these give; where some fail, the others still come to their end: they are paid for."""
    if len(work) == 1:
        return [await work[0]]
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def _abandon(tasks: Sequence[asyncio.Task[list[_Result | None]]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
