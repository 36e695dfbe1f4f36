"""`mutatis list`: lists the names that a configuration may use, for people or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import pydantic
import typer

from mutatis.core.errors import UsageError, check_known, unknown_name
from mutatis.core.languages import EVERY, language_code, language_name, languages_text
from mutatis.plugins import load_plugins, registry
from mutatis.reports.numbers import line
from mutatis.reports.terminal import console
from mutatis.reports.widths import columns_of, padded


def _rows(kind: str, **columns: Callable[[Any], Any]) -> list[dict[str, Any]]:
    """Return a row for each registered object of one kind: its name, the given columns, and its summary."""
    registered = registry(kind)
    rows = []
    for name in registered:
        entry = registered[name]
        cells = {column: read(entry) for column, read in columns.items()}
        rows.append({"name": name, **cells, "summary": entry.summary})
    return rows


def _relations(language: str | None = None) -> list[dict[str, Any]]:
    """Return a row for each relation, with the figures from reviews: those in a language if it supports that one."""
    from mutatis.core.relation import RELATIONS
    from mutatis.relations.soundness import by_task

    rows = _rows(
        "relations",
        ids=lambda relation: list(relation.published.ids),
        tasks=lambda relation: list(relation.tasks),
        transformations=lambda relation: [step.transformation for step in relation.transformations],
        output_relation=lambda relation: relation.output_relation.name,
        made_by=lambda relation: relation.made_by,
        tags=lambda relation: sorted(relation.tags),
        preconditions=lambda relation: [f"{p.stage.value}: {p.name}" for p in relation.preconditions],
        source=lambda relation: relation.published.paper,
        languages=lambda relation: list(relation.known_languages),
        soundness=lambda relation: by_task(relation.name, language or "en"),
    )
    if language is None:
        return rows
    return [{**row, "language": language} for row in rows if RELATIONS[row["name"]].is_for(language)]


def _prompts() -> list[dict[str, Any]]:
    import mutatis.relations  # noqa: F401 - they and the context check ask by prompts
    from mutatis.context import language_model  # noqa: F401
    from mutatis.prompting import SHIPPED

    return [
        {
            "name": name,
            "file": str(prompt.path),
            "slots": sorted(prompt.slots),
            "purpose": prompt.purpose,
            "summary": f"{prompt.purpose}{_to_fill(prompt.slots)}: {prompt.path}",
        }
        for name, prompt in sorted(SHIPPED.items())
    ]


def _to_fill(slots: Collection[str]) -> str:
    """Return a note that lists the placeholders of a prompt, or "" if the prompt has none."""
    return f" (holds {', '.join(sorted(slots))})" if slots else ""


def _runs() -> list[dict[str, Any]]:
    from mutatis.records import read_report
    from mutatis.records.runs import known_runs

    rows = []
    for folder in reversed(known_runs()):
        report = read_report(folder)
        violated, judged = sum(row.violated for row in report.summary), sum(row.judged for row in report.summary)
        flaky = sum(row.flaky for row in report.summary)
        findings = len(report.all_findings) - flaky
        systems = list(dict.fromkeys(row.system for row in report.summary))
        summary = (
            f"{line(report.run.started)}  {line(', '.join(systems))}: {violated:,} of {judged:,} verdicts violated"
        )
        summary += f", {findings:,} findings" + (f" and {flaky:,} FLAKY" if flaky else "")
        rows.append(
            {
                "name": str(folder) if folder.is_absolute() else folder.name,
                "started": report.run.started,
                "systems": systems,
                "violated": violated,
                "judged": judged,
                "findings": findings,
                "flaky": flaky,
                "summary": summary,
            }
        )
    return rows


def _plugins() -> list[dict[str, Any]]:
    return [
        {
            "name": plugin.name,
            "package": plugin.package,
            "adds": list(plugin.adds),
            "error": plugin.error,
            "summary": line(f"{plugin.package}: {plugin.error or '; '.join(plugin.adds) or 'adds nothing'}"),
        }
        for plugin in load_plugins()
    ]


KINDS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "relations": _relations,
    "transformations": lambda: _rows(
        "transformations",
        level=lambda edit: edit.level,
        made_by=lambda edit: edit.made_by,
        parameters=lambda edit: {parameter.name: parameter.default for parameter in edit.parameters},
        languages=lambda edit: list(edit.languages),
    ),
    "tasks": lambda: _rows("tasks", fields=lambda task: list(task.fields), answer=lambda task: task.kind),
    "systems": lambda: _rows("systems", options=lambda kind: described(kind.model)),
    "measures": lambda: _rows("measures", judges=lambda measure: sorted(measure.kinds)),
    "datasets": lambda: _rows("datasets", task=lambda data_format: data_format.task),
    "recipes": lambda: _rows(
        "recipes", relations=lambda recipe: list(recipe.relations), source=lambda recipe: recipe.paper
    ),
    "searches": lambda: _rows("searches", options=lambda kind: described(kind.model)),
    "prompts": _prompts,
    "plugins": _plugins,
    "runs": _runs,
}


_WITHOUT_PLUGINS = ("prompts", "runs")
"""Kinds of name that plugins cannot add to."""

FILTERED = {"task": ("relations", "datasets"), "tag": ("relations",), "language": ("relations",)}
"""For each filter option, the kinds of name that it can be used with."""


def list_command(
    kind: str,
    *,
    task: str | None = None,
    tag: str | None = None,
    language: str | None = None,
    as_json: bool,
    plugins: bool = True,
) -> None:
    """Print the names of one kind, such as relations. Relations can be limited to a task, a tag or a language.

    `plugins` includes the additions of installed packages.

    Raises:
        UsageError: the kind, task or tag is unknown, or a filter does not apply to this kind.
    """
    if not kind:
        raise UsageError(f"nothing to list; expected one of: {', '.join(KINDS)}")
    check_known("kind of thing to list:", [kind], KINDS)
    if kind not in _WITHOUT_PLUGINS:
        load_plugins(installed=plugins)
    for option, value in (("task", task), ("tag", tag), ("language", language)):
        if value is not None and kind not in FILTERED[option]:
            raise UsageError(f"--{option} filters {' and '.join(FILTERED[option])}, not {kind}")
    code = None if language is None else language_code(language, "--language")
    rows = _filtered(KINDS[kind]() if code is None else _relations(code), task, tag)
    if as_json:
        typer.echo(json.dumps(rows, indent=1, ensure_ascii=False))
        return
    if not rows:
        filters = " ".join([*([f"of task {task}"] if task else []), *([f"with tag {tag}"] if tag else [])])
        typer.echo(f"no {kind} {filters or 'yet'}")
        return
    _print_rows(rows)
    if kind == "relations" and task is None and tag is None:
        from mutatis.relations.soundness import who_read

        console().print(f"sound: {who_read(code or 'en')}", soft_wrap=True, style="dim")


def _print_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print a line for each row, followed by its options."""
    width = max(columns_of(row["name"]) for row in rows)
    out = console()
    for row in rows:
        ids = f" ({', '.join(row['ids'])})" if row.get("ids") else ""
        out.print(f"{padded(row['name'], width)}  {row['summary']}{ids}{_remarks(row)}", soft_wrap=True)
        for text in option_lines(row.get("options", {})):
            out.print(f"    {text}", soft_wrap=True, style="dim")


