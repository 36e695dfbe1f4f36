"""System types by the name that users write, with their options checked against a dataclass.

Must not know any system type.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Literal, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.registry import Registry
from mutatis.core.system import System


class Options(Protocol):
    """The options of a system type: a dataclass that builds the system."""

    def build(self) -> System:
        """Return the system; raise UsageError for impossible options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemType:
    """A kind of system under test and the dataclass of its options.

    `named` is the option that TYPE:NAME on the command line sets.
    """

    name: str
    settings: type[Any]
    named: str
    summary: str

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options, in their order."""
        return tuple(field.name for field in fields(self.settings))

    def __call__(self, **options: Any) -> System:
        """Build a system; raise UsageError for an unknown, missing or ill-typed option."""
        hints = get_type_hints(self.settings)
        for name, value in options.items():
            if name not in self.options:
                raise unknown_name(f"option of system type {self.name!r}:", name, self.options)
            _check(self.name, name, value, hints[name])
        for field in fields(self.settings):
            if field.default is MISSING and field.default_factory is MISSING and field.name not in options:
                raise UsageError(f"system type {self.name!r} needs the option {field.name!r}")
        settings: Options = self.settings(**options)
        return settings.build()


SYSTEMS: Registry[SystemType] = Registry("system type")

S = TypeVar("S", bound=type[Any])


def system_type(name: str, *, named: str) -> Callable[[S], S]:
    """Register the decorated dataclass of options, whose `build()` returns the system."""

    def register(settings: S) -> S:
        summary = (inspect.getdoc(settings) or "").partition("\n")[0]
        SYSTEMS.add(name, SystemType(name=name, settings=settings, named=named, summary=summary))
        return settings

    return register


def _check(owner: str, name: str, value: Any, hint: Any) -> None:
    kinds = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    if any(_fits(value, kind) for kind in kinds):
        return
    expected = " or ".join(_described(kind) for kind in kinds if kind is not type(None))
    raise UsageError(f"system type {owner!r}: {name} is {value!r}; expected {expected}")


def _fits(value: Any, kind: Any) -> bool:
    if kind is Any:
        return True
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    origin = get_origin(kind) or kind
    return callable(value) if origin is Callable else isinstance(value, origin)


def _described(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return "one of: " + ", ".join(map(str, get_args(kind)))
    names: Mapping[Any, str] = {str: "text", float: "a number", int: "a whole number", bool: "true or false"}
    origin = get_origin(kind) or kind
    if origin is Callable:
        return "a callable"
    return names.get(origin, "a table" if origin in (Mapping, dict) else str(getattr(origin, "__name__", origin)))
