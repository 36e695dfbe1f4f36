"""Displays a run in a notebook: the summary, the health warnings, and the most informative findings.

The HTML sets no styles except spacing, so it matches the notebook in both dark and light themes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from mutatis.records.report import FindingRecord, Report, SummaryRow
from mutatis.reports.drawing import page_template, template_text
from mutatis.reports.notes import notes
from mutatis.reports.numbers import soundness_text
from mutatis.reports.passing import accepted_endpoints
from mutatis.reports.plain import finding_text
from mutatis.reports.ranking import capabilities_of, spread
from mutatis.reports.rates import by_system_and_task, draws_notes, folded_in_brief, out_of_ten, unfolded
from mutatis.reports.tables import COLUMNS, cells
from mutatis.reports.view import finding_view

TOP = 3
"""Maximum number of findings shown."""


def run_html(report: Report, folder: str = "") -> str:
    """Return a run's summary (worst rows first), its first findings and its health notes as HTML.

    Rows without findings are summarised in one line.
    """
    from mutatis.reports.terminal import closing_lines

    if not report.summary:
        return "<p>Nothing was judged: the run has no verdict.</p>"
    parts = []
    for title, rows in by_system_and_task(report.summary).items():
        with_findings, others = unfolded(rows)
        parts.append(f"<p><b>{escape(title)}</b></p>")
        parts += [_table(with_findings)] if with_findings else []
        if others:
            summary = folded_in_brief(others, len(rows))
            parts.append(f"<details><summary>{escape(summary)}</summary>{_table(others)}</details>")
    totals, queries, *_ = closing_lines(report)
    closing = [*draws_notes(report), totals, queries, *accepted_endpoints(report).values()]
    parts += [f"<p>{escape(text)}</p>" for text in closing]
    for finding in spread(report.findings, TOP, capabilities_of(report)):
        style = "border-left: 3px solid #d2691e; padding: 2px 10px; margin: 8px 0; white-space: pre-wrap"
        parts.append(f'<pre style="{style}">{escape(finding_text(finding, folder))}</pre>')
    parts += [f"<p>note {escape(note.text)}</p>" for note in notes(report.health)]
    return f"<div>{''.join(parts)}</div>"


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """A finding that displays itself side by side with its source in a notebook, and as text elsewhere."""

    finding: FindingRecord
    folder: str = ""

    def __repr__(self) -> str:
        return finding_text(self.finding, self.folder)

    def _repr_html_(self) -> str:
        """Return the finding in an isolated frame, so that its styles do not leak out and no code in it can run."""
        page = page_template("shown.html.j2").render(
            finding=finding_view(self.finding), css=template_text("report.css")
        )
        return f'<iframe srcdoc="{escape(page)}" sandbox="" style="width: 100%; height: 26em; border: 0"></iframe>'


def _table(rows: Sequence[SummaryRow]) -> str:
    head = "".join(f"<th>{name}</th>" for name in (*COLUMNS, "sound", "real"))
    body = ""
    for row in rows:
        row_cells = (*cells(row), soundness_text(row), out_of_ten(row))
        body += f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row_cells)}</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def in_notebook() -> bool:
    """Return True if this code runs in a Jupyter kernel.

    The presence of `ipykernel` is not enough, because other programs import it too.
    """
    shell = sys.modules.get("IPython")
    return "ipykernel" in sys.modules and shell is not None and shell.get_ipython() is not None
