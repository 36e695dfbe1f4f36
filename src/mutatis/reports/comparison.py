"""Writes a comparison of two runs: on a terminal, as Markdown, as a page made from the Markdown, and as JSON."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from rich.console import Console
from rich.text import Text

from mutatis.analysis.comparison import FindingChange, Paired, RowChange, RunComparison, sources_to_tell
from mutatis.records.jsontext import dump, json_safe
from mutatis.reports.faults import faults_text, groups_of
from mutatis.reports.markdown import TOP, escaped, findings_parts, markdown_html, table
from mutatis.reports.numbers import counted, line, percent
from mutatis.reports.tables import plain_table
from mutatis.reports.terminal import console, print_findings

RATE_COLUMNS = ("old", "new", "change", "sources", "worse/better", "adjusted p")
"""Columns of a comparison after the names of system, task and relation, in the order of `change_cells`."""

ADJUSTED = "adjusted p: sign test of worse against better, corrected for all rows compared (Benjamini and Hochberg)"
"""Line below a comparison with p-values."""

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


def consistency_lines(result: RunComparison) -> Iterator[str]:
    """Yield a sentence on consistency for each system that two runs have in common, or for two compared systems."""
    several = len(result.overall) > 1
    for system, pair in result.overall.items():
        of = f" of {system}" if several else ""
        old, new = result.old_system or f"the old run{of}", result.new_system or f"the new run{of}"
        yield consistency_sentence(old, new, pair, adjusted=several)


def consistency_sentence(old: str, new: str, pair: Paired, *, adjusted: bool) -> str:
    """Return a sentence that states which of two systems or runs is more consistent.

    `adjusted` is True if several pairs are compared, so that their p-values are corrected together.

    >>> pair = Paired(sources=40, worse=4, better=7, p=0.55, adjusted=0.55, old=0.123, new=0.081)
    >>> print(consistency_sentence("A", "B", pair, adjusted=False))  # doctest: +NORMALIZE_WHITESPACE
    A and B cannot be distinguished: of 40 questions B is more consistent on 7 and less on 4 (violated: 8.1 %,
    A 12.3 %), which may be chance (p = 0.55); about 390 questions like these would be enough.
    """
    old, new = line(old), line(new)
    asked = counted(pair.sources, "question")
    if not pair.worse + pair.better:
        return f"{_first(old)} and {new} are equally consistent on each of {asked} (violated: {percent(pair.new)})."
    ahead, behind = (new, old) if pair.better >= pair.worse else (old, new)
    more, less = max(pair.better, pair.worse), min(pair.better, pair.worse)
    rates = (pair.new, pair.old) if ahead == new else (pair.old, pair.new)
    where = f"of {asked} {ahead} is more consistent on {more:,} and less on {less:,}"
    violated = f"violated: {percent(rates[0])}, {behind} {percent(rates[1])}"
    name = "adjusted p" if adjusted else "p"
    p = f"{name} < 0.0001" if pair.adjusted < 0.0001 else f"{name} = {pair.adjusted:.2g}"
    if pair.significant:
        return (
            f"{_first(ahead)} is more consistent than {behind}: {where} ({violated}), more than chance explains ({p})."
        )
    needed = sources_to_tell(pair)
    tell = f"about {needed:,} questions like these would be enough" if needed else "nothing points to either"
    return f"{_first(old)} and {new} cannot be distinguished: {where} ({violated}), which may be chance ({p}); {tell}."


def _first(name: str) -> str:
    """Return a name with a capital letter for the start of a sentence. Labels given by the user are not changed."""
    return f"T{name[1:]}" if name.startswith(("the old run", "the new run")) else name


def render_comparison(result: RunComparison, *, top: int = TOP, every: bool = False) -> str:
    """Return two runs side by side as Markdown: rates with their differences, and findings gained and lost.

    Relations with unchanged results are summarised unless `every` is set.
    """
    names = "" if result.old_system is None else f"{escaped(result.old_system)} against {escaped(result.new_system)}"
    parts = [
        f"## mutatis: {faults_text(len(groups_of(result.new)), len(result.new), 'new fault')}",
        *map(escaped, consistency_lines(result)),
        names,
        escaped(result.rejudged),
        result.unpaired,
    ]
    listed, summarised = result.listed_and_summarised(every=every)
    rows = [change_cells(row) for row in listed]
    parts.append(table(["system", "task", "relation", *RATE_COLUMNS], rows, text_columns=3) if rows else "")
    parts.append(ADJUSTED if any(row.paired for row in listed) else "")
    parts.append(as_before(summarised))
    for which, changes in (("came", result.came), ("gone", result.gone)):
        parts.append(f"**{which.title()}: {len(changes):,}**{elsewhere(changes, which)}")
        parts += findings_parts(title="", findings=[change.finding for change in changes], total=len(changes), top=top)
    parts.append(f"In both runs: {counted(len(result.common), 'finding')}")
    return "\n\n".join(part for part in parts if part) + "\n"


def as_before(rows: Sequence[RowChange]) -> str:
    """Return a phrase with the number of relations that had the same result in both runs, or "" if `rows` is empty."""
    if not rows:
        return ""
    violated = sum(bool(row.new and row.new.violated) for row in rows)
    return f"as before: {counted(len(rows), 'relation')}, {violated:,} of them violated (--all)"


def change_cells(row: RowChange) -> list[str]:
    """Return the table cells for one relation in a comparison of two runs.

    These are the names, both rates, the difference (with * if it is significant), the number of sources, how many
    became worse or better, and the adjusted p-value.
    """
    sides = ["not run" if side is None else percent(side.rate) for side in (row.old, row.new)]
    change = "" if row.change is None else f"{100 * row.change:+.1f}{' *' if row.differs else ''}"
    pair = row.paired
    tested = [""] * 3 if pair is None else [f"{pair.sources:,}", f"{pair.worse}/{pair.better}", _p(pair.adjusted)]
    return [row.system, row.task, row.relation, *sides, change, *tested]


def _p(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}".rstrip("0").rstrip(".")


def elsewhere(changes: Sequence[FindingChange], which: str) -> str:
    """Return a phrase in brackets on how the same tests ended in the other run, or "" if that is unknown."""
    counts = Counter(change.elsewhere for change in changes)
    outcomes = ", ".join(f"{count:,} {name}" for name, count in counts.most_common() if name != "unknown")
    where = "in the old run" if which == "came" else "in the new run"
    return f" ({where}: {outcomes})" if outcomes else ""


def comparison_data(result: RunComparison) -> dict[str, Any]:
    """Return a comparison of two runs as JSON data."""
    pairing = result.pairing
    return {
        "format": "mutatis/comparison",
        "version": 1,
        "systems": None if result.old_system is None else {"old": result.old_system, "new": result.new_system},
        "consistency": list(consistency_lines(result)),
        "sources": {
            "paired": len(pairing.names),
            "renumbered": pairing.renumbered,
            "old_only": [source for _, source in pairing.old_only],
            "new_only": [source for _, source in pairing.new_only],
        },
        "rows": [_row(row) for row in result.rows],
        "came": _changes(result.came),
        "gone": _changes(result.gone),
        "common": [finding.id for finding in result.common],
        "new": [finding.id for finding in result.new],
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


def rendered(result: RunComparison, form: str, *, top: int, every: bool) -> str:
    """Return a comparison of two runs as text for a terminal, or in the form "json", "markdown" or "html".

    The page works without scripts or a network connection.
    """
    if form == "text":
        out = io.StringIO()
        print_comparison(result, console(width=120, file=out), top=top, every=every)
        return out.getvalue()
    if form == "json":
        return dump(comparison_data(result)) + "\n"
    markdown = render_comparison(result, top=top, every=every)
    if form == "markdown":
        return markdown
    tables = markdown_html(markdown).replace("<table>", '<div class="wide"><table>')
    return _PAGE.format(body=tables.replace("</table>", "</table></div>"))


def print_comparison(result: RunComparison, out: Console, *, top: int, every: bool = False) -> None:
    """Print a comparison: first the changes, then a summary of the unchanged rows (with `every`, all rows)."""
    for sentence in consistency_lines(result):
        out.print(sentence, soft_wrap=True)
    if result.old_system is not None:
        out.print(f"old: {line(result.old_system)}   new: {line(result.new_system)}")
    for note in filter(None, (result.rejudged, result.unpaired)):
        out.print(line(note), soft_wrap=True)
    table = plain_table()
    table.add_column("relation", overflow="fold", min_width=20)
    for name in RATE_COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    heading = ""
    listed, summarised = result.listed_and_summarised(every=every)
    for row in listed:
        system, task, *cells = map(line, change_cells(row))
        where = " on ".join(part for part in (system, task) if part)
        if where != heading:  # rows of the same system and task stand together
            table.add_row(Text(where, style="bold"))
            heading = where
        table.add_row(*map(Text, cells), style="bold" if row.differs else "")
    if listed:
        out.print(table)
        if any(row.paired for row in listed):
            out.print(ADJUSTED, style="dim", soft_wrap=True)
    if summarised:
        out.print(as_before(summarised))
    for name, changes in (("came", result.came), ("gone", result.gone)):
        out.print(f"{name}: {counted(len(changes), 'finding')}{elsewhere(changes, name)}")
        print_findings([change.finding for change in changes], out, top=top)
    out.print(f"common: {counted(len(result.common), 'finding')} in both runs")
