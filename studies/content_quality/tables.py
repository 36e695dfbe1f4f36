"""The paper's Tables 2 to 6 from a report of the recipe `content_quality`, beside the published numbers.

RR counts all items, unchanged ones included, as published; "changed" is the rate over the items that a relation
really changed, which the paper does not give.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import published

from mutatis.relations.content_quality import FAMILIES

RELATIONS = [(number, family, value) for family in FAMILIES for number, value in family.published.items()]


def tables(report: Mapping[str, Any]) -> str:
    """Return the tables as Markdown."""
    metrics = report["metrics"]["families"]
    points = {
        (family["name"], system, point["value"]): point
        for family in metrics["families"]
        for system, series in family["systems"].items()
        for point in series["points"]
    }
    systems = [source["system"] for source in metrics["sources"]]
    sources = {source["system"]: source for source in metrics["sources"]}
    parts = [_source_table(metrics["sources"])]
    for title, key, theirs in (
        ("RR % (Tables 2 and 6)", "rr", published.RR),
        ("ACC % (Table 3)", "acc", published.ACC),
        ("MCC % (Table 4)", "mcc", published.MCC),
    ):
        rows = (
            []
            if key == "rr"
            else [["source", *(_percent(sources[s][key]) for s in systems), *_theirs(theirs, "source")]]
        )
        for number, family, value in RELATIONS:
            ours = [_percent((points.get((family.name, system, value)) or {}).get(key)) for system in systems]
            rows.append([f"{number} {family.slug(value)}", *ours, *_theirs(theirs, number)])
        parts.append(_table(title, ["relation", *systems, *(f"{s} (paper)" for s in published.SYSTEMS)], rows))
    parts.append(_changed_table(points, systems))
    return "\n".join(parts)


def _source_table(sources: list[Mapping[str, Any]]) -> str:
    rows = [
        [
            source["system"],
            str(source["items"]),
            _percent(source["acc"]),
            _percent(source["mcc"]),
            f"{source['most_frequent']} {_percent(source['most_frequent_share'])}",
        ]
        for source in sources
    ]
    return _table("Source answers", ["system", "items", "ACC %", "MCC %", "most frequent label %"], rows)


def _changed_table(points: Mapping[tuple[str, str, float], Mapping[str, Any]], systems: list[str]) -> str:
    rows = []
    for number, family, value in RELATIONS:
        measured = [points.get((family.name, system, value)) for system in systems]
        cells = [_changed(point) for point in measured]
        rows.append([f"{number} {family.slug(value)}", *cells])
    return _table("Violated / changed items (same input to the system)", ["relation", *systems], rows)


def _changed(point: Mapping[str, Any] | None) -> str:
    if point is None:
        return "-"
    judged = point["violated"] + point["satisfied"]
    vacuous = f" ({point['vacuous']})" if point["vacuous"] else ""
    return f"{point['violated']}/{judged}{vacuous}"


def _theirs(table: Mapping[str, Mapping[str, float]], number: str) -> list[str]:
    return [f"{table[system][number]:.2f}" if number in table[system] else "-" for system in published.SYSTEMS]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _table(title: str, columns: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in (columns, ["---"] * len(columns), *rows)]
    return f"### {title}\n\n" + "\n".join(lines) + "\n"
