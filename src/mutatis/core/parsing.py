"""Parses JSON and TOML from external sources. Errors in the text raise NotReadable, with a one-line message.

Python's parsers raise different errors for invalid syntax, very deep nesting and numbers with thousands of digits.
"""

from __future__ import annotations

import json
from typing import Any


class NotReadable(ValueError):
    """Raised for malformed text. `reason` describes the error; `column` is its position in the line (0 if unknown)."""

    def __init__(self, reason: str, *, place: str = "", column: int = 0) -> None:
        super().__init__(reason + place)
        self.reason, self.column = reason, column


def json_of(text: str) -> Any:
    """Parse JSON text.

    Raises:
        NotReadable: the text is not JSON, is nested too deeply, or contains a number with too many digits.

    >>> json_of('{"a": [1]}')
    {'a': [1]}
    >>> try: json_of("[" * 100_000)
    ... except NotReadable as error: print(error)
    nested too deeply to be read
    """
    try:
        return _not_too_deep(json.loads(text), text)
    except json.JSONDecodeError as error:
        place = f" at line {error.lineno}, column {error.colno}"
        raise NotReadable(error.msg, place=place, column=error.colno) from None
    except (ValueError, RecursionError) as error:
        raise _not_readable(error) from None


def toml_of(text: str) -> dict[str, Any]:
    """Parse TOML text.

    Raises:
        NotReadable: the text is not TOML, is nested too deeply, or contains a number with too many digits.
    """
    import tomllib

    try:
        tables: dict[str, Any] = _not_too_deep(tomllib.loads(text), text, ".[{")
        return tables
    except tomllib.TOMLDecodeError as error:
        raise NotReadable(str(error)) from None
    except (ValueError, RecursionError) as error:
        raise _not_readable(error) from None


DEEPEST = 200
"""Maximum nesting depth of data.

Code that walks through data recurses once per level, and Python's recursion limit is 1000 calls by default.
"""


def _not_too_deep(data: Any, text: str, begin: str = "[{") -> Any:
    """Return the data unchanged, or raise RecursionError if it is nested too deeply.

    `begin` lists the characters that open a level of nesting in `text`. A text with few such characters is not checked
    further.
    """
    if sum(map(text.count, begin)) < DEEPEST:  # as nearly all that is read: nothing is walked through
        return data
    level = [data]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer) if isinstance(inner, dict | list)]
        if not level:
            return data
    raise RecursionError


def _inside(outer: Any) -> Any:
    """Return the items or values inside data. A text or a number contains none."""
    if isinstance(outer, dict):
        return outer.values()
    return outer if isinstance(outer, list) else ()


def _not_readable(error: ValueError | RecursionError) -> NotReadable:
    if isinstance(error, RecursionError):
        return NotReadable("nested too deeply to be read")
    return NotReadable("a whole number of thousands of digits")
