"""Merges command-line options or Python arguments into a configuration. They take precedence over the file.

It also reads the `settings` argument of the Python functions: a table, or the path of a TOML file. Its `data` table may
describe a program's own cases, as in `{"data": {"names": [...], "language": "de"}}`. If the table names a file instead,
it is ignored, because the program's own cases replace those in the file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any, TypeAlias

import pydantic

from mutatis import config as configuration
from mutatis.config import Config
from mutatis.core.calls import Tool
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError, refuse_class
from mutatis.core.languages import language_code
from mutatis.core.measure import Judge
from mutatis.core.parsing import NotReadable, toml_of
from mutatis.core.relation import MetamorphicRelation
from mutatis.core.search import Search, Source
from mutatis.core.system import Helper
from mutatis.options import Options, check_options
from mutatis.search import SearchOptions
from mutatis.secrets.masking import scrubbed
from mutatis.toml_file import read_toml, shown_line

Searching: TypeAlias = Search | SearchOptions | Callable[[Sequence[Source]], Search]
"""A search that a program may pass in: a search object, its options, or a function that creates it.

The function is called with the sources.
"""

_WHERE = "[data] beside cases that are handed over"


class Description(Options):
    """The description of a program's own cases, with keys as in a `[data]` table.

    Attributes:
        names: product names and other names that word edits should leave alone.
        labels: the classes to choose from, if they differ from those in the data.
        language: the language of cases that do not state their own, as a code or a name ("de" or "German").
    """

    names: list[str] = pydantic.Field(default_factory=list)
    labels: list[str] | None = pydantic.Field(default=None, min_length=1)
    language: str | None = None

    def spoken(self, case: Case) -> Case:
        """Return the case with the language from the description, unless the case states its own."""
        if self.language is None or case.language:
            return case
        return replace(case, language=language_code(self.language, _WHERE))


NOTHING_SAID = Description()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver:
    """The objects that a program passes in, in addition to the tables of a configuration or in their place.

    Attributes:
        systems: systems under test, or plain functions.
        cases: source cases. `task` applies to cases without a task, `description` to all cases.
        relations: names, ids, tags or relation objects.
        helper, judge, search: replace `[helper]`, `[judge]` and `[search]`.
        tools: replace the tools that the server in `[tools] mcp` offers. If None, that server is asked for its tools.

    Raises:
        UsageError: the helper or the judge lacks a required method.
    """

    systems: Sequence[Any] = ()
    cases: Sequence[Case] = ()
    task: str | None = None
    description: Description = NOTHING_SAID
    relations: Sequence[str | MetamorphicRelation] = ()
    helper: Helper | None = None
    judge: Judge | None = None
    search: Searching | None = None
    tools: Sequence[Tool] | None = None

    def __post_init__(self) -> None:
        for what, value in (("helper", self.helper), ("judge", self.judge), ("search", self.search)):
            refuse_class(what, value)
        if self.helper is not None and not hasattr(self.helper, "complete"):
            raise UsageError(
                f"helper is {self.helper!r}; expected an object with `complete(prompt, ...)`; to use an endpoint, set "
                "type, model and base_url in [helper] of a configuration"
            )
        if self.helper is not None:
            _check_complete(self.helper)
        if self.judge is not None and not isinstance(self.judge, Judge):
            raise UsageError(
                f"judge is {self.judge!r}; expected a Judge or the name of a measure (mutatis list measures)"
            )

    def has_helper(self, config: Config) -> bool:
        """Return True if the program or the configuration provides a helper."""
        return self.helper is not None or config.helper is not None


NO_OBJECTS = HandedOver()


def _check_complete(helper: Helper) -> None:
    """Raise UsageError if the helper's `complete` cannot be called with our arguments, as every call would fail."""
    with suppress(ValueError):  # callables not written in Python may have no signature
        try:
            inspect.signature(helper.complete).bind("", None, draw=0, attempt=0, temperature=0.0)
        except TypeError as error:
            raise UsageError(
                f"helper {type(helper).__name__}: complete() cannot be called: {error}; expected: "
                "async def complete(self, prompt, schema=None, **marks)"
            ) from None


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


_EXAMPLE = '{"concurrency": 4}, or the path of a TOML file'


def read_settings(settings: object) -> tuple[dict[str, Any], Path]:
    """Return the tables of the settings, and the base folder of their relative paths.

    This is the folder of the file, or the current folder if the settings are a table.

    Raises:
        UsageError: the settings are neither a table nor a TOML file, or a value has no equivalent in TOML.
    """
    if settings is None:
        return {}, Path()
    if isinstance(settings, str | Path):
        path = Path(settings).expanduser()
        return read_toml(path), path.parent
    if not isinstance(settings, Mapping):
        raise UsageError(f"settings is {settings!r}; expected a table such as {_EXAMPLE}")
    tables: dict[str, Any] = _as_toml(settings, ())
    return tables, Path()


