"""Decides whether a finished run passes, whether it tested anything, and which limits it exceeds.

The command line, Python, pytest, JUnit, Markdown and the page all use this module, so they never disagree about a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from mutatis.analysis.newness import fails_builds, new_findings
from mutatis.core.errors import names_text
from mutatis.core.gathering import gathered
from mutatis.core.transformation import NO_CHANGE
from mutatis.core.verdict import Row
from mutatis.records.asked import RepliesRecord
from mutatis.records.report import FindingRecord, Report, SummaryRow, SystemRecord, row_of
from mutatis.reports.faults import and_more, faults_text, groups_of, number_of_groups, other_findings
from mutatis.reports.gate import Gate, gate_of, limits, seconds_of
from mutatis.reports.numbers import counted, duration, line, number, seconds_between
from mutatis.reports.ranking import capabilities_of, spread
from mutatis.reports.rates import not_judged

LONGEST = 160
"""Maximum number of characters quoted from an error message."""

NAMED = 6
"""Maximum number of relations named individually."""

FEW = 10
"""Minimum number of verdicts that a rate must rest on if a search chooses its questions adaptively.

Only the questions that such a search draws evenly count. A rate over fewer would pass or fail the gate by chance.
`min_judged` replaces this minimum.
"""

REMEDIES = (
    'ask again (--fresh), declare that it was redeployed (revision = "..."), accept answers of that age '
    '([gate] max_age = "12h"), or judge what is stored (--offline)'
)
"""Advice shown on the command line if nothing was asked."""

IN_PYTHON = (
    'ask again (fresh=True), declare that it was redeployed (revision="..."), accept answers of that age '
    '(check(max_age="12h")), or judge what is stored (offline=True)'
)
"""Advice shown to users of the Python interface if nothing was asked."""

_OF_SYSTEMS = frozenset({"errors", "not-parsed"})
"""Health checks whose failure is due to the system and not to the helper model."""

Word = Literal["passed", "violated", "misused", "untested"]
"""Result of a run, in the order of the exit codes 0 to 3.

`misused` means that nothing was tested although neither the system nor the helper failed.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passing:
    """Result of a run under its gate, with one line for each reason why it did not pass.

    `helper` is the label of the helper model if nothing was judged because of it.
    """

    word: Word
    reasons: Sequence[str] = ()
    helper: str = ""

    @property
    def code(self) -> int:
        """Exit code of the command for this result."""
        return ("passed", "violated", "misused", "untested").index(self.word)


def passing(report: Report, gate: Gate | None = None, remedies: str = REMEDIES) -> Passing:
    """Return a run's result under a gate, by default the run's own.

    `remedies` is the advice to give if no questions were asked.
    """
    gate = gate_of(report) if gate is None else gate
    if reasons := untested(report, gate, remedies):
        return Passing(word="untested", reasons=reasons, helper=failed_helper(report))
    if reasons := misused(report, gate):
        return Passing(word="misused", reasons=reasons)
    reasons = violations(report, gate)
    return Passing(word="violated" if reasons else "passed", reasons=reasons)


def untested(report: Report, gate: Gate = Gate(), remedies: str = REMEDIES) -> list[str]:  # noqa: B008 - frozen
    """Return one line for each reason why a system was not really tested, or an empty list if it was.

    A line about failed answers includes their cause. Relations that do not apply to the inputs are reported by
    `misused`, because they are not the system's fault.
    """
    out_of_budget = _out_of_budget(report)
    if not report.summary:
        return [f"no verdict was reached: {reason}" for reason in out_of_budget or ["nothing was asked"]]
    lines = [problem.message for problem in _problems(report, gate, remedies) if not problem.is_misuse]
    return [*dict.fromkeys(lines), *(out_of_budget if lines else [])]


