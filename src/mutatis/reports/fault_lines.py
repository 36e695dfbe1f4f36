"""Counts and describes the findings of a run for a gate: faults, each by its clearest finding."""

from __future__ import annotations

from mutatis.analysis.newness import new_findings
from mutatis.records.report import FindingRecord, Report
from mutatis.reports.faults import and_more, groups_of
from mutatis.reports.numbers import counted
from mutatis.reports.ranking import capabilities_of, spread


def number_of_faults(report: Report, most: int) -> int:
    """Return the number of faults among the findings that count; if over `most` inputs have some, their number.

    In a large run they are read one by one, and only their inputs are kept if these are enough.
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
    """Whether the baseline of the run has a finding."""
    return finding.new is False and not finding.newly_asked


def newly_asked(report: Report) -> str:
    """Return how many findings are on follow-ups that the baseline never asked; empty without one."""
    number = sum(finding.newly_asked and finding.confirmed is not False for finding in report.all_findings)
    return f"{counted(number, 'finding')} newly asked, on follow-ups that the baseline never asked" if number else ""


def known_faults(report: Report) -> str:
    """Return the number of faults among findings already in the baseline; in a large run, the number of findings."""
    if len(report.all_findings) > len(report.findings):
        return counted(sum(map(is_known, report.all_findings)), "finding")
    known = list(filter(is_known, report.findings))
    faults = len(groups_of(known))
    return f"{faults:,}" + (f" ({counted(len(known), 'finding')})" if faults < len(known) else "")


def new_faults(report: Report, why: str) -> list[str]:
    """Return one line for each fault among the new findings: its clearest finding, the others counted."""
    new = new_findings(finding for finding in report.all_findings if finding.new)
    sizes = {id(finding): len(fault) for fault in groups_of(new) for finding in fault}
    clearest = {id(finding) for finding in spread(new, len(new), capabilities_of(report))}
    return [
        f"new fault {finding.id}: {finding.relation} on {finding.system}, {finding.task}, "
        f"source {finding.source.case.id} ({why}){and_more(sizes[id(finding)] - 1)}"
        for finding in new
        if id(finding) in clearest
    ]
