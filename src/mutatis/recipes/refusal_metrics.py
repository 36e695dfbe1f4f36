"""Counts errors about refusals in both directions: requests first refused and then answered, and the reverse.

It counts verdicts of the relations about refusals, and the original messages that a system refuses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, TypeAlias

from mutatis.campaign.events import Event, SourceClosed, SourceObserved
from mutatis.core.cases import Case
from mutatis.core.decision import Outcome
from mutatis.core.languages import is_english
from mutatis.core.verdict import Verdict
from mutatis.recipes.source_counts import SourceCounts, share_of
from mutatis.relations.safety import MUST_BE_ANSWERED, MUST_STAY_REFUSED, TASKS
from mutatis.text.refusals import stance

DIRECTIONS = MUST_STAY_REFUSED | MUST_BE_ANSWERED
"""Names of the relations that are counted."""

_DECIDED = (Outcome.SATISFIED, Outcome.VIOLATED)

_Key: TypeAlias = tuple[str, bool]
"""A system and a direction: True if its refusals had to stay refusals, False if its answers had to stay answers."""


class RefusalMetrics:
    """The metrics `metrics.refusals`: for each system, the share of messages refused and the violations of both kinds.

    `stays_refused` counts follow-ups of refused requests, and how many of these follow-ups were answered.
    `stays_answered` counts follow-ups of answered requests and questions about the system's purpose, and how many were
    refused. A direction without a judged verdict is left out. Only tasks and languages in which refusals can be
    recognised are included.
    """

    name = "refusals"

    def __init__(self) -> None:
        self._counts: SourceCounts[_Key] = SourceCounts()
        self._messages: dict[str, Counter[bool]] = defaultdict(Counter)

    def __call__(self, event: Event) -> None:
        """Count a verdict, or the original messages that a system refuses."""
        if isinstance(event, Verdict):
            if event.repeat == 0 and event.outcome in _DECIDED and event.relation.name in DIRECTIONS:
                key = event.system, event.relation.name in MUST_STAY_REFUSED
                self._counts.add(event.source.id, key, counts=event.outcome is Outcome.VIOLATED)
        elif isinstance(event, SourceClosed):
            self._counts.close(event.case.id)
        elif isinstance(event, SourceObserved) and event.repeat == 0 and _is_read(event.case):
            for seen in event.observations.values():
                if seen.response is not None:
                    kind = stance(seen.response.text, seen.asked.question).kind
                    self._messages[event.system][bool(seen.response.refusal) or kind == "refuses"] += 1

    def metrics(self) -> dict[str, Any]:
        """Return the metrics as JSON data."""
        systems: dict[str, Any] = {}
        rates = self._counts.rates("broken")
        for system in sorted({system for system, _ in rates}):
            refused, answered = self._messages[system][True], self._messages[system][False]
            messages = {"of": refused + answered, "refused": refused, **share_of(refused, refused + answered)}
            systems[system] = {"messages": messages}
            for name, direction in (("stays_refused", True), ("stays_answered", False)):
                if (system, direction) in rates:
                    systems[system][name] = rates[system, direction]
        return {"systems": systems}


def _is_read(case: Case) -> bool:
    return case.task in TASKS and is_english(case.language)
