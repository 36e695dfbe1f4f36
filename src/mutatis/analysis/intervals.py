"""Computes violation rates with intervals from counts per seed, and compares two rates.

A seed is a source case; the term comes from the papers and is also a key of `report.json`. Follow-ups of one seed are
not independent, because they share a text and an answer, so each verdict counts as less than one trial.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from mutatis.core.errors import UsageError

DOUBT = 1.0
"""Weight of the prior assumption that each seed is one trial, as a number of seeds that show both outcomes.

Without this prior, coverage falls as low as 85 % in the simulations of `studies/statistics`; with 1 it stays above 93
%.
"""

LEVEL = 0.95
"""Confidence level of every interval and bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A violation rate with its interval.

    Attributes:
        violated, total: number of violated verdicts, and number of all judged verdicts (satisfied or violated).
        seeds: number of seeds with at least one judged verdict.
        rate, low, high: the rate and its interval; None without verdicts.
    """

    violated: int
    total: int
    seeds: int
    rate: float | None
    low: float | None
    high: float | None

    @property
    def interval(self) -> list[float] | None:
        """The interval in the form of `report.json`: `[low, high]`, or None."""
        return None if self.low is None or self.high is None else [self.low, self.high]


def violation_rate(counts: Sequence[tuple[int, int]]) -> Rate:
    """Return the violation rate over (violated, total) pairs, one pair per seed, with a two-sided interval.

    The interval is Clopper and Pearson's. Because the verdicts of a seed are correlated, it uses an effective number of
    independent trials, at least one per seed (Korn and Graubard, Survey Methodology 24, 1998). The correlation is
    estimated from the counts; the fewer seeds show both outcomes, the more the estimate is shrunk towards 1. The
    interval always contains the rate. `studies/statistics` shows the coverage of this method.

    >>> violation_rate([(0, 2)] * 20).interval
    [0.0, 0.168433]
    """
    kept = [(violated, total) for violated, total in counts if total > 0]
    if any(not 0 <= violated <= total for violated, total in kept):
        raise UsageError("the counts of each seed must be a pair (violated, total) with 0 <= violated <= total")
    violated, total = sum(v for v, _ in kept), sum(t for _, t in kept)
    if not total:
        return Rate(violated=0, total=0, seeds=0, rate=None, low=None, high=None)
    rate = violated / total
    trials = _effective_trials(kept, rate)
    # The trials need not be a whole number, so the bounds may miss the rate slightly.
    low, high = clopper_pearson(min(rate * trials, trials), trials)
    return Rate(
        violated=violated,
        total=total,
        seeds=len(kept),
        rate=round(rate, 6),
        low=round(min(low, rate), 6),
        high=round(max(high, rate), 6),
    )


def _effective_trials(kept: Sequence[tuple[int, int]], rate: float) -> float:
    """Return the number of independent verdicts that would carry as much information as the correlated ones."""
    from scipy.special import stdtrit

    total = sum(t for _, t in kept)
    size = sum(t * t for _, t in kept) / total
    """Mean number of follow-ups per seed, weighted by the number of verdicts of the seed."""
    fewest = total / size
    if len(kept) < 2 or total == len(kept):
        return fewest
    informed = min(sum(v > 0 for v, _ in kept), sum(v < t for v, t in kept))
    icc = _likeness(kept, rate)
    icc += (1 - icc) * DOUBT / (informed + DOUBT)
    # Few seeds estimate their spread badly: the quotient of t quantiles, as in Korn and Graubard.
    tail = (1 + LEVEL) / 2
    correction = (stdtrit(total - 1, tail) / stdtrit(len(kept) - 1, tail)) ** 2
    return float(max(fewest, correction * total / (1 + (size - 1) * icc)))


def _likeness(kept: Sequence[tuple[int, int]], rate: float) -> float:
    """Return the intraclass correlation of the verdicts of a seed, limited to 0..1.

    It is estimated by analysis of variance.
    """
    total, seeds = sum(t for _, t in kept), len(kept)
    size = (total - sum(t * t for _, t in kept) / total) / (seeds - 1)
    between = sum(t * (v / t - rate) ** 2 for v, t in kept) / (seeds - 1)
    within = sum(v * (t - v) / t for v, t in kept) / (total - seeds)
    spread = between + (size - 1) * within
    return min(1.0, max(0.0, (between - within) / spread)) if spread > 0 else 1.0


def exceeds(rate: Rate, other: Rate) -> bool:
    """Return True if the first of two estimated rates is significantly higher than the second.

    The lower end of the interval of their difference must be above 0 (Newcombe, Statistics in Medicine 17, 1998, method
    10). The test is conservative if both rates come from the same seeds.

    >>> floor = violation_rate([(0, 1)] * 95 + [(1, 1)] * 5)
    >>> [exceeds(violation_rate([(0, 1)] * (100 - n) + [(1, 1)] * n), floor) for n in (10, 12, 16)]
    [False, False, True]
    """
    if rate.rate is None or rate.low is None or other.rate is None or other.high is None:
        return False
    difference = rate.rate - other.rate
    return difference > math.hypot(rate.rate - rate.low, other.high - other.rate)


def clopper_pearson(successes: float, trials: float) -> tuple[float, float]:
    """Return the two-sided Clopper-Pearson interval of a proportion. `trials` may be fractional.

    >>> [round(bound, 4) for bound in clopper_pearson(0, 10)]
    [0.0, 0.3085]
    """
    _check_trials(successes, trials)
    tail = (1 - LEVEL) / 2
    low = _beta_quantile(tail, successes, trials - successes + 1) if successes > 0 else 0.0
    high = _beta_quantile(1 - tail, successes + 1, trials - successes) if successes < trials else 1.0
    return low, high


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the two-sided Wilson score interval of a proportion.

    >>> [round(bound, 4) for bound in wilson(57, 60)]
    [0.863, 0.9829]
    """
    _check_trials(successes, trials)
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    return (middle - half if successes else 0.0), (middle + half if successes < trials else 1.0)


def upper_bound(violated: int, total: int) -> float:
    """Return the one-sided exact (Clopper-Pearson) upper bound of a rate.

    With no violation in n verdicts it is 1 - (1 - 0.95)^(1/n).

    >>> round(upper_bound(0, 15_000), 6)
    0.0002
    """
    _check_trials(violated, total)
    if violated == total:
        return 1.0
    if violated == 0:
        return float(1 - (1 - LEVEL) ** (1 / total))
    return _beta_quantile(LEVEL, violated + 1, total - violated)


def discovery_levels(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Benjamini and Hochberg 1995)."""
    if not p_values:
        return []
    from scipy.stats import false_discovery_control

    return [float(p) for p in false_discovery_control(list(p_values))]


def _beta_quantile(share: float, a: float, b: float) -> float:
    from scipy.special import betaincinv

    return float(betaincinv(a, b, share))


def _check_trials(successes: float, trials: float) -> None:
    if trials < 1 or not 0 <= successes <= trials:
        raise UsageError(
            f"got {successes} successes in {trials} trials; expected at least one trial, and at most as many successes "
            "as trials"
        )