def misused(report: Report, gate: Gate = Gate()) -> list[str]:  # noqa: B008 - frozen
    """Return one line for each problem that prevented any testing and that the user has to fix.

    In all these cases, the relations do not fit the inputs.
    """
    return list(dict.fromkeys(problem.message for problem in _problems(report, gate) if problem.is_misuse))


def silent_rows(report: Report, gate: Gate) -> dict[Row, str]:
    """Return the summary rows (system, task, relation) that should have a result but have none, with the reasons."""
    silent: dict[Row, str] = {}
    for problem in _problems(report, gate):
        for row in problem.rows:
            silent.setdefault(row_of(row), problem.message)
    return silent


class _Problem(NamedTuple):
    """A reason why summary rows have no result. `rows` is empty if the relation was never tried.

    `is_misuse` is set if the user has to fix it, because the relations do not fit the inputs.
    """

    message: str
    rows: Sequence[SummaryRow]
    is_misuse: bool = False


def _problems(report: Report, gate: Gate, remedies: str = REMEDIES) -> Iterator[_Problem]:
    """Yield the reasons why systems, tasks and relations were not really tested, except a spent budget."""
    groups = _groups(report)
    for (system, task), rows in groups.items():
        if not any(row.judged for row in rows):
            if _is_misuse(report, rows):
                yield _Problem(_misfitting(report, rows, f"the inputs of {task}"), rows, is_misuse=True)
                continue
            counts = not_judged(rows) or "no verdict"
            yield _Problem(
                f"{system} on {task}: no answer could be judged: {counts}{_cause(report, system, task)}", rows
            )
        elif (share := error_share(rows)) > gate.max_errors:
            errors, asked = sum(row.error for row in rows), sum(row.asked for row in rows)
            message = f"{system} on {task}: {errors} of {asked} verdicts are ERROR ({share:.1%}), "
            message += f"more than {gate.max_errors:.1%}{_cause(report, system, task)}"
            yield _Problem(message, [row for row in rows if error_share([row]) > gate.max_errors])
    yield from _idle_limits(report, gate)
    yield from _idle_choices(report, gate)
    for place, message in same_replies(report, gate).items():
        yield _Problem(message, groups[place])
    for row in report.summary if gate.min_judged is not None else ():
        if row.relation != NO_CHANGE and _fit_no_input([row]):
            misfit = _misfitting(report, [row], f"the inputs of {row.task}")
            yield _Problem(f"min_judged: {misfit}", [row], is_misuse=True)
    for stored in _on_stored_answers(report, gate):
        rows = [row for row in report.summary if row.system == stored.system]
        if stored.accepted is None and rows:
            yield _Problem(f"{stored.message}; {remedies}", rows)


def _is_misuse(report: Report, rows: Sequence[SummaryRow]) -> bool:
    """Return True if relations fit no input. If the budget ended the run early, they may fit the inputs left out."""
    return _fit_no_input(rows) and not _out_of_budget(report)


def _out_of_budget(report: Report) -> list[str]:
    """Return the message that the budget ended the run early, or [] if it did not."""
    return [check.message for check in report.health if check.name == "budget"]


def _idle_choices(report: Report, gate: Gate) -> Iterator[_Problem]:
    """Yield the relations requested by name that could not be judged, once for each system, if the gate sets limits.

    Systems without any judged verdict are reported elsewhere, and so are relations with a limit of their own.
    """
    systems = dict.fromkeys(row.system for row in report.summary if row.judged) if gate.limited else {}
    for name in report.run.named:
        if name == NO_CHANGE or name in gate.relations:
            continue
        rows_of_relation = [row for row in report.summary if row.relation == name]
        for system in systems:
            rows = [row for row in rows_of_relation if row.system == system]
            # Without rows of its own, it was requested for the data of other systems.
            if (rows_of_relation and not rows) or any(row.judged for row in rows):
                continue
            if gate.min_judged is not None and _fit_no_input(rows):  # reported under `min_judged`
                continue
            no_rows = _unsupported_languages(report) or "no follow-up for it was tried"
            why = _reason(report, rows[0]) if rows else no_rows
            yield _Problem(
                f"{line(name)} was selected by name but judged nothing of {line(system)}: {why}; choose inputs that it "
                "applies to, or leave it out",
                rows,
            )


