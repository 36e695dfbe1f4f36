"""`mutatis show RUN [FINDING]`: the findings of a run, or one of them side by side."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from mutatis.cli.finding import find_finding, run_with
from mutatis.core.errors import UsageError
from mutatis.records import read_report
from mutatis.records.labels import labelled, read_labels
from mutatis.records.runs import LATEST, RUN_HELP, find_run
from mutatis.reports.terminal import (
    closing_lines,
    console,
    print_finding,
    print_findings,
    print_health,
    print_metrics,
    print_summary,
)

TOP = 200
"""Findings that are listed, in turn from every row."""


def show(
    run: Annotated[str, typer.Argument(help=RUN_HELP)],
    finding: Annotated[str | None, typer.Argument(help="Short hash of a finding, or the beginning of one.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Show long texts whole.")] = False,
    every: Annotated[bool, typer.Option("--all", help=f"List all findings, not {TOP}.")] = False,
    metrics: Annotated[bool, typer.Option("--metrics", help="Print the metrics of recipes instead.")] = False,
) -> None:
    """List the findings of a run, or show one: source and follow-up side by side, and why it is a violation."""
    folder = _folder(run)
    report = labelled(read_report(folder), read_labels(folder))
    out = console()
    if finding is not None:
        print_finding(find_finding(report.all_findings, finding), out, full=full, rows=report.summary)
        return
    if metrics:
        print_metrics(report, out)
        return
    print_summary(report, out)
    print_health(report, out)
    if every:
        print_findings(report.all_findings, out, top=None)
    else:
        print_findings(report.findings, out, top=TOP, total=len(report.all_findings), run=run)
    for text in closing_lines(report, run=run):
        out.print(text, soft_wrap=True)


def _folder(run: str) -> Path:
    try:
        return find_run(run)
    except UsageError:
        if not (whose := run_with(run)):
            raise
        name = "the latest run" if whose == LATEST else f"the run {whose!r}"
        raise UsageError(f"{run!r} is a finding of {name}: mutatis show {shlex.quote(whose)} {run}") from None
