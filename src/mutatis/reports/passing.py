"""Decides whether a finished run passes, whether it tested anything, and which limits it exceeds.

The command line, Python, pytest, JUnit, Markdown and the page all use this module, so they never disagree about a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from mutatis.analysis.newness import new_findings
from mutatis.core.gathering import gathered
from mutatis.core.transformation import NO_CHANGE
from mutatis.core.verdict import Row
from mutatis.records.replies import RepliesRecord
from mutatis.records.report import FindingRecord, Report, SummaryRow
from mutatis.records.run import SystemRecord
from mutatis.reports.faults import and_more, groups_of
from mutatis.reports.gate import Gate, gate_of, limits, seconds_of
from mutatis.reports.numbers import age, counted, line, number
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
    cut = [check.message for check in report.health if check.name == "budget"]
    if not report.summary:
        return [f"no verdict was reached: {told}" for told in cut or ["nothing was asked"]]
    lines = []
    for (system, task), rows in _groups(report).items():
        if not any(row.judged for row in rows) and (cut or not _misfit(rows)):  # a budget left the others untried
            told = not_judged(rows) or "no verdict"
            lines.append(f"{system} on {task}: no answer could be judged: {told}{_cause(report, system, task)}")
        elif (share := error_share(rows)) > gate.max_errors:
            errors, asked = sum(row.error for row in rows), sum(row.asked for row in rows)
            lines.append(
                f"{system} on {task}: {errors} of {asked} verdicts are ERROR ({share:.1%}), "
                f"more than {gate.max_errors:.1%}{_cause(report, system, task)}"
            )
    lines += [told for _, rows, told in _unheld(report, gate) if cut or (rows and not _misfit(rows))]
    lines += dict.fromkeys(unheard(report, gate).values())
    lines += constant(report, gate).values()
    if lines:
        lines += cut
    idle, systems = unasked(report, gate, remedies), {row.system for row in report.summary}
    return lines + [told for system, told in idle.items() if system in systems]


def unheard(report: Report, gate: Gate) -> dict[tuple[str, str], str]:
    """Return a line for each relation that was requested by name but could not be judged on a system.

    The result is empty if the gate sets no limits. Systems on which nothing at all was judged are reported elsewhere.
    """
    lines: dict[tuple[str, str], str] = {}
    systems = dict.fromkeys(row.system for row in report.summary if row.judged) if gate.limited else {}
    for name in report.run.named:
        everywhere = [row for row in report.summary if row.relation == name]
        for system in systems if name != NO_CHANGE and name not in gate.relations else ():
            rows = [row for row in everywhere if row.system == system]
            if (everywhere and not rows) or any(row.judged for row in rows):
                continue
            if gate.min_judged is not None and _misfit(rows):
                continue  # its own limit tells it
            why = (
                _reason(report, rows[0]) if rows else _unsupported_languages(report) or "no follow-up for it was tried"
            )
            lines[system, name] = (
                f"{line(name)} was selected by name but judged nothing of {line(system)}: {why}; choose inputs that it "
                "applies to, or leave it out"
            )
    return lines


def constant(report: Report, gate: Gate) -> dict[tuple[str, str], str]:
    """Return a line for each system and task on which most questions got the same reply.

    Questions that got a specific reply in the baseline and now get a stock reply are reported, too. Refusals count only
    in this second case. The result is empty if the gate sets no limits.
    """
    groups = _groups(report) if gate.limited else {}
    cut = any(check.name == "budget" for check in report.health)
    told = {
        (record.system, record.task): _same_reply(record, gate.max_same, cut=cut) or _became_stock(record)
        for record in report.replies
    }
    return {
        where: f"{line(where[0])} on {line(where[1])}: {why}" for where, why in told.items() if why and where in groups
    }


def _same_reply(record: RepliesRecord, most: float, *, cut: bool) -> str:
    """Return a line if most of the different questions got the same reply, or "" otherwise.

    The reply must be a stock reply or, if a budget ended the run early (`cut`), the reply to all questions that were
    asked.
    """
    reply = next((reply for reply in record.shared if not reply.refuses), None)
    same = 0 if reply is None else len(reply.questions)
    few = cut and same == record.asked
    if reply is None or same <= most * record.asked or not (reply.is_stock or few):
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
    cases = ", ".join(line(case) for _, case in became[:NAMED]) + (", ..." if len(became) > NAMED else "")
    return (
        f"{counted(len(became), 'question')} had another reply in the baseline, and now a stock reply, "
        f"{line(became[0][0].reply)[:LONGEST]!r}: {cases}; fix the system, or rewrite the baseline if that is right"
    )


def error_share(rows: Iterable[SummaryRow]) -> float:
    """Return the share of ERROR among the verdicts for which questions were asked, or 0 if there were none.

    Verdicts that turned out INVALID after questions were asked are included. Those that a relation ruled out because of
    the input are not.
    """
    counts = [(row.error, row.asked) for row in rows]
    asked = sum(number for _, number in counts)
    return sum(errors for errors, _ in counts) / asked if asked else 0.0


def misused(report: Report, gate: Gate = Gate()) -> list[str]:  # noqa: B008 - frozen
    """Return one line for each problem that prevented any testing and that the user has to fix.

    In all these cases, the relations do not fit the inputs.
    """
    lines = [_misfitting(report, rows, f"the inputs of {task}") for (_, task), rows in _groups(report).items()]
    lines += [told for _, rows, told in _unheld(report, gate) if not rows or _misfit(rows)]
    if gate.min_judged is not None:
        unfit = [row for row in report.summary if row.relation != NO_CHANGE and _misfit([row])]
        lines += [f"min_judged: {_misfitting(report, [row], f'the inputs of {row.task}')}" for row in unfit]
    return list(dict.fromkeys(filter(None, lines)))


def _groups(report: Report) -> dict[tuple[str, str], list[SummaryRow]]:
    return gathered(report.summary, lambda row: (row.system, row.task))


def _misfit(rows: Sequence[SummaryRow]) -> bool:
    """Return True if nothing could be judged because no relation applies to any input."""
    return bool(rows) and all(row.applies_to_nothing for row in rows)


def _misfitting(report: Report, rows: Sequence[SummaryRow], where: str) -> str:
    """Return why relations do not fit the inputs and what to do about it, or "" if at least one fits."""
    if not _misfit(rows):
        return ""
    if all(row.unchanged == row.invalid for row in rows):
        follow_ups, many = sum(row.invalid for row in rows), len(rows) > 1
        changes, chosen = ("change", "they change") if many else ("changes", "it changes")
        told = f"{_names(rows)} {changes} nothing in {where}"
        equal = f"{counted(follow_ups, 'follow-up')}, each equal to its source"
        return f"{told} ({equal}); choose inputs that {chosen}, or fix the transformation"
    told = "; ".join(f"{line(row.relation)}: {_reason(report, row)}" for row in rows[:NAMED])
    more = f"; and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return f"no relation applies to {where} ({told}{more}); choose other inputs, or other relations"


def _names(rows: Sequence[SummaryRow]) -> str:
    names = [line(row.relation) for row in rows]
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def _reason(report: Report, row: SummaryRow) -> str:
    """Return the reason why a row's relation could not be judged, taken from an example in the report."""
    for example in report.examples:
        if (example.system, example.task, example.relation) == (row.system, row.task, row.relation) and example.reason:
            return line(example.reason)[:LONGEST]
    # What a relation refuses because of the language of a case leaves no example.
    return _unsupported_languages(report) or f"{row.invalid} invalid"


