"""Repeats the questions behind violations to see whether they recur. Findings that do not recur are marked FLAKY."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from mutatis.campaign.events import CONFIRM, PhaseStarted
from mutatis.campaign.judging import judge_again
from mutatis.campaign.run import Loop
from mutatis.campaign.tally import Finding
from mutatis.core.decision import Outcome
from mutatis.core.gathering import gathered, one_of_each
from mutatis.core.relation import Observation
from mutatis.core.verdict import Verdict

CONFIRMED_PER_RELATION = 20
"""Default for the maximum number of findings per system and relation that are asked again."""


def first_per_relation(findings: Iterable[Finding], most: int) -> list[Finding]:
    """Return up to `most` findings of each system and relation.

    The first findings of all relations come first, then the second ones, and so on. Even if the budget runs out early,
    every relation is covered.
    """
    findings_of_rows = gathered(findings, lambda finding: finding.verdict.row).values()
    return list(one_of_each(of_row[:most] for of_row in findings_of_rows))


def questions(loop: Loop, finding: Finding) -> int:
    """Return the number of questions needed to repeat a finding, assuming as many tool steps as before."""
    group, members = finding.group, finding.verdict.evidence
    asked = members if group.directed else (group.source, *members)  # annotated answers need not be asked for
    whole = loop.observers[finding.verdict.system].target.layer.stateful
    return sum(len(observation.case.asked) if whole else observation.questions for observation in asked)


def most_again(loop: Loop, finding: Finding) -> int:
    """Return the maximum number of questions needed to repeat a finding."""
    steps = loop.observers[finding.verdict.system].target.most_steps(finding.verdict.source)
    return (1 + steps) * (1 + len(finding.group.members)) if steps else questions(loop, finding)


async def confirm(loop: Loop, findings: Iterable[Finding], most: int = CONFIRMED_PER_RELATION) -> None:
    """Repeat the questions of the source and the follow-ups of findings, and record whether each violation recurs.

    A stateless system is sent only the judged turn, with the recorded history. With a stateful system, the dialogue is
    replayed from the start.
    """
    # Recorded answers and those on a sheet are the same when they are read again: that would confirm nothing.
    repeatable = (finding for finding in findings if not loop.observers[finding.verdict.system].target.layer.free)
    chosen = first_per_relation(repeatable, most)
    expected = [questions(loop, finding) for finding in chosen]
    loop.emit(PhaseStarted(name=CONFIRM, questions=lambda: sum(expected)))

    async def confirm_finding(number: int, finding: Finding) -> None:
        granted = 0
        if loop.stopped is None:
            with loop.until_spent():
                async with loop.allowance.room(lambda: most_again(loop, finding), expected[number]) as granted:
                    finding.confirmed = await _holds(loop, finding) if granted else None
        if not granted:  # no questions: the budget is used up, so that these questions are no longer expected
            expected[number] = 0

    await asyncio.gather(*(confirm_finding(number, finding) for number, finding in enumerate(chosen)))


async def _holds(loop: Loop, finding: Finding) -> bool | None:
    """Return True if the violation recurs, False if it does not, or None if it could not be judged."""
    verdict, group = finding.verdict, finding.group
    source = group.source if group.directed else await again(loop, verdict, group.source)
    members = [await again(loop, verdict, member) for member in verdict.evidence]
    outcome = (await judge_again(verdict, source, members, loop.judges)).outcome
    return None if outcome in (Outcome.ERROR, Outcome.INVALID) else outcome is Outcome.VIOLATED


async def again(loop: Loop, verdict: Verdict, observation: Observation) -> Observation:
    """Repeat the question of an observation, under the repeat index reserved for confirming findings.

    The new observation keeps the role of the old one.
    """
    observer, repeat = loop.observers[verdict.system], loop.repeats + 1
    if observer.target.layer.stateful:
        repeated = (await observer.observe(observation.case, repeat))[observation.turn]
    else:
        repeated = await observer.ask_turn(observation.case, observation.turn, observation.history, repeat)
    return repeated.playing(observation.role)