def same_replies(report: Report, gate: Gate) -> dict[tuple[str, str], str]:
    """Return a line for each system and task with the same reply to most questions.

    Questions that got a specific reply in the baseline and now get a stock reply are reported, too. Refusals count only
    in this second case. The result is empty if the gate sets no limits.
    """
    groups = _groups(report) if gate.limited else {}
    ended_early = bool(_out_of_budget(report))
    lines = {}
    for record in report.replies:
        why = _same_reply(record, gate.max_same, ended_early=ended_early) or _became_stock(record)
        if why and (record.system, record.task) in groups:
            lines[record.system, record.task] = f"{line(record.system)} on {line(record.task)}: {why}"
    return lines


def _same_reply(record: RepliesRecord, max_share: float, *, ended_early: bool) -> str:
    """Return a line if more than `max_share` of the different questions got the same reply, or "" otherwise.

    The reply must be a stock reply or, if a budget ended the run early, the reply to all questions that were asked.
    """
    reply = next((reply for reply in record.shared if not reply.refuses), None)  # the most common one
    if reply is None:
        return ""
    same = len(reply.questions)
    is_only_reply = ended_early and same == record.asked
    if same <= max_share * record.asked or not (reply.is_stock or is_only_reply):
        return ""
    return (
        f"{same} of {counted(record.asked, 'different question')} got one and the same reply, "
        f"{line(reply.reply)[:LONGEST]!r}; fix the system, or allow it (max_same = 1)"
    )


def _became_stock(record: RepliesRecord) -> str:
    """Return a line on questions that got their own reply in the baseline and now get a stock reply, or ""."""
    became = [(reply, case) for reply in record.shared for case in reply.became]
    if not became:
        return ""
    cases = names_text([line(case) for _, case in became], NAMED)
    return (
        f"{counted(len(became), 'question')} had another reply in the baseline, and now a stock reply, "
        f"{line(became[0][0].reply)[:LONGEST]!r}: {cases}; fix the system, or rewrite the baseline if that is right"
    )


def error_share(rows: Iterable[SummaryRow]) -> float:
    """Return the share of ERROR among the verdicts that needed questions, or 0 if there are no such verdicts.

    Verdicts that turned out INVALID after questions were asked are included. Those that a relation ruled out because of
    the input are not.
    """
    counts = [(row.error, row.asked) for row in rows]
    asked = sum(number for _, number in counts)
    return sum(errors for errors, _ in counts) / asked if asked else 0.0


def _groups(report: Report) -> dict[tuple[str, str], list[SummaryRow]]:
    return gathered(report.summary, lambda row: (row.system, row.task))


def _fit_no_input(rows: Sequence[SummaryRow]) -> bool:
    """Return True if nothing could be judged because no relation applies to any input."""
    return bool(rows) and all(row.applies_to_nothing for row in rows)


def _misfitting(report: Report, rows: Sequence[SummaryRow], where: str) -> str:
    """Return why relations that fit no input do not, and what to do about it."""
    if all(row.unchanged == row.invalid for row in rows):
        names = names_text([line(row.relation) for row in rows], NAMED)
        change, they_change = ("change", "they change") if len(rows) > 1 else ("changes", "it changes")
        equal = f"{counted(sum(row.invalid for row in rows), 'follow-up')}, each equal to its source"
        remedy = f"choose inputs that {they_change}, or fix the transformation"
        return f"{names} {change} nothing in {where} ({equal}); {remedy}"
    by_reason = gathered(rows, lambda row: _reason(report, row))
    parts = [
        f"{names_text([line(row.relation) for row in members], NAMED)}: {reason}"
        for reason, members in list(by_reason.items())[:NAMED]
    ]
    parts += [f"and {len(by_reason) - NAMED} more reasons"] if len(by_reason) > NAMED else []
    return f"no relation applies to {where} ({'; '.join(parts)}); choose other inputs, or other relations"


