"""System types by the name that users write, with their options checked against the signature of what builds them.

Must not know any system type.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.registry import Registry
from mutatis.core.system import System


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemType:
    """A kind of system under test: what builds one from keyword options, and which options there are.

    `named` is the option that TYPE:NAME on the command line sets.
    """

    name: str
    builder: Callable[..., System]
    named: str
    summary: str

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options, in the order of the builder's signature."""
        return tuple(inspect.signature(self.builder).parameters)

    def __call__(self, **options: Any) -> System:
        """Build a system; raise UsageError for an unknown, missing or ill-typed option."""
        hints = get_type_hints(self.builder)
        parameters = inspect.signature(self.builder).parameters
        for name, value in options.items():
            if name not in parameters:
                raise unknown_name(f"option of system type {self.name!r}:", name, parameters)
            _check(self.name, name, value, hints[name])
        for name, parameter in parameters.items():
            if parameter.default is inspect.Parameter.empty and name not in options:
                raise UsageError(f"system type {self.name!r} needs the option {name!r}")
        return self.builder(**options)


SYSTEMS: Registry[SystemType] = Registry("system type")


def system_type(name: str, *, named: str) -> Callable[[Callable[..., System]], Callable[..., System]]:
    """Register the decorated builder; its keyword-only arguments are the options."""

    def register(builder: Callable[..., System]) -> Callable[..., System]:
        summary = (inspect.getdoc(builder) or "").partition("\n")[0]
        SYSTEMS.add(name, SystemType(name=name, builder=builder, named=named, summary=summary))
        return builder

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
