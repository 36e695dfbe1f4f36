"""Counts verdicts per source until no more verdicts on that source follow.

After that, only the distribution of the counts is kept. Memory use thus does not grow with the length of the run, and
the follow-ups of one source do not count as independent trials. Several metrics use this.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from mutatis.analysis.intervals import violation_rate, wilson

K = TypeVar("K", bound=Hashable)


class SourceCounts(Generic[K]):
    """Counts, for each source and key, how many verdicts there are and how many are of a certain kind."""

    def __init__(self) -> None:
        self._open: dict[str, dict[K, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        self._closed: dict[K, Counter[tuple[int, int]]] = defaultdict(Counter)

    def add(self, source: str, key: K, *, counts: bool, judged: bool = True) -> None:
        """Count a verdict. `counts` is True if it is of the kind in question.

        A verdict that was not judged only registers its key.
        """
        pair = self._open[source][key]
        pair[0] += counts and judged
        pair[1] += judged

    def close(self, source: str) -> None:
        """Add up the counts of a source for which no further verdicts will follow."""
        for key, (part, whole) in self._open.pop(source, {}).items():
            self._closed[key][part, whole] += 1

    def rates(self, part: str) -> dict[K, dict[str, Any]]:
        """Return, for each key, the number of judged verdicts and the number of the kind in question, as JSON data.

        `part` is the name of the latter number.

        >>> counts = SourceCounts[str]()
        >>> counts.add("one", "noise", counts=True), counts.rates("decided")["noise"]["decided"]
        (None, 1)
        """
        for source in list(self._open):
            self.close(source)
        rates = {}
        for key, sources in self._closed.items():
            rate = violation_rate(list(sources.elements()))
            rates[key] = {"judged": rate.total, part: rate.violated, "share": rate.rate, "interval": rate.interval}
        return rates


def share_of(part: int, whole: int) -> dict[str, Any]:
    """Return a proportion and its confidence interval as JSON data. Both are None if `whole` is 0.

    >>> share_of(1, 2)["share"], share_of(0, 0)
    (0.5, {'share': None, 'interval': None})
    """
    if not whole:
        return {"share": None, "interval": None}
    return {"share": round(part / whole, 4), "interval": [round(bound, 4) for bound in wilson(part, whole)]}
