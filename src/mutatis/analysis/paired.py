"""Two runs over the same sources: is the one more often violated than the other, or is it chance?

Both runs saw the same sources, so they are compared source by source: intervals that overlap say little of a pair.
Works on counts per source; knows neither files nor systems.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mutatis.core.verdict import Row
from mutatis.records.report import VerdictRecord

Counts: TypeAlias = dict[str, tuple[int, int]]
"""(violated, judged) per source; sources without a judged verdict are left out."""

SIGNIFICANT = 0.05
"""Share of false alarms among the differences that are starred."""

RESAMPLES = 4000
FEWEST = 10
"""Sources below which no interval is told: a bootstrap of a handful of sources is far too narrow."""
_AT_ONCE = 2_000_000
"""Numbers drawn at a time, which bounds the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """One relation in two runs, over the sources that both judged.

    Attributes:
        sources: how many these are.
        worse, better: sources violated in the new run only, and in the old run only.
        p: exact two-sided McNemar test of worse against better; 1 where no source differs.
        adjusted: the same, for all relations compared at once (Benjamini and Hochberg, false discovery rate).
        difference: violation rate of the new run less that of the old run.
        interval: of the difference, 95 %, by resampling sources; None below ten sources, and where none differs.
    """

    sources: int
    worse: int
    better: int
    p: float
    adjusted: float
    difference: float
    interval: tuple[float, float] | None

    @property
    def significant(self) -> bool:
        """Whether chance hardly explains the difference, all relations considered."""
        return self.adjusted < SIGNIFICANT


def source_counts(verdicts: Iterable[VerdictRecord]) -> dict[Row, Counts]:
    """Return the counts per source of each system, task and relation."""
    by_row: dict[Row, Counts] = {}
    for verdict in verdicts:
        if verdict.outcome in ("violated", "satisfied"):
            counts = by_row.setdefault((verdict.system, verdict.task, verdict.relation), {})
            violated, judged = counts.get(verdict.source, (0, 0))
            counts[verdict.source] = violated + (verdict.outcome == "violated"), judged + 1
    return by_row


def paired(pairs: Mapping[Row, tuple[Counts, Counts]]) -> dict[Row, Paired]:
    """Compare the old and the new counts of each row; rows without a common source are left out.

    >>> old, new = {str(i): (0, 1) for i in range(20)}, {str(i): (int(i < 6), 1) for i in range(20)}
    >>> found = paired({("bot", "qa", "typos"): (old, new)})[("bot", "qa", "typos")]
    >>> found.worse, found.better, found.p, found.difference
    (6, 0, 0.03125, 0.3)
    """
    from scipy.stats import false_discovery_control

    rows = {row: _common(old, new) for row, (old, new) in pairs.items()}
    rows = {row: counts for row, counts in rows.items() if counts}
    if not rows:
        return {}
    differing = {row: (_only(counts, 0), _only(counts, 1)) for row, counts in rows.items()}
    p_values = {row: mcnemar(*pair) for row, pair in differing.items()}
    adjusted = dict(zip(rows, map(float, false_discovery_control(list(p_values.values()))), strict=True))
    return {
        row: Paired(
            sources=len(counts),
            worse=differing[row][0],
            better=differing[row][1],
            p=p_values[row],
            adjusted=adjusted[row],
            difference=_difference(counts),
            interval=_interval(counts),
        )
        for row, counts in rows.items()
    }


def mcnemar(worse: int, better: int) -> float:
    """Return the exact two-sided p of McNemar's test: are the sources that changed sides as often worse as better?

    >>> mcnemar(6, 0), mcnemar(3, 3), mcnemar(0, 0)
    (0.03125, 1.0, 1.0)
    """
    from scipy.stats import binomtest

    return float(binomtest(worse, worse + better, 0.5).pvalue) if worse + better else 1.0


_Four: TypeAlias = tuple[int, int, int, int]
"""Old violated and judged, new violated and judged, of one source."""


def _common(old: Counts, new: Counts) -> list[_Four]:
    return [(*old[source], *new[source]) for source in old if source in new]


def _only(counts: Sequence[_Four], which: int) -> int:
    """Return how many sources are violated in the new run only (0), or in the old run only (1)."""
    pairs = [(old > 0, new > 0) for old, _, new, _ in counts]
    return sum(pair == ((False, True), (True, False))[which] for pair in pairs)


def _difference(counts: Sequence[_Four]) -> float:
    old, before, new, after = map(sum, zip(*counts, strict=True))
    return round(new / after - old / before, 6)


def _interval(counts: Sequence[_Four]) -> tuple[float, float] | None:
    """Return the percentile interval of the difference of rates, sources resampled with replacement."""
    import numpy as np

    if len(counts) < FEWEST or all(old * after == new * before for old, before, new, after in counts):
        return None
    table, draws = np.array(counts, dtype=float), []
    chances, generator = np.full(len(counts), 1 / len(counts)), np.random.default_rng(0)
    size = max(1, _AT_ONCE // len(counts))
    for start in range(0, RESAMPLES, size):
        weights = generator.multinomial(len(counts), chances, size=min(size, RESAMPLES - start))
        sums = weights @ table
        draws.append(sums[:, 2] / sums[:, 3] - sums[:, 0] / sums[:, 1])
    low, high = np.quantile(np.concatenate(draws), (0.025, 0.975))
    return round(float(low), 6), round(float(high), 6)
