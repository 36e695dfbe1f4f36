"""Two runs over the same sources: golden values by hand (binomial sums), and how many sources would tell."""

from __future__ import annotations

import numpy as np
import pytest

from mutatis.analysis.comparison import SIGNIFICANT, paired, sign_test, source_counts, sources_to_tell
from mutatis.records import VerdictRecord

ROW = ("bot", "qa", "typos")


def verdict(source, outcome, relation="typos"):
    return VerdictRecord(
        system="bot", task="qa", relation=relation, source=source, turn=0, variant=["question"], outcome=outcome
    )


def test_counts_hold_what_was_judged_only():
    verdicts = [verdict("a", "violated"), verdict("a", "satisfied"), verdict("b", "invalid"), verdict("c", "error")]
    assert source_counts([*verdicts, verdict("b", "satisfied", "case")]) == {
        ROW: {"a": (1, 2)},
        ("bot", "qa", "case"): {"b": (0, 1)},
    }


@pytest.mark.parametrize(
    ("worse", "better", "p"),
    [
        (0, 0, 1.0),
        (5, 0, 2 / 2**5),
        (0, 5, 2 / 2**5),
        (8, 1, 2 * (1 + 9) / 2**9),  # by hand: 0 or 1 heads of 9, twice
        (10, 2, 2 * (1 + 12 + 66) / 2**12),
        (4, 4, 1.0),
    ],
)
def test_the_sign_test_by_hand(worse, better, p):
    assert sign_test(worse, better) == pytest.approx(p)


def test_only_sources_that_both_runs_judged_count():
    old = {"a": (0, 2), "b": (1, 1), "gone": (1, 1)}
    new = {"a": (1, 2), "b": (0, 2), "came": (1, 1)}
    test = paired({ROW: (old, new)})[ROW]
    assert (test.sources, test.worse, test.better, test.p) == (2, 1, 1, 1.0)
    assert test.difference == pytest.approx(1 / 4 - 1 / 3, abs=1e-6)
    assert paired({ROW: ({"a": (0, 1)}, {"b": (0, 1)})}) == {}


def test_a_source_is_worse_where_a_greater_share_of_it_is_violated():
    old = {"a": (1, 4), "b": (3, 4), "c": (1, 2), "d": (0, 3)}
    new = {"a": (3, 4), "b": (2, 4), "c": (2, 4), "d": (1, 4)}
    test = paired({ROW: (old, new)})[ROW]
    assert (test.worse, test.better) == (2, 1)  # c is as it was: a half


def test_what_does_not_differ_is_no_finding():
    same = {str(n): (n % 2, 1) for n in range(50)}
    test = paired({ROW: (same, same)})[ROW]
    assert (test.p, test.difference, test.significant) == (1.0, 0.0, False)


def test_the_more_relations_the_less_one_of_them_says():
    changed = ({str(n): (0, 1) for n in range(30)}, {str(n): (int(n < 6), 1) for n in range(30)})  # p = 2 / 2**6
    still = ({str(n): (0, 1) for n in range(30)},) * 2
    assert paired({ROW: changed})[ROW].significant
    many = paired({ROW: changed, **{("bot", "qa", str(n)): still for n in range(9)}})
    assert many[ROW].adjusted == pytest.approx(10 * 2 / 2**6)
    assert not many[ROW].significant


def test_the_interval_and_the_test_never_disagree():
    for worse in range(12):
        for better in range(12):
            old = {str(n): (int(n < better), 1) for n in range(30)}
            new = {str(n): (int(better <= n < better + worse), 1) for n in range(30)}
            test = paired({ROW: (old, new)})[ROW]
            low, high = test.interval or (0.0, 0.0)
            assert (low <= 0 <= high) == (test.p >= SIGNIFICANT), (worse, better)
            assert low <= round((worse - better) / 30, 6) <= high


@pytest.mark.parametrize(("worse", "better"), [(6, 2), (2, 4), (1, 0)])  # of twenty
def test_as_many_sources_as_would_tell_do_tell_four_times_in_five(worse, better):
    old = {str(n): (int(n < better), 1) for n in range(20)}
    new = {str(n): (int(better <= n < better + worse), 1) for n in range(20)}
    needed = sources_to_tell(paired({ROW: (old, new)})[ROW])
    random, told, trials = np.random.default_rng(1), 0, 300
    for _ in range(trials):
        counts = random.multinomial(needed, [worse / 20, better / 20, 1 - (worse + better) / 20])
        told += sign_test(int(counts[0]), int(counts[1])) < SIGNIFICANT
    assert 0.7 < told / trials < 0.9


def test_no_number_of_sources_tells_what_points_to_neither_side():
    same = paired({ROW: ({"a": (0, 1), "b": (1, 1)}, {"a": (1, 1), "b": (0, 1)})})[ROW]
    assert sources_to_tell(same) is None
