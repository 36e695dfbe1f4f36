"""Computes the agreement of two raters, Cohen's kappa, and the precision of positive detections (PPD).

The functions take scores or labels that have already been read from files. Source: MORTAR, section 5 of its
specification. Scores range from 0 to 10, and a detection is a false positive only if BOTH raters give 6 or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias

from mutatis.analysis.intervals import clopper_pearson
from mutatis.core.gathering import gathered
from mutatis.records.labels import Label
from mutatis.records.report import FindingRecord, row_of

FALSE_ALARM = 6
"""Minimum score for a rater to consider a detection wrong, because the expectation holds after all."""

Row: TypeAlias = tuple[str, ...]
"""The key of a row in a table of readings: relation, task and input fields."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two raters, or of a judge with its reference labels, on yes/no labels.

    Attributes:
        table: the number of items that both label no, only the first labels yes, only the second labels yes, and both
            label yes, in this order.
    """

    table: tuple[int, int, int, int]

    @property
    def items(self) -> int:
        """Number of labels compared."""
        return sum(self.table)

    @property
    def agreement(self) -> float:
        """The share of items with the same label from both raters."""
        return (self.table[0] + self.table[3]) / self.items

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa, or None if both raters gave every item the same single label.

        >>> round(Agreement((45, 20, 10, 25)).kappa, 4)
        0.3814
        """
        neither, first, second, both = self.table
        chance = ((both + first) * (both + second) + (neither + first) * (neither + second)) / self.items**2
        return None if chance == 1.0 else (self.agreement - chance) / (1 - chance)

    @property
    def precision(self) -> float | None:
        """Share of the first rater's yes labels that the second rater shares, or None if there are no such labels."""
        return _share(self.table[3], self.table[1])

    @property
    def recall(self) -> float | None:
        """Share of the second rater's yes labels that the first rater shares, or None if there are no such labels."""
        return _share(self.table[3], self.table[2])


def _share(both: int, other: int) -> float | None:
    return both / (both + other) if both + other else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRow:
    """Counts of the items that people reviewed for one row, that is, for one relation, task and set of input fields.

    `both` is the number of items reviewed by two people, and `agreed` the number of items that both labelled the same.
    """

    read: int
    sound: int
    both: int
    agreed: int


def reading_counts(
    rows: Mapping[str, Row], first: Mapping[str, bool], second: Mapping[str, bool]
) -> dict[Row, ReadRow]:
    """Return the counts for each row, over the items that the first reader has reviewed.

    An item is sound if every reader who reviewed it calls it sound.

    Args:
        rows: the row of each item.
        first: for each item, True if the first reader calls it sound.
        second: the labels of a second reader, who may have reviewed only some of the items.
    """
    counted = {}
    for row, items in sorted(gathered(first, rows.__getitem__).items()):
        both = [item for item in items if item in second]
        counted[row] = ReadRow(
            read=len(items),
            sound=sum(first[item] and second.get(item, True) for item in items),
            both=len(both),
            agreed=sum(first[item] == second[item] for item in both),
        )
    return counted


def agreement_in(counts: Mapping[tuple[bool, bool], int]) -> Agreement:
    """Return the agreement of two raters, given the number of items for each pair of labels."""
    neither, first, second, both = ((False, False), (True, False), (False, True), (True, True))
    return Agreement((counts[neither], counts[first], counts[second], counts[both]))


@dataclass(frozen=True, slots=True, kw_only=True)
class FalsePositives:
    """The number of reviewed violations in one row (relation and task), and how many are false alarms."""

    judged: int
    false: int

    @property
    def real(self) -> int:
        """The number of reviewed violations that are real."""
        return self.judged - self.false

    @property
    def rate(self) -> float:
        """The share of reviewed violations that are false alarms."""
        return self.false / self.judged

    @property
    def interval(self) -> tuple[float, float]:
        """The exact 95 % interval of the false-alarm rate."""
        return clopper_pearson(self.false, self.judged)


def false_positives(
    rows: Mapping[str, Row], first: Mapping[str, float], second: Mapping[str, float] | None = None
) -> dict[Row, FalsePositives]:
    """Return the number of false alarms per row (relation and task), from scores of 0 (certainly a bug) to 10.

    A violation is a false alarm if every rater who scored it gives 6 or more.

    Args:
        rows: the row of each item.
        first: the scores of one rater.
        second: the scores of a second rater, who may have scored only some of the items.

    >>> rows = {"a": ("leet", "chat"), "b": ("leet", "chat"), "c": ("voice", "chat")}
    >>> found = false_positives(rows, {"a": 9, "b": 2, "c": 7}, {"a": 6, "b": 9, "c": 1})
    >>> {row[0]: (one.false, one.judged) for row, one in found.items()}
    {'leet': (1, 2), 'voice': (0, 1)}
    """
    other = second or {}
    false = {item for item, score in first.items() if min(score, other.get(item, score)) >= FALSE_ALARM}
    return {
        row: FalsePositives(judged=len(items), false=len(false.intersection(items)))
        for row, items in sorted(gathered(first, rows.__getitem__).items())
    }


def precision(
    findings: Iterable[FindingRecord], labels: Mapping[str, Label]
) -> dict[tuple[str, str, str], FalsePositives]:
    """Return the number of labelled findings, and of false alarms among them, per system, task and relation.

    Findings labelled as unsure are left out.
    """
    known = ((finding, labels[finding.id].label) for finding in findings if finding.id in labels)
    sure = [(row_of(finding), word) for finding, word in known if word in ("real", "false-alarm")]
    return {
        row: FalsePositives(judged=len(pairs), false=pairs.count((row, "false-alarm")))
        for row, pairs in gathered(sure, itemgetter(0)).items()
    }
