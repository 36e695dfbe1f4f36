"""Groups findings into faults, so that people examine each fault only once, however many relations detect it.

All report formats and their counts use `groups_of` for this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mutatis.core.gathering import gathered
from mutatis.records.report import FindingRecord, FollowUpRecord, SourceRecord
from mutatis.reports.numbers import counted


def groups_of(findings: Iterable[FindingRecord]) -> list[list[FindingRecord]]:
    """Group findings by fault, in the order of the findings.

    All findings of a fault concern the same system and the same turn of one input. Findings to which the judge assigned
    the same cause form one fault, and so do findings without a cause that share a wrong answer. New findings form
    faults of their own, so that a fault known from the baseline hides none of them.
    """
    groups: list[list[FindingRecord]] = []
    for findings_on_input in gathered(findings, lambda finding: (input_of(finding), bool(finding.new))).values():
        by_cause = gathered(findings_on_input, lambda finding: finding.cause)
        groups += _by_wrong_answer(by_cause.pop("", []))
        groups += by_cause.values()
    return groups


def input_of(finding: FindingRecord) -> tuple[str, str, str, int]:
    """Return a key for the turn that a finding is about: its system, task, source and number."""
    return finding.system, finding.task, finding.source.case.id, finding.source.turn


def other_findings(findings: Iterable[FindingRecord]) -> dict[int, int]:
    """Return the number of other findings of each finding's fault, by `id(finding)`, as findings are not hashable."""
    return {id(finding): len(fault) - 1 for fault in groups_of(findings) for finding in fault}


def faults_text(faults: int, findings: int, noun: str = "fault") -> str:
    """Return the number of faults, and that of their findings if there are more.

    >>> faults_text(1, 3), faults_text(2, 2, "new fault")
    ('1 fault (3 findings)', '2 new faults')
    """
    return counted(faults, noun) + (f" ({counted(findings, 'finding')})" if faults < findings else "")


def and_more(others: int) -> str:
    """Return a phrase with the number of a fault's other findings, or "" if there are none.

    >>> and_more(1), and_more(0)
    ('; and 1 more finding of the same fault', '')
    """
    return f"; and {others:,} more finding{'' if others == 1 else 's'} of the same fault" if others else ""


def answer_of(record: SourceRecord | FollowUpRecord) -> str:
    """Return an answer as normalised text so that equal answers compare equal, or "" if it is missing or incomplete."""
    response = record.response
    if response is None or response.finish != "stop":
        return ""
    answer = response.said if response.value is None else response.value
    text = answer if isinstance(answer, str) else repr(answer)
    return " ".join(text.split()).casefold()


def _by_wrong_answer(findings: Sequence[FindingRecord]) -> list[list[FindingRecord]]:
    """Group the findings on one input so that findings with a wrong answer in common are in the same group."""
    groups: list[tuple[set[str], list[FindingRecord]]] = []
    for finding in findings:
        answers = {answer_of(follow_up) for follow_up in finding.followups}
        members = [finding]
        separate = []
        for group_answers, group in groups:
            if group_answers & answers:  # the finding may connect several groups
                answers |= group_answers
                members = group + members
            else:
                separate.append((group_answers, group))
        groups = [*separate, (answers, members)]
    return [group for _, group in groups]
