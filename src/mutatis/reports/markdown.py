"""Writes a run as Markdown for a build's summary page, a pull request, or a chat.

All text from data or models is in a fenced block or escaped, so that it is never interpreted as Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from mutatis.records.report import FindingRecord, Report, SummaryRow
from mutatis.reports.faults import and_more, groups_of, other_findings
from mutatis.reports.gate import gate_of
from mutatis.reports.notes import notes
from mutatis.reports.numbers import counted, line
from mutatis.reports.overview import result_lines
from mutatis.reports.passing import Word, accepted_endpoints, by_newness, passing
from mutatis.reports.plain import finding_text
from mutatis.reports.ranking import capabilities_of, spread
from mutatis.reports.rates import by_system_and_task, draws_notes, folded, unfolded, worst_first
from mutatis.reports.reach import COLUMNS, EDGE_COLUMNS, TITLE, edge_tables, reach_cells, sentence
from mutatis.reports.tables import columns_and_cells

TOP = 5
"""Maximum number of findings listed."""

LIMITS = 10
"""Maximum number of exceeded limits listed individually."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&@$])")


def markdown_html(text: str, *, raw: bool = False) -> str:
    """Return Markdown as HTML. With `raw`, HTML in it is kept: the collapsible sections of `render_markdown`."""
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark", {"html": raw}).enable("table").render(text))


def append_markdown(report: Report, path: Path, *, folder: str = "") -> None:
    """Append the summary of a run to the file `path`, as build servers expect of job summaries.

    Raises:
        OSError: the file cannot be written.
    """
    with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(render_markdown(report, folder=folder) + "\n")


def render_markdown(report: Report, *, folder: str = "") -> str:
    """Return a run as Markdown: whether it passed, its rates and health checks, and the findings to read first.

    New findings come before those already known.
    """
    all_notes, result = notes(report.health), passing(report)
    other_notes = "\n".join(f"- {escaped(note.text)}" for note in all_notes if not note.first)
    parts = [
        f"## mutatis: {_result(report, result.word)}",
        *(escaped(note.text) for note in all_notes if note.first),
        *map(escaped, result_lines(report)),
        *map(escaped, accepted_endpoints(report).values()),
        _reasons(result.reasons),
        *_summary(report.summary),
        *map(escaped, draws_notes(report)),
        *_all_findings(report, folder),
        *_tried(report),
        f"**Notes**\n\n{other_notes}" if other_notes else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _all_findings(report: Report, folder: str) -> Iterator[str]:
    """Yield the sections of new findings, of known ones, and of findings on newly asked follow-ups."""
    new, known, newly_asked = by_newness(report)
    capabilities = capabilities_of(report)
    for title, listed, total in (
        ("New findings", new, len(new)),
        ("Known findings" if new else "Findings", known, len(report.all_findings) - len(new) - len(newly_asked)),
        ("Newly asked: findings on follow-ups that the baseline never asked", newly_asked, len(newly_asked)),
    ):
        yield from findings_parts(title, listed, total, folder=folder, capabilities=capabilities)


def _tried(report: Report) -> list[str]:
    """Return collapsible sections on the changes tried on inputs and on the values where answers change."""
    parts = []
    for reach in (reach for reach in report.reach if reach.kinds):
        body = table(COLUMNS, map(reach_cells, reach.kinds))
        parts.append(_details(f"what was tried on {escaped(reach.system)}", body, escaped(sentence(reach))))
    for system, rows in edge_tables(report).items():
        body = table(EDGE_COLUMNS, rows, text_columns=len(EDGE_COLUMNS))
        parts.append(_details(f"{TITLE}: {escaped(system)}", body))
    return parts


def _details(summary: str, *parts: str) -> str:
    return "\n\n".join((f"<details><summary>{summary}</summary>", *filter(None, parts), "</details>"))


def _result(report: Report, word: Word) -> str:
    failures = {"untested": "could not be tested", "misused": "nothing was tested", "violated": "the gate failed"}
    success = "within the gate" if gate_of(report).limited else "finished, no gate was set"
    return failures.get(word, success)


def _reasons(reasons: Sequence[str]) -> str:
    """Return a list of the reasons why the run did not pass, or "" if it did."""
    lines = [f"- {escaped(text)}" for text in reasons[:LIMITS]]
    lines += [f"- and {len(reasons) - LIMITS} more"] if len(reasons) > LIMITS else []
    return "\n".join(lines)


def _summary(rows: Sequence[SummaryRow]) -> list[str]:
    """Return a table of the rows with findings, and lines that summarise the other rows by system and task."""
    listed, _ = unfolded(worst_first(rows))
    parts = []
    if listed:
        columns, cells_of_rows = columns_and_cells(listed)
        named = [[row.system, row.task, row.relation, *cells] for row, cells in zip(listed, cells_of_rows, strict=True)]
        parts.append(table(["system", "task", "relation", *columns], named, text_columns=3))
    for title, block in by_system_and_task(rows).items():
        parts += [f"{escaped(title)}: {escaped(text)}" for text in folded(unfolded(block)[1], len(block))]
    return parts


def findings_parts(
    title: str,
    findings: Sequence[FindingRecord],
    total: int,
    *,
    folder: str = "",
    top: int = TOP,
    capabilities: Mapping[tuple[str, str], str] | None = None,
) -> list[str]:
    """Return the most informative findings under a heading, one for each fault, with the number of its others."""
    if not findings:
        return []
    shown = spread(findings, top, capabilities)
    others = other_findings(findings)
    counts = [counted(total, "finding")]
    if len(findings) == total and (faults := len(groups_of(findings))) < total:
        counts.insert(0, counted(faults, "fault"))
    parts = [f"### {title} ({len(shown)} of {', '.join(counts)})" if title else ""]
    for finding in shown:
        more = and_more(others[id(finding)]).replace("; ", "\n")  # on a line of its own
        parts.append(fenced(finding_text(finding, folder) + more))
    return parts


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, text_columns: int = 1) -> str:
    """Return a Markdown table. Its cells are escaped, the names of its columns are not.

    The first `text_columns` columns contain text, and the others contain numbers.
    """
    kinds = ["---" if number < text_columns else "--:" for number in range(len(columns))]
    lines: list[Iterable[str]] = [columns, kinds, *(map(escaped, cells) for cells in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def escaped(text: object) -> str:
    r"""Return text as a single line, escaped so that Markdown displays it unchanged.

    >>> print(escaped("<b> | a_b\nc"))
    \<b\> \| a\_b⏎c
    """
    return _SPECIAL.sub(r"\\\1", line(text))


def fenced(text: str) -> str:
    """Return text in a fenced block whose fence is too long to be closed by anything in the text."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
