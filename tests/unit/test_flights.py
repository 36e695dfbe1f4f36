"""Work that is done once: who joins, who is cancelled, what is remembered and what is forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from mutatis.loops import Flights


class Work:
    """Counts how often it begins and waits for a gate; gives the number of the beginning, or fails."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.gate = asyncio.Event()
        self.fault = fault

    def of(self, key: str) -> Callable[[], Coroutine[Any, Any, str]]:
        async def work() -> str:
            self.begun.append(key)
            try:
                await self.gate.wait()
                if self.fault is not None:
                    raise self.fault
                return f"{key}{len(self.begun)}"
            finally:
                await asyncio.sleep(0)  # giving back what is held takes a moment
                self.ended.append(key)

        return work


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def begin(flights: Flights[str, str], work: Work, *keys: str) -> list[asyncio.Task[str]]:
    return [asyncio.create_task(flights.get(key, work.of(key))) for key in keys]


async def test_who_asks_meanwhile_joins_and_nothing_is_kept_unasked():
    flights, work = Flights[str, str](), Work()
    asking = begin(flights, work, "a", "b", "a", "a")
    await settle()
    assert "a" in flights
    work.gate.set()
    assert await asyncio.gather(*asking) == ["a2", "b2", "a2", "a2"]
    assert work.begun == ["a", "b"]
    assert "a" not in flights
    assert await flights.get("a", work.of("a")) == "a3"


async def test_results_are_kept_and_the_least_recently_used_goes_first():
    flights, work = Flights[str, str](keep=2), Work()
    work.gate.set()
    for key in ("a", "b", "a", "c", "a", "b"):
        await flights.get(key, work.of(key))
    assert work.begun == ["a", "b", "c", "b"]
    assert [key in flights for key in "abc"] == [True, True, False]


async def test_a_failure_reaches_all_who_wait_and_is_not_kept():
    flights, work = Flights[str, str](keep=2), Work(ValueError("no"))
    asking = begin(flights, work, "a", "a")
    await settle()
    work.gate.set()
    assert [str(outcome) for outcome in await asyncio.gather(*asking, return_exceptions=True)] == ["no", "no"]
    assert "a" not in flights
    work.fault = None
    assert await flights.get("a", work.of("a")) == "a2"


@pytest.mark.parametrize("left", [0, 1, 2])
async def test_who_is_cancelled_leaves_the_others_their_result(left: int):
    flights, work = Flights[str, str](), Work()
    asking = begin(flights, work, "a", "a", "a")
    await settle()
    asking.pop(left).cancel()
    await settle()
    work.gate.set()
    assert await asyncio.gather(*asking) == ["a1", "a1"]


async def test_the_last_one_that_is_cancelled_ends_the_work_before_it_goes_on():
    flights, work = Flights[str, str](keep=2), Work()
    asking = begin(flights, work, "a", "a")
    await settle()
    for task in asking:
        task.cancel()
    assert all(
        isinstance(outcome, asyncio.CancelledError) for outcome in await asyncio.gather(*asking, return_exceptions=True)
    )
    assert work.ended == ["a"]
    assert "a" not in flights


async def test_who_asks_while_given_up_work_unwinds_begins_anew():
    flights, work = Flights[str, str](), Work()
    [first] = begin(flights, work, "a")
    await settle()
    first.cancel()
    await asyncio.sleep(0)  # the work is being cancelled, and not at its end
    assert work.ended == []
    [second] = begin(flights, work, "a")
    work.gate.set()
    assert await second == "a2"


def test_results_outlive_the_loop_they_were_made_in():
    flights = Flights[str, str](keep=1)

    async def once() -> tuple[str, list[str]]:
        work = Work()
        work.gate.set()
        return await flights.get("a", work.of("a")), work.begun

    assert [asyncio.run(once()) for _ in range(2)] == [("a1", ["a"]), ("a1", [])]


def test_work_left_behind_in_another_loop_is_begun_anew():
    flights = Flights[str, str]()
    other = asyncio.new_event_loop()

    async def leave() -> asyncio.Task[str]:
        [task] = begin(flights, Work(), "a")
        await settle()
        return task

    async def ask() -> str:
        work = Work()
        work.gate.set()
        return await flights.get("a", work.of("a"))

    try:
        left = other.run_until_complete(leave())
        assert asyncio.run(ask()) == "a1"
    finally:
        left.cancel()
        other.run_until_complete(asyncio.wait([left]))
        other.close()
