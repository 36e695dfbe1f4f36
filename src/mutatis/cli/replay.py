"""`mutatis replay`: one finding, asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mutatis.assembly import Assembly, assemble
from mutatis.campaign.judging import Pending, failed, judge_all, reference_group
from mutatis.campaign.observe import Observer
from mutatis.campaign.records import recorded_cases
from mutatis.cli.runs import find_finding, find_run
from mutatis.config import check
from mutatis.core.errors import UsageError
from mutatis.core.relation import Group, Member
from mutatis.core.verdict import Identity, Judgement, Outcome, Verdict
from mutatis.query import Store
from mutatis.report.json import read_report
from mutatis.report.marking import visible
from mutatis.report.terminal import console


def replay(run: str, finding: str) -> int:
    """Ask the recorded source and follow-ups again, print both answers and the verdict.

    Returns 1 where the violation is there again, 0 where it is gone, 3 where it could not be judged.
    """
    folder = find_run(run)
    report = read_report(folder)
    record = find_finding(report, finding)
    verdict, group = asyncio.run(_again(report["run"]["config"], record, folder))
    out = console()
    shown = [("source", group.source), *((_title(m.role), m.observation) for m in group.members)]
    for title, observation in shown:
        turn = observation.case.turns[observation.turn]
        out.print(f"{title}:", markup=False)
        for name, text in turn.fields.items():
            out.print(f"  {name}: {visible(text)}", markup=False, highlight=False)
        answer = observation.error or (observation.response.text if observation.response else "")
        out.print(f"  -> {visible(answer)}", markup=False, highlight=False)
    score = "" if verdict.judgement.score is None else f", score {verdict.judgement.score:.3f}"
    why = visible(verdict.judgement.reason)
    out.print(f"{verdict.outcome.value.upper()}{score}: {why}", markup=False, highlight=False)
    return {Outcome.VIOLATED: 1, Outcome.SATISFIED: 0}.get(verdict.outcome, 3)


def _title(role: str) -> str:
    return "follow-up" if role == "follow-up" else f"follow-up ({role})"


async def _again(config: Mapping[str, Any], record: Mapping[str, Any], folder: Path) -> tuple[Verdict, Group]:
    tables = {name: value for name, value in config.items() if name != "folder"}
    if not tables:
        raise UsageError("this run was started from Python and holds no configuration; run it again from Python")
    # Stored answers would only repeat what the report says: a store of its own asks anew.
    with Store(None) as store:
        parts = assemble(check(tables, Path(config.get("folder", "."))), store)
        try:
            return await _judged(parts, record)
        finally:
            await parts.close()


async def _judged(parts: Assembly, record: Mapping[str, Any]) -> tuple[Verdict, Group]:
    source, turn, follow_ups = recorded_cases(dict(record))
    relations = {relation.name: relation for seed in parts.seeds for relation in seed.relations}
    targets = {target.label: target for target in parts.targets}
    if record["relation"] not in relations or record["system"] not in targets:
        raise UsageError(f"the configuration of this run no longer gives {record['relation']} on {record['system']}")
    relation, observer = relations[record["relation"]], Observer(targets[record["system"]])
    task = record["task"]
    observed = (await observer.observe(source, task))[turn]
    members = []
    for case, index, role in follow_ups:
        # Under a repeat index of their own: a follow-up of the identity relation is asked again, too.
        members.append(Member(observation=(await observer.observe(case, task, 1))[index], role=role))
    group = reference_group(relation, observed, Group(source=observed, members=tuple(members)))
    identity = Identity(
        system=record["system"], task=task, relation=relation.name, source=source.id, turn=turn,
        variant=tuple(record["variant"]),
    )  # fmt: skip
    pending = Pending(relation=relation, identity=identity, source=source, group=group)
    reason = failed(relation, group)
    if reason is not None:
        pending = replace(pending, judgement=Judgement(outcome=Outcome.ERROR, reason=reason))
    [verdict] = await judge_all([pending], parts.bench)
    return verdict, group
