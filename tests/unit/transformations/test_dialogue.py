"""Orders of rounds: sizes of MORTAR's section 2, evenness, nesting."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from mutatis.core.transformation import TRANSFORMATIONS

RATIOS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0)


def made(name: str, rounds: int, seed: int = 0, **parameters: float) -> tuple[int, ...]:
    order: tuple[int, ...] = TRANSFORMATIONS[name].apply(tuple(range(rounds)), rng=Random(seed), **parameters)
    return order


@pytest.mark.parametrize("rounds", range(1, 31))
def test_sizes(rounds: int) -> None:
    # floor(0.3 n) and floor(0.2 n), in whole numbers.
    assert len(made("round-shuffle", rounds)) == rounds
    assert (
        len(made("round-reduction", rounds))
        == len(made("round-shuffle-reduction", rounds))
        == rounds - 3 * rounds // 10
    )
    assert len(made("round-duplication", rounds)) == rounds + rounds // 5
    assert len(made("round-shuffle-duplication", rounds)) == rounds + rounds // 5


def test_floors_are_exact() -> None:
    assert len(made("round-reduction", 10, ratio=0.3)) == 7
    assert len(made("round-reduction", 100, ratio=0.29)) == 71
    assert len(made("round-reduction", 10, ratio=0.7)) == 3
    assert len(made("round-duplication", 5, ratio=0.6)) == 8
    assert len(made("round-reduction", 3, ratio=0.3)) == 3


@pytest.mark.parametrize("name", ["round-shuffle", "round-shuffle-reduction", "round-shuffle-duplication"])
@pytest.mark.parametrize("rounds", [2, 3, 5])
def test_a_shuffle_is_never_the_identity(name: str, rounds: int) -> None:
    for seed in range(200):
        order = made(name, rounds, seed)
        assert order != tuple(sorted(order))


def test_two_rounds_can_only_be_exchanged_and_one_stays() -> None:
    assert made("round-shuffle", 2) == (1, 0)
    assert made("round-shuffle", 1) == (0,)
    assert made("round-shuffle-reduction", 2, ratio=0.5) in {(0,), (1,)}


def test_shuffles_are_even() -> None:
    # Six orders of three rounds less the identity: five, each about a fifth of 5,000 draws (5 standard errors: 142).
    times = Counter(made("round-shuffle", 3, seed) for seed in range(5000))
    assert len(times) == 5
    assert all(abs(count - 1000) < 142 for count in times.values())


def test_reduction_keeps_order_and_drops_evenly() -> None:
    dropped: Counter[int] = Counter()
    for seed in range(3000):
        order = made("round-reduction", 10, seed)
        assert list(order) == sorted(order)
        dropped.update(set(range(10)) - set(order))
    assert all(abs(count - 900) < 126 for count in dropped.values())


def test_duplication_keeps_the_originals_in_order() -> None:
    for seed in range(300):
        order = list(made("round-duplication", 5, seed, ratio=0.2))
        (twice,) = [number for number, times in Counter(order).items() if times == 2]
        places = [i for i, number in enumerate(order) if number == twice]
        assert list(range(5)) in [[*order[:i], *order[i + 1 :]] for i in places]


def test_head_and_tail_are_gaps() -> None:
    orders = {made("round-duplication", 5, seed, ratio=0.2) for seed in range(500)}
    assert any(order[0] == 3 for order in orders)
    assert any(order[-1] == 1 for order in orders)
    assert len(orders) == 5 * 6 - 5  # a copy before and after its original give the same order


@pytest.mark.parametrize("seed", range(10))
def test_a_smaller_ratio_does_part_of_what_a_larger_one_does(seed: int) -> None:
    for smaller, larger in pairwise([made("round-reduction", 12, seed, ratio=ratio) for ratio in RATIOS]):
        assert set(larger) <= set(smaller)
    for smaller, larger in pairwise([Counter(made("round-duplication", 12, seed, ratio=ratio)) for ratio in RATIOS]):
        assert smaller <= larger
    # Where few rounds are left their order may come out as the identity, and is drawn anew.
    kept = [made("round-shuffle-reduction", 12, seed, ratio=ratio) for ratio in RATIOS[:5]]
    for smaller, larger in pairwise(kept):
        assert [number for number in smaller if number in larger] == list(larger)
