"""Finds thresholds ("edges") at which a value in a question changes the replies, for a table in the report."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from mutatis.campaign.events import Event
from mutatis.core.verdict import Verdict
from mutatis.transformations.halving import Walk, changes_in, goes_evenly, turn_in, walks_of

LISTED = 200
"""Maximum number of rows in the table of edges."""

SHOWN = 160
"""Maximum number of characters shown of a reply in the table of edges."""


class Edges:
    """A listener that records the thresholds at which a value in a question changes the replies of a system."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def __call__(self, event: Event) -> None:
        """Record the replies to a question if its follow-ups were made to find the threshold of a value in it."""
        if isinstance(event, Verdict) and event.group is not None and not event.repeat:
            for walk in walks_of(event.group):
                row = _row(walk)
                if row is not None and len(self._rows) < LISTED:
                    about = {"system": event.system, "source": event.source.id, "question": event.group.question}
                    self._rows.append({**about, **row})

    def records(self) -> list[dict[str, Any]]:
        """Return the thresholds that were found as JSON data for the report's table."""
        return self._rows


def _row(walk: Walk) -> dict[str, Any] | None:
    """Return the table row for one value in a question, or None if the replies do not change with it."""
    changes = changes_in(walk.points, walk.value)
    if not changes:
        return None
    texts, replies = walk.texts, {number: _short(reply) for number, reply in walk.points.items()}
    even = goes_evenly(walk.points, walk.value)
    turned = turn_in(walk.points, walk.value)
    edges = [
        {"low": texts[low], "high": texts[high], "below": replies[low], "above": replies[high]}
        for low, high in pairwise(sorted(walk.points))
        if (low, high) in changes
    ]
    return {
        "value": walk.value.text,
        "asked": [{"value": texts[number], "reply": replies[number]} for number in sorted(walk.points)],
        "edges": [] if even else edges,
        "even": even,
        "direction": walk.direction,
        "turn": [] if turned is None else [texts[number] for number in turned],
    }


def _short(reply: str) -> str:
    text = " ".join(reply.split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