def _unsupported_languages(report: Report) -> str:
    """Return the health check's note on languages for which relations were left out of the run."""
    return next((line(check.reason) for check in report.health if check.name == "language"), "")


def _unheld(report: Report, gate: Gate) -> Iterator[tuple[str, list[SummaryRow], str]]:
    """Yield each relation for which the gate sets a limit but nothing was judged on a system.

    Each comes with its summary rows and a message. There are no rows if the relation was never tried.
    """
    for name in gate.relations:
        limit = f"[gate.relations] limits {line(name)}, but nothing was judged under it"
        rows = [row for row in report.summary if row.relation == name]
        if not rows:
            why = "the search proposed no follow-up for it"
            why = f"it is {told}, or {why}" if (told := _unsupported_languages(report)) else why
            yield name, rows, f"{limit}: {why}; choose one that does, or leave it out"
        for system in dict.fromkeys(row.system for row in rows):
            rows_of = [row for row in rows if row.system == system]
            if any(row.judged for row in rows_of):
                continue
            where = f"{limit} of {line(system)}"
            if _misfit(rows_of):
                yield name, rows_of, f"{where}: {_misfitting(report, rows_of, 'the inputs')}, or leave the limit out"
            else:
                yield name, rows_of, f"{where}: {_reason(report, rows_of[0])}"


