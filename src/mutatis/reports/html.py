"""Writes the report as a single self-contained page that needs no network and is readable without JavaScript.

Hostile text is harmless: everything is escaped, and the page runs only our own script. The first findings are plain
HTML. All findings are also embedded as JSON, and the script displays them on request.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutatis.analysis.agreement import FalsePositives, precision
from mutatis.core.extras import is_installed
from mutatis.core.gathering import gathered
from mutatis.core.verdict import Row
from mutatis.records.files import write_text
from mutatis.records.labels import WORDS, Label
from mutatis.records.report import Report, row_of
from mutatis.reports.drawing import page_template, script_json, scripted
from mutatis.reports.figures import family_svg
from mutatis.reports.marking import visible
from mutatis.reports.metrics import families_of, family_title, metric_tables
from mutatis.reports.notes import notes
from mutatis.reports.numbers import counted, duration, line, seconds_between
from mutatis.reports.overview import blocks, overview_sentences
from mutatis.reports.ranking import Ranking, capabilities_of
from mutatis.reports.rates import draws_notes, helper_text, not_judged, queries_text, real_cell, spent_text
from mutatis.reports.reach import EDGE_COLUMNS, edge_tables, tried_systems
from mutatis.reports.view import FaultView, faults, finding_view, telling

MOST_FINDINGS = 10_000
"""Maximum number of findings on the page. The page states how many others are only in `report.json`."""

DRAWN, OPEN_DRAWN = 50, 100
"""Number of faults drawn at once, and maximum number of pairs shown that the judge left open."""

VARYING = 20
"""Maximum number of sources listed on the page, starting with those whose answers vary most."""

_CHOICES = ("system", "task", "capability", "relation")
"""Fields for filtering findings, in addition to their state and their words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """Data about the server, for a page that a server delivers.

    Attributes:
        token: a secret that must be sent back with every label.
        version: version of the displayed report; if the server has a different one, the page is out of date.
        live: whether the run is still in progress.
        several: whether the server has other runs.
    """

    token: str
    version: str
    live: bool
    several: bool


def write_html(
    report: Report, path: Path, *, most: int = MOST_FINDINGS, labels: Mapping[str, Label] | None = None
) -> Path:
    """Write the report as an HTML page to `path`, and return the path."""
    return write_text(path, render_html(report, most=most, labels=labels))


def render_runs(runs: Sequence[tuple[str, str, bool]]) -> str:
    """Return the page that lists runs by name and folder, and indicates which are in progress."""
    return str(page_template("runs.html.j2").render(runs=runs))


def render_html(
    report: Report,
    *,
    most: int = MOST_FINDINGS,
    labels: Mapping[str, Label] | None = None,
    served: Served | None = None,
) -> str:
    """Return the page with at most `most` findings, chosen evenly from all systems, tasks and relations.

    `labels` are people's labels of the findings. With `served`, the page sends new ones to its server.
    """
    labels = labels or {}
    findings = report.all_findings
    # If not all fit, rank only those in report.json: they come evenly from all rows, and need little memory.
    ranked = report.findings if most == MOST_FINDINGS and len(findings) > most else findings
    capabilities = capabilities_of(report)
    grouped = faults(Ranking(ranked, capabilities), most)
    rendered = [*map(str, map(page_template("finding.html.j2").module.fault, grouped))]
    index = [_entry(fault, capabilities, labels) for fault in grouped]
    live, open_groups = served is not None and served.live, _open_groups(report)
    families, has_plots = families_of(report.metrics), is_installed("plot")
    return str(
        page_template("report.html.j2").render(
            run_id=line(report.run.id),
            live=live,
            sentences=overview_sentences(report, live=live),
            cards=telling(grouped),
            blocks=blocks(report.summary),
            columns=_columns(report, precision(findings, labels) if labels else {}, open_groups),
            nothing=_nothing(report, live=live),
            pairs_open=sum(row.open for row in report.summary),
            open_shown=sum(len(group["pairs"]) for group in open_groups),
            open_groups=open_groups,
            varying=report.draws[:VARYING],
            draws=draws_notes(report),
            tried=tried_systems(report),
            edges=edge_tables(report),
            edge_columns=EDGE_COLUMNS,
            notes=notes(report.health),
            metrics=metric_tables(report.metrics),
            figures=[(family_title(family), family_svg(family)) for family in families if has_plots],
            lacks_plots=bool(families) and not has_plots,
            first=rendered[:DRAWN],  # drawn at once, and each chunk when it is reached
            faults=len(grouped),
            total=len(findings),
            shown=sum(len(fault.findings) for fault in grouped),
            examples=[finding_view(example) for example in report.examples],
            names={key: _names(name for entry in index for name in entry[key]) for key in _CHOICES},
            index=script_json(index),
            labels=script_json({line(name): _label(label) for name, label in labels.items()}),
            words=script_json(dict(WORDS)),
            served=served,
            chunks=[script_json(rendered[start : start + DRAWN]) for start in range(0, len(rendered), DRAWN)],
            facts=_run_facts(report),
            config=visible(json.dumps(report.run.config, indent=2, ensure_ascii=False)),
            **scripted("report.js"),
        )
    )


