"""Who is let in under a budget: in order, never over it, and the same whoever is faster."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from mutatis.campaign.allowance import Allowance, Reserve
from mutatis.core.errors import UsageError
from mutatis.options import check_options
from mutatis.query import Spending


async def let_in(bounds: list[int], asked: list[int], limit: int, *, seed: int) -> tuple[list[int], int]:
    """Return which pieces of work were let in, and what they asked, where each takes a random time."""
    spending, times = Spending(1000), Random(seed)
    allowance = Allowance(spending)
    allowance.allow(limit)
    inside: list[int] = []

    async def work(number: int) -> None:
        async with allowance.room(lambda: bounds[number]) as granted:
            if granted:
                inside.append(number)
                for question in range(asked[number]):
                    for _ in range(times.randrange(4)):
                        await asyncio.sleep(0)
                    spending.count(f"{number}/{question}", 1)

    await asyncio.gather(*(work(number) for number in range(len(bounds))))
    return sorted(inside), spending.asked


@pytest.mark.parametrize("seed", range(20))
async def test_what_is_let_in_does_not_depend_on_who_is_faster(seed):
    # By hand: 3 + 1 + 3 are asked by the first three; the fourth may ask 3 more and fits exactly; the fifth does not.
    assert await let_in([3, 3, 3, 3, 1, 1], [3, 1, 3, 3, 1, 1], 10, seed=seed) == ([0, 1, 2, 3], 10)
    assert await let_in([5, 5, 5], [1, 1, 1], 6, seed=seed) == ([0, 1], 2)  # after two, five do not fit into four


async def test_what_was_refused_is_let_in_under_a_larger_allowance():
    spending = Spending(10)
    allowance = Allowance(spending)
    for limit, expected in ((2, 0), (3, 3), (None, 3)):
        allowance.allow(limit)
        async with allowance.room(lambda: 3) as granted:
            assert (granted, allowance.ended) == (expected, expected == 0)


async def test_the_rest_is_given_where_it_is_enough():
    allowance = Allowance(Spending(5))
    async with allowance.room(lambda: 16, 2) as granted:
        assert granted == 5
    async with allowance.room(lambda: 16, 6) as granted:
        assert granted == 0


def test_a_question_counts_once_and_not_where_it_got_no_answer():
    spending = Spending(5)
    for key in ("a", "a", "b"):
        spending.count(key, 2)
    assert spending.asked == 4
    spending.discount("b", 2)
    spending.discount("b", 2)
    assert spending.asked == 2


def test_shares_that_leave_nothing_are_refused():
    with pytest.raises(UsageError, match="leave nothing for the search"):
        check_options(Reserve, {"noise_floor": 0.5, "confirm": 0.5}, "[reserve]")
