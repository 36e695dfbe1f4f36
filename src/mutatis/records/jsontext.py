"""Writes JSON that any parser accepts, parses JSON strictly, and describes invalid records on one line."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, TypeVar

import pydantic
import pydantic_core

from mutatis.core.errors import UsageError

T = TypeVar("T", bound=pydantic.BaseModel)

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
"""JSON encoder shared by all records, because `json.dumps` would create a new one for every call."""


_PLAIN = frozenset({type(None), bool, int, str})
"""Types of the values that JSON supports directly.

A report contains millions of such values, so they are recognised by exact type. Subclasses (enumeration numbers, named
tuples) take a slower path.
"""


def first_error(error: pydantic.ValidationError) -> str:
    """Describe the first error in a record on one line."""
    first = error.errors(include_url=False)[0]
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]).lstrip(".")
    if first["type"] == "missing":
        return f"{place} is missing"
    if first["type"] == "extra_forbidden":
        return f"{place} is not a field of this file"
    expected = "expected an object" if first["type"] == "model_type" else first["msg"].lower()
    return f"{place or 'it'} is {str(first['input'])[:60]!r}; {expected}"


def validated(kind: type[T], data: Any, where: str, expected: str = "") -> T:
    """Return JSON data as a record. Raise a UsageError that gives the location and describes the first fault."""
    try:
        return kind.model_validate(data)
    except pydantic.ValidationError as error:
        raise UsageError(f"{where}: {first_error(error)}{expected}") from None


def record_of(kind: type[T], line: str | bytes, where: str) -> T:
    """Return a line of JSON as a record. Raise a UsageError that gives the location and describes the first fault."""
    try:
        return validated(kind, strict(line if isinstance(line, str) else line.decode("utf-8")), where)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not JSON: {error}") from None


def strict(text: str) -> Any:
    """Parse a JSON text. Raise ValueError also for NaN and infinities, which Python's parser would accept."""
    try:
        return pydantic_core.from_json(text, allow_inf_nan=False)
    except ValueError:  # Python's parser accepts lone surrogates, and its messages state line and column
        return json.loads(text, parse_constant=_refused)


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


def dump(value: Any) -> str:
    """Return `value` as JSON that any parser accepts.

    NaN and infinities become null, and lone surrogates become escapes.
    """
    try:  # most data is plain JSON already, and converting it takes longer than writing it
        text = _ENCODER.encode(value)
    except (TypeError, ValueError):
        text = _ENCODER.encode(json_safe(value))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate, which only ASCII JSON can express
        return json.dumps(json_safe(value), allow_nan=False)
    return text


def json_safe(value: Any) -> Any:
    """Convert data to values that JSON can represent. NaN and infinities become null, sets and tuples become lists."""
    if type(value) in _PLAIN or isinstance(value, int):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): json_safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(item) for item in value]
    if isinstance(value, set | frozenset):
        return [json_safe(item) for item in sorted(value, key=repr)]
    if hasattr(value, "item"):  # a number of numpy
        return json_safe(value.item())
    return str(value)
