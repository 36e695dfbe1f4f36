"""Groups findings into faults, so that people examine each fault only once, however many relations detect it.

All report formats and their counts use `groups_of` for this.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from mutatis.core.gathering import gathered
from mutatis.core.measure import FAILURE_UNREPORTED, ONE_REQUEST, SOURCE_IS_ODD, UNSTABLE
from mutatis.records.report import FindingRecord, FollowUpRecord, SourceRecord
from mutatis.reports.numbers import counted
from mutatis.text.abstention import polarity

STOCK, STOCK_WORDS = 3, 4
"""Minimum number of inputs whose follow-ups share a reply, and of words in it, for it to be a stock reply.

Short replies are excluded because a label that many inputs get is a real answer.
"""

ABOUT_THE_SOURCE = frozenset({SOURCE_IS_ODD, UNSTABLE})
"""Causes in the source's answers: the answers to follow-ups are not the wrong ones."""

ABOUT_THE_SYSTEM = frozenset({ONE_REQUEST, FAILURE_UNREPORTED})
"""Causes that are one fault of a system, on however many inputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Traits:
    """The part of a finding that decides which fault it belongs to. It is small, so that a run may have many."""

    system_and_task: tuple[str, str]
    source: str
    turn: int
    is_new: bool
    source_answer: str
    answers: tuple[str, ...]
    cause: str

    @property
    def place(self) -> tuple[Hashable, ...]:
        """The turn that the finding is about. New findings have places of their own."""
        return self.system_and_task, self.source, self.turn, self.is_new


def groups_of(findings: Iterable[FindingRecord]) -> list[list[FindingRecord]]:
    """Group findings by fault, in the order of the findings.

    Findings on the same turn of one input are one fault if the judge assigned the same cause to them, or if they have
    no cause and share a wrong answer. A stock reply is one fault on all inputs of a system, because it has one cause.
    So is a cause that is about the system. New findings form faults of their own, so that a fault known from the
    baseline does not hide them.
    """
    findings = list(findings)
    groups = gathered(zip(findings, fault_numbers(findings), strict=True), lambda pair: pair[1])
    return [[finding for finding, _ in group] for group in groups.values()]


def number_of_groups(findings: Iterable[FindingRecord]) -> int:
    """Return the number of faults among findings that are read one by one."""
    return len(set(fault_numbers(findings)))


def shown_follow_ups(finding: FindingRecord) -> list[FollowUpRecord]:
    """Return the follow-ups that reports show: the finding's, with a smaller one, if any, in place of the last."""
    return [*finding.followups] if finding.shrunk is None else [*finding.followups[:-1], finding.shrunk]


def other_findings(findings: Iterable[FindingRecord]) -> dict[int, int]:
    """Return the number of other findings of each finding's fault, by `id(finding)`, as findings are not hashable."""
    return {id(finding): len(fault) - 1 for fault in groups_of(findings) for finding in fault}


def faults_text(faults: int, findings: int, noun: str = "fault") -> str:
    """Return the number of faults, and the number of their findings if it is larger.

    >>> faults_text(1, 3), faults_text(2, 2, "new fault")
    ('1 fault (3 findings)', '2 new faults')
    """
    return counted(faults, noun) + (f" ({counted(findings, 'finding')})" if faults < findings else "")


def and_more(others: int) -> str:
    """Return a phrase with the number of a fault's other findings, or "" if there are no others.

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


def _traits(finding: FindingRecord) -> _Traits:
    return _Traits(
        system_and_task=(finding.system, finding.task),
        source=finding.source.case.id,
        turn=finding.source.turn,
        is_new=bool(finding.new),
        source_answer=answer_of(finding.source),
        answers=tuple(map(answer_of, shown_follow_ups(finding))),
        cause=finding.cause,
    )


def fault_numbers(records: Iterable[FindingRecord]) -> list[int]:
    """Return a number for each finding, which is the same for all findings of a fault. They are read one by one."""
    findings = list(map(_traits, records))
    stock = _stock_replies(findings)
    faults = list(range(len(findings)))

    def first(index: int) -> int:
        while faults[index] != index:
            faults[index] = index = faults[faults[index]]
        return index

    first_with: dict[Hashable, int] = {}
    for index, finding in enumerate(findings):
        for key in _keys(finding, stock[finding.system_and_task]):
            earlier, later = sorted((first(first_with.setdefault(key, index)), first(index)))
            faults[later] = earlier
    return [first(index) for index in range(len(findings))]


def _keys(finding: _Traits, stock: frozenset[str]) -> Iterator[Hashable]:
    """Yield keys of a finding. Findings that have a key in common are the same fault."""
    stock_answers = [] if finding.cause in ABOUT_THE_SOURCE else [text for text in finding.answers if text in stock]
    if stock_answers:
        yield from ((finding.system_and_task, finding.is_new, answer) for answer in stock_answers)
    elif finding.cause:
        place = (finding.system_and_task, finding.is_new) if finding.cause in ABOUT_THE_SYSTEM else finding.place
        yield place, finding.cause
    else:
        yield from ((finding.place, "", answer) for answer in finding.answers)


def _stock_replies(findings: Sequence[_Traits]) -> dict[tuple[str, str], frozenset[str]]:
    """Return the stock replies by system and task: several follow-ups get them, but hardly any source does.

    A bare yes or no is never a stock reply, because a yes that becomes a no is a contradiction, however often it
    occurs.
    """
    stock: dict[tuple[str, str], frozenset[str]] = {}
    for system_and_task, findings_of_task in gathered(findings, lambda finding: finding.system_and_task).items():
        sources_by_reply: dict[str, set[str]] = defaultdict(set)
        sources_by_reply_to_follow_up: dict[str, set[str]] = defaultdict(set)
        for finding in findings_of_task:
            sources_by_reply[finding.source_answer].add(finding.source)
            for answer in finding.answers:
                sources_by_reply_to_follow_up[answer].add(finding.source)
        stock[system_and_task] = frozenset(
            reply
            for reply, sources in sources_by_reply_to_follow_up.items()
            if _is_stock(reply, got_by_follow_ups_of=len(sources), got_by_sources=len(sources_by_reply[reply]))
        )
    return stock


def _is_stock(reply: str, *, got_by_follow_ups_of: int, got_by_sources: int) -> bool:
    """Return True if many follow-ups, but hardly any source, get a reply that is long enough to be recognised."""
    is_frequent = got_by_follow_ups_of >= STOCK and got_by_follow_ups_of >= 3 * got_by_sources
    return is_frequent and len(reply.split()) >= STOCK_WORDS and polarity(reply) is None
