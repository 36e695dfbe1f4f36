"""Turns `[system]` tables, or systems passed in, into query layers with their limits and prompts."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mutatis.assembly.making import ELSEWHERE, Making, making
from mutatis.assembly.mcp_server import tool_result
from mutatis.assembly.replicas import Cluster, Replicated
from mutatis.assembly.settings import HandedOver
from mutatis.assembly.sources import Tested
from mutatis.campaign.observe import Target
from mutatis.campaign.trajectory import ToolAnswers
from mutatis.config import PROMPT_FILES, Config, SystemSection, ToolsSection
from mutatis.core.errors import UsageError, check_known, refuse_class
from mutatis.core.search import Source, kinds
from mutatis.core.system import Helper, System, as_system, is_constrained, is_system
from mutatis.core.task import TASKS, Task
from mutatis.guarding import Guarded
from mutatis.prompting import Replacements, prompt_text, reject, replacements
from mutatis.query import Limits, QueryLayer, Spending, Store
from mutatis.query.helper import SystemHelper
from mutatis.secrets.environment import text_from_environment
from mutatis.systems import SYSTEMS
from mutatis.systems.function import FunctionSystem
from mutatis.systems.pipelines import is_pipeline
from mutatis.tasks import Verbatim, with_prompt
from mutatis.text.normalisation import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSystems:
    """The systems that a run queries: the systems under test with their tasks, and the helper with its query layer.

    `lent` holds the systems passed in by a program, which opens and closes their connections itself.
    """

    targets: list[Target]
    lent: list[System]
    helper: Helper | None = None
    helper_layer: QueryLayer | None = None

    @property
    def labels(self) -> list[str]:
        """Labels of the systems under test."""
        return [target.label for target in self.targets]


def build_systems(config: Config, objects: HandedOver, tested: Tested, mode: Mode) -> AskedSystems:
    """Build the systems that the run queries.

    Args:
        config: the configuration. The systems of its `[system]` tables come first.
        objects: the program's own systems, which come after them, and its helper, which replaces `[helper]`.
        tested: the sources, which determine the tasks that the systems need.
        mode: the settings for the query layers of the run.

    Raises:
        UsageError: an option is impossible, two systems have the same label, or the data name a label that no system
            has.
    """
    handed_over = [(_as_system(value), value) for value in objects.systems]
    pairs: list[tuple[System, SystemSection | None]] = [
        *((mode.system(config, section), section) for section in config.systems),
        *((mode.replicated(system, value), None) for system, value in handed_over),
    ]
    check_distinct([system.label for system, _ in pairs])
    tools = _tool_answers(config, mode)
    targets = [
        Target(
            layer=_layer(config, mode, system, section),
            tasks=_tasks(config, mode, tested, system, section),
            tools=tools,
        )
        for system, section in pairs
    ]
    _check_labels(targets, tested.sources)
    _check_askable(targets, tested.sources)
    helper = helper_of(config, mode) if objects.helper is None else _guarded(config, objects.helper)
    if helper is None and config.prompts:
        raise UsageError("[prompts] only applies if a language model is used; add [helper]")
    helper_layer = helper.layer if isinstance(helper, SystemHelper) else None
    if config.max_money is not None:
        _check_prices([*(target.layer for target in targets), *([] if helper_layer is None else [helper_layer])])
    return AskedSystems(
        targets=targets,
        lent=[system for system, value in handed_over if is_system(value)],
        helper=helper,
        helper_layer=helper_layer,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedHelper:
    """A helper passed in by a program. Any exception that it raises counts as a single failed question.

    `replaced` has the user's own prompts.
    """

    helper: Helper
    replaced: Replacements = field(default_factory=dict)

    @property
    def constrained(self) -> bool:
        """True if the output of the helper can be constrained to a JSON schema."""
        return is_constrained(self.helper)

    async def complete(self, prompt: str, schema: Mapping[str, Any] | None = None, **marks: Any) -> Any:
        """Pass the prompt on to the helper and return its answer."""
        with Guarded("helper", type(self.helper).__name__, awaited=True):
            answer = self.helper.complete(prompt, schema, **marks)
            return await answer if inspect.isawaitable(answer) else answer

    def reject(self, prompt: str, reason: str, **marks: Any) -> None:
        """Report to the helper that its answer is unusable."""
        reject(self.helper, prompt, reason, **marks)


def _guarded(config: Config, helper: Helper) -> GuardedHelper:
    return GuardedHelper(helper=helper, replaced=replacements(config.prompts, config.path))


def in_actors(config: Config, objects: HandedOver) -> int:
    """Return how many systems run in the cluster, so that each can get a share of the processors."""
    sections = [*config.systems, *([config.helper] if config.helper else [])]
    return sum(not _stays(section.type, section) for section in sections) + len(objects.systems)


def _stays(kind: str, section: SystemSection) -> bool:
    return kind in ELSEWHERE and section.replicas is None


def helper_of(config: Config, mode: Mode) -> SystemHelper | None:
    """Return the language model of `[helper]`, or None without one. Its answers are stored like all others.

    Raises:
        UsageError: the model is a small one that comes with a package, and the user did not name its file explicitly.
    """
    if config.helper is None:
        return None
    if config.helper.type == "local" and "path" not in config.helper.options:
        # Only 3 of 31 follow-ups that it made were sound (studies/local_model).
        raise UsageError(
            "[helper] type = 'local' is SmolLM2-135M, which is too small to make follow-ups or to judge; set path = "
            "'model.gguf' to use a larger model, or name the file of SmolLM2-135M to use it anyway"
        )
    layer = _layer(config, mode, mode.system(config, config.helper), config.helper)
    return SystemHelper(layer, replacements(config.prompts, config.path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """Settings that apply to every system of a run: the store, the budget, and whether the run is offline or fresh.

    If `verbatim` is true, the judge reads replies as they are, so a reply without an extractable answer is not an
    error. `sharing` is the number of systems that share the cluster.
    """

    store: Store
    spending: Spending = field(default_factory=Spending)
    offline: bool = False
    fresh: bool = False
    cluster: Cluster | None = None
    sharing: int = 1
    verbatim: bool = False

    def system(self, config: Config, section: SystemSection) -> System:
        """Create the system that a table describes, in actors if the run uses them and this system would benefit.

        Otherwise it is created in this process.
        """
        made = making(config, section)
        if self.cluster is None or _stays(made.type, section):
            return made.build()
        replicas, cpus = self.cluster.part(self.sharing)
        return Replicated(
            self.cluster,
            made,
            replicas=replicas if section.replicas is None else section.replicas,
            num_cpus=cpus if section.num_cpus is None else section.num_cpus,
            num_gpus=section.num_gpus or 0.0,
        )

    def replicated(self, system: System, value: Any) -> System:
        """Return a program's own system, run in actors if the run uses them and the system would benefit."""
        if self.cluster is None or system.endpoint is not None or system.free:
            return system
        made = Making(options={}, system=system)
        if callable(value) and not is_system(value):
            made = Making(type="function", options={"target": value})  # its threads cannot be sent
        replicas, cpus = self.cluster.part(self.sharing)
        return Replicated(self.cluster, made, replicas=replicas, num_cpus=cpus, num_gpus=0.0)

    def layer(self, system: System, limits: Limits, *, once: str = "") -> QueryLayer:
        """Return the query layer of a system. All layers of a run share one budget.

        `once`, if given, is the error message for a question that was sent before but never answered. No question is
        then sent twice, even if the run is fresh.
        """
        fresh = self.fresh and not once
        return QueryLayer(
            system, self.store, limits, spending=self.spending, offline=self.offline, fresh=fresh, once=once
        )


