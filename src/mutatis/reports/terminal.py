"""A run on the terminal: summary table, health, first findings, and one finding side by side.

Knows the records of a report and rich; all text passes `view`, so nothing a model wrote can steer the terminal.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mutatis.records.report import FindingRecord, Report, SummaryRow
from mutatis.reports.expected import expectation, out_of_ten
from mutatis.reports.marking import COARSE, Span
from mutatis.reports.metrics import MetricTable, metric_tables
from mutatis.reports.numbers import interval_text, line, number, percent, soundness_text
from mutatis.reports.pairs import AnswerView, Column, Pair
from mutatis.reports.passing import accepted
from mutatis.reports.rates import helper_text, rate_notes, rate_text, totals, worst_first
from mutatis.reports.view import FindingView, finding_view, health_text, ordered, spread

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

TOP = 5
"""Findings shown after a run."""

WIDEST = 48
"""Characters of a relation's name in a wide table before it goes on the next line."""


def console(*, width: int | None = None, file: Any = None) -> Console:
    """Return a console for reports: to `file` or standard output, without markup or emoji codes in texts."""
    from rich.console import Console

    # Text that is asked for is plain text in a notebook, too, where rich would draw it, or colour it.
    drawn = None if file is None else False
    made = Console(
        file=file, width=width, markup=False, emoji=False, highlight=False, force_jupyter=drawn, force_terminal=drawn
    )
    if width is None and not made.is_terminal and "COLUMNS" not in os.environ:
        return Console(file=file, width=120, markup=False, emoji=False, highlight=False, force_jupyter=drawn)
    return made


def print_report(report: Report, out: Console, *, where: str = "", run: str = "RUN", top: int = TOP) -> None:
    """Print the summary table, the health lines, the first findings and the closing lines of a run."""
    print_summary(report, out)
    print_health(report, out)
    print_findings(report.findings, out, top=top, total=len(report.all_findings), run=run)
    for text in closing_lines(report, where, run):
        out.print(text, soft_wrap=True)


def print_summary(report: Report, out: Console) -> None:
    """Print one row per system, task and relation, the worst first; narrow consoles get the essential columns."""
    rows = report.summary
    if not rows:
        out.print("Nothing was judged: no relation applied to any case.")
        return
    blocks: dict[tuple[str, str], list[SummaryRow]] = {}
    for row in rows:
        blocks.setdefault((line(row.system), line(row.task)), []).append(row)
    longest = max(len(line(row.relation)) for row in rows)
    for (system, task), found in blocks.items():
        chosen = worst_first(found)
        if not any(row.judged for row in chosen):  # a table of noughts says less than why, which health tells
            invalid, errors = sum(row.invalid for row in chosen), sum(row.error for row in chosen)
            unfit = "no relation applies to the inputs: " if all(row.applies_to_nothing for row in chosen) else ""
            out.print(f"{system} on {task}: nothing could be judged: {unfit}{invalid:,} invalid, {errors:,} errors\n")
            continue
        telling = [row for row in chosen if row.judged or row.error]
        out.print(_fitting_table(telling, f"{system} on {task}", out, longest))
        silent = [row for row in chosen if row not in telling]
        if silent:
            told = ", ".join(f"{line(row.relation)} ({row.invalid:,} invalid)" for row in silent)
            out.print(f"said nothing on these inputs: {told}\n", markup=False)
        for text in rate_notes(chosen):
            out.print(text, style="dim", soft_wrap=True)


def _fitting_table(rows: Sequence[SummaryRow], title: str, out: Console, longest: int) -> Table:
    """Return the wide table where nothing of it would be cut ("9/" of "9/10" misleads), else the narrow one."""
    table = summary_table(rows, title, wide=True, longest=longest)
    own = max(len(line(row.relation)) for row in rows)
    folded = max(own - min(longest, WIDEST), 0)  # characters of the first column that may go on its next line
    needed = out.measure(table, options=out.options.update(max_width=10_000)).maximum - folded
    if needed <= out.width and out.width >= 110:
        return table
    return summary_table(rows, title, wide=False, longest=longest)


