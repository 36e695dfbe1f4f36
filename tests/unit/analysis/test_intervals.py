"""Golden numbers: exact binomial bounds from closed forms and printed tables; coverage by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest

from mutatis.analysis.intervals import clopper_pearson, exceeds, upper_bound, violation_rate, wilson
from mutatis.core.errors import UsageError

COUNTS = st.lists(st.integers(0, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), max_size=60)


def test_zero_violations_give_the_closed_form_over_seeds_not_verdicts():
    rate = violation_rate([(0, 5)] * 40)
    assert (rate.violated, rate.total, rate.seeds, rate.rate, rate.low) == (0, 200, 40, 0.0, 0.0)
    assert rate.high == pytest.approx(1 - 0.025 ** (1 / 40), abs=1e-6)  # 0.088097


def test_all_violated_is_the_mirror_image():
    rate = violation_rate([(3, 3)] * 40)
    assert rate.interval == [pytest.approx(0.025 ** (1 / 40), abs=1e-6), 1.0]


def test_nothing_judged_has_no_rate():
    rate = violation_rate([(0, 0), (0, 0)])
    assert (rate.rate, rate.interval, rate.seeds, rate.total) == (None, None, 0, 0)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [  # printed Clopper-Pearson tables
        (0, 10, 0.0, 0.3085),
        (1, 10, 0.0025, 0.4450),
        (5, 10, 0.1871, 0.8129),
        (10, 10, 0.6915, 1.0),
    ],
)
def test_clopper_pearson_agrees_with_tables(successes, trials, low, high):
    assert clopper_pearson(successes, trials) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_upper_bound():
    assert upper_bound(0, 15_000) == pytest.approx(1 - 0.05 ** (1 / 15_000))
    assert upper_bound(0, 1) == pytest.approx(0.95)
    assert upper_bound(7, 7) == 1.0
    # P(X <= 1 | n=10, p) = 0.05 at p = 0.3942 (one-sided tables)
    p = upper_bound(1, 10)
    assert (1 - p) ** 10 + 10 * p * (1 - p) ** 9 == pytest.approx(0.05)


def test_the_width_is_that_of_the_seeds():
    """100 seeds of which 20 violate in all of 10 follow-ups: the spread is that of 100 trials, not of 1,000."""
    rate = violation_rate([(10, 10)] * 20 + [(0, 10)] * 80)
    assert rate.rate == 0.2
    assert rate.interval == [pytest.approx(0.1267, abs=1e-4), pytest.approx(0.2918, abs=1e-4)]  # 20 of 100, tables


def test_the_interval_is_the_exact_one_of_the_seeds():
    """Seeds that violate in all or none are one trial each: SciPy's exact interval of 100 in 400 is the judge."""
    rate = violation_rate([(3, 3)] * 100 + [(0, 3)] * 300)
    exact = binomtest(100, 400).proportion_ci(0.95, method="exact")
    assert (rate.low, rate.high) == (pytest.approx(exact.low, abs=1e-5), pytest.approx(exact.high, abs=1e-5))


def test_the_level_is_95_percent():
    # By tables of the binomial distribution: 20.8 % to 29.5 %; at 90 % it would be 21.5 % to 28.8 %.
    assert violation_rate([(3, 3)] * 100 + [(0, 3)] * 300).interval == [
        pytest.approx(0.2083, abs=1e-4),
        pytest.approx(0.2955, abs=1e-4),
    ]


def test_a_violation_that_was_seen_is_not_impossible():
    rate = violation_rate([(1, 1)] + [(0, 1)] * 41)
    assert rate.low == pytest.approx(1 - 0.975 ** (1 / 42), abs=1e-6)
    assert violation_rate([(0, 1)] + [(1, 1)] * 41).high == pytest.approx(0.975 ** (1 / 42), abs=1e-6)


def test_few_seeds_are_not_believed():
    interval = violation_rate([(1, 2)])
    assert interval.high - interval.low > 0.99
    alike = violation_rate([(1, 2)] * 30)
    assert alike.low < 0.37
    assert alike.high > 0.63


