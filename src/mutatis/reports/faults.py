"""Which findings are one fault: what people should look at once, however many relations see it.

`groups_of` alone decides that; the page, the terminal, every other form and their counts go by it. Knows the records of
findings, not how they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mutatis.records.report import FindingRecord, FollowUpRecord, SourceRecord


def groups_of(findings: Iterable[FindingRecord]) -> list[list[FindingRecord]]:
    """Return findings in groups of one fault each, in the order of the findings.

    Findings are one fault only where they are of one system on one turn of one input: there, those of which the judge
    names the same cause, and of those without a cause the ones that share a wrong answer.
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
    """Return how many findings of a fault stand behind the one that is shown; empty for none.

    >>> and_more(1), and_more(0)
    ('; and 1 more finding of the same fault', '')
    """
    return f"; and {others:,} more finding{'' if others == 1 else 's'} of the same fault" if others else ""


def answer_of(record: SourceRecord | FollowUpRecord) -> str:
    """Return what was answered, so that equal answers are equal texts; empty where there is none, or half of one."""
    response = record.response
    if response is None or response.finish != "stop":
        return ""
    value = response.value
    told = value if isinstance(value, str) else response.said if value is None else repr(value)
    return " ".join(told.split()).casefold()


def _sharing(findings: Sequence[FindingRecord]) -> list[list[FindingRecord]]:
    """Return the findings of one input in groups: two that share a wrong answer are in one."""
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
