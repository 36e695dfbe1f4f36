"""Computes a function's version, so that questions are asked again after the function has changed.

The version is a hash of the function's file, its position in the file, and the constant strings and numbers that it
uses from a closure, a `partial`, a bound object or a global name. Changes in functions that it calls in other files,
and in values modified in place, may go unnoticed.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import Any

from mutatis.core.errors import UsageError

_MAKERS = ("__init__", "__new__", "__post_init__")
"""Methods that create an object. Attributes set by any other method are treated as state."""


def file_of(function: Callable[..., Any]) -> Path | None:
    """Return the file that defines a function or callable object, or None if there is no such file."""
    inner = inspect.unwrap(function)
    while isinstance(inner, functools.partial):
        inner = inspect.unwrap(inner.func)
    if not (inspect.isroutine(inner) or inspect.isclass(inner)):
        inner = type(inner)
    try:
        file = inspect.getsourcefile(inner)
    except (TypeError, OSError):
        return None
    return Path(file) if file and Path(file).is_file() else None


def hash_of_file(path: Path) -> str:
    """Return a hash of a file's content, as the version of the functions in it."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]


def version_of(function: Callable[..., Any], target: str) -> str:
    """Return the version of a function that was passed as an object.

    Raises:
        UsageError: neither the function's file nor its code can be read.
    """
    reading = _CodeReading(file_of(function))
    facts = list(reading.of(function))
    if reading.file is None and not reading.functions_read:
        raise UsageError(
            f'function system {target!r} has no source file from which to derive a version; pass revision = "..."'
        )
    facts += [] if reading.file is None else [hash_of_file(reading.file)]
    return hashlib.sha256("\0".join(facts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class _CodeReading:
    """A collector of data that distinguish a callable from others in the same file.

    `functions_read` counts the functions read so far.
    """

    def __init__(self, file: Path | None) -> None:
        self.file, self.functions_read = file, 0
        self._seen: set[int] = set()

    def of(self, value: object) -> Iterator[str]:
        """Yield facts about a callable, and about the functions and objects that it consists of."""
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        if isinstance(value, functools.partial):
            yield from self._of_values([*_numbered(value.args), *sorted(value.keywords.items())])
            yield from self.of(value.func)
        elif isinstance(value, MethodType):
            yield from self._of_object(value.__self__)
            yield from self.of(value.__func__)
        elif isinstance(value, FunctionType):
            yield from self._of_function(value)
        elif isinstance(call := getattr(type(value), "__call__", None), FunctionType):  # noqa: B004 - the method itself
            yield from self._of_object(value)
            yield from self.of(call)
        if (wrapped := getattr(value, "__wrapped__", None)) is not None:
            yield from self.of(wrapped)

    def _of_function(self, function: FunctionType) -> Iterator[str]:
        """Yield facts about a function: its name and place, its code, and the values that it only reads."""
        self.functions_read += 1
        code = function.__code__
        if self.file is not None:
            yield f"{function.__qualname__} in line {code.co_firstlineno}"
        # The hash of the file covers the code of its functions. Only lambdas may share a line.
        if self.file is None or code.co_name == "<lambda>":
            yield _written(code)
        changed = set(_names_bound(code, "STORE_DEREF", "STORE_GLOBAL"))
        cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
        values = [(name, _content(cell)) for name, cell in cells]
        used = {name for inner in _codes(code) for name in inner.co_names}
        values += [(name, function.__globals__[name]) for name in sorted(used & function.__globals__.keys())]
        values += [*_numbered(function.__defaults__ or ()), *sorted((function.__kwdefaults__ or {}).items())]
        yield from self._of_values((name, value) for name, value in values if name not in changed)

    def _of_object(self, held_object: object) -> Iterator[str]:
        """Yield the attributes of an object that are set only when it is created."""
        methods = [
            (name, method.__code__)
            for kind in type(held_object).__mro__
            for name, method in vars(kind).items()
            if isinstance(method, FunctionType)
        ]
        changed = {
            attribute
            for method_name, code in methods
            if method_name not in _MAKERS
            for attribute in _names_bound(code, "STORE_ATTR")
        }
        values = sorted(getattr(held_object, "__dict__", {}).items())
        yield from self._of_values((name, value) for name, value in values if name not in changed)

    def _of_values(self, values: Iterable[tuple[str, Any]]) -> Iterator[str]:
        for name, value in values:
            if _is_plain(value):
                yield f"{name} = {_written(value)}"
            elif isinstance(value, FunctionType | MethodType | functools.partial):
                yield f"{name} = {getattr(value, '__qualname__', '')}"
                if file_of(value) in (None, self.file):  # other files, such as libraries, are not read
                    yield from self.of(value)
            elif inspect.isclass(value) or inspect.isbuiltin(value):
                yield f"{name} = {value.__module__}.{value.__qualname__}"


def _numbered(values: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    return ((str(number), value) for number, value in enumerate(values))


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the variable is not assigned yet
        return ...


def _is_plain(value: object) -> bool:
    """Return True if a value is an immutable string, number or None, or a tuple or frozenset of these."""
    if isinstance(value, tuple | frozenset):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, str | bytes | int | float | complex)


def _written(value: object) -> str:
    """Return a plain value or code object as a string that is identical in every process."""
    if isinstance(value, CodeType):
        return f"code {value.co_code.hex()} {value.co_names} {_written(value.co_consts)}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_written, value)))}}}"
    return repr(value)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _names_bound(code: CodeType, *operations: str) -> Iterator[str]:
    """Yield the names that a code object assigns with the given bytecode operations."""
    for inner in _codes(code):
        yield from (str(step.argval) for step in dis.get_instructions(inner) if step.opname in operations)
