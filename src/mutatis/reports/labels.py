"""Reads raters' labels from completed sheets. Error messages name the path, row and column.

Only the columns `item` and `score`, `label` or `sound` are read. All other columns are for the raters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from mutatis.core.errors import UsageError
from mutatis.records.filled import filled_lines, filled_rows
from mutatis.reports.numbers import names_text
from mutatis.reports.sheets import LABEL, Kind, Origin

HIGHEST = 10
ALTERED = {"altered": True, "a": True, "equivalent": False, "e": False}
"""The labels that raters may write for a context tag, each mapped to True if it means "altered"."""
SOUND = {"yes": True, "y": True, "true": True, "1": True, "no": False, "n": False, "false": False, "0": False}
"""The labels that readers may write for a follow-up, each mapped to True if it means "sound"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Labels from one rater: for each item a score or a yes/no label (altered or not, sound or not).

    If the sheet lists possible bugs, `rows` maps each item to its relation and task. The task is "" if the sheet has no
    column for it.
    """

    path: Path
    kind: Kind
    values: Mapping[str, float]
    rows: Mapping[str, tuple[str, str]] = field(default_factory=dict)


_EXPECTED: Mapping[Kind, str] = {
    "bugs": f"a score from 0 to {HIGHEST}",
    "context": "equivalent or altered",
    "follow-ups": "yes or no",
}


def read_sheet_labels(path: Path) -> Labels:
    """Read a completed sheet in CSV or JSON Lines format.

    Every item must have a label, unless it is a follow-up that the reader did not read.
    """
    rows = filled_rows(path)
    if not rows:
        raise UsageError(f"{path}: the sheet has no rows; expected a sheet written by `mutatis sheet`")
    kind = _kind(path, rows[0])
    column = LABEL[kind]
    if not any((row.get(column) or "").strip() for row in rows):
        raise UsageError(
            f"{path}: the sheet has not been filled in; expected {_EXPECTED[kind]} in the column {column!r}"
        )
    values: dict[str, float] = {}
    origins = {}
    for number, row in enumerate(rows, start=2):  # the header is the first row
        item = (row.get("item") or "").strip()
        where = f"{path}, row {number}"
        if not item:
            raise UsageError(f"{where}: the column 'item' is empty; expected the original name of the item")
        if item in values:
            raise UsageError(f"{where}, column 'item': {item!r} occurs twice; expected each item once")
        if kind == "follow-ups" and not (row.get(column) or "").strip():
            continue
        if kind == "bugs":
            origins[item] = ((row.get("relation") or "").strip(), (row.get("task") or "").strip())
        values[item] = _label(row.get(column), kind, f"{where}, column {column!r}")
    return Labels(path=path, kind=kind, values=values, rows=origins)


def read_key(path: Path) -> dict[str, Origin]:
    """Read the origin of each item (such as its relation) from the key file that belongs to a sheet."""
    names = [attribute.name for attribute in fields(Origin)]
    origins = {}
    for number, row in enumerate(filled_lines(path), start=1):
        missing = [name for name in names if name not in row]
        if missing:
            raise UsageError(f"{path}: line {number}: no {missing[0]!r}; expected the key written next to the sheet")
        origins[row["item"]] = Origin(**{name: row[name] for name in names})
    return origins


def _kind(path: Path, row: Mapping[str, str]) -> Kind:
    if "item" not in row:
        raise UsageError(f"{path}: no column 'item'; expected a sheet written by `mutatis sheet`, with its header")
    for kind in _EXPECTED:
        if LABEL[kind] in row:
            return kind
    raise UsageError(
        f"{path}: no column 'score' (bugs), 'label' (context) or 'sound' (follow-ups); expected a sheet that has been "
        "filled in"
    )


def _label(text: str | None, kind: Kind, where: str) -> float:
    """Return a label as a number: the score of a possible bug, or 1 for "altered" and "sound" and 0 for the opposite.

    `where` is the place of the cell, for errors.
    """
    label = (text or "").strip()
    if kind != "bugs":
        words, expected = (ALTERED, "'equivalent' or 'altered'") if kind == "context" else (SOUND, "'yes' or 'no'")
        if label.lower() not in words:
            raise UsageError(f"{where}: found {label!r}; expected {expected}")
        return float(words[label.lower()])
    try:
        score = float(label.replace(",", "."))  # some countries write a decimal comma
    except ValueError:
        score = -1.0
    if not 0 <= score <= HIGHEST:
        raise UsageError(f"{where}: found {label!r}; expected a score from 0 to {HIGHEST}")
    return score


def paired_labels(first: Labels, second: Labels) -> list[tuple[str, float, float]]:
    """Return each item with its two labels, in the order of the first sheet.

    Both sheets must list the same items.
    """
    if first.kind != second.kind:
        raise UsageError(
            f"{first.path} has labels of the kind {first.kind}, but {second.path} has labels of the kind "
            f"{second.kind}; expected the same kind in both"
        )
    for left, right in ((first, second), (second, first)):
        missing = [item for item in left.values if item not in right.values]
        if missing:
            raise UsageError(
                f"{right.path}: no row for {names_text(missing, 3)}, although {left.path} has a label for it; expected "
                "two copies of the same sheet"
            )
    return [(item, label, second.values[item]) for item, label in first.values.items()]


def both_read(first: Labels, second: Labels) -> list[tuple[bool, bool]]:
    """Return both labels of each follow-up that both readers read.

    The second reader may have read only some of the first reader's follow-ups.
    """
    pairs = [(bool(label), bool(second.values[item])) for item, label in first.values.items() if item in second.values]
    if second.kind != first.kind or not pairs:
        raise UsageError(
            f"{second.path}: no item that is labelled in {first.path} is labelled here; expected two copies of the "
            "same sheet"
        )
    return pairs
