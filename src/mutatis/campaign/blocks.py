"""Groups follow-ups into blocks of several sources that are judged together, in the order of the proposals.

A judge that learns how a system phrases its answers needs the replies to many questions before it can judge any of
them. Blocks depend only on the order of the proposals, so neither concurrency nor resuming a run changes verdicts. Only
one block at a time is kept in memory.
"""

from __future__ import annotations

from collections.abc import Iterable

from mutatis.campaign.follow_up import FollowUp

SOURCES = 64
"""Number of sources per block, enough to tell the replies to one question from the rest (`studies/repertoire`)."""

FEWEST = 5
"""Minimum number of sources in the last of several blocks. With fewer, more pairs would remain undecided."""


class Blocks:
    """Collects answered follow-ups until a block of sources is complete.

    A complete block is held back until the next block has `FEWEST` sources, so that a short remainder can be merged
    into it. A plain run takes its sources in the order of the data. A run with a budget returns to each source several
    times, so a block contains only some of the follow-ups of a source.

    Args:
        sources: number of sources per block; 0 passes every batch on as it arrives.
    """

    def __init__(self, sources: int = SOURCES) -> None:
        self._most = sources
        self._complete: list[FollowUp] = []
        self._collected: list[FollowUp] = []
        self._sources: set[tuple[str, str]] = set()
        self._closed = 0

    def add(self, batch: Iterable[FollowUp]) -> list[list[FollowUp]]:
        """Add answered follow-ups in order, and return the blocks of sources that are now complete."""
        if not self._most:
            return [list(batch)]
        passed_on = []
        for follow_up in batch:
            source = (follow_up.source.task, follow_up.source.id)
            if source not in self._sources and len(self._sources) == self._most:
                self._begin()
            self._sources.add(source)
            self._collected.append(follow_up)
            if self._complete and len(self._sources) >= min(FEWEST, self._most):
                passed_on.append(self._complete)
                self._complete = []
            self._closed += follow_up.proposal.closes
            if self._closed == self._most:
                self._begin()
        return passed_on

    def rest(self) -> list[FollowUp]:
        """Return the remaining follow-ups, including a block that was held back, and start over."""
        rest = self._complete + self._collected
        self._complete, self._collected = [], []
        self._sources, self._closed = set(), 0
        return rest

    def _begin(self) -> None:
        """Begin the next block of sources.

        The complete block is held back, because a short remainder may be merged into it.
        """
        self._complete, self._collected = self._collected, []
        self._sources, self._closed = set(), 0
