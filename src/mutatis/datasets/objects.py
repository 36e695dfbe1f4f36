"""Turns in-memory data into cases: strings, records, data frames, Hugging Face datasets, and cases themselves.

    cases(["Do you ship to Norway?", ["Hi!", "Where is my parcel?"]])      # a chat message and a dialogue
    cases(["A fine film.", "Dull."], task="sentiment")
    cases(frame, task="sentiment", fields={"text": "Review", "expected": "Stars"})

Records become cases in the same way as lines of a JSONL file (`tables.Layout`). Frames and datasets are recognised by
their methods, without importing the packages that define them. Tasks must be registered first, which `mutatis.cases`
does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from mutatis.core.cases import Case
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.languages import language_code
from mutatis.core.task import TASKS
from mutatis.datasets.reader import unique
from mutatis.datasets.tables import FieldOptions, Layout, only_field
from mutatis.options import check_options
from mutatis.reading import Record, shown

_WHERE = "cases"
_EXPECTED = "expected a list of texts, records (dictionaries) or cases, a data frame or a dataset"


def cases(
    data: Iterable[Any],
    *,
    task: str | None = None,
    name: str = "data",
    fields: Mapping[str, str] | None = None,
    limit: int | None = None,
    language: str | None = None,
) -> list[Case]:
    """Return in-memory data as cases.

    Args:
        data: an iterable of strings, lists of strings (dialogues), records (dictionaries) or cases; a dictionary of
            columns; a pandas or polars frame or series; or a Hugging Face dataset. A string is the task's only field.
            Cases are returned as they are.
        task: the task of the cases, except for cases that already have one. Without a task, plain strings are messages
            of task "chat". It is not needed for cases, dialogues, or data mapped by `fields`.
        name: data name, the first part of every case's id. The second part is the record's `id`, or else its number.
        fields: a mapping from our names (of fields, `id`, `expected`, `language` and `parallel`) to the names in the
            data, as in the `[data]` section of a configuration.
        limit: maximum number of cases; reading stops when it is reached.
        language: language of records that do not name one ("de" or "German"). By default, a run detects it.

    Raises:
        UsageError: the data has an unsupported type, a record lacks a field, two ids are equal, or the data is empty.
    """
    options = {"task": task, "name": name, "fields": {} if fields is None else fields, "limit": limit}
    settings = check_options(FieldOptions, options, _WHERE)
    task = "" if settings.task is None else TASKS.resolve(settings.task)
    layout = Layout(name=settings.name or "data", task=task, fields=settings.fields)
    columns: set[str] = set()  # of the records read so far
    listed = list(islice(unique(_cases(_rows(data), layout, columns), _WHERE), settings.limit))
    if language is not None:
        code = language_code(language, _WHERE)
        listed = [case if case.language else replace(case, language=code) for case in listed]
    if not listed:
        raise UsageError(f"{_WHERE}: the data is empty; expected at least one text, record or case")
    # If the limit was reached, a record that was not read may have the column.
    all_read = settings.limit is None or len(listed) < settings.limit
    for theirs in settings.fields.values():
        if all_read and columns and theirs not in columns:
            raise unknown_name(f"column of {_WHERE}:", theirs, columns)
    return listed


def _cases(rows: Iterable[Any], layout: Layout, columns: set[str]) -> Iterator[Case]:
    """Yield a case for each row and add its column names to `columns`."""
    for place, row in enumerate(rows, start=1):
        if isinstance(row, Case):
            yield _with_task(row, layout.task)
            continue
        where = f"{_WHERE}: record {place}"
        row_layout = replace(layout, task="chat") if is_message(row) and not layout.task else layout
        data = _as_json(_record(row, row_layout.task, where))
        if not isinstance(data, dict):
            raise UsageError(f"{where}: expected a text, a record (a dictionary) or a Case, found {_typed(row)}")
        if not all(isinstance(column, str) for column in data):
            raise UsageError(f"{where}: the field names are {', '.join(map(repr, data))}; expected strings")
        columns.update(data)
        yield _with_task(row_layout.case(Record.of(where, data), place), row_layout.task)


def is_message(row: Any) -> bool:
    """Return True if an item is a message or a dialogue of messages, so that its default task is "chat".

    >>> is_message("Hi!"), is_message(["Hi!", "Where is my parcel?"]), is_message({"text": "Fine."})
    (True, True, False)
    """
    return isinstance(row, str) or _is_dialogue(row)


def _is_dialogue(row: Any) -> bool:
    return isinstance(row, list | tuple) and bool(row) and all(isinstance(turn, str) for turn in row)


def _record(row: Any, task: str, where: str) -> Any:
    if isinstance(row, str):
        return {only_field(task, where): row}
    return {"turns": list(row)} if _is_dialogue(row) and task in ("chat", "dialogue") else row


def _with_task(case: Case, task: str) -> Case:
    return case if case.task else replace(case, task=task)


def _as_json(value: Any) -> Any:
    """Return a value converted to JSON types if possible, without numpy types and with None instead of NaN."""
    if isinstance(value, Mapping):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    if hasattr(value, "tolist"):  # numpy and pandas
        return _as_json(value.tolist())
    if hasattr(value, "to_list"):  # polars
        return _as_json(value.to_list())
    if isinstance(value, str):
        return str.__str__(value)
    missing = type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    return None if missing else value


def _rows(data: Any) -> Iterable[Any]:
    """Return the items of the data, one per case: mappings, strings or cases."""
    kind = type(data)
    if isinstance(data, str | bytes | Path):
        raise UsageError(
            f"{_WHERE}: {_typed(data)} is a single text; {_EXPECTED} (use mutatis.read_cases(format, path) to read a "
            "file)"
        )
    if isinstance(data, set | frozenset):
        raise UsageError(
            f"{_WHERE}: a set has no order, so its cases would be numbered differently in each run; pass sorted(...)"
        )
    if isinstance(data, Mapping):
        return _of_columns(data)
    if hasattr(kind, "iter_rows"):  # polars
        rows: Iterable[Any] = data.iter_rows(named=True)
        return rows
    if hasattr(kind, "iterrows"):  # pandas
        return _of_pandas(data)
    if hasattr(kind, "collect"):  # a lazy frame of polars
        raise UsageError(f"{_WHERE}: {kind.__name__} is not computed yet; pass the result of its collect()")
    if hasattr(data, "with_format") or isinstance(getattr(data, "features", None), Mapping):  # Hugging Face
        return _of_dataset(data)
    if isinstance(data, Iterable):
        return data
    raise UsageError(f"{_WHERE}: {_EXPECTED}, found {_typed(data)}")


def _of_columns(data: Mapping[Any, Any]) -> Iterable[dict[Any, Any]]:
    """Return the records in a dictionary of columns. Raise UsageError if the dictionary is anything else."""
    if any(hasattr(value, "column_names") or hasattr(value, "columns") for value in data.values()):
        names = ", ".join(map(str, data))
        raise UsageError(
            f"{_WHERE}: got a dictionary of data sets ({names}); choose one of them, for example: "
            f"data[{next(iter(data))!r}]"
        )
    if any(_is_cell(name, value) for name, value in data.items()):
        raise UsageError(f"{_WHERE}: {_typed(data)} is a single record; expected a list of records, such as [record]")
    lengths = {name: len(column) for name, column in data.items()}
    if len(set(lengths.values())) > 1:
        stated = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise UsageError(f"{_WHERE}: the columns have different lengths: {stated}")
    return (dict(zip(data, row, strict=True)) for row in zip(*data.values(), strict=True))


def _is_cell(name: Any, value: Any) -> bool:
    """Return True if a dictionary value is part of a single record, like a dialogue's turns, rather than a column."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable) or not hasattr(value, "__len__"):
        return True
    return name == "turns" and isinstance(next(iter(value), None), Mapping)


