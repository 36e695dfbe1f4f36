"""Ranks findings so that reports begin with the most informative ones.

Findings on different capabilities alternate, those on privacy first. Two answers that differ come before an answer
without content, and both come before answers that only the other replies of the run show to differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from typing import NamedTuple

from mutatis.core.gathering import gathered, one_of_each
from mutatis.core.measure import NOT_UNDERSTOOD, REPERTOIRE
from mutatis.core.verdict import Row
from mutatis.records.report import FindingRecord, Report, row_of
from mutatis.reports.faults import answer_of, fault_numbers, groups_of, shown_follow_ups
from mutatis.text.plain_differences import answers_nothing, plain_differences

WHO_SPEAKS = "who is speaking"
"""The capability whose findings are ranked last, because they accuse a system of unfairness."""

_STATES = {True: 0, None: 1, False: 2}
"""Rank of a finding by whether it recurred when asked again, None if it was not asked again."""

PRIVACY = "privacy"
"""The capability whose findings begin each round, because they may show another person's data."""


class _Weight(NamedTuple):
    """Sort key of a finding, among its capability's findings and all others."""

    undecided: bool
    on_other_matters: bool
    vague: bool
    evasive: bool
    number_in_relation: int
    place: int


class Ranking:
    """A ranking of findings by how informative they are, which depends on which findings are the same fault.

    Args:
        findings: the findings to rank.
        capabilities: the capability that a system needs to satisfy a relation, by task and relation; by default, the
            relation itself.
    """

    def __init__(
        self, findings: Iterable[FindingRecord], capabilities: Mapping[tuple[str, str], str] | None = None
    ) -> None:
        self._findings = list(findings)
        self._capabilities = capabilities or {}

    def capability(self, finding: FindingRecord) -> str:
        """Return the capability that a system needs to satisfy a finding's relation."""
        return self._capabilities.get((finding.task, finding.relation)) or finding.relation

    def is_evasive(self, finding: FindingRecord) -> bool:
        """Return True if one of a finding's answers has no content.

        Such an answer is blank, a refusal, "I don't know" or "please rephrase". If the finding was shrunk, the answer
        to the smallest follow-up is checked, because this is the follow-up that is shown.
        """
        return any(map(answers_nothing, _replies(finding)))

    def is_vague(self, finding: FindingRecord) -> bool:
        """Return True if only the other replies of the run show that a finding's answers differ.

        Read alone, the answers neither exchange a value nor take opposite sides, and either both answer or neither
        does.
        """
        if finding.measure != REPERTOIRE or finding.cause == NOT_UNDERSTOOD:
            return False
        pairs = combinations(_replies(finding), 2)
        return all(plain_differences(*pair, finding.source.case.language) <= {"omits"} for pair in pairs)

    def best(self, most: int | None = None) -> list[FindingRecord]:
        """Return the findings in order of how informative they are, or only the first `most`.

        Each fault is represented once before any is repeated. New findings come before known ones, and confirmed
        findings before others. Among these, findings on different capabilities alternate, one on privacy first. Two
        answers that differ come before an answer without content, and both before vague ones. Findings on who speaks
        come last.
        """
        findings = self._findings
        findings_of_row: Counter[Row] = Counter()
        weights: list[_Weight] = []
        for index, finding in enumerate(findings):
            row = row_of(finding)
            findings_of_row[row] += 1
            weights.append(
                _Weight(
                    undecided=finding.undecided,
                    on_other_matters=self.capability(finding) != PRIVACY,
                    vague=self.is_vague(finding),
                    evasive=self.is_evasive(finding),
                    number_in_relation=findings_of_row[row],
                    place=index,
                )
            )
        repeated = self._repeated(weights)

        def tier(index: int) -> tuple[bool, bool, int, bool]:
            finding = findings[index]
            on_who_speaks = self.capability(finding) == WHO_SPEAKS
            return index in repeated, not finding.new, _STATES[finding.confirmed], on_who_speaks

        tiers = gathered(range(len(findings)), tier)
        ranked = [index for _, members in sorted(tiers.items()) for index in self._in_turn(members, weights)]
        return [findings[index] for index in ranked[:most]]

    def _in_turn(self, indices: Iterable[int], weights: Sequence[_Weight]) -> Iterator[int]:
        """Return the indices of findings, one of each system and task in turn."""
        blocks = gathered(indices, lambda index: (self._findings[index].system, self._findings[index].task))
        return one_of_each(self._rounds(members, weights) for members in blocks.values())

    def _rounds(self, indices: Iterable[int], weights: Sequence[_Weight]) -> Iterator[int]:
        """Yield the lightest finding on each capability, then the second lightest on each, and so on.

        The findings of each round are sorted by weight.
        """
        groups = gathered(indices, lambda index: self.capability(self._findings[index]))
        for one_round in zip_longest(*(sorted(members, key=weights.__getitem__) for members in groups.values())):
            yield from sorted((index for index in one_round if index is not None), key=weights.__getitem__)

    def _repeated(self, weights: Sequence[_Weight]) -> set[int]:
        """Return the indices of findings that are less informative than another finding of the same fault."""
        numbers = fault_numbers(self._findings)
        faults = gathered(range(len(numbers)), numbers.__getitem__)
        best = {min(members, key=lambda index: self._clarity(index, weights[index])) for members in faults.values()}
        return set(range(len(numbers))) - best

    def _clarity(self, index: int, weight: _Weight) -> tuple[int, bool, bool, bool, int, int]:
        """Return a sort key for the findings of a fault, with the clearest and shortest first."""
        finding = self._findings[index]
        turns = (turn for follow_up in shown_follow_ups(finding) for turn in follow_up.case.turns)
        length = sum(len(text) for turn in turns for text in turn.fields.values())
        return _STATES[finding.confirmed], weight.undecided, weight.vague, weight.evasive, length, index


def spread(
    findings: Sequence[FindingRecord], most: int, capabilities: Mapping[tuple[str, str], str] | None = None
) -> list[FindingRecord]:
    """Return up to `most` of the most informative findings, with only the best one of each fault."""
    return Ranking(findings, capabilities).best(min(most, len(groups_of(findings))))


def capabilities_of(report: Report) -> dict[tuple[str, str], str]:
    """Return the capability that each relation requires, by task and relation."""
    return {(row.task, row.relation): row.capability for row in report.summary if row.capability}


def _replies(finding: FindingRecord) -> list[str]:
    """Return the answers to the source and to the follow-ups that reports show."""
    return [answer_of(finding.source), *map(answer_of, shown_follow_ups(finding))]
