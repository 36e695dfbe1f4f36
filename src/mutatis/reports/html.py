"""The report as ONE self-contained page: no network, readable without JavaScript, hostile text inert.

Jinja2 escapes everything; texts have passed `view`; and the page's own policy runs no script but ours. Knows the
records of a report only.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from mutatis.records.files import write_text
from mutatis.records.report import Report, RunRecord, SummaryRow
from mutatis.reports.marking import visible
from mutatis.reports.metrics import MetricTable, families_of, metric_tables
from mutatis.reports.view import (
    FindingView,
    finding_view,
    health_text,
    interval_text,
    line,
    number,
    percent,
    spread,
)

MOST_FINDINGS = 500
"""Findings on the page; the rest is counted on it and stays in `report.json`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One summary row as a cell of the matrix; positions are percentages of the track."""

    rate: str
    share: float
    counts: str
    interval: str
    low: float
    high: float
    floor: float | None
    floor_text: str
    notes: tuple[str, ...]
    within_noise: bool
    judged: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Systems x relations of one task."""

    task: str
    systems: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]


def write_html(report: Report, path: Path, *, most: int = MOST_FINDINGS) -> Path:
    """Write the page to `path`; return the path."""
    return write_text(path, render_html(report, most=most))


def render_html(report: Report, *, most: int = MOST_FINDINGS) -> str:
    """Return the page with at most `most` findings, taken in turn from every system, task and relation."""
    every, run = report.all_findings, report.run
    shown = spread(report.findings if most <= len(report.findings) else every, most)
    return str(
        _template("report.html.j2").render(
            run=_run_facts(run),
            run_id=line(run.id),
            config=visible(json.dumps(run.config, indent=2, ensure_ascii=False)),
            tiles=_tiles(report),
            matrices=matrices(report.summary),
            health=[health_text(check) for check in report.health],
            tables=[_numeric(table) for table in metric_tables(report.metrics)],
            figures=_figures(report.metrics),
            findings=[finding_view(finding) for finding in shown],
            total=len(every),
            systems=_names(finding.system for finding in shown),
            tasks=_names(finding.task for finding in shown),
            relations=_names(finding.relation for finding in shown),
            css=_template_text("report.css"),
            **_script("report.js"),
        )
    )


def render_sheet(kind: str, columns: Sequence[str], rows: Sequence[Sequence[str]], label: str) -> str:
    """Return a labelling sheet as one page; `label` is the column that raters fill in."""
    hidden = ("number", "item", label, "comment")
    order = {"earlier": 1, "input": 2, "answer": 3}  # both sides of a pair on one line
    shown = [name for name in columns if name not in hidden]
    shown.sort(key=lambda name: 0 if name in _BEFORE else order.get(name.rpartition("_")[2], 4))
    return str(
        _template("sheet.html.j2").render(
            kind=kind,
            rows=[dict(zip(columns, row, strict=True)) for row in rows],
            shown=shown,
            left=("first", "source"),
            right=("second", "follow_up"),
            label=label,
            css=_template_text("report.css"),
            **_script("sheet.js"),
        )
    )


_BEFORE = ("task", "should_hold", "relation", "expectation", "material")


