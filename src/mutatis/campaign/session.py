"""One run from its first phase to its report: search, noise floor, confirm, shrink, summary."""

from __future__ import annotations

import gc
import importlib.metadata
import json
import platform
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from mutatis.campaign.confirm import CONFIRMED_PER_RELATION, confirm
from mutatis.campaign.events import Collector, Event, Listener, VerdictReached
from mutatis.campaign.health import Repetition, check
from mutatis.campaign.judging import Bench
from mutatis.campaign.observe import Target
from mutatis.campaign.records import finding_record, follow_up_record, verdict_record
from mutatis.campaign.run import Campaign
from mutatis.campaign.shrink import CANDIDATES, shrink
from mutatis.campaign.tally import Finding, Tally
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Search, Seed
from mutatis.core.system import Helper
from mutatis.query import Counts, QueryLayer
from mutatis.search.once import Once


@dataclass(frozen=True, slots=True, kw_only=True)
class Phases:
    """How much is asked beside the search itself; 0 leaves a phase out.

    Attributes:
        noise_floor: source cases per system and task that are asked again unchanged.
        confirm: findings per system and relation that are asked again.
        shrink: smaller follow-ups tried per confirmed finding.
    """

    noise_floor: int = 100
    confirm: int = CONFIRMED_PER_RELATION
    shrink: int = CANDIDATES


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything one run needs, ready-made.

    Attributes:
        identity: the relation of the noise floor.
        helper_layer: the query layer behind `helper`, for the report.
        search: None asks every relation once.
        listeners: are told of the search; `progress` of every phase.
        folder: where `verdicts.jsonl` goes; None writes nothing.
        name: what `mutatis replay` calls the run; its id where empty.
        config: the configuration as the user gave it, for the report.
    """

    targets: Sequence[Target]
    seeds: Sequence[Seed]
    bench: Bench
    identity: MetamorphicRelation
    helper: Helper | None = None
    helper_layer: QueryLayer | None = None
    search: Search | None = None
    seed: int = 0
    repeats: int = 1
    phases: Phases = field(default_factory=Phases)
    silence: Sequence[str] = ()
    collectors: Sequence[Collector] = ()
    listeners: Sequence[Listener] = ()
    progress: Sequence[Listener] = ()
    folder: Path | None = None
    name: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)


def new_run_id() -> str:
    """Return an id that sorts by time: date, time, four random digits."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


@contextmanager
def rare_collection() -> Iterator[None]:
    """Let the cyclic garbage collector run seldom, and not over what was loaded before.

    A run makes few cycles and many objects; walking all imported libraries for them again and again costs a tenth of
    the throughput (`benchmarks/throughput.py`).
    """
    if gc.get_freeze_count():  # somebody else looks after it: another run, or the program around us
        yield
        return
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


async def conduct(plan: Plan, run_id: str) -> tuple[dict[str, Any], Tally]:
    """Run every phase and return the report (the content of `report.json`) and the tally."""
    with rare_collection():
        return await _conduct(plan, run_id)


async def _conduct(plan: Plan, run_id: str) -> tuple[dict[str, Any], Tally]:
    started = time.time()
    tally, repetition = Tally(), Repetition()
    with _VerdictFile(plan.folder) as verdicts:
        campaign = Campaign(
            targets=plan.targets,
            bench=plan.bench,
            helper=plan.helper,
            seed=plan.seed,
            repeats=plan.repeats,
            listeners=(tally, repetition, verdicts, *plan.collectors, *plan.listeners, *plan.progress),
        )
        search = plan.search or Once(plan.seeds)
        await campaign.run(search, total=len(plan.seeds))
    # What follows asks more, but adds no verdicts: the rates are those of the search.
    campaign.listeners = plan.progress
    noise = await _noise_floor(plan, campaign)
    findings = list(tally.findings.values())
    if plan.phases.confirm:
        await confirm(campaign, findings, plan.phases.confirm)
    if plan.phases.shrink:
        await shrink(campaign, findings, candidates=plan.phases.shrink, most=plan.phases.confirm)
    counts = {target.label: target.layer.counts for target in plan.targets}
    health = check(tally, repetition, noise, counts, identity=plan.identity.name, silence=plan.silence) + _stopped(
        campaign
    )
    report = {
        "run": _facts(plan, run_id, started, counts),
        "summary": tally.summary(noise),
        "findings": [_finding(finding, plan.name or run_id) for finding in findings],
        "health": health,
        "metrics": {collector.name: collector.metrics() for collector in plan.collectors},
    }
    return report, tally


