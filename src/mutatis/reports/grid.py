"""Shows all questions and answers on one page, with a row per input or follow-up and a column per system.

The verdicts of a run are read one at a time, and all text is made safe to display. The page needs no network and allows
only our own script, and its first rows can be read without JavaScript.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from markupsafe import Markup, escape

from mutatis.records.asked import ResponseRecord
from mutatis.records.baseline import systems_of
from mutatis.records.report import MemberRecord, Report, SystemRecord, VerdictRecord
from mutatis.reports.drawing import marked_html, page_template, script_json, scripted, template_text
from mutatis.reports.marking import MarkedSpan, mark, shorten, visible
from mutatis.reports.numbers import line, number, percent
from mutatis.reports.pairs import answer_view
from mutatis.reports.widths import cut_to

MOST = 20_000
"""Maximum number of rows on the page. The page states how many further rows are only in `verdicts.jsonl`."""

DRAWN = 25
"""Number of inputs that the page's script draws at a time."""

ROOM = 400
"""Maximum number of characters of an answer in a cell of the grid."""

_NAMED = ("violated", "open")
"""Outcomes that give a follow-up a short hash, so that it can be shown or asked again."""

Key: TypeAlias = tuple[str, int, str]
"""Key of an input: its source, turn and task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One system's answer in the grid.

    `outcome` is empty for a source, and `why` explains how the answer was judged.
    """

    answer: str
    outcome: str = ""
    why: str = ""
    finding: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """A follow-up in the grid: its edit, its text with the changes marked, and the answer of each system asked.

    Of a group of follow-ups, only the worst is shown, as judged for the first system. The cells of other systems state
    which one was worst for them.
    """

    relation: str
    says: str
    text: str
    asked: tuple[MarkedSpan, ...]
    cells: dict[str, Cell] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridInput:
    """One input with each system's answer and its follow-ups."""

    source: str
    turn: int
    task: str
    asked: str
    cells: dict[str, Cell] = field(default_factory=dict)
    rows: dict[tuple[object, ...], GridRow] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemColumn:
    """Column heading for one system: its violation rate, and the mean time and cost of an answer."""

    name: str
    rate: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGrid:
    """The whole grid of inputs and systems. `left_out` is the number of verdicts that are not on the page."""

    systems: tuple[SystemColumn, ...]
    inputs: tuple[GridInput, ...]
    left_out: int


def grid_of(report: Report, verdicts: Iterable[VerdictRecord], *, most: int = MOST) -> AnswerGrid:
    """Return the grid of all questions and answers. Inputs are in the order of their first verdict."""
    says = {(row.task, row.relation): line(row.says) for row in report.summary}
    inputs: dict[Key, GridInput] = {}
    rows = left_out = 0
    for verdict in verdicts:
        member = _representative(verdict)
        if member is None:
            continue
        known_input = inputs.get(_key(verdict))
        is_new_row = known_input is None or _row_key(verdict) not in known_input.rows
        if is_new_row:
            if rows >= most:
                left_out += 1
                continue
            rows += 1
        _add_to_grid(inputs, verdict, member, says.get((verdict.task, verdict.relation), ""))
    return AnswerGrid(
        systems=tuple(_column(name, report) for name in systems_of(report)),
        inputs=tuple(inputs.values()),
        left_out=left_out,
    )


def render_grid(report: Report, verdicts: Iterable[VerdictRecord], *, most: int = MOST, back: str = "") -> str:
    """Return the grid as an HTML page. `back` is the address of the report to link to, if any."""
    grid = grid_of(report, verdicts, most=most)
    systems = [system.name for system in grid.systems]
    drawn = [_drawn(item, systems) for item in grid.inputs]
    return str(
        page_template("grid.html.j2").render(
            run_id=line(report.run.id),
            grid=grid,
            relations=sorted({row.relation for item in grid.inputs for row in item.rows.values()}),
            rows=sum(len(item.rows) for item in grid.inputs),
            first=Markup("".join(drawn[:DRAWN])),
            chunks=[Markup(script_json(drawn[start : start + DRAWN])) for start in range(0, len(drawn), DRAWN)],
            left=max(0, len(drawn) - DRAWN),
            back=back,
            css=template_text("report.css") + template_text("grid.css"),
            **scripted("grid.js"),
        )
    )


def _drawn(item: GridInput, systems: Sequence[str]) -> str:
    """Return an input with its follow-ups as an HTML table body.

    This does not use a template, which would be too slow for tens of thousands of inputs.
    """
    where = f"{item.source}{f' turn {item.turn}' if item.turn > 1 else ''} · {item.task}"
    cells = "".join(_cell(item.cells.get(name)) for name in systems)
    head = f'<th scope="rowgroup"><bdi>{escape(item.asked)}</bdi> <span class="where">{escape(where)}</span></th>'
    rows = "".join(_row(row, systems) for row in item.rows.values())
    return f'<tbody><tr class="group">{head}{cells}</tr>{rows}</tbody>'


