"""`mutatis.run`: a campaign from Python, and what it returns.

Async inside, one thin synchronous wrapper at the edge: `run` must not be called from a running event loop, where
`await run_async(...)` does the same.
"""

from __future__ import annotations

import asyncio
import inspect
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mutatis.assembly import (
    NO_CHANGE,
    assemble,
    check_distinct,
    check_sources,
    judges,
    judges_of_relations,
    select,
)
from mutatis.campaign.events import Listener
from mutatis.campaign.judging import Judges
from mutatis.campaign.observe import Target
from mutatis.campaign.session import Campaign, conduct
from mutatis.config import Config, JudgeSection
from mutatis.core.cases import Case
from mutatis.core.errors import MutatisError, UsageError, unknown_name
from mutatis.core.measure import Judge
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Search, Source
from mutatis.core.system import Helper, System
from mutatis.core.task import TASKS
from mutatis.datasets import DATASETS
from mutatis.query import QueryLayer, Spending, Store
from mutatis.records import FindingRecord, Report, SummaryRow, write_report
from mutatis.reports.forms import write
from mutatis.reports.gate import Gate, untested, violations
from mutatis.reports.html import write_html
from mutatis.reports.junit import write_junit
from mutatis.reports.terminal import console, print_summary
from mutatis.search import Once
from mutatis.systems import SYSTEMS


class GateFailed(MutatisError, AssertionError):
    """More violations than the gate allows, or too little judged; a failed assertion where a test framework sees it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished campaign: its report, as `report.json` holds it, and the folder it was written to (or None)."""

    report: Report
    folder: Path | None = None

    @property
    def summary(self) -> list[SummaryRow]:
        """One row per system, task and relation."""
        return self.report.summary

    @property
    def findings(self) -> list[FindingRecord]:
        """Distinct violations."""
        return self.report.findings

    @property
    def metrics(self) -> dict[str, Any]:
        """The numbers of recipes and sweeps, by their names."""
        return self.report.metrics

    def table(self) -> str:
        """Return the summary as a plain text table."""
        out = io.StringIO()
        print_summary(self.report.to_json(), console(width=120, file=out))
        return out.getvalue()

    def check(
        self,
        max_rate: float | None = 0.0,
        max_findings: int | None = None,
        *,
        max_errors: float = 0.1,
        min_judged: int | None = None,
    ) -> None:
        """Raise GateFailed where more is violated than allowed, and where too little could be judged to tell.

        Args:
            max_rate: highest violation rate of a row of the summary, the relation no-change excepted; None: any.
            max_findings: most distinct findings.
            max_errors: highest share of ERROR among the verdicts of a system on a task.
            min_judged: least verdicts of a row that are satisfied or violated.
        """
        gate = Gate(max_rate=max_rate, max_findings=max_findings, max_errors=max_errors, min_judged=min_judged)
        failed = untested(self.report.to_json(), gate) or violations(self.report.to_json(), gate)
        if failed:
            raise GateFailed("; ".join(failed))


async def run_campaign(campaign: Campaign, *, folder: Path | None, run_id: str = "", name: str = "") -> Run:
    """Run an assembled campaign, close its connections and write the report files into `folder`."""
    try:
        finished = await conduct(campaign, folder=folder, run_id=run_id, name=name)
    finally:
        await campaign.close()
    if folder is not None:
        write_files(finished, folder)
    return Run(report=finished, folder=folder)


def write_files(report: Report, folder: Path) -> None:
    """Write `report.json`, `report.html` and `junit.xml`."""
    write_report(report, folder / "report.json")
    write_html(report.to_json(), folder / "report.html")
    write_junit(report.to_json(), folder / "junit.xml")


