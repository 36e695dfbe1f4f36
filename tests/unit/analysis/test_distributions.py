"""The permutation test over clusters: values worked out by hand, and how often it marks what is only chance."""

from __future__ import annotations

import random
from math import comb

import pytest

from mutatis.analysis.distributions import LEFT_OUT, PermutationTest, entropy, pass_hat, significant


def p_of(source: list[int], *follow_ups: list[int], seed: str = "s") -> float | None:
    test = PermutationTest()
    test.add(source, follow_ups, seed)
    return test.p


def test_p_is_the_share_of_the_ways_to_deal_the_answers_out() -> None:
    # Of the 70 ways to deal four A and four B out to two groups of four, two part them wholly.
    assert p_of([0, 0, 0, 0], [1, 1, 1, 1]) == pytest.approx(2 / comb(8, 4), abs=0.006)
    # As uneven as three to one, or more: 2 (1 + 4 * 4) = 34 of them.
    assert p_of([0, 0, 0, 1], [0, 1, 1, 1]) == pytest.approx(34 / 70, abs=0.02)
    assert p_of([0, 0, 1, 1], [0, 0, 1, 1]) == 1.0


def test_what_is_in_no_cluster_does_not_count_and_nothing_is_no_test() -> None:
    assert PermutationTest().p is None
    assert p_of([0, 0, LEFT_OUT], [0, LEFT_OUT, LEFT_OUT]) == 1.0
    # Who has the one B: of the 8 ways, those in which the group without it has all answers in A are all.
    assert p_of([0, 0, 0, LEFT_OUT], [0, 0, 0, LEFT_OUT]) == 1.0


def test_follow_ups_of_one_source_are_permuted_with_it() -> None:
    # 12 answers, 4 of them B: all in one follow-up is 1 of 495 ways, and as far is all in the other. With all in the
    # source itself both distances are full, which is farther still.
    assert p_of([0] * 4, [0] * 4, [1] * 4) == pytest.approx(3 / comb(12, 4), abs=0.004)


def test_sources_add_up_and_the_seed_alone_decides() -> None:
    first, second = PermutationTest(), PermutationTest()
    for number in range(6):
        first.add([0] * 4, [[0, 0, 1, 1]], f"{number}")
        second.add([0] * 4, [[0, 0, 1, 1]], f"{number}")
    assert first.p == second.p
    assert first.sources == 6
    p_value = p_of([0] * 4, [0, 0, 1, 1])
    assert p_value is not None
    assert first.p is not None
    assert first.p < 0.01 < p_value


def test_rows_are_marked_as_benjamini_and_hochberg_do() -> None:
    # Their own example (1995, section 3.2): of fifteen tests at 0.05 the four smallest are rejected.
    values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
              0.7590, 1.0000]  # fmt: skip
    assert significant(values) == [True] * 4 + [False] * 11


def test_entropy_and_pass_k_by_hand() -> None:
    assert entropy([2, 1, 1]) == pytest.approx(1.0397, abs=1e-4)  # 1.5 bits
    assert pass_hat(6, 8)[:3] == [pytest.approx(x) for x in (6 / 8, 30 / 56, 120 / 336)]
    assert pass_hat(8, 8) == [1.0] * 8


def test_chance_is_marked_no_more_often_than_said() -> None:
    """200 tests of 5 sources, three clusters: 5 % is 10; more than 20 has a probability below 0.1 %."""
    chance = random.Random(3)

    def draws() -> list[int]:
        return chance.choices((0, 1, 2), (6, 3, 1), k=6)

    small = 0
    for number in range(200):
        test = PermutationTest()
        for source in range(5):
            test.add(draws(), [draws()], f"{number}/{source}")
        small += (test.p or 1.0) <= 0.05
    assert 0 < small <= 20
