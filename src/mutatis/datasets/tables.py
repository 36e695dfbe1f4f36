"""Reads plain JSON, JSONL and CSV, using a mapping from our field names to those in the file.

An example of a mapping is `fields = {text = "Review", expected = "Stars", id = "ReviewId"}`. `id` and `expected` are
optional and may be mapped like any field. A dialogue is an object with `turns`, such as {"id", "story", "turns":
[{"question", "answer"}]}. A turn may also be plain text. A plain text file holds one text per line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pydantic

from mutatis.core.calls import RESULTS, TOOLS, ToolCall, json_material, results_in, tools_in
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError, check_known, nearest
from mutatis.core.languages import language_code
from mutatis.core.parsing import NotReadable, json_of
from mutatis.core.task import TASKS, Task
from mutatis.datasets.reader import DATASETS, UNKNOWN, DataOptions, accepted
from mutatis.reading import DataFile, Record, json_lines, read_lines, read_rows, read_table, shown, usual_delimiter
from mutatis.text.options import listed_options

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
"""Pattern for control characters, which occur in binary files or other encodings but not in text."""

_IDS = ("id", "Id", "ID")
_EXPECTED = ("expected", "answers", "answer", "label", "Label")
MOST_FIELDS = 50
"""Maximum number of text fields used if the user names none. Each field gets follow-ups of its own."""

_ASKED = ("question", "message")
_ABOUT = ("id", "expected", "language", "parallel")  # not fields of a task
_TURN_KEYS = frozenset(
    {*_ASKED, "answer", "answers", "expected", "reply", "rewrite", "annotations", "answerable", "calls"}
)


class FieldOptions(DataOptions):
    """Options for formats that do not prescribe field names.

    Attributes:
        fields: the file's names for the task's fields and for `id`, `expected`, `language` and `parallel` (a value
            shared by records that are translations of each other), as in {text = "review"}.
    """

    fields: Mapping[str, str] = {}


class LineOptions(DataOptions):
    """Options for files with one text per line. The texts have no ids."""

    @pydantic.field_validator("parallel")
    @classmethod
    def _without_ids(cls, parallel: str | None) -> str | None:
        raise ValueError("plain lines have no ids that link translations; use CSV or JSONL with ids")


class TableOptions(FieldOptions):
    """Options for tables.

    Attributes:
        delimiter: the character between cells; by default a comma, or a tab in .tsv files.
    """

    delimiter: str | None = pydantic.Field(default=None, min_length=1, max_length=1)


@DATASETS.register("json", task="classification", options=FieldOptions)
def plain_json(file: DataFile, options: FieldOptions) -> Iterator[Case]:
    """Read JSON: a list of records (or an object with a list in `data`), each flat or a dialogue with `turns`."""
    layout = Layout.of(file, options)
    for place, record in enumerate(file.documents("record"), start=1):
        yield layout.case(record, place)


@DATASETS.register("jsonl", task="classification", options=FieldOptions)
def jsonl(file: DataFile, options: FieldOptions) -> Iterator[Case]:
    """Read JSONL: one record per line, flat or a dialogue with `turns`."""
    layout = Layout.of(file, options)
    for number, data in json_lines(file.path, file.encoding):
        yield layout.case(file.record(f"line {number}", data), number)


@DATASETS.register("lines", task="chat", options=LineOptions)
def lines(file: DataFile, options: LineOptions) -> Iterator[Case]:
    """Read plain text. Each line is a message, or the only field of a different task. Blank lines are skipped."""
    layout = Layout(name=file.name, task=file.task, fields={})
    for number, line in read_lines(file.path, file.encoding):
        where = f"{file.path}: line {number}"
        if _CONTROL.search(line):
            raise UsageError(f"{where}: expected plain text, found {shown(line)}")
        yield layout.case(Record.of(where, {only_field(file.task, where): line.strip()}), number)


@DATASETS.register("csv", task="classification", options=TableOptions)
def csv_cases(file: DataFile, options: TableOptions) -> Iterator[Case]:
    """Read CSV (or TSV) with a header. Option `delimiter`: by default a comma, or a tab in .tsv files."""
    layout = Layout.of(file, options)
    rows = read_table(file.path, delimiter=options.delimiter, encoding=file.encoding, wanted=options.fields.values())
    for place, record in enumerate(rows, start=1):
        yield layout.case(TableRow(where=record.where, data=record.data), place)


def columns(
    path: Path, data_format: str, *, delimiter: str | None = None, encoding: str | None = None
) -> tuple[str, ...]:
    """Return the column names in the header of a CSV file, or the keys of the first record in a JSONL file.

    Raises:
        UsageError: the file does not exist, or it is not text.
    """
    if data_format == "csv":
        rows = read_rows(path, delimiter=delimiter or usual_delimiter(path), encoding=encoding)
        return tuple(name for cell in next(rows, (0, []))[1] if (name := cell.strip()))
    return tuple(first_record(path, encoding))


def first_record(path: Path, encoding: str | None = None) -> dict[str, Any]:
    """Return the first record of a JSONL file, or {} if it cannot be read as an object.

    Raises:
        UsageError: the file does not exist, or it is not text.
    """
    for _, line in read_lines(path, encoding):
        try:
            data = json_of(line)
        except NotReadable:
            return {}
        return data if isinstance(data, dict) else {}
    return {}


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Rules for turning the records of one data set into cases.

    Attributes:
        name: data name, the first part of every case's id.
        task: the task of the cases; empty if not decided yet.
        fields: our field names mapped to those in the data. Without a mapping, the task determines the fields.
        parallel: whether records are linked to their translations by id, so that each record needs an id.
    """

    name: str
    task: str
    fields: Mapping[str, str]
    parallel: bool = False

    # Computed once for all records, because there may be a million of them.

    @cached_property
    def _definition(self) -> Task | None:
        return TASKS[self.task] if self.task in TASKS else None  # noqa: SIM401 - a registry has no `get`

    @cached_property
    def _beside(self) -> Mapping[str, str]:
        """The texts that are not fields of the task but guide its edits, mapped to those in the data."""
        beside = () if self._definition is None else self._definition.beside
        return {ours: self.fields.get(ours, ours) for ours in beside}

    @cached_property
    def _asked(self) -> Mapping[str, str]:
        """The fields of the task that `fields` names, mapped to those in the data."""
        return {ours: theirs for ours, theirs in self.fields.items() if ours not in (*_ABOUT, *self._beside)}

    @classmethod
    def of(cls, file: DataFile, options: FieldOptions) -> Layout:
        """Return the layout for reading a file with these options."""
        return cls(name=file.name, task=file.task, fields=options.fields, parallel=options.parallel is not None)

    def case(self, record: Record, place: int) -> Case:
        """Return a record as a case, named by its id or else by its position. A null field counts as absent.

        Raises:
            UsageError: a field is missing or is not text. The message gives the position of the record.
        """
        record = record.present()
        id_field = self._key(record, "id", _IDS)
        if id_field is None and self.parallel and "parallel" not in self.fields:
            raise record.error("id", "an identifier, because parallel = ... ties translations by their ids")
        case_id = f"{self.name}/{record.id(id_field) if id_field else place}"
        language, parallel = self._language(record), self._parallel(record)
        if "turns" in record.data:
            about = {self.fields[name] for name in ("language", "parallel") if name in self.fields}
            asked = replace(record, data={name: value for name, value in record.data.items() if name not in about})
            case = _dialogue(asked, case_id, self.task)
        else:
            case = self._of_one_turn(record, case_id, id_field)
        # A case that was written by `Case.to_record` has its own.
        return replace(case, language=language or case.language, parallel=parallel or case.parallel)

    def _of_one_turn(self, record: Record, case_id: str, id_field: str | None) -> Case:
        """Return a record without `turns` as a case. `id_field` is not a text of the case."""
        own_fields = () if self._definition is None else self._definition.fields
        usual = tuple(name for name in _EXPECTED if name not in own_fields)  # the answer to be graded is not expected
        expected = self._key(record, "expected", usual)
        taken = id_field, expected, self.fields.get("language"), self.fields.get("parallel")
        names = self._asked or self._guessed(record, taken)
        answers = answers_in(record, expected)
        annotations = answerable_in(record, answers)
        for ours, theirs in self._beside.items():
            if theirs in record.data:
                annotations[ours] = record.text(theirs)
        turn = Turn(
            fields={ours: field_text(record, ours, theirs) for ours, theirs in names.items()},
            expected=answers,
            annotations=annotations,
        )
        return Case(id=case_id, task=self.task, turns=(turn,), material=self._callable(record, names))

    def _callable(self, record: Record, names: Mapping[str, str]) -> dict[str, str]:
        """Return a record's tools and tool results as a case's material, or {} if `fields` maps columns of these names.

        If the task is about tool calls, they may also be given as JSON text.
        """
        if (TOOLS not in record.data and RESULTS not in record.data) or {TOOLS, RESULTS} & set(names.values()):
            return {}
        wanted = self._definition is not None and self._definition.kind == "calls"
        return callables_in(record, (list, str) if wanted else list)

    def _language(self, record: Record) -> str:
        """Return the language given in the record, if `fields` maps it, or ""."""
        theirs = self.fields.get("language", "")
        return language_code(record.text(theirs), record.where) if theirs in record.data else ""

    def _parallel(self, record: Record) -> str:
        """Return the value that a record shares with its translations, if `fields` maps it, or ""."""
        theirs = self.fields.get("parallel", "")
        return record.id(theirs) if theirs in record.data else ""

    def _key(self, record: Record, ours: str, usual: tuple[str, ...]) -> str | None:
        return self.fields[ours] if ours in self.fields else _first(record, usual)

    def _guessed(self, record: Record, taken: Collection[str | None]) -> dict[str, str]:
        """Return the names of the fields to ask about, each mapped to its column, which has the same name here.

        These are the fields of the task, as far as the record has them. For classification, and for a task without a
        definition, they are all text fields if a needed one is missing.

        Raises:
            UsageError: the task is missing, a needed field of any other task is missing, or the record has no text or
                too many.
        """
        if not self.task:
            raise UsageError(
                f"{record.where}: without a task, it is unclear which fields to ask about; {record.has}; pass task = "
                '"..."'
            )
        definition = self._definition
        if definition is not None:
            present = {name: name for name in definition.fields if name in record.data}
            missing = next((name for name in definition.needed if name not in present), None)
            if missing is None:
                return present
            if self.task != "classification":
                raise UsageError(
                    f"{record.where}: field {missing!r} of task {self.task!r} is missing; {record.has}; "
                    f"{_other_task(record)}{_mapped(record, missing, definition.needed)}"
                )
        texts = {key: key for key, value in record.data.items() if key not in taken and isinstance(value, str)}
        if not texts:
            hint = _mapped(record, "text")
            raise UsageError(f"{record.where}: no text to ask about; {record.has}; {hint}")
        if len(texts) > MOST_FIELDS:
            raise UsageError(
                f"{record.where}: {len(texts):,} fields contain text, and all of them would be asked about; "
                'choose some of them, for example: fields = {text = "review"}'
            )
        return texts