def _layer(config: Config, mode: Mode, system: System, section: SystemSection | None) -> QueryLayer:
    """Return the query layer of a system, with the limits and the prices of its table."""
    layer = mode.layer(system, _limits(section, config))
    layer.prices = None if section is None else section.prices
    return layer


def _check_prices(layers: Sequence[QueryLayer]) -> None:
    """Raise UsageError if a price is missing or currencies differ, because the cost could then not be added up."""
    unknown = [layer.system.label for layer in layers if layer.is_endpoint and layer.prices is None]
    if unknown:
        raise UsageError(
            f"max_money needs the prices of {', '.join(unknown)}; add prices = {{prompt = ..., completion = ...}}, "
            "each the cost of a million tokens"
        )
    currencies = sorted({layer.prices.currency for layer in layers if layer.prices is not None})
    if len(currencies) != 1:
        stated = f"these are in {' and '.join(currencies)}" if currencies else "no system has any"
        raise UsageError(f"max_money needs prices in a single currency; {stated}")


def _as_system(value: Any) -> System:
    """Return a program's object as a system: a system, a pipeline, an estimator of scikit-learn or a function."""
    if is_system(value) or is_pipeline(value) or hasattr(value, "predict"):
        refuse_class("system", value)
    if is_system(value):
        return as_system(value)
    if is_pipeline(value):
        return SYSTEMS["transformers"](model=value)
    if hasattr(value, "predict"):
        return SYSTEMS["sklearn"](model=value)
    if not callable(value):
        raise UsageError(
            f"{value!r} is not a system; expected a function, a fitted scikit-learn estimator, a "
            "transformers pipeline, or an object with `ask` or `session`; create a system, for "
            'example: mutatis.system("openai", model=..., base_url=...)'
        )
    return SYSTEMS["function"](target=value)


