"""Violation rates with an interval, from counts per seed.

Follow-ups of one seed are dependent (they share a text and an answer), so seeds are resampled, not verdicts. Knows
counts only: neither relations nor systems.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from mutatis.core.errors import UsageError

FEWEST_SEEDS = 10
"""Below this many seeds resampling understates the spread; the exact bound over seeds is used instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A violation rate with its interval.

    Attributes:
        violated, total: verdicts; total = satisfied + violated.
        seeds: seeds with at least one such verdict.
        rate, low, high: None where there is nothing to count.
    """

    violated: int
    total: int
    seeds: int
    rate: float | None
    low: float | None
    high: float | None

    @property
    def interval(self) -> list[float] | None:
        """The interval as `report.json` holds it: `[low, high]`, or None."""
        return None if self.low is None or self.high is None else [self.low, self.high]


def violation_rate(
    counts: Sequence[tuple[int, int]], *, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> Rate:
    """Return the violation rate over (violated, total) pairs, one per seed, with a two-sided interval.

    The interval is the percentile bootstrap over seeds. At zero or all violations, and below `FEWEST_SEEDS` seeds or
    where every resample gives the same rate, it is the Clopper-Pearson interval that counts each seed as ONE trial:
    exact at zero and all, and never too narrow however dependent the follow-ups of one seed are. A bound where
    resampling ends at 0 or 1 although the rate is neither is that exact one, too. The order of the seeds does not
    matter, and the interval always holds the rate.

    >>> violation_rate([(0, 2)] * 20).interval
    [0.0, 0.168433]
    """
    _check_level(level)
    kept = sorted((violated, total) for violated, total in counts if total > 0)
    if any(not 0 <= violated <= total for violated, total in kept):
        raise UsageError("counts per seed must be (violated, total) with 0 <= violated <= total")
    violated, total = sum(v for v, _ in kept), sum(t for _, t in kept)
    if not total:
        return Rate(violated=0, total=0, seeds=0, rate=None, low=None, high=None)
    rate = violated / total
    low, high = _interval(kept, rate, level, resamples, seed)
    return Rate(
        violated=violated,
        total=total,
        seeds=len(kept),
        rate=round(rate, 6),
        low=round(min(low, rate), 6),
        high=round(max(high, rate), 6),
    )


def _interval(kept: list[tuple[int, int]], rate: float, level: float, resamples: int, seed: int) -> tuple[float, float]:
    exact = clopper_pearson(rate * len(kept), len(kept), level=level)
    if 0 < rate < 1 and len(kept) >= FEWEST_SEEDS:
        low, high = _bootstrap(kept, level, resamples, seed)
        if high > low:
            return low or exact[0], high if high < 1 else exact[1]
    return exact


def _bootstrap(kept: list[tuple[int, int]], level: float, resamples: int, seed: int) -> tuple[float, float]:
    """Resample seeds: how often each distinct pair is drawn is multinomial, which spares drawing every seed."""
    kinds = sorted(Counter(kept).items())
    pairs = np.array([pair for pair, _ in kinds], dtype=np.int64)
    weights = np.array([count for _, count in kinds], dtype=np.float64) / len(kept)
    generator = np.random.default_rng(seed)
    rates = np.empty(resamples)
    step = max(1, 4_000_000 // len(kinds))
    for start in range(0, resamples, step):
        drawn = generator.multinomial(len(kept), weights, size=min(step, resamples - start)) @ pairs
        rates[start : start + len(drawn)] = drawn[:, 0] / drawn[:, 1]
    tail = (1 - level) / 2
    low, high = np.quantile(rates, [tail, 1 - tail])
    return float(low), float(high)


def clopper_pearson(successes: float, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the two-sided Clopper-Pearson interval of a proportion; fractional successes are allowed.

    >>> [round(bound, 4) for bound in clopper_pearson(0, 10)]
    [0.0, 0.3085]
    """
    _check_trials(successes, trials)
    _check_level(level)
    tail = (1 - level) / 2
    low = _beta_quantile(tail, successes, trials - successes + 1) if successes > 0 else 0.0
    high = _beta_quantile(1 - tail, successes + 1, trials - successes) if successes < trials else 1.0
    return low, high


def wilson(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the two-sided Wilson score interval of a proportion.

    >>> [round(bound, 4) for bound in wilson(57, 60)]
    [0.863, 0.9829]
    """
    _check_trials(successes, trials)
    _check_level(level)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    return (middle - half if successes else 0.0), (middle + half if successes < trials else 1.0)


def upper_bound(violated: int, total: int, *, level: float = 0.95) -> float:
    """Return the one-sided exact (Clopper-Pearson) upper bound of a rate; 1 - (1 - level)^(1/n) for 0 of n.

    >>> round(upper_bound(0, 15_000), 6)
    0.0002
    """
    _check_trials(violated, total)
    _check_level(level)
    if violated == total:
        return 1.0
    if violated == 0:
        return float(1 - (1 - level) ** (1 / total))
    return _beta_quantile(level, violated + 1, total - violated)


def _beta_quantile(share: float, a: float, b: float) -> float:
    from scipy.special import betaincinv

    return float(betaincinv(a, b, share))


def _check_trials(successes: float, trials: int) -> None:
    if trials < 1 or not 0 <= successes <= trials:
        raise UsageError(f"got {successes} of {trials}; expected 0 <= count <= trials and at least one trial")


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise UsageError(f"confidence level is {level}; expected a value between 0 and 1")