def test_few_seeds_widen_the_interval_by_the_quotient_of_the_t_quantiles():
    """Six seeds of four follow-ups, worked out on paper after Korn and Graubard.

    Between seeds 4 * 0.34375 / 5 = 0.275, within 4.25 / 18 = 0.236111: icc = 0.038889 / 0.983333 = 0.039548, drawn
    towards 1 by one seed in six to 0.199623. By tables t(23) = 2.0687 and t(5) = 2.5706, so that the verdicts are worth
    (2.0687 / 2.5706)^2 * 24 / (1 + 3 * 0.199623) = 9.721 trials; without the quotient it would be 15.
    """
    rate = violation_rate([(2, 4), (1, 4), (3, 4), (0, 4), (2, 4), (1, 4)])
    trials, seen = 9.7211, 0.375 * 9.7211
    assert rate.low == pytest.approx(beta.ppf(0.025, seen, trials - seen + 1), abs=2e-4)  # 0.1040
    assert rate.high == pytest.approx(beta.ppf(0.975, seen + 1, trials - seen), abs=2e-4)  # 0.7220
    assert rate.interval == [pytest.approx(0.1040, abs=2e-4), pytest.approx(0.7220, abs=2e-4)]


@pytest.mark.parametrize(
    ("seeds", "rate", "icc"),
    [(50, 0.005, 0.3), (300, 0.002, 0.6), (100, 0.01, 0.6), (20, 0.03, 0.3), (5, 0.6, 1.0), (300, 0.3, 0.0)],
)
def test_intervals_hold_the_truth_where_violations_are_rare_and_come_together(seeds, rate, icc):
    generator = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        drawn = beta_binomial(generator, seeds, 20, rate, icc)
        rates = violation_rate([(int(violated), 20) for violated in drawn])
        held += rates.low <= rate <= rates.high
    assert held >= 0.93 * 400


def beta_binomial(generator, seeds, size, rate, icc):
    if icc in (0, 1):
        return generator.binomial(size, rate, seeds) if icc == 0 else size * generator.binomial(1, rate, seeds)
    chances = generator.beta(rate * (1 - icc) / icc, (1 - rate) * (1 - icc) / icc, seeds)
    return generator.binomial(size, chances)


def test_independent_follow_ups_count_for_more_than_their_seeds():
    drawn = np.random.default_rng(3).binomial(10, 0.2, 100)
    rate = violation_rate([(int(violated), 10) for violated in drawn])
    assert rate.high - rate.low < 0.75 * 2 * 1.96 * math.sqrt(0.2 * 0.8 / 100)


def test_two_equal_rates_are_seldom_told_apart():
    generator = np.random.default_rng(11)
    alarms = 0
    for _ in range(1000):
        rates, floor = (
            violation_rate([(int(violated), 1) for violated in generator.binomial(1, 0.1, 100)]) for _ in range(2)
        )
        alarms += exceeds(rates, floor)
    assert alarms <= 25


def test_a_rate_without_verdicts_exceeds_nothing():
    nothing, much = violation_rate([]), violation_rate([(5, 5)] * 50)
    assert not exceeds(nothing, much)
    assert not exceeds(much, nothing)
    assert exceeds(much, violation_rate([(0, 5)] * 50))


@given(COUNTS)
def test_the_interval_holds_the_rate_and_lies_between_zero_and_one(counts):
    rate = violation_rate(counts)
    if rate.rate is None:
        assert sum(n for _, n in counts) == 0
    else:
        assert 0 <= rate.low <= rate.rate <= rate.high <= 1
        assert rate.rate == pytest.approx(sum(v for v, _ in counts) / sum(n for _, n in counts), abs=1e-6)


@given(COUNTS, st.randoms(use_true_random=False))
def test_the_order_of_seeds_and_empty_seeds_do_not_matter(counts, random):
    shuffled = [*counts, (0, 0)]
    random.shuffle(shuffled)
    assert violation_rate(shuffled) == violation_rate(counts)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_more_violations_never_lower_a_bound(pair):
    violated, total = pair
    assert violated / total <= upper_bound(violated, total) <= 1
    if violated < total:
        assert upper_bound(violated, total) <= upper_bound(violated + 1, total)


@pytest.mark.parametrize("bad", [[(3, 2)], [(-1, 2)]])
def test_impossible_counts_are_refused(bad):
    with pytest.raises(UsageError, match="violated"):
        violation_rate(bad)


@pytest.mark.parametrize("interval", [clopper_pearson, wilson, upper_bound])
@pytest.mark.parametrize(("successes", "trials"), [(11, 10), (-1, 10), (0, 0)])
def test_impossible_bounds_are_refused_with_the_counts(interval, successes, trials):
    with pytest.raises(UsageError, match=f"{successes} successes in {trials} trials"):
        interval(successes, trials)


def test_below_ten_seeds_the_interval_is_the_exact_one():
    # Printed tables: 3 of 9.
    assert violation_rate([(1, 1)] * 3 + [(0, 1)] * 6).interval == pytest.approx([0.0749, 0.7007], abs=5e-5)
