"""Summarises a run: one sentence per system with the gate's result, and its relations grouped by capability.

The texts, and the positions of bars in charts, are ready for display.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from mutatis.core.gathering import gathered
from mutatis.core.transformation import NO_CHANGE
from mutatis.records.report import Report, SummaryRow
from mutatis.reports.faults import faults_text, number_of_groups
from mutatis.reports.gate import Gate, gate_of, limits
from mutatis.reports.metrics import bias_clause, refusals_of
from mutatis.reports.numbers import counted, line, number, percent
from mutatis.reports.passing import Passing, accepted_endpoints, passing
from mutatis.reports.rates import folded_in_brief, lower_bound, not_judged, rate_notes, rate_text, unfolded, worst_first


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSentence:
    """A sentence on one system, with the gate's result and a phrase on how often the system refuses.

    The result is "pass", "fail", "untested", or "open" if there is no gate.
    """

    system: str
    text: str
    word: str
    gate: str
    why: tuple[str, ...] = ()
    refusals: str = ""


Groups: TypeAlias = tuple[tuple[str, tuple[SummaryRow, ...]], ...]
"""Relations grouped by capability, with the worst ones first."""

Cells: TypeAlias = tuple[tuple[str, tuple[tuple[str, str, tuple[SummaryRow | None, ...]], ...]], ...]
"""Table cells grouped by capability.

Each row has a relation, its description, and one result per system, or None if the relation was not run on it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRates:
    """Results of one system on one task: the relations with findings, and the others, which `fold` summarises."""

    system: str
    groups: Groups
    folded: Groups
    fold: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRates:
    """Violation rates of all systems on one task.

    `matrix` compares several systems side by side. `folded` contains the relations without findings for any system.
    """

    task: str
    systems: tuple[str, ...]
    tables: tuple[SystemRates, ...]
    matrix: Cells
    folded: Cells


_GATE = {"untested": "not tested", "fail": "fails the gate", "pass": "passes the gate", "open": "no gate was set"}


def overview_sentences(report: Report, *, live: bool = False) -> list[SystemSentence]:
    """Return one sentence per system, in summary order, without the gate's result while a run is in progress."""
    rows_of = gathered(report.summary, lambda row: row.system)
    if live:
        return [
            SystemSentence(system=line(system), text=_so_far(rows), word="open", gate="the run goes on")
            for system, rows in rows_of.items()
        ]
    return [_system_sentence(report, gate_of(report), system, rows) for system, rows in rows_of.items()]


def _system_sentence(report: Report, gate: Gate, system: str, rows: Sequence[SummaryRow]) -> SystemSentence:
    result = _passing_alone(report, gate, system, rows)
    word = {"passed": "pass" if gate.limited else "open", "violated": "fail"}.get(result.word, "untested")
    reasons = [why for name, why in accepted_endpoints(report).items() if name == system] + [*result.reasons]
    return SystemSentence(
        system=line(system),
        text=_sentence(report, system, rows),
        word=word,
        gate=f"{_GATE[word]} ({limits(gate)})" if word == "pass" else _GATE[word],
        why=(*map(line, reasons[:3]), *([f"and {number(len(reasons) - 3)} more"] if len(reasons) > 3 else [])),
        refusals=refusals_of(report.metrics, system),
    )


def _passing_alone(report: Report, gate: Gate, system: str, rows: Sequence[SummaryRow]) -> Passing:
    """Return the result of one system, as if it were the only one of the run."""
    needs_findings = gate.baseline is not None or gate.max_findings is not None  # in a large run, reading them is slow
    findings = [finding for finding in report.all_findings if finding.system == system] if needs_findings else []
    relations = {row.relation for row in rows}
    of_others = {row.relation for row in report.summary} - relations  # requested for the data of other systems
    run = report.run.model_copy(update={"named": [name for name in report.run.named if name not in of_others]})
    part = report.model_copy(update={"run": run, "summary": rows, "findings": findings}).holding(findings)
    relation_limits = {name: limit for name, limit in gate.relations.items() if name in relations}
    return passing(part, gate.model_copy(update={"relations": relation_limits}))


def result_lines(report: Report) -> list[str]:
    """Return a line on the results of each system, followed by one on its refusals, and one on unjudged verdicts."""
    lines = []
    for system, rows in gathered(report.summary, lambda row: row.system).items():
        texts = (_sentence(report, system, rows), refusals_of(report.metrics, system))
        lines += [f"{line(system)} {text}" for text in texts if text]
    return lines + [f"not judged: {counts}" for counts in [not_judged(report.summary)] if counts]


