"""Prints a run's tables on the terminal: the rates per relation, and the metrics of recipes.

Narrow terminals get narrower tables. All text passes through `line`, so that text from a model cannot control the
terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mutatis.records.report import Report, SummaryRow
from mutatis.reports.expected import out_of_ten
from mutatis.reports.metrics import MetricTable, metric_tables
from mutatis.reports.notes import notes
from mutatis.reports.numbers import interval_text, line, number, percent, soundness_text
from mutatis.reports.rates import by_system_and_task, draws_notes, folded, not_judged, rate_notes, rate_text, unfolded

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

WIDEST = 48
"""Maximum width of a relation's name in a wide table. Longer names are wrapped."""


COLUMNS = ("relation", "violated", "rate", "95 %", "noise", "findings", "flaky", "open", "invalid", "errors")
"""Columns of the summary table in Markdown and notebooks."""


def cells(row: SummaryRow) -> list[str]:
    """Return the cells of a summary row in Markdown and notebooks. Counts of zero are left blank."""
    counts = map(_count, (row.findings, row.flaky, row.open, row.otherwise_invalid, row.error))
    rate = [rate_text(row), interval_text(row.interval), percent(row.noise_floor)]
    return [line(row.relation), f"{row.violated:,}/{row.judged:,}", *rate, *counts]


def print_summary(report: Report, out: Console, *, every: bool = False) -> None:
    """Print a table row for each system, task and relation, worst first.

    Notes needed to interpret the table come first. Narrow consoles only get the essential columns. Rows without
    findings are summarised in one line unless `every` is set.
    """
    from rich.text import Text

    for note in notes(report.health):
        if note.first:
            out.print(Text.assemble(("note ", "yellow"), note.text), soft_wrap=not out.is_terminal)
    if not report.summary:
        out.print("Nothing was judged: the run has no verdict.")
        return
    shown = [row for row in report.summary if row.distinct or (every and (row.judged or row.error))]
    longest = max((len(line(row.relation)) for row in shown), default=0)
    for title, rows in by_system_and_task(report.summary).items():
        _print_block(title, rows, out, longest, every=every)
    for text in draws_notes(report):
        out.print(text, soft_wrap=not out.is_terminal)
    if report.distributions:
        out.print()


def _print_block(title: str, rows: Sequence[SummaryRow], out: Console, longest: int, *, every: bool) -> None:
    """Print the results of one system on one task."""
    if not any(row.judged for row in rows):  # a table of noughts says less than why, which the notes tell
        unfit = "no relation applies to the inputs: " if all(row.applies_to_nothing for row in rows) else ""
        out.print(f"{title}: nothing could be judged: {unfit}{not_judged(rows) or 'no verdict'}\n", soft_wrap=True)
        return
    listed, rest = unfolded(rows)
    if every:
        listed, rest = [row for row in rows if row.judged or row.error], [row for row in rows if not row.judged]
        rest = [row for row in rest if not row.error]
    if listed:
        out.print(_fitting_table(listed, title, out, longest))
    else:
        out.print(title, style="bold")
    for text in (*folded(rest, len(rows)), *rate_notes(rows)):
        out.print(text, style="dim", soft_wrap=not out.is_terminal)
    out.print()


def _fitting_table(rows: Sequence[SummaryRow], title: str, out: Console, longest: int) -> Table:
    """Return the wide table if it fits without cutting off cells, or else the narrow one.

    A cut-off cell would be misleading: "9/10" would become "9/".
    """
    table = summary_table(rows, title, wide=True, longest=longest)
    widest = max(len(line(row.relation)) for row in rows)
    foldable = max(widest - min(longest, WIDEST), 0)  # characters of the first column that may go on its next line
    needed = out.measure(table, options=out.options.update(max_width=10_000)).maximum - foldable
    if needed <= out.width and out.width >= 110:
        return table
    return summary_table(rows, title, wide=False, longest=longest)


def plain_table(title: str | Text = "", *, collapse_padding: bool = True) -> Table:
    """Return an empty table with a line below its header and no other lines."""
    from rich import box
    from rich.table import Table

    return Table(
        title=title or None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=collapse_padding,
    )


def summary_table(rows: Sequence[SummaryRow], title: str, *, wide: bool, longest: int = 0) -> Table:
    """Return a table of summary rows.

    `longest` is the length of the longest relation name, used to align several tables. Columns that are empty in all
    rows are left out. The narrow table shows the noise floor in its title, because it is the same for all rows of a
    system and task.
    """
    from rich.text import Text

    floor = next((percent(row.noise_floor) for row in rows if row.noise_floor is not None), "")
    head = Text(title, style="bold")
    head.append(f"  noise {floor}" if floor and not wide else "", "not bold dim")
    table = plain_table(head)
    table.add_column("relation", overflow="fold", min_width=min(longest, WIDEST if wide else 25))
    told = [_cells_of(row, wide=wide) for row in rows]
    columns = [name for name in told[0] if any(texts[name] for texts in told)] if told else []
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    for row, texts in zip(rows, told, strict=True):
        violated = row.violated and not row.only_flaky and (row.too_few or not row.within_noise)
        style = "dim" if not row.judged else "red" if violated else ""
        table.add_row(Text(line(row.relation)), *(Text(texts[name]) for name in columns), style=style)
    return table


def _cells_of(row: SummaryRow, *, wide: bool) -> dict[str, str]:
    """Return a row's cells by column, with "" for columns that do not apply to it."""
    invalid = row.otherwise_invalid
    told = {"violated": f"{row.violated:,}/{row.judged:,}", "rate": rate_text(row)}
    told["interval"] = interval_text(row.interval)
    if not wide:
        told |= {"findings": number(row.findings), "flaky": _count(row.flaky), "open": _count(row.open)}
        return told | {"inv/err": f"{invalid}/{row.error}" if invalid or row.error else ""}
    told |= {"noise": "" if row.noise_floor is None else percent(row.noise_floor), "findings": number(row.findings)}
    told |= {"flaky": _count(row.flaky), "open": _count(row.open), "invalid": _count(invalid)}
    told |= {"errors": _count(row.error), "sound": soundness_text(row)}
    return told | {"real": out_of_ten(row).replace(" of ", "/")}


def print_metrics(report: Report, out: Console) -> None:
    """Print the metrics of a run's recipes as tables."""
    from rich.text import Text

    tables = metric_tables(report.metrics)
    if not tables:
        out.print("This run has no metrics: no recipe with numbers of its own was part of it.")
    for metric in tables:
        table = plain_table(Text(metric.title, style="bold"), collapse_padding=False)
        columns, rows = _fitted(metric, out.width)
        for position, name in enumerate(columns):
            table.add_column(Text(name), justify="right" if position else "left", overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        out.print(table)
        if metric.note:
            out.print(Text(metric.note, style="dim"))


def _fitted(metric: MetricTable, width: int) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return a table's columns and rows. A table that is too wide and has few rows is transposed."""
    lines = [metric.columns, *metric.rows]
    needed = sum(3 + max(map(len, column)) for column in zip(*lines, strict=True))
    if needed <= width or len(metric.rows) >= len(metric.columns):
        return metric.columns, list(metric.rows)
    turned = list(zip(*lines, strict=True))
    return turned[0], turned[1:]


def _count(value: int) -> str:
    return number(value) if value else ""
