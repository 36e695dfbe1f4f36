"""From `[system]` tables, or systems handed over, to who is asked: query layers with their limits and prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from mutatis.campaign.observe import Target
from mutatis.config import Config, SystemSection
from mutatis.core.errors import UsageError
from mutatis.core.search import Source
from mutatis.core.system import System
from mutatis.core.task import TASKS, Task
from mutatis.query import Limits, QueryLayer
from mutatis.systems import SYSTEMS
from mutatis.tasks import with_prompt

Layer: TypeAlias = Callable[[System, Limits], QueryLayer]
"""Makes the query layer of a system: store, budget and mode of the run are known to it."""


def configured(config: Config, section: SystemSection, layer: Layer) -> QueryLayer:
    """Return the query layer of the system that a table describes."""
    return layer(_system(config, section), _limits(section, config.concurrency))


def handed_over(given: Any, config: Config, layer: Layer) -> QueryLayer:
    """Return the query layer of a system that a program hands over: a system, or a plain function.

    Raises:
        UsageError: it is neither.
    """
    if not hasattr(given, "ask") and not hasattr(given, "session"):
        if not callable(given):
            raise UsageError(
                f"{given!r} is no system; expected a function, or an object with `ask` or `session`; make one, for "
                'example: mutatis.system("openai", model=..., base_url=...)'
            )
        given = SYSTEMS["function"](target=given)
    return layer(given, Limits(concurrency=config.concurrency))


def targets(
    config: Config, layers: Sequence[QueryLayer], sources: Sequence[Source], labels: Mapping[str, tuple[str, ...]]
) -> list[Target]:
    """Return who is asked, each with the tasks of the run in its own prompt.

    `labels` are the labels of classification tasks as the data give them.

    Raises:
        UsageError: two systems have one label.
    """
    check_distinct("system", [layer.system.label for layer in layers])
    fields: dict[str, tuple[str, ...] | None] = {}
    for source in sources:
        given = tuple(source.case.turns[0].fields)
        if fields.setdefault(source.task, None) is None and not set(TASKS[source.task].fields) <= set(given):
            fields[source.task] = given  # data with fields of their own, such as title and body
    sections: list[SystemSection | None] = [*config.systems, *[None] * (len(layers) - len(config.systems))]
    return [
        Target(
            label=layer.system.label,
            layer=layer,
            tasks={name: _task(config, section, TASKS[name], labels.get(name), own) for name, own in fields.items()},
        )
        for layer, section in zip(layers, sections, strict=True)
    ]


def check_distinct(kind: str, labels: Sequence[str]) -> None:
    """Raise UsageError where two labels are the same: their results would be one."""
    for number, label in enumerate(labels):
        if label in labels[:number]:
            raise UsageError(f'two {kind}s are called {label!r}; give each its own label = "..."')


def _system(config: Config, section: SystemSection) -> System:
    options = dict(section.options)
    if section.timeout is not None and "timeout" in SYSTEMS[section.type].options:
        options["timeout"] = section.timeout
    if isinstance(options.get("revision"), int | float):
        options["revision"] = str(options["revision"])  # revision = 2 is as good a word as any
    target = section.options.get("target")
    if isinstance(target, str) and ".py:" in target:
        options["target"] = str(config.path(target))
    model = section.options.get("model")
    if isinstance(model, str) and (section.type == "sklearn" or config.path(model).is_dir()):
        options["model"] = str(config.path(model))
    system = SYSTEMS[section.type](**options)
    if section.label is not None:
        system.label = section.label
    elif target != options.get("target"):
        system.label = f"{section.type}:{target}"  # as it was written, wherever the run is started or replayed
    return system


def _limits(section: SystemSection, concurrency: int) -> Limits:
    limits = Limits(concurrency=section.concurrency or concurrency, rate=section.rate)
    if section.retries is not None:
        limits = replace(limits, retries=section.retries)
    return limits if section.timeout is None else replace(limits, timeout=section.timeout)


def _task(
    config: Config,
    section: SystemSection | None,
    task: Task,
    labels: tuple[str, ...] | None,
    fields: tuple[str, ...] | None,
) -> Task:
    prompt = None if section is None else section.prompt
    message = None if section is None else section.system_message
    if prompt is not None and prompt.endswith((".txt", ".md")):
        path = config.path(prompt)
        if not path.is_file():
            raise UsageError(f"prompt = {prompt!r}: no such file {path}; expected a text with {{field}} placeholders")
        try:
            prompt = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"prompt = {prompt!r}: cannot be read as UTF-8 text: {error}") from None
    if prompt is None and message is None and labels is None and fields is None:
        return task
    return with_prompt(task, message, prompt, labels if task.kind == "label" else None, fields)
