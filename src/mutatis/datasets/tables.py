"""Readers of plain JSON, JSONL and CSV, with a mapping from our field names to the file's.

`fields = {text = "Review", expected = "Stars", id = "ReviewId"}` maps; `id` and `expected` are optional and may be
mapped like any field. A dialogue is an object with `turns`: {"id", "story", "turns": [{"question", "answer"}]}.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pydantic

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError, unknown_name
from mutatis.core.task import TASKS
from mutatis.datasets.dialogue_states import own_state_case
from mutatis.datasets.reader import DATASETS, UNKNOWN, DataOptions, accepted
from mutatis.datasets.source import Record, Source, read_lines, read_rows, shown

_IDS = ("id", "Id", "ID")
_EXPECTED = ("expected", "answers", "answer", "label", "Label")
_TURN_KEYS = frozenset({"question", "answer", "answers", "expected", "reply", "rewrite", "annotations", "answerable"})


class FieldOptions(DataOptions):
    """Options of formats without field names of their own: our names mapped to the file's."""

    fields: Mapping[str, str] = {}


class TableOptions(FieldOptions):
    """Options of tables: the character between cells; by default a comma, in .tsv files a tab."""

    delimiter: str | None = pydantic.Field(default=None, min_length=1, max_length=1)


@DATASETS.register("json", task="classification", options=FieldOptions)
def plain_json(source: Source, options: FieldOptions) -> Iterator[Case]:
    """JSON: a list of records (or an object with one in `data`), each a flat record or a dialogue with `turns`."""
    for place, record in enumerate(source.documents("record"), start=1):
        yield _case(source, options.fields, record, place)


@DATASETS.register("jsonl", task="classification", options=FieldOptions)
def jsonl(source: Source, options: FieldOptions) -> Iterator[Case]:
    """JSONL: one record per line, flat or a dialogue with `turns`."""
    for number, line in read_lines(source.path, source.encoding):
        try:
            data = json.loads(line)
        except json.JSONDecodeError as error:
            raise UsageError(f"{source.path}: line {number}: not JSON: {error.msg} at column {error.colno}") from None
        yield _case(source, options.fields, source.record(f"line {number}", data), number)


@DATASETS.register("states", task="dialogue-state", tasks=("dialogue-state",))
def states(source: Source) -> Iterator[Case]:
    """JSONL: one dialogue per line with `turns` of utterance, reply and state."""
    yield from jsonl(source, FieldOptions())


@DATASETS.register("csv", task="classification", options=TableOptions)
def table(source: Source, options: TableOptions) -> Iterator[Case]:
    """CSV (or TSV) with a header: one record per row; option `delimiter`, by default a comma, in .tsv files a tab."""
    tabs = ".tsv" in source.path.suffixes
    delimiter = options.delimiter or ("\t" if tabs else ",")
    header: list[str] = []
    for place, (number, cells) in enumerate(read_rows(source.path, delimiter=delimiter, encoding=source.encoding)):
        if place == 0:
            header = [cell.strip() for cell in cells]
            if len(set(header)) < len(header):
                raise UsageError(f"{source.path}: line 1: two columns have one name; found: {', '.join(header)}")
            continue
        if len(cells) != len(header):
            raise UsageError(
                f"{source.path}: line {number}: expected {len(header)} cells ({', '.join(header)}), "
                f"found {len(cells)}: {shown(cells)}"
            )
        data = {name: cell for name, cell in zip(header, cells, strict=True) if cell.strip()}
        row = _Row(path=source.path, where=f"line {number}", data=data)
        yield _case(source, options.fields, row, place, tuple(header))


class _Row(Record):
    """A row of a table: empty cells are absent."""


def _case(
    source: Source,
    mapping: Mapping[str, str],
    record: Record,
    place: int,
    columns: tuple[str, ...] | None = None,
) -> Case:
    if columns is not None:
        for theirs in mapping.values():
            if theirs not in columns:
                raise unknown_name(f"column of {source.path}:", theirs, columns)
    identity = _key(record, mapping, "id", _IDS)
    case_id = source.id(record.id(identity) if identity else place)
    if "turns" in record.data:
        return _dialogue(source, record, case_id)
    expected = _key(record, mapping, "expected", _EXPECTED)
    names = {ours: theirs for ours, theirs in mapping.items() if ours not in ("id", "expected")}
    if not names:
        names = _guessed(source, record, {identity, expected})
    answers = _answers(record, expected)
    turn = Turn(
        fields={ours: record.text(theirs) for ours, theirs in names.items()},
        expected=answers,
        annotations=_answerable(record, answers),
    )
    return Case(id=case_id, turns=(turn,))


