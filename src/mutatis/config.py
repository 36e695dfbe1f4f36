"""The configuration of a run: one flat TOML file, or options of the same names on the command line.

A configuration is data, without code or class paths. Unknown names are rejected with the nearest valid name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic

from mutatis.campaign.allowance import Reserve
from mutatis.campaign.health import Check
from mutatis.core.errors import UsageError, nearest, unknown_name
from mutatis.datasets import DATASETS, DataOptions
from mutatis.opening import FileName, Opens
from mutatis.options import Options, values_with_paths
from mutatis.options import check_options as check_options
from mutatis.plugins import load_plugins
from mutatis.query import Prices
from mutatis.recipes import RECIPES
from mutatis.reports.gate import Gate
from mutatis.secrets.masking import public_command, without_secrets
from mutatis.systems import SYSTEMS
from mutatis.toml_file import read_toml as read_toml

PROMPT_FILES = (".txt", ".md")
"""Suffixes that mark a `prompt` as a file name."""


class OpenTable(Options):
    """A table whose other keys depend on the chosen type or format and are checked there."""

    model_config = pydantic.ConfigDict(extra="allow", frozen=True, strict=True, hide_input_in_errors=True)

    @property
    def options(self) -> dict[str, Any]:
        """The keys that this table does not define itself."""
        return dict(self.model_extra or {})

    def options_for(self, model: type[pydantic.BaseModel]) -> dict[str, Any]:
        """Return the keys for the chosen type or format.

        Raises:
            UsageError: the type has no such key, and the key resembles one of this table.
        """
        ours, theirs = type(self).model_fields, model.model_fields
        for key in self.options:
            near = nearest(key, ours)
            if key not in theirs and near and nearest(key, [*ours, *theirs]) == near:
                raise unknown_name("option", key, ours)
        return self.options


class SystemSection(OpenTable):
    """`[system]`, `[[systems]]` or `[helper]`: a system to query, with its prompt and its limits.

    Attributes:
        type: the type of system, which determines the further keys (`mutatis list systems`).
        label: its name in reports; by default its type with its first option.
        prompt: a template with `{field}` placeholders that replaces the task's own, or the path of one.
        system_message: a system message that replaces the task's own.
        concurrency: maximum number of questions in progress at a time; by default the run's.
        rate: maximum number of questions per second; by default unlimited.
        retries: maximum number of retries after a temporary failure; by default 4.
        timeout: maximum number of seconds per attempt; by default 120.
        prices: the price of a million tokens, `{prompt = 0.15, completion = 0.60, currency = "USD"}`.
        replicas: number of worker processes with Ray; by default the value of `workers`.
        num_cpus: number of processors per worker with Ray; by default 1.
        num_gpus: number of graphics cards per worker with Ray; may be a fraction.
    """

    type: str
    label: str | None = None
    prompt: Annotated[str, Opens("reads the file", endings=PROMPT_FILES)] | None = None
    system_message: str | None = None
    concurrency: int | None = pydantic.Field(default=None, ge=1)
    rate: float | None = pydantic.Field(default=None, gt=0)
    retries: int | None = pydantic.Field(default=None, ge=0)
    timeout: float | None = pydantic.Field(default=None, gt=0)
    prices: Prices | None = None
    replicas: int | None = pydantic.Field(default=None, ge=1)
    num_cpus: float | None = pydantic.Field(default=None, ge=0)
    num_gpus: float | None = pydantic.Field(default=None, ge=0)


class DataSection(OpenTable):
    """`[data]` or `[[data]]`: cases in a public format, with a task and, if given, their own relations and systems.

    Attributes:
        format: the format of the file, which determines the further keys (`mutatis list datasets`).
        path: the file or folder, relative to the folder of the configuration.
        task: the task of the cases; by default guessed from the columns, or the format's own.
        relations: names, ids or tags of the relations to check on these cases, instead of the run's.
        labels: the classes to choose from, if they differ from those in the data.
        systems: labels of the systems that these cases are for; by default all.
        names: product names and other names that word edits should leave alone.
        dictionary: a `dictionary.json`, written by a run or by you: names of one category, values, limits.
    """

    format: str
    path: FileName
    task: str | None = None
    relations: list[str] | None = None
    labels: list[str] | None = pydantic.Field(default=None, min_length=1)
    systems: list[str] = pydantic.Field(default_factory=list)
    names: list[str] = pydantic.Field(default_factory=list)
    dictionary: FileName | None = None


class TaskSection(Options):
    """`[task]`: the user's own task, described by a prompt file. It applies to data that do not name a task.

    Attributes:
        file: the prompt file that describes the task.
    """

    file: FileName


class JudgeSection(Options):
    """`[judge]`: how free-text answers are compared.

    Attributes:
        measure: the measure that compares two answers (`mutatis list measures`); by default the task's own.
        equal: answers are the same at this score or above; by default the measure's own.
        different: answers are different below this score; by default the measure's own.
        undecided: `[low, high]`: scores in between are marked for people to review; the outcome stays the same.
        ask: `[low, high]`: pairs with a score in between are sent to `[helper]`.
        most: maximum number of questions to the helper, per measure.
        repertoire: maximum number of times that a source is sent again if it has too few replies; 0 means never.
        criteria: your file that tells the helper when two answers are the same.
        draws: number of times that every input is sent to show the distribution of its answers; verdicts do not depend
            on it.
        embeddings: the folder of a different embedding model, for `minilm-cosine` and `mss`.
    """

    measure: str | None = None
    equal: float | None = None
    different: float | None = None
    undecided: tuple[float, float] | None = pydantic.Field(default=None, strict=False)
    ask: tuple[float, float] | None = pydantic.Field(default=None, strict=False)
    most: int | None = pydantic.Field(default=None, ge=0)
    repertoire: int = pydantic.Field(default=5, ge=0, le=1000)
    criteria: FileName | None = None
    draws: int | None = pydantic.Field(default=None, ge=2, le=1000)
    embeddings: Annotated[str, Opens("loads the model")] | None = None


class ToolsSection(Options):
    """`[tools]`: answers the tool calls of systems if a case has no recorded result.

    Attributes:
        answer: your function, "my_tools.py:answer", which receives {"name", "arguments"} and returns text or data. Its
            results are stored, so that follow-ups get the same results as the source. With "mcp", the server of `mcp`
            answers.
        mcp: an MCP server, given by its address or as a list with the command that starts it; cases without tools of
            their own get its tools.
        reads: tools that change nothing; for all others only MCP's hint `readOnlyHint` counts.
        writes: tools that change something, whatever their hint is.
        writes_again: follow-ups may call tools that change something; by default only sources do, each call once.
        revision: a text that you change when the results of the function change; by default the hash of its file.
    """

    answer: str | None = None
    mcp: str | list[str] | None = pydantic.Field(default=None, min_length=1)
    reads: list[str] = pydantic.Field(default_factory=list)
    writes: list[str] = pydantic.Field(default_factory=list)
    writes_again: bool = False
    revision: str | None = None


class SearchSection(OpenTable):
    """`[search]`: the follow-ups to try (`mutatis list searches`).

    Attributes:
        type: the search, which determines the further keys.
    """

    type: str = "once"


class ContextSection(Options):
    """`[context]`: the check in dialogue relations that the context of a turn is still equivalent.

    Attributes:
        extractor: the reader of the needs and facts in turns: rules without a language model ("offline"), the
            `[helper]` ("language-model"), or rewrites in the data ("gold").
        dataset_check: whether the story may resolve a question: by its salient parts, as in the papers, or not at all.
        undecided: how to treat turns whose context cannot be judged: leave them out, or count them as equivalent.
        adjacency_veto: whether a very short question that no longer follows its previous turn counts as altered.
        needed: "papers" also requires facts that no context ever offered.
        semantic_check: "papers" calls a question clear if it has no unresolved pronoun, even if it leaves out other
            words.
    """

    extractor: Literal["offline", "language-model", "gold"] = "offline"
    dataset_check: Literal["papers", "salient", "off"] | None = None
    undecided: Literal["leave-out", "equivalent"] = "leave-out"
    adjacency_veto: bool = True
    needed: Literal["ours", "papers"] = "ours"
    semantic_check: Literal["ours", "papers"] = "ours"


class Config(Options):
    """A complete configuration. The names are the same as in the TOML file.

    Attributes:
        seed: seed of every random choice.
        repeats: number of times that every input is sent.
        relations: names, published ids ("llmorph/mr-5"), tags ("tag:robustness") or "default", the default sets.
        without: kinds of change ("limit", "conversation") and relations to leave out.
        recipe: a published method, or several, instead of `relations` (`mutatis list recipes`).
        reference: the answers that dialogue answers are compared with; by default the relation's own choice.
        turns: "each": every text perturbation of a dialogue changes one turn at a time.
        protect: marked texts that edits leave alone.
        task: a task of your own.
        load: your Python files that register relations; they are run as code.
        plugins: whether installed packages may add relations, systems and so on (`mutatis list plugins`).
        systems: the systems under test.
        helper: the language model that makes follow-ups or judges.
        data: the cases.
        prompts: your files that replace prompts of the helper, by name (`mutatis list prompts`).
        judge: how free-text answers are compared.
        tools: how tool calls are answered.
        search: the follow-ups to try.
        context: the check in dialogue relations that contexts are equivalent.
        gate: the conditions that make a run fail.
        reserve: shares of `max_queries` for the phases after the search.
        max_queries: maximum number of questions, including the helper's and the steps of agents with tools; by default
            unlimited.
        max_money: maximum amount of money, in the currency of the prices and including the helper's; by default
            unlimited.
        concurrency: maximum number of questions in progress at a time.
        max_wait: seconds to wait, in total, for a system that does not answer.
        noise_floor: number of sources per task that are sent again unchanged; 0 turns it off.
        confirm: number of findings per relation that are asked again.
        shrink: number of smaller follow-ups tried per confirmed finding; 0 turns it off.
        engine: "ray" runs systems in processes of their own.
        workers: number of processes of each system with Ray; by default one per processor.
        ray_address: a running Ray cluster to use; by default one is started here.
        silence: names of health checks to hide.
        oracle: a file with regions of an earlier sweep, to judge new inputs.
        readings: a file with people's reviews of follow-ups (`mutatis agreement ... -o FILE`).
    """

    seed: int = 0
    repeats: int = pydantic.Field(default=1, ge=1, le=10_000)
    relations: list[str] = pydantic.Field(default_factory=list)
    without: list[str] = pydantic.Field(default_factory=list)
    recipe: list[str] = pydantic.Field(default_factory=list)
    reference: Literal["annotated", "source"] | None = None
    turns: Literal["all", "each"] = "all"
    protect: Literal["nothing", "entities", "values"] = "nothing"
    task: TaskSection | None = None
    load: list[str] = pydantic.Field(default_factory=list)
    plugins: bool = True
    systems: list[SystemSection] = pydantic.Field(default_factory=list)
    helper: SystemSection | None = None
    prompts: dict[str, FileName] = pydantic.Field(default_factory=dict)
    data: list[DataSection] = pydantic.Field(default_factory=list)
    judge: JudgeSection = JudgeSection()
    tools: ToolsSection | None = None
    search: SearchSection = SearchSection()
    context: ContextSection = ContextSection()
    gate: Gate = Gate()
    reserve: Reserve = Reserve()
    max_queries: int | None = pydantic.Field(default=None, ge=1, le=10**15)
    max_money: float | None = pydantic.Field(default=None, gt=0)
    concurrency: int = pydantic.Field(default=16, ge=1)
    max_wait: float = pydantic.Field(default=300.0, ge=0)
    noise_floor: int = pydantic.Field(default=100, ge=0)
    confirm: int = pydantic.Field(default=20, ge=0)
    shrink: int = pydantic.Field(default=16, ge=0)
    engine: Literal["local", "ray"] = "local"
    workers: int | None = pydantic.Field(default=None, ge=1)
    ray_address: str | None = None
    silence: list[Check] = pydantic.Field(default_factory=list)
    oracle: FileName | None = None
    readings: FileName | None = None
    folder: Path = pydantic.Field(default=Path(), exclude=True, strict=False)

    def path(self, written: str) -> Path:
        """Return a path written in the file, resolved against the folder of the file."""
        return self.folder / Path(written).expanduser()


TABLES: Mapping[str, type[Options]] = {
    "system": SystemSection,
    "data": DataSection,
    "judge": JudgeSection,
    "tools": ToolsSection,
    "context": ContextSection,
    "gate": Gate,
    "reserve": Reserve,
}
"""The models of the tables that may be in the file. Further keys of `[search]` belong to the chosen search."""

RENAMED = {"budget": "max_queries"}
"""Key names used by earlier versions, with their current names."""

_SAID_TO_THE_RUN = {"out": "--out", "offline": "--offline", "fresh": "--fresh", "store": "", "on_event": ""}
"""Arguments that differ from call to call, so they are not configuration keys, with their options."""


_NEEDED = (
    ("systems", "[system]", 'type = "http", url = "http://127.0.0.1:8000/chat"', "--system http://127.0.0.1:8000/chat"),
    ("data", "[data]", 'format = "lines", path = "questions.txt"', "--data questions.txt"),
)
"""The keys that every configuration needs, each with its table, an example and an option of the command line."""


def check(tables: Mapping[str, Any], folder: Path = Path(), *, objects: Collection[str] = ()) -> Config:
    """Return the configuration described by these tables. `[system]` and `[data]` may be single tables.

    `objects` names the tables ("systems", "data") that a program passes in as objects instead.

    Raises:
        UsageError: a key is unknown (the nearest valid one is named) or missing, or a value has the wrong type.
    """
    load_plugins(installed=False)  # a configuration may name their parts
    settings = _with_recipes(dict(tables))
    _check_text(settings)
    for key in settings:
        if key == "folder" or (key not in Config.model_fields and key != "system"):
            raise _unknown_key(key)
    _check_places(settings)
    _put_systems(settings)
    if isinstance(settings.get("data"), dict):
        settings["data"] = [settings["data"]]
    if isinstance(name := settings.get("task"), str):
        raise UsageError(
            f'task = {name!r} is not in [data]; expected task = "{name}" in [data], or --task {name}, or the argument '
            f'task="{name}" in Python ([task] file = ... is a task of your own)'
        )
    for needed, table, example, option in _NEEDED:
        if not settings.get(needed) and needed not in objects:
            raise UsageError(f"the configuration has no {table}; add, for example, {table} {example}, or {option}")
    try:
        return check_options(Config, {**settings, "folder": folder}, "the configuration", word="key")
    except UsageError as error:
        message = str(error)
        for table, place in (("system", "systems.0."), ("data", "data.0.")):
            if isinstance(tables.get(table), Mapping):  # the user wrote a single table, not the first of a list
                message = message.replace(place, f"{table}.")
        raise UsageError(message) from None


def _put_systems(settings: dict[str, Any]) -> None:
    """Replace a single `[system]` table with a list that contains it."""
    if "system" in settings:
        if "systems" in settings:
            raise UsageError("the configuration has both [system] and [[systems]]; use only one of them")
        if isinstance(settings["system"], list):
            raise UsageError("the configuration has several [[system]] tables; write [[systems]]")
        settings["systems"] = [settings.pop("system")]
    if isinstance(settings.get("systems"), Mapping):
        raise UsageError("the configuration has a table [systems]; write [system], or [[systems]] for several systems")


def _unknown_key(key: str) -> UsageError:
    if (option := _SAID_TO_THE_RUN.get(key)) is not None:
        instead = " or ".join(filter(None, (option, f"mutatis.run({key}=...)")))
        return UsageError(f"{key} is not a configuration key; it is given to the run: {instead}")
    if key in RENAMED:
        return UsageError(f"unknown key of the configuration: {key!r}; did you mean {RENAMED[key]!r}?")
    if (misplaced := _of_a_table(key)) is not None:
        return misplaced
    return unknown_name("key of the configuration:", key, {*Config.model_fields, "system"} - {"folder"})


def _check_text(settings: Mapping[str, Any]) -> None:
    """Reject text that UTF-8 cannot encode, such as lone surrogates from undecodable bytes on the command line."""
    for path, value in values_with_paths(settings):
        if isinstance(value, str) and (half := re.search("[\ud800-\udfff]", value)):
            raise UsageError(
                f"{'.'.join(path)} contains a lone surrogate (U+{ord(half[0]):04X}); expected text in UTF-8: change "
                "the value, or rename the file that it names"
            )


def _with_recipes(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the user's settings merged with the settings of the recipes. The user's settings take precedence."""
    names = settings.get("recipe", [])
    if isinstance(names, str):
        settings["recipe"] = names = [names]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return settings  # the check below reports the error
    if any(name not in RECIPES for name in names):
        load_plugins(installed=settings.get("plugins") is not False)
    for name in names:
        for key, value in RECIPES[name].settings.items():
            setting = settings.get(key)
            if setting is None:
                settings[key] = value
            elif isinstance(value, Mapping) and isinstance(setting, Mapping) and _same_type(value, setting):
                settings[key] = {**value, **setting}
    return settings