def _filtered(rows: list[dict[str, Any]], task: str | None, tag: str | None) -> list[dict[str, Any]]:
    """Return the rows that match a task and a tag.

    A user's task has the relations of the built-in task that it is modelled on.
    """
    if task is not None:
        from mutatis.tasks import TASKS

        matching = {task, TASKS[task].like}
        rows = [row for row in rows if not matching.isdisjoint(row.get("tasks", [row.get("task")]))]
    if tag is not None:
        tags = sorted({name for row in _relations() for name in row["tags"]})
        if tag.removeprefix("tag:") not in tags:
            raise unknown_name("tag", tag, tags)
        rows = [row for row in rows if tag.removeprefix("tag:") in row["tags"]]
    return rows


def _remarks(row: Mapping[str, Any]) -> str:
    """Return the remarks shown after the summary of a relation: default set, soundness figures and languages."""
    languages = tuple(row.get("languages", EVERY))
    parts = [*_soundness(row), *([] if languages == EVERY else [languages_text(languages)])]
    return f" [{', '.join(parts)}]" if parts else ""


def _soundness(row: Mapping[str, Any]) -> list[str]:
    """Return the default set of a relation, and how many of its reviewed follow-ups were found sound."""
    if "soundness" not in row:
        return []
    from mutatis.relations.soundness import PURPOSES, RISKY

    remarks = [tag for tag in (*PURPOSES, RISKY) if tag in row["tags"]]
    readings = row["soundness"].values()
    if read := sum(reading["read"] for reading in readings):
        remarks.append(f"{sum(reading['sound'] for reading in readings)} of {read} sound")
    elif "language" in row:
        remarks.append(f"not read in {language_name(row['language'])}")
    return remarks


TYPES = {
    "boolean": "true or false",
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "array": "list",
    "object": "table",
}
"""Descriptions of JSON types for users."""


def described(model: type[pydantic.BaseModel]) -> dict[str, dict[str, Any]]:
    """Return type, default and meaning of every option, by name; `required` marks mandatory ones.

    >>> from mutatis.options import Options
    >>> class Bot(Options):
    ...     \"\"\"A bot.
    ...
    ...     Attributes:
    ...         size: how large.
    ...     \"\"\"
    ...     size: int | None = None
    >>> described(Bot)
    {'size': {'type': 'whole number', 'required': False, 'default': None, 'summary': 'how large'}}
    """
    from mutatis.schema import schema_of

    schema = schema_of(model)
    return {
        name: {
            "type": " or ".join(dict.fromkeys(_words(option))),
            "required": name in schema.get("required", ()),
            "default": option.get("default"),
            "summary": option.get("description", ""),
        }
        for name, option in schema["properties"].items()
    }


def option_lines(options: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return one line per option, with its name, its type, its default unless empty, and its meaning.

    >>> option_lines({"size": {"type": "number", "required": False, "default": 3, "summary": "how large"}})
    ['size  number = 3: how large']
    """
    width = max(map(columns_of, options), default=0)
    lines = []
    for name, option in options.items():
        default, kind = option["default"], option["type"]
        if option["required"]:
            kind += ", needed"
        elif default not in (None, "", [], {}):
            kind += f" = {json.dumps(default, ensure_ascii=False)}"
        lines.append(f"{padded(name, width)}  {kind}" + (f": {option['summary']}" if option["summary"] else ""))
    return lines


def _words(option: Mapping[str, Any]) -> Iterator[str]:
    """Yield words for the types in a JSON schema. Null is omitted, because the default shows it."""
    if "anyOf" in option:
        yield from (word for choice in option["anyOf"] if choice.get("type") != "null" for word in _words(choice))
    elif values := option.get("enum", [option["const"]] if "const" in option else []):
        yield from map(json.dumps, values)
    elif "$ref" in option:
        yield "table"
    else:
        yield TYPES.get(option.get("type", ""), "object")