async def run_async(  # noqa: PLR0913 - the one wide call of the library; the design allows it 14
    system: System | Sequence[System],
    cases: Iterable[Case],
    relations: Iterable[str | MetamorphicRelation],
    *,
    task: str = "question-answering",
    helper: Helper | None = None,
    judge: str | Judge | None = None,
    search: Search | None = None,
    store: Path | str | None = None,
    seed: int = 0,
    repeats: int = 1,
    confirm: int = 20,
    budget: int | None = None,
    out: Path | str | None = None,
    on_event: Listener | None = None,
) -> Run:
    """Run a campaign inside a running event loop; see `run`."""
    systems = list(system) if isinstance(system, Sequence) else [system]
    for one in systems:
        if not hasattr(one, "ask") and not hasattr(one, "session"):
            given = "a function" if callable(one) else repr(one)
            raise UsageError(f'{given} is no system; make one, for example: mutatis.system("function", target=answer)')
    if isinstance(relations, str):
        raise UsageError(f"relations is the text {relations!r}; expected a list, for example: [{relations!r}]")
    check_distinct("system", [one.label for one in systems])
    tasks = {TASKS.resolve(task): TASKS[task]}
    chosen = _relations(relations, task, helper is not None)
    name = TASKS.resolve(task)
    sources = [Source(case=case if case.task else replace(case, task=name), relations=chosen) for case in cases]
    check_sources(sources)
    spending = Spending(budget)
    folder = None if out is None else Path(out)
    with Store(store) as answers:
        layers = [QueryLayer(one, answers, spending=spending) for one in systems]
        campaign = Campaign(
            targets=[Target(label=layer.system.label, layer=layer, tasks=tasks) for layer in layers],
            sources=sources,
            judges=_judges(judge, chosen, TASKS[task].kind, helper),
            no_change=RELATIONS[NO_CHANGE],
            helper=helper,
            search=Once(sources) if search is None else search,
            seed=seed,
            repeats=repeats,
            confirm=confirm,
            shrink=16 if confirm else 0,
            listeners=() if on_event is None else (on_event,),
        )
        finished = await conduct(campaign, folder=folder, name="" if folder is None else str(folder))
    if folder is not None:
        write_files(finished, folder)
    return Run(report=finished, folder=folder)


def run(
    system: System | Sequence[System],
    cases: Iterable[Case],
    relations: Iterable[str | MetamorphicRelation],
    **options: Any,
) -> Run:
    """Test systems on cases with relations and return the run.

    Args:
        system: one system or several; see `mutatis.systems`.
        cases: source cases, for example from `mutatis.read_cases("squad2", path)`.
        relations: names, published ids, `tag:NAME`, or relation objects.
        **options: `task` (default question-answering), `helper`, `judge` (a measure's name or a `Judge`), `search`,
            `store` (file of answers; default in memory), `seed`, `repeats`, `confirm`, `budget` (queries), `out`
            (folder for the report files), `on_event`.

    Raises:
        UsageError: something does not fit together, or an event loop is running already; nothing was asked.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        raise UsageError("an event loop is running already (a notebook?); use: await mutatis.run_async(...)")
    known = [name for name, one in inspect.signature(run_async).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in options:
        if name in ("max_rate", "max_findings"):
            raise UsageError(f"{name} is no option of mutatis.run; the gate comes afterwards: run.check({name}=...)")
        if name not in known:
            raise unknown_name("option of mutatis.run", name, known)

    async def inside() -> Run:
        try:
            return await run_async(system, cases, relations, **options)
        finally:  # connections end with this event loop; a system opens others when it is used again
            for one in system if isinstance(system, Sequence) else [system]:
                if closing := getattr(one, "close", None):
                    await closing()

    return asyncio.run(inside())


def run_config(config: Config, *, store: Path | str | None = None, out: Path | str | None = None) -> Run:
    """Run a configuration (see `mutatis.config`) and return the run."""

    async def inside() -> Run:
        with Store(store) as answers:
            return await run_campaign(assemble(config, answers), folder=None if out is None else Path(out))

    return asyncio.run(inside())


def _relations(
    relations: Iterable[str | MetamorphicRelation], task: str, has_helper: bool
) -> tuple[MetamorphicRelation, ...]:
    notes: list[str] = []
    chosen: dict[str, MetamorphicRelation] = {}
    for relation in relations:
        found = select([relation], task, has_helper, notes) if isinstance(relation, str) else [relation]
        chosen.update({one.name: one for one in found})
    if not chosen:
        raise UsageError("no relations to check" + (f": {'; '.join(notes)}" if notes else ""))
    return tuple(chosen.values())


def _judges(
    judge: str | Judge | None, relations: Sequence[MetamorphicRelation], kind: str, helper: Helper | None
) -> Judges:
    section = JudgeSection(measure=judge) if isinstance(judge, str) else JudgeSection()
    by_kind = judges(section, [], [] if isinstance(judge, Judge) and kind == "text" else [kind])
    if isinstance(judge, Judge):
        by_kind["text"] = judge
    return Judges(by_kind=by_kind, by_measure=judges_of_relations(relations, helper))


def report(run: Run, path: Path | str) -> Path:
    """Write a run's report; the ending of `path` chooses the form: .html, .json, .xml (JUnit) or .csv.

    Raises:
        UsageError: another ending.
    """
    return write(run.report.to_json(), Path(path))


def read_cases(data_format: str, path: Path | str, **options: Any) -> list[Case]:
    """Return the cases of a file in a public format; options as in `[data]` (`limit`, `name`, ...)."""
    return list(DATASETS[data_format].read(Path(path), options))


def system(kind: str, /, **options: Any) -> System:
    """Return a system under test of a registered type; options as in `[system]`."""
    return SYSTEMS[kind](**options)
