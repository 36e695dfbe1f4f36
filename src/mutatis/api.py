"""`mutatis.run`: a campaign from Python, and what it returns.

Async inside, one thin synchronous wrapper at the edge: `run` must not be called from a running event loop, where
`await run_async(...)` does the same.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import io
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from mutatis.analysis.newness import marked
from mutatis.assembly import Given, assemble
from mutatis.assembly.search import Searching
from mutatis.campaign.events import Listener
from mutatis.campaign.session import Campaign, conduct
from mutatis.config import Config, check
from mutatis.core.cases import Case
from mutatis.core.errors import MutatisError, UsageError, unknown_name
from mutatis.core.measure import Judge
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.system import Helper, System
from mutatis.core.transformation import NO_CHANGE
from mutatis.datasets import read
from mutatis.datasets.objects import cases as cases
from mutatis.datasets.objects import is_message
from mutatis.loops import is_running, to_the_end
from mutatis.options import check as check_options
from mutatis.query import Store
from mutatis.records import FindingRecord, Report, SummaryRow, write_report
from mutatis.records.baseline import read_baseline
from mutatis.reports.forms import write
from mutatis.reports.gate import Gate
from mutatis.reports.html import write_html
from mutatis.reports.junit import write_junit
from mutatis.reports.notebook import in_notebook, run_html
from mutatis.reports.passing import IN_PYTHON, accepted, passing
from mutatis.reports.plain import finding_text
from mutatis.reports.terminal import console, print_health, print_summary
from mutatis.reports.view import spread
from mutatis.systems import SYSTEMS

if TYPE_CHECKING:
    from mutatis.reports.frames import Kind

TASK = "question-answering"
"""The task of records and cases that name none."""

log = logging.getLogger("mutatis")

TOLD = 3
"""Findings that a failed check tells."""


class GateFailed(MutatisError, AssertionError):
    """More violations than the gate allows, or too little judged; a failed assertion where a test framework sees it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished campaign: its report, as `report.json` holds it, and the folder it was written to (or None).

    `baseline` is the run, or the file of known findings, that `check` compares with where it is told nothing else, and
    `max_age` the age of stored answers that it accepts.
    """

    report: Report
    folder: Path | None = None
    baseline: Path | str | None = None
    max_age: str | None = None

    @property
    def summary(self) -> list[SummaryRow]:
        """One row per system, task and relation."""
        return self.report.summary

    @property
    def findings(self) -> Sequence[FindingRecord]:
        """Distinct violations; those of a large run are read from its folder one at a time."""
        return self.report.all_findings

    @property
    def metrics(self) -> dict[str, Any]:
        """The numbers of recipes and sweeps, by their names."""
        return self.report.metrics

    def table(self) -> str:
        """Return the summary as a plain text table; where nothing could be judged, why."""
        out = io.StringIO()
        plain = console(width=120, file=out)
        print_summary(self.report, plain)
        if not any(row.judged for row in self.summary):
            print_health(self.report, plain)
        for text in accepted(self.report).values():
            plain.print(text, soft_wrap=True)
        return out.getvalue()

    def frame(self, kind: Kind = "summary") -> Any:
        """Return the summary, the findings or the verdicts as a pandas frame; verdicts need a run with `out`."""
        from mutatis.reports.frames import frame

        return frame(kind, self.report, self.folder)

    def plot(self) -> Any:
        """Return the violation rates as a matplotlib figure, worst on top; a notebook draws it."""
        from mutatis.reports.figures import draw_summary

        return draw_summary(self.report)

    def save(self, path: Path | str) -> Path:
        """Write the report; the ending chooses the form: .html, .json, .xml (JUnit), .csv, .md or .parquet."""
        return report(self, path)

    def __repr__(self) -> str:
        violated, judged = sum(row.violated for row in self.summary), sum(row.judged for row in self.summary)
        where = "" if self.folder is None else f", folder={str(self.folder)!r}"
        errors = sum(row.error for row in self.summary)
        failed = f", {errors} {'error' if errors == 1 else 'errors'}" if errors else ""
        return f"Run({violated} of {judged} verdicts violated, {len(self.findings)} findings{failed}{where})"

    def _repr_html_(self) -> str:
        return run_html(self.report, "" if self.folder is None else str(self.folder))

    def check(
        self,
        max_rate: float | None = 0.0,
        max_findings: int | None = None,
        *,
        max_errors: float = 0.1,
        min_judged: int | None = None,
        baseline: Path | str | None = None,
        max_age: str | None = None,
    ) -> None:
        """Raise GateFailed where more is violated than allowed, and where too little could be judged to tell.

        An endpoint that was asked nothing, since all its answers were stored, was not tested.

        Args:
            max_rate: highest violation rate of a row of the summary, the relation no-change excepted; None: any.
            max_findings: most distinct findings.
            max_errors: highest share of ERROR among the verdicts of a system on a task.
            min_judged: least verdicts of a row that are satisfied or violated.
            baseline: a run, or a file of known findings: the findings that it lacks fail, FLAKY ones excepted. With
                it a `max_rate` of 0 says nothing, for what is known is violated.
            max_age: how old the newest answer of an endpoint may be that was asked nothing, such as "12h".

        Raises:
            GateFailed: the run does not pass.
            UsageError: a limit that cannot be, or no such baseline.
        """
        __tracebackhide__ = True  # what fails in a test is the test
        given = self.baseline if baseline is None else baseline
        known = None if given is None else str(given)
        limits = {
            "max_rate": max_rate if known is None else max_rate or None,
            "max_findings": max_findings,
            "max_errors": max_errors,
            "min_judged": min_judged,
            "baseline": known,
            "max_age": self.max_age if max_age is None else max_age,
        }
        gate = check_options(Gate, limits, "Run.check")
        report = self.report if known is None else marked(self.report, read_baseline(known))
        if failed := passing(report, gate, IN_PYTHON).reasons:
            error = GateFailed("; ".join(failed))
            error.add_note(self._first(report))
            raise error

    def _first(self, report: Report) -> str:
        """Return the findings that a reader wants to see first, the new ones where there is a baseline."""
        new = [finding for finding in report.all_findings if finding.new]
        found = [finding for finding in new or report.findings if finding.relation != NO_CHANGE]
        shown = spread(found, TOLD)
        texts = ["", *(finding_text(finding, str(self.folder or "")) + "\n" for finding in shown)]
        if self.folder is not None:
            told = f"{len(shown)} of {len(found)} findings; " * bool(found)
            texts.append(f"{told}report: {self.folder / 'report.html'}")
        return "\n".join(texts)


async def run_campaign(campaign: Campaign, *, folder: Path | None, run_id: str = "", name: str = "") -> Run:
    """Run an assembled campaign, close its connections and write the report files into `folder`."""
    try:
        finished = await conduct(campaign, folder=folder, run_id=run_id, name=name)
    except asyncio.CancelledError:  # Ctrl-C: what is on the wire is paid for, so it is waited for; again ends at once
        waiting = sum(layer.on_the_wire for layer in campaign.layers)
        log.warning("interrupted: waiting for %d answers on the wire; nothing is lost; again: stop at once", waiting)
        kept = sum([await layer.drain() for layer in campaign.layers])
        log.warning(
            "interrupted; %d answers that were on the wire are kept; run it again to go on: what was answered is not "
            "asked again",
            kept,
        )
        raise
    finally:
        await campaign.close()
    if folder is not None:
        write_files(finished, folder)
    return Run(report=finished, folder=folder)


def write_files(report: Report, folder: Path) -> None:
    """Write `report.json`, `report.html` and `junit.xml`."""
    write_report(report, folder / "report.json")
    write_html(report, folder / "report.html")
    write_junit(report, folder / "junit.xml")


async def run_async(  # noqa: PLR0913 - the one wide call of the library: the names of a configuration
    system: Any,
    cases: Any,
    relations: Iterable[str | MetamorphicRelation] | None = None,
    *,
    task: str | None = None,
    recipe: str | Sequence[str] = (),
    helper: Helper | None = None,
    judge: str | Judge | None = None,
    search: str | Mapping[str, Any] | Searching | None = None,
    context: Mapping[str, Any] | None = None,
    store: Path | str | None = None,
    out: Path | str | None = None,
    seed: int = 0,
    repeats: int = 1,
    noise_floor: int = 100,
    confirm: int = 20,
    budget: int | None = None,
    offline: bool = False,
    fresh: bool = False,
    engine: str = "local",
    workers: int | None = None,
    on_event: Listener | None = None,
) -> Run:
    """Run a campaign inside a running event loop; see `run`."""
    if isinstance(relations, str):
        raise UsageError(f"relations is the text {relations!r}; expected a list, for example: [{relations!r}]")
    if on_event is not None and not callable(on_event):
        raise UsageError(f"on_event is {on_event!r}; expected a function that takes an event")
    tables: dict[str, Any] = {
        **{"recipe": [recipe] if isinstance(recipe, str) else list(recipe), "context": dict(context or {})},
        **{"seed": seed, "repeats": repeats, "noise_floor": noise_floor, "confirm": confirm, "max_queries": budget},
        **{"engine": engine, "workers": workers},
    }
    if isinstance(judge, str):
        tables["judge"] = {"measure": judge}
    if isinstance(search, str | Mapping):
        tables["search"] = {"type": search} if isinstance(search, str) else dict(search)
    given = Given(
        systems=list(system) if isinstance(system, list | tuple) else [system],
        cases=_listed(cases, task),
        task=task or TASK,
        relations=list(relations or ()),
        helper=helper,
        judge=None if isinstance(judge, str) else judge,
        search=None if isinstance(search, str | Mapping) else search,
    )
    config = check(tables, objects=("systems", "data"))
    folder = None if out is None else Path(out)
    with Store(store) as answers:
        campaign = assemble(config, answers, given, offline=offline, fresh=fresh)
        campaign.listeners = () if on_event is None else (on_event,)
        # Connections stay: the caller may ask the systems again.
        # No name: a command cannot ask again what only this program can make.
        finished = await conduct(campaign, folder=folder)
    if folder is not None:
        write_files(finished, folder)
    return Run(report=finished, folder=folder)


def _listed(given: Any, task: str | None) -> list[Case]:
    listed = isinstance(given, list | tuple)
    if listed and all(isinstance(one, Case) for one in given):
        return list(given)
    return cases(given, task=task if listed and all(map(is_message, given)) else task or TASK)


_OTHERWISE = {
    **dict.fromkeys(
        ("fields", "name", "limit"),
        "it is one of mutatis.cases: mutatis.run(system, mutatis.cases(data, task=..., fields=...))",
    ),
    "max_queries": "the budget is given by budget=...",
    "data": "the data come second: mutatis.run(system, data)",
}
"""Options that other calls and the configuration have: what to write instead."""

P = ParamSpec("P")


def _synchronous(asynchronous: Callable[P, Coroutine[Any, Any, Run]]) -> Callable[P, Run]:
    """Return the call that runs a coroutine function to its end, under the same signature."""
    names = inspect.signature(asynchronous).parameters

    @functools.wraps(asynchronous)
    def call(*args: P.args, **options: P.kwargs) -> Run:
        missing = [name for name in ("system", "cases")[len(args) :] if name not in options]
        if missing:
            raise UsageError(f"mutatis.run needs {' and '.join(missing)}; for example: mutatis.run(my_bot, my_texts)")
        for name in options:  # a misspelt name is told like any other mistake, with the nearest valid one
            if name in ("max_rate", "max_findings"):
                raise UsageError(
                    f"{name} is no option of mutatis.run; the gate comes afterwards: run.check({name}=...)"
                )
            if name in _OTHERWISE:
                raise UsageError(f"{name} is no option of mutatis.run; {_OTHERWISE[name]}")
            if name not in names:
                raise unknown_name("option of mutatis.run", name, names)
        if is_running() and not in_notebook():  # a notebook's own loop waits for the cell anyway
            raise UsageError("an event loop is running already; use: await mutatis.run_async(...)")
        return to_the_end(_closing(asynchronous(*args, **options), args[0] if args else options.get("system")))

    return call


async def _closing(running: Coroutine[Any, Any, Run], systems: Any) -> Run:
    """Close the systems' connections in the end: they die with the event loop; a system opens others when asked."""
    try:
        return await running
    finally:
        for one in systems if isinstance(systems, list | tuple) else [systems]:
            if closing := getattr(one, "close", None):
                await closing()


