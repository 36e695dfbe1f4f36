"""The reference pages, made from the registries: what can be named in a configuration, with its options."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pydantic
import typer
from applied import Example, example
from sound import markdown, markdown_by_language

import mutatis.relations  # noqa: F401 - fills the registry
import mutatis.tasks  # noqa: F401 - fills the registry
import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.cli.app import app
from mutatis.config import Config
from mutatis.core.cases import Step
from mutatis.core.languages import language_name, languages_text
from mutatis.core.parameters import Parameter
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS, Transformation
from mutatis.datasets import DATASETS
from mutatis.measures import MEASURES
from mutatis.options import meanings, models_in
from mutatis.plugins import load_plugins
from mutatis.recipes import RECIPES
from mutatis.relations.soundness import PURPOSES, by_task, method, readings, who_read
from mutatis.search import SEARCHES
from mutatis.systems import SYSTEMS

load_plugins(installed=False)

WORDS = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false"}
OTHERS = "others"
SHORT = {
    "question-answering": "QA",
    "inference": "NLI",
    "sentiment": "SA",
    "relation-extraction": "RE",
    "classification": "C",
    "dialogue": "D",
    "retrieval-qa": "RAG",
    "dialogue-state": "DST",
    "chat": "CH",
    "pairwise-judge": "PJ",
    "rubric-score": "RS",
    "word-problem": "WP",
    "multiple-choice": "MC",
    "moderation": "M",
    "tool-call": "TC",
    "extraction": "X",
}
SHORTENED = "Tasks: " + ", ".join(f"{short} {task}" for task, short in SHORT.items()) + "."
WRAPPER = textwrap.TextWrapper(
    width=76, expand_tabs=False, replace_whitespace=False, drop_whitespace=False, break_on_hyphens=False
)
ABOUT = {
    "robustness": "Noise, case, spacing, layout: what a reader does not even notice must change nothing.",
    "wording": "The same in other words.",
    "formats": "The same value in another form: numbers, times, dates, money, names.",
    "logic": "Negation, opposites, numbers, questions with a known answer: the answer must follow the edit.",
    "memory": "The order and course of a dialogue.",
    "safety": "Refusals both ways, and orders hidden in what was pasted.",
    "fairness": "Names, countries, pronouns: who it is about must not matter where it does not.",
    OTHERS: "Named in no default set: nobody has read their follow-ups yet, too few were sound, or they belong to a "
    "published method or a family that is chosen by its own name.",
}


def pages() -> dict[str, str]:
    """Return the text of every reference page, by its path in the site."""
    groups: dict[str, list[MetamorphicRelation]] = {name: [] for name in ABOUT}
    for name in RELATIONS:
        groups[_group(RELATIONS[name])].append(RELATIONS[name])
    made = {f"{name}.md": _relations_page(name, relations) for name, relations in groups.items()}
    made |= {
        "relations.md": _overview(groups),
        "soundness.md": _readings(),
        "systems.md": _kinds("Systems", "`type` of `[system]`, and its options.", SYSTEMS),
        "datasets.md": _kinds("Data formats", "`format` of `[data]`, and its options.", DATASETS),
        "searches.md": _kinds("Searches", "`type` of `[search]`, and its options.", SEARCHES),
        "tasks.md": _tasks(),
        "measures.md": _measures(),
        "recipes.md": _recipes(),
        "keys.md": _keys(),
        "commands.md": _commands(),
    }
    return {f"reference/{name}": text for name, text in made.items()}


def _group(relation: MetamorphicRelation) -> str:
    return next((name for name in PURPOSES if name in relation.tags), OTHERS)


def _overview(groups: Mapping[str, Sequence[MetamorphicRelation]]) -> str:
    rows = [
        [f"[{name}]({name}.md)", str(len(relations)), f"`tag:{name}`" if name != OTHERS else "", ABOUT[name]]
        for name, relations in groups.items()
    ]
    listed = [
        [f"[`{r.name}`]({name}.md#{_slug(r.name)})", _cell(r.says), ", ".join(r.published.ids)]
        for name, relations in groups.items()
        for r in relations
    ]
    return "\n\n".join(
        [
            "# Relations",
            f"{len(listed)} relations, in default sets by what they are for. How sets follow from readings: "
            "[the catalogue](../relations.md).",
            _table(["set", "relations", "chosen by", "what it is about"], rows),
            "## All of them",
            _table(["relation", "says", "published as"], listed),
        ]
    )


def _slug(name: str) -> str:
    """Return the anchor of a heading that is a relation's name: without full stops."""
    return name.replace(".", "")


