"""Runs coroutines: from synchronous code, together with others, or once for all callers that want the same result.

Work that has begun is never abandoned, because it incurs costs anyway. The cache of `Flights` is
`cachetools.LRUCache`. No library shares one coroutine among its callers without also caching the results.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

T = TypeVar("T")


def is_running() -> bool:
    """Return True if an event loop is running in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def to_the_end(running: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine and return its result. If an event loop is running, use a loop in another thread and wait.

    >>> async def answer() -> int: return 42
    >>> to_the_end(answer())
    42
    """
    return _run_in_thread(running) if is_running() else asyncio.run(running)


def _run_in_thread(running: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in an event loop on another thread. Each interrupt in this thread cancels the coroutine."""
    begun: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def outer() -> T:
        task = asyncio.current_task()
        assert task is not None
        begun.append((asyncio.get_running_loop(), task))
        return await running

    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        result = threads.submit(asyncio.run, outer())
        try:
            return result.result()
        except KeyboardInterrupt:
            _cancel(begun)
            try:
                concurrent.futures.wait([result])  # cancelled work may still have to clean up
            except KeyboardInterrupt:
                _cancel(begun)
            raise


def _cancel(begun: Sequence[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]]) -> None:
    for loop, task in begun:
        with contextlib.suppress(RuntimeError):  # the coroutine and its loop may have ended
            loop.call_soon_threadsafe(task.cancel)


K = TypeVar("K")
V = TypeVar("V")


@dataclass(slots=True, eq=False)
class _Flight(Generic[V]):
    """A piece of work in progress, and the callers that wait for it."""

    task: asyncio.Task[V]
    waiting: list[asyncio.Future[None]] = field(default_factory=list)


class Flights(Generic[K, V]):
    """Shared coroutines, at most one per key at a time. Callers that arrive while one runs wait for its result.

    Args:
        keep: number of results to remember, discarding the least recently used first; 0 keeps none. Failures are never
            remembered.
        finish: whether work continues after all its callers have been cancelled. By default, it is cancelled together
            with the last caller.
    """

    def __init__(self, keep: int = 0, *, finish: bool = False) -> None:
        self._finish = finish
        self._under_way: dict[K, _Flight[V]] = {}
        self._kept: LRUCache[K, V] = LRUCache(keep)

    def __contains__(self, key: K) -> bool:
        """Return True if the work for `key` is in progress or its result is remembered."""
        return key in self._under_way or key in self._kept

    @property
    def under_way(self) -> list[asyncio.Task[V]]:
        """The tasks of all unfinished work."""
        return [flight.task for flight in self._under_way.values()]

    async def get(self, key: K, work: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Return the result of `work()`, or raise its exception.

        Cancelling one waiting caller does not affect the others. When the last one is cancelled, the work is cancelled
        too, unless `finish` is set.
        """
        if key in self._kept:
            return self._kept[key]
        flight = self._under_way.get(key)
        if flight is None or flight.task.get_loop() is not asyncio.get_running_loop():
            flight = self._under_way[key] = _Flight(asyncio.create_task(work()))
            flight.task.add_done_callback(lambda _, key=key, flight=flight: self._land(key, flight))  # type: ignore[misc]
        if not flight.task.done():
            # Cancelling a caller that awaits the task itself would cancel the task. `_land` completes these futures.
            landed = flight.task.get_loop().create_future()
            flight.waiting.append(landed)
            try:
                await landed
            except asyncio.CancelledError:
                flight.waiting.remove(landed)
                if not flight.waiting and not self._finish:
                    self._forget(key, flight)  # later callers start new work
                    flight.task.cancel()
                    await asyncio.wait([flight.task])  # so that its resources are released before the caller continues
                raise
        return flight.task.result()

    def _land(self, key: K, flight: _Flight[V]) -> None:
        self._forget(key, flight)
        for landed in flight.waiting:
            if not landed.done():
                landed.set_result(None)
        if not flight.task.cancelled() and flight.task.exception() is None and self._kept.maxsize:
            self._kept[key] = flight.task.result()

    def _forget(self, key: K, flight: _Flight[V]) -> None:
        if self._under_way.get(key) is flight:
            del self._under_way[key]


AT_ONCE = 32
"""Number of work items, about two milliseconds of judging or writing, before other tasks get their turn."""


async def give_way(number: int) -> None:
    """Let other tasks run after every few pieces of work, so that answers can be received and new questions sent."""
    if number % AT_ONCE == AT_ONCE - 1:
        await asyncio.sleep(0)


async def together(*work: Awaitable[T]) -> list[T]:
    """Run work concurrently and return all results.

    If a part fails, the rest is still awaited, because it must be paid for anyway.
    """
    if len(work) == 1:
        return [await work[0]]
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def consecutively(work: Iterable[Awaitable[T]]) -> list[T]:
    """Await pieces of work one after the other and return all results. The first failure stops the rest."""
    return [await piece for piece in work]


async def abandon(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
