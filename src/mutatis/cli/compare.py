"""`mutatis compare RUN RUN`: findings that come and go, and rates side by side."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mutatis.analysis.comparison import RunComparison, worst_outcomes
from mutatis.analysis.comparison import compare as compare_reports
from mutatis.analysis.paired import source_counts
from mutatis.core.errors import UsageError
from mutatis.records.files import VERDICTS_FILE, read_report, read_verdicts, write_text
from mutatis.records.jsontext import dump
from mutatis.records.labels import labelled, read_labels
from mutatis.records.runs import RUN_HELP, find_run
from mutatis.reports.comparison import comparison_data, comparison_html
from mutatis.reports.markdown import as_before, change_cells, elsewhere, render_comparison
from mutatis.reports.numbers import line
from mutatis.reports.terminal import console, print_findings

if TYPE_CHECKING:
    from rich.console import Console


class Form(StrEnum):
    """The forms a comparison can take."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    HTML = "html"


def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help=f"The earlier run. {RUN_HELP}")],
    new: Annotated[str, typer.Argument(metavar="NEW", help=f"The later run. {RUN_HELP}")],
    every: Annotated[bool, typer.Option("--all", help="List relations that tell the same in both runs, too.")] = False,
    top: Annotated[int, typer.Option(min=0, help="Most findings listed of each kind.")] = 10,
    format: Annotated[Form, typer.Option("--format", help="How it is told.")] = Form.TEXT,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write; default the terminal.")] = None,
    fail_on_new: Annotated[
        bool, typer.Option("--fail-on-new", help="Exit code 1 where NEW has findings that OLD lacks.")
    ] = False,
) -> None:
    """Compare two runs: rates side by side, findings that came, went and stayed."""
    result = _compared(old, new)
    text = _told(result, format, top, every)
    if output is not None:
        typer.echo(str(write_text(output, text)))
    elif format is Form.TEXT:
        print_comparison(result, console(), top=top, every=every)
    else:
        typer.echo(text, nl=False)
    if fail_on_new and result.new:
        typer.echo(f"mutatis: {len(result.new)} new findings (FLAKY ones left out)", err=True)
        raise typer.Exit(1)


def _compared(old: str, new: str) -> RunComparison:
    folders = find_run(old), find_run(new)
    if folders[0].resolve() == folders[1].resolve():
        raise UsageError(f"{old} and {new} are the same run; give two")
    labels = {name: label for folder in folders for name, label in read_labels(folder).items()}  # the later run's win
    before, after = (labelled(read_report(folder), labels) for folder in folders)
    told = [(folder / VERDICTS_FILE).is_file() for folder in folders]
    counts = [source_counts(read_verdicts(folder)) for folder in folders] if all(told) else None
    return compare_reports(
        before,
        after,
        old_outcomes=worst_outcomes(read_verdicts(folders[0]), after.all_findings) if told[0] else None,
        new_outcomes=worst_outcomes(read_verdicts(folders[1]), before.all_findings) if told[1] else None,
        counts=None if counts is None else (counts[0], counts[1]),
    )


def _told(result: RunComparison, form: Form, top: int, every: bool) -> str:
    if form is Form.JSON:
        return dump(comparison_data(result)) + "\n"
    if form is Form.MARKDOWN:
        return render_comparison(result, top=top, every=every)
    if form is Form.HTML:
        return comparison_html(result, top=top, every=every)
    import io

    out = io.StringIO()
    print_comparison(result, console(width=120, file=out), top=top, every=every)
    return out.getvalue()


def print_comparison(result: RunComparison, out: Console, *, top: int, every: bool = False) -> None:
    """Print a comparison: what changed first, what did not summed up unless `every` row is wanted."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if result.old_system is not None:
        out.print(f"old: {line(result.old_system)}   new: {line(result.new_system)}")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("relation", overflow="fold", min_width=20)
    for name in ("old", "new", "change", "95 %", "sources", "worse/better", "p"):
        table.add_column(name, justify="right", no_wrap=True)
    heading = ""
    listed, rest = result.told(every=every)
    for row in listed:
        system, task, *cells = map(line, change_cells(row))
        where = " on ".join(part for part in (system, task) if part)
        if where != heading:
            table.add_row(Text(where, style="bold"))
            heading = where
        table.add_row(*map(Text, cells), style="bold" if row.differs else "")
    if listed:
        out.print(table)
    if rest:
        out.print(as_before(rest))
    for name, changes in (("came", result.came), ("gone", result.gone)):
        out.print(f"{name}: {len(changes):,} findings{elsewhere(changes, name)}")
        print_findings([change.finding for change in changes], out, top=top)
    out.print(f"common: {len(result.common):,} findings in both runs")
