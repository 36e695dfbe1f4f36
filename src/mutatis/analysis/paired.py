"""Compares two runs over the same sources: are there more or fewer violations than chance explains?

Both runs tested the same sources, so a single test compares them source by source: it counts the sources on which one
run has a greater share of violations than the other. Only counts per source are used.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeAlias

from mutatis.analysis.intervals import clopper_pearson
from mutatis.core.verdict import Row
from mutatis.records.report import VerdictRecord

Counts: TypeAlias = dict[str, tuple[int, int]]
"""The (violated, judged) counts of each source. Sources without a judged verdict are left out."""

SIGNIFICANT = 0.05
"""Expected share of false alarms among the differences marked as significant."""

POWER = 0.8
"""Probability of detecting a real difference with the number of sources that `sources_to_tell` returns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """The comparison of two runs over the sources that both judged, for one relation or several combined.

    Attributes:
        sources: number of sources that both runs judged.
        worse, better: number of sources with a greater and with a smaller share of violations in the new run.
        p: exact two-sided sign test of worse against better; McNemar's test if each source has one follow-up.
        adjusted: `p` corrected for the number of rows tested (Benjamini and Hochberg, false discovery rate).
        old, new: the violation rates over these sources.
    """

    sources: int
    worse: int
    better: int
    p: float
    adjusted: float
    old: float
    new: float

    @property
    def difference(self) -> float:
        """The violation rate of the new run minus that of the old run."""
        return round(self.new - self.old, 6)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the share of worse sources minus the share of better ones; None if there are neither.

        It is derived from the exact test, so it contains 0 if and only if `p` is 0.05 or more.
        """
        differing = self.worse + self.better
        if not differing:
            return None
        low, high = ((2 * share - 1) * differing / self.sources for share in clopper_pearson(self.worse, differing))
        return round(low, 6), round(high, 6)

    @property
    def significant(self) -> bool:
        """True if the difference is unlikely to be chance, after correction for the number of rows."""
        return self.adjusted < SIGNIFICANT


def source_counts(verdicts: Iterable[VerdictRecord]) -> dict[Row, Counts]:
    """Return the numbers of violated and judged verdicts of each source, for each system, task and relation."""
    by_row: dict[Row, Counts] = {}
    for verdict in verdicts:
        if verdict.outcome in ("violated", "satisfied"):
            counts = by_row.setdefault((verdict.system, verdict.task, verdict.relation), {})
            violated, judged = counts.get(verdict.source, (0, 0))
            counts[verdict.source] = violated + (verdict.outcome == "violated"), judged + 1
    return by_row


def paired(pairs: Mapping[Row, tuple[Counts, Counts]]) -> dict[Row, Paired]:
    """Compare the old and the new counts of each row. Rows without a source in both runs are left out.

    >>> old, new = {str(i): (0, 1) for i in range(20)}, {str(i): (int(i < 6), 1) for i in range(20)}
    >>> found = paired({("bot", "qa", "typos"): (old, new)})[("bot", "qa", "typos")]
    >>> found.worse, found.better, found.p, found.old, found.new
    (6, 0, 0.03125, 0.0, 0.3)
    """
    from scipy.stats import false_discovery_control

    common = {row: [(*old[name], *new[name]) for name in old if name in new] for row, (old, new) in pairs.items()}
    rows = {row: counts for row, counts in common.items() if counts}
    if not rows:
        return {}
    differing = {row: _differing(counts) for row, counts in rows.items()}
    p_values = {row: sign_test(*pair) for row, pair in differing.items()}
    adjusted = dict(zip(rows, map(float, false_discovery_control(list(p_values.values()))), strict=True))
    return {
        row: Paired(
            sources=len(counts),
            worse=differing[row][0],
            better=differing[row][1],
            p=p_values[row],
            adjusted=adjusted[row],
            old=_rate((violated, judged) for violated, judged, _, _ in counts),
            new=_rate((violated, judged) for _, _, violated, judged in counts),
        )
        for row, counts in rows.items()
    }


def sign_test(worse: int, better: int) -> float:
    """Return the exact two-sided p-value of the hypothesis that a source gets worse as often as it gets better.

    >>> sign_test(6, 0), sign_test(3, 3), sign_test(0, 0)
    (0.03125, 1.0, 1.0)
    """
    from scipy.stats import binomtest

    return float(binomtest(worse, worse + better, 0.5).pvalue) if worse + better else 1.0


def sources_to_tell(result: Paired) -> int | None:
    """Return how many sources like these are needed to detect the difference; None if there is no difference.

    This is the usual sample size for McNemar's test (Connor, Biometrics 43, 1987) at `SIGNIFICANT` and `POWER`, rounded
    up to two significant digits.

    >>> result = Paired(sources=40, worse=4, better=7, p=0.55, adjusted=0.55, old=0.123, new=0.081)
    >>> sources_to_tell(result)  # a share of 0.275 differs, by 0.075: (1.96 * 0.524 + 0.842 * 0.519)**2 / 0.075**2
    390
    """
    differing = (result.worse + result.better) / result.sources
    lead = abs(result.worse - result.better) / result.sources
    if not lead:
        return None
    normal = NormalDist()
    spread_without_difference = normal.inv_cdf(1 - SIGNIFICANT / 2) * math.sqrt(differing)
    spread_with_difference = normal.inv_cdf(POWER) * math.sqrt(differing - lead * lead)
    needed = ((spread_without_difference + spread_with_difference) / lead) ** 2
    step: int = 10 ** max(0, math.floor(math.log10(needed)) - 1)
    return math.ceil(needed / step) * step


_Four: TypeAlias = tuple[int, int, int, int]
"""Counts of one source: old violated, old judged, new violated, new judged."""


def _differing(counts: Sequence[_Four]) -> tuple[int, int]:
    """Return the number of sources with a greater and with a smaller share of violations in the new run."""
    changes = [new * before - old * after for old, before, new, after in counts]
    return sum(change > 0 for change in changes), sum(change < 0 for change in changes)


def _rate(counts: Iterable[tuple[int, int]]) -> float:
    violated, judged = map(sum, zip(*counts, strict=True))
    return round(violated / judged, 6)
