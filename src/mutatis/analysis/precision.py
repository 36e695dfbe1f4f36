"""Estimates from people's labels how many findings of each relation are real."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from mutatis.analysis.agreement import FalsePositives
from mutatis.records.labels import Label
from mutatis.records.report import FindingRecord


def precision(
    findings: Iterable[FindingRecord], labels: Mapping[str, Label]
) -> dict[tuple[str, str, str], FalsePositives]:
    """Return the number of labelled findings, and of false alarms among them, per system, task and relation.

    Findings labelled as unsure do not count.
    """
    words: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for finding in findings:
        word = labels[finding.id].label if finding.id in labels else ""
        if word in ("real", "false-alarm"):
            words[finding.system, finding.task, finding.relation].append(word)
    return {row: FalsePositives(judged=len(of), false=of.count("false-alarm")) for row, of in words.items()}
