"""Shows the input values at which a system's replies change, on the terminal, in Markdown and in HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from mutatis.records.report import EdgesRecord, Report
from mutatis.reports.numbers import line
from mutatis.reports.tables import plain_table
from mutatis.reports.widths import cut_to

if TYPE_CHECKING:
    from rich.console import Console

EDGE_COLUMNS = ("question", "value", "changes between", "reply to the smaller", "reply to the larger", "price")
TITLE = "where answers change along a value"
SHORTENED = 70
"""Maximum number of characters of a question or reply in the table, which shows where replies change."""

Cells: TypeAlias = list[str]
"""The cells of one table row, in the order of EDGE_COLUMNS."""


def edge_tables(report: Report) -> dict[str, list[Cells]]:
    """Return a table for each system whose replies change with a value in the question."""
    tables: dict[str, list[Cells]] = {}
    for record in report.edges:
        tables.setdefault(record.system, []).extend(edge_rows(record))
    return tables


def edge_rows(record: EdgesRecord) -> list[Cells]:
    """Return a table row for each value at which the reply changes.

    If the price changes evenly with the value, return a single row that says so.
    """
    question = [_short(record.question), line(record.value)]
    if not record.edges:
        return [[*question, "", "", "", "changes evenly with the value"]]
    return [
        [
            *question,
            f"{line(edge.low)} and {line(edge.high)}",
            _short(edge.below),
            _short(edge.above),
            _price(record, edge.low),
        ]
        for edge in record.edges
    ]


def _price(record: EdgesRecord, low: str) -> str:
    """Return a note on how a price changes with a value, or "" if there is nothing to say.

    The note says that the price turns at this value from rising to falling or the reverse, or else that it moves in the
    direction that the user or the replies stated.
    """
    if record.turn and record.turn[1] == low:  # the middle one of three values
        return f"turns at {line(low)}" + (f", should go {line(record.direction)}" if record.direction else "")
    return f"goes {line(record.direction)}, as stated" if record.direction else ""


def _short(text: str) -> str:
    return cut_to(line(text), SHORTENED, "...")


def print_edges(report: Report, out: Console) -> None:
    """Print the values in questions at which each system's answers change."""
    for system, rows in edge_tables(report).items():
        table = plain_table(f"{TITLE}: {line(system)}")
        for name in EDGE_COLUMNS:
            table.add_column(name, overflow="fold")
        for row in rows:
            table.add_row(*row)
        out.print(table)
        out.print()
