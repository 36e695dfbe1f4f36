"""Writes the summary and the findings as CSV for spreadsheets.

Any cell that a spreadsheet would run as a formula gets a leading apostrophe.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mutatis.records.files import write_text
from mutatis.records.report import Report
from mutatis.reports.marking import visible
from mutatis.reports.numbers import line
from mutatis.reports.pairs import Column
from mutatis.reports.view import finding_view

_FORMULA = ("=", "+", "-", "@", "\t", "\r")

SUMMARY = (
    "system", "task", "relation", "satisfied", "violated", "invalid", "open", "error", "flaky", "undecided",
    "unchanged", "rate", "low", "high", "distinct", "noise_floor", "read", "sound",
    "people_read", "people_sound", "expected_precision",
)  # fmt: skip
FINDINGS = (
    "id", "system", "task", "relation", "source", "turn", "count", "state", "judged", "reason", "source_input",
    "source_answer", "follow_up", "steps", "follow_up_input", "follow_up_answer", "replay", "cause",
)  # fmt: skip


def write_csv(report: Report, path: Path) -> tuple[Path, Path]:
    """Write the summary to `path` and the findings to `NAME-findings.csv` next to it, and return both paths."""
    beside = path.with_name(f"{path.stem}-findings{path.suffix}")
    summary = write_text(path, csv_lines(SUMMARY, summary_rows(report)))
    return summary, write_text(beside, csv_lines(FINDINGS, findings_rows(report)))


def summary_rows(report: Report) -> list[list[Any]]:
    """Return the values of each summary row, in the order of SUMMARY."""
    rows = []
    for row in report.summary:
        low, high = row.interval or (None, None)
        values = dict(row) | {"low": low, "high": high}
        for who, read in (("", row.soundness), ("people_", row.people)):
            values |= {f"{who}read": read and read.read, f"{who}sound": read and read.sound}
        rows.append([values[name] for name in SUMMARY])
    return rows


def findings_rows(report: Report) -> Iterator[list[Any]]:
    """Yield a CSV row for each follow-up of each finding, with columns in the order of FINDINGS and full texts."""
    for finding in report.all_findings:
        view = finding_view(finding, full=True)
        names = (finding.id, finding.system, finding.task, finding.relation, finding.source.case.id)
        head = [*map(line, names), finding.source.turn + 1, finding.count, finding.mark or "not tried again"]
        head += [view.judged, visible(finding.why)]
        tail = [line(finding.replay or ""), line(finding.cause)]
        for pair in view.pairs:
            new = pair.follow_up
            yield [*head, *_input_and_answer(pair.source), new.title, new.steps, *_input_and_answer(new), *tail]


def _input_and_answer(side: Column) -> tuple[str, str]:
    """Return what was asked on one side of a finding, and the answer, or why there is none."""
    return "\n".join(field.text for field in side.fields), side.answer.text or side.answer.note


def lines_of(texts: Mapping[str, str]) -> str:
    """Return named texts as the content of a cell, one per line with its name. A single text gets no name."""
    if len(texts) == 1:
        return visible(*texts.values())
    return "\n".join(f"{visible(name)}: {visible(text)}" for name, text in texts.items())


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield rows as CSV text, line by line. Formulas in strings are neutralised, and None becomes an empty cell."""
    for row in itertools.chain([columns], rows):
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow([neutral(cell) if isinstance(cell, str) else "" if cell is None else cell for cell in row])
        yield stream.getvalue()


def neutral(text: str) -> str:
    """Return text that spreadsheets do not execute, with a leading apostrophe added if it could start a formula.

    >>> neutral("=1+1"), neutral("plain"), neutral("  @x")
    ("'=1+1", 'plain', "'  @x")
    """
    shown = visible(text)
    return "'" + shown if shown.lstrip().startswith(_FORMULA) or text.startswith(_FORMULA) else shown
