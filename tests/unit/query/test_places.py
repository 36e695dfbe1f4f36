"""So many at a time, in their order, also when somebody is cancelled."""

from __future__ import annotations

import asyncio

from mutatis.query import Places


async def test_so_many_at_a_time_in_the_order_they_came():
    places, inside, most, order = Places(3), 0, 0, []

    async def visit(number: int) -> None:
        nonlocal inside, most
        async with places:
            order.append(number)
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*map(visit, range(20)))
    assert most == 3
    assert order == list(range(20))


async def test_whoever_is_cancelled_takes_no_place():
    places = Places(1)
    entered: list[str] = []

    async def visit(name: str) -> None:
        async with places:
            entered.append(name)

    async with places:
        first, second, third = (asyncio.create_task(visit(name)) for name in "abc")
        await asyncio.sleep(0)
        second.cancel()  # while it waits
        await asyncio.sleep(0)
    first.cancel()  # when its turn has come, before it went in
    await asyncio.gather(first, second, third, return_exceptions=True)
    assert entered == ["c"]
    async with places:
        entered.append("d")
    assert entered == ["c", "d"]
