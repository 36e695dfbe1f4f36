"""A run as a notebook shows it: the summary, the health warnings, and the findings that tell most.

Small HTML without styles of its own beyond spacing, so that it looks like the notebook around it, dark or light.
"""

from __future__ import annotations

import sys
from html import escape

from mutatis.records.report import Report, SummaryRow
from mutatis.reports.numbers import interval_text, line, percent
from mutatis.reports.passing import accepted
from mutatis.reports.plain import finding_text
from mutatis.reports.rates import rate_text, worst_first
from mutatis.reports.terminal import closing_lines
from mutatis.reports.view import health_text, spread

TOP = 3
"""Findings that are shown."""

COLUMNS = ("system", "task", "relation", "violated", "rate", "95 %", "noise", "findings", "invalid", "errors")


def run_html(report: Report, folder: str = "") -> str:
    """Return the summary, worst first, the health warnings and the first findings as HTML."""
    rows = worst_first(report.summary)
    if not rows:
        return "<p>Nothing was judged: no relation applied to any case.</p>"
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(row))}</tr>" for row in rows)
    parts = [f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"]
    parts += [f"<p>{escape(text)}</p>" for text in [*closing_lines(report)[:2], *accepted(report).values()]]
    for check in report.health:
        name, what, remedy = health_text(check)
        told = f"{what} ({remedy})" if remedy else what
        parts.append(f"<p>\N{WARNING SIGN} <b>{escape(name)}</b> {escape(told)}</p>")
    for finding in spread(report.findings, TOP):
        style = "border-left: 3px solid #d2691e; padding: 2px 10px; margin: 8px 0; white-space: pre-wrap"
        parts.append(f'<pre style="{style}">{escape(finding_text(finding, folder))}</pre>')
    return f"<div>{''.join(parts)}</div>"


def _cells(row: SummaryRow) -> list[str]:
    counts = [f"{count:,}" if count else "" for count in (row.distinct, row.invalid, row.error)]
    names = [line(row.system), line(row.task), line(row.relation)]
    judged = f"{row.violated:,}/{row.judged:,}"
    return [*names, judged, rate_text(row), interval_text(row.interval), percent(row.noise_floor), *counts]


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this; that its package is loaded says nothing, since others import it, too."""
    shell = sys.modules.get("IPython")
    return "ipykernel" in sys.modules and shell is not None and shell.get_ipython() is not None