def failed_helper(report: Report) -> str:
    """Return the label of the helper model if it gave no usable answers while the systems did, else ""."""
    helper, system_failed = report.run.helper, any(check.name in _OF_SYSTEMS for check in report.health)
    idle = not any(row.error for row in report.summary)  # nothing failed: nothing was asked
    return "" if helper is None or system_failed or idle or not helper.failed + helper.unusable else helper.label


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


def unasked(report: Report, gate: Gate, remedies: str = REMEDIES) -> dict[str, str]:
    """Return the endpoints whose stored answers are not accepted by the gate, each with a message and a remedy."""
    return {
        system.system: f"{told_of(report, system)}; {remedies}"
        for system in on_stored_answers(report)
        if _accepted(report, gate, system) is None
    }


def accepted_endpoints(report: Report) -> dict[str, str]:
    """Return the endpoints whose stored answers are accepted although nothing was asked, each with a message."""
    gate = gate_of(report)
    reasons = [(system, _accepted(report, gate, system)) for system in on_stored_answers(report)]
    return {system.system: told_of(report, system, why) for system, why in reasons if why is not None}


def _accepted(report: Report, gate: Gate, system: SystemRecord) -> str | None:
    """Return the reason why a system's stored answers are accepted, or None if they are not.

    The reason is "" if the gate sets no limits.
    """
    if not gate.limited:
        return ""
    if report.run.offline:
        return "--offline"
    seconds = newest_age(report, system)
    if gate.max_age is not None and seconds is not None and seconds <= seconds_of(gate.max_age):
        return f'max_age = "{gate.max_age}"'
    return None


def silent_rows(report: Report, gate: Gate) -> dict[Row, str]:
    """Return the summary rows (system, task, relation) that should have a result but have none, with the reasons."""
    idle, alike, mute, silent = unasked(report, gate), constant(report, gate), unheard(report, gate), {}
    unheld = {(row.system, name): told for name, rows, told in _unheld(report, gate) for row in rows}
    for (system, task), rows in _groups(report).items():
        part = report.model_copy(update={"summary": rows})
        judged, failing = any(row.judged for row in rows), error_share(rows) > gate.max_errors
        nothing = alike.get((system, task)) or ("" if judged else "; ".join(untested(part) or misused(part)))
        for row in rows:
            if judged and failing and error_share([row]) > gate.max_errors:
                silent[system, task, row.relation] = f"{row.error} of {row.asked} verdicts are ERROR"
                continue
            unfit = _misfitting(report, [row], "the inputs") if gate.min_judged is not None else ""
            limit = unheld.get((system, row.relation)) or mute.get((system, row.relation), "")
            if reason := idle.get(system) or nothing or limit or unfit:
                silent[system, task, row.relation] = reason
    return silent


def violations(report: Report, gate: Gate) -> list[str]:
    """Return one line per exceeded limit, or an empty list if the run is within all its limits."""
    lines = [told for row in report.summary for told in broken(row, gate)]
    count = sum(row.findings for row in report.summary if row.relation != NO_CHANGE)
    if gate.max_findings is not None and count > gate.max_findings:
        faults = number_of_faults(report, gate.max_findings) or count
        if faults > gate.max_findings:
            told = counted(faults, "fault") if faults == count else f"{counted(faults, 'fault')} ({count} findings)"
            lines.append(f"{told}, more than {gate.max_findings}")
    if gate.baseline is not None:
        lines += new_faults(report, f"not in the baseline {gate.baseline}")
    return lines