def _script(name: str) -> dict[str, str]:
    """Return a script with the hash that the page's policy admits it by."""
    script = _template_text(name)
    return {"script": script, "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}


@cache
def _template(name: str) -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["number"] = number
    environment.filters["search"] = _search_text
    return environment.from_string(_template_text(name))


def _template_text(name: str) -> str:
    return (files("mutatis.reports") / "templates" / name).read_text(encoding="utf-8")


def matrices(summary: Sequence[SummaryRow]) -> list[Matrix]:
    """Return one matrix per task, in the order of the summary."""
    tasks: dict[str, list[SummaryRow]] = {}
    for row in summary:
        tasks.setdefault(line(row.task), []).append(row)
    found = []
    for task, rows in tasks.items():
        systems = tuple(dict.fromkeys(line(row.system) for row in rows))
        cells = {(line(row.relation), line(row.system)): _matrix_cell(row) for row in rows}
        relations = dict.fromkeys(line(row.relation) for row in rows)
        body = tuple((relation, tuple(cells.get((relation, system)) for system in systems)) for relation in relations)
        found.append(Matrix(task=task, systems=systems, rows=body))
    return found


def _matrix_cell(row: SummaryRow) -> Cell:
    floor = row.noise_floor
    low, high = row.interval or (0.0, 0.0)
    counts = (
        (row.distinct, "finding", "findings"),
        (row.flaky, "FLAKY", "FLAKY"),
        (row.undecided, "undecided", "undecided"),
        (row.invalid, "invalid", "invalid"),
        (row.unchanged, "of these unchanged", "of these unchanged"),
        (row.error, "error", "errors"),
    )
    return Cell(
        rate=percent(row.rate),
        share=round(row.rate or 0.0, 4),
        counts=f"{number(row.violated)} of {number(row.judged)}",
        interval=interval_text(row.interval),
        low=round(100 * low, 2),
        high=round(100 * high, 2),
        floor=None if floor is None else round(100 * floor, 2),
        floor_text="" if floor is None else percent(floor),
        notes=tuple(f"{number(count)} {name if count == 1 else plural}" for count, name, plural in counts if count),
        within_noise=bool(row.violated) and floor is not None and low <= floor,
        judged=bool(row.judged),
    )


def _names(names: Iterable[str]) -> list[str]:
    return sorted({line(name) for name in names})


def _search_text(view: FindingView) -> str:
    return " ".join((view.id, view.source, view.reason)).casefold()


def _run_facts(run: RunRecord) -> list[tuple[str, str]]:
    facts = [("run", line(run.id)), ("seed", line(run.seed))]
    facts += [("started", line(run.started))] if run.started else []
    took = _duration(run.started, run.finished)
    facts += [("took", took)] if took else []
    facts += [(line(name), line(version)) for name, version in run.versions.items()]
    return facts


def _duration(started: str, finished: str) -> str:
    try:
        seconds = (datetime.fromisoformat(finished) - datetime.fromisoformat(started)).total_seconds()
    except (ValueError, TypeError):
        return ""
    minutes, seconds = divmod(max(0.0, seconds), 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds:.0f} s" if minutes else f"{seconds:.1f} s"


def _tiles(report: Report) -> list[tuple[str, str, str]]:
    rows, run = report.summary, report.run
    flaky = sum(row.flaky for row in rows)
    invalid, errors = sum(row.invalid for row in rows), sum(row.error for row in rows)
    queries, tokens = run.queries, run.tokens
    asked = f"of {number(queries.logical)} asked, {number(queries.stored)} from the store"
    if queries.oldest and queries.oldest[:10] < run.started[:10]:
        asked += f", the oldest of {line(queries.oldest)[:10]}"
    return [
        ("violated", number(sum(row.violated for row in rows)), f"of {number(sum(row.judged for row in rows))} judged"),
        ("findings", number(len(report.all_findings)), f"{number(flaky)} FLAKY" if flaky else "distinct"),
        ("not judged", number(invalid + errors), f"{number(invalid)} invalid, {number(errors)} errors"),
        ("queries paid", number(queries.paid), asked),
        (
            "tokens",
            number(tokens.prompt + tokens.completion),
            f"{number(tokens.prompt)} prompt, {number(tokens.completion)} completion",
        ),
    ]


def _numeric(table: MetricTable) -> dict[str, Any]:
    """Return the table with the columns that hold numbers, which are set flush right."""
    right = [
        all(row[index][:1].isdigit() or row[index] in ("", "-") or row[index][:1] == "-" for row in table.rows)
        for index in range(len(table.columns))
    ]
    return {"title": table.title, "columns": table.columns, "rows": table.rows, "note": table.note, "right": right}


def _figures(metrics: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (what it shows, data address) of each family plot; as images, so that nothing in them can act."""
    families = families_of(metrics)
    if not families:
        return []
    from mutatis.reports.figures import family_svg

    found = []
    for family in families:
        image = base64.b64encode(family_svg(family).encode("utf-8")).decode()
        title = f"{line(family.get('name', 'family'))} on {line(family.get('task', '?'))}"
        found.append((title, f"data:image/svg+xml;base64,{image}"))
    return found
