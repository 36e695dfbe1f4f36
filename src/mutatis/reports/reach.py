"""What was tried on the questions of a run, in words and as a table, for terminal, Markdown and page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mutatis.records.report import ReachOfChange, ReachRecord, Report
from mutatis.reports.numbers import counted, line

if TYPE_CHECKING:
    from rich.console import Console

COLUMNS = ("change", "questions tried", "fell", "held", "open", "not applicable", "why not")

LIMIT, VALUE = "limit", "value"


def reach_cells(kind: ReachOfChange) -> list[str]:
    """Return the cells of a kind of change; a count of nought is left out."""
    why = next(iter(kind.reasons), "")
    counts = (kind.fell, kind.held, kind.open, kind.not_applicable)
    return [kind.change, f"{kind.tried:,}", *(f"{count:,}" if count else "" for count in counts), line(why)]


def sentence(reach: ReachRecord) -> str:
    """Return in one sentence what could not be tried, and on how many questions.

    >>> kinds = [{"change": "value", "held": 9, "not_applicable": 16}, {"change": "limit", "not_applicable": 25}]
    >>> sentence(ReachRecord(system="bot", questions=25, kinds=kinds, untried=["list"]))
    'of 25 questions, value was tried on 9; limit on none; this run has no change of list'
    """
    parts: list[str] = []
    for kind in reach.kinds:
        if kind.not_applicable and kind.tried < reach.questions:
            parts.append(
                f"{kind.change} {'was tried ' if not parts else ''}on {f'{kind.tried:,}' if kind.tried else 'none'}"
            )
    parts += [f"this run has no change of {', '.join(reach.untried)}"] if reach.untried else []
    return f"of {counted(reach.questions, 'question')}, {'; '.join(parts)}" if parts else ""


def print_reach(report: Report, out: Console) -> None:
    """Print the table of each system: which kinds of change were tried on how many questions, and what came of it."""
    from rich import box
    from rich.table import Table

    for reach in report.reach:
        if not reach.kinds:
            continue
        table = Table(
            title=f"what was tried on {line(reach.system)}", title_justify="left", box=box.SIMPLE_HEAD,
            pad_edge=False, collapse_padding=True,
        )  # fmt: skip
        for name in COLUMNS:
            text = name in ("change", "why not")
            table.add_column(name, justify="left" if text else "right", overflow="ellipsis", no_wrap=name == "why not")
        for kind in reach.kinds:
            table.add_row(*reach_cells(kind))
        out.print(table)
        if told := sentence(reach):
            out.print(told, style="dim", soft_wrap=not out.is_terminal)
        out.print()
