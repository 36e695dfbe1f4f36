"""Grouping and matching: which observations are judged together, by which relation, in which role."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mutatis.campaign.follow_up import FollowUp, Maker, Refusal
from mutatis.campaign.judging import Pending, failed, reference_group
from mutatis.campaign.observe import Observations
from mutatis.core.cases import Case, Step
from mutatis.core.constraint import Stage
from mutatis.core.relation import Group, Grouping, Member, MetamorphicRelation, Observation
from mutatis.core.search import Proposal
from mutatis.core.verdict import Identity, Judgement, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A follow-up as one system answered it, beside its source.

    `skipped` holds, per relation and source turn, why the relation says nothing on this system; `vacuous` the follow-up
    turns in which the system reads the same as in the source.
    """

    system: str
    follow_up: FollowUp
    source: Observations
    answers: Observations
    skipped: Mapping[tuple[str, int], Refusal]
    repeat: int = 0
    vacuous: frozenset[int] = frozenset()


def refused(relation: MetamorphicRelation, proposal: Proposal, system: str, turn: int, refusal: Refusal) -> Pending:
    """Return the verdict of a relation that rejects a follow-up (or one source turn of it)."""
    seed = proposal.seed
    variant = proposal.plan.variant if relation.grouping is Grouping.PAIR else ()
    identity = Identity(
        system=system, task=seed.task, relation=relation.name, source=seed.case.id, turn=turn, variant=variant
    )
    outcome = Outcome.ERROR if refusal.failed else Outcome.INVALID
    return Pending(
        relation=relation,
        identity=identity,
        source=seed.case,
        group=None,
        judgement=Judgement(outcome=outcome, reason=refusal.reason),
        precondition=refusal.precondition,
        unchanged=refusal.unchanged,
        plan=proposal.plan,
        draw=proposal.plan.draw,
        steps=tuple(step.transformation for step in proposal.plan.steps),
    )


async def pairs(asked: Asked, maker: Maker) -> list[Pending]:
    """Return one pending verdict per follow-up turn that a pair relation matches."""
    found = []
    for relation in asked.follow_up.alive:
        if relation.grouping is Grouping.PAIR:
            for turn, observation in asked.answers.items():
                role = relation.when(observation.case.turns[turn])
                if role is not None:
                    found.append(await _pair(asked, relation, observation, role, maker))
    return found


async def _pair(
    asked: Asked, relation: MetamorphicRelation, observation: Observation, role: str, maker: Maker
) -> Pending:
    proposal = asked.follow_up.proposal
    origin = observation.case.origin(observation.turn)
    skipped = asked.skipped.get((relation.name, origin))
    if skipped is not None:
        return replace(refused(relation, proposal, asked.system, origin, skipped), repeat=asked.repeat)
    group = Group(source=asked.source[origin], members=(Member(observation=observation, role=role),))
    group = reference_group(relation, asked.source[origin], group)
    pending = replace(
        refused(relation, proposal, asked.system, origin, Refusal(reason="")),
        group=group,
        judgement=None,
        repeat=asked.repeat,
        vacuous=observation.turn in asked.vacuous,
    )
    reason = failed(relation, group)
    if reason is not None:
        return replace(pending, judgement=Judgement(outcome=Outcome.ERROR, reason=reason))
    broken = await maker.broken(relation, Stage.FOLLOW_UP_OUTPUT, asked.follow_up, observation)
    if broken is None:
        return pending
    outcome = Outcome.ERROR if broken.failed else Outcome.INVALID
    return replace(
        pending, judgement=Judgement(outcome=outcome, reason=broken.reason), precondition=broken.precondition
    )


class Questions:
    """Collects all versions of each source turn for question relations, until the seed is closed."""

    def __init__(self) -> None:
        self._open: dict[str, list[Asked]] = defaultdict(list)

    def add(self, asked: Asked) -> None:
        """Keep a follow-up of a seed whose relations include question relations."""
        if any(relation.grouping is Grouping.QUESTION for relation in asked.follow_up.alive):
            self._open[asked.follow_up.proposal.seed.case.id].append(asked)

    def close(self, source_id: str) -> list[Pending]:
        """Return the pending verdicts of one seed's question groups and forget them."""
        return list(_question_groups(self._open.pop(source_id, [])))

    def close_all(self) -> list[Pending]:
        """Close every seed that is still open (a learner never says which proposal is a seed's last)."""
        return [pending for source_id in list(self._open) for pending in self.close(source_id)]


def _question_groups(versions: list[Asked]) -> Iterator[Pending]:
    members: dict[tuple[str, str, int, int], list[Member]] = defaultdict(list)
    relations: dict[str, MetamorphicRelation] = {}
    sources: dict[tuple[str, int, int], Observation] = {}
    for asked in versions:
        for relation in asked.follow_up.alive:
            if relation.grouping is not Grouping.QUESTION:
                continue
            relations[relation.name] = relation
            for turn, observation in asked.answers.items():
                origin = observation.case.origin(turn)
                role = relation.when(observation.case.turns[turn])
                if role is not None:
                    member = Member(observation=observation, role=role)
                    members[relation.name, asked.system, origin, asked.repeat].append(member)
                    sources[asked.system, origin, asked.repeat] = asked.source[origin]
    task, case = (versions[0].follow_up.proposal.seed.task, _case(versions)) if versions else ("", None)
    for (name, system, origin, repeat), group_members in members.items():
        assert case is not None
        identity = Identity(system=system, task=task, relation=name, source=case.id, turn=origin)
        source = sources[system, origin, repeat]
        pending = _question_group(relations[name], identity, source, group_members)
        if pending is not None:
            yield replace(pending, repeat=repeat)


def _case(versions: list[Asked]) -> Case:
    return versions[0].follow_up.proposal.seed.case


def _question_group(
    relation: MetamorphicRelation, identity: Identity, source: Observation, members: list[Member]
) -> Pending | None:
    if not _enough(relation, members):
        return None
    usable = [member for member in members if member.observation.error is None]
    judgement = None
    if not _enough(relation, usable):
        reason = next(m.observation.error for m in members if m.observation.error is not None)
        judgement = Judgement(outcome=Outcome.ERROR, reason=f"too few versions were answered: {reason}")
    group = Group(source=source, members=tuple(usable if judgement is None else members))
    return Pending(
        relation=relation,
        identity=identity,
        source=source.case,
        group=reference_group(relation, source, group),
        judgement=judgement,
        steps=tuple(sorted({s.transformation for m in members for s in _steps(m)})),
    )


def _steps(member: Member) -> tuple[Step, ...]:
    derivation = member.observation.case.derivation
    return derivation.steps if derivation else ()


def _enough(relation: MetamorphicRelation, members: list[Member]) -> bool:
    roles = [member.role for member in members]
    return relation.suits(roles) and all(roles.count(role) >= least for role, least in relation.needs.items())
