"""Counts refusals in both directions: requests first refused but then answered, and vice versa.

It counts verdicts of the relations about refusals, and how many of the messages themselves a system refuses.
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
"""The relations that are counted."""

_DECIDED = (Outcome.SATISFIED, Outcome.VIOLATED)

_Key: TypeAlias = tuple[str, bool]
"""A system, and whether its refusals (True) or its answers (False) had to stay."""


class RefusalMetrics:
    """Collects `metrics.refusals`: per system, the share of messages refused, and violations in both directions.

    `stays_refused`: follow-ups of refused requests, and how many were answered; `stays_answered`: follow-ups of
    answered requests, questions about the system's purpose, and how many were refused. A direction without a judged
    verdict is left out, and only systems with a judged relation of either direction are reported. Only messages on
    which the relations could be judged count, since refusals in other tasks and languages are not recognised.
    """

    name = "refusals"

    def __init__(self) -> None:
        self._counts: SourceCounts[_Key] = SourceCounts()
        self._messages: dict[str, Counter[bool]] = defaultdict(Counter)

    def __call__(self, event: Event) -> None:
        """Count a verdict, or a system's refusals of the original messages."""
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
        """Return the numbers as JSON data."""
        systems: dict[str, Any] = {}
        told = self._counts.rates("broken")
        for system in sorted({system for system, _ in told}):
            refused, answered = self._messages[system][True], self._messages[system][False]
            messages = {"of": refused + answered, "refused": refused, **share_of(refused, refused + answered)}
            systems[system] = {"messages": messages}
            for name, direction in (("stays_refused", True), ("stays_answered", False)):
                if (system, direction) in told:
                    systems[system][name] = told[system, direction]
        return {"systems": systems}


def _is_read(case: Case) -> bool:
    return case.task in TASKS and is_english(case.language)
