"""Prints a run's tables on the terminal: the rates per relation, and the metrics of recipes.

Narrow terminals get narrower tables. All text passes through `line`, so that text from a model cannot control the
terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mutatis.records.report import Report, SummaryRow
from mutatis.reports.metrics import MetricTable, metric_tables
from mutatis.reports.notes import notes
from mutatis.reports.numbers import interval_text, line, number, percent, soundness_text
from mutatis.reports.rates import (
    by_system_and_task,
    draws_notes,
    folded,
    not_judged,
    out_of_ten,
    rate_notes,
    rate_text,
    unfolded,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

WIDEST = 48
"""Maximum width of a relation's name in a wide table. Longer names are wrapped."""

LEAST_WIDE = 110
"""Minimum width of a console for the wide table, so that tables do not switch between both forms."""


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
    longest = max((len(line(row.relation)) for row in unfolded(report.summary, every=every)[0]), default=0)
    for title, rows in by_system_and_task(report.summary).items():
        _print_block(title, rows, out, longest, every=every)
    for text in draws_notes(report):
        out.print(text, soft_wrap=not out.is_terminal)
    if report.distributions:  # their table comes next
        out.print()


def _print_block(title: str, rows: Sequence[SummaryRow], out: Console, longest: int, *, every: bool) -> None:
    """Print the results of one system on one task."""
    if not any(row.judged for row in rows):  # the reason is more useful than a table of zeros
        unfit = "no relation applies to the inputs: " if all(row.applies_to_nothing for row in rows) else ""
        out.print(f"{title}: nothing could be judged: {unfit}{not_judged(rows) or 'no verdict'}\n", soft_wrap=True)
        return
    in_table, summarised = unfolded(rows, every=every)
    if in_table:
        out.print(_fitting_table(in_table, title, out, longest))
    else:
        out.print(title, style="bold")
    for text in (*folded(summarised, len(rows)), *rate_notes(rows)):
        out.print(text, style="dim", soft_wrap=not out.is_terminal)
    out.print()


def _fitting_table(rows: Sequence[SummaryRow], title: str, out: Console, longest: int) -> Table:
    """Return the wide table if it fits without cutting off cells, or else the narrow one.

    A cut-off cell would be misleading: "9/10" would become "9/".
    """
    table = summary_table(rows, title, wide=True, longest=longest)
    widest = max(len(line(row.relation)) for row in rows)
    wrapped = max(widest - min(longest, WIDEST), 0)  # the longest name may be wrapped, which saves these columns
    unlimited = out.options.update(max_width=10_000)
    needed = out.measure(table, options=unlimited).maximum - wrapped
    fits = needed <= out.width and out.width >= LEAST_WIDE
    return table if fits else summary_table(rows, title, wide=False, longest=longest)


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

    noise_floor = next((percent(row.noise_floor) for row in rows if row.noise_floor is not None), "")
    heading = Text(title, style="bold")
    heading.append(f"  noise {noise_floor}" if noise_floor and not wide else "", "not bold dim")
    table = plain_table(heading)
    table.add_column("relation", overflow="fold", min_width=min(longest, WIDEST if wide else 25))
    columns, cells_of_rows = columns_and_cells(rows, wide=wide)
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    for row, cells in zip(rows, cells_of_rows, strict=True):
        table.add_row(Text(line(row.relation)), *map(Text, cells), style=_style(row))
    return table


def _style(row: SummaryRow) -> str:
    """Return the style of a row: dim if nothing was judged, red if it has violations that are not all flaky or noise.

    If too few pairs were judged, violations cannot count as noise.
    """
    if not row.judged:
        return "dim"
    is_noise = row.within_noise and not row.too_few
    return "red" if row.violated and not row.only_flaky and not is_noise else ""


def columns_and_cells(rows: Sequence[SummaryRow], *, wide: bool = True) -> tuple[list[str], list[list[str]]]:
    """Return the columns after the relation that are not empty in all rows, and the cells of each row in them."""
    cells_of_rows = [_cells_by_column(row, wide=wide) for row in rows]
    columns = [name for name in cells_of_rows[0] if any(cells[name] for cells in cells_of_rows)]
    return columns, [[cells[name] for name in columns] for cells in cells_of_rows]


def _cells_by_column(row: SummaryRow, *, wide: bool) -> dict[str, str]:
    """Return a row's cells by column, with "" for columns that do not apply to it."""
    invalid = row.otherwise_invalid
    cells = {"violated": f"{row.violated:,}/{row.judged:,}", "rate": rate_text(row)}
    cells["interval"] = interval_text(row.interval)
    if wide:
        cells["noise"] = "" if row.noise_floor is None else percent(row.noise_floor)
    cells |= {"findings": number(row.findings), "flaky": _count(row.flaky), "open": _count(row.open)}
    if not wide:
        return cells | {"inv/err": f"{invalid}/{row.error}" if invalid or row.error else ""}
    cells |= {"invalid": _count(invalid), "errors": _count(row.error), "sound": soundness_text(row)}
    return cells | {"real": out_of_ten(row).replace(" of ", "/")}


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
    by_column = list(zip(metric.columns, *metric.rows, strict=True))
    needed = sum(3 + max(map(len, column)) for column in by_column)  # three characters between columns
    if needed <= width or len(metric.rows) >= len(metric.columns):
        return metric.columns, list(metric.rows)
    return by_column[0], by_column[1:]


def _count(value: int) -> str:
    return number(value) if value else ""