def _of_pandas(frame: Any) -> Iterable[dict[Any, Any]]:
    """Return the records in a pandas frame, ignoring its index."""
    names = list(frame.columns)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{_WHERE}: two columns are called {twice!r}; rename one of them")
    # If a cell is missing, pandas reads a column of whole numbers as floats, and label 1 would become "1.0".
    holed = [name for name in names if frame[name].dtype.kind == "f" and frame[name].isna().any()]
    if holed:
        frame = frame.copy(deep=False)
        for name in holed:
            frame[name] = frame[name].convert_dtypes()
    rows: list[dict[Any, Any]] = frame.to_dict("records")
    return rows


def _of_dataset(dataset: Any) -> Iterator[dict[str, Any]]:
    """Yield the records in a Hugging Face dataset, with the names of class labels instead of their numbers."""
    if hasattr(dataset, "with_format"):
        dataset = dataset.with_format(None)  # so that rows are not tensors or frames
    features = getattr(dataset, "features", None) or {}
    for row in dataset:
        yield {name: _named(features.get(name), value) for name, value in row.items()}


def _named(feature: Any, value: Any) -> Any:
    """Return the name of a class label, or of each label in a list. -1 marks unlabelled records and becomes None."""
    if hasattr(feature, "int2str"):
        return (None if value == -1 else feature.int2str(value)) if isinstance(value, int) else value
    inner = feature[0] if isinstance(feature, list) and feature else getattr(feature, "feature", None)
    if inner is not None and isinstance(value, list):
        return [_named(inner, item) for item in value]
    return value


def _typed(value: Any) -> str:
    return f"{shown(value)} ({type(value).__name__})"
