"""Writes a run as JUnit XML for build servers, with one suite per system and task and one test per relation.

A test fails if its row exceeds the limits of the gate, and is skipped if nothing was judged. It is an error if too many
verdicts are ERROR or the system was not tested. Anything that makes the whole run fail is a separate test, so that a
run cannot pass here and fail elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from mutatis.analysis.newness import new_findings
from mutatis.core.gathering import gathered
from mutatis.core.verdict import Row
from mutatis.records.files import FINDINGS_FILE
from mutatis.records.report import FindingRecord, HealthRecord, Report, SummaryRow, row_of
from mutatis.reports.faults import faults_text, groups_of
from mutatis.reports.gate import Gate, gate_of
from mutatis.reports.notes import notes
from mutatis.reports.numbers import interval_text, line, percent
from mutatis.reports.passing import Passing, broken, passing, silent_rows
from mutatis.reports.plain import finding_text
from mutatis.reports.ranking import spread
from mutatis.reports.rates import not_judged, rate_text

FIRST = 3
"""Maximum number of findings quoted in the text of a failure."""


def render_junit(report: Report) -> str:
    """Return the report as JUnit XML.

    A row that exceeds its limit is a failure, and one that could not be tested is an error.
    """
    gate = gate_of(report)
    # With a baseline, all new findings count; otherwise the first findings are enough to quote some.
    new = (finding for finding in report.all_findings if finding.new) if gate.baseline is not None else ()
    findings = {finding.id: finding for finding in (*report.findings, *new)}.values()
    by_row = gathered(findings, row_of)
    silent = silent_rows(report, gate)
    root = ElementTree.Element("testsuites", name="mutatis")
    all_results: list[str] = []
    for (system, task), rows in gathered(report.summary, lambda row: (row.system, row.task)).items():
        suite = ElementTree.SubElement(root, "testsuite", name=_text(f"{system} on {task}"))
        if report.run.started:
            suite.set("timestamp", _text(report.run.started))
        results = [_add_case(suite, row, by_row.get((system, task, row.relation), []), gate, silent) for row in rows]
        _set_counts(suite, results)
        all_results += results
    if not {"failures", "errors"} & set(all_results):  # the run may fail for a reason that belongs to no row
        all_results += _add_whole_run(root, passing(report, gate))
    _set_counts(root, all_results)
    _add_health(root, report.health)
    ElementTree.indent(root)
    return "<?xml version='1.0' encoding='UTF-8'?>\n" + ElementTree.tostring(root, encoding="unicode") + "\n"


def _add_case(
    suite: ElementTree.Element,
    row: SummaryRow,
    findings: Sequence[FindingRecord],
    gate: Gate,
    silent: Mapping[Row, str],
) -> str:
    """Add one test, and return the name of the total that counts it, or "" if it passed.

    `silent` contains the rows that should have a result but have none, with the reasons.
    """
    case = ElementTree.SubElement(
        suite, "testcase", classname=_text(f"{row.system}.{row.task}"), name=_text(row.relation)
    )
    if (why := silent.get(row_of(row))) is not None:
        ElementTree.SubElement(case, "error", type="not tested", message=_text(why))
        return "errors"
    if broken(row, gate):
        failure = ElementTree.SubElement(case, "failure", type="violated", message=_text(_counts(row)))
        failure.text = _text("\n".join(_failure_lines(row, findings)))
        return "failures"
    new = new_findings(finding for finding in findings if finding.new)
    if gate.baseline is not None and new:
        new_faults = faults_text(len(groups_of(new)), len(new), "new fault")
        message = f"{new_faults}, not in the baseline {gate.baseline}"
        failure = ElementTree.SubElement(case, "failure", type="new", message=_text(message))
        failure.text = _text("\n".join(_failure_lines(row, new)))
        return "failures"
    if not row.judged:
        ElementTree.SubElement(case, "skipped", message=f"nothing judged: {not_judged([row]) or 'no verdict'}")
        return "skipped"
    ElementTree.SubElement(case, "system-out").text = _text(_counts(row))
    return ""


def _set_counts(suite: ElementTree.Element, results: Sequence[str]) -> None:
    """Set the totals of a suite. `results` names the total that counts each test, or "" if it passed."""
    suite.set("tests", str(len(results)))
    for name in ("failures", "errors", "skipped"):
        suite.set(name, str(results.count(name)))


def _add_whole_run(root: ElementTree.Element, result: Passing) -> list[str]:
    """Add a test for anything that makes the run fail as a whole, and return the name of the total that counts it.

    Examples are too many findings and an empty summary. A run that passes gets no such test.
    """
    if not result.code:
        return []
    suite = ElementTree.SubElement(root, "testsuite", name="gate")
    tag = "failure" if result.word == "violated" else "error"
    case = ElementTree.SubElement(suite, "testcase", classname="gate", name="the run as a whole")
    ElementTree.SubElement(case, tag, type=result.word, message=_text("; ".join(result.reasons)))
    _set_counts(suite, [f"{tag}s"])
    return [f"{tag}s"]


def _counts(row: SummaryRow) -> str:
    text = f"{row.violated} of {row.judged} violated, rate {rate_text(row)}"
    if row.interval:
        text += f" ({interval_text(row.interval)})"
    counts = (
        (row.findings, "distinct"), (row.flaky, "flaky"), (row.undecided, "undecided"),
        (row.open, "open"), (row.otherwise_invalid, "invalid"), (row.error, "error"),
    )  # fmt: skip
    extra = [f"{count} {name}" for count, name in counts if count]
    extra += [] if row.noise_floor is None else [f"noise floor {percent(row.noise_floor)}"]
    return "; ".join([text, *extra])


def _failure_lines(row: SummaryRow, findings: Sequence[FindingRecord]) -> list[str]:
    lines = [_counts(row)]
    for finding in spread(findings, FIRST):
        lines += ["", f"{line(finding.id)} {finding_text(finding)}"]
    if row.distinct > FIRST:
        lines += ["", f"{row.distinct - FIRST} more findings in {FINDINGS_FILE}"]
    return lines


def _add_health(root: ElementTree.Element, health: Sequence[HealthRecord]) -> None:
    if not health:
        return
    texts = [note.text for note in notes(health)]
    suite = ElementTree.SubElement(root, "testsuite", name="health")
    _set_counts(suite, [])
    ElementTree.SubElement(suite, "system-err").text = _text("\n".join(texts))


def _text(value: str) -> str:
    """Return text that is valid in XML 1.0. Line breaks are kept, and forbidden characters are spelt out."""
    return "\n".join(line(part) for part in value.split("\n"))