def _reason(report: Report, row: SummaryRow) -> str:
    """Return the reason why a row's relation could not be judged, taken from an example in the report."""
    for example in report.examples:
        if row_of(example) == row_of(row) and example.reason:
            return line(example.reason)[:LONGEST]
    # There is no example of a relation that does not support the language of the inputs.
    return _unsupported_languages(report) or f"{row.invalid} invalid"


def _unsupported_languages(report: Report) -> str:
    """Return the health check's note on languages with relations that were left out of the run."""
    return next((line(check.reason) for check in report.health if check.name == "language"), "")


def _idle_limits(report: Report, gate: Gate) -> Iterator[_Problem]:
    """Yield the gate's limits for relations without any judged verdict, once for each system."""
    for name in gate.relations:
        limit = f"[gate.relations] limits {line(name)}, but nothing was judged under it"
        by_system = gathered((row for row in report.summary if row.relation == name), lambda row: row.system)
        if not by_system:
            why = "the search proposed no follow-up for it"
            unsupported = _unsupported_languages(report)
            why = f"it is {unsupported}, or {why}" if unsupported else why
            message = f"{limit}: {why}; choose one that does, or leave it out"
            yield _Problem(message, [], is_misuse=not _out_of_budget(report))
        for system, rows in by_system.items():
            if any(row.judged for row in rows):
                continue
            if _fit_no_input(rows):
                why = f"{_misfitting(report, rows, 'the inputs')}, or leave the limit out"
            else:
                why = _reason(report, rows[0])
            yield _Problem(f"{limit} of {line(system)}: {why}", rows, is_misuse=_is_misuse(report, rows))


def failed_helper(report: Report) -> str:
    """Return the label of the helper model if it gave no usable answers while the systems did, else ""."""
    helper = report.run.helper
    if helper is None or not helper.failed + helper.unusable:
        return ""
    system_failed = any(check.name in _OF_SYSTEMS for check in report.health)
    has_errors = any(row.error for row in report.summary)
    return helper.label if has_errors and not system_failed else ""


def _cause(report: Report, system: str, task: str) -> str:
    """Return why answers failed, according to a health check, the helper model's failures, or an example."""
    for check in report.health:
        if check.name in _OF_SYSTEMS and check.subject == f"{system} on {task}":
            return f"; {check.message}"
    helper = report.run.helper
    if helper is not None and failed_helper(report):
        failed = f"{number(helper.failed + helper.unusable)} of {counted(helper.asked, 'question')}"
        why = max(helper.reasons, key=helper.reasons.__getitem__, default="no reason was given")
        return f"; the helper {line(helper.label)} had no usable answer to {failed}, most often: {line(why)[:LONGEST]}"
    for example in report.examples:
        if (example.system, example.task, example.outcome) == (system, task, "error") and example.reason:
            return f"; for example: {line(example.reason)[:LONGEST]}"
    return ""


class _StoredAnswers(NamedTuple):
    """A system that was not asked anything: a message, and why the gate accepts its stored answers, None if not."""

    system: str
    message: str
    accepted: str | None


def _on_stored_answers(report: Report, gate: Gate) -> Iterator[_StoredAnswers]:
    """Yield the endpoints whose verdicts are all based on stored answers.

    Python functions and local models are left out, since their stored answers are used only while their version is the
    same. Questions that only confirm or shrink findings do not count, because they are asked after the verdicts.
    """
    for system in report.run.systems:
        if system.endpoint and system.stored and not system.current:
            message = f"{line(system.system)}: {stored_answers(report, system)}"
            yield _StoredAnswers(system.system, message, _why_accepted(report, gate, system))


