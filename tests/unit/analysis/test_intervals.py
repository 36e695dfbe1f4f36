"""Golden numbers: exact binomial bounds from closed forms and printed tables; bootstrap against its own variance."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.analysis.intervals import FEWEST_SEEDS, clopper_pearson, upper_bound, violation_rate
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


def test_bootstrap_width_is_that_of_the_seeds():
    """100 seeds of which 20 violate in all of 10 follow-ups: the spread is that of 100 trials, not of 1,000."""
    rate = violation_rate([(10, 10)] * 20 + [(0, 10)] * 80)
    deviation = math.sqrt(0.2 * 0.8 / 100)
    assert rate.rate == 0.2
    assert rate.low == pytest.approx(0.2 - 1.96 * deviation, abs=0.012)
    assert rate.high == pytest.approx(0.2 + 1.96 * deviation, abs=0.012)


def binomial_quantile(share: float, trials: int, chance: float) -> int:
    """The least count that so large a share of binomial draws does not exceed, summed up term by term."""
    total, count = 0.0, -1
    while total < share:
        count += 1
        total += math.comb(trials, count) * chance**count * (1 - chance) ** (trials - count)
    return count


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_the_bootstrap_has_the_level_that_it_is_called_by(level):
    """Seeds that violate in all or none: resampling them draws a binomial count, whose quantiles are known exactly."""
    rate = violation_rate([(3, 3)] * 100 + [(0, 3)] * 300, level=level, resamples=20_000)
    tail = (1 - level) / 2
    low, high = (binomial_quantile(share, 400, 0.25) / 400 for share in (tail, 1 - tail))
    # One count is 0.0025; the bounds of two of these levels differ by three counts at least.
    assert (rate.low, rate.high) == (pytest.approx(low, abs=0.0026), pytest.approx(high, abs=0.0026))


def test_the_level_is_95_percent_where_none_is_given():
    counts = [(3, 3)] * 100 + [(0, 3)] * 300
    assert violation_rate(counts) == violation_rate(counts, level=0.95, resamples=2000, seed=0)
    # 83 and 117 of 400 by the binomial distribution; at 90 % it would be 86 and 114.
    assert violation_rate(counts).interval == [
        pytest.approx(83 / 400, abs=0.0026),
        pytest.approx(117 / 400, abs=0.0026),
    ]
    assert (binomial_quantile(0.025, 400, 0.25), binomial_quantile(0.975, 400, 0.25)) == (83, 117)
    assert (binomial_quantile(0.05, 400, 0.25), binomial_quantile(0.95, 400, 0.25)) == (86, 114)


def test_a_violation_that_was_seen_is_not_impossible():
    rate = violation_rate([(1, 1)] + [(0, 1)] * 41)
    assert rate.low == pytest.approx(1 - 0.975 ** (1 / 42), abs=1e-6)  # exact, where resampling alone says 0
    assert violation_rate([(0, 1)] + [(1, 1)] * 41).high == pytest.approx(0.975 ** (1 / 42), abs=1e-6)


def test_few_seeds_are_not_believed():
    one = violation_rate([(1, 2)])
    assert one.high - one.low > 0.99
    alike = violation_rate([(1, 2)] * 30)  # every resample has the same rate, which proves nothing
    assert alike.low < 0.35
    assert alike.high > 0.65
    assert FEWEST_SEEDS == 10


@given(COUNTS)
def test_the_interval_holds_the_rate_and_lies_between_zero_and_one(counts):
    rate = violation_rate(counts, resamples=200)
    if rate.rate is None:
        assert sum(n for _, n in counts) == 0
    else:
        assert 0 <= rate.low <= rate.rate <= rate.high <= 1
        assert rate.rate == pytest.approx(sum(v for v, _ in counts) / sum(n for _, n in counts), abs=1e-6)


@given(COUNTS, st.randoms(use_true_random=False))
def test_the_order_of_seeds_and_empty_seeds_do_not_matter(counts, random):
    shuffled = [*counts, (0, 0)]
    random.shuffle(shuffled)
    assert violation_rate(shuffled, resamples=100) == violation_rate(counts, resamples=100)


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


def test_impossible_bounds_are_refused():
    for call in (lambda: upper_bound(0, 0), lambda: upper_bound(3, 2), lambda: clopper_pearson(1, 2, level=1.0)):
        with pytest.raises(UsageError):
            call()


def test_below_ten_seeds_the_interval_is_the_exact_one():
    # Printed tables: 3 of 9.
    assert violation_rate([(1, 1)] * 3 + [(0, 1)] * 6).interval == pytest.approx([0.0749, 0.7007], abs=5e-5)
