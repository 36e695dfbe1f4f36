"""Faults for the page, and the faults that stand out on it. Uses findings in their displayed form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import contains

from mutatis.records.report import FindingRecord
from mutatis.reports.faults import groups_of
from mutatis.reports.numbers import line
from mutatis.reports.ranking import in_turn
from mutatis.reports.view import FindingView, finding_view

_RANK = {"confirmed": 0, "untried": 1, "flaky": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultView:
    """Findings that are one fault, the clearest first."""

    findings: tuple[FindingView, ...]

    @property
    def first(self) -> FindingView:
        """The finding that is shown for all."""
        return self.findings[0]

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations that see the fault, each once."""
        return tuple(dict.fromkeys(line(finding.record.relation) for finding in self.findings))

    @property
    def tier(self) -> tuple[bool, int]:
        """Order before any weight: new findings first, then findings that held when asked again."""
        return not any(finding.record.new for finding in self.findings), _RANK[self.first.record.state]

    @property
    def weight(self) -> tuple[bool, bool, int, int]:
        """How unclear the fault is: decided, two answers that differ, seen by many relations, small come first."""
        first = self.first
        return first.record.undecided, first.evasive, -min(len(self.relations), 4), first.changed


def _finding_weight(finding: FindingView) -> tuple[int, bool, int]:
    return _RANK[finding.record.state], finding.record.undecided, finding.changed


def faults(
    findings: Iterable[FindingRecord], view: Callable[[FindingRecord], FindingView] = finding_view
) -> list[FaultView]:
    """Return the faults behind some findings, the clearest of each capability first; systems and tasks in turn."""
    made = [FaultView(findings=tuple(sorted(map(view, group), key=_finding_weight))) for group in groups_of(findings)]
    ranked = in_turn(
        made,
        tier=lambda fault: fault.tier,
        block=lambda fault: (fault.first.record.system, fault.first.record.task),
        group=lambda fault: fault.first.capability,
        weight=lambda fault: fault.weight,
    )
    return list(ranked)


CARDS, FILLED = 6, 3
"""Most faults that stand out, and how many do if there are too few capabilities for one of each."""


def telling(ranked: Sequence[FaultView]) -> list[FaultView]:
    """Return the clearest faults: one of each capability, of different systems, tasks and inputs if possible.

    At least three, if there are as many, and more if their answers have content. Faults that did not occur again
    (FLAKY) are left out.
    """
    held = sorted(
        (fault for fault in ranked if not fault.first.record.flaky), key=lambda fault: (fault.tier, fault.weight)
    )
    chosen: list[FaultView] = []
    for traits in (("where", "capability", "input"), ("capability", "input"), ("capability",), ("input",), ()):
        seen = [{_TRAITS[trait](fault) for fault in chosen} for trait in traits]
        for fault in held:
            full = len(chosen) >= (CARDS if "capability" in traits and not fault.first.evasive else FILLED)
            has = [_TRAITS[trait](fault) for trait in traits]
            if full or any(map(contains, seen, has)) or any(fault is other for other in chosen):
                continue
            chosen.append(fault)
            for known, trait in zip(seen, has, strict=True):
                known.add(trait)
    return chosen


_TRAITS: Mapping[str, Callable[[FaultView], tuple[str, ...]]] = {
    "where": lambda fault: (fault.first.record.system, fault.first.record.task),
    "input": lambda fault: (fault.first.record.source.case.id,),
    "capability": lambda fault: (fault.first.capability,),
}
