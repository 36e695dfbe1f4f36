"""Groups findings into faults, so that people examine each only once, however many relations detect it.

`groups_of` is the only place that decides this. All forms of a report and their counts use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mutatis.records.report import FindingRecord, FollowUpRecord, SourceRecord


def groups_of(findings: Iterable[FindingRecord]) -> list[list[FindingRecord]]:
    """Group findings by fault, in the order of the findings.

    Findings belong to one fault only if they share a system and one turn of one input. Among those, findings with the
    same cause, according to the judge, are one fault, and so are findings without a cause that share a wrong answer.
    """
    inputs: dict[tuple[str, str, str, int], list[FindingRecord]] = {}
    for finding in findings:
        source = finding.source
        inputs.setdefault((finding.system, finding.task, source.case.id, source.turn), []).append(finding)
    groups: list[list[FindingRecord]] = []
    for of_input in inputs.values():
        causes: dict[str, list[FindingRecord]] = {}
        for finding in of_input:
            causes.setdefault(finding.cause, []).append(finding)
        groups += _sharing(causes.pop("", []))
        groups += causes.values()
    return groups


def and_more(others: int) -> str:
    """Return text for the number of a fault's other findings, or nothing if there are none.

    >>> and_more(1), and_more(0)
    ('; and 1 more finding of the same fault', '')
    """
    return f"; and {others:,} more finding{'' if others == 1 else 's'} of the same fault" if others else ""


def answer_of(record: SourceRecord | FollowUpRecord) -> str:
    """Return an answer so that equal answers are equal texts; empty if it is missing or incomplete."""
    response = record.response
    if response is None or response.finish != "stop":
        return ""
    value = response.value
    told = value if isinstance(value, str) else response.said if value is None else repr(value)
    return " ".join(told.split()).casefold()


def _sharing(findings: Sequence[FindingRecord]) -> list[list[FindingRecord]]:
    """Group the findings of one input, so that those that share a wrong answer are in the same group."""
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
