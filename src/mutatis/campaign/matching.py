"""Groups observations for judging, and assigns each group its relation and each observation its role."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from mutatis.campaign.follow_up import Answers, FollowUp, Maker, missing
from mutatis.campaign.judging import group_of, grouped
from mutatis.core.cases import Case, Step
from mutatis.core.constraint import Stage
from mutatis.core.relation import Grouping, MetamorphicRelation, Observation
from mutatis.core.verdict import Verdict
from mutatis.guarding import Guarded


def refusals(follow_up: FollowUp, system: str, *, asked: bool) -> list[Verdict]:
    """Return the verdicts of the relations that refused a follow-up, for one system.

    If the system was queried, relations that refused only some turns are left out, because `pairs` returns their
    verdicts. A question relation has no verdict on a missing version, because the group is judged without it. Its
    refusal is kept in `follow_up.left_out` in case all versions are missing.
    """
    verdicts: list[Verdict] = []
    matched = {relation.name for relation in follow_up.alive} if asked else set()
    for relation in follow_up.relations:
        if relation.name in matched:
            continue
        for turn in filter(follow_up.proposal.judges, follow_up.source.asked):
            refusal = follow_up.refusal(relation, system, turn)
            if refusal is None:
                continue
            verdict = _verdict(follow_up, relation, system, turn, decision=refusal)
            if relation.matching.grouping is Grouping.PAIR:
                verdicts.append(verdict)
            else:
                follow_up.left_out.append(verdict)
    return verdicts


async def pairs(follow_up: FollowUp, answers: Answers, maker: Maker) -> list[Verdict]:
    """Return one verdict for each turn of a follow-up that a pair relation covers. Most are still to be judged."""
    verdicts = []
    for relation in follow_up.alive:
        if relation.matching.grouping is Grouping.PAIR:
            for observation in answers.follow_up.values():
                role = role_of(relation, observation, follow_up.source)
                if role is not None and follow_up.proposal.judges(observation.case.origin(observation.turn)):
                    verdicts.append(await _pair(follow_up, answers, relation, observation.playing(role), maker))
    return verdicts


def role_of(relation: MetamorphicRelation, observation: Observation, source: Case) -> str | None:
    """Return the role of a turn in a relation, or None if it has no role.

    Raises:
        UsageError: the relation's own `when` function fails. It would fail for every turn.
    """
    with Guarded("when(turn) of relation", relation.name, needed=True):
        return relation.role_of(observation.case, observation.turn, source)


async def _pair(
    follow_up: FollowUp, answers: Answers, relation: MetamorphicRelation, member: Observation, maker: Maker
) -> Verdict:
    turn = member.case.origin(member.turn)
    facts: dict[str, Any] = {"repeat": answers.repeat}
    decision = follow_up.refusal(relation, answers.system, turn)
    if decision is None:
        group, decision = group_of(relation, answers.source[turn], [member])
        facts |= {"group": group, "vacuous": member.turn in answers.vacuous}
        decision = decision or follow_up.unjudged.get((relation.name, answers.system))
        decision = decision or await maker.broken(relation, Stage.FOLLOW_UP_OUTPUT, follow_up, member)
    return _verdict(follow_up, relation, answers.system, turn, decision=decision, **facts)


def _verdict(follow_up: FollowUp, relation: MetamorphicRelation, system: str, turn: int, **more: Any) -> Verdict:
    derivation = follow_up.proposal.derivation
    return Verdict(
        system=system,
        relation=relation,
        source=follow_up.source,
        turn=turn,
        variant=derivation.variant,
        derivation=derivation,
        steps=tuple(step.transformation for step in derivation.steps),
        estimates=follow_up.proposal.estimates,
        action=follow_up.proposal.action,
        part=follow_up.proposal.part,
        episode=follow_up.proposal.episode,
        **more,
    )


@dataclass(slots=True)
class _Versions:
    """All versions of one source turn that a question relation judges together, as one system answered them."""

    relation: MetamorphicRelation
    system: str
    turn: int
    repeat: int
    source: Observation
    members: list[Observation] = field(default_factory=list)


class Questions:
    """Collects all versions of each source turn until the source is closed, for relations that judge them together."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], list[FollowUp]] = defaultdict(list)

    def add(self, follow_up: FollowUp) -> None:
        """Keep an answered follow-up if a question relation judges it."""
        grouped_by = any(relation.matching.grouping is Grouping.QUESTION for relation in follow_up.alive)
        if (follow_up.answers and grouped_by) or follow_up.left_out:
            self._open[follow_up.source.task, follow_up.source.id].append(follow_up)

    def close(self, source: tuple[str, str] | None = None) -> list[Verdict]:
        """Return the verdicts of a source's question groups, still to be judged, and drop the groups.

        The source is identified by its task and id. None closes all sources that are still open, because a search that
        learns never marks a proposal as the last of its source.
        """
        closed = list(self._open) if source is None else [source]
        return [verdict for key in closed for verdict in _question_groups(self._open.pop(key, []))]


