"""Shows where the replies of a run change along the values of questions, for terminal, Markdown and page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mutatis.records.report import EdgesRecord, Report
from mutatis.reports.numbers import line
from mutatis.reports.widths import cut_to

if TYPE_CHECKING:
    from rich.console import Console

EDGE_COLUMNS = ("question", "value", "changes between", "reply to the smaller", "reply to the larger", "price")
TITLE = "where answers change along a value"
SHORTENED = 70
"""Maximum number of characters of a question or reply in the table."""


def edge_systems(report: Report) -> list[tuple[str, list[list[str]]]]:
    """Return the name and the table rows of each system with such changes."""
    systems = dict.fromkeys(record.system for record in report.edges)
    return [
        (system, [row for record in report.edges if record.system == system for row in edge_cells(record)])
        for system in systems
    ]


def edge_cells(record: EdgesRecord) -> list[list[str]]:
    """Return a row for each edge along a value, or one row without edges if the price changes evenly with it."""
    lead = [_short(record.question), line(record.value)]
    if not record.edges:
        return [[*lead, "", "", "", "changes evenly with the value"]]
    return [
        [
            *lead,
            f"{line(edge.low)} and {line(edge.high)}",
            _short(edge.below),
            _short(edge.above),
            _price(record, edge.low),
        ]
        for edge in record.edges
    ]


def _price(record: EdgesRecord, low: str) -> str:
    """Return a note on the price if its trend reverses after a value, or if its direction is stated."""
    if record.turn and record.turn[1] == low:
        return f"turns at {line(low)}" + (f", should go {line(record.direction)}" if record.direction else "")
    return f"goes {line(record.direction)}, as stated" if record.direction else ""


def _short(text: str) -> str:
    return cut_to(line(text), SHORTENED, "...")


def print_edges(report: Report, out: Console) -> None:
    """Print where each system's answers change along the values of questions."""
    from rich import box
    from rich.table import Table

    for system, rows in edge_systems(report):
        table = Table(
            title=f"{TITLE}: {line(system)}", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False,
            collapse_padding=True,
        )  # fmt: skip
        for name in EDGE_COLUMNS:
            table.add_column(name, overflow="fold")
        for row in rows:
            table.add_row(*row)
        out.print(table)
        out.print()
