"""Does a finished run pass? Whether it could be tested at all, and whether more was violated than is allowed.

Knows the records of a report only, so that the command line, Python, pytest and JUnit say the same of one run.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import pydantic

from mutatis.analysis.comparison import new_findings
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.relation import RELATIONS
from mutatis.core.transformation import NO_CHANGE
from mutatis.options import FileName, Options
from mutatis.records import Report
from mutatis.records.report import SummaryRow, SystemRecord
from mutatis.reports.asked import newest_age, on_stored_answers, told_of
from mutatis.reports.numbers import counted, line, number, percent

LONGEST = 160
"""Characters of an error that are told."""

FEW = 10
"""Verdicts of an even share below which its rate says nothing beside findings: by so few, a bandit's gate would pass or
fail on chance. `min_judged` replaces it."""


MOST_LISTED = 6
"""Relations of a run that an error names."""

UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
"""Seconds of the units of a duration."""

REMEDIES = (
    'ask anew (--fresh), say that it was redeployed (revision = "..."), accept answers of that age '
    '([gate] max_age = "12h"), or judge what is stored (--offline)'
)
"""What to do where nothing was asked, on the command line."""

IN_PYTHON = (
    'ask anew (fresh=True), say that it was redeployed (revision="..."), accept answers of that age '
    '(check(max_age="12h")), or judge what is stored (offline=True)'
)
"""The same in a program."""


class Gate(Options):
    """`[gate]`: when a run fails.

    Violations fail it only where `max_rate` (per row of the summary), `relations` (the rate of single relations),
    `max_findings` or `baseline` (a RUN, or a file of known findings: those that it lacks) is given. That nothing was
    judged, or that more than `max_errors` of the verdicts of a system on a task are ERROR, is no pass whatever is
    given; so is a row whose rate rests on fewer than `min_judged` verdicts. Where violations may fail it, an endpoint
    that was asked nothing is no pass either, unless its newest stored answer is no older than `max_age`.

    Attributes:
        max_rate: highest violation rate of a row of the summary.
        max_findings: most distinct findings.
        max_errors: highest share of ERROR among the verdicts of a system on a task.
        min_judged: least verdicts that the rate of a row rests on.
        baseline: a RUN, or a file of known findings: the findings that it lacks fail.
        relations: the highest rate of single relations, by name.
        max_age: how old the newest stored answer of an endpoint may be that was asked nothing, such as "12h".
    """

    max_rate: float | None = pydantic.Field(default=None, ge=0, le=1)
    max_findings: int | None = pydantic.Field(default=None, ge=0)
    max_errors: float = pydantic.Field(default=0.1, ge=0, le=1)
    min_judged: int | None = pydantic.Field(default=None, ge=1)
    baseline: FileName | None = None
    relations: dict[str, Annotated[float, pydantic.Field(ge=0, le=1)]] = pydantic.Field(default_factory=dict)

    max_age: str | None = None

    @pydantic.field_validator("max_age", mode="before")
    @classmethod
    def _is_a_duration(cls, written: Any) -> Any:
        if written is not None:
            seconds_of(written)
        return written

    @property
    def limited(self) -> bool:
        """Whether violations may fail a run."""
        others = (self.max_rate, self.max_findings, self.min_judged, self.baseline)
        return bool(self.relations) or any(limit is not None for limit in others)

    def of_run(self, relations: Sequence[str], notes: Sequence[str] = ()) -> Gate:
        """Return the gate of a run of these relations, by their names: reports know no published ids.

        `notes` say what was left out of the run, and why.

        Raises:
            UsageError: a limit for what is no relation of the run, or never gated: it would be kept by nothing.
        """
        limits = {name if name in relations else _named(name, relations): at for name, at in self.relations.items()}
        for name in limits:
            if name == NO_CHANGE:
                raise UsageError(
                    f"[gate.relations] limits {NO_CHANGE!r}, which is never gated: it is the noise floor; leave it out"
                )
            if name not in relations:
                why = next((f" ({note})" for note in notes if name in note), "")
                raise UsageError(
                    f"[gate.relations] limits {name!r}, which is not in this run{why}; {_nearest(name, relations)}"
                )
        return self.model_copy(update={"relations": limits})

    def limit(self, relation: str) -> float | None:
        """Return the highest violation rate allowed to a relation; None where there is none."""
        return None if relation == NO_CHANGE else self.relations.get(relation, self.max_rate)


def _named(name: str, relations: Sequence[str]) -> str:
    """Return what a published id stands for; a misspelt name is told with the nearest one of the run first."""
    if name not in RELATIONS and difflib.get_close_matches(name, relations, n=1):
        raise unknown_name("relation in [gate.relations]:", name, relations)
    return RELATIONS.resolve(name)


def _nearest(name: str, relations: Sequence[str]) -> str:
    """Return which relation of a run may be meant, or which there are."""
    if near := difflib.get_close_matches(name, relations, n=1):
        return f"did you mean {near[0]!r}?"
    names = ", ".join(relations[:MOST_LISTED]) + (", ..." if len(relations) > MOST_LISTED else "")
    return f"add it to `relations`, or limit one of: {names}"


def seconds_of(written: object) -> float:
    """Return a duration in seconds.

    Raises:
        ValueError: it is none.

    >>> seconds_of("12h"), seconds_of("1d 30min")
    (43200.0, 88200.0)
    """
    text = written.replace(" ", "") if isinstance(written, str) else ""
    parts = re.findall(r"(\d+(?:\.\d+)?)(min|[smhdw])", text)
    if not parts or "".join(map("".join, parts)) != text:
        raise ValueError('expected a duration, such as "30min", "12h" or "7d"')
    return sum(float(number) * UNITS[unit] for number, unit in parts)


def _accepted(report: Report, gate: Gate, system: SystemRecord) -> str | None:
    """Return why stored answers of a system will do, empty where no gate was asked for; None where they will not."""
    if not gate.limited:
        return ""
    if report.run.offline:
        return "--offline"
    seconds = newest_age(report, system)
    if gate.max_age is not None and seconds is not None and seconds <= seconds_of(gate.max_age):
        return f'max_age = "{gate.max_age}"'
    return None


def unasked(report: Report, gate: Gate, remedies: str = REMEDIES) -> dict[str, str]:
    """Return the endpoints whose stored answers the gate does not accept, with a line that says what to do."""
    return {
        one.system: f"{told_of(report, one)}; {remedies}"
        for one in on_stored_answers(report)
        if _accepted(report, gate, one) is None
    }


def accepted(report: Report) -> dict[str, str]:
    """Return the endpoints that were asked nothing where this is no failure, with the line that says so."""
    gate = gate_of(report)
    reasons = [(one, _accepted(report, gate, one)) for one in on_stored_answers(report)]
    return {one.system: told_of(report, one, why) for one, why in reasons if why is not None}


def untested(report: Report, gate: Gate = Gate(), remedies: str = REMEDIES) -> list[str]:  # noqa: B008 - frozen
    """Return one line per reason why the run says nothing of a system; empty when it was tested.

    INVALID verdicts count for nothing here: they are reached without asking. A line tells why answers failed.
    `remedies` are those where nothing was asked.
    """
    rows = report.summary
    if not rows:
        return ["no verdict was reached: nothing was asked"]
    lines = []
    for system, task in dict.fromkeys((row.system, row.task) for row in rows):
        own = [row for row in rows if (row.system, row.task) == (system, task)]
        errors = sum(row.error for row in own)
        judged = sum(row.judged for row in own)
        if not judged:
            invalid = sum(row.invalid for row in own)
            counted = f"({errors} error, {invalid} invalid)"
            lines.append(f"{system} on {task}: no answer could be judged {counted}{_cause(report, system, task)}")
        elif errors > gate.max_errors * (errors + judged):
            share = errors / (errors + judged)
            lines.append(
                f"{system} on {task}: {errors} of {errors + judged} verdicts are ERROR ({share:.1%}), "
                f"more than {gate.max_errors:.1%}{_cause(report, system, task)}"
            )
    lines += [check.message for check in report.health if lines and check.name == "budget"]
    idle, systems = unasked(report, gate, remedies), {row.system for row in rows}
    return lines + [told for system, told in idle.items() if system in systems]


def _cause(report: Report, system: str, task: str) -> str:
    """Return why answers failed: as a health check says, else as an example does (it may be the helper that failed)."""
    for check in report.health:
        if check.name in ("errors", "not-parsed") and check.subject == f"{system} on {task}":
            return f"; {check.message}"
    for one in report.examples:
        if (one.system, one.task, one.outcome) == (system, task, "error") and one.reason:
            return f"; for example: {line(one.reason)[:LONGEST]}"
    return ""


def violations(report: Report, gate: Gate) -> list[str]:
    """Return one line per broken limit; empty when the run is within the gate, or there is none."""
    lines = []
    for row in report.summary:
        where = f"{row.relation} on {row.system}, {row.task}"
        limit = gate.limit(row.relation)
        if limit is not None and row.rate is not None and row.rate > limit:
            lines.append(f"{where}: violation rate {row.rate:.1%} is above {limit:.1%}")
        elif limit is not None and limit < 1 and row.distinct and (why := _no_rate(row, gate)):
            lines.append(
                f"{where}: {row.distinct} findings of a search, {why}; set max_findings instead of {limit:.1%}"
            )
        if gate.min_judged is not None and row.relation != NO_CHANGE and row.rests_on < gate.min_judged:
            share = "in the even share" if row.rests_on < row.judged else "judged"
            lines.append(f"{where}: {row.rests_on} verdicts were {share}, fewer than {gate.min_judged}")
    found = sum(row.distinct for row in report.summary if row.relation != NO_CHANGE)
    if gate.max_findings is not None and found > gate.max_findings:
        lines.append(f"{found} findings, more than {gate.max_findings}")
    if gate.baseline is not None:
        lines += [
            f"new finding {one.id}: {one.relation} on {one.system}, {one.task}, source {one.source.case.id} "
            f"(not in the baseline {gate.baseline})"
            for one in new_findings(one for one in report.all_findings if one.new)
        ]
    return lines


def limits(gate: Gate) -> str:
    """Return what a gate allows, in a few words; empty where it limits nothing.

    >>> limits(Gate(max_rate=0.1, max_findings=3)), limits(Gate())
    ('at most 10.0 %, at most 3 findings', '')
    """
    told = [] if gate.max_rate is None else [f"at most {percent(gate.max_rate)}"]
    told += [f"{line(relation)} at most {percent(limit)}" for relation, limit in gate.relations.items()]
    if gate.max_findings is not None:
        told.append(f"at most {counted(gate.max_findings, 'finding')}")
    if gate.min_judged is not None:
        told.append(f"at least {counted(gate.min_judged, 'verdict')} a row")
    if gate.baseline is not None:
        told.append("no new finding")
    return ", ".join(told)


def passed(report: Report, gate: Gate) -> str:
    """Return what a run that broke no limit has kept, and what the baseline knew; empty without a limit."""
    kept = limits(gate)
    if not kept:
        return ""
    if gate.baseline is None:
        return f"gate: passed ({kept})"
    known = sum(one.new is False for one in report.all_findings)
    others = limits(gate.model_copy(update={"baseline": None}))
    flaky = sum(bool(one.new) for one in report.all_findings)  # confirmed ones would have failed the gate
    told = f"0 new findings, {number(known)} known from {line(Path(gate.baseline).name)}"
    told += f", {number(flaky)} new and FLAKY" if flaky else ""
    return f"gate: passed{f' ({others})' if others else ''}; {told}"


def _no_rate(row: SummaryRow, gate: Gate) -> str:
    """Return why a row with findings has no rate that a limit may be held against; nothing where it has one."""
    least = gate.min_judged or FEW
    if row.estimate == "none":
        return "not an estimate: no rate to hold against a limit"
    if row.estimate == "even" and row.rests_on < least:
        return f"whose even share has {row.rests_on} of the {least} verdicts that a rate to hold against a limit needs"
    return ""


def gate_of(report: Report) -> Gate:
    """Return the gate that a run was configured with."""
    return Gate.model_validate(report.run.config.get("gate") or {})
