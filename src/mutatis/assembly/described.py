"""Reads the description of a program's cases from `settings`: `{"data": {"names": [...], "language": "de"}}`.

A table that names a file describes that file's cases, not the program's cases, which take its place.
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
    """Description of a program's cases in a `[data]` table.

    Attributes:
        names: names of products and the like, which edits that exchange words leave alone.
        labels: the classes to choose from, if they are not the data's.
        language: the language of the texts, "de" or "German", for cases without one.
    """

    names: list[str] = pydantic.Field(default_factory=list)
    labels: list[str] | None = pydantic.Field(default=None, min_length=1)
    language: str | None = None

    def spoken(self, case: Case) -> Case:
        """Return the case in the described language, unless it has one of its own."""
        if self.language is None or case.language:
            return case
        return replace(case, language=language_code(self.language, _WHERE))


NOTHING_SAID = Description()


def description_of(data: object) -> Description:
    """Return the description of a program's cases in the `data` of settings; empty if it names files.

    Raises:
        UsageError: a key that describes no cases, a value of another kind, or a language that does not exist.
    """
    tables: list[Any] = data if isinstance(data, list) else [] if data is None else [data]
    if any(isinstance(table, Mapping) and ("format" in table or "path" in table) for table in tables):
        return NOTHING_SAID
    if len(tables) > 1:
        raise UsageError(f"{_WHERE}: {len(tables)} tables; expected a single one")
    if tables and not isinstance(tables[0], Mapping):
        raise UsageError(f"{_WHERE}: {tables[0]!r:.80}; expected a table such as {{'names': ['freedom card']}}")
    description = check_options(Description, tables[0] if tables else {}, _WHERE, word="key")
    if description.language is not None:
        language_code(description.language, _WHERE)
    return description
