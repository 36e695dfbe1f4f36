"""Reads and writes `dictionary.json`: facts learnt about each system, to be corrected and passed to a later run.

Entries written by people need no evidence (`seen`) and are trusted. An entry marked `wrong` is never used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import pydantic

from mutatis.core.dictionary import USER, Dictionary, Direction, Known, KnownValue, Limit, Name, NameKind
from mutatis.records.files import read_record, write_text
from mutatis.records.jsontext import dump
from mutatis.records.record import Text

FORMAT: Literal["mutatis/dictionary"] = "mutatis/dictionary"
DICTIONARY_FILE = "dictionary.json"
FORM = '{"names": [{"kind": "tariff", "names": ["Basic"]}], "values": ["9 EUR"], "limits": ["from 65 years"]}'
EXPECTED = f"a {DICTIONARY_FILE} as written by a run next to its report, or entries such as {FORM}"

K = TypeVar("K", bound=Known)


class _Record(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class EntryRecord(_Record):
    """The fields common to all entries.

    Attributes:
        text: the entry as text.
        seen: the questions that are evidence for it.
        contradicted: whether a reply contradicts it.
        wrong: whether a person has marked it as wrong.
    """

    text: Text
    seen: tuple[Text, ...] = ()
    contradicted: bool = False
    wrong: bool = False


def _as_entry(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


Written = pydantic.BeforeValidator(_as_entry)
"""Validator that allows people to write an entry as plain text."""


class KindRecord(_Record):
    """Names of the same kind of thing."""

    kind: Text = ""
    names: list[Annotated[EntryRecord, Written]]


class ValueRecord(EntryRecord):
    """A value. If its measure is not given, it is read from the text."""

    measure: Text = ""
    unit: Text = ""


class LimitRecord(EntryRecord):
    """A limit ("from 65 years"). Missing fields are read from its text."""

    value: Text = ""
    measure: Text = ""
    size: float = 0.0
    side: Literal["least", "most"] = "least"
    inclusive: bool = True
    about: tuple[Text, ...] = ()


class DirectionRecord(EntryRecord):
    """A trend of a price ("the heavier, the dearer"). Missing fields are read from its text."""

    measure: Text = ""
    goes: Literal["up", "down"] = "up"


class EntriesRecord(_Record):
    """The dictionary entries about one system."""

    names: list[KindRecord] = []
    values: list[Annotated[ValueRecord, Written]] = []
    limits: list[Annotated[LimitRecord, Written]] = []
    directions: list[Annotated[DirectionRecord, Written]] = []


class DictionaryRecord(EntriesRecord):
    """The contents of a dictionary file: entries for all systems, and entries for individual systems."""

    format: Literal["mutatis/dictionary"] = FORMAT
    version: Literal[1] = 1
    systems: dict[Text, EntriesRecord] = {}


def write_dictionary(dictionaries: Mapping[str, Dictionary], path: Path) -> Path:
    """Write the dictionaries of a run's systems, one entry per line, and return the path."""
    systems = {label: _lines(entries) for label, entries in sorted(dictionaries.items())}
    body = ",\n".join(f"{dump(label)}: {{\n{text}\n}}" for label, text in systems.items())
    return write_text(path, f'{{"format": "{FORMAT}", "version": 1, "systems": {{\n{body}\n}}}}\n')


def _lines(dictionary: Dictionary) -> str:
    kinds = [f'{{"kind": {dump(kind.kind)}, "names": [\n{_rows(kind.names)}\n]}}' for kind in dictionary.names]
    others = {"values": dictionary.values, "limits": dictionary.limits, "directions": dictionary.directions}
    lines = [f'"{name}": [\n{_rows(entries)}\n]' for name, entries in others.items()]
    return ",\n".join([f'"names": [{", ".join(kinds)}]', *lines])


def _rows(entries: Iterable[Known]) -> str:
    return ",\n".join(map(_row, entries))


def _row(entry: Known) -> str:
    """Return an entry as a line of JSON, with its evidence last and without empty fields."""
    evidence = [field.name for field in fields(Known)]
    others = [field.name for field in fields(entry) if field.name not in evidence]
    values = {name: getattr(entry, name) for name in (*others, *evidence)}
    return dump({name: value for name, value in values.items() if value not in ((), "")})


def read_dictionary(path: Path) -> DictionaryRecord:
    """Read a dictionary file. Raise a UsageError that describes the fault if it is invalid."""
    return read_record(DictionaryRecord, path, "a dictionary", EXPECTED)


def entries_of(record: EntriesRecord) -> Dictionary:
    """Return the entries that are complete as written, leaving out those marked as wrong."""
    return Dictionary(
        names=tuple(NameKind(kind=kind.kind, names=_known(Name, kind.names)) for kind in record.names),
        values=_known(KnownValue, record.values),
        limits=_known(Limit, record.limits),
        directions=_known(Direction, record.directions),
    )


def _known(kind: type[K], records: Iterable[EntryRecord]) -> tuple[K, ...]:
    """Return the entries of one kind, except wrong ones. An entry without evidence was written by the user."""
    usable = [record.model_dump(exclude={"wrong"}) for record in records if not record.wrong]
    return tuple(kind(**{**values, "seen": values["seen"] or (USER,)}) for values in usable)
