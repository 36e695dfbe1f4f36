"""What a report would do on this machine when it is replayed, told before it is done: a report is data.

Knows configurations and what the built-in system types do with them; a type it does not know counts as code.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import typer

from mutatis.config import Config, SystemSection
from mutatis.core.errors import UsageError
from mutatis.systems.secrets import ENVIRONMENT
from mutatis.text.visible import visible

WITHOUT_CODE = {"builtin", "openai", "http", "transformers", "trade", "simpletod", "sheet"}
"""System types that run no code of the user's, whatever their options."""

KEY_VARIABLE = "OPENAI_API_KEY"
"""Read for every `openai` system that names no other variable, where it is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deeds:
    """What a configuration makes the program do.

    Attributes:
        code: the user's code that it runs, pickles included.
        variables: environment variables that it reads, to send them.
        systems: the tables of systems that are more than built in, as JSON.
        files: the files that it reads, beside models.
    """

    code: tuple[str, ...]
    variables: tuple[str, ...]
    systems: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def harmless(self) -> bool:
        """Whether nothing happens but computing with what is built in."""
        return not (self.code or self.variables or self.systems)

    def lines(self) -> list[str]:
        """Return them for people, one per line."""
        told = {
            "runs code": self.code,
            "reads the environment variable": self.variables,
            "asks the system": self.systems,
            "reads the file": self.files,
        }
        return [f"  {what} {visible(one)}" for what, those in told.items() for one in those]


def deeds(config: Config) -> Deeds:
    """Return what a replay by this configuration does."""
    asked = [*config.systems, *([config.helper] if config.helper else [])]
    code = [str(config.path(path)) for path in config.load]
    code += [
        f"{_named(section)} (system type {section.type!r})" for section in asked if section.type not in WITHOUT_CODE
    ]
    variables = [variable for section in asked for variable in _variables(section)]
    tables = [section.model_dump(exclude_defaults=True) for section in asked if section.type != "builtin"]
    files = [block.path for block in config.data] + [one for one in (config.oracle, config.judge.criteria) if one]
    files += [str(section.options.get("path")) for section in asked if section.type == "sheet"]
    files += config.prompts.values()
    files += [section.prompt for section in asked if section.prompt and section.prompt.endswith((".txt", ".md"))]
    return Deeds(
        code=tuple(code),
        variables=tuple(dict.fromkeys(variables)),
        systems=tuple(json.dumps(table, ensure_ascii=False, default=str) for table in tables),
        files=tuple(str(config.path(path)) for path in files),
    )


def allow(found: Deeds, *, trusted: bool) -> None:
    """Show what a report's configuration does and ask; return where it may be done.

    Raises:
        UsageError: it runs code or reads variables and is not `trusted`, or nobody can be asked, or the answer was no.
    """
    if found.harmless:
        return
    typer.echo("\n".join(["this report's configuration", *found.lines()]), err=True)
    if trusted:
        return
    mend = "give your own configuration (--config FILE), or say that you trust the report (--trust)"
    if found.code:
        raise UsageError(f"replaying this report runs code that it names: {visible(found.code[0])}; {mend}")
    if found.variables:
        raise UsageError(f"replaying this report sends the environment variable {visible(found.variables[0])}; {mend}")
    if not sys.stdin.isatty():
        raise UsageError(f"replaying this report asks the system that it names, and nobody is here to agree; {mend}")
    if not typer.confirm("go on?", err=True):
        raise UsageError(f"not replayed; {mend}")


def _named(section: SystemSection) -> str:
    options = section.options
    return str(next((options[name] for name in ("target", "model") if name in options), section.type))


def _variables(section: SystemSection) -> Iterator[str]:
    options = section.options
    yield from _references(options)
    if section.type == "openai" and not options.get("api_key_env") and KEY_VARIABLE in os.environ:
        yield KEY_VARIABLE


def _references(value: Any, name: str = "") -> Iterator[str]:
    """Give the variables that options name: `env:NAME` in any text, and the value of every option `..._env`."""
    if isinstance(value, dict):
        for key, own in value.items():
            yield from _references(own, str(key))
    elif isinstance(value, list | tuple):
        for own in value:
            yield from _references(own, name)
    elif isinstance(value, str):
        if name.endswith("_env"):
            yield value
        yield from re.findall(ENVIRONMENT, value)
