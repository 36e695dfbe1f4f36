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
    def weight(self) -> tuple[bool, int, bool, int, int]:
        """How little the fault tells: new, held when asked again, decided, seen by many relations, small come first."""
        first = self.first
        new = any(finding.new for finding in self.findings)
        return not new, _RANK[first.state], first.undecided, -min(len(self.relations), 4), first.changed


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
    """Return the most telling faults: of different systems, tasks, inputs and relations as long as there are such.

    What nobody saw again (FLAKY) is none.
    """
    ranked = sorted((fault for fault in found if not fault.first.flaky), key=lambda fault: fault.weight)
    chosen: list[Fault] = []
    for keys in (("system_task", "input", "relation"), ("input", "relation"), ("input",), ()):
        seen = {key: {_trait(fault, key) for fault in chosen} for key in keys}
        for fault in ranked:
            new = all(_trait(fault, key) not in seen[key] for key in keys)
            if new and len(chosen) < most and not any(fault is other for other in chosen):
                chosen.append(fault)
                for key in keys:
                    seen[key].add(_trait(fault, key))
    return chosen


def _trait(fault: Fault, key: str) -> tuple[str, ...]:
    first = fault.first
    return {"system_task": (first.system, first.task), "input": (first.source,), "relation": (first.relation,)}[key]
