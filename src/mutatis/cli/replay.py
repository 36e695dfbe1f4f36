"""`mutatis replay`: one finding, asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mutatis.assembly import assemble
from mutatis.campaign.judging import judge_again
from mutatis.campaign.observe import Observer
from mutatis.campaign.records import recorded_cases
from mutatis.campaign.session import Campaign
from mutatis.cli.runs import find_finding
from mutatis.config import check
from mutatis.core.decision import Outcome
from mutatis.core.errors import UsageError
from mutatis.core.verdict import Verdict
from mutatis.query import Store
from mutatis.records import FindingRecord, read_report
from mutatis.records.runs import find_run
from mutatis.reports.marking import visible
from mutatis.reports.terminal import console


def replay(run: str, finding: str) -> int:
    """Ask the recorded source and follow-ups again, print both answers and the verdict.

    Returns 1 where the violation is there again, 0 where it is gone, 3 where it could not be judged.
    """
    folder = find_run(run)
    report = read_report(folder)
    record = find_finding(report.findings, finding)
    verdict = asyncio.run(_again(report.run.config, record, folder))
    assert verdict.group is not None
    out = console()
    shown = [("source", verdict.group.source), *((_title(m.role), m) for m in verdict.group.members)]
    for title, observation in shown:
        out.print(f"{title}:", markup=False)
        for name, text in observation.asked.fields.items():
            out.print(f"  {name}: {visible(text)}", markup=False, highlight=False)
        answer = observation.error or (observation.response.text if observation.response else "")
        out.print(f"  -> {visible(answer)}", markup=False, highlight=False)
    decision = verdict.decided
    score = "" if decision.score is None else f", score {decision.score:.3f}"
    why = visible(decision.reason)
    out.print(f"{verdict.outcome.value.upper()}{score}: {why}", markup=False, highlight=False)
    return {Outcome.VIOLATED: 1, Outcome.SATISFIED: 0}.get(verdict.outcome, 3)


def _title(role: str) -> str:
    return "follow-up" if role == "follow-up" else f"follow-up ({role})"


async def _again(config: Mapping[str, Any], finding: FindingRecord, folder: Path) -> Verdict:
    tables = {name: value for name, value in config.items() if name != "folder"}
    if "systems" not in tables:
        raise UsageError("this run was started from Python and names no system; run it again from Python")
    # Stored answers would only repeat what the report says: a store of its own asks anew.
    with Store(None) as store:
        campaign = assemble(check(tables, Path(config.get("folder", "."))), store)
        try:
            return await _judged(campaign, finding)
        finally:
            await campaign.close()


async def _judged(campaign: Campaign, finding: FindingRecord) -> Verdict:
    source, turn, follow_ups = recorded_cases(finding)
    relations = {relation.name: relation for source in campaign.sources for relation in source.relations}
    targets = {target.label: target for target in campaign.targets}
    if finding.relation not in relations or finding.system not in targets:
        raise UsageError(f"the configuration of this run no longer gives {finding.relation} on {finding.system}")
    observer = Observer(targets[finding.system])
    observed = (await observer.observe(source))[turn]
    # Under a repeat index of their own: a follow-up of the relation no-change is asked again, too.
    members = [replace((await observer.observe(case, 1))[index], role=role) for case, index, role in follow_ups]
    verdict = Verdict(
        system=finding.system,
        relation=relations[finding.relation],
        source=source,
        turn=turn,
        variant=tuple(finding.variant),
    )
    return await judge_again(verdict, observed, members, campaign.judges)
