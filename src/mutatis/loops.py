"""Runs coroutines from synchronous code.

They run in an event loop in this thread, or in another thread if this one already runs a loop.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

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