def _fields(sources: Sequence[Source]) -> dict[str, tuple[str, ...] | None]:
    """Return the data-specific fields of each task, such as title and body.

    The value is None for a task whose predefined fields suffice.
    """
    fields: dict[str, tuple[str, ...] | None] = {}
    for source in (kind.example for kind in kinds(sources)):
        names = tuple(source.case.turns[0].fields)
        if fields.setdefault(source.task, None) is None and not set(TASKS[source.task].fields) <= set(names):
            fields[source.task] = names
    return fields


def _labels(system: System, task: str, tested: Tested) -> tuple[str, ...] | None:
    """Return the labels used to read the answers of a system, or None for the labels of the task itself.

    `labels` in `[data]` take precedence. Otherwise the classes of a fitted classifier are used, because a few rows of
    data seldom contain every class. If none of the classes occurs in the data (for example, the classes 0 and 1), the
    labels of the data are returned, so that the error message can show both.
    """
    in_data = tested.labels.get(task)
    if in_data is None or task in tested.tasks_with_labels:
        return in_data
    spelt = {fold(label): label for label in in_data}
    classes = tuple(spelt.get(fold(name), name) for name in system.classes)
    return classes if not in_data or set(classes) & set(in_data) else in_data


def _check_labels(targets: Sequence[Target], sources: Sequence[Source]) -> None:
    """Raise UsageError if the data name a system that is not in the run."""
    labels = (label for kind in kinds(sources) for label in kind.example.systems)
    check_known("system label in [data] systems:", labels, [target.label for target in targets])


def _check_askable(targets: Sequence[Target], sources: Sequence[Source]) -> None:
    """Raise UsageError if a prompt or request names a field that is missing from the first case of a task.

    The first question would fail, so the error is raised before the plan is shown and before anything starts.
    """
    for target in targets:
        for name, task in target.tasks.items():
            of_target = (source for source in sources if source.task == name and source.concerns(target.label))
            source = next(of_target, None)
            if source is not None and source.case.asked:
                turn = source.case.asked[0]
                conversation = task.converse(source.case, turn, [""] * turn)
                target.layer.system.check(conversation)


def check_distinct(labels: Sequence[str]) -> None:
    """Raise UsageError if two labels are the same, because their results would be merged."""
    for number, label in enumerate(labels):
        if label in labels[:number]:
            raise UsageError(f'two systems have the label {label!r}; give each its own label = "..."')


def _limits(section: SystemSection | None, config: Config) -> Limits:
    named = {"concurrency", "rate", "retries", "timeout"}
    stated = {} if section is None else section.model_dump(include=named, exclude_none=True)
    return Limits(**{"concurrency": config.concurrency, "max_wait": config.max_wait, **stated})


