"""The labels of two raters, read back from filled sheets; what is wrong is told with path, row and column.

Knows the columns `item` and `score` or `label`; everything else in a sheet is for the raters.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mutatis.core.errors import UsageError
from mutatis.reports.sheets import LABEL, Kind

HIGHEST = 10
ALTERED = {"altered": True, "a": True, "equivalent": False, "e": False}
"""What a rater may write for a context tag, and whether it means altered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The labels of one rater: a score or a yes/no (altered) per item."""

    path: Path
    kind: Kind
    values: Mapping[str, float]


def read_labels(path: Path) -> Labels:
    """Read a filled sheet (CSV); every item must have a label."""
    if path.suffix.lower() in (".html", ".htm"):
        raise UsageError(f"{path}: labels are read from CSV; open the page and use its button to save the labels")
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(_plain(stream.read()).splitlines(keepends=True), delimiter=_delimiter(path)))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: not a CSV file in UTF-8: {error}") from None
    if not rows:
        raise UsageError(f"{path}: no rows; expected a sheet written by `mutatis sheet`")
    kind = _kind(path, rows[0])
    values: dict[str, float] = {}
    for number, row in enumerate(rows, start=2):
        item = (row.get("item") or "").strip()
        where = f"{path}, row {number}"
        if not item:
            raise UsageError(f"{where}, column 'item': is empty; expected the item's name as it was in the sheet")
        if item in values:
            raise UsageError(f"{where}, column 'item': {item!r} occurs twice; expected each item once")
        values[item] = _label(row.get(LABEL[kind]), kind, f"{where}, column {LABEL[kind]!r}")
    return Labels(path=path, kind=kind, values=values)


def _plain(text: str) -> str:
    return text.replace("\x00", "")


def _delimiter(path: Path) -> str:
    """Return what separates the columns: spreadsheets of some countries save with semicolons."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        head = stream.readline()
    return max(",;\t", key=head.count)


def _kind(path: Path, row: Mapping[str, str]) -> Kind:
    if "item" not in row:
        raise UsageError(f"{path}: no column 'item'; expected a sheet written by `mutatis sheet`, with its header")
    if LABEL["bugs"] in row:
        return "bugs"
    if LABEL["context"] in row:
        return "context"
    raise UsageError(f"{path}: no column 'score' (bugs) or 'label' (context); expected a filled sheet")


def _label(text: str | None, kind: Kind, where: str) -> float:
    given = (text or "").strip()
    if kind == "context":
        if given.lower() not in ALTERED:
            raise UsageError(f"{where}: is {given!r}; expected 'equivalent' or 'altered'")
        return float(ALTERED[given.lower()])
    try:
        score = float(given.replace(",", "."))
    except ValueError:
        score = -1.0
    if not 0 <= score <= HIGHEST:
        raise UsageError(f"{where}: is {given!r}; expected a score from 0 to {HIGHEST}")
    return score


def paired(first: Labels, second: Labels) -> list[tuple[str, float, float]]:
    """Return (item, first label, second label) in the order of the first sheet; both must hold the same items."""
    if first.kind != second.kind:
        raise UsageError(f"{first.path} holds {first.kind} labels and {second.path} {second.kind}; expected one kind")
    for one, other in ((first, second), (second, first)):
        missing = [item for item in one.values if item not in other.values]
        if missing:
            shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
            raise UsageError(f"{other.path}: no row for {shown}, labelled in {one.path}; expected the same sheet twice")
    return [(item, label, second.values[item]) for item, label in first.values.items()]