async def _noise_floor(plan: Plan, campaign: Campaign) -> dict[tuple[str, str], float | None]:
    """Ask the identity relation of the first seeds of each task again and return its rate per system and task."""
    chosen: list[Seed] = []
    tasks: dict[str, int] = {}
    for seed in plan.seeds:
        tasks[seed.task] = tasks.get(seed.task, 0) + 1
        if tasks[seed.task] <= plan.phases.noise_floor:
            chosen.append(replace(seed, relations=(plan.identity,)))
    floor = Tally()
    if chosen and campaign.stopped is None:
        campaign.listeners = (floor, *plan.progress)
        await campaign.run(Once(chosen), phase="noise floor", total=len(chosen))
        campaign.listeners = plan.progress
    rows = [(target.label, task, plan.identity.name) for target in plan.targets for task in tasks]
    return {row[:2]: floor.rate(row) if row in floor.outcomes else None for row in rows}


class _VerdictFile:
    """A listener that writes every verdict as one line of JSON."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._file: IO[str] | None = None

    def __enter__(self) -> _VerdictFile:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._file = (self._folder / "verdicts.jsonl").open("w", encoding="utf-8")
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def __call__(self, event: Event) -> None:
        if self._file is not None and isinstance(event, VerdictReached):
            # ASCII escapes keep lone surrogates of hostile data writable.
            self._file.write(json.dumps(verdict_record(event)) + "\n")


def _facts(plan: Plan, run_id: str, started: float, counts: Mapping[str, Counts]) -> dict[str, Any]:
    layers = [*counts.values()] + ([plan.helper_layer.counts] if plan.helper_layer else [])
    oldest = min((c.oldest for c in layers if c.oldest is not None), default=None)
    return {
        "id": run_id,
        "seed": plan.seed,
        "config": dict(plan.config),
        "versions": {"mutatis": importlib.metadata.version("mutatis"), "python": platform.python_version()},
        "started": _timestamp(started),
        "finished": _timestamp(time.time()),
        "queries": {
            "logical": sum(c.logical for c in layers),
            "paid": sum(c.paid for c in layers),
            "errors": sum(c.errors for c in layers),
            "stored": sum(c.stored for c in layers),
            "oldest": None if oldest is None else _timestamp(oldest),
        },
        "tokens": {
            "prompt": sum(c.prompt_tokens for c in layers),
            "completion": sum(c.completion_tokens for c in layers),
        },
    }


def _timestamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _finding(finding: Finding, run_name: str) -> dict[str, Any]:
    judgement, identity = finding.verdict.judgement, finding.identity
    return {
        "id": identity.finding,
        "system": identity.system,
        "task": identity.task,
        "relation": identity.relation,
        "variant": list(identity.variant),
        "count": finding.count,
        "outcome": judgement.outcome.value,
        "confirmed": finding.confirmed,
        "undecided": judgement.undecided,
        "score": judgement.score,
        "thresholds": dict(judgement.thresholds),
        "measure": judgement.measure,
        "reason": judgement.reason,
        "reference": list(finding.group.reference),
        **finding_record(finding.group, judgement.worst),
        "shrunk": None if finding.shrunk is None else follow_up_record(finding.shrunk),
        "replay": f"mutatis replay {run_name} {identity.finding}",
    }


def _stopped(campaign: Campaign) -> list[dict[str, Any]]:
    if campaign.stopped is None:
        return []
    return [
        {
            "name": "budget",
            "subject": "run",
            "message": f"the run is not complete: {campaign.stopped}",
            "remedy": "repeat the command with a larger budget; what was answered is not asked again",
            "silence": "this warning cannot be silenced",
        }
    ]