run = _synchronous(run_async)
run.__name__ = run.__qualname__ = "run"
run.__doc__ = """Test systems on cases with relations and return the run.

    Args:
        system: one system or a list of them (see `mutatis.system`), a plain function from text to answer, a fitted
            scikit-learn estimator, or a transformers pipeline.
        cases: source cases, for example from `mutatis.read_cases("squad2", path)`, or whatever `mutatis.cases` takes:
            texts, dictionaries, a frame, a data set.
        relations: names, published ids, `tag:NAME`, or relation objects; by default those of `recipe`,
            else the default sets of the task (`robustness`, `wording`, `logic`, ...).
        task: the task of cases that name none; by default texts and lists of texts are messages and dialogues of task
            "chat", everything else is question-answering.
        recipe: published methods: their relations, settings and numbers (`Run.metrics`).
        helper: the language model that makes follow-ups or judges, where a relation needs one.
        judge: how free-text answers are compared: a measure's name, or a `Judge`.
        search: what is tried: a name, a table as in `[search]`, or an object with `ask` and `tell`.
        context: options of the equivalent-context check, as in `[context]`.
        store: file of answers; in memory by default.
        out: folder for the report files.
        seed: of every random choice.
        repeats: answers taken of every input.
        noise_floor: source cases per task that are asked again unchanged.
        confirm: findings per relation that are asked again; 0 neither confirms nor shrinks.
        budget: questions of the run at most, stored answers included.
        offline: ask nothing; a missing answer is an error.
        fresh: ask anew what is stored.
        engine: "local", or "ray": systems work in processes of their own, on this machine or on a cluster.
        workers: processes of each system with Ray.
        on_event: is told of every event of the search.

    Raises:
        UsageError: something does not fit together, or an event loop is running already (but a notebook's);
            nothing was asked.
    """


def run_config(config: Config, *, store: Path | str | None = None, out: Path | str | None = None) -> Run:
    """Run a configuration (see `mutatis.config`) and return the run."""
    folder = None if out is None else Path(out)

    async def inside() -> Run:
        with Store(store) as answers:
            return await run_campaign(
                assemble(config, answers), folder=folder, name="" if folder is None else str(folder)
            )

    return asyncio.run(inside())


def report(run: Run, path: Path | str) -> Path:
    """Write a run's report; the ending of `path` chooses the form: .html, .json, .xml (JUnit), .csv, .md or .parquet.

    Raises:
        UsageError: another ending.
    """
    return write(run.report, Path(path))


def read_cases(data_format: str, path: Path | str, **options: Any) -> list[Case]:
    """Return the cases of a file in a public format; options as in `[data]` (`limit`, `name`, ...)."""
    return read(data_format, path, **options)


def system(kind: str, /, **options: Any) -> System:
    """Return a system under test of a registered type; options as in `[system]`."""
    return SYSTEMS[kind](**options)