def _so_far(rows: Sequence[SummaryRow]) -> str:
    """Return a phrase on a system's results so far, while its run is in progress.

    It does not suggest that the system passes just because nothing has been found yet.
    """
    judged, violated = sum(row.judged for row in rows), sum(row.violated for row in rows)
    if not judged:
        return f"nothing is decided yet{_open(rows)}."
    if not violated:
        return f"{counted(judged, 'verdict')} so far, none of them a violation yet{_open(rows)}."
    return f"contradicts itself in {number(violated)} of {number(judged)} verdicts so far{_open(rows)}."


def _open(rows: Sequence[SummaryRow]) -> str:
    """Return a phrase with the number of answer pairs that the judge left undecided, or "" if there are none."""
    pairs = sum(row.open for row in rows)
    return f"; {counted(pairs, 'pair')} {'is' if pairs == 1 else 'are'} open: the judge cannot tell" if pairs else ""


def _sentence(report: Report, system: str, all_rows: Sequence[SummaryRow]) -> str:
    """Return the sentence on a system's results, without its name: how often it is inconsistent, and where most.

    It begins with the bias that influences a grader most.
    """
    return bias_clause(report.metrics, system) + _results(report, system, all_rows)


def _results(report: Report, system: str, all_rows: Sequence[SummaryRow]) -> str:
    rows = [row for row in all_rows if row.relation != NO_CHANGE]
    judged, violated = sum(row.judged for row in rows), sum(row.violated for row in rows)
    findings, flaky = sum(row.findings for row in rows), sum(row.flaky for row in rows)
    if not judged and rows and all(row.applies_to_nothing for row in rows):
        return "was not tested: no relation applies to the inputs."
    if not judged:
        return f"gave no answer that could be judged{_open(rows)}."
    if not violated:
        return f"kept every relation: 0 of {counted(judged, 'verdict')} are violations{_open(rows)}."
    if all(row.only_flaky for row in rows if row.violated):
        return (
            f"does not always give the same answer: none of {counted(flaky, 'finding')} recurred when asked again "
            f"(FLAKY; {number(violated)} of {number(judged)} verdicts){_open(rows)}."
        )
    text = f"contradicts itself in {number(violated)} of {number(judged)} verdicts"
    searched = any(row.estimate != "all" for row in rows)
    text += " of a search that looks for failures" if searched else f" ({percent(violated / judged)})"
    text += f": {_faults(report, system, findings)}"
    text += f" and {number(flaky)} FLAKY, counted separately" if flaky else ""
    rated = [row for row in rows if row.rate is not None]
    if not rated:
        return f"{text}; this is a search, not an estimate{_open(rows)}."
    worst = max(rated, key=lambda row: (lower_bound(row), row.rate or 0.0))
    return f"{text}; most under {line(worst.relation)} ({rate_text(worst)}){_open(rows)}."


def _faults(report: Report, system: str, findings: int) -> str:
    """Return the number of a system's faults and findings, or in a large run only the number of its findings."""
    if len(report.all_findings) > len(report.findings):
        return counted(findings, "distinct finding")
    counting = (each for each in report.findings if each.system == system and not each.flaky)
    return faults_text(number_of_groups(each for each in counting if each.relation != NO_CHANGE), findings)


def blocks(summary: Sequence[SummaryRow]) -> list[TaskRates]:
    """Return the rates of each task, with relations grouped by capability and the worst first."""
    tasks = gathered(summary, lambda row: row.task)
    return [_block(task, gathered(rows, lambda row: row.system)) for task, rows in tasks.items()]


def _block(task: str, systems: Mapping[str, Sequence[SummaryRow]]) -> TaskRates:
    in_order = worst_first(chain.from_iterable(systems.values()))
    tables = []
    for system, rows in systems.items():
        with_findings, others = unfolded(worst_first(rows))
        groups, notes = _grouped(with_findings), tuple(rate_notes(rows))
        fold = folded_in_brief(others, len(rows))
        tables.append(SystemRates(system=system, groups=groups, folded=_grouped(others), fold=fold, notes=notes))
    violated = {row.relation for row in in_order if row.distinct}
    return TaskRates(
        task=task,
        systems=tuple(systems),
        tables=tuple(tables),
        matrix=_matrix([row for row in in_order if row.relation in violated], list(systems)),
        folded=_matrix([row for row in in_order if row.relation not in violated], list(systems)),
    )


def _grouped(rows: Iterable[SummaryRow]) -> Groups:
    groups = gathered(rows, lambda row: row.capability or "relations")
    return tuple((capability, tuple(members)) for capability, members in groups.items())


def _matrix(rows: Sequence[SummaryRow], systems: Sequence[str]) -> Cells:
    if len(systems) < 2:
        return ()
    cells = {(row.relation, row.system): row for row in rows}
    matrix = []
    for capability, members in _grouped(rows):
        table_rows = tuple(
            (relation, says, tuple(cells.get((relation, system)) for system in systems))
            for relation, says in dict.fromkeys((row.relation, row.says) for row in members)
        )
        matrix.append((capability, table_rows))
    return tuple(matrix)
