"""`mutatis show RUN [FINDING]`: the findings of a run, or one of them side by side."""

from __future__ import annotations

import shlex
from pathlib import Path

from mutatis.cli.finding import find_finding, run_with
from mutatis.cli.forms import TOP
from mutatis.core.errors import UsageError
from mutatis.records import read_report
from mutatis.records.labels import labelled, read_labels
from mutatis.records.runs import LATEST, find_run
from mutatis.reports.terminal import (
    closing_lines,
    console,
    print_finding,
    print_findings,
    print_health,
    print_metrics,
    print_summary,
)


def show(run: str, finding: str | None, full: bool, every: bool, metrics: bool) -> None:
    """Do what `commands.show` says, and print it."""
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
