"""Shows what replaying a report would do on this machine, because a report may come from an untrusted source.

The module lists the effects of each built-in type of system. An unknown type is treated as code.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic
import typer

from mutatis.config import Config, SystemSection
from mutatis.core.errors import UsageError
from mutatis.core.removed import OPTIONS
from mutatis.datasets import DATASETS
from mutatis.opening import opened
from mutatis.options import values_with_paths
from mutatis.search import SEARCHES
from mutatis.secrets import ENVIRONMENT, HIDDEN, without_secrets
from mutatis.systems import SYSTEMS
from mutatis.systems.openai import KEY_VARIABLE
from mutatis.text.visible import on_one_line

WITHOUT_CODE = {"builtin", "openai", "http", "local", "transformers", "trade", "simpletod", "sheet", "recorded"}
"""System types that never run the user's code, whatever their options."""

PACKAGE = Path(__file__).parents[1].resolve()
"""The folder of this package. Files that ship with it may be read without permission."""

LEARNT = ("resume", "save", "log", "evaluate")
"""Search options for learnt results and their storage. Replaying one finding does not need them."""

ELSEWHERE = ("folder", "engine", "workers", "ray_address", "gate")
"""Keys of a recorded configuration that a replay ignores.

Questions are asked from this machine, not from a cluster. The gate is skipped because it would read a baseline.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """The actions that replaying a configuration would perform.

    Attributes:
        code: the user's code that would be run, including pickles.
        variables: environment variables whose values would be sent.
        systems: the tables of the systems that are not among the built-in ones, as JSON.
        opened: each action on a file, folder or model, with the name of the file, folder or model.
    """

    code: tuple[str, ...]
    variables: tuple[str, ...]
    systems: tuple[str, ...]
    opened: tuple[tuple[str, str], ...]

    @property
    def harmless(self) -> bool:
        """True if a replay would only run built-in parts, and neither access files nor send anything."""
        return not (self.code or self.variables or self.systems or self.opened)

    def lines(self) -> list[str]:
        """Return the actions in readable form, one per line."""
        actions = [("runs code", name) for name in self.code]
        actions += [("reads the environment variable", name) for name in self.variables]
        actions += [("asks the system", table) for table in self.systems]
        # A name with a line break must not look like another line of this list.
        return [f"  {action} {on_one_line(name)}" for action, name in (*actions, *self.opened)]


def followed(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a recorded configuration that a replay needs."""
    tables = {name: value for name, value in config.items() if name not in ELSEWHERE}
    if isinstance(search := tables.get("search"), Mapping):
        removed = OPTIONS.get(f"search {search.get('type')!r}", {})  # reports from earlier versions may contain them
        tables["search"] = {name: value for name, value in search.items() if name not in {*LEARNT, *removed}}
    if isinstance(tools := tables.get("tools"), Mapping) and tools.get("answer") != "mcp":
        tables["tools"] = {name: value for name, value in tools.items() if name != "mcp"}  # it would only list tools
    return tables


def masked(tables: Mapping[str, Any]) -> str:
    """Return the configuration key whose secret value was removed from the record, or "" if none was removed."""
    asked = {name: tables[name] for name in ("systems", "helper", "tools") if name in tables}
    hidden = (path for path, value in values_with_paths(asked) if isinstance(value, str) and HIDDEN in value)
    return next((".".join(path) for path in hidden if path[-1] != "label"), "")


def effects_of(config: Config) -> Effects:
    """Return the actions that replaying this configuration would perform."""
    sections = [*config.systems, *([config.helper] if config.helper else [])]
    code = [str(config.path(path)) for path in config.load]
    variables: list[str] = []
    systems: list[str] = []
    for section in sections:
        variables += _variables(section)
        if section.type not in WITHOUT_CODE:
            code.append(f"{_target(section)} (system type {section.type!r})")
        if section.type != "builtin":
            table = without_secrets(section.model_dump(exclude_defaults=True), sent=False)
            systems.append(json.dumps(table, ensure_ascii=False, default=str))
    if (tools := config.tools) is not None:
        variables += _references(tools.mcp)
        code += [] if tools.answer is None else [f"{tools.answer} ([tools] answer)"]
        if tools.mcp is not None:
            code.append(f"{tools.mcp if isinstance(tools.mcp, str) else shlex.join(tools.mcp)} ([tools] mcp)")
    return Effects(
        code=tuple(code),
        variables=tuple(dict.fromkeys(variables)),
        systems=tuple(systems),
        opened=tuple(dict.fromkeys(_opened(config, sections))),
    )


def _opened(config: Config, asked: Sequence[SystemSection]) -> Iterator[tuple[str, str]]:
    """Yield an action and a name for each file or model, except code, that would be read or loaded.

    A local file is given by its full path.
    """
    built_in = [section for section in asked if section.type in WITHOUT_CODE]
    tables: list[pydantic.BaseModel] = [config]
    tables += [SYSTEMS[system.type].model.model_construct(**system.options) for system in built_in]
    # A format that is not registered comes from the user's code, which needs permission in any case.
    formats = [block for block in config.data if block.format in DATASETS]
    tables += [DATASETS[block.format].model.model_construct(**block.options) for block in formats]
    if config.search.type in SEARCHES:
        tables.append(SEARCHES[config.search.type].model.model_construct(**config.search.options))
    for table in tables:
        for option, name in opened(table):
            place = option.place(name, lambda written: config.path(written).absolute())
            if name not in option.shipped and not Path(place).resolve().is_relative_to(PACKAGE):
                yield option.what, place


def allow(effects: Effects, *, trusted: bool) -> None:
    """Show what the configuration of a report would do, ask for permission, and return if it is given.

    Raises:
        UsageError: the configuration runs code or reads variables and is not `trusted`, there is no terminal for the
            question, or the answer was no.
    """
    if effects.harmless:
        return
    typer.echo("\n".join(["this report's configuration", *effects.lines()]), err=True)
    if trusted:
        return
    remedy = "give your own configuration (--config FILE), or say that you trust the report (--trust)"
    if effects.code:
        raise UsageError(f"replaying this report runs code that it names: {on_one_line(effects.code[0])}; {remedy}")
    if effects.variables:
        variable = on_one_line(effects.variables[0])
        raise UsageError(f"replaying this report sends the environment variable {variable}; {remedy}")
    if not sys.stdin.isatty():
        if effects.systems:
            action = "sends questions to the system that it names"
        else:
            action = " ".join(map(on_one_line, effects.opened[0]))
        raise UsageError(f"replaying this report {action}, which cannot be confirmed without a terminal; {remedy}")
    if not typer.confirm("go on?", err=True):
        raise UsageError(f"not replayed; {remedy}")


def _target(section: SystemSection) -> str:
    """Return the code or model that a system runs, or else the type of the system."""
    options = section.options
    return str(next((options[name] for name in ("target", "model") if name in options), section.type))


def _variables(section: SystemSection) -> Iterator[str]:
    """Yield the environment variables that a system reads."""
    options = section.options
    yield from _references(options)
    if section.type == "openai" and not options.get("api_key_env") and KEY_VARIABLE in os.environ:  # its default
        yield KEY_VARIABLE


def _references(options: Any) -> Iterator[str]:
    """Yield the environment variables that options refer to, as `env:NAME` in any text or in an option `..._env`."""
    for path, value in values_with_paths(options):
        if isinstance(value, str):
            if path and path[-1].endswith("_env"):
                yield value
            yield from re.findall(ENVIRONMENT, value)