def accepted_endpoints(report: Report) -> dict[str, str]:
    """Return the endpoints whose stored answers are accepted although nothing was asked, each with a message."""
    return {
        stored.system: stored.message + (f" ({stored.accepted})" if stored.accepted else "")
        for stored in _on_stored_answers(report, gate_of(report))
        if stored.accepted is not None
    }


def _why_accepted(report: Report, gate: Gate, system: SystemRecord) -> str | None:
    """Return the reason why a system's stored answers are accepted, or None if they are not.

    The reason is "" if the gate sets no limits.
    """
    if not gate.limited:
        return ""
    if report.run.offline:
        return "--offline"
    seconds = seconds_between(system.newest, report.run.started)
    if gate.max_age is not None and seconds is not None and seconds <= seconds_of(gate.max_age):
        return f'max_age = "{gate.max_age}"'
    return None


def violations(report: Report, gate: Gate) -> list[str]:
    """Return one line per exceeded limit, or an empty list if the run is within all its limits."""
    lines = [message for row in report.summary for message in broken(row, gate)]
    count = sum(row.findings for row in report.summary if row.relation != NO_CHANGE)
    if gate.max_findings is not None and count > gate.max_findings:
        faults = number_of_groups(filter(fails_builds, report.all_findings)) or count
        if faults > gate.max_findings:
            lines.append(f"{faults_text(faults, count)}, more than {gate.max_findings}")
    if gate.baseline is not None:
        lines += new_faults(report, f"not in the baseline {gate.baseline}")
    return lines


def broken(row: SummaryRow, gate: Gate) -> list[str]:
    """Return one line for each limit that a summary row breaks: on its rate, and on its number of verdicts."""
    where = f"{row.relation} on {row.system}, {row.task}"
    reasons = [_above_rate(row, gate)]
    if gate.min_judged is not None and row.relation != NO_CHANGE and row.rests_on < gate.min_judged:
        share = "in the even share" if row.rests_on < row.judged else "judged"
        reasons.append(f"{row.rests_on} verdicts were {share}, fewer than {gate.min_judged}")
    return [f"{where}: {reason}" for reason in reasons if reason]


def _above_rate(row: SummaryRow, gate: Gate) -> str:
    """Return why a row exceeds the limit of its violation rate, or "" if it does not.

    A row whose findings are all FLAKY never does, because the system gave other answers when asked again.
    """
    limit = gate.limit(row.relation)
    if limit is None or row.only_flaky:
        return ""
    if row.rate is not None and row.rate > limit:
        flaky = f" ({row.flaky} of {counted(row.distinct, 'finding')} FLAKY)" if row.flaky else ""
        return f"violation rate {row.rate:.1%} is above {limit:.1%}{flaky}"
    why = _no_rate(row, gate) if limit < 1 and row.findings else ""
    return f"{row.findings} findings of a search, {why}; set max_findings instead of {limit:.1%}" if why else ""


def _no_rate(row: SummaryRow, gate: Gate) -> str:
    """Return why the rate of a row with findings cannot be compared with a limit, or "" if it can."""
    least = gate.min_judged or FEW
    if row.estimate == "none":
        return "not an estimate, so there is no rate to compare with a limit"
    if row.estimate == "even" and row.rests_on < least:
        return (
            f"whose even share has {row.rests_on} of the {least} verdicts that a rate needs to be compared with a limit"
        )
    return ""


