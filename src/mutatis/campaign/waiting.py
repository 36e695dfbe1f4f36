"""Waits for several pieces of work. Work that has begun is paid for, so it is never abandoned."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

AT_ONCE = 32
"""Pieces of work done before other tasks get their turn, about two milliseconds of judging or writing."""


async def give_way(number: int) -> None:
    """Yield control after several pieces of work, so that answers are received and the next questions asked."""
    if number % AT_ONCE == AT_ONCE - 1:
        await asyncio.sleep(0)


async def together(*work: Awaitable[T]) -> list[T]:
    """Return all results. If some fail, the others are still awaited, because they have been paid for."""
    if len(work) == 1:
        return [await work[0]]
    results = await asyncio.gather(*work, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]


async def consecutively(work: Iterable[Awaitable[T]]) -> list[T]:
    """Run one after the other and return all results. The first failure stops the rest."""
    return [await piece for piece in work]


async def abandon(tasks: Collection[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
