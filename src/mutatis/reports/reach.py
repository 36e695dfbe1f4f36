"""Shows the changes tried on a run's questions, and the values where replies change, in every form of report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from mutatis.core.gathering import gathered
from mutatis.core.relation import CHANGES
from mutatis.records.dictionary import EntriesRecord, EntryRecord
from mutatis.records.report import EdgesRecord, ReachOfChange, ReachOfQuestion, ReachRecord, Report
from mutatis.reports.numbers import counted, line
from mutatis.reports.tables import plain_table
from mutatis.reports.widths import cut_to

if TYPE_CHECKING:
    from rich.console import Console

COLUMNS = ("change", "questions tried", "fell", "held", "open", "not applicable", "why not")

NOT_APPLICABLE = "not-applicable"
_WORDS = {"fell": "fell", "held": "held", "open": "open", "failed": "error", NOT_APPLICABLE: "not applicable"}
"""Words for the results of a kind of change on a question, in display order."""


def reach_cells(kind: ReachOfChange) -> list[str]:
    """Return the table cells for one kind of change, with counts of zero left blank."""
    why = next(iter(kind.reasons), "")
    counts = (kind.fell, kind.held, kind.open, kind.not_applicable)
    return [kind.change, f"{kind.tried:,}", *(f"{count:,}" if count else "" for count in counts), line(why)]


def sentence(reach: ReachRecord) -> str:
    """Return a sentence on the kinds of change that could be tried, and on how many questions.

    >>> kinds = [{"change": "value", "held": 9, "not_applicable": 16}, {"change": "limit", "not_applicable": 25}]
    >>> sentence(ReachRecord(system="bot", questions=25, kinds=kinds, untried=["list"]))
    'of 25 questions, value was tried on 9; limit on none; this run has no change of list'

    Changes that got no answer, or that the budget did not allow, are listed as tried on none, too.
    >>> kinds = [{"change": "unit", "not_applicable": 6}, {"change": "noise"}]
    >>> sentence(ReachRecord(system="bot", questions=6, kinds=kinds))
    'of 6 questions, unit, noise were tried on none'
    """
    partly = [kind for kind in reach.kinds if kind.not_applicable and 0 < kind.tried < reach.questions]
    never = [kind.change for kind in reach.kinds if not kind.tried]
    counts = [(kind.change, f"{kind.tried:,}") for kind in partly]
    counts += [(", ".join(never), "none")] if never else []
    verb = "was tried " if partly or len(never) == 1 else "were tried "  # only the first part has a verb
    parts = [f"{changes} {'' if place else verb}on {count}" for place, (changes, count) in enumerate(counts)]
    parts += [f"this run has no change of {', '.join(reach.untried)}"] if reach.untried else []
    return f"of {counted(reach.questions, 'question')}, {'; '.join(parts)}" if parts else ""


def tried_systems(report: Report) -> list[dict[str, Any]]:
    """Return the data for each system on the page: a table of the kinds of change, and a table of the questions."""
    return [
        {
            "name": line(reach.system),
            "columns": COLUMNS,
            "rows": [reach_cells(kind) for kind in reach.kinds],
            "sentence": sentence(reach),
            "changes": [kind.change for kind in reach.kinds],
            "questions": [_question(question, reach) for question in reach.table],
            "more": reach.questions - len(reach.table),
        }
        for reach in report.reach
        if reach.kinds
    ]


def _question(question: ReachOfQuestion, reach: ReachRecord) -> dict[str, Any]:
    cells = []
    for kind in reach.kinds:
        state = question.states.get(kind.change, "")
        word = "\u2013" if state == NOT_APPLICABLE else _WORDS.get(state, "")
        cells.append((word, line(question.reasons.get(kind.change, ""))))
    return {"text": line(question.question), "cells": cells}


def dictionary_lines(entries: EntriesRecord) -> dict[str, list[str]]:
    """Return the facts learnt about a system as lines, grouped by kind of fact."""
    return {
        "names of one kind": [
            f"{f'{kind.kind}: ' if kind.kind else ''}{', '.join(map(_entry, kind.names))}" for kind in entries.names
        ],
        "limits": [f"{_entry(limit)}{' (contradicted)' if limit.contradicted else ''}" for limit in entries.limits],
        "directions of prices": [_entry(direction) for direction in entries.directions],
        "values": [_entry(value) for value in entries.values],
    }


def _entry(entry: EntryRecord) -> str:
    return f"{entry.text} x{len(entry.seen)}"


def question_lines(question: ReachOfQuestion) -> list[str]:
    """Return lines on the changes tried on a question, grouped by result, with the reasons why others do not apply.

    >>> states = {"value": "not-applicable", "limit": "not-applicable", "noise": "fell", "wording": "held"}
    >>> reasons = {"value": "it holds no value", "limit": "it holds no value"}
    >>> question_lines(ReachOfQuestion(source="q/1", question="Hello?", states=states, reasons=reasons))
    ['fell: noise', 'held: wording', 'not applicable: value, limit (it holds no value)']
    """

    def result(change: str) -> tuple[str, str]:
        state = question.states[change]
        return state, question.reasons.get(change, "") if state == NOT_APPLICABLE else ""

    by_result = gathered(question.states, result)
    return [
        f"{word}: {', '.join(changes)}" + (f" ({why})" if why else "")
        for listed_state, word in _WORDS.items()
        for (state, why), changes in by_result.items()
        if state == listed_state
    ]


def print_reach(report: Report, out: Console, *, every: bool = False) -> None:
    """Print the kinds of change tried on each system, with the numbers of questions and the results.

    With `every`, also print the results for each question.
    """
    for reach in report.reach:
        if not reach.kinds:
            continue
        table = plain_table(f"what was tried on {line(reach.system)}")
        for name in COLUMNS:
            is_text = name in ("change", "why not")
            width = max(map(len, CHANGES)) if name == "change" else None  # the same in the tables of all systems
            table.add_column(name, justify="left" if is_text else "right", overflow="fold", min_width=width)
        for kind in reach.kinds:
            table.add_row(*reach_cells(kind))
        out.print(table)
        if text := sentence(reach):
            out.print(text, style="dim", soft_wrap=not out.is_terminal)
        out.print()
        if every:
            _print_questions(reach, out)


def _print_questions(reach: ReachRecord, out: Console) -> None:
    from rich.text import Text

    for question in reach.table:
        out.print(Text(line(question.question), style="bold"), soft_wrap=True)
        for result in question_lines(question):
            out.print(Text(f"    {line(result)}"), soft_wrap=True)
    if (more := reach.questions - len(reach.table)) > 0:
        out.print(f"... {counted(more, 'more question')}")
    out.print()


# The values in questions at which a system's replies change.

EDGE_COLUMNS = ("question", "value", "changes between", "reply to the smaller", "reply to the larger", "price")
TITLE = "where answers change along a value"
SHORTENED = 70
"""Maximum number of characters of a question or reply in the table, which shows where replies change."""

Cells: TypeAlias = list[str]
"""The cells of one table row, in the order of EDGE_COLUMNS."""


def edge_tables(report: Report) -> dict[str, list[Cells]]:
    """Return a table for each system whose replies change with a value in the question."""
    tables: dict[str, list[Cells]] = {}
    for record in report.edges:
        tables.setdefault(record.system, []).extend(edge_rows(record))
    return tables


def edge_rows(record: EdgesRecord) -> list[Cells]:
    """Return a table row for each change of the reply between two values.

    If the price changes evenly with the value, return a single row that says so.
    """
    question = [_short(record.question), line(record.value)]
    if not record.edges:
        return [[*question, "", "", "", "changes evenly with the value"]]
    return [
        [
            *question,
            f"{line(edge.low)} and {line(edge.high)}",
            _short(edge.below),
            _short(edge.above),
            _price(record, edge.low),
        ]
        for edge in record.edges
    ]


def _price(record: EdgesRecord, low: str) -> str:
    """Return a note on how a price changes with a value, or "" if there is nothing to say.

    The note says that the price turns at this value from rising to falling or the reverse, or else that it moves in the
    direction that the user stated.
    """
    if record.turn and record.turn[1] == low:  # the middle one of three values
        return f"turns at {line(low)}" + (f", should go {line(record.direction)}" if record.direction else "")
    return f"goes {line(record.direction)}, as stated" if record.direction else ""


def _short(text: str) -> str:
    return cut_to(line(text), SHORTENED, "...")


def print_edges(report: Report, out: Console) -> None:
    """Print the values in questions that change each system's answers."""
    for system, rows in edge_tables(report).items():
        table = plain_table(f"{TITLE}: {line(system)}")
        for name in EDGE_COLUMNS:
            table.add_column(name, overflow="fold")
        for row in rows:
            table.add_row(*row)
        out.print(table)
        out.print()
