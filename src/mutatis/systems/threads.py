"""Runs functions that may hang in threads that never keep the process alive.

`concurrent.futures` waits for its threads when the interpreter exits, so one `time.sleep(10**6)` in a bot would keep a
finished campaign alive. These threads are daemons, and a hanging one is replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mutatis.guarding import carried

MOST_LOST = 64
"""Maximum number of hanging threads that are replaced."""


@dataclass(slots=True, eq=False)
class _Work:
    call: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    begun: bool = False
    left: bool = False
    """Whether the caller has stopped waiting for the result."""
    replaced: bool = False
    """Whether another thread has replaced the one that runs this call."""


class Threads:
    """Runs up to `number` calls at a time, each in a thread. Abandoned calls are not counted."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._begin()
        again = weakref.WeakMethod(self._begin)  # a forked process has the object, but not its threads
        os.register_at_fork(after_in_child=lambda: (begin := again()) and begin())

    def _begin(self) -> None:
        self._lost = 0
        self._alive = 0
        self._work: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._lock = threading.Lock()

    async def run(self, call: Callable[[], Any]) -> Any:
        """Return a call's result, or raise its error. If the caller is cancelled, the call is abandoned."""
        loop = asyncio.get_running_loop()
        work = _Work(call, loop, loop.create_future())
        if self._alive < self._number:
            with self._lock:
                self._start()
        self._work.put(work)
        try:
            return await work.future
        except asyncio.CancelledError:
            self._leave(work)
            raise

    def close(self) -> None:
        """Stop idle threads. The next call starts new ones."""
        with self._lock:
            idle, self._alive = self._alive, 0
        for _ in range(idle):
            self._work.put(None)

    def _leave(self, work: _Work) -> None:
        with self._lock:
            work.left = True
            if work.begun and self._lost < MOST_LOST:
                work.replaced = True
                self._lost += 1
                self._alive -= 1
                self._start()

    def _start(self) -> None:
        self._alive += 1
        threading.Thread(target=self._serve, name="mutatis-function", daemon=True).start()

    def _serve(self) -> None:
        """Run calls from the queue until it contains None, or until another thread has replaced this one.

        If the caller leaves while its call runs, another thread replaces this one. It counts as lost until the call
        returns, and then ends.
        """
        while (work := self._work.get()) is not None:
            with self._lock:
                work.begun = not work.left
            if not work.begun:
                continue
            outcome: Any = None
            error: BaseException | None = None
            try:
                outcome = work.call()
            except BaseException as raised:
                error = raised
            with self._lock:
                work.begun = False
                self._lost -= work.replaced
            if not work.left:
                _tell(work, outcome, error)
            if work.replaced:
                return


def _tell(work: _Work, outcome: Any, error: BaseException | None) -> None:
    def settle() -> None:
        if work.future.done():
            return
        if error is None:
            work.future.set_result(outcome)
        else:
            work.future.set_exception(carried(error))

    with contextlib.suppress(RuntimeError):  # the loop may have ended, together with the caller
        work.loop.call_soon_threadsafe(settle)
