"""Recorded answers as the system under test, for published outputs, logs and traces. No system is queried.

A recorded answer is found by the fields of its input and by the earlier inputs of its dialogue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pydantic

from mutatis.core.errors import NotRecorded, SystemFailure, UsageError, unknown_name
from mutatis.core.parsing import NotReadable, json_of
from mutatis.core.system import Conversation, Response, System
from mutatis.core.task import default_fields
from mutatis.opening import FileName
from mutatis.options import Options
from mutatis.reading import Record, find, json_lines, read_json, read_table, shown
from mutatis.systems.function import CALLS, as_response
from mutatis.systems.registry import SYSTEMS
from mutatis.systems.versions import hash_of_file

ANSWERS = ("answer", "response", "completion", "output", "reply", "prediction", "verdict")
SYSTEM_NAMES = ("system", "model")
"""Default names of the field that holds the system's name, unless `fields` overrides them."""

_OURS = ("answer", "system", "probabilities")
_TABLES = (".csv", ".tsv")

Shape: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""Names of the fields that identify an input: the fields of its turn, and the fields of earlier turns."""

Key: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]

Answers: TypeAlias = dict[Key, Response | SystemFailure | None]
"""The recorded answers by input. The value is None for an input with several different answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One recorded answer, with the fields of its input and of the earlier turns, under the names in the file.

    An answer that is an object is kept as it is, because its meaning depends on the task. Others are a Response.
    """

    where: str
    values: Mapping[str, Any]
    earlier: tuple[Mapping[str, Any], ...]
    answer: Any


@dataclass(slots=True, kw_only=True)
class RecordedSystem(System):
    """Answers recorded in a file, as the system under test.

    `inputs` maps the fields that identify an input to their names in the file. If it is empty, all fields are used.
    """

    label: str
    name: str
    version: str
    entries: tuple[Entry, ...]
    inputs: Mapping[str, str]
    free = True
    """Whether asking is free. Because it is, inputs without a recorded answer do not stop the run."""
    _known: dict[tuple[Shape, str], Answers] = field(default_factory=dict, init=False, repr=False)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return the data that determine the answers: the file's content and how it is read."""
        return {"type": "recorded", "answers": self.version, "fields": dict(self.inputs)}

    def check(self, conversation: Conversation) -> None:
        """Raise UsageError if the file lacks one of the inputs' fields, because no answer could be found."""
        names, _ = self._shape(conversation)
        columns = {column for entry in self.entries for column in entry.values}
        for name in names:
            if name not in default_fields() and (theirs := self.inputs.get(name, name)) not in columns:
                listed = ", ".join(sorted(columns)) or "none"
                raise UsageError(
                    f"{self.name} has no field {theirs!r}, which is needed to find its answers; its fields are: "
                    f"{listed}; map the inputs to these fields, for example: fields = {{{name} = ...}}"
                )

    async def ask(self, conversation: Conversation) -> Response:
        """Return the recorded answer. Raise NotRecorded if this input has no answer, or several different ones."""
        names, before = shape = self._shape(conversation)
        if (shape, conversation.kind) not in self._known:
            self._known[shape, conversation.kind] = self._index(shape, conversation.kind)
        asked = _texts(names, conversation.fields, {})
        earlier = tuple(_texts(before, fields, {}) for fields, _ in conversation.history)
        answers = self._known[shape, conversation.kind]
        if (response := answers.get((asked, earlier))) is None:
            why = "several different answers" if (asked, earlier) in answers else "no answer"
            raise NotRecorded(f"not recorded: {self.name} has {why} to this input")
        if isinstance(response, SystemFailure):
            raise response
        return response

    def _shape(self, conversation: Conversation) -> Shape:
        usual = default_fields()
        known = [name for name in conversation.fields if not self.inputs or name in self.inputs or name in usual]
        history = conversation.history[0][0] if conversation.history else {}
        return tuple(sorted(known)), tuple(sorted(set(known) & set(history)))

    def _index(self, shape: Shape, kind: str) -> Answers:
        """Return the recorded answers by input, read as the kind of answer that a task expects."""
        names, before = shape
        responses: Answers = {}
        for entry in self.entries:
            asked = _texts(names, entry.values, self.inputs)
            key = asked, tuple(_texts(before, values, self.inputs) for values in entry.earlier)
            response = _response(entry.where, entry.answer, kind)
            responses[key] = response if responses.setdefault(key, response) == response else None
        return responses


def _texts(names: tuple[str, ...], values: Mapping[str, Any], theirs: Mapping[str, str]) -> tuple[str, ...]:
    """Return the values that identify an input, ignoring surrounding white space and the type of line endings."""
    usual = default_fields()
    texts = (str(values.get(theirs.get(name, name), usual.get(name, ""))) for name in names)
    return tuple(text.replace("\r\n", "\n").strip() for text in texts)


