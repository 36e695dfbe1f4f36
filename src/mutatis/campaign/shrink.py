"""The least perturbation that still violates: fewer steps, lower parameters, shorter dialogues, fewer changed words.

Every candidate is a plan like any other: it is derived, checked, annotated, asked and judged by the same code, and it
must keep the judged question and its role. Passes are small and deterministic; the first violation that is smaller
replaces the one at hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mutatis.campaign.confirm import CONFIRMED_PER_RELATION, first_per_relation, outcome_of
from mutatis.campaign.events import Advanced, PhaseStarted
from mutatis.campaign.follow_up import FollowUp
from mutatis.campaign.run import Campaign
from mutatis.campaign.tally import Finding
from mutatis.core.cases import Case, Derivation, Step
from mutatis.core.errors import BudgetExceeded
from mutatis.core.relation import Member
from mutatis.core.search import Proposal, Seed
from mutatis.core.spans import changes
from mutatis.core.transformation import KEEP_ROUNDS, RESTORE, TRANSFORMATIONS, made_by
from mutatis.core.verdict import Outcome

CANDIDATES = 16
"""Smaller follow-ups that are tried per finding by default."""


async def shrink(
    campaign: Campaign,
    findings: Iterable[Finding],
    *,
    candidates: int = CANDIDATES,
    most: int = CONFIRMED_PER_RELATION,
) -> None:
    """Shrink findings made by functions; those that a language model made would have to be paid for anew."""
    chosen = [finding for finding in first_per_relation(findings, most) if _shrinkable(finding)]
    campaign.emit(PhaseStarted(name="shrink", total=len(chosen)))

    async def one(finding: Finding) -> None:
        if campaign.stopped is None:
            try:
                await _Shrinker(campaign, finding, candidates).run()
            except BudgetExceeded as error:
                campaign.stopped = str(error)
        campaign.emit(Advanced())

    await asyncio.gather(*(one(finding) for finding in chosen))


def _shrinkable(finding: Finding) -> bool:
    steps = [s for m in finding.group.members if (d := m.observation.case.derivation) for s in d.steps]
    return finding.confirmed is not False and made_by(steps) == "function"


@dataclass(slots=True)
class _Shrinker:
    """Shrinks the follow-up of one finding; of a question group, the last member of the worst pair."""

    campaign: Campaign
    finding: Finding
    left: int
    _tried: set[str] = field(default_factory=set)

    async def run(self) -> None:
        judgement = self.finding.verdict.judgement
        members = self.finding.group.members
        kept = tuple(members[i] for i in judgement.worst) if judgement.worst else members
        best = kept[-1]
        found = True
        while found:
            found = False
            for plan in _smaller(best, self.finding.source):
                smaller = await self._try(plan, best, kept[:-1])
                if smaller is not None:
                    best, found = smaller, True
                    break
        if best is not kept[-1]:
            self.finding.shrunk = best

    async def _try(self, plan: Derivation, best: Member, others: Sequence[Member]) -> Member | None:
        """Return the follow-up of `plan` in the role of `best` if it still violates, else None."""
        name = replace(plan, origin=()).digest()  # the same plan, whichever follow-up it was reached from
        if self.left <= 0 or name in self._tried:
            return None
        self._tried.add(name)
        follow_up = await self._make(plan)
        if follow_up.case is None or not follow_up.alive:
            return None
        identity = self.finding.identity
        turns = [
            turn
            for turn in follow_up.case.asked
            if follow_up.case.origin(turn) == identity.turn
            and self.finding.relation.when(follow_up.case.turns[turn]) == best.role
        ]
        if not turns:
            return None
        self.left -= 1
        observer = self.campaign.observers[identity.system]
        repeat = best.observation.repeat
        observations = await observer.observe(follow_up.case, identity.task, repeat)
        for turn in turns:
            member = Member(observation=observations[turn], role=best.role)
            group = replace(self.finding.group, members=(*others, member))
            if await outcome_of(self.campaign, self.finding, group) is Outcome.VIOLATED:
                return member
        return None

    async def _make(self, plan: Derivation) -> FollowUp:
        identity, relation = self.finding.identity, self.finding.relation
        seed = Seed(case=self.finding.source, task=identity.task, relations=(relation,))
        strict = replace(relation, unchanged="invalid")  # an empty perturbation explains nothing
        follow_up = FollowUp(proposal=Proposal(seed=seed, plan=plan), relations=(strict,))
        await self.campaign.maker.make(follow_up)
        return follow_up


def _smaller(member: Member, source: Case) -> Iterator[Derivation]:
    """Yield smaller plans than a member's, the boldest first."""
    plan = member.observation.case.derivation
    assert plan is not None
    if plan.steps[-1].transformation != KEEP_ROUNDS:  # kept rounds are numbers of rounds of what came before
        yield from _fewer_steps(plan)
        yield from _fewer_turns(plan, member)
        yield from _lower_parameters(plan)
    yield from _fewer_rounds(plan, member)
    yield from _fewer_spans(plan, member, source)


