"""`mutatis replay`: sends the questions of one finding again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.judging import judge_again
from mutatis.campaign.observe import Observer
from mutatis.campaign.records import recorded_cases
from mutatis.campaign.repertoire_file import REPERTOIRE_FILE, Which, recorded_repertoire
from mutatis.campaign.session import Campaign
from mutatis.campaign.trajectory import ToolAnswers
from mutatis.cli.trust import allow, effects_of, followed, masked
from mutatis.config import Config, check, read_toml
from mutatis.core.calls import ToolCall, tools_in
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import UsageError
from mutatis.core.relation import Observation
from mutatis.core.repertoire import Repertoire
from mutatis.core.verdict import Verdict
from mutatis.query import Store
from mutatis.records import FindingRecord, read_report
from mutatis.records.lookup import find_finding
from mutatis.records.runs import find_run
from mutatis.reports.marking import visible
from mutatis.reports.numbers import line
from mutatis.reports.terminal import console


def replay(run: str, finding: str, config: Path | None = None, *, trust: bool = False) -> int:
    """Send the recorded source and follow-ups of a finding again, and print the answers and the verdict.

    `config` names the systems to query. By default they are taken from the report, after a warning about the
    consequences (`trust` skips the confirmation). Return 1 if the violation recurs, 0 if it is gone, and 3 if it could
    not be judged.
    """
    folder = find_run(run)
    report = read_report(folder)
    record = find_finding(report.all_findings, finding)
    if config is None:
        chosen = _recorded(report.run.config)
        allow(effects_of(chosen), trusted=trust)
    else:
        chosen = check(read_toml(config), config.parent)
    verdict = asyncio.run(_asked_again(chosen, record, folder, ours=config is not None))
    assert verdict.group is not None
    out = console()
    # The page shows the shrunk pair, but the pair that is asked again is the original.
    title = "follow-up" if record.shrunk is None else "follow-up, as it was found"
    _print_observation("source", verdict.group.source, out)
    for member in verdict.group.members:
        role = "" if member.role == "follow-up" else f" ({line(member.role)})"
        _print_observation(f"{title}{role}", member, out)
    score = "" if verdict.decided.score is None else f", score {verdict.decided.score:.3f}"
    out.print(f"{verdict.outcome.value.upper()}{score}: {line(verdict.decided.reason)}")
    return {Outcome.VIOLATED: 1, Outcome.SATISFIED: 0}.get(verdict.outcome, 3)


def _print_observation(title: str, observation: Observation, out: Console) -> None:
    out.print(f"{title}:")
    for name, text in observation.asked.fields.items():
        out.print(f"  {line(name)}: {visible(text)}")
    answer = observation.error or (observation.response.said if observation.response else "")
    out.print(f"  -> {visible(answer)}")


def _recorded(config: Mapping[str, Any]) -> Config:
    """Return the configuration recorded in a report. Nothing in it is executed."""
    tables = followed(config)
    for table, noun in (("systems", "system"), ("data", "data")):
        if table not in tables:
            raise UsageError(
                f"this run was started from Python, and its report names no {noun}: run it again from Python, or give "
                "a configuration that names them (--config FILE)"
            )
    if key := masked(tables):
        raise UsageError(
            f"the report does not contain {line(key)}, which is a secret or looks like a secret; give your own "
            "configuration: --config FILE"
        )
    return check(tables, Path(str(config.get("folder", "."))))


async def _asked_again(config: Config, finding: FindingRecord, folder: Path, *, ours: bool) -> Verdict:
    # A store without a file, because stored answers would only repeat the report.
    with Store(None) as store:
        # The recorded case contains the tools that a server listed, so the server need not be started.
        campaign = assemble(config, store, HandedOver(tools=tools_in(recorded_cases(finding)[0].material)))
        targets = [replace(target, tools=_recorded_tools(target.tools, finding)) for target in campaign.targets]
        try:
            return await _judged(replace(campaign, targets=targets), finding, folder, ours=ours)
        finally:
            await campaign.close()


def _recorded_tools(tools: ToolAnswers, finding: FindingRecord) -> ToolAnswers:
    """Return the tool answers for a replay. They reuse recorded results, and call no tool that changes anything."""
    responses = [finding.source.response, *(follow_up.response for follow_up in finding.followups)]
    calls = [ToolCall.from_record(call.to_json()) for response in responses if response for call in response.calls]
    return replace(tools, writing=None, kept=[call for call in calls if call.result is not None])


async def _judged(campaign: Campaign, finding: FindingRecord, folder: Path, *, ours: bool) -> Verdict:
    """Ask the source and follow-ups of a finding again, and judge the answers with the replies of its run."""
    source, turn, follow_ups = recorded_cases(finding)
    relations = {relation.name: relation for source in campaign.sources for relation in source.relations}
    targets = {target.label: target for target in campaign.targets}
    # The only system of the user's own configuration is meant, whatever its label.
    label = next(iter(targets)) if ours and len(targets) == 1 else finding.system
    if finding.relation not in relations or label not in targets:
        whose = "your configuration does not produce" if ours else "the configuration of this run no longer produces"
        raise UsageError(f"{whose} {finding.relation} on {finding.system}; its systems are {', '.join(targets)}")
    observer = Observer(targets[label])
    observed = (await observer.observe(source))[turn]
    # With another repeat index, because a follow-up of the relation no-change is otherwise the same question.
    members = [replace((await observer.observe(case, 1))[index], role=role) for case, index, role in follow_ups]
    verdict = Verdict(
        system=label, relation=relations[finding.relation], source=source, turn=turn, variant=tuple(finding.variant)
    )
    which = Which(finding.system, finding.task, source.id, turn)
    replies = _RecordedReplies(folder, which, frozenset(member.question for member in members))
    judged = await judge_again(verdict, observed, members, replace(campaign.judges, repertoires=replies))
    return replace(judged, decision=NO_REPLIES) if replies.are_missing and _needs_other_replies(judged) else judged


NO_REPLIES = Decision(
    outcome=Outcome.INVALID,
    reason=f"the judge cannot tell: it needs all replies of the run, and there is no {REPERTOIRE_FILE} next to the "
    "report with those to this question; repeat the run with --offline to write it again",
)


def _needs_other_replies(verdict: Verdict) -> bool:
    """Return True if replies to other questions are needed to judge the answers behind a verdict."""
    group = verdict.group
    if group is None or group.directed or verdict.outcome is Outcome.ERROR:
        return False
    return any(member.answer not in group.reference for member in group.members)


class _RecordedReplies:
    """The replies that a run used to judge a finding. `are_missing` is True if they were needed but not recorded."""

    number = 0

    def __init__(self, folder: Path, which: Which, messages: frozenset[str]) -> None:
        self._folder, self._which, self._messages = folder, which, messages
        self.are_missing = False

    def of(self, verdict: Verdict) -> Repertoire | None:
        """Return the recorded replies, even if the system has a different name now."""
        replies = recorded_repertoire(self._folder, self._which, self._messages)
        self.are_missing = replies is None
        return replies
