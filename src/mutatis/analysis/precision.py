"""How many of a relation's findings are real: as expected from what was measured, and as people say who labelled them.

Knows neither relations nor systems.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mutatis.analysis.intervals import wilson
from mutatis.records.labels import Label
from mutatis.records.report import FindingRecord


def expected_precision(rate: float, sound: float, judge: float) -> float:
    """Return the expected share of real findings.

    Not a product of shares, which would forget how rare violations are: where 3 % of the follow-ups are unsound and 3 %
    violate, a system that is always right explains every finding. So every unsound follow-up counts as a finding that
    is none; of the others the judge is right about its share.

    Args:
        rate: violation rate, 0 to 1.
        sound: share of sound follow-ups, as read.
        judge: share of right decisions of the judge where it reports a violation.

    >>> [round(expected_precision(*shares), 2) for shares in ((0.5, 1.0, 0.87), (0.03, 0.97, 0.87), (0.5, 0.97, 1.0))]
    [0.87, 0.0, 0.94]
    """
    if rate <= 0:
        return 0.0
    return judge * max(0.0, 1 - (1 - sound) / rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """How many labelled findings of a system, task and relation people called real; unsure ones do not count."""

    real: int
    labelled: int

    @property
    def share(self) -> float:
        """The share of real ones."""
        return self.real / self.labelled

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval (Wilson)."""
        return wilson(self.real, self.labelled)


def precision(findings: Iterable[FindingRecord], labels: Mapping[str, Label]) -> dict[tuple[str, str, str], Precision]:
    """Return, per system, task and relation with labelled findings, how many of these people called real."""
    counts: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for finding in findings:
        word = labels[finding.id].label if finding.id in labels else ""
        if word in ("real", "false-alarm"):
            count = counts[finding.system, finding.task, finding.relation]
            count[0] += word == "real"
            count[1] += 1
    return {row: Precision(real=real, labelled=labelled) for row, (real, labelled) in counts.items()}