def _row(row: GridRow, systems: Sequence[str]) -> str:
    outcomes = " ".join(dict.fromkeys(cell.outcome for cell in row.cells.values()))
    apart = len({cell.outcome for cell in row.cells.values()}) > 1
    cells = "".join(_cell(row.cells.get(name)) for name in systems)
    return (
        f'<tr data-relation="{escape(row.relation)}" data-outcome="{outcomes}{" apart" if apart else ""}">'
        f'<td><span class="done">{escape(row.says or row.relation)}</span><br><bdi>{marked_html(row.asked)}</bdi></td>'
        f"{cells}</tr>"
    )


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return '<td class="none">not asked</td>'
    tag = f' <span class="tag {cell.outcome}">{cell.outcome}</span>' if cell.outcome else ""
    named = f' <code class="id">{escape(cell.finding)}</code>' if cell.outcome in _NAMED else ""
    return f'<td title="{escape(cell.why)}"><bdi>{escape(cell.answer)}</bdi>{tag}{named}</td>'


def _representative(verdict: VerdictRecord) -> MemberRecord | None:
    """Return the worst follow-up that the system was asked, or None if it was asked none.

    If the worst ones were not asked, return the first that was asked.
    """
    asked = [member for member in verdict.followups if member.output is not None or member.error]
    worst = [verdict.followups[place] for place in verdict.worst if place < len(verdict.followups)]
    return next((member for member in worst if member in asked), asked[0] if asked else None)


def _key(verdict: VerdictRecord) -> Key:
    return verdict.source, verdict.turn, verdict.task


def _row_key(verdict: VerdictRecord) -> tuple[object, ...]:
    """Return the key of a verdict's row within its input.

    The key contains all follow-ups of a group, because the worst one may differ between systems.
    """
    members = tuple((member.case, member.turn) for member in verdict.followups)
    return verdict.relation, *verdict.variant, verdict.draw, verdict.repeat, members


def _add_to_grid(inputs: dict[Key, GridInput], verdict: VerdictRecord, member: MemberRecord, says: str) -> None:
    """Add the answer to `member` to the grid, with its input and row if they are new."""
    key, row_key, system = _key(verdict), _row_key(verdict), line(verdict.system)
    source_text, text = ("\n".join(fields.values()) for fields in (verdict.source_input, member.input))
    if key not in inputs:
        inputs[key] = GridInput(
            source=line(verdict.source),
            turn=verdict.turn + 1,
            task=line(verdict.task),
            asked=cut_to(visible(source_text), ROOM),
        )
    item = inputs[key]
    if system not in item.cells:
        item.cells[system] = Cell(answer=_answer(verdict.source_output, verdict.source_error))
    if row_key not in item.rows:
        _, marked = mark(source_text, text)
        item.rows[row_key] = GridRow(relation=line(verdict.relation), says=says, text=text, asked=shorten(marked))
    row, answer = item.rows[row_key], _answer(member.output, member.error)
    row.cells[system] = Cell(
        # In a group, another follow-up may be the worst for this system; its text then stands before the answer.
        answer=answer if text == row.text else f"({cut_to(visible(text), ROOM)}) {answer}",
        outcome="open" if verdict.open else verdict.outcome,
        why=visible(verdict.reason),
        finding=line(verdict.finding),
    )


def _answer(response: ResponseRecord | None, error: str | None) -> str:
    if response is None:
        return f"({line(error)})" if error else "(no answer)"
    return cut_to(answer_view(response).line, ROOM)


def _column(name: str, report: Report) -> SystemColumn:
    rows = [row for row in report.summary if row.system == name]
    judged, violated = sum(row.judged for row in rows), sum(row.violated for row in rows)
    record = next((system for system in report.run.systems if system.system == name), None)
    return SystemColumn(
        name=line(name),
        rate=f"{violated:,} of {judged:,} violated ({percent(violated / judged)})" if judged else "nothing judged",
        answer="" if record is None else mean_answer_text(record),
    )


def mean_answer_text(record: SystemRecord) -> str:
    """Return the mean time and cost of a system's answers as text, or "" if they were not measured.

    >>> mean = {"seconds": 0.5, "prompt_tokens": 90.0, "completion_tokens": 9.0, "money": 0.002}
    >>> mean_answer_text(SystemRecord(system="bot", answer=mean, currency="EUR"))
    '0.50 s and 99 tokens an answer; 2 EUR a thousand'
    """
    mean = record.answer
    if mean is None:
        return ""
    tokens = mean.prompt_tokens + mean.completion_tokens
    costs = [f"{mean.seconds:.2f} s"] if mean.seconds >= 0.01 else []
    costs += [f"{tokens:,.0f} tokens"] if tokens else []
    parts = [f"{' and '.join(costs)} an answer"] if costs else []
    parts += [] if mean.money is None else [f"{number(1000 * mean.money)} {line(record.currency)} a thousand"]
    return "; ".join(parts)