def _as_toml(value: Any, path: tuple[str, ...]) -> Any:
    """Convert a value to the types of a TOML file. Raise UsageError if this is impossible."""
    if isinstance(value, Mapping):
        return {str(key): _as_toml(inner, (*path, str(key))) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_toml(inner, (*path, str(number))) for number, inner in enumerate(value)]
    if isinstance(value, PurePath):
        return str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    raise UsageError(
        f"settings: {'.'.join(path)} is {value!r:.80}; expected a value that TOML can hold (text, numbers, true or "
        "false, lists, tables); pass objects as arguments of mutatis.run"
    )


def configured(settings: object, said: Mapping[str, Any], objects: Mapping[str, object]) -> tuple[Config, Description]:
    """Return the configuration described by settings, with the given keys overriding it.

    The second value returned is the description of the program's own cases, taken from the `data` table of the
    settings.

    Args:
        settings: a table, or the path of a TOML file.
        said: the keys to override, with their values; None values are ignored.
        objects: objects that replace the tables of these names; None values are ignored.

    Raises:
        UsageError: a key is unknown, a value has the wrong type, or there is no system to test or nothing to ask.
    """
    tables, folder = read_settings(settings)
    handed_over = {name for name, value in objects.items() if value is not None}
    description = description_of(tables.get("data")) if "data" in handed_over else NOTHING_SAID
    for name in handed_over:
        tables.pop(name, None)
        tables.pop(name.removesuffix("s"), None)  # [system] is one of [[systems]]
    put(tables, said)
    for name, argument in (("systems", "system"), ("data", "cases")):
        if name not in handed_over and name not in tables and name.removesuffix("s") not in tables:
            raise UsageError(
                f"{argument} is None, and settings have no [{name.removesuffix('s')}]; one of them must name "
                f"{'the system' if name == 'systems' else 'the data'}"
            )
    return configuration.check(tables, folder, objects=handed_over), description


def put(tables: dict[str, Any], said: Mapping[str, Any]) -> None:
    """Write the given values into the tables of a configuration, replacing old ones. None values are skipped.

    A dotted key is written into the table that it names. A recipe brings its own relations, unless relations are given
    as well. If a search is given, old search options that do not belong to it are dropped.

    Raises:
        UsageError: the configuration has a different value in place of a table.
    """
    values = {key: value for key, value in said.items() if value is not None}
    if "oracle" in values:
        tables.pop("search", None)  # it found the regions; an oracle judges inputs without a search
    if "recipe" in values and "relations" not in values:
        tables.pop("relations", None)
    for key, value in values.items():
        table, dot, name = key.partition(".")
        if dot:
            table_of(tables.setdefault(table, {}), table)[name] = value
        elif key == "search" and isinstance(value, str):
            options = tables.get("search")
            is_same_search = isinstance(options, dict) and options.get("type") == value
            tables["search"] = options if is_same_search else {"type": value}
        else:
            tables[key] = value


def table_of(value: Any, name: str) -> dict[str, Any]:
    """Return the value if it is a table of the configuration; raise UsageError otherwise."""
    if not isinstance(value, dict):
        shown = scrubbed(repr(value), guess=True)
        raise UsageError(f"the configuration has {name} = {shown}; expected a table [{name}]")
    return value


def set_key(tables: dict[str, Any], assignment: str) -> None:
    """Set one dotted key, as `--set KEY=VALUE` does. VALUE is parsed as TOML or, if that fails, taken as plain text.

    >>> tables = {}
    >>> set_key(tables, "judge.measure=mss"); set_key(tables, "seed=7"); tables
    {'judge': {'measure': 'mss'}, 'seed': 7}
    >>> tables = {"data": [{"path": "a.csv"}], "system": [{"label": "old"}, {"label": "new"}]}
    >>> set_key(tables, "data.path=b.csv"); set_key(tables, "system.1.label=newer"); tables
    {'data': [{'path': 'b.csv'}], 'system': [{'label': 'old'}, {'label': 'newer'}]}
    """
    key, equals, text = assignment.partition("=")
    assignment = shown_line(assignment)  # without secrets, as it only serves messages from here on
    if not equals or not key.strip():
        raise UsageError(f"--set {assignment!r}; expected KEY=VALUE, for example --set judge.measure=mss")
    try:
        value = toml_of(f"value = {text}")["value"]
    except NotReadable:
        value = text
    *path, last = key.strip().split(".")
    table: Any = tables
    for number, (part, following) in enumerate(pairwise([*path, last])):
        if not isinstance(table, list):
            table = table.setdefault(part, {})
        elif part.isdigit() and int(part) < len(table):
            table = table[int(part)]
        else:
            raise UsageError(
                f"--set {assignment!r}: the entries of {path[number - 1]} are numbered 0 to {len(table) - 1}"
            )
        if isinstance(table, list) and len(table) == 1 and not following.isdigit():
            table = table[0]  # the number of a single entry may be left out
        if not isinstance(table, dict | list):
            written = ".".join(path[: number + 1])
            raise UsageError(f"--set {assignment!r}: {written!r} is not a table of the configuration")
    if isinstance(table, list):
        raise UsageError(
            f"--set {assignment!r}: the configuration has {len(table)} {path[-1]}; choose one of them, for example: "
            f"{path[-1]}.0.{last}"
        )
    table[last] = value
