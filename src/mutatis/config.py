"""The configuration of a run: one flat TOML file, or the same names from the command line.

Configuration is data: no code, no class paths. Unknown names are refused with the nearest valid one.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Literal

import pydantic

from mutatis.campaign.allowance import Reserve
from mutatis.core.errors import UsageError, unknown_name
from mutatis.options import Options
from mutatis.options import check as check_options
from mutatis.recipes import RECIPES
from mutatis.reports.gate import Gate
from mutatis.systems.secrets import without_secrets


class Open(Options):
    """A table whose further keys belong to the chosen type or format, which checks them itself."""

    model_config = pydantic.ConfigDict(extra="allow", frozen=True, strict=True)

    @property
    def options(self) -> dict[str, Any]:
        """The keys that this table does not know itself."""
        return dict(self.model_extra or {})


class PricesSection(Options):
    """`prices = {prompt = 0.15, completion = 0.60}`: what a million tokens cost, for the summary of a run."""

    prompt: float = pydantic.Field(ge=0)
    completion: float = pydantic.Field(ge=0)
    currency: str = "USD"


class SystemSection(Open):
    """`[system]`, `[[systems]]` or `[helper]`: who is asked, with what prompt, and how fast."""

    type: str
    label: str | None = None
    prompt: str | None = None
    system_message: str | None = None
    concurrency: int | None = pydantic.Field(default=None, ge=1)
    rate: float | None = pydantic.Field(default=None, gt=0)
    retries: int | None = pydantic.Field(default=None, ge=0)
    timeout: float | None = pydantic.Field(default=None, gt=0)
    prices: PricesSection | None = None
    replicas: int | None = pydantic.Field(default=None, ge=1)
    num_cpus: float | None = pydantic.Field(default=None, ge=0)
    num_gpus: float | None = pydantic.Field(default=None, ge=0)


class DataSection(Open):
    """`[data]` or `[[data]]`: cases in a public format, their task; relations and systems (labels) of their own."""

    format: str
    path: str
    task: str | None = None
    relations: list[str] | None = None
    labels: list[str] | None = None
    systems: list[str] = pydantic.Field(default_factory=list)


class TaskSection(Options):
    """`[task]`: a task of the user's own, from a prompt file; data without a task of their own have this one."""

    file: str


class JudgeSection(Options):
    """`[judge]`: how free-text answers are compared."""

    measure: str | None = None
    equal: float | None = None
    different: float | None = None
    undecided: tuple[float, float] | None = pydantic.Field(default=None, strict=False)
    ask: tuple[float, float] | None = pydantic.Field(default=None, strict=False)
    most: int | None = pydantic.Field(default=None, ge=0)
    criteria: str | None = None
    embeddings: str | None = None


class SearchSection(Open):
    """`[search]`: what is tried; see `mutatis list searches`."""

    type: str = "once"


class ContextSection(Options):
    """`[context]`: the equivalent-context check of dialogue relations."""

    extractor: Literal["offline", "language-model", "gold"] = "offline"
    dataset_check: Literal["papers", "salient", "off"] | None = None
    undecided: Literal["leave-out", "equivalent"] = "leave-out"
    adjacency_veto: bool = True
    needed: Literal["ours", "papers"] = "ours"


class Config(Options):
    """A whole configuration; names are those of the TOML file."""

    seed: int = 0
    repeats: int = pydantic.Field(default=1, ge=1)
    relations: list[str] = pydantic.Field(default_factory=list)
    recipe: list[str] = pydantic.Field(default_factory=list)
    reference: Literal["annotated", "source"] | None = None
    turns: Literal["all", "each"] = "all"
    protect: Literal["nothing", "entities", "values"] = "nothing"
    task: TaskSection | None = None
    load: list[str] = pydantic.Field(default_factory=list)
    systems: list[SystemSection] = pydantic.Field(default_factory=list)
    helper: SystemSection | None = None
    prompts: dict[str, str] = pydantic.Field(default_factory=dict)
    data: list[DataSection] = pydantic.Field(default_factory=list)
    judge: JudgeSection = JudgeSection()
    search: SearchSection = SearchSection()
    context: ContextSection = ContextSection()
    gate: Gate = Gate()
    reserve: Reserve = Reserve()
    max_queries: int | None = pydantic.Field(default=None, ge=0)
    concurrency: int = pydantic.Field(default=16, ge=1)
    max_wait: float = pydantic.Field(default=300.0, ge=0)
    noise_floor: int = pydantic.Field(default=100, ge=0)
    confirm: int = pydantic.Field(default=20, ge=0)
    shrink: int = pydantic.Field(default=16, ge=0)
    engine: Literal["local", "ray"] = "local"
    workers: int | None = pydantic.Field(default=None, ge=1)
    ray_address: str | None = None
    silence: list[str] = pydantic.Field(default_factory=list)
    oracle: str | None = None
    folder: Path = pydantic.Field(default=Path(), exclude=True, strict=False)

    def path(self, written: str) -> Path:
        """Return a path of the file, read from the folder that the file lies in."""
        return self.folder / Path(written).expanduser()


