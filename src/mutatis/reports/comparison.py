"""Writes a comparison of two runs as JSON, and as an HTML page generated from its Markdown version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from mutatis.analysis.comparison import FindingChange, Paired, Pairing, RowChange, RunComparison
from mutatis.records.jsontext import json_safe
from mutatis.reports.consistency import consistency_lines
from mutatis.reports.markdown import markdown_html, render_comparison

_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>mutatis: two runs compared</title>
<style>
body {{ font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .2rem .6rem; border-bottom: 1px solid #8885; white-space: nowrap; }}
pre {{ background: #8882; padding: .6rem; overflow-x: auto; }}
</style></head><body>
{body}
</body></html>
"""


def comparison_data(result: RunComparison) -> dict[str, Any]:
    """Return a comparison of two runs as JSON data."""
    return {
        "format": "mutatis/comparison",
        "version": 1,
        "systems": None if result.old_system is None else {"old": result.old_system, "new": result.new_system},
        "consistency": list(consistency_lines(result)),
        "sources": _sources(result.pairing),
        "rows": [_row(row) for row in result.rows],
        "came": _changes(result.came),
        "gone": _changes(result.gone),
        "common": [finding.id for finding in result.common],
        "new": [finding.id for finding in result.new],
    }


def _sources(pairing: Pairing) -> dict[str, Any]:
    """Return the number of sources that both runs have, and the ids of those that only one of them has."""
    return {
        "paired": len(pairing.names),
        "renumbered": pairing.renumbered,
        "old_only": [source for _, source in pairing.old_only],
        "new_only": [source for _, source in pairing.new_only],
    }


_SIDE = ("violated", "judged", "rate", "interval")
_PAIRED = (*(field.name for field in fields(Paired)), "difference", "interval")


def _row(row: RowChange) -> dict[str, Any]:
    return {
        "system": row.system,
        "task": row.task,
        "relation": row.relation,
        "old": _values(row.old, _SIDE),
        "new": _values(row.new, _SIDE),
        "paired": _values(row.paired, _PAIRED),
        "differs": row.differs,
    }


def _values(record: object, names: Sequence[str]) -> dict[str, Any] | None:
    """Return the named attributes as JSON data, or None if there is no record."""
    return None if record is None else {name: json_safe(getattr(record, name)) for name in names}


def _changes(changes: Sequence[FindingChange]) -> list[dict[str, Any]]:
    return [{"elsewhere": change.elsewhere, "finding": change.finding.to_json()} for change in changes]


def comparison_html(result: RunComparison, *, top: int, every: bool = False) -> str:
    """Return a comparison of two runs as a single page that works without scripts or a network connection."""
    body = markdown_html(render_comparison(result, top=top, every=every))
    body = body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
    return _PAGE.format(body=body)
