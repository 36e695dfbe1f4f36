"""JSON and TOML that somebody else wrote, as data; whatever is wrong with a text is one kind of error, on one line.

Python's readers raise three: for the form, for brackets a thousand deep, and for numbers of thousands of digits.
"""

from __future__ import annotations

import json
from typing import Any


class NotReadable(ValueError):
    """A text is not of the form that it should have; `reason` says why, `column` where in its line, 0 if unknown."""

    def __init__(self, reason: str, *, place: str = "", column: int = 0) -> None:
        super().__init__(reason + place)
        self.reason, self.column = reason, column


def json_of(text: str) -> Any:
    """Return the data of a JSON text.

    Raises:
        NotReadable: it is none, nested too deeply, or holds a number of too many digits.

    >>> json_of('{"a": [1]}')
    {'a': [1]}
    >>> try: json_of("[" * 100_000)
    ... except NotReadable as error: print(error)
    nested too deeply to be read
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f" at line {error.lineno}, column {error.colno}"
        raise NotReadable(error.msg, place=place, column=error.colno) from None
    except (ValueError, RecursionError) as error:
        raise _other(error) from None


def toml_of(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text.

    Raises:
        NotReadable: it is none, nested too deeply, or holds a number of too many digits.
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotReadable(str(error)) from None
    except (ValueError, RecursionError) as error:
        raise _other(error) from None


def _other(error: ValueError | RecursionError) -> NotReadable:
    if isinstance(error, RecursionError):
        return NotReadable("nested too deeply to be read")
    return NotReadable("a whole number of thousands of digits")
