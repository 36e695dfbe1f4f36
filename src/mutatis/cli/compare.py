"""`mutatis compare RUN RUN`: findings that come and go, and rates side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mutatis.analysis.comparison import FindingChange, Outcomes, RowChange, RunComparison, worst_outcomes
from mutatis.analysis.comparison import compare as compare_reports
from mutatis.cli.runs import find_run
from mutatis.core.errors import UsageError
from mutatis.records import FindingRecord
from mutatis.records.files import VERDICTS_FILE, read_report, read_verdicts
from mutatis.reports.numbers import interval_text, line, percent
from mutatis.reports.terminal import console, print_findings

if TYPE_CHECKING:
    from rich.console import Console

RUN_HELP = "An --out folder, a store file, a run id, or latest."


def compare(
    old: Annotated[str, typer.Argument(metavar="RUN", help=f"The earlier run. {RUN_HELP}")],
    new: Annotated[str, typer.Argument(metavar="RUN", help=f"The later run. {RUN_HELP}")],
    top: Annotated[int, typer.Option(min=0, help="Most findings listed of each kind.")] = 10,
) -> None:
    """Compare two runs: rates side by side, findings that came, went and stayed."""
    folders = find_run(old), find_run(new)
    if folders[0].resolve() == folders[1].resolve():
        raise UsageError(f"{old} and {new} are the same run; give two")
    before, after = read_report(folders[0]), read_report(folders[1])
    result = compare_reports(
        before,
        after,
        old_outcomes=_outcomes(folders[0], after.findings),
        new_outcomes=_outcomes(folders[1], before.findings),
    )
    print_comparison(result, console(), top=top)


def _outcomes(folder: Path, findings: Sequence[FindingRecord]) -> Outcomes | None:
    """Return what the run of this folder says of the other run's findings; None where it kept no verdicts."""
    return worst_outcomes(read_verdicts(folder), findings) if (folder / VERDICTS_FILE).is_file() else None


def print_comparison(result: RunComparison, out: Console, *, top: int) -> None:
    """Print a comparison."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if result.old_system is not None:
        out.print(f"old: {line(result.old_system)}   new: {line(result.new_system)}")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("relation", overflow="fold", min_width=20)
    for name in ("old", "interval", "new", "interval", "change"):
        table.add_column(name, justify="right", no_wrap=True)
    heading = ""
    for row in result.rows:
        where = " on ".join(part for part in (line(row.system), line(row.task)) if part)
        if where != heading:
            table.add_row(Text(where, style="bold"))
            heading = where
        table.add_row(*map(Text, _cells(row)), style="bold" if row.apart else "")
    out.print(table)
    for name, changes in (("came", result.came), ("gone", result.gone)):
        out.print(_heading(name, changes))
        print_findings([change.finding for change in changes], out, top=top)
    out.print(f"common: {len(result.common):,} findings in both runs")


def _cells(row: RowChange) -> list[str]:
    cells = [line(row.relation)]
    for side in (row.old, row.new):
        cells += ["not run", ""] if side is None else [percent(side.rate), interval_text(side.interval)]
    old, new = (None if side is None else side.rate for side in (row.old, row.new))
    if old is None or new is None:
        return [*cells, ""]
    return [*cells, f"{100 * (new - old):+.1f}" + (" *" if row.apart else "")]


def _heading(name: str, changes: Sequence[FindingChange]) -> str:
    where = {"came": "in the old run", "gone": "in the new run"}[name]
    counts = Counter(change.elsewhere for change in changes)
    known = ", ".join(f"{count:,} {outcome}" for outcome, count in counts.most_common() if outcome != "unknown")
    return f"{name}: {len(changes):,} findings" + (f" ({where}: {known})" if known else "")
