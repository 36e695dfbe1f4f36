"""Code of the user's own: anything it raises is one named failure, never a traceback and never the end of the program.

`sys.exit()` in a relation, a `GeneratorExit` that a bot raises by itself, an unrequested cancellation: they are
reported like any other exception. Exceptions that end us (an interrupt, our own cancelling) go on. Independent of what
the code does.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import TracebackType

from mutatis.core.errors import ExtensionFailure, MutatisError, UsageError
from mutatis.secrets import cleaned
from mutatis.text.visible import named

_HERE = Path(__file__).parent


def running_task() -> asyncio.Task[object] | None:
    """Return the current task; None outside of an event loop."""
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def ends_us(error: BaseException, task: asyncio.Task[object] | None = None) -> bool:
    """Return True if an exception from a user's code is ours to end by.

    `task` is the task that awaited the code. A `GeneratorExit` outside of it closes us, because the event loop has
    gone. It is None if the code was called and not awaited, so that any exception is its own.
    """
    if isinstance(error, asyncio.CancelledError):
        this_task = task or running_task()
        return this_task is not None and this_task.cancelling() > 0
    if isinstance(error, GeneratorExit):
        return task is not None and running_task() is not task
    return isinstance(error, KeyboardInterrupt)


def carried(error: BaseException) -> BaseException:
    """Return an exception that a future can bring from a thread to its waiters.

    A `StopIteration` cannot be set at all, so that the future would be awaited for ever. A `GeneratorExit` would close
    the coroutines that await it one by one instead of being raised in them.
    """
    return RuntimeError(type(error).__name__) if isinstance(error, StopIteration | GeneratorExit) else error


def is_shipped(value: object) -> bool:
    """Return True if a function, or an object's class, is of this package. Its exceptions are our mistakes."""
    module = getattr(value, "__module__", None) or type(value).__module__
    return str(module).partition(".")[0] == "mutatis"


class Guarded:
    """Turns anything a user's code raises into one failure: `with Guarded("transformation", name): ...`.

    A `MutatisError` reports itself and goes on as it is, like exceptions that end us. `awaited` is for code that is
    awaited within. `needed` is for code that a run cannot go without: its failure is wrong use, else the failure of one
    input. `told` is an exception that such code raises as a message, and not as a failure.
    """

    __slots__ = ("_name", "_needed", "_task", "_told", "_what")

    def __init__(
        self,
        what: str,
        name: str,
        *,
        awaited: bool = False,
        needed: bool = False,
        told: type[Exception] = MutatisError,
    ) -> None:
        self._what, self._name, self._needed, self._told = what, name, needed, told
        self._task = running_task() if awaited else None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is None or isinstance(error, MutatisError | self._told) or ends_us(error, self._task):
            return
        kind_of = UsageError if self._needed else ExtensionFailure
        raise kind_of(f"{self._what} {self._name!r} raised {named(error, cleaned)}{place_of(error)}") from error


def place_of(error: BaseException) -> str:
    """Return the innermost place outside this package where an error occurred: " (my_relations.py, line 7)"."""
    place, trace = "", error.__traceback__
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if _HERE not in path.parents:
            place = f" ({path.name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return place


def look_beside(path: Path) -> None:
    """Let a file of the user's import the files beside it. Installed modules go before them.

    For good, because a function may import when it is called.
    """
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.append(folder)