def _relations_page(name: str, relations: Iterable[MetamorphicRelation]) -> str:
    parts = [f"# {name.capitalize() if name != OTHERS else 'In no default set'}", ABOUT[name]]
    parts.append("Each example was made by applying the relation to a text when this page was built.")
    for relation in relations:
        parts += list(_entry(relation))
    return "\n\n".join([*parts, "## How soundness was measured", method()])


def _transformation(step: Step) -> Transformation:
    return TRANSFORMATIONS[step.transformation]


def _entry(relation: MetamorphicRelation) -> Iterator[str]:
    yield f"## {relation.name}"
    yield f"{relation.says[:1].upper()}{relation.says[1:]}."
    shown = example(relation)
    if shown is not None:
        yield _example(shown)
    elif relation.needs_helper:
        yield "A language model makes or judges its follow-ups (`[helper]`), so there is no example here."
    elif any(made.looks_up or made.reads for made in map(_transformation, relation.transformations)):
        learnt = "[what a run learns](../reach.md#the-dictionary)"
        yield f"It draws from the system's answer or from {learnt}, so there is no example here."
    facts = [["what must hold", f"`{relation.output_relation.name}`"], ["tasks", ", ".join(relation.tasks)]]
    if relation.published.ids:
        facts.append(["published as", ", ".join(f"`{number}`" for number in relation.published.ids)])
    if relation.published.paper:
        facts.append(["source", relation.published.paper])
    for step in relation.transformations:
        facts.append([f"made by `{step.transformation}`", _parameters(step.transformation, step.parameters)])
    if fields := _fields(relation):
        facts.append(["changes", fields])
    conditions = [f"{p.name} ({p.stage.value})" for p in relation.preconditions]
    if conditions:
        facts.append(["only where", "; ".join(conditions)])
    facts.append(["languages", languages_text(relation.known_languages)])
    facts.append(["sound", _soundness(relation.name)])
    facts.append(["tags", ", ".join(f"`tag:{tag}`" for tag in sorted(relation.tags - {"free"})) or "none"])
    head, *rows = [[_cell(a), _cell(b)] for a, b in facts]
    yield _table(head, rows)


def _fields(relation: MetamorphicRelation) -> str:
    """Return which fields are changed, for the tasks in which not every combination of them is."""
    rows = [
        f"{task}: {' or '.join(' and '.join(fields) for fields in relation.edits.variants[task])}"
        for task in relation.tasks
        if any(relation.edits.variants.get(task, ()))
    ]
    return "; ".join(rows)


def _readings() -> str:
    """Return the table of all readings."""
    tags = {row.relation: RELATIONS[row.relation].tags for row in readings() if row.relation in RELATIONS}
    about = (
        f"Sound of read, with the 95 % interval (Wilson): {who_read()}. "
        "[What this means](../relations.md#soundness), and [how it was measured](../studies/soundness.md)."
    )
    others = sorted({row.language for row in readings()} - {"en"}, key=language_name)
    told = "; ".join(f"{language_name(code)}: {who_read(code)}" for code in others)
    elsewhere = ["## Other languages", f"{told}.", markdown_by_language(others)]
    return "\n\n".join(["# Soundness", about, SHORTENED, markdown(tags, SHORT), *elsewhere])


def _example(shown: Example) -> str:
    lines = [f"{shown.task}: {shown.done}" if shown.done else shown.task]
    for field, before, after in shown.pairs:
        lines += ["", *_quoted(f"{field}, source", before), *_quoted(f"{field}, follow-up", after)]
    if shown.settled:
        lines += ["", f"right answer now: {' or '.join(shown.settled)}"]
    fence = "~~~~"
    return "\n".join([f"{fence}text", *lines, fence])


def _quoted(label: str, text: str) -> list[str]:
    """Return a text line by line, broken where it is long; every blank of it stays."""
    pieces = [part for line in text.splitlines() for part in (WRAPPER.wrap(line) or [""])]
    return [label, *(f"    {piece}" for piece in pieces)]


def _parameters(transformation: str, said: Mapping[str, Any]) -> str:
    chosen = TRANSFORMATIONS[transformation]
    return "; ".join(_parameter(p, said.get(p.name, p.default)) for p in chosen.parameters) or "no parameters"


def _parameter(parameter: Parameter, value: Any) -> str:
    allowed = ""
    if parameter.choices:
        allowed = f" (one of {', '.join(parameter.choices)})"
    elif parameter.low is not None and parameter.high is not None:
        allowed = f" ({parameter.low:g} to {parameter.high:g})"
    return f"`{parameter.name} = {_value(value)}`{allowed}"


def _soundness(name: str) -> str:
    rows = [
        f"{task}: {row['sound']} of {row['read']} ({row['interval'][0]:.0%} to {row['interval'][1]:.0%})"
        for task, row in by_task(name).items()
    ]
    for code in sorted({row.language for row in readings()} - {"en"}, key=language_name):
        of = by_task(name, code)
        rows += [f"{language_name(code)}, {task}: {row['sound']} of {row['read']}" for task, row in of.items()]
    return "; ".join(rows) or "its follow-ups have not been read"