def summary_table(rows: Sequence[SummaryRow], title: str, *, wide: bool, longest: int = 0) -> Table:
    """Return the table of some summary rows; `longest` relation name makes several tables line up."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(title, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )
    table.add_column("relation", overflow="fold", min_width=min(longest, WIDEST if wide else 25))
    columns = ["violated", "rate", "interval", "noise", "findings"]
    columns += ["flaky", "invalid", "errors", "sound", "real"] if wide else ["inv/err"]
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        cells = [f"{row.violated:,}/{row.judged:,}", rate_text(row)]
        cells += [interval_text(row.interval), percent(row.noise_floor), number(row.distinct)]
        if wide:
            cells += [_count(row.flaky), _count(row.invalid), _count(row.error)]
            cells += [soundness_text(row.soundness), out_of_ten(row).replace(" of ", "/")]
        else:
            cells.append(f"{row.invalid}/{row.error}" if row.invalid or row.error else "")
        violated = row.violated and not row.only_flaky and (row.too_few or not row.within_noise)
        style = "dim" if not row.judged else "red" if violated else ""
        table.add_row(Text(line(row.relation)), *(Text(cell) for cell in cells), style=style)
    return table


def print_metrics(report: Report, out: Console) -> None:
    """Print the metrics of the run's recipes as tables."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    tables = metric_tables(report.metrics)
    if not tables:
        out.print("This run has no metrics: no recipe with numbers of its own was part of it.")
    for metric in tables:
        table = Table(title=Text(metric.title, style="bold"), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
        columns, rows = _fitted(metric, out.width)
        for position, name in enumerate(columns):
            table.add_column(Text(name), justify="right" if position else "left", overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))
        out.print(table)
        if metric.note:
            out.print(Text(metric.note, style="dim"))


