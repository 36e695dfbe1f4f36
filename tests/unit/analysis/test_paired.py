"""Two runs over the same sources: golden values by hand (binomial sums), and an interval that holds the truth."""

from __future__ import annotations

import numpy as np
import pytest

from mutatis.analysis.paired import FEWEST, mcnemar, paired, source_counts
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
def test_mcnemar_by_hand(worse, better, p):
    assert mcnemar(worse, better) == pytest.approx(p)


def test_only_sources_that_both_runs_judged_count():
    old = {"a": (0, 2), "b": (1, 1), "gone": (1, 1)}
    new = {"a": (1, 2), "b": (0, 2), "came": (1, 1)}
    test = paired({ROW: (old, new)})[ROW]
    assert (test.sources, test.worse, test.better, test.p) == (2, 1, 1, 1.0)
    assert test.difference == pytest.approx(1 / 4 - 1 / 3, abs=1e-6)
    assert test.interval is None  # two sources say nothing of their spread
    assert paired({ROW: ({"a": (0, 1)}, {"b": (0, 1)})}) == {}


def test_what_does_not_differ_has_no_interval_and_is_no_finding():
    same = {str(n): (n % 2, 1) for n in range(50)}
    test = paired({ROW: (same, same)})[ROW]
    assert (test.p, test.difference, test.interval, test.significant) == (1.0, 0.0, None, False)


def test_the_more_relations_the_less_one_of_them_says():
    changed = ({str(n): (0, 1) for n in range(30)}, {str(n): (int(n < 6), 1) for n in range(30)})  # p = 2 / 2**6
    still = ({str(n): (0, 1) for n in range(30)},) * 2
    assert paired({ROW: changed})[ROW].significant
    many = paired({ROW: changed, **{("bot", "qa", str(n)): still for n in range(9)}})
    assert many[ROW].adjusted == pytest.approx(10 * 2 / 2**6)
    assert not many[ROW].significant


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    random, held, trials = np.random.default_rng(1), 0, 200
    for _ in range(trials):
        before = random.random(60) < 0.3
        after = np.where(random.random(60) < 0.3, random.random(60) < 0.5, before)  # true difference: 0.3 * 0.2 = 0.06
        old = {str(n): (int(violated), 1) for n, violated in enumerate(before)}
        new = {str(n): (int(violated), 1) for n, violated in enumerate(after)}
        low, high = paired({ROW: (old, new)})[ROW].interval or (0.0, 0.0)
        held += low <= 0.06 <= high
    assert held / trials > 0.9


def test_below_the_fewest_sources_there_is_no_interval():
    def interval(sources):
        old = {str(n): (0, 1) for n in range(sources)}
        return paired({ROW: (old, {**old, "0": (1, 1)})})[ROW].interval

    assert interval(FEWEST - 1) is None
    low, high = interval(FEWEST)
    assert low == 0.0
    assert 0.1 < high < 0.5
