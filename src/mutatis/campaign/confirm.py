"""Does a violation hold when it is asked again? One re-ask of its answers; what does not hold is FLAKY."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from mutatis.campaign.events import Advanced, PhaseStarted
from mutatis.campaign.judging import Pending, failed, judge_all, reference_group
from mutatis.campaign.run import Campaign
from mutatis.campaign.tally import Finding
from mutatis.core.errors import BudgetExceeded
from mutatis.core.relation import Group, Observation
from mutatis.core.verdict import Outcome

CONFIRMED_PER_RELATION = 20
"""Findings per system and relation that are asked again by default."""


def first_per_relation(findings: Iterable[Finding], most: int) -> list[Finding]:
    """Return the first `most` findings of each system and relation, in their order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    chosen = []
    for finding in findings:
        row = (finding.identity.system, finding.identity.task, finding.identity.relation)
        seen[row] += 1
        if seen[row] <= most:
            chosen.append(finding)
    return chosen


async def confirm(campaign: Campaign, findings: Iterable[Finding], most: int = CONFIRMED_PER_RELATION) -> None:
    """Ask the source and the follow-ups of findings again and note whether the violation holds.

    A turn of a stateless system is asked with the recorded history; a stateful dialogue is replayed whole.
    """
    chosen = first_per_relation(findings, most)
    campaign.emit(PhaseStarted(name="confirm", total=len(chosen)))

    async def one(finding: Finding) -> None:
        if campaign.stopped is None:
            try:
                finding.confirmed = await _holds(campaign, finding)
            except BudgetExceeded as error:
                campaign.stopped = str(error)
        campaign.emit(Advanced())

    await asyncio.gather(*(one(finding) for finding in chosen))


async def _holds(campaign: Campaign, finding: Finding) -> bool | None:
    """Whether the violation is there again; None where it could not be judged."""
    group = finding.group
    worst = finding.verdict.judgement.worst or range(len(group.members))
    source = group.source if group.directed else await again(campaign, finding, group.source)
    members = [
        replace(group.members[i], observation=await again(campaign, finding, group.members[i].observation))
        for i in worst
    ]
    outcome = await outcome_of(campaign, finding, replace(group, source=source, members=tuple(members)))
    return None if outcome in (Outcome.ERROR, Outcome.INVALID) else outcome is Outcome.VIOLATED


async def again(campaign: Campaign, finding: Finding, observation: Observation) -> Observation:
    """Ask one observation again under the repeat index of confirm."""
    observer = campaign.observers[finding.identity.system]
    task, repeat = finding.identity.task, campaign.repeats + 1
    if observer.target.layer.stateful:
        return (await observer.observe(observation.case, task, repeat))[observation.turn]
    return await observer.ask_turn(observation.case, task, observation.turn, observation.history, repeat)


async def outcome_of(campaign: Campaign, finding: Finding, group: Group) -> Outcome:
    """Judge a group the way its finding was judged."""
    group = reference_group(finding.relation, group.source, group)
    if failed(finding.relation, group) is not None:
        return Outcome.ERROR
    pending = Pending(relation=finding.relation, identity=finding.identity, source=finding.source, group=group)
    [verdict] = await judge_all([pending], campaign.bench)
    return verdict.outcome