def broken(row: SummaryRow, gate: Gate) -> list[str]:
    """Return one line for each limit that a summary row exceeds.

    A row whose findings are all FLAKY never exceeds the limit of its rate, because the system gave other answers when
    asked again.
    """
    where, lines = f"{row.relation} on {row.system}, {row.task}", []
    limit = None if row.only_flaky else gate.limit(row.relation)
    if limit is not None and row.rate is not None and row.rate > limit:
        flaky = f" ({row.flaky} of {counted(row.distinct, 'finding')} FLAKY)" if row.flaky else ""
        lines.append(f"{where}: violation rate {row.rate:.1%} is above {limit:.1%}{flaky}")
    elif limit is not None and limit < 1 and row.findings and (why := _no_rate(row, gate)):
        lines.append(f"{where}: {row.findings} findings of a search, {why}; set max_findings instead of {limit:.1%}")
    if gate.min_judged is not None and row.relation != NO_CHANGE and row.rests_on < gate.min_judged:
        share = "in the even share" if row.rests_on < row.judged else "judged"
        lines.append(f"{where}: {row.rests_on} verdicts were {share}, fewer than {gate.min_judged}")
    return lines


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

    The line is "" if there are no limits.
    """
    kept = limits(gate)
    if not kept:
        return ""
    if gate.baseline is None:
        flaky = sum(row.flaky for row in report.summary if row.relation != NO_CHANGE)
        return f"gate: passed ({kept})" + (f"; {counted(flaky, 'FLAKY finding')} left out" if flaky else "")
    others = limits(gate.model_copy(update={"baseline": None}))
    flaky = sum(bool(finding.new) for finding in report.all_findings)  # confirmed ones would have failed the gate
    told = f"0 new faults, {known_faults(report)} known from {line(Path(gate.baseline).name)}"
    told += f", {number(flaky)} new and FLAKY" if flaky else ""
    told += f", {first}" if (first := newly_asked(report)) else ""
    return f"gate: passed{f' ({others})' if others else ''}; {told}"


# Systems that a run asked nothing: how many of their answers were stored, and how old these are.
#
# Knows the records of a report only; whether such a run passes is the gate's to say.


def on_stored_answers(report: Report) -> list[SystemRecord]:
    """Return the endpoints whose verdicts are all based on stored answers.

    Python functions and local models are left out, since their stored answers are used only while their version is the
    same. Questions that only confirm or shrink findings do not count, because they are asked after the verdicts.
    """
    return [system for system in report.run.systems if system.endpoint and system.stored and not system.current]


def newest_age(report: Report, system: SystemRecord) -> float | None:
    """Return the seconds between a system's newest stored answer and the run, or None if a time is missing."""
    try:
        started, newest = (datetime.fromisoformat(text or "") for text in (report.run.started, system.newest))
        return (started - newest).total_seconds()
    except (ValueError, TypeError):  # a report that somebody wrote by hand
        return None


def stored_answers(report: Report, system: SystemRecord) -> str:
    """Return a message that a system was not asked anything, with the age of its answers.

    >>> from mutatis.records.files import make_report
    >>> systems = [{"system": "bot", "stored": 389, "newest": "2026-05-01T09:00:00+00:00"}]
    >>> run = {"id": "r", "started": "2026-05-01T12:00:00+00:00", "systems": systems}
    >>> report = make_report({"run": run, "summary": [], "findings": [], "health": [], "metrics": {}})
    >>> stored_answers(report, report.run.systems[0])
    'nothing was asked: all 389 answers were stored, the newest 3 h old'
    """
    seconds = newest_age(report, system)
    newest = "" if seconds is None else f", the newest {age(seconds)} old"
    if not system.paid:
        return f"nothing was asked: all {counted(system.stored, 'answer')} were stored{newest}"
    return (
        f"no judged answer is new: these answers were stored{newest}; "
        f"{counted(system.paid, 'question')} failed or came afterwards, to confirm"
    )


def told_of(report: Report, system: SystemRecord, why: str = "") -> str:
    """Return a system's name and its text from `stored_answers`, followed by the reason in brackets if given."""
    return f"{line(system.system)}: {stored_answers(report, system)}" + (f" ({why})" if why else "")


# A gate counts and describes faults, each by its clearest finding.


def number_of_faults(report: Report, most: int) -> int:
    """Return the number of faults among the findings that count for the gate.

    In a large run, findings are read one by one. If more than `most` inputs have findings, the number of these inputs
    is returned instead, because each of them has at least one fault.
    """
    every = report.all_findings
    if len(every) > len(report.findings):
        inputs = {
            (finding.system, finding.task, finding.source.case.id, finding.source.turn)
            for finding in every
            if new_findings([finding])
        }
        if len(inputs) > most:
            return len(inputs)
    return len(groups_of(new_findings(every)))


def is_known(finding: FindingRecord) -> bool:
    """Return True if a finding is already in the run's baseline."""
    return finding.new is False and not finding.newly_asked


def newly_asked(report: Report) -> str:
    """Return a phrase with the number of findings on follow-ups that the baseline never asked, or ""."""
    number = sum(finding.newly_asked and finding.confirmed is not False for finding in report.all_findings)
    return f"{counted(number, 'finding')} newly asked, on follow-ups that the baseline never asked" if number else ""


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
    sizes = {id(finding): len(fault) for fault in groups_of(new) for finding in fault}
    clearest = {id(finding) for finding in spread(new, len(new), capabilities_of(report))}
    return [
        f"new fault {finding.id}: {finding.relation} on {finding.system}, {finding.task}, "
        f"source {finding.source.case.id} ({why}){and_more(sizes[id(finding)] - 1)}"
        for finding in new
        if id(finding) in clearest
    ]
