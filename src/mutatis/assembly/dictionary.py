"""Collects the dictionary entries known before a run, from the user's files and from the run used as baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from mutatis.campaign.learning import Entries
from mutatis.config import Config
from mutatis.core.dictionary import Dictionary, Limit
from mutatis.core.errors import UsageError
from mutatis.core.search import Source, kinds
from mutatis.dictionary import directions_of, limits_of
from mutatis.languages import Language
from mutatis.records.dictionary import (
    DICTIONARY_FILE,
    DictionaryRecord,
    DirectionRecord,
    EntriesRecord,
    LimitRecord,
    ValueRecord,
    entries_of,
    read_dictionary,
)
from mutatis.records.runs import find_run
from mutatis.text.values import whole_value

R = TypeVar("R", bound=EntriesRecord)
T = TypeVar("T")


def known_entries(config: Config, labels: Sequence[str], sources: Iterable[Source]) -> dict[str, Entries]:
    """Return the dictionary entries of each system that are known before the run.

    They come from the user's files and from the baseline. Entries written by users are parsed in the languages of the
    sources and in English.

    Raises:
        UsageError: a file cannot be read, or an entry is neither a value nor a limit.
    """
    files = [config.path(section.dictionary) for section in config.data if section.dictionary is not None]
    records = {path: read_dictionary(path) for path in files}
    for path, record in records.items():
        _check_labels(record, path, labels)
    if config.gate.baseline is not None:
        of_baseline = _dictionary_next_to(config.gate.baseline, config.folder)
        if of_baseline is not None:
            # First, so that an entry of the user replaces one of the baseline.
            records = {of_baseline: read_dictionary(of_baseline), **records}
    if not records:
        return {}
    languages = _languages(sources)
    completed = [_completed(record, path, languages) for path, record in records.items()]
    return {label: _of_system(completed, label) for label in labels}


def _languages(sources: Iterable[Source]) -> list[str]:
    """Return the languages of the sources, and English, leaving out those without parsers for values and limits."""
    codes = [*dict.fromkeys([*(kind.example.case.language for kind in kinds(sources)), "en"])]
    return [code for code in codes if Language(code).has("values") and Language(code).has("limits")]


def _check_labels(record: DictionaryRecord, path: Path, labels: Sequence[str]) -> None:
    """Raise UsageError if all entries of a user's file are for systems that are not in the run."""
    for_every_system = record.names or record.values or record.limits or record.directions
    if record.systems and record.systems.keys().isdisjoint(labels) and not for_every_system:
        others, ours = (", ".join(map(repr, sorted(names))) for names in (record.systems, labels))
        raise UsageError(
            f"{path}: all entries are for {others}; expected entries for {ours}, the label of this run's system, or "
            "entries at the top level, which apply to every system"
        )


def _dictionary_next_to(baseline: str, folder: Path) -> Path | None:
    """Return the path of the dictionary next to a baseline, or None if it does not exist."""
    path = folder / Path(baseline).expanduser()
    place = path if path.is_dir() else path.parent if path.exists() else None
    if place is None:
        try:
            place = find_run(baseline)
        except UsageError:
            return None
    file = place / DICTIONARY_FILE
    return file if file.is_file() else None


def _of_system(records: Sequence[DictionaryRecord], label: str) -> Entries:
    """Return the entries for every system and those for one system, from all records."""
    known, wrong = Dictionary(), set[str]()
    for record in records:
        for entries in (record, record.systems.get(label, EntriesRecord())):
            known = known.with_entries(entries_of(entries))
            wrong |= _wrong(entries)
    return Entries(known=known, wrong=frozenset(wrong))


def _wrong(entries: EntriesRecord) -> set[str]:
    """Return the texts of the entries that users marked as wrong."""
    names = [name for kind in entries.names for name in kind.names]
    return {entry.text.casefold() for entry in (*names, *entries.values, *entries.limits) if entry.wrong}


def _completed(record: DictionaryRecord, path: Path, languages: Sequence[str]) -> DictionaryRecord:
    """Return the dictionary record with the text of each entry parsed and missing fields filled in."""

    def complete(entries: R) -> R:
        return entries.model_copy(
            update={
                "values": [_value(value, path, languages) for value in entries.values],
                "limits": [_limit(limit, path, languages) for limit in entries.limits],
                "directions": [each for way in entries.directions for each in _directions(way, path, languages)],
            }
        )

    systems = {label: complete(entries) for label, entries in record.systems.items()}
    return complete(record).model_copy(update={"systems": systems})


def _first_read(
    text: str, path: Path, languages: Sequence[str], read: Callable[[str, str], T | None], kind: str, example: str
) -> T:
    """Return what an entry's text states, read in the first language that gives a result.

    Raises:
        UsageError: it cannot be read in any language.
    """
    stated = next(filter(None, (read(text, code) for code in languages)), None)
    if stated is None:
        raise UsageError(f"{path}: {text!r} is not a recognised {kind}; expected a {kind} such as {example}")
    return stated


def _value(entry: ValueRecord, path: Path, languages: Sequence[str]) -> ValueRecord:
    if entry.measure:
        return entry
    value = _first_read(entry.text, path, languages, whole_value, "value", "3,500 kWh or 5 March")
    return entry.model_copy(update={"measure": value.measure, "unit": value.unit})


def _limit(entry: LimitRecord, path: Path, languages: Sequence[str]) -> LimitRecord:
    """Return a limit with its value parsed from its text. Raise UsageError if the text is not exactly one limit."""
    if entry.value:
        return entry
    example = "'from 65 years' or 'up to 3 people', with its unit"
    limit = _first_read(entry.text, path, languages, _only_limit, "limit", example)
    update = {"value": limit.value, "measure": limit.measure, "size": limit.size, "side": limit.side}
    return entry.model_copy(update={**update, "inclusive": limit.inclusive, "about": entry.about or limit.about})


def _only_limit(text: str, language: str) -> Limit | None:
    """Return the limit that a text states with a unit, or None if it states none or several."""
    limits = limits_of(text, language)
    return limits[0] if len(limits) == 1 and limits[0].measure != "count" else None


def _directions(entry: DirectionRecord, path: Path, languages: Sequence[str]) -> list[DirectionRecord]:
    """Return the directions that the text of a dictionary entry states, one for each measure that it may refer to."""
    if entry.measure:
        return [entry]
    stated = _first_read(entry.text, path, languages, directions_of, "direction", "'the heavier, the dearer'")
    return [entry.model_copy(update={"measure": measure, "goes": goes}) for measure, goes in stated]