@SYSTEMS.register("recorded")
class RecordedOptions(Options):
    """Options for past answers of a system, recorded in a file such as a publication, a log or a trace.

    No system is queried. Tool calls are read from `calls` or `tool_calls` in a record: [{name, arguments, result}].

    Attributes:
        path: the file, as JSON Lines, JSON, CSV or TSV with one answer per record; may be compressed as `.xz` or `.gz`.
        system: name of the system whose answers are used, if the file contains several.
        fields: the file's names for the inputs and for `answer`, `system` and `probabilities`, such as {question =
            "prompt", answer = "gpt4"}. If no inputs are listed, the fields of the data keep their names.
        delimiter: the character between the cells of a table.
        encoding: encoding of the file, by default UTF-8.
        label: the system's name in reports.
    """

    path: FileName
    system: str | None = None
    fields: Mapping[str, str] = {}
    delimiter: str | None = pydantic.Field(default=None, min_length=1, max_length=1)
    encoding: str | None = None
    label: str | None = None

    def build(self) -> System:
        """Read the file and return the system."""
        path = find(Path(self.path).expanduser())
        usual = f"recorded:{self.system or self.fields.get('answer') or path.name}"
        inputs = {ours: theirs for ours, theirs in self.fields.items() if ours not in _OURS}
        read = [self.system, sorted(self.fields.items()), self.delimiter, self.encoding]
        return RecordedSystem(
            label=self.label or usual,
            name=path.name,
            version=f"{hash_of_file(path)} {read}",
            entries=tuple(self._entries(path)),
            inputs=inputs,
        )

    def _entries(self, path: Path) -> Iterator[Entry]:
        """Yield the recorded answers of the selected system.

        Raises:
            UsageError: a record has no answer, or the file contains several systems and none is selected.
        """
        systems: dict[str, None] = {}  # a dictionary, as a set would not keep their order
        record = None
        for record in self._records(path):
            column = self._column(record, "system", SYSTEM_NAMES)
            if column is not None and column in record.data:
                systems.setdefault(str(record.data[column]))
            if self.system is not None and column is None:
                raise UsageError(
                    f"{record.where}: no field names the system that gave the answer, but system is given; say where "
                    f'with fields = {{system = "..."}}; {record.has}'
                )
            if self.system is None or str(record.data.get(column or "")) == self.system:
                yield from self._answers(record)
        if record is None:
            raise UsageError(f"{path}: contains no records; expected one recorded answer per record")
        if self.system is not None and self.system not in systems:
            raise unknown_name(f"system in {path.name}:", self.system, systems)
        if self.system is None and len(systems) > 1:
            names = ", ".join(map(repr, list(systems)[:8]))
            raise UsageError(
                f"{path}: contains answers of {len(systems)} systems ({names}); choose one with system = ..."
            )

    def _records(self, path: Path) -> Iterator[Record]:
        kinds = [suffix.lower() for suffix in path.suffixes]
        if any(suffix in _TABLES for suffix in kinds):
            yield from read_table(path, delimiter=self.delimiter, encoding=self.encoding, wanted=self.fields.values())
        elif ".json" in kinds:
            data = read_json(path, self.encoding)
            if not isinstance(data, list):
                raise UsageError(f"{path}: expected a list of records, found {shown(data)}")
            yield from (Record.of(f"{path}: record {number}", entry) for number, entry in enumerate(data, 1))
        else:
            lines = json_lines(path, self.encoding)
            yield from (Record.of(f"{path}: line {number}", entry) for number, entry in lines)

    def _column(self, record: Record, ours: str, usual: tuple[str, ...]) -> str | None:
        """Return the name in the file for one of our fields: the user's, or a usual one that the record has."""
        if ours in self.fields:
            return self.fields[ours]
        return next((name for name in usual if name in record.data and name not in self.fields.values()), None)

    def _answers(self, record: Record) -> Iterator[Entry]:
        """Yield the answers in a record: a single one, or one for each turn of a dialogue."""
        earlier: list[Mapping[str, Any]] = []
        of_dialogue, turns = record.data, [record]
        if isinstance(record.data.get("turns"), list):
            of_dialogue = {name: value for name, value in record.data.items() if name != "turns"}
            turns = record.objects("turns", "turn")
        for turn in turns:
            answer_column = self._column(turn, "answer", ANSWERS)
            chance_column = self._column(turn, "probabilities", ("probabilities",))
            calls = next((turn.data[key] for key in CALLS if isinstance(turn.data.get(key), list)), None)
            if answer_column is None and calls is None and chance_column not in turn.data:
                raise UsageError(
                    f'{turn.where}: no field contains the answer; name it with fields = {{answer = "..."}}; {turn.has}'
                )
            answer, probabilities = turn.data.get(answer_column or ""), turn.data.get(chance_column or "")
            if calls is not None:
                answer = {"text": answer, "calls": calls}
            if answer is not None or probabilities is not None:  # else this turn was not answered
                response = _checked(turn, answer, probabilities)
                is_object = isinstance(answer, Mapping) and probabilities is None
                yield Entry(
                    where=turn.where,
                    values={**of_dialogue, **turn.data},
                    earlier=tuple(earlier),
                    answer=answer if is_object else response,
                )
            earlier.append(turn.data)


def _checked(record: Record, answer: Any, probabilities: Any) -> Response:
    """Return a recorded answer, which may be a text, a number, a label, probabilities by label, or tool calls."""
    if isinstance(probabilities, str):
        try:
            probabilities = json_of(probabilities)
        except NotReadable as error:
            raise UsageError(
                f"{record.where}: probabilities are {shown(probabilities)}, which is not JSON: {error}"
            ) from None
    if probabilities is not None:
        answer = {"probabilities": probabilities} | ({} if answer is None else {"label": answer})
    response = _response(record.where, answer)
    if isinstance(response, SystemFailure):
        raise UsageError(str(response))
    return response


def _response(where: str, answer: Any, kind: str = "") -> Response | SystemFailure:
    """Return an answer as if a function had returned it for a task that expects this kind, or why it cannot be read."""
    try:
        return as_response(answer, where, kind)
    except SystemFailure as error:
        message = str(error).replace(" returned ", ": recorded is ", 1)
        return SystemFailure(message if message.startswith(where) else f"{where}: {message}")
