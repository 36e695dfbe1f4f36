"""What a search by edits found: valid rate, failure rate, inherited and distinct failures, shares of families.

Counts verdicts of the relation `small-edits`; must not know how the edits were chosen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from mutatis.analysis.intervals import violation_rate
from mutatis.campaign.events import Event
from mutatis.core.actions import FAMILIES
from mutatis.core.decision import Outcome
from mutatis.core.verdict import Verdict
from mutatis.relations.small_edits import small_edits
from mutatis.text.edits import Validity

RELATION = small_edits(Validity()).name


@dataclass(slots=True)
class _Found:
    """What became of one system's follow-ups."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    inherited: int = 0
    texts: set[tuple[str, int, str]] = field(default_factory=set)
    by_source: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    used: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)


class EditMetrics:
    """Collects `metrics.edits`: per system what the search's edits came to.

    `distinct` counts failures by their final text and leaves inherited ones out; `turns` the turns that they are on.
    The interval of `distinct per 1000` takes the follow-ups of one source for alike.
    """

    name = "edits"

    def __init__(self) -> None:
        self._systems: dict[str, _Found] = defaultdict(_Found)

    def __call__(self, event: Event) -> None:
        """Count a verdict."""
        if isinstance(event, Verdict) and event.relation.name == RELATION and event.repeat == 0:
            self._count(self._systems[event.system], event)

    @staticmethod
    def _count(counted: _Found, verdict: Verdict) -> None:
        counted.outcomes[verdict.outcome] += 1
        counts = counted.by_source[verdict.source.id]
        counts[1] += 1
        if verdict.group is None:
            return
        [member] = verdict.group.members
        steps = verdict.derivation.steps if verdict.derivation else ()
        families = {s.transformation for s in steps if s.turns in (None, (verdict.turn,))} & FAMILIES.keys()
        counted.used.update(families)
        if verdict.outcome is not Outcome.VIOLATED:
            return
        counted.failed.update(families)
        counted.inherited += bool(verdict.inherited)
        text = (verdict.source.id, verdict.turn, "\n".join(member.asked.fields.values()))
        if not verdict.inherited and text not in counted.texts:
            counted.texts.add(text)
            counts[0] += 1

    def metrics(self) -> dict[str, Any]:
        """Return the numbers as JSON data."""
        return {
            "systems": {system: _numbers(counted) for system, counted in self._systems.items()},
            "note": "rates of a search go where failures are; they are no estimates of how often users meet one",
        }


def _numbers(counted: _Found) -> dict[str, Any]:
    proposals = sum(counted.outcomes.values())
    valid = counted.outcomes[Outcome.SATISFIED] + counted.outcomes[Outcome.VIOLATED]
    rate = violation_rate([(distinct, total) for distinct, total in counted.by_source.values()])
    return {
        "follow-ups": proposals,
        "valid rate": round(valid / proposals, 4),
        "failure rate": round(counted.outcomes[Outcome.VIOLATED] / valid, 4) if valid else None,
        "inherited": counted.inherited,
        "distinct": len(counted.texts),
        "turns": len({text[:2] for text in counted.texts}),
        "distinct per 1000": round(1000 * len(counted.texts) / proposals, 1),
        "from": round(1000 * (rate.low or 0.0), 1),
        "to": round(1000 * (rate.high or 0.0), 1),
        "families": {
            name: {"used": counted.used[name], "failed": counted.failed[name]}
            for name in FAMILIES
            if counted.used[name]
        },
    }
