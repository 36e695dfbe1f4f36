"""Declared parameters of transformations, read from the signatures of their functions.

A parameter is a keyword-only argument with a default. `Annotated[float, Within(0, 1)]` sets its bounds, and
`Literal[...]` lists its choices. Users can set declared parameters, sweeps vary them, and shrinking lowers them.
Defaults are marked as such (`UnsaidInt`), since only a number given by the user overrides a configuration.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from mutatis.core.errors import UsageError, unknown_name


@dataclass(frozen=True, slots=True)
class Within:
    """Inclusive bounds of a numeric parameter."""

    low: float
    high: float


Share: TypeAlias = Annotated[float, Within(0.0, 1.0)]
"""A proportion from 0 to 1, such as the proportion of letters that an edit changes."""

Count: TypeAlias = Annotated[int, Within(0, 1_000_000)]
"""A count of zero or more."""


_WORDS: Mapping[type, str] = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A declared parameter: its name, type (float, int, bool or str), default, and bounds or choices."""

    name: str
    type: type
    default: Any
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: Any, owner: str) -> Any:
        """Return `value` converted to the type of this parameter.

        Raise UsageError if it has the wrong type or is out of bounds. The message names `owner` and the expected
        values.
        """
        what = f"{owner}: parameter {self.name!r} is {value!r}"
        if self.choices:
            if value not in self.choices:
                raise UsageError(f"{what}; expected one of: {', '.join(self.choices)}")
            return value
        if self.type is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value).__name__ != self.type.__name__:
            raise UsageError(f"{what}; expected {_WORDS.get(self.type, self.type.__name__)}")
        if self.low is not None and self.high is not None and not self.low <= value <= self.high:
            raise UsageError(f"{what}; expected a value from {self.low:g} to {self.high:g}")
        return value


def declared(function: Callable[..., Any], *, without: frozenset[str] = frozenset()) -> tuple[Parameter, ...]:
    """Return the parameters that `function` declares: its keyword-only arguments, except those in `without`."""
    hints = get_type_hints(function, include_extras=True)
    parameters = []
    for name, argument in inspect.signature(function).parameters.items():
        if argument.kind is not inspect.Parameter.KEYWORD_ONLY or name in without:
            continue
        if argument.default is inspect.Parameter.empty:
            raise UsageError(f"{function.__name__}: parameter {name!r} needs a default")
        parameters.append(_parameter(name, hints[name], argument.default))
    return tuple(parameters)


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    if get_origin(hint) is Literal:
        return Parameter(name=name, type=str, default=default, choices=get_args(hint))
    kind, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    low, high = next(((extra.low, extra.high) for extra in extras if isinstance(extra, Within)), (None, None))
    return Parameter(name=name, type=kind, default=default, low=low, high=high)


def completed(parameters: tuple[Parameter, ...], values: dict[str, Any], owner: str) -> dict[str, Any]:
    """Return a value for every declared parameter: the checked argument, or else the default."""
    complete = {p.name: p.default for p in parameters} | values
    if len(complete) > len(parameters):
        unknown = next(name for name in values if name not in {p.name for p in parameters})
        if not parameters:
            raise UsageError(f"{owner} has no parameters; got {unknown!r}")
        raise unknown_name(f"parameter of {owner}", unknown, [p.name for p in parameters])
    return {p.name: p.check(complete[p.name], owner) for p in parameters}


class UnsaidInt(int):
    """An integer that is a default value, not one given by the user."""


class UnsaidFloat(float):
    """A float that is a default value, not one given by the user."""


def was_said(value: object) -> bool:
    """Return True if an argument was given explicitly rather than left at its default.

    >>> was_said(0), was_said(UnsaidInt(0))
    (True, False)
    """
    return not isinstance(value, UnsaidInt | UnsaidFloat)