def _mapped(record: Record, ours: str, taken: Iterable[str] = ()) -> str:
    """Return a hint that shows how to map one of our fields to a column of the data that is not used yet."""
    columns = [name for name in record.data if name not in (*_IDS, *taken)]
    theirs = next(iter([*nearest(ours, columns), *columns, *record.data]), "column")
    return f"map it to one of them with fields = {{{ours} = {json.dumps(theirs, ensure_ascii=False)}}}"


def _other_task(record: Record) -> str:
    """Return a hint that suggests a different task, if the record has the fields of exactly one other, or ""."""
    fits = [name for name in TASKS if len(TASKS[name].needed) > 1 and set(TASKS[name].needed) <= record.data.keys()]
    return f'they are those of task = "{fits[0]}": pass that, or ' if len(fits) == 1 else ""


def _first(record: Record, names: Iterable[str]) -> str | None:
    return next((name for name in names if name in record.data), None)


def only_field(task: str, where: str) -> str:
    """Return the only field of a task. Raise UsageError if the task has several; the message begins with `where`."""
    fields = TASKS[task].needed
    if len(fields) > 1:
        form = ", ".join(f'"{field}": "..."' for field in fields)
        raise UsageError(
            f"{where}: this is a plain text, but task {task!r} needs {len(fields)} fields ({', '.join(fields)}); give "
            f"records: {{{form}}}"
        )
    return fields[0]