def _fewer_steps(plan: Derivation) -> Iterator[Derivation]:
    if len([s for s in plan.steps if s.transformation in TRANSFORMATIONS]) > 1:
        for position in range(len(plan.steps)):
            yield replace(plan, steps=plan.steps[:position] + plan.steps[position + 1 :])


def _fewer_turns(plan: Derivation, member: Member) -> Iterator[Derivation]:
    """Perturb the judged question alone."""
    if len(member.observation.case.turns) == 1:
        return
    for position, step in enumerate(plan.steps):
        if step.transformation in TRANSFORMATIONS and TRANSFORMATIONS[step.transformation].level != "dialogue":
            alone = replace(step, turns=(member.observation.turn,))
            if step.turns != alone.turns:
                yield replace(plan, steps=(*plan.steps[:position], alone, *plan.steps[position + 1 :]))


def _lower_parameters(plan: Derivation) -> Iterator[Derivation]:
    for position, step in enumerate(plan.steps):
        if step.transformation not in TRANSFORMATIONS:
            continue
        for parameter in TRANSFORMATIONS[step.transformation].parameters:
            value = step.parameters.get(parameter.name)
            if parameter.low is None or isinstance(value, bool) or not isinstance(value, int | float):
                continue
            for lower in _lower(value, parameter.low):
                changed = replace(step, parameters={**step.parameters, parameter.name: lower})
                yield replace(plan, steps=(*plan.steps[:position], changed, *plan.steps[position + 1 :]))


def _lower(value: float, low: float) -> list[float]:
    """Return lower values, the lowest first: the bound, then a quarter and a half of the way from it."""
    if isinstance(value, int):
        return sorted({int(low) + (value - int(low)) * part // 4 for part in (0, 1, 2)} - {value})
    return sorted({low, low + (value - low) / 4, low + (value - low) / 2} - {value}) if value - low > 1e-3 else []


def _fewer_rounds(plan: Derivation, member: Member) -> Iterator[Derivation]:
    """Leave out the rounds after the judged one and all earlier ones, then ever smaller parts of the earlier ones.

    The parts are halves, quarters and so on down to single rounds, so that a dialogue of n rounds comes down to the few
    that matter in about log n steps; a plan that was tried before costs nothing.
    """
    turn = member.observation.turn
    if len(member.observation.case.turns) == 1:
        return
    yield _keeping(plan, [turn])
    size = turn // 2
    while size:
        for start in range(0, turn, size):
            yield _keeping(plan, [*range(start), *range(start + size, turn), turn])
        size //= 2
    if turn < len(member.observation.case.turns) - 1:
        yield _keeping(plan, list(range(turn + 1)))


def _keeping(plan: Derivation, rounds: list[int]) -> Derivation:
    steps = plan.steps
    if steps and steps[-1].transformation == KEEP_ROUNDS:
        before = steps[-1].parameters["rounds"]
        rounds, steps = [before[i] for i in rounds], steps[:-1]
    return replace(plan, steps=(*steps, Step(transformation=KEEP_ROUNDS, parameters={"rounds": rounds})))


def _fewer_spans(plan: Derivation, member: Member, source: Case) -> Iterator[Derivation]:
    """Put changed spans of the judged turn back: all but one, one half, then one by one."""
    if any(s.transformation == KEEP_ROUNDS or _reorders(s) for s in plan.steps):
        return
    case, turn = member.observation.case, member.observation.turn
    before: dict[str, list[int]] = next((s.parameters["spans"] for s in plan.steps if s.transformation == RESTORE), {})
    rest = tuple(step for step in plan.steps if step.transformation != RESTORE)
    fields = source.turns[case.origin(turn)].fields
    if _words(fields) == _words(case.turns[turn].fields):  # moved, not edited: half of a move doubles or loses words
        return
    for name in plan.variant or tuple(fields):
        restored = set(before.get(name, ()))
        number = len(changes(fields[name], case.turns[turn].fields[name])) + len(restored)
        open_spans = [i for i in range(number) if i not in restored]
        if len(open_spans) < 2:
            continue
        middle = len(open_spans) // 2
        tries = [open_spans[:middle], open_spans[middle:], *([i] for i in open_spans)]
        for spans in tries:
            step = Step(
                transformation=RESTORE,
                parameters={"spans": {**before, name: sorted({*restored, *spans})}},
                turns=(turn,),
            )
            yield replace(plan, steps=(*rest, step))


def _words(fields: Mapping[str, str]) -> list[str]:
    return sorted(" ".join(fields.values()).split())


def _reorders(step: Step) -> bool:
    return step.transformation in TRANSFORMATIONS and TRANSFORMATIONS[step.transformation].level == "dialogue"
