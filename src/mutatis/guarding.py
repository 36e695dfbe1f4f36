"""Code of the user's own: whatever it raises is one named failure, never a traceback and never the end of the program.

`sys.exit()` in a relation, a `GeneratorExit` that a bot raises by itself, a cancellation that nobody asked for: they
are told like any other exception. What ends us (an interrupt, our own cancelling) goes on. Must not know what the code
does.
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
    """Return the task that runs now; None outside of an event loop."""
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def ends_us(error: BaseException, task: asyncio.Task[object] | None = None) -> bool:
    """Whether an exception that came out of a user's code is ours to end by.

    `task` is the one in which that code was awaited: a `GeneratorExit` that comes outside of it closes us, because the
    event loop has gone; None where it was called and not awaited, so that whatever came is its own.
    """
    if isinstance(error, asyncio.CancelledError):
        this_task = task or running_task()
        return this_task is not None and this_task.cancelling() > 0
    if isinstance(error, GeneratorExit):
        return task is not None and running_task() is not task
    return isinstance(error, KeyboardInterrupt)


def carried(error: BaseException) -> BaseException:
    """Return an exception that a future can bring from a thread to whoever awaits it.

    A `StopIteration` cannot be set at all, so that the future would be awaited for ever; a `GeneratorExit` would close
    the coroutines that await it one by one instead of being raised in them.
    """
    return RuntimeError(type(error).__name__) if isinstance(error, StopIteration | GeneratorExit) else error


def is_shipped(value: object) -> bool:
    """Whether a function, or the class of an object, is part of this package: what it raises is a mistake of ours."""
    module = getattr(value, "__module__", None) or type(value).__module__
    return str(module).partition(".")[0] == "mutatis"


class Guarded:
    """Turns whatever a user's code raises into one failure: `with Guarded("transformation", name): ...`.

    What is told by a `MutatisError` already, and what ends us, goes on as it is. `awaited` where the code is awaited
    within. Without the code a run goes nowhere where it is `needed`: it is wrong use, else the failure of one input.
    `told` is an exception by which such code says something, and does not fail.
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
    """Return the innermost place outside of this package that an exception comes from: " (my_relations.py, line 7)"."""
    place, trace = "", error.__traceback__
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if _HERE not in path.parents:
            place = f" ({path.name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return place


def look_beside(path: Path) -> None:
    """Let a file of the user's import the files beside it; what is installed goes before them.

    For good, because a function may import when it is called.
    """
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.append(folder)
