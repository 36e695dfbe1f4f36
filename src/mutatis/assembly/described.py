"""Reads the description of a program's own cases from `settings`: `{"data": {"names": [...], "language": "de"}}`.

A table that names a file is ignored, because it describes the cases in that file, and the program's own cases replace
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pydantic

from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.core.languages import language_code
from mutatis.options import Options, check_options

_WHERE = "[data] beside cases that are handed over"


class Description(Options):
    """The description of a program's own cases, with keys as in a `[data]` table.

    Attributes:
        names: names of products and the like, to be left alone by edits of words.
        labels: the classes to choose from, if they differ from those in the data.
        language: the language of cases that do not state their own, as a code or a name ("de" or "German").
    """

    names: list[str] = pydantic.Field(default_factory=list)
    labels: list[str] | None = pydantic.Field(default=None, min_length=1)
    language: str | None = None

    def spoken(self, case: Case) -> Case:
        """Return the case with the described language, if it does not state its own."""
        if self.language is None or case.language:
            return case
        return replace(case, language=language_code(self.language, _WHERE))


NOTHING_SAID = Description()


def description_of(data: object) -> Description:
    """Return the description in the `data` table of the settings. It is empty if the table names files.

    Raises:
        UsageError: a key does not describe cases, a value has the wrong type, or the language is unknown.
    """
    tables: list[Any] = data if isinstance(data, list) else [] if data is None else [data]
    if any(isinstance(table, Mapping) and ("format" in table or "path" in table) for table in tables):
        return NOTHING_SAID
    if len(tables) > 1:
        raise UsageError(f"{_WHERE}: got {len(tables)} tables; expected a single table")
    if tables and not isinstance(tables[0], Mapping):
        raise UsageError(f"{_WHERE}: got {tables[0]!r:.80}; expected a table such as {{'names': ['freedom card']}}")
    description = check_options(Description, tables[0] if tables else {}, _WHERE, word="key")
    if description.language is not None:
        language_code(description.language, _WHERE)
    return description
