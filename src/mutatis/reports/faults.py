"""Findings that are one fault, and the faults that tell most.

Several relations may see the same wrong answer to the same input; people should look at it once. Knows findings as
they are shown, not how.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from mutatis.reports.view import FindingView

_RANK = {"confirmed": 0, "untried": 1, "flaky": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Findings of one system on one input that share a wrong answer; the first tells most."""

    findings: tuple[FindingView, ...]

    @property
    def first(self) -> FindingView:
        """The finding that is shown for all."""
        return self.findings[0]

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations that see the fault, each once."""
        return tuple(dict.fromkeys(finding.relation for finding in self.findings))

    @property
    def weight(self) -> tuple[int, bool, int, int]:
        """How little the fault tells: held when asked again, decided, small, seen by many relations come first."""
        first = self.first
        return _RANK[first.state], first.undecided, -min(len(self.relations), 4), first.changed


def _finding_weight(finding: FindingView) -> tuple[int, bool, int]:
    return _RANK[finding.state], finding.undecided, finding.changed


def faults(findings: Iterable[FindingView]) -> list[Fault]:
    """Return the faults behind some findings, the most telling first within a system and task, these in turn."""
    inputs: dict[tuple[str, str, str, int], list[FindingView]] = {}
    for finding in findings:
        inputs.setdefault((finding.system, finding.task, finding.source, finding.turn), []).append(finding)
    blocks: dict[tuple[str, str], list[Fault]] = {}
    for (system, task, *_), found in inputs.items():
        made = [Fault(findings=tuple(sorted(group, key=_finding_weight))) for group in _sharing(found)]
        blocks.setdefault((system, task), []).extend(made)
    ranked = [sorted(block, key=lambda fault: fault.weight) for block in blocks.values()]
    return [fault for one_of_each in zip_longest(*ranked) for fault in one_of_each if fault is not None]


def _sharing(findings: Sequence[FindingView]) -> list[list[FindingView]]:
    """Return the findings of one input in groups: two that share a wrong answer are in one."""
    groups: list[tuple[set[str], list[FindingView]]] = []
    for finding in findings:
        wrong = {answer.casefold() for answer in finding.wrong}
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


def telling(found: Sequence[Fault], most: int = 3) -> list[Fault]:
    """Return the most telling faults, from different systems, tasks and relations where there are such."""
    chosen: list[Fault] = []
    for key in (_place, _relation):
        for fault in sorted(found, key=lambda fault: fault.weight):
            if len(chosen) < most and fault not in chosen and key(fault) not in map(key, chosen):
                chosen.append(fault)
    rest = [fault for fault in sorted(found, key=lambda fault: fault.weight) if fault not in chosen]
    return [*chosen, *rest][:most]


def _place(fault: Fault) -> tuple[str, str]:
    return fault.first.system, fault.first.task


def _relation(fault: Fault) -> str:
    return fault.first.relation
