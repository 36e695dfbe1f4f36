"""The tables of `run.py`: violation rates, testing by labels beside testing by relations, false positives.

Published reference points (LLMorph, section IV; 561,267 executions over GPT-4, Llama-3 and Hermes-2, relations made by
GPT-4 included): mean violation rate 18 %; false positives 0 to 70 % by relation and task (937 violations read). The
rates by task (QA 12, NLI 17, SA 25, RE 32) are of the tool's repository, not in the paper. Of the comparison with
labels the paper says that testing by relations finds bugs that testing by labels does not; it gives no figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import mutatis.relations  # noqa: F401 - fills the registry
from mutatis.analysis.agreement import FalsePositives, false_positives
from mutatis.core.relation import RELATIONS
from mutatis.reports.sheets import read_sheet_labels

PUBLISHED_RATE = {"question-answering": 0.12, "inference": 0.17, "sentiment": 0.25, "relation-extraction": 0.32}
TITLES = {"published": "Published relations", "ours": "Ours"}


def published(relation: str) -> bool:
    """Whether a relation is one of the 36."""
    return relation in RELATIONS and any(name.startswith("llmorph/") for name in RELATIONS[relation].published.ids)


def tables(name: str, report: Mapping[str, Any]) -> str:
    """Return the tables of one campaign."""
    metrics, summary = report["metrics"]["llmorph"], report["summary"]
    rows = [row for row in summary if row["satisfied"] + row["violated"]]
    told = [f"\n## {name} ({summary[0]['task']}, {summary[0]['system']})"]
    for group, title in TITLES.items():
        of_group = [
            row
            for row in rows
            if row["relation"] != "label-based" and published(row["relation"]) == (group == "published")
        ]
        if of_group:
            told.append(_rates(title, of_group, metrics, group))
    for row, labels in metrics["label-based"].items():
        if labels["sources"]:
            told.append(_labels(labels, {group: metrics[group].get(row) for group in TITLES}))
    return "\n\n".join(told)


def _rates(title: str, rows: Sequence[Mapping[str, Any]], metrics: Mapping[str, Any], group: str) -> str:
    split = {row["relation"]: row for row in metrics["relations"] if row["origin"] == group}
    lines = [
        f"### {title}",
        "",
        "| relation | violated | judged | rate | 95 % interval | invalid | source right | source wrong |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        low, high = row["interval"]
        by_label = split.get(row["relation"], {})
        lines.append(
            f"| {row['relation']} | {row['violated']} | {row['satisfied'] + row['violated']} | {row['rate']:.1%} "
            f"| {low:.1%} - {high:.1%} | {row['invalid']} "
            f"| {by_label.get('source_right', '')} | {by_label.get('source_wrong', '')} |"
        )
    changing = [row for row in rows if row["relation"] != "no-change"]
    violated, judged = (sum(r["violated"] for r in changing), sum(r["violated"] + r["satisfied"] for r in changing))
    total = f"Without no-change: {violated} of {judged} violated, {violated / max(judged, 1):.1%}"
    reference = (
        f" (its systems, by the tool's repository: {PUBLISHED_RATE[rows[0]['task']]:.0%})"
        if group == "published"
        else ""
    )
    return "\n".join([*lines, "", f"{total}{reference}."])


def _labels(labels: Mapping[str, Any], groups: Mapping[str, Mapping[str, Any] | None]) -> str:
    lines = [
        "### Beside testing by labels",
        "",
        f"Accuracy on the labelled sources: {labels['accuracy']:.1%} ({labels['right']} of {labels['sources']}).",
        "",
        "| relations | sources | wrong by both | only by relations | only by labels | neither "
        "| of the labels' failures found | of the relations' failures new |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for group, counts in groups.items():
        if counts:
            cells = [counts[key] for key in ("sources", "both", "only_relations", "only_labels", "neither")]
            shares = [
                "-" if counts[key] is None else f"{counts[key]:.1%}" for key in ("labels_found", "new_beside_labels")
            ]
            lines.append(f"| {TITLES[group].lower()} | " + " | ".join(map(str, [*cells, *shares])) + " |")
    return "\n".join(lines)


def false_positive_tables(sheet: Path, second: Path | None) -> str:
    """Return the false positives per relation of filled sheets, published relations and ours apart."""
    first, other = read_sheet_labels(sheet), read_sheet_labels(second) if second else None
    measured = false_positives(first.rows, first.values, other.values if other else None)
    told = []
    for group, title in TITLES.items():
        part = {row: figures for row, figures in measured.items() if published(row[0]) == (group == "published")}
        if part:
            told.append(f"### {title}: false positives\n\n{_false_positives(part)}")
    return "\n\n".join(told)


def _false_positives(measured: Mapping[tuple[str, ...], FalsePositives]) -> str:
    lines = [
        "| relation | task | judged by people | false positives | rate | 95 % interval |",
        "|---|---|---|---|---|---|",
    ]
    for row, figures in sorted(measured.items(), key=lambda item: (-item[1].rate, item[0])):
        low, high = figures.interval
        lines.append(
            f"| {row[0]} | {row[1]} | {figures.judged} | {figures.false} | {figures.rate:.0%} "
            f"| {low:.0%} - {high:.0%} |"
        )
    false, judged = (
        sum(figures.false for figures in measured.values()),
        sum(figures.judged for figures in measured.values()),
    )
    return "\n".join(
        [*lines, "", f"All: {false} of {judged}, {false / judged:.0%} (the paper: 0 to 70 % by relation)."]
    )