def read(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        UsageError: no such file, or not TOML.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"no configuration {str(path)!r}; 'mutatis init' writes a first one") from None
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise UsageError(f"{path} is no text (byte {byte:#04x} at {error.start}); expected a TOML file") from None
    except OSError as error:
        raise UsageError(f"cannot read configuration {path}: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not TOML: {error}") from None
    if not found:
        raise UsageError(f"{path} says nothing; 'mutatis init my.toml' writes a first configuration")
    return found


def check(tables: Mapping[str, Any], folder: Path = Path(), *, objects: Collection[str] = ()) -> Config:
    """Return the configuration that these tables describe; `[system]` and `[data]` may be single tables.

    `objects` names the tables ("systems", "data") that a program hands over as objects instead.

    Raises:
        UsageError: an unknown key (with the nearest valid one), a missing one, or a value of another kind.
    """
    given = _with_recipes(dict(tables))
    _check_text(given, ())
    for key in given:
        if key not in Config.model_fields and key != "system":
            raise unknown_name("key of the configuration:", key, [*Config.model_fields, "system"])
    if "system" in given:
        if "systems" in given:
            raise UsageError("the configuration has [system] and [[systems]]; use one of them")
        given["systems"] = [given.pop("system")]
    if isinstance(given.get("data"), dict):
        given["data"] = [given["data"]]
    for needed, example, option in (
        ("systems", 'type = "http", url = "http://127.0.0.1:8000/chat"', "--system http://127.0.0.1:8000/chat"),
        ("data", 'format = "lines", path = "questions.txt"', "--data questions.txt"),
    ):
        if not given.get(needed) and needed not in objects:
            table = f"[{needed.rstrip('s')}]"
            raise UsageError(f"the configuration has no {table}; for example: {table} {example}, or {option}")
    return check_options(Config, {**given, "folder": folder}, "the configuration", word="key")


def _check_text(value: Any, path: tuple[str, ...]) -> None:
    """Refuse text that no file can hold: half a character, as undecodable bytes on the command line become."""
    if isinstance(value, str) and not value.isascii():
        half = next((letter for letter in value if "\ud800" <= letter <= "\udfff"), None)
        if half is not None:
            raise UsageError(
                f"{'.'.join(path)} holds half a character (U+{ord(half):04X}); expected text in UTF-8: "
                "write it anew, or rename the file that it names"
            )
    for key, inner in value.items() if isinstance(value, Mapping) else ():
        _check_text(inner, (*path, str(key)))
    for number, inner in enumerate(value) if isinstance(value, list | tuple) else ():
        _check_text(inner, (*path, str(number)))


def _with_recipes(given: dict[str, Any]) -> dict[str, Any]:
    """Put the settings of recipes (one name, or several) under the user's own."""
    names = given.get("recipe", [])
    if isinstance(names, str):
        given["recipe"] = names = [names]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return given  # the check says what is wrong
    for name in names:
        for key, value in RECIPES[name].settings.items():
            own = given.get(key)
            if isinstance(own, Mapping) and own.get("type", value.get("type")) != value.get("type"):
                continue  # options of another type would not fit
            given[key] = {**value, **(own or {})} if isinstance(value, Mapping) else (value if own is None else own)
    return given


def set_key(tables: dict[str, Any], assignment: str) -> None:
    """Set one dotted key, as `--set KEY=VALUE` gives it; VALUE is TOML, or plain text.

    >>> tables = {}
    >>> set_key(tables, "judge.measure=mss"); set_key(tables, "seed=7"); tables
    {'judge': {'measure': 'mss'}, 'seed': 7}
    """
    key, equals, text = assignment.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"--set {assignment!r}; expected KEY=VALUE, for example --set judge.measure=mss")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    *path, last = key.strip().split(".")
    table: Any = tables
    for number, part in enumerate(path):
        written = ".".join(path[: number + 1])
        if isinstance(table, list):
            if not part.isdigit() or int(part) >= len(table):
                raise UsageError(f"--set {assignment!r}: {path[number - 1]} has the numbers 0 to {len(table) - 1}")
            table = table[int(part)]
        else:
            table = table.setdefault(part, {})
        following = path[number + 1] if number + 1 < len(path) else last
        if isinstance(table, list) and len(table) == 1 and not following.isdigit():
            table = table[0]
        if not isinstance(table, dict | list):
            raise UsageError(f"--set {assignment!r}: {written!r} is no table of the configuration")
    if isinstance(table, list):
        raise UsageError(f"--set {assignment!r}: there are {len(table)} {path[-1]}; say which: {path[-1]}.0.{last}")
    table[last] = value


def public(config: Config) -> dict[str, Any]:
    """Return the configuration as JSON data for the report; it holds names of secrets, never secrets."""
    record: dict[str, Any] = without_secrets(json.loads(config.model_dump_json(exclude_defaults=True)))
    return {**record, "folder": str(config.folder.absolute())}