def passed(report: Report, gate: Gate) -> str:
    """Return a line on the limits that a passing run met and on its findings known from the baseline.

    A system with a constant answer is named, because it satisfies most relations. The line is "" if there are no
    limits.
    """
    met_limits = limits(gate)
    if not met_limits:
        return ""
    if gate.baseline is None:
        flaky = sum(row.flaky for row in report.summary if row.relation != NO_CHANGE)
        text = f"gate: passed ({met_limits})" + (f"; {counted(flaky, 'FLAKY finding')} left out" if flaky else "")
    else:
        other_limits = limits(gate.model_copy(update={"baseline": None}))
        # Confirmed ones would have failed the gate.
        new_and_flaky = sum(bool(finding.new) for finding in report.all_findings)
        text = f"gate: passed{f' ({other_limits})' if other_limits else ''}; 0 new faults, {known_faults(report)} known"
        text += f" from {line(Path(gate.baseline).name)}"
        text += f", {number(new_and_flaky)} new and FLAKY" if new_and_flaky else ""
        text += f", {unknown}" if (unknown := newly_asked(report)) else ""
    same_answer = [line(check.subject) for check in report.health if check.name == "constant-output"]
    return text + (f"; but {', '.join(same_answer)}: nearly every answer is the same" if same_answer else "")


# Systems that were not asked anything in this run: the number of stored answers, and their age.


def stored_answers(report: Report, system: SystemRecord) -> str:
    """Return a message that a system was not asked anything, with the age of its answers.

    >>> from mutatis.records.files import make_report
    >>> systems = [{"system": "bot", "stored": 389, "newest": "2026-05-01T09:00:00+00:00"}]
    >>> run = {"id": "r", "started": "2026-05-01T12:00:00+00:00", "systems": systems}
    >>> report = make_report({"run": run, "summary": [], "findings": [], "health": [], "metrics": {}})
    >>> stored_answers(report, report.run.systems[0])
    'nothing was asked: all 389 answers were stored, the newest 3 h old'
    """
    seconds = seconds_between(system.newest, report.run.started)
    newest = "" if seconds is None else f", the newest {duration(seconds)} old"
    if not system.paid:
        return f"nothing was asked: all {counted(system.stored, 'answer')} were stored{newest}"
    return (
        f"no judged answer is new: these answers were stored{newest}; "
        f"{counted(system.paid, 'question')} failed or came afterwards, to confirm"
    )


# The faults that a gate counts, each described by its clearest finding.


def is_known(finding: FindingRecord) -> bool:
    """Return True if a finding is already in the run's baseline."""
    return finding.new is False and not finding.newly_asked


def by_newness(report: Report) -> tuple[list[FindingRecord], list[FindingRecord], list[FindingRecord]]:
    """Return the new findings, the known ones, and the findings that are only newly asked.

    Known ones are limited to the report itself, and without a baseline all findings count as known.
    """
    # Without a baseline, no finding is new, and a large run need not be read.
    findings = report.findings if gate_of(report).baseline is None else report.all_findings
    new = [finding for finding in findings if finding.new]
    known = [finding for finding in report.findings if not finding.new and not finding.newly_asked]
    return new, known, [finding for finding in findings if finding.newly_asked and not finding.new]


def newly_asked(report: Report) -> str:
    """Return a phrase with the number of findings on follow-ups that the baseline never asked, or ""."""
    count = sum(finding.newly_asked and not finding.flaky for finding in report.all_findings)
    return f"{counted(count, 'finding')} newly asked, on follow-ups that the baseline never asked" if count else ""


def known_faults(report: Report) -> str:
    """Return the number of faults known from the baseline as text. In a large run, count findings instead."""
    if len(report.all_findings) > len(report.findings):
        return counted(sum(map(is_known, report.all_findings)), "finding")
    known = list(filter(is_known, report.findings))
    faults = len(groups_of(known))
    return f"{faults:,}" + (f" ({counted(len(known), 'finding')})" if faults < len(known) else "")


def new_faults(report: Report, why: str) -> list[str]:
    """Return one line per new fault, with its most informative finding and the number of its other findings."""
    new = new_findings(finding for finding in report.all_findings if finding.new)
    others = other_findings(new)
    clearest = {id(finding) for finding in spread(new, len(new), capabilities_of(report))}
    return [
        f"new fault {finding.id}: {finding.relation} on {finding.system}, {finding.task}, "
        f"source {finding.source.case.id} ({why}){and_more(others[id(finding)])}"
        for finding in new
        if id(finding) in clearest
    ]
