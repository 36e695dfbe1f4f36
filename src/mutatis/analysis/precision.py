"""Estimates from people's labels how many findings of each relation are real."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mutatis.analysis.intervals import wilson
from mutatis.records.labels import Label
from mutatis.records.report import FindingRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """Counts of the labelled findings of a system, task and relation, and of those labelled real.

    Findings labelled as unsure do not count.
    """

    real: int
    labelled: int

    @property
    def share(self) -> float:
        """The share of labelled findings that are real."""
        return self.real / self.labelled

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson)."""
        return wilson(self.real, self.labelled)


def precision(findings: Iterable[FindingRecord], labels: Mapping[str, Label]) -> dict[tuple[str, str, str], Precision]:
    """Return the number of labelled findings, and of those labelled real, per system, task and relation."""
    counts: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for finding in findings:
        word = labels[finding.id].label if finding.id in labels else ""
        if word in ("real", "false-alarm"):
            count = counts[finding.system, finding.task, finding.relation]
            count[0] += word == "real"
            count[1] += 1
    return {row: Precision(real=real, labelled=labelled) for row, (real, labelled) in counts.items()}
