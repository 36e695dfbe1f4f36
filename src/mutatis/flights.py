"""Shares a coroutine among all callers that request it at the same time. It can also remember the result.

The cache itself is `cachetools.LRUCache`. No library shares one coroutine among its callers without also caching the
results.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

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