def _same_type(value: Mapping[str, Any], setting: Mapping[str, Any]) -> bool:
    """Return True if a recipe's table and the user's table are of one type, as options of another would not fit."""
    return bool(setting.get("type", value.get("type")) == value.get("type"))


def public(config: Config) -> dict[str, Any]:
    """Return the configuration as JSON data for the report, with the names of secrets but not their values."""
    record: dict[str, Any] = without_secrets(json.loads(config.model_dump_json(exclude_defaults=True)), sent=False)
    if config.tools is not None and isinstance(config.tools.mcp, list):
        record["tools"]["mcp"] = public_command(record["tools"]["mcp"])
    return {**record, "folder": str(config.folder.absolute())}


def _of_a_table(key: str) -> UsageError | None:
    """Return an error if an unknown top-level key belongs in one of the tables, else None.

    Suggesting the most similar name would mislead here: `max_rate` outside of `[gate]` is not a misspelt `max_wait`.
    """
    at_home = [name for name, model in TABLES.items() if key in model.model_fields or key in _of_any_kind(name)]
    if not at_home:
        return None
    places = " or ".join(f"[{name}]" for name in at_home)
    return UsageError(f"{key!r} is a key of {places}, not of the whole file; write it there")


def _check_places(settings: Mapping[str, Any]) -> None:
    """Reject a top-level key that is written inside a table. In TOML, all keys after `[table]` belong to that table.

    Raises:
        UsageError: there is such a key. The message explains where to write it.
    """
    for name, table in _written(settings):
        chosen = _of_chosen_kind(name, table)
        if chosen is None:
            continue
        for key in table:
            if key in Config.model_fields and key not in TABLES[name].model_fields and key not in chosen:
                raise UsageError(
                    f"{key!r} is a key at the top level of the file, not in [{name}]; write it above the first [table]"
                )


def _written(settings: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name in TABLES:
        for written in (name, f"{name}s"):
            value = settings.get(written)
            for table in value if isinstance(value, list) else [value]:
                if isinstance(table, Mapping):
                    yield name, table


def _of_any_kind(table: str) -> Collection[str]:
    """Return the options of all system types (for `system`), or those common to all data formats (for `data`)."""
    if table == "system":
        return {option for kind in SYSTEMS for option in SYSTEMS[kind].options}
    return DataOptions.model_fields if table == "data" else ()


def _of_chosen_kind(name: str, table: Mapping[str, Any]) -> Collection[str] | None:
    """Return the options of the system type or data format that a table names, or None if it is not registered."""
    if name == "system":
        kind = table.get("type")
        return SYSTEMS[kind].options if isinstance(kind, str) and kind in SYSTEMS else None
    if name == "data":
        written = table.get("format")
        return DATASETS[written].model.model_fields if isinstance(written, str) and written in DATASETS else None
    return ()
