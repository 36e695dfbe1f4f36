"""Guards user code. Any exception in it becomes a single named failure, without a traceback or a crash.

A `sys.exit()` in a relation, a `GeneratorExit` raised by a bot and an unrequested cancellation are reported like any
other exception. Exceptions that should end the program (an interrupt, our own cancellation) propagate.
"""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path
from traceback import walk_tb
from types import ModuleType, TracebackType

from mutatis.core.errors import ExtensionFailure, MutatisError, UsageError
from mutatis.secrets.environment import cleaned
from mutatis.text.visible import named

_HERE = Path(__file__).parent


def running_task() -> asyncio.Task[object] | None:
    """Return the current task, or None outside an event loop."""
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def ends_us(error: BaseException, task: asyncio.Task[object] | None = None) -> bool:
    """Return True if an exception from user code should also end our program.

    `task` is the task that awaited the code. If the code was called synchronously, `task` is None, and only an
    interrupt or our own cancellation ends the program. A `GeneratorExit` outside `task` means that the event loop is
    shutting down.
    """
    if isinstance(error, asyncio.CancelledError):
        this_task = task or running_task()
        return this_task is not None and this_task.cancelling() > 0
    if isinstance(error, GeneratorExit):
        return task is not None and running_task() is not task
    return isinstance(error, KeyboardInterrupt)


def carried(error: BaseException) -> BaseException:
    """Return an exception that can safely be passed from a thread to the waiters of a future.

    A `StopIteration` cannot be set on a future, so waiters would hang forever. A `GeneratorExit` would close the
    waiting coroutines one by one instead of being raised in them.
    """
    return RuntimeError(type(error).__name__) if isinstance(error, StopIteration | GeneratorExit) else error


def is_shipped(value: object) -> bool:
    """Return True if a function, or an object's class, belongs to this package. Its exceptions are our own bugs."""
    module = getattr(value, "__module__", None) or type(value).__module__
    return str(module).partition(".")[0] == "mutatis"


class Guarded:
    """A context manager that turns any exception from user code into a failure.

    An example is `with Guarded("transformation", name): ...`. A `MutatisError` propagates unchanged, as do exceptions
    that should end the program. `awaited` is for code that is awaited inside the block. `needed` is for code that the
    whole run depends on: its failure is a UsageError, not the failure of one input. `reports` is an exception class
    that the code uses to report something; it also propagates.
    """

    __slots__ = ("_name", "_needed", "_reports", "_task", "_what")

    def __init__(
        self,
        what: str,
        name: str,
        *,
        awaited: bool = False,
        needed: bool = False,
        reports: type[Exception] = MutatisError,
    ) -> None:
        self._what, self._name, self._needed, self._reports = what, name, needed, reports
        self._task = running_task() if awaited else None

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is None or isinstance(error, MutatisError | self._reports) or ends_us(error, self._task):
            return
        kind_of = UsageError if self._needed else ExtensionFailure
        raise kind_of(f"{self._what} {self._name!r} raised {named(error, cleaned)}{place_of(error)}") from error


def place_of(error: BaseException) -> str:
    """Return the innermost location of an error outside this package, as in " (my_relations.py, line 7)", or ""."""
    places = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
    outside = [f" ({path.name}, line {line})" for path, line in places if _HERE not in path.parents]
    return outside[-1] if outside else ""


def run_file(path: Path, name: str) -> ModuleType:
    """Run a user's Python file as a module with a name, and return the module. If it fails, it is forgotten.

    The file may import other files in its folder, but installed modules take precedence. The import path stays changed,
    because a function may import modules when it is called later.
    """
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(specification)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        specification.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
