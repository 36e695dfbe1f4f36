"""Reads SNLI and data in the same format: sentence pairs with one of three labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.datasets.reader import DATASETS
from mutatis.reading import DataFile, Record, json_lines, read_rows, shown

LABELS = {"0": "entailment", "1": "neutral", "2": "contradiction"}
_NAMES = frozenset(LABELS.values())
_NO_GOLD = frozenset({"-", "-1", ""})
_COLUMNS = {
    "premise": ("premise", "sentence1"),
    "hypothesis": ("hypothesis", "sentence2"),
    "label": ("label", "gold_label"),
}


@DATASETS.register("snli", task="inference", tasks=("inference",))
def snli(file: DataFile) -> Iterator[Case]:
    """Read SNLI as JSONL or TSV (premise, hypothesis, and a label as a name or 0 to 2), with unlabelled pairs."""
    if ".jsonl" in file.path.suffixes or ".json" in file.path.suffixes:
        for number, data in json_lines(file.path, file.encoding):
            record = file.record(f"line {number}", data)
            yield _case(file, record, _columns(file, list(record.data)), number)
        return
    rows = read_rows(file.path, delimiter="\t", encoding=file.encoding)
    _, first_row = next(rows, (1, list(_COLUMNS)))
    header = [cell.strip() for cell in first_row]
    columns = _columns(file, header)
    for place, (number, cells) in enumerate(rows, start=1):
        if len(cells) != len(header):
            raise UsageError(
                f"{file.path}: line {number}: expected {len(header)} cells separated by tabs, found {len(cells)}: "
                f"{shown(cells)}"
            )
        record = file.record(f"line {number}", dict(zip(header, cells, strict=True)))
        yield _case(file, record, columns, place)


def _columns(file: DataFile, names: list[str]) -> dict[str, str]:
    chosen = {}
    for ours, usual in _COLUMNS.items():
        name = next((name for name in usual if name in names), None)
        if name is None and ours != "label":
            raise UsageError(f"{file.path}: no field {' or '.join(usual)}; the fields are: {', '.join(names)}")
        if name is not None:
            chosen[ours] = name
    return chosen


def _case(file: DataFile, record: Record, columns: Mapping[str, str], place: int) -> Case:
    label = str(record.data.get(columns.get("label", ""), "")).strip().lower()
    gold = LABELS.get(label, label)
    if gold not in _NAMES and label not in _NO_GOLD and label != "3":
        raise record.error(columns["label"], f"one of {', '.join(sorted(_NAMES))}, 0, 1, 2, or - for no gold label")
    turn = Turn(
        fields={"premise": record.text(columns["premise"]), "hypothesis": record.text(columns["hypothesis"])},
        expected=(gold,) if gold in _NAMES else (),
    )
    id_field = next((name for name in ("pairID", "index", "id") if name in record.data), None)
    return Case(id=file.id(record.id(id_field) if id_field else place), turns=(turn,))
