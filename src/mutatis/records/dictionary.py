"""Reads and writes `dictionary.json`: facts learnt about each system, to be corrected and passed to a later run.

Entries written by people need no evidence (`seen`) and are trusted. An entry marked `wrong` is never used.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic

from mutatis.core.dictionary import USER, Dictionary, Direction, KnownValue, Limit, Name, NameKind
from mutatis.core.errors import UsageError
from mutatis.records.files import read_json_file, write_text
from mutatis.records.jsontext import dump, first_error
from mutatis.records.record import Text

FORMAT: Literal["mutatis/dictionary"] = "mutatis/dictionary"
DICTIONARY_FILE = "dictionary.json"
EXPECTED = f"a {DICTIONARY_FILE}, as written by a run next to its report"
FORM = '{"names": [{"kind": "tariff", "names": ["Basic"]}], "values": ["9 EUR"], "limits": ["from 65 years"]}'


class _Record(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class EntryRecord(_Record):
    """Fields that all entries have.

    Attributes:
        text: the entry as text.
        seen: the questions that show it.
        contradicted: whether a reply contradicts it.
        wrong: whether a person has marked it as wrong.
    """

    text: Text
    seen: list[Text] = []
    contradicted: bool = False
    wrong: bool = False


class NameRecord(EntryRecord):
    """A name. `also` contains other names for the same thing."""

    also: list[Text] = []


def _as_entry(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


Written = pydantic.BeforeValidator(_as_entry)
"""Validator that allows people to write an entry as plain text."""


class KindRecord(_Record):
    """Names of the same kind of thing."""

    kind: Text = ""
    names: list[Annotated[NameRecord, Written]]


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
    about: list[Text] = []


class DirectionRecord(EntryRecord):
    """A trend of a price ("the heavier, the dearer"). Missing fields are read from its text."""

    measure: Text = ""
    goes: Literal["up", "down"] = "up"
    about: list[Text] = []


class EntriesRecord(_Record):
    """The dictionary entries about one system."""

    names: list[KindRecord] = []
    values: list[Annotated[ValueRecord, Written]] = []
    limits: list[Annotated[LimitRecord, Written]] = []
    directions: list[Annotated[DirectionRecord, Written]] = []


class DictionaryRecord(EntriesRecord):
    """The contents of a dictionary file: entries for all systems, and entries for individual ones."""

    format: Literal["mutatis/dictionary"] = FORMAT
    version: Literal[1] = 1
    systems: dict[Text, EntriesRecord] = {}


def write_dictionary(dictionaries: Mapping[str, Dictionary], path: Path) -> Path:
    """Write the dictionaries of a run's systems, one entry per line, and return the path."""
    systems = {label: _lines(entries) for label, entries in sorted(dictionaries.items())}
    body = ",\n".join(f"{dump(label)}: {{\n{text}\n}}" for label, text in systems.items())
    return write_text(path, f'{{"format": "{FORMAT}", "version": 1, "systems": {{\n{body}\n}}}}\n')


def _lines(dictionary: Dictionary) -> str:
    kinds = [
        f'{{"kind": {dump(kind.kind)}, "names": [\n{_rows(_name(name) for name in kind.names)}\n]}}'
        for kind in dictionary.names
    ]
    return ",\n".join(
        [
            f'"names": [{", ".join(kinds)}]',
            f'"values": [\n{_rows(map(_value, dictionary.values))}\n]',
            f'"limits": [\n{_rows(map(_limit, dictionary.limits))}\n]',
            f'"directions": [\n{_rows(map(_direction, dictionary.directions))}\n]',
        ]
    )


def _rows(entries: Any) -> str:
    return ",\n".join(dump({key: value for key, value in entry.items() if value not in ((), "")}) for entry in entries)


def _name(name: Name) -> dict[str, Any]:
    return {"text": name.text, "also": name.also, "seen": name.seen, "contradicted": name.contradicted}


def _value(value: KnownValue) -> dict[str, Any]:
    return {"text": value.text, "measure": value.measure, "unit": value.unit, "seen": value.seen}


def _limit(limit: Limit) -> dict[str, Any]:
    return {
        "text": limit.text,
        "value": limit.value,
        "measure": limit.measure,
        "size": limit.size,
        "side": limit.side,
        "inclusive": limit.inclusive,
        "about": limit.about,
        "seen": limit.seen,
        "contradicted": limit.contradicted,
    }


def _direction(direction: Direction) -> dict[str, Any]:
    return {
        "text": direction.text,
        "measure": direction.measure,
        "goes": direction.goes,
        "about": direction.about,
        "seen": direction.seen,
        "contradicted": direction.contradicted,
    }


def read_dictionary(path: Path) -> DictionaryRecord:
    """Read a dictionary file. Raise a UsageError that describes the fault if it is invalid."""
    data = read_json_file(path, EXPECTED)
    if not isinstance(data, dict) or data.get("format", FORMAT) != FORMAT:
        raise UsageError(f"{path} is not a dictionary; expected {EXPECTED}")
    try:
        return DictionaryRecord.model_validate(data)
    except pydantic.ValidationError as error:
        raise UsageError(f"{path}: {first_error(error)}; expected entries such as {FORM}") from None


def seen_in(entry: EntryRecord) -> tuple[str, ...]:
    """Return the evidence recorded for an entry, or a mark that the user wrote it."""
    return tuple(entry.seen) or (USER,)


def entries_of(record: EntriesRecord) -> Dictionary:
    """Return the entries that are complete as written, without those marked as wrong."""
    kinds = [
        NameKind(
            kind=kind.kind,
            names=tuple(
                Name(text=name.text, also=tuple(name.also), seen=seen_in(name), contradicted=name.contradicted)
                for name in kind.names
                if not name.wrong
            ),
        )
        for kind in record.names
    ]
    values = [
        KnownValue(text=value.text, measure=value.measure, unit=value.unit, seen=seen_in(value))
        for value in record.values
        if not value.wrong
    ]
    limits = [
        Limit(
            text=limit.text, value=limit.value, measure=limit.measure, size=limit.size, side=limit.side,
            inclusive=limit.inclusive, about=tuple(limit.about), seen=seen_in(limit), contradicted=limit.contradicted,
        )
        for limit in record.limits
        if not limit.wrong
    ]  # fmt: skip
    directions = [
        Direction(
            text=way.text, measure=way.measure, goes=way.goes, about=tuple(way.about), seen=seen_in(way),
            contradicted=way.contradicted,
        )
        for way in record.directions
        if not way.wrong
    ]  # fmt: skip
    return Dictionary(names=tuple(kinds), values=tuple(values), limits=tuple(limits), directions=tuple(directions))
