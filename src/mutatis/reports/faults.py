"""Groups findings into faults, so that people examine each fault only once, however many relations detect it.

All report formats and their counts use `groups_of` for this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mutatis.core.gathering import gathered
from mutatis.records.report import FindingRecord, FollowUpRecord, SourceRecord


def groups_of(findings: Iterable[FindingRecord]) -> list[list[FindingRecord]]:
    """Group findings by fault, in the order of the findings.

    All findings of a fault concern the same system and the same turn of one input. Findings to which the judge assigned
    the same cause form one fault, and so do findings without a cause that share a wrong answer.
    """
    groups: list[list[FindingRecord]] = []
    for of_input in gathered(findings, _input_of).values():
        causes = gathered(of_input, lambda finding: finding.cause)
        groups += _sharing(causes.pop("", []))
        groups += causes.values()
    return groups


def _input_of(finding: FindingRecord) -> tuple[str, str, str, int]:
    return finding.system, finding.task, finding.source.case.id, finding.source.turn


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
    value = response.value
    told = value if isinstance(value, str) else response.said if value is None else repr(value)
    return " ".join(told.split()).casefold()


def _sharing(findings: Sequence[FindingRecord]) -> list[list[FindingRecord]]:
    """Group the findings on one input so that findings with a wrong answer in common are in the same group."""
    groups: list[tuple[set[str], list[FindingRecord]]] = []
    for finding in findings:
        wrong = {answer_of(follow_up) for follow_up in finding.followups}
        members = [finding]
        rest = []
        for answers, group in groups:
            if answers & wrong:
                wrong |= answers
                members = group + members
            else:
                rest.append((answers, group))
        groups = [*rest, (wrong, members)]
    return [group for _, group in groups]