def _question_groups(follow_ups: Sequence[FollowUp]) -> Iterator[Verdict]:
    """Yield a verdict on each question whose versions are judged together.

    For a question without a group, yield the reason why a version is missing, which the table of changes tried shows.
    """
    has_verdict: set[tuple[str, str, int]] = set()
    for versions in _versions_of(follow_ups):
        verdict = _with_group(versions)
        if verdict is not None:
            has_verdict.add((versions.relation.name, versions.system, versions.turn))
            yield verdict
    for follow_up in follow_ups:
        for verdict in follow_up.left_out:
            key = verdict.relation.name, verdict.system, verdict.turn
            if verdict.relation.change is not None and key not in has_verdict:
                has_verdict.add(key)
                yield verdict


def _versions_of(follow_ups: Iterable[FollowUp]) -> Iterable[_Versions]:
    """Collect the versions of each turn of a source, for each question relation that has a role for them."""
    versions_of: dict[tuple[str, str, int, int], _Versions] = {}
    for follow_up in follow_ups:
        judging = [relation for relation in follow_up.alive if relation.matching.grouping is Grouping.QUESTION]
        for answers, relation in product(follow_up.answers, judging):
            for observation in answers.follow_up.values():
                role = role_of(relation, observation, follow_up.source)
                if role is not None:
                    system, turn, repeat = answers.system, observation.case.origin(observation.turn), answers.repeat
                    versions = _Versions(relation, system, turn, repeat, source=answers.source[turn])
                    versions = versions_of.setdefault((relation.name, system, turn, repeat), versions)
                    versions.members.append(observation.playing(role))
    return versions_of.values()


def _with_group(versions: _Versions) -> Verdict | None:
    """Return the verdict on a question group, or None if the group has too few versions for the relation.

    If it has enough versions, but too few were answered, the verdict is already decided.
    """
    relation, members = versions.relation, versions.members
    if not _has_enough_members(relation, members):
        return None
    verdict = Verdict(
        system=versions.system,
        relation=relation,
        source=versions.source.case,
        turn=versions.turn,
        repeat=versions.repeat,
        steps=tuple(sorted({step.transformation for member in members for step in _steps(member)})),
    )
    usable = [member for member in members if member.error is None]
    if usable and _has_enough_members(relation, usable):  # a relation may need no member of any role
        return grouped(verdict, versions.source, usable)
    with_error = [member for member in members if member.error is not None]
    unanswered = next((member for member in with_error if member.failed), with_error[0])  # else it was not recorded
    decision = missing(unanswered, Stage.FOLLOW_UP_INPUT, "too few versions were answered")
    return replace(grouped(verdict, versions.source, members), decision=decision)


def _steps(member: Observation) -> tuple[Step, ...]:
    return member.case.derivation.steps if member.case.derivation else ()


def _has_enough_members(relation: MetamorphicRelation, members: list[Observation]) -> bool:
    roles = [member.role for member in members]
    return relation.matching.suits(roles) and all(
        roles.count(role) >= least for role, least in relation.matching.needs.items()
    )
