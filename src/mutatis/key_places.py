"""Finds a key of the configuration that stands in the wrong table, and names its own.

The name that is spelt most like it would mislead: `max_rate` outside of `[gate]` is not meant as `max_wait`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from mutatis.core.errors import UsageError
from mutatis.datasets import DATASETS, DataOptions
from mutatis.options import Options
from mutatis.systems import SYSTEMS


def of_a_table(key: str, tables: Mapping[str, type[Options]]) -> UsageError | None:
    """Return the error for an unknown key of the whole file that belongs in a table, or None for any other."""
    at_home = [name for name, model in tables.items() if key in model.model_fields or key in _of_any_kind(name)]
    if not at_home:
        return None
    places = " or ".join(f"[{name}]" for name in at_home)
    return UsageError(f"{key!r} is a key of {places}, not of the whole file; write it there")


def check_places(settings: Mapping[str, Any], tables: Mapping[str, type[Options]], whole: Collection[str]) -> None:
    """Refuse a key of the whole file, named in `whole`, that stands in a table: after `[table]`, all keys are its own.

    Raises:
        UsageError: such a key is found; the message names the place to write it.
    """
    for name, table in _written(settings, tables):
        chosen = _of_chosen_kind(name, table)
        if chosen is None:
            continue
        for key in table:
            if key in whole and key not in tables[name].model_fields and key not in chosen:
                raise UsageError(
                    f"{key!r} is a key of the whole file, not of [{name}]; write it above the first [table]"
                )


def _written(settings: Mapping[str, Any], tables: Collection[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in tables:
        for written in (name, f"{name}s"):
            value = settings.get(written)
            for table in value if isinstance(value, list) else [value]:
                if isinstance(table, Mapping):
                    yield name, table


def _of_any_kind(table: str) -> Collection[str]:
    """Return the options that some kind of system has, or every data format."""
    if table == "system":
        return {option for kind in SYSTEMS for option in SYSTEMS[kind].options}
    return DataOptions.model_fields if table == "data" else ()


def _of_chosen_kind(name: str, table: Mapping[str, Any]) -> Collection[str] | None:
    """Return the options of the system type or data format that a table names, or None if it is not known yet."""
    if name == "system":
        kind = table.get("type")
        return SYSTEMS[kind].options if isinstance(kind, str) and kind in SYSTEMS else None
    if name == "data":
        written = table.get("format")
        return DATASETS[written].model.model_fields if isinstance(written, str) and written in DATASETS else None
    return ()
