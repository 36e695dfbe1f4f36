"""Reads tables that people have filled in, either CSV files saved by spreadsheets or JSON lines."""

from __future__ import annotations

import csv
from pathlib import Path

from mutatis.core.errors import UsageError
from mutatis.core.parsing import json_of


def filled_items(path: Path) -> dict[str, tuple[str, dict[str, str]]]:
    """Return the rows of a filled-in sheet by item, each with its place, for error messages.

    A `.jsonl` file is read as JSON lines, any other file as CSV.

    Raises:
        UsageError: the file cannot be read, is an HTML page, is not in UTF-8, has no rows, or does not name each item
            exactly once.
    """
    suffix = path.suffix.lower()
    if suffix in (".htm", ".html"):
        raise UsageError(f"{path}: expected a filled sheet in CSV; open this page and save the sheet with its button")
    rows = filled_lines(path) if suffix == ".jsonl" else _read_csv(path)
    items: dict[str, tuple[str, dict[str, str]]] = {}
    for number, row in enumerate(rows, start=2):  # the header is the first row
        if "item" not in row:
            raise UsageError(f"{path}: no column 'item'; expected a sheet written by `mutatis sheet`, with its header")
        where, item = f"{path}, row {number}", (row["item"] or "").strip()
        if not item:
            raise UsageError(f"{where}: the column 'item' is empty; expected the original name of the item")
        if item in items:
            raise UsageError(f"{where}, column 'item': {item!r} occurs twice; expected each item once")
        items[item] = where, row
    if not items:
        raise UsageError(f"{path}: the sheet has no rows; expected a sheet written by `mutatis sheet`")
    return items


def filled_lines(path: Path) -> list[dict[str, str]]:
    """Return the objects in a file of JSON lines, with every value as text."""
    try:
        rows = [json_of(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: expected one JSON object per line, in UTF-8: {error}") from None
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise UsageError(f"{path}: line {number}: found {str(row)[:40]!r}; expected a JSON object")
    return [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]


def _read_csv(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file, whose delimiter is read from its header.

    Spreadsheets use semicolons in countries with decimal commas.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            lines = stream.read().replace("\x00", "").splitlines(keepends=True)
        header = lines[0] if lines else ""
        return list(csv.DictReader(lines, delimiter=max(",;\t", key=header.count)))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: not a CSV file in UTF-8: {error}") from None