def _kinds(title: str, about: str, registry: Any) -> str:
    parts = [f"# {title}", about]
    for name in registry:
        kind = registry[name]
        parts += [f"## {name}", kind.summary]
        task = getattr(kind, "task", None)
        if task:
            parts.append(f"Task: {task}.")
        parts.append(_options(kind.model))
    return "\n\n".join(parts)


def _options(model: type[pydantic.BaseModel]) -> str:
    said = meanings(model)
    head = ["option", "type", "default", "meaning"]
    rows = [
        [f"`{name}`", _type(info.annotation), _default(info), _cell(said[name]).rstrip(".")]
        for name, info in model.model_fields.items()
        if not info.exclude
    ]
    return _table(head, rows) if rows else "No options."


def _type(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        return " or ".join(f"`{_value(value)}`" for value in get_args(annotation))
    if get_origin(annotation) in (Union, UnionType):
        return " or ".join(_type(part) for part in get_args(annotation) if part is not type(None))
    if isinstance(annotation, type) and not get_args(annotation) and issubclass(annotation, pydantic.BaseModel):
        return "a table"
    told = annotation.__name__ if isinstance(annotation, type) and not get_args(annotation) else str(annotation)
    told = re.sub(r"\b(?:\w+\.)+(\w)", r"\1", told)
    return f"`{WORDS.get(told, told)}`".replace("|", "or")


def _default(info: Any) -> str:
    if info.is_required():
        return "required"
    value = info.get_default(call_default_factory=True)
    return "none" if value is None else f"`{_value(value)}`"


def _value(value: Any) -> str:
    if isinstance(value, pydantic.BaseModel):
        return "the section's own"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _tasks() -> str:
    parts = ["# Tasks", "What is asked and how an answer is read. [A task of your own](../own-parts.md#your-own-task)."]
    for name in TASKS:
        task = TASKS[name]
        relations = [f"`{relation}`" for relation in RELATIONS if name in RELATIONS[relation].tasks]
        parts += [f"## {name}", f"{task.summary[:1].upper()}{task.summary[1:].rstrip('.')}."]
        parts.append(f"Fields: {', '.join(task.fields) or 'those of the data'}. Answer: {task.kind}.")
        parts.append(f"{len(relations)} relations: {', '.join(relations)}.")
    return "\n\n".join(parts)


def _measures() -> str:
    rows = [
        [f"`{name}`", ", ".join(sorted(MEASURES[name].kinds)), str(MEASURES[name].equal), _cell(MEASURES[name].summary)]
        for name in MEASURES
    ]
    about = "`measure` of `[judge]`: how alike two answers are, from 0 to 1. [The judge](../judge.md)."
    return "\n\n".join(["# Measures", about, _table(["measure", "judges", "same from", "what it is"], rows)])


def _recipes() -> str:
    rows = [
        [
            f"`{name}`",
            _cell(recipe.summary),
            _cell(recipe.paper),
            ", ".join(f"`{selector}`" for selector in recipe.relations),
        ]
        for name, recipe in ((name, RECIPES[name]) for name in RECIPES)
    ]
    about = "`recipe`: a published method as one name, its relations and settings."
    return "\n\n".join(["# Recipes", about, _table(["recipe", "what it is", "paper", "relations"], rows)])


def _keys() -> str:
    parts = [
        "# Every key",
        "All keys of a configuration; [Configuration](../configuration.md) tells more of the tables.",
    ]
    said = meanings(Config)
    plain, sections = [], []
    for name, info in Config.model_fields.items():
        model = next((model_class for model_class in models_in(info.annotation)), None)
        if model is not None:
            sections += [f"## [{name}]", _first_paragraph(model), _options(model)]
        elif not info.exclude:
            plain.append([f"`{name}`", _type(info.annotation), _default(info), _cell(said[name]).rstrip(".")])
    return "\n\n".join([*parts, _table(["key", "type", "default", "meaning"], plain), *sections])


def _first_paragraph(model: type) -> str:
    return " ".join((inspect.getdoc(model) or "").partition("\n\n")[0].split())


def _commands() -> str:
    parts = ["# Commands", "`mutatis COMMAND --help` says the same."]
    group: Any = typer.main.get_command(app)
    for name, command in group.commands.items():
        parts += [f"## mutatis {name}", " ".join((command.help or "").split())]
        rows = [[f"`{' '.join(p.opts)}`", _cell(getattr(p, "help", "") or "")] for p in command.params if not p.hidden]
        parts.append(_table(["", ""], [row for row in rows if row[0] != "`--help`"]))
    return "\n\n".join(parts)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
