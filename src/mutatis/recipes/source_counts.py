"""Counts verdicts per source until the source is closed.

Then the counts are reduced to how often each pair of them occurred. Several metrics share this: memory does not grow
with the run, and follow-ups of one source do not count as independent trials.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from mutatis.analysis.intervals import violation_rate, wilson

K = TypeVar("K", bound=Hashable)


class SourceCounts(Generic[K]):
    """The number of verdicts of a certain kind on each source, grouped by key."""

    def __init__(self) -> None:
        self._open: dict[str, dict[K, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        self._closed: dict[K, Counter[tuple[int, int]]] = defaultdict(Counter)

    def add(self, source: str, key: K, *, counts: bool, judged: bool = True) -> None:
        """Count a verdict. One that was not judged registers the key, but adds nothing."""
        pair = self._open[source][key]
        pair[0] += counts and judged
        pair[1] += judged

    def close(self, source: str) -> None:
        """Add up the counts of a source that gets no more verdicts."""
        for key, (part, whole) in self._open.pop(source, {}).items():
            self._closed[key][part, whole] += 1

    def rates(self, part: str) -> dict[K, dict[str, Any]]:
        """Return, for each key, how many verdicts were judged and how many were of the kind, as JSON data.

        The latter number is called `part`.

        >>> counts = SourceCounts[str]()
        >>> counts.add("one", "noise", counts=True), counts.rates("decided")["noise"]["decided"]
        (None, 1)
        """
        for source in list(self._open):
            self.close(source)
        told = {}
        for key, sources in self._closed.items():
            rate = violation_rate(list(sources.elements()))
            told[key] = {"judged": rate.total, part: rate.violated, "share": rate.rate, "interval": rate.interval}
        return told


def share_of(part: int, whole: int) -> dict[str, Any]:
    """Return a share with its interval as JSON data; both are None if `whole` is 0.

    >>> share_of(1, 2)["share"], share_of(0, 0)
    (0.5, {'share': None, 'interval': None})
    """
    if not whole:
        return {"share": None, "interval": None}
    return {"share": round(part / whole, 4), "interval": [round(bound, 4) for bound in wilson(part, whole)]}