def _dialogue(record: Record, case_id: str, task: str) -> Case:
    """Return a record with `turns` as a case. Its other texts are the material of the dialogue."""
    raw = [{"message": turn} if isinstance(turn, str) else turn for turn in record.need("turns", list)]
    record = replace(record, data={**record.data, "turns": raw})
    turn_records = [turn.present() for turn in record.objects("turns", "turn")]
    if all("fields" in turn.data for turn in turn_records):
        return _own_form(record, case_id, turn_records)
    if not task and all("message" in turn.data for turn in turn_records):
        task = "chat"
    field = "message" if task in TASKS and "message" in TASKS[task].fields else "question"
    turns_of = DATASETS.turns.get(task)
    turns = tuple(_turn(turn, field) for turn in turn_records) if turns_of is None else turns_of(turn_records)
    material = {
        key: record.text(key)
        for key, value in record.data.items()
        if key not in ("turns", *_IDS) and isinstance(value, str)
    } | callables_in(record)
    return Case(id=case_id, turns=turns, material=material, task=task)


def _turn(turn: Record, field: str) -> Turn:
    """Return a record as a turn. Raise UsageError if it has an unknown key."""
    check_known(f"key in {turn.where}:", turn.data, _TURN_KEYS)
    answers = answers_in(turn, _first(turn, _EXPECTED))
    annotations: dict[str, Any] = dict(turn.get("annotations", dict, {}))
    if answers:
        annotations["answerable"] = True
    annotations |= answerable_in(turn, answers)  # if the turn says "answerable" itself, that counts
    if "rewrite" in turn.data:
        annotations["rewrite"] = turn.text("rewrite")
    if annotations.get("answerable") is False:
        answers = (UNKNOWN,)
    return Turn(
        fields={field: turn.text(_first(turn, _ASKED) or field)},
        expected=answers,
        reply=turn.get("reply", str),
        annotations=annotations,
        calls=_calls(turn),
    )


