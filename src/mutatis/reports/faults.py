"""Groups findings into faults: things to look at once, however many relations see them.

`groups_of` alone decides that; the page, the terminal, every other form and their counts go by it. Uses the records of
findings, independent of how they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mutatis.records.report import FindingRecord, FollowUpRecord, SourceRecord


def groups_of(findings: Iterable[FindingRecord]) -> list[list[FindingRecord]]:
    """Return findings in groups of one fault each, in the order of the findings.

    Findings are one fault only if they share a system and one turn of one input. There, findings with the same cause by
    the judge are one fault, and of findings without a cause the ones that share a wrong answer.
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
    """Return text for the number of a fault's findings beside the one that is shown, or nothing if there are none.

    >>> and_more(1), and_more(0)
    ('; and 1 more finding of the same fault', '')
    """
    return f"; and {others:,} more finding{'' if others == 1 else 's'} of the same fault" if others else ""


def answer_of(record: SourceRecord | FollowUpRecord) -> str:
    """Return the answer, so that equal answers are equal texts; empty if it is missing or incomplete."""
    response = record.response
    if response is None or response.finish != "stop":
        return ""
    value = response.value
    told = value if isinstance(value, str) else response.said if value is None else repr(value)
    return " ".join(told.split()).casefold()


def _sharing(findings: Sequence[FindingRecord]) -> list[list[FindingRecord]]:
    """Group the findings of one input. Findings that share a wrong answer are in the same group."""
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