def _key(record: Record, mapping: Mapping[str, str], ours: str, usual: tuple[str, ...]) -> str | None:
    if ours in mapping:
        return mapping[ours]
    return next((name for name in usual if name in record.data), None)


def _guessed(source: Source, record: Record, taken: set[str | None]) -> dict[str, str]:
    """Return the task's own fields where the record has them, else every field of text."""
    if source.task in TASKS:
        wanted = TASKS[source.task].fields
        if all(name in record.data for name in wanted):
            return {name: name for name in wanted}
        if source.task != "classification":
            missing = next(name for name in wanted if name not in record.data)
            raise UsageError(
                f"{record.path}: {record.where}: field {missing!r} of task {source.task!r} is missing; it has: "
                f'{", ".join(record.data)}; map it with fields = {{{missing} = "..."}}'
            )
    texts = {key: key for key, value in record.data.items() if key not in taken and isinstance(value, str)}
    if not texts:
        raise UsageError(f'{record.path}: {record.where}: no text to ask about; map it with fields = {{text = "..."}}')
    return texts


def _answers(record: Record, name: str | None) -> tuple[str, ...]:
    value = record.data.get(name) if name else None
    if value is None:
        return ()
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    if isinstance(value, str | int | float):
        return accepted([str(value)])
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return accepted(value) or (UNKNOWN,)
    raise record.error(str(name), "text, a number or a list of texts")


def _answerable(record: Record, answers: tuple[str, ...]) -> dict[str, Any]:
    given = record.get("answerable", bool) if not isinstance(record, _Row) else None
    if given is not None:
        return {"answerable": given}
    if not answers:
        return {}
    first = answers[0].lower().strip(".")
    return {"answerable": False} if first in (UNKNOWN, "cannotanswer") else {}


def _dialogue(source: Source, record: Record, case_id: str) -> Case:
    given = record.objects("turns", "turn")
    if not given:
        raise record.error("turns", "at least one turn")
    if all("fields" in turn.data for turn in given):
        return _own_form(record, case_id, given)
    if source.task == "dialogue-state":
        return own_state_case(record, case_id, given)
    turns = tuple(_turn(turn) for turn in given)
    material = {
        key: record.text(key)
        for key, value in record.data.items()
        if key not in ("turns", *_IDS) and isinstance(value, str)
    }
    return Case(id=case_id, turns=turns, material=material)


def _turn(turn: Record) -> Turn:
    for name in turn.data:
        if name not in _TURN_KEYS:
            raise unknown_name(f"key in {turn.path}: {turn.where}:", name, _TURN_KEYS)
    answers = _answers(turn, _key(turn, {}, "expected", _EXPECTED))
    annotations: dict[str, Any] = dict(turn.get("annotations", dict, {}))
    if answers:
        annotations["answerable"] = True
    annotations |= _answerable(turn, answers)
    if "rewrite" in turn.data:
        annotations["rewrite"] = turn.text("rewrite")
    if annotations.get("answerable") is False:
        answers = (UNKNOWN,)
    return Turn(
        fields={"question": turn.text("question")},
        expected=answers,
        reply=turn.get("reply", str),
        annotations=annotations,
    )


def _own_form(record: Record, case_id: str, given: list[Record]) -> Case:
    """Read the form that `Case.to_record` writes."""
    for turn in given:
        fields = Record.of(turn.path, f"{turn.where}, fields", turn.data["fields"])
        for name in fields.data:
            fields.need(name, str)
        expected = turn.get("expected", list, [])
        if not all(isinstance(answer, str) for answer in expected):
            raise turn.error("expected", "a list of texts")
        turn.get("reply", str)
        turn.get("annotations", dict)
    material = Record.of(record.path, f"{record.where}, material", record.get("material", dict, {}))
    for name in material.data:
        material.need(name, str)
    return Case.from_record({**record.data, "id": case_id})