def _open_groups(report: Report) -> list[dict[str, Any]]:
    """Return the answer pairs that the judge left undecided, grouped by system, task and relation.

    Each group has an anchor on the page.
    """
    totals = {row_of(row): row.open for row in report.summary}
    rows = gathered(report.open[:OPEN_DRAWN], row_of)
    groups: list[dict[str, Any]] = []
    for row, pairs in rows.items():
        total = totals.get(row, len(pairs))
        groups.append(
            {"row": row, "pairs": [*map(finding_view, pairs)], "total": total, "anchor": f"open-{len(groups)}"}
        )
    return groups


def _columns(
    report: Report, labelled: Mapping[Row, FalsePositives], open_groups: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return which columns the tables of relations need, with links to the answer pairs left undecided."""
    rows = report.summary
    return {
        "sound": any(row.soundness or row.people or row.unread_in for row in rows),
        "real": any(real_cell(row, labelled.get(row_of(row)))[0] for row in rows),
        "labelled": labelled,
        "open": {group["row"]: group["anchor"] for group in open_groups},
        "any_open": any(row.open for row in rows),
    }


def _nothing(report: Report, *, live: bool) -> str:
    """Return the text for a page without findings. It must not sound like success if nothing was judged."""
    judged = sum(row.judged for row in report.summary)
    if not judged:
        return "Nothing is decided yet." if live else "Nothing was judged, so there are no findings."
    so_far = "No violation yet: the run goes on, with" if live else "No violations in"
    return f"{so_far} {counted(judged, 'verdict')}{' so far' if live else ''}."


def _entry(
    fault: FaultView, capabilities: Mapping[tuple[str, str], str], labels: Mapping[str, Label]
) -> dict[str, Any]:
    """Return the values of a fault that the script on the page uses for filtering and sorting."""
    first, records = fault.first, [finding.record for finding in fault.findings]
    source = line(first.record.source.case.id)
    words = [source, first.says, *(span.text for span in first.snippet), *first.answers, first.expected]
    words += [text for finding in records for text in (line(finding.id), line(finding.relation), visible(finding.why))]
    return {
        "ids": [line(finding.id) for finding in records],
        "system": [line(first.record.system)],
        "task": [line(first.record.task)],
        "relation": list(fault.relations),
        "capability": _names(capabilities.get((record.task, record.relation), "") for record in records),
        "state": _names(state for finding in records for state in finding.states),
        "label": _names(labels[finding.id].label for finding in records if finding.id in labels),
        "input": f"{source} {first.record.source.turn + 1:04d}",
        "size": first.changed,
        "words": " ".join(words).casefold(),
    }


def _label(label: Label) -> dict[str, str]:
    return {"label": label.label, "comment": visible(label.comment), "says": visible(label.says)}


def render_sheet(kind: str, columns: Sequence[str], rows: Sequence[Sequence[str]], label: str) -> str:
    """Return a labelling sheet as an HTML page. `label` is the name of the column that raters fill in."""
    hidden = ("number", "item", label, "comment")
    about_both_sides = ("task", "should_hold", "relation", "expectation", "material")
    # The same part of both sides is on one line: "first_input" and "second_input".
    order = {"earlier": 1, "input": 2, "answer": 3}
    shown = [name for name in columns if name not in hidden]
    shown.sort(key=lambda name: 0 if name in about_both_sides else order.get(name.rpartition("_")[2], 4))
    return str(
        page_template("sheet.html.j2").render(
            kind=kind,
            rows=[dict(zip(columns, row, strict=True)) for row in rows],
            shown=shown,
            left=("first", "source"),
            right=("second", "follow_up"),
            label=label,
            **scripted("sheet.js"),
        )
    )


def _names(names: Iterable[str]) -> list[str]:
    return sorted({line(name) for name in names})


def _run_facts(report: Report) -> list[tuple[str, str]]:
    run, rows = report.run, report.summary
    seconds = seconds_between(run.started, run.finished)
    facts = [
        ("run", line(run.id)),
        ("seed", line(run.seed)),
        ("started", line(run.started)),
        ("took", "" if seconds is None else duration(seconds)),
        *((line(name), line(version)) for name, version in run.versions.items()),
        ("queries", queries_text(run.queries)),
        ("helper", "" if run.helper is None else helper_text(run.helper)),
        ("tokens", spent_text(run)),
        ("not judged", not_judged(rows) or "none"),
    ]
    return [(name, fact) for name, fact in facts if fact]