def _tasks(
    config: Config, mode: Mode, tested: Tested, system: System, section: SystemSection | None
) -> dict[str, Task]:
    """Return the tasks of the run, adapted to how a system is asked and its answers are read."""
    tasks = {}
    for name, fields in _fields(tested.sources).items():
        task = _task(config, section, TASKS[name], _labels(system, name, tested), fields)
        # A judge that reads replies verbatim gets their full text.
        tasks[name] = replace(task, parse=Verbatim(parse=task.parse)) if mode.verbatim else task
    return tasks


def _task(
    config: Config,
    section: SystemSection | None,
    task: Task,
    labels: tuple[str, ...] | None,
    fields: tuple[str, ...] | None,
) -> Task:
    """Return a task with the prompt, system message, labels and fields of a system and its data."""
    prompt = None if section is None else section.prompt
    message = None if section is None else section.system_message
    if prompt is not None and prompt.endswith(PROMPT_FILES):
        path = config.path(prompt)
        if not path.is_file():
            raise UsageError(f"prompt = {prompt!r}: no such file {path}; expected a text with {{field}} placeholders")
        prompt = prompt_text(path)
    if prompt is None and message is None and labels is None and fields is None:
        return task
    return with_prompt(task, message, prompt, labels if task.kind == "label" else None, fields)


CALLED_BEFORE = (
    "this call may change something and was made before, but no result came back; check what it did; to repeat it, "
    "set [tools] writes_again = true or another revision"
)
"""Error message for a tool call that was made before without its result ever being received."""


def _tool_answers(config: Config, mode: Mode) -> ToolAnswers:
    """Return the object that provides tool results: those recorded in cases or, if set, the function of `[tools]`."""
    section = config.tools
    if section is None:
        return ToolAnswers()
    live = writing = stored = None
    system = _answering(config, section)
    if system is not None:
        limits = Limits(concurrency=config.concurrency)
        live = mode.layer(system, limits)
        # A call that changes something is not retried, and refused if it may have been sent before.
        once = "" if section.writes_again else CALLED_BEFORE
        writing = mode.layer(system, replace(limits, retries=0), once=once)
        stored = QueryLayer(system, mode.store, limits, offline=True)
    return ToolAnswers(
        live=live,
        writing=writing,
        stored=stored,
        reads=frozenset(section.reads),
        writes=frozenset(section.writes),
        consent=section.writes_again,
    )


def _answering(config: Config, section: ToolsSection) -> System | None:
    """Return the function or server that executes tool calls, wrapped as a system, or None if there is neither."""
    if section.answer is None:
        return None
    revision = section.revision and text_from_environment(section.revision, "[tools] revision")
    if section.answer == "mcp":
        return _of_server(section.mcp, revision, config.folder.absolute())
    place, colon, name = section.answer.rpartition(":")
    target = f"{config.path(place).absolute()}:{name}" if place.endswith(".py") and colon else section.answer
    return _of_function(target, revision)


def _of_server(server: str | Sequence[str] | None, revision: str | None, folder: Path) -> System:
    """Wrap the MCP server as a system. Without a revision, its results are stored under its address or command."""
    if server is None:
        raise UsageError('[tools] answer = "mcp" needs a server: mcp = "http://..." or mcp = ["COMMAND", "ARGUMENT"]')

    async def run(fields: Mapping[str, str]) -> str:
        return await tool_result(server, fields["name"], json.loads(fields["arguments"]), folder)

    version = revision or hashlib.sha256(json.dumps(server).encode()).hexdigest()[:16]
    return SYSTEMS["function"](target=run, input="fields", label="tools", revision=version)


def _of_function(answer: str, revision: str | None) -> System:
    """Wrap the user's function as a system, so that its results are stored. Its input is {"name", "arguments"}."""
    system = SYSTEMS["function"](target=answer, input="fields", label="tools", revision=revision)
    assert isinstance(system, FunctionSystem)
    called = system.function

    async def run(fields: Mapping[str, str]) -> str:
        call = {"name": fields["name"], "arguments": json.loads(fields["arguments"])}
        answer = called(call) if inspect.iscoroutinefunction(called) else asyncio.to_thread(called, call)
        result = await answer
        return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)

    system.function = run
    return system
