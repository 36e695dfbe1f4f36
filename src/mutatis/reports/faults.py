"""Findings that are one fault, and the faults that tell most.

Several relations may see the same wrong answer to the same input; people should look at it once. Knows findings as
they are shown, not how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import contains

from mutatis.reports.ranking import in_turn
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
    def tier(self) -> tuple[bool, int]:
        """What comes before any weight: what is new, and what held when it was asked again."""
        return not any(finding.new for finding in self.findings), _RANK[self.first.state]

    @property
    def weight(self) -> tuple[bool, bool, int, int]:
        """How little the fault tells: decided, two answers that differ, seen by many relations, small come first."""
        first = self.first
        return first.undecided, first.evasive, -min(len(self.relations), 4), first.changed


def _finding_weight(finding: FindingView) -> tuple[int, bool, int]:
    return _RANK[finding.state], finding.undecided, finding.changed


def faults(findings: Iterable[FindingView]) -> list[Fault]:
    """Return the faults behind some findings, the most telling of each capability first; systems and tasks in turn."""
    inputs: dict[tuple[str, str, str, int], list[FindingView]] = {}
    for finding in findings:
        inputs.setdefault((finding.system, finding.task, finding.source, finding.turn), []).append(finding)
    made = [
        Fault(findings=tuple(sorted(group, key=_finding_weight)))
        for found in inputs.values()
        for group in _sharing(found)
    ]
    ranked = in_turn(
        made,
        tier=lambda fault: fault.tier,
        block=lambda fault: (fault.first.system, fault.first.task),
        group=lambda fault: fault.first.capability,
        weight=lambda fault: fault.weight,
    )
    return list(ranked)


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


CARDS, FILLED = 6, 3
"""Most faults that stand out, and how many do where there are too few capabilities for one of each."""


def telling(found: Sequence[Fault]) -> list[Fault]:
    """Return the most telling faults: one of each capability, of different systems, tasks and inputs where possible.

    Three at least, where there are as many, and more where their answers say something. What nobody saw again (FLAKY)
    is none of them.
    """
    ranked = sorted((fault for fault in found if not fault.first.flaky), key=lambda fault: (fault.tier, fault.weight))
    chosen: list[Fault] = []
    for traits in (("where", "capability", "input"), ("capability", "input"), ("capability",), ("input",), ()):
        seen = [{_TRAITS[trait](fault) for fault in chosen} for trait in traits]
        for fault in ranked:
            full = len(chosen) >= (CARDS if "capability" in traits and not fault.first.evasive else FILLED)
            own = [_TRAITS[trait](fault) for trait in traits]
            if full or any(map(contains, seen, own)) or any(fault is other for other in chosen):
                continue
            chosen.append(fault)
            for known, trait in zip(seen, own, strict=True):
                known.add(trait)
    return chosen


_TRAITS: Mapping[str, Callable[[Fault], tuple[str, ...]]] = {
    "where": lambda fault: (fault.first.system, fault.first.task),
    "input": lambda fault: (fault.first.source,),
    "capability": lambda fault: (fault.first.capability,),
}
