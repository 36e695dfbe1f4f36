"""Reads files with one JSON object per line, for `mutatis judge`."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mutatis.core.errors import UsageError
from mutatis.core.parsing import NotReadable, json_of

REPLIES = '{"question"?: text, "answer": text, "label"?: true (refuses), false or "partly"}'
"""Expected form of a line with a single reply."""


def numbered(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each non-blank line of a file (`.xz` is unpacked), with its location for messages.

    Raises:
        UsageError: the file is not UTF-8 text.
    """
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as file:
        lines = enumerate(file, start=1)
        while True:
            try:
                numbered_line = next(lines, None)
            except UnicodeDecodeError as error:
                raise UsageError(
                    f"{path}: not UTF-8 text ({error.reason}); expected one JSON object per line"
                ) from None
            if numbered_line is None:
                return
            number, line = numbered_line
            if line.strip():
                yield line, f"{path}, line {number}"


def fields_of(line: str, where: str, expected: str, needed: tuple[str, ...]) -> dict[str, Any]:
    """Return the JSON object of a line.

    Raises:
        UsageError: the line is not an object, or lacks a needed field; the message names `where` and the `expected`
            form.
    """
    try:
        data = json_of(line)
    except NotReadable as error:
        raise UsageError(f"{where}: not JSON ({error}); expected {expected}") from None
    if not isinstance(data, dict):
        raise UsageError(f"{where}: {type(data).__name__} instead of an object; expected {expected}")
    for field in needed:
        if field not in data:
            raise UsageError(f"{where}: field {field!r} is missing; expected {expected}")
    return data


def text_of(data: dict[str, Any], field: str, where: str) -> str:
    """Return a field's text, "" if it is missing or null.

    Raises:
        UsageError: the field is not a text.
    """
    value = data.get(field)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{where}: field {field!r} is {type(value).__name__}; expected a text")
    return value or ""
