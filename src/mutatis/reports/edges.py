"""Shows the input values at which a system's replies change, on the terminal, in Markdown and in HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from mutatis.records.report import EdgeRecord, EdgesRecord, Report
from mutatis.reports.numbers import line
from mutatis.reports.tables import plain_table
from mutatis.reports.widths import cut_to

if TYPE_CHECKING:
    from rich.console import Console

EDGE_COLUMNS = ("question", "value", "changes between", "reply to the smaller", "reply to the larger", "price")
TITLE = "where answers change along a value"
SHORTENED = 70
"""Maximum number of characters of a question or reply in the table, which shows where replies change."""

FEWEST_STEPS = 3
"""Minimum number of steps of a price in succession that share a table row."""

_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")

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

    If the price changes evenly with the value, return a single row that says so. If it changes at several values in
    succession, there is one row for all of these steps.
    """
    question = [_short(record.question), line(record.value)]
    if not record.edges:
        return [[*question, "", "", "", "changes evenly with the value"]]
    rows = []
    for steps in _successions(record):
        first, last = steps[0], steps[-1]
        between = f"{line(first.low)} and {line(last.high)}"
        notes = filter(None, (_price(record, first.low), f"changes in {len(steps)} steps" if len(steps) > 1 else ""))
        rows.append([*question, between, _short(first.below), _short(last.above), ", ".join(notes)])
    return rows


def _successions(record: EdgesRecord) -> Iterator[list[EdgeRecord]]:
    """Yield the edges one by one, except that several steps of a price in succession are yielded together."""
    steps: list[EdgeRecord] = []
    for edge in record.edges:
        goes_on = steps and steps[-1].high == edge.low and _is_step(edge) and not _turns(record, edge.low)
        if not goes_on or _turns(record, steps[0].low):
            yield from _together(steps)
            steps = []
        steps.append(edge)
    yield from _together(steps)


def _together(steps: list[EdgeRecord]) -> list[list[EdgeRecord]]:
    return [steps] if len(steps) >= FEWEST_STEPS and _is_step(steps[0]) else [[step] for step in steps]


def _is_step(edge: EdgeRecord) -> bool:
    """Return True if two replies differ only in their numbers."""
    return _NUMBERS.sub("", edge.below) == _NUMBERS.sub("", edge.above)


def _turns(record: EdgesRecord, value: str) -> bool:
    """Return True if the price turns at a value from rising to falling, or the reverse."""
    return bool(record.turn) and record.turn[1] == value  # the middle one of three values


def _price(record: EdgesRecord, low: str) -> str:
    """Return a note on how a price changes with a value, or "" if there is nothing to say.

    The note says that the price turns at this value from rising to falling or the reverse, or else that it moves in the
    direction that the user or the replies stated.
    """
    if _turns(record, low):
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