def _fitted(metric: MetricTable, width: int) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return columns and rows, turned on their side where a wide table with few rows would not fit."""
    lines = [metric.columns, *metric.rows]
    needed = sum(3 + max(map(len, column)) for column in zip(*lines, strict=True))
    if needed <= width or len(metric.rows) >= len(metric.columns):
        return metric.columns, list(metric.rows)
    turned = list(zip(*lines, strict=True))
    return turned[0], turned[1:]


def _count(value: int) -> str:
    return number(value) if value else ""


def print_health(report: Report, out: Console) -> None:
    """Print each health warning with its numbers, remedy and how to silence it."""
    from rich.text import Text

    for check in report.health:
        name, what, remedy = health_text(check)
        out.print(Text.assemble(("! ", "yellow"), (f"{name}: " if name else "", "bold yellow"), what))
        if remedy:
            out.print(Text("  " + remedy, style="dim"))
    if report.health:
        out.print()


def print_findings(
    findings: Sequence[FindingRecord],
    out: Console,
    *,
    top: int | None = TOP,
    total: int | None = None,
    run: str = "RUN",
) -> None:
    """Print the list of findings, at most `top` (None: all), saying how many of `total` are left out."""
    from rich.text import Text

    shown: Iterable[FindingRecord] = findings if top is None else spread(findings, top)
    for finding in shown:
        view = finding_view(finding)
        flags = f"  {view.mark}" if view.mark else ""
        times = f"  x{view.count}" if view.count > 1 else ""
        head = Text.assemble((view.id, "bold cyan"), f"  {view.system}  {view.relation}  {view.source}")
        head.append(f" turn {view.turn}" if view.turn > 1 else "")
        head.append(times).append(flags, "yellow" if view.flaky else "green")
        head.append(f"  [{view.label}]" if view.label else "", "bold")
        out.print(head)
        snippet = _snippet(view)
        if snippet:
            out.print(Text(f"    {snippet}", style="dim", no_wrap=True, overflow="ellipsis"))
        out.print(Text(f"    {_answers(view, out.width - 4)}", style="dim", no_wrap=True, overflow="ellipsis"))
    total = len(findings) if total is None else total
    listed = total if top is None else min(top, len(findings))
    if listed < total:
        more = f"... {total - listed:,} more of {total:,} findings"
        out.print(f"{more}: mutatis show {shlex.quote(run)} --all lists all", soft_wrap=True)
    if total:
        out.print()


def _answers(view: FindingView, width: int) -> str:
    """Return the answers in one line, and the one that was expected where the system's own is not the measure."""
    sides = max(len(view.answers) + bool(view.compared), 1)
    answers, expected = view.brief(max((width - len(view.compared)) // sides - 6, 16))  # an arrow and two quotes
    told = " -> ".join(map(repr, answers)) if view.pairs else view.reason
    return f"{told}; {view.compared} {expected}" if view.compared else told


def _snippet(view: FindingView) -> str:
    """Return the changed text around its first change in one line, and what was done where no text shows it."""
    text = "".join(f"{{+{span.text}+}}" if span.changed else span.text for span in view.snippet)
    marked = any(span.changed for span in view.snippet)
    return " ".join((text if marked or not view.says else f"{text} ({view.says})").split())


def closing_lines(report: Report, where: str = "", run: str = "RUN") -> list[str]:
    """Return the last lines of a run: totals, queries, where the report is and what to do next.

    `run` is how the user can name this run on the command line.
    """
    findings, queries = report.all_findings, report.run.queries
    asked = f"queries: {queries.logical:,} logical, {queries.paid:,} paid, {queries.errors:,} errors"
    asked += f", {queries.stored:,} stored" + (f" (oldest answer {line(queries.oldest)})" if queries.oldest else "")
    asked += f", {queries.retries:,} retries" if queries.retries else ""
    lines = [totals(report), asked, *accepted(report).values(), *_spent(report)]
    if (helper := helper_text(report)) is not None and report.run.helper is not None:
        lines.insert(2, f"helper {line(report.run.helper.label)}: {helper}")
    if where:
        lines.append(f"report: {where}")
    if findings:
        lines.append(f"next: mutatis show {shlex.quote(run)} {line(ordered(report.findings)[0].id)}")
    return lines


def _spent(report: Report) -> list[str]:
    """Return the tokens of a run, and the money where prices were given; nothing where no system tells its tokens."""
    tokens, money = report.run.tokens, report.run.money
    if not (tokens.prompt or tokens.completion or money):
        return []
    told = f"tokens: {tokens.prompt:,} prompt, {tokens.completion:,} completion"
    return [told + "".join(f"; {amount:,.4f} {line(currency)}" for currency, amount in money.items())]


def print_finding(finding: FindingRecord, out: Console, *, full: bool = False, rows: Sequence[SummaryRow] = ()) -> None:
    """Print one finding: source and follow-ups side by side, answers, why it is a violation, and how to replay it.

    `rows` are those of its report: they tell how many such findings are expected to be real.
    """
    from rich.text import Text

    view = finding_view(finding, full=full)
    out.print(Text.assemble((view.id, "bold cyan"), f"  {view.system} on {view.task}: ", (view.relation, "bold")))
    times = f", {view.count} verdicts" if view.count > 1 else ""
    out.print(Text(f"source {view.source}, turn {view.turn}{times}" + (f", {view.mark}" if view.mark else "")))
    for field in view.material:
        out.print(Text.assemble((f"{field.name}: ", "bold"), _text(field.spans, ("", ""))))
    out.print()
    for pair in (*view.shown, *view.original):
        _print_pair(pair, out)
    out.print(Text.assemble(("why: ", "bold"), view.reason or "(no reason given)"))
    if view.expected:
        out.print(Text.assemble((f"{view.compared or 'annotated answer'}: ", "bold"), view.expected))
    if view.judged:
        out.print(Text.assemble(("judged by: ", "bold"), view.judged))
    own = (finding.system, finding.task, finding.relation)
    for told in (expectation(row) for row in rows if (row.system, row.task, row.relation) == own):
        out.print(Text.assemble(("trust: ", "bold"), told or "not known"))
    if view.label:
        out.print(Text.assemble(("labelled: ", "bold"), view.label))
    if view.replay:
        out.print(Text.assemble(("replay: ", "bold"), view.replay), soft_wrap=True)


def _print_pair(pair: Pair, out: Console) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.ROUNDED, show_lines=True, expand=True)
    columns = (pair.source,) if pair.alike else (pair.source, pair.follow_up)
    for column in columns:
        title = Text(column.title, style="bold")
        title.append("".join(f"\n{text}" for text in dict.fromkeys((column.says, column.steps)) if text), "dim")
        table.add_column(title, ratio=1, overflow="fold", vertical="top")
    if any(column.history for column in columns):
        table.add_row(*(_history(column, _brackets(column, out)) for column in columns))
    table.add_row(*(_inputs(column, _brackets(column, out)) for column in columns))
    table.add_row(*(_answer(column.answer) for column in columns))
    out.print(table)


def _history(column: Column, brackets: tuple[str, str]) -> RenderableType:
    from rich.text import Text

    text = Text(style="dim")
    for turn in column.history:
        text.append(f"{turn.number}. ").append_text(_text(turn.spans, brackets))
        text.append(f"  ({turn.mark})" if turn.mark else "", "yellow").append("\n")
        if turn.reply is not None:
            text.append(f"   -> {turn.reply}\n")
    text.rstrip()
    return text


def _brackets(column: Column, out: Console) -> tuple[str, str]:
    """Return what encloses changed characters where there is no colour: as `git diff --word-diff` does."""
    if out.color_system:
        return "", ""
    return ("[-", "-]") if column.title == "source" else ("{+", "+}")


def _inputs(column: Column, brackets: tuple[str, str]) -> RenderableType:
    from rich.text import Text

    text = Text()
    for field in column.fields:
        text.append(f"{field.name}: ", "bold").append_text(_text(field.spans, brackets)).append("\n")
    if column.notes:
        text.append(column.notes, "dim")
    text.rstrip()
    return text


def _text(spans: Sequence[Span], brackets: tuple[str, str]) -> Text:
    from rich.text import Text

    text = Text()
    for span in spans:
        if span.coarse:
            text.append(f"({COARSE}) ", "yellow")
        if span.changed:
            text.append(f"{brackets[0]}{span.text}{brackets[1]}", "bold magenta underline")
        else:
            text.append(span.text)
    return text


def _answer(answer: AnswerView) -> RenderableType:
    from rich.text import Text

    text = Text.assemble(("answer: ", "bold"), answer.text)
    if answer.value is not None:
        text.append("\nread as: ", "bold").append(answer.value)
    if answer.note:
        text.append(f"\n({answer.note})", "yellow")
    return text
