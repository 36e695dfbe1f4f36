"""Prints a run on the terminal with its tables, notes and first findings, or one finding side by side.

All text passes through `view`, so that text from a model cannot control the terminal.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from mutatis.records.report import FindingRecord, Report, SummaryRow, row_of
from mutatis.reports.faults import and_more, other_findings
from mutatis.reports.marking import COARSE, MarkedSpan, visible
from mutatis.reports.metrics import lost_lines
from mutatis.reports.notes import notes
from mutatis.reports.numbers import line
from mutatis.reports.overview import result_lines
from mutatis.reports.pairs import AnswerView, Column, Pair
from mutatis.reports.passing import accepted_endpoints, by_newness
from mutatis.reports.ranking import Ranking, capabilities_of, spread
from mutatis.reports.rates import expectation, helper_text, queries_text, spent_text
from mutatis.reports.reach import print_edges, print_reach
from mutatis.reports.tables import print_summary
from mutatis.reports.view import FindingView, finding_view
from mutatis.reports.widths import repr_of

TOP = 5
"""Maximum number of findings shown after a run."""


def console(*, width: int | None = None, file: Any = None) -> Console:
    """Return a console that prints to `file` or standard output without interpreting markup or emoji codes."""
    # In a notebook rich would draw or colour the text, even if it goes to a file.
    notebook = None if file is None else False
    options: dict[str, Any] = {"markup": False, "emoji": False, "highlight": False, "force_jupyter": notebook}
    made = Console(file=file, width=width, force_terminal=notebook, **options)
    if width is None and not made.is_terminal and "COLUMNS" not in os.environ:
        return Console(file=file, width=120, **options)
    return made


def error_console() -> Console:
    """Return a console that prints to standard error, each text on one line, without interpreting markup."""
    return Console(stderr=True, markup=False, highlight=False, soft_wrap=True, emoji=False)


def print_report(report: Report, out: Console, *, where: str = "", run: str = "RUN", every: bool = False) -> None:
    """Print a run: the tables, the first findings, the notes, and a sentence on each system.

    With `every`, all relations, all changes that were tried and all findings are printed. `where` is the path of the
    page, and `run` the name of the run on the command line.
    """
    print_summary(report, out, every=every)
    print_reach(report, out, every=every)
    print_edges(report, out)
    for text in lost_lines(report.metrics):
        out.print(text, soft_wrap=True)
    if every:
        print_findings(Ranking(report.all_findings, capabilities_of(report)).best(), out, top=None)
    else:
        _print_first_findings(report, out, run)
    print_notes(report, out, run)
    for text in closing_lines(report, where, run):
        out.print(text, soft_wrap=True)


def _print_first_findings(report: Report, out: Console, run: str) -> None:
    """Print the most informative findings, new ones first, and separately the findings that are only newly asked."""
    new, known, newly_asked = by_newness(report)
    capabilities = capabilities_of(report)
    total = len(report.all_findings) - len(newly_asked)
    print_findings([*new, *known], out, total=total, rest=f"{shlex.quote(run)} --all", capabilities=capabilities)
    if newly_asked:
        out.print("newly asked, on follow-ups that the baseline never asked:")
        print_findings(newly_asked, out, noun="newly asked findings", capabilities=capabilities)


def print_notes(report: Report, out: Console, run: str = "", *, whole: bool = False) -> None:
    """Print one line per kind of failed health check, or with `whole` every check with its remedies.

    Without `whole`, notes that `print_summary` prints above the tables are left out. `run` is the run's name on the
    command line, or "" if no command can find the run again.
    """
    listed = [note for note in notes(report.health) if whole or not note.first]
    for note in listed:
        if whole:
            out.print(Text(note.name, style="bold yellow"))
            for text in note.lines:
                out.print(Text(f"  {text}"), soft_wrap=not out.is_terminal)
        else:
            out.print(Text.assemble(("note ", "yellow"), note.text), soft_wrap=not out.is_terminal)
    # The lines of grave notes already contain their remedies.
    if not whole and run and any(not note.grave and note.remedies for note in listed):
        out.print(Text(f"     what to do: mutatis show {shlex.quote(run)} --notes", style="dim"), soft_wrap=True)
    if listed:
        out.print()


def print_findings(
    findings: Sequence[FindingRecord],
    out: Console,
    *,
    top: int | None = TOP,
    total: int | None = None,
    rest: str = "RUN --all",
    noun: str = "findings",
    capabilities: Mapping[tuple[str, str], str] | None = None,
) -> None:
    """Print all findings, or one for each of the `top` faults and the number of findings left out.

    `total` is the number of all findings, `rest` the `mutatis show` argument that lists them, and `noun` what to call
    them. `capabilities` are the capabilities that relations require, by task and relation. Items that are not
    violations are printed with their reason.
    """
    others = {} if top is None else other_findings(findings)
    shown: Sequence[FindingRecord] = findings if top is None else spread(findings, top, capabilities)
    for finding in shown:
        _print_brief_finding(finding, out, others.get(id(finding), 0))
    total = len(findings) if total is None else total
    covered = total if top is None else sum(1 + others[id(finding)] for finding in shown)
    if covered < total:
        out.print(f"... {total - covered:,} more of {total:,} {noun}: mutatis show {rest} lists all", soft_wrap=True)
    if total:
        out.print()


def _print_brief_finding(finding: FindingRecord, out: Console, others: int) -> None:
    """Print a finding on a few lines. `others` is the number of other findings of the same fault."""
    view = finding_view(finding)
    place = "  ".join(map(line, (finding.system, finding.relation, finding.source.case.id)))
    head = Text.assemble((line(finding.id), "bold cyan"), f"  {place}")
    head.append(f" turn {finding.source.turn + 1}" if finding.source.turn else "")
    head.append(f"  {finding.count} verdicts" if finding.count > 1 else "")
    head.append("  new" if finding.new else "", "bold")
    head.append(f"  {finding.mark}" if finding.mark else "", "yellow" if finding.flaky else "green")
    head.append(f"  [{line(finding.label)}]" if finding.label else "", "bold")
    more = and_more(others).replace("; ", "  ")
    head.append(more if finding.outcome == "violated" or not more else f"  and {others:,} more like it")
    out.print(head)
    if snippet := _snippet(view):
        out.print(Text(f"    {snippet}", style="dim", no_wrap=True, overflow="ellipsis"))
    out.print(Text(f"    {_answers(view, out.width - 4)}", style="dim", no_wrap=True, overflow="ellipsis"))
    if finding.outcome != "violated" or view.unmoved:  # the answers alone do not show the violation
        out.print(Text(f"    {line(finding.why)}", style="dim"))


def _answers(view: FindingView, width: int) -> str:
    """Return a finding's answers on one line, followed by the expected answer if they were compared with one.

    A finding without follow-ups gets its reason instead.
    """
    sides = max(len(view.answers) + bool(view.compared), 1)
    unmoved = "before and after the change" if view.unmoved else ""
    room = (width - len(view.compared or unmoved)) // sides - 6  # less an arrow and two quotes
    answers, expected = view.brief(max(room, 16))
    quoted = [repr_of(answer) for answer in answers]
    if unmoved:
        return f"{quoted[0]} {unmoved}"
    if view.unstable:
        return view.unstable
    if view.elsewhere and len(quoted) == 2:
        return f"asked plainly {quoted[0]}; {view.elsewhere} {quoted[1]}"
    text = " -> ".join(quoted) if view.pairs else visible(view.record.why)
    return f"{text}; {view.compared} {expected}" if view.compared else text


def _snippet(view: FindingView) -> str:
    """Return a line with the text around the first change, or with a description if the text shows no change."""
    text = "".join(f"{{+{span.text}+}}" if span.changed else span.text for span in view.headline)
    marked = view.elsewhere or view.unstable or any(span.changed for span in view.headline)
    return " ".join((text if marked or not view.says else f"{text} ({view.says})").split())


def closing_lines(report: Report, where: str = "", run: str = "RUN") -> list[str]:
    """Return the last lines printed for a run: results, queries, the path of the report, and the next step.

    `run` is the name of this run on the command line.
    """
    lines = [*result_lines(report), f"queries: {queries_text(report.run.queries)}"]
    if (helper := report.run.helper) is not None:
        lines.append(f"helper {line(helper.label)}: {helper_text(helper)}")
    lines += _why_errors(report)
    lines += accepted_endpoints(report).values()
    lines += [f"tokens: {spent}"] if (spent := spent_text(report.run)) else []
    if where:
        lines.append(f"report: {where}")
    if open_pairs := sum(row.open for row in report.summary):
        pairs_are = "1 pair is" if open_pairs == 1 else f"{open_pairs:,} pairs are"
        lines.append(f"{pairs_are} open, the judge cannot tell: mutatis show {shlex.quote(run)} --open")
    if report.all_findings:
        [first] = spread(report.findings, 1, capabilities_of(report))
        lines.append(f"next: mutatis show {shlex.quote(run)} {line(first.id)}")
    return lines


def _why_errors(report: Report) -> list[str]:
    """Return a line on why one of the answers failed, unless a health note already reports failed answers."""
    if any(note.name in ("errors", "not-parsed") for note in report.health):
        return []
    errors = [example for example in report.examples if example.outcome == "error"]
    return [f"an error of {line(error.relation)}: {line(error.reason)}" for error in errors[:1]]


def print_finding(finding: FindingRecord, out: Console, *, full: bool = False, rows: Sequence[SummaryRow] = ()) -> None:
    """Print one finding: source and follow-ups side by side, answers, reason, and how to replay it.

    `rows` are the summary rows of the report, which state how many findings like this one are expected to be real.
    """
    view = finding_view(finding, full=full)
    where = f"  {line(finding.system)} on {line(finding.task)}: "
    out.print(Text.assemble((line(finding.id), "bold cyan"), where, (line(finding.relation), "bold")))
    facts = [f"source {line(finding.source.case.id)}", f"turn {finding.source.turn + 1}"]
    facts += [f"{finding.count} verdicts"] if finding.count > 1 else []
    facts += [finding.mark] if finding.mark else []
    out.print(Text(", ".join(facts)))
    for field in view.material:
        out.print(Text.assemble((f"{field.name}: ", "bold"), _text(field.spans, ("", ""))))
    out.print()
    for pair in (*view.shown, *view.original):
        _print_pair(pair, out)
    for name, text in _evidence(view, rows):
        if text:
            out.print(Text.assemble((f"{name}: ", "bold"), text))
    if finding.replay:
        out.print(Text.assemble(("replay: ", "bold"), line(finding.replay)), soft_wrap=True)


def _evidence(view: FindingView, rows: Sequence[SummaryRow]) -> list[tuple[str, str]]:
    """Return named lines on why a finding was reported and how far to trust it. A line without text does not apply."""
    finding = view.record
    cause = f"; {view.elsewhere} there is another" if view.elsewhere else ""
    cause += f": {view.unstable}" if view.unstable else ""
    own_rows = [row for row in rows if finding.outcome == "violated" and row_of(row) == row_of(finding)]
    return [
        ("why", visible(finding.why) or "(no reason given)"),
        ("as found", visible(view.first_reason)),
        ("cause", view.cause and view.cause + cause),
        (view.compared or "annotated answer", view.expected),
        ("judged by", view.judged),
        *(("trust", expectation(row) or "not known") for row in own_rows),
        ("labelled", line(finding.label)),
    ]


def _print_pair(pair: Pair, out: Console) -> None:
    table = Table(box=box.ROUNDED, show_lines=True, expand=True)
    columns = (pair.source,) if pair.alike else (pair.source, pair.follow_up)
    for column in columns:
        title = Text(column.title, style="bold")
        descriptions = dict.fromkeys((column.says, column.steps))  # they may be equal
        title.append("".join(f"\n{text}" for text in descriptions if text), "dim")
        table.add_column(title, ratio=1, overflow="fold", vertical="top")
    if any(column.history for column in columns):
        table.add_row(*(_history(column, _brackets(column, out)) for column in columns))
    table.add_row(*(_inputs(column, _brackets(column, out)) for column in columns))
    table.add_row(*(_answer(column.answer) for column in columns))
    out.print(table)


def _history(column: Column, brackets: tuple[str, str]) -> RenderableType:
    text = Text(style="dim")
    for turn in column.history:
        text.append(f"{turn.number}. ").append_text(_text(turn.spans, brackets))
        text.append(f"  ({turn.mark})" if turn.mark else "", "yellow").append("\n")
        if turn.reply is not None:
            text.append(f"   -> {turn.reply}\n")
    text.rstrip()
    return text


def _brackets(column: Column, out: Console) -> tuple[str, str]:
    """Return the brackets to put around changed text if there are no colours, as in `git diff --word-diff`."""
    if out.color_system:
        return "", ""
    return ("[-", "-]") if column.title == "source" else ("{+", "+}")


def _inputs(column: Column, brackets: tuple[str, str]) -> RenderableType:
    text = Text()
    for field in column.fields:
        text.append(f"{field.name}: ", "bold").append_text(_text(field.spans, brackets)).append("\n")
    if column.notes:
        text.append(column.notes, "dim")
    text.rstrip()
    return text


def _text(spans: Sequence[MarkedSpan], brackets: tuple[str, str]) -> Text:
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
    text = Text.assemble(("answer: ", "bold"), answer.text)
    if answer.value is not None:
        text.append("\nread as: ", "bold").append(answer.value)
    if answer.note:
        text.append(f"\n({answer.note})", "yellow")
    return text
