"""Reads data for intent classification: Banking77, CLINC150, and folders laid out like ATIS and SNIPS."""

from __future__ import annotations

from collections.abc import Iterator

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.datasets.reader import DATASETS, DataOptions
from mutatis.reading import DataFile, find, read_rows, read_text, shown

_TASKS = ("classification",)


@DATASETS.register("banking77", task="classification", tasks=_TASKS)
def banking77(file: DataFile) -> Iterator[Case]:
    """Read Banking77 CSV with the columns `text` and `category`."""
    rows = read_rows(file.path, encoding=file.encoding)
    _, header = next(rows, (1, ["text", "category"]))
    if header != ["text", "category"]:
        raise UsageError(f"{file.path}: line 1: expected the columns text, category; found: {shown(header)}")
    for place, (number, cells) in enumerate(rows, start=1):
        if len(cells) != 2:
            raise UsageError(f"{file.path}: line {number}: expected 2 cells, found {len(cells)}: {shown(cells)}")
        yield _case(file, place, cells[0], cells[1], f"line {number}")


class ClincOptions(DataOptions):
    """Options for reading CLINC150.

    Attributes:
        split: the split to read, or several joined by "+" ("test+oos_test").
    """

    split: str = "test"


@DATASETS.register("clinc150", task="classification", tasks=_TASKS, options=ClincOptions)
def clinc150(file: DataFile, options: ClincOptions) -> Iterator[Case]:
    """Read CLINC150 JSON. Option `split`: one split, or several joined by "+" ("test+oos_test"); default "test"."""
    data = file.json()
    if not isinstance(data, dict):
        raise UsageError(f"{file.path}: expected a JSON object that maps splits to lists of pairs, found {shown(data)}")
    for split in options.split.split("+"):
        if split not in data:
            raise UsageError(f"{file.path}: no split {split!r}; the splits are: {', '.join(data)}")
        if not isinstance(data[split], list):
            raise UsageError(f"{file.path}: split {split!r}: expected a list of pairs, found {shown(data[split])}")
        for place, pair in enumerate(data[split], start=1):
            where = f"split {split!r}, record {place}"
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(item, str) for item in pair):
                raise UsageError(f"{file.path}: {where}: expected a text and its intent, found {shown(pair)}")
            yield _case(file, f"{split}-{place}", pair[0], pair[1], where)


@DATASETS.register("intents", task="classification", tasks=_TASKS)
def intents(file: DataFile) -> Iterator[Case]:
    """Read a folder with `seq.in` (one text per line) and `label` (the intents), the usual form of ATIS and SNIPS."""
    if not file.path.is_dir():
        raise UsageError(f"{file.path}: expected a folder with the files seq.in and label")
    texts, labels = (
        read_text(find(file.path / name), file.encoding).rstrip("\n").split("\n") for name in ("seq.in", "label")
    )
    if len(texts) != len(labels):
        raise UsageError(
            f"{file.path}: seq.in has {len(texts)} lines, but label has {len(labels)}; expected the same number"
        )
    for place, (text, label) in enumerate(zip(texts, labels, strict=True), start=1):
        yield _case(file, place, text, label, f"line {place}")


def _case(file: DataFile, record: object, text: str, label: str, where: str) -> Case:
    if not text.strip() or not label.strip():
        raise UsageError(f"{file.path}: {where}: the {'text' if not text.strip() else 'label'} is empty")
    return Case(id=file.id(record), turns=(Turn(fields={"text": text.strip()}, expected=(label.strip(),)),))
