"""Records which messages a run sent and judged, so that a later run can tell which ones are new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from mutatis.campaign.events import Event, SourceObserved
from mutatis.core.cases import Case
from mutatis.core.verdict import Verdict
from mutatis.records.follow_ups import MOST, AskedRecord, message_hash


class Asked:
    """A listener that records the source and follow-up messages sent to each system, per task, in bounded memory."""

    def __init__(self) -> None:
        self._messages: dict[tuple[str, str], set[str] | None] = defaultdict(set)
        self._relations: dict[tuple[str, str], set[str]] = defaultdict(set)

    def __call__(self, event: Event) -> None:
        """Record a source that was answered, or the follow-ups that a verdict is based on."""
        if isinstance(event, SourceObserved):
            self._add(event.system, event.case.task, ((event.case, turn) for turn in event.observations))
        elif isinstance(event, Verdict):
            self._relations[event.system, event.source.task].add(event.relation.name)
            members = () if event.group is None else event.group.members
            self._add(event.system, event.source.task, ((member.case, member.turn) for member in members))

    def _add(self, system: str, task: str, asked: Iterable[tuple[Case, int]]) -> None:
        messages = self._messages[system, task]
        if messages is not None:
            messages.update(message_hash(turn.fields for turn in case.turns[: place + 1]) for case, place in asked)
            if len(messages) > MOST:
                self._messages[system, task] = None

    def records(self) -> list[dict[str, Any]]:
        """Return the recorded messages of each system and task as JSON data. Sets that grew too large are left out."""
        return [
            AskedRecord(
                system=system, task=task, relations=sorted(self._relations[system, task]), messages=sorted(messages)
            ).to_json()
            for (system, task), messages in self._messages.items()
            if messages
        ]
