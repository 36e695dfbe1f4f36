"""Reads SST-2 in its usual distribution formats."""

from __future__ import annotations

from collections.abc import Iterator

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.datasets.reader import DATASETS
from mutatis.reading import DataFile, read_lines, shown

_LABELS = {"0": ("0", "negative"), "1": ("1", "positive")}


@DATASETS.register("sst2", task="sentiment", tasks=("sentiment", "classification"))
def sst2(file: DataFile) -> Iterator[Case]:
    """Read SST-2 TSV: `label<TAB>sentence`, or the GLUE form with the header `sentence<TAB>label`."""
    columns: list[str] = []
    for place, (number, line) in enumerate(read_lines(file.path, file.encoding)):
        cells = [cell.strip() for cell in line.split("\t")]
        if place == 0:
            columns = [cell.lower() for cell in cells]
            if "sentence" in columns:
                continue
            columns = ["label", "sentence"]
        if len(cells) != len(columns):
            raise UsageError(
                f"{file.path}: line {number}: expected {len(columns)} cells separated by tabs ({', '.join(columns)}), "
                f"found {len(cells)}: {shown(line)}"
            )
        record = dict(zip(columns, cells, strict=True))
        label = record.get("label", "")
        if label not in _LABELS and not (label == "" and "label" not in columns) and label != "-1":
            raise UsageError(f"{file.path}: line {number}: label is {label!r}; expected 0 (negative) or 1 (positive)")
        if not record["sentence"]:
            raise UsageError(f"{file.path}: line {number}: the sentence is empty")
        expected = _LABELS.get(label, ("", ""))[file.task == "classification"]
        turn = Turn(fields={"text": record["sentence"]}, expected=(expected,) if expected else ())
        yield Case(id=file.id(record.get("index") or number), turns=(turn,))