def _calls(turn: Record) -> tuple[ToolCall, ...]:
    try:
        return tuple(ToolCall.from_record(call.data) for call in turn.optional_objects("calls", "call"))
    except UsageError as error:
        raise UsageError(f"{turn.where}: {error}") from None


def _own_form(record: Record, case_id: str, turn_records: list[Record]) -> Case:
    """Restore a case from a record that was written by `Case.to_record`."""
    for turn in turn_records:
        fields = Record.of(f"{turn.where}, fields", turn.data["fields"])
        for name in fields.data:
            fields.need(name, str)
        expected = turn.get("expected", list, [])
        if not all(isinstance(answer, str) for answer in expected):
            raise turn.error("expected", "a list of texts")
        turn.get("reply", str)
        turn.get("annotations", dict)
        _calls(turn)
    material = Record.of(f"{record.where}, material", record.get("material", dict, {}))
    for name in set(material.data) - {TOOLS, RESULTS}:
        material.need(name, str)
    return Case.from_record({**record.data, "id": case_id, "turns": [turn.data for turn in turn_records]})


# Values of the fields of a record: texts, passages, options, accepted answers, tools.

_PASSAGE = ("title", "text")


class TableRow(Record):
    """A row of a table. Empty cells count as absent."""


def field_text(record: Record, ours: str, theirs: str) -> str:
    """Return the text of a field. Lists of options or passages are joined into one text.

    Options must be strings. Passages may also be objects with a text and a title.
    """
    value = record.data.get(theirs)
    if ours == "options" and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return listed_options([" ".join(item.split()) for item in value])
    if ours != "passages" or not isinstance(value, list):
        return record.text(theirs)
    return "\n\n".join(f"[{n}] {_passage(record, theirs, passage)}" for n, passage in enumerate(value, 1))


def callables_in(record: Record, kind: type | tuple[type, ...] = list) -> dict[str, str]:
    """Return a record's tools and recorded tool results as a case's material, or {} if it has neither.

    Raises:
        UsageError: the tools or results are malformed.
    """
    material = json_material(
        {name: record.data[name] for name in (TOOLS, RESULTS) if isinstance(record.data.get(name), kind)}
    )
    try:
        tools_in(material)
        results_in(material)
    except UsageError as error:
        raise UsageError(f"{record.where}: {error}") from None
    return material


def _passage(record: Record, name: str, passage: Any) -> str:
    fields = {"text": passage} if isinstance(passage, str) else passage if isinstance(passage, dict) else {}
    parts = [part for part in map(fields.get, _PASSAGE) if isinstance(part, str) and part.strip()]
    if not parts or not str(fields.get("text") or "").strip():
        raise record.error(name, "texts, or objects with a text (and perhaps a title)")
    return ": ".join(" ".join(part.split()) for part in parts)


def answers_in(record: Record, name: str | None) -> tuple[str, ...]:
    """Return the accepted answers in a field, or () if the field is absent."""
    value = record.data.get(name) if name else None
    if isinstance(value, dict) and isinstance(value.get("text"), list):
        value = value["text"]  # SQuAD as Hugging Face has it: {"text": [...], "answer_start": [...]}
    if value is None:
        return ()
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    if isinstance(value, str | int | float):
        return accepted([str(value)])
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return accepted(value) or (UNKNOWN,)
    if isinstance(value, list) and all(isinstance(item, dict) and "name" in item for item in value):
        return (json.dumps(value, ensure_ascii=False),)  # the expected tool calls
    raise record.error(str(name), "text, a number or a list of texts")


def answerable_in(record: Record, answers: tuple[str, ...]) -> dict[str, Any]:
    """Return an annotation of whether a record's question can be answered, or {} if the record does not specify it."""
    answerable = record.get("answerable", bool) if not isinstance(record, TableRow) else None
    if answerable is not None:
        return {"answerable": answerable}
    if not answers:
        return {}
    first = answers[0].lower().strip(".")
    return {"answerable": False} if first in (UNKNOWN, "cannotanswer") else {}
