"""Waits for concurrent work. Work that has begun is never abandoned, because it incurs costs anyway."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

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
