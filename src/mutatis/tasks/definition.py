"""Creates `Task` objects from prompt files, and replaces built-in prompts with a user's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import not_
from pathlib import Path

import pydantic

from mutatis.core.calls import ToolCall, tools_in, without_tools
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError, check_braces, check_known, nearest, unknown_placeholder
from mutatis.core.parsing import NotReadable, toml_of
from mutatis.core.system import Conversation, Message
from mutatis.core.task import TASKS, AnswerKind, Task
from mutatis.options import Options, check_options
from mutatis.prompting import prompt_text
from mutatis.tasks.finals import read_choice, read_final_number
from mutatis.tasks.grades import TIE, read_points, read_verdict
from mutatis.tasks.moderating import read_moderation
from mutatis.tasks.parsers import (
    NO_RELATION,
    UNKNOWN,
    FunctionParser,
    LabelParser,
    Parser,
    is_near_half,
    is_silent,
    read_calls,
    read_data,
    read_free_text,
    read_score,
    states_no_relation,
    text_parser,
)
from mutatis.text.abstention import is_abstention

PARSERS: dict[str, Parser] = {
    "text": FunctionParser(parse=read_free_text, uninformative=is_silent),
    "short-text": text_parser(UNKNOWN, is_abstention),
    "relation": text_parser(NO_RELATION, states_no_relation),
    "score": FunctionParser(parse=read_score, uninformative=is_near_half),
    "label": LabelParser((), {}),
    "data": FunctionParser(parse=read_data, uninformative=not_),
    "calls": FunctionParser(parse=read_calls, uninformative=not_),
    "final-number": FunctionParser(parse=read_final_number),
    "choice": FunctionParser(parse=read_choice),
    "moderation": FunctionParser(parse=read_moderation, uninformative=is_near_half),
    "points": FunctionParser(parse=read_points),
    "verdict": FunctionParser(parse=read_verdict, uninformative=lambda value: bool(value == TIE)),
}
"""Answer parsers by the name that prompt files use. Plugins may add their own."""

_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
"""Matches a placeholder of a prompt template.

It is the name of a field or of material, or one of `{fields}` (all fields of the turn, each between tags),
`{material}` (story, title, ... between tags) and `{labels}`.
"""


def between_tags(texts: Mapping[str, str]) -> str:
    """Enclose each text in tags with its name, and join the results.

    >>> print(between_tags({"title": "Tea"}))
    <title>
    Tea
    </title>
    """
    return "\n".join(f"<{name}>\n{text}\n</{name}>" for name, text in texts.items())


@lru_cache(maxsize=256)  # asked for each question, of the few templates of a run
def without_labels(text: str) -> str:
    """Remove the lines of a template that contain the placeholder for labels, and return the rest."""
    return "\n".join(line for line in text.splitlines() if "{labels}" not in line)


class PromptFile(Options):
    """The content of a prompt file: a task's fields, its kind of answer, the answer parser, and both templates.

    Attributes:
        like: the task whose relations are inherited, or "" for none; by default a task with the same kind of answer.
        measure: the measure that compares answers; by default the usual one for the kind of answer.
        defaults: values of fields that data may omit.
        beside: names of texts that are not fields but guide the edits.
    """

    fields: Sequence[str] = pydantic.Field(min_length=1)
    kind: AnswerKind
    parser: str
    prompt: str
    summary: str = ""
    variants: Sequence[Sequence[str]] | None = None
    labels: Sequence[str] = ()
    aliases: Mapping[str, str] = {}
    system_message: str = ""
    like: str | None = None
    measure: str = ""
    defaults: Mapping[str, str] = {}
    beside: Sequence[str] = ()

    @pydantic.field_validator("parser")
    @classmethod
    def _known(cls, parser: str) -> str:
        check_known("answer parser", [parser], PARSERS)
        return parser


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationBuilder:
    """Builds a system's input for one turn. It is called with the case, the turn's number and the answers so far.

    Without labels, the lines of the templates that mention them are left out.
    """

    task: str
    system_message: str
    prompt: str
    kind: AnswerKind
    labels: tuple[str, ...] = ()

    @property
    def placeholders(self) -> frozenset[str]:
        """The names of all placeholders that are shown."""
        return frozenset(_PLACEHOLDER.findall(f"{self._shown(self.system_message)}\n{self._shown(self.prompt)}"))

    def _shown(self, template: str) -> str:
        return (template if self.labels else without_labels(template)).strip()

    def __call__(self, case: Case, turn: int, answers: Sequence[str]) -> Conversation:
        """Return the conversation for one turn. An earlier turn's `reply`, if given, replaces the system's answer."""
        messages, history = [], []
        if self._shown(self.system_message):
            content = self._filled(self.system_message, case, case.turns[turn])
            messages.append(Message(role="system", content=content))
        for index in range(turn):
            earlier = case.turns[index]
            answer = earlier.reply if earlier.reply is not None else answers[index]
            messages += [self._user(case, index), *called(earlier.calls)]
            if answer or not earlier.calls:
                messages.append(Message(role="assistant", content=answer))
            history.append((earlier.fields, answer))
        messages.append(self._user(case, turn))
        return Conversation(
            messages=tuple(messages),
            fields={**without_tools(case.material), **case.turns[turn].fields},
            history=tuple(history),
            case_id=case.id,
            turn=turn,
            tools=tools_in(case.material),
            kind=self.kind,
        )

    def _user(self, case: Case, turn: int) -> Message:
        return Message(role="user", content=self._filled(self.prompt, case, case.turns[turn]))

    def _filled(self, template: str, case: Case, turn: Turn) -> str:
        """Return a template with its placeholders replaced, in one pass, so that braces in the data are harmless."""
        material = without_tools(case.material)
        named = {**material, **turn.fields}
        # They are only made if the template has them, because they may be long.
        together: Mapping[str, Callable[[], str]] = {
            "fields": lambda: between_tags(turn.fields),
            "material": lambda: between_tags(material),
            "labels": lambda: ", ".join(self.labels),
        }

        def text_for(match: re.Match[str]) -> str:
            name = match[1]
            if name in named:
                return named[name]
            if name not in together:
                raise unknown_placeholder(f"the prompt of task {self.task!r}", name, "the case has", named)
            return together[name]()

        return _PLACEHOLDER.sub(text_for, self._shown(template)).strip()


def called(calls: Sequence[ToolCall]) -> list[Message]:
    """Return messages for tool calls that have results: one from the assistant, and one from each tool.

    The calls are numbered, because ids made up by a model would make equal conversations look different.
    """
    if not calls or any(call.result is None for call in calls):
        return []
    numbered = tuple(replace(call, id=f"call_{number}") for number, call in enumerate(calls, start=1))
    results = (Message(role="tool", content=call.result or "", call_id=call.id) for call in numbered)
    return [Message(role="assistant", content="", calls=numbered), *results]


LIKE: Mapping[str, str] = {"label": "classification", "number": "sentiment"}
"""The task whose relations are inherited by default, for each kind of answer."""


def load_task(path: Path) -> Task:
    """Return the task that a prompt file describes. It is named after the file.

    Raises:
        UsageError: the file is not a prompt file; the message names the missing or unknown key.
    """
    prompt_file = _read_prompt_file(path)
    parser = PARSERS[prompt_file.parser]
    if prompt_file.parser == "label":
        parser = LabelParser(prompt_file.labels, prompt_file.aliases)
    variants = [[field] for field in prompt_file.fields] if prompt_file.variants is None else prompt_file.variants
    converse = ConversationBuilder(
        task=path.stem,
        system_message=prompt_file.system_message,
        prompt=prompt_file.prompt,
        kind=prompt_file.kind,
        labels=tuple(prompt_file.labels),
    )
    if converse.placeholders.isdisjoint({"fields", *prompt_file.fields}):
        wanted = " or ".join(f"{{{name}}}" for name in prompt_file.fields)
        raise UsageError(f"prompt file {path}: the prompt contains none of the fields; add {wanted} to the prompt")
    return Task(
        name=path.stem,
        fields=tuple(prompt_file.fields),
        kind=prompt_file.kind,
        variants=tuple(tuple(variant) for variant in variants),
        converse=converse,
        parse=parser.parse,
        uninformative=parser.uninformative,
        summary=prompt_file.summary,
        like=LIKE.get(prompt_file.kind, "") if prompt_file.like is None else prompt_file.like,
        measure=prompt_file.measure,
        defaults=dict(prompt_file.defaults),
        beside=tuple(prompt_file.beside),
    )


def _read_prompt_file(path: Path) -> PromptFile:
    """Read a prompt file and check its templates and defaults. Raise UsageError if anything is wrong."""
    try:
        record = toml_of(prompt_text(path))
    except NotReadable as error:
        raise UsageError(f"{path}: not a TOML file: {error}") from None
    prompt_file = check_options(PromptFile, record, f"prompt file {path}", word="key")
    for text in (prompt_file.system_message, prompt_file.prompt):
        check_braces(f"prompt file {path}", text)
    check_known(f"field in [defaults] of prompt file {path}:", prompt_file.defaults, prompt_file.fields)
    return prompt_file


def with_prompt(
    task: Task,
    system_message: str | None = None,
    prompt: str | None = None,
    labels: Sequence[str] | None = None,
    fields: Sequence[str] | None = None,
) -> Task:
    """Return a copy of the task with the user's system message, prompt template, labels or fields.

    Variants that change a field which the new templates do not show are left out, because their follow-ups would look
    the same as their source.

    Raises:
        UsageError: the templates show none of the task's fields, or the task was not made from a prompt file.
    """
    before = task.converse
    if not isinstance(before, ConversationBuilder):
        raise UsageError(f"task {task.name!r} builds its conversations itself; its prompt cannot be replaced")
    if labels is not None and task.kind != "label":
        raise UsageError(f"task {task.name!r} has no labels (its answers are of kind {task.kind!r}); got labels")
    kept = before.labels if labels is None else tuple(labels)
    for text in (system_message, prompt):
        check_braces(f"the prompt for task {task.name!r}", text or "")
    converse = replace(
        before,
        system_message=before.system_message if system_message is None else system_message,
        prompt=before.prompt if prompt is None else prompt,
        labels=kept,
    )
    named = task.fields if fields is None else tuple(fields)
    variants = task.variants if fields is None else tuple((name,) for name in named)
    shown = frozenset(named) if "fields" in converse.placeholders else converse.placeholders & set(named)
    if not shown:
        raise _no_field_shown(task.name, sorted(converse.placeholders), named)
    variants = tuple(variant for variant in variants if set(variant) <= shown)
    changed = replace(task, converse=converse, fields=named, variants=variants, hidden=frozenset(named) - shown)
    if labels is None:
        return changed
    parser = LabelParser(kept, {})
    return replace(changed, parse=parser.parse, uninformative=parser.uninformative)


def _no_field_shown(task: str, placeholders: Sequence[str], fields: Sequence[str]) -> UsageError:
    """Return the error for a prompt that shows none of a task's fields, with a field that may be meant."""
    wanted = " or ".join(f"{{{name}}}" for name in fields)
    shown = ", ".join(f"{{{name}}}" for name in placeholders) or "no placeholder"
    meant = next((name for name in placeholders if nearest(name, fields)), None)
    other = "" if meant is None else f", or map a field of the data to it: fields = {{{meant} = ...}}"
    return UsageError(
        f"the prompt for task {task!r} contains none of its fields; it contains {shown}; add {wanted} to the "
        f"prompt{other}"
    )


_adopted: set[str] = set()
"""Names of the users' own tasks, which later runs in the same process may replace."""


def adopt_task(path: Path) -> Task:
    """Register and return the task in a prompt file. It replaces a task of the same name from an earlier run.

    Raises:
        UsageError: the name belongs to a built-in or registered task, or the file is not a prompt file.
    """
    task = load_task(path)
    if task.name in _adopted and task.name in TASKS:
        TASKS.remove(task.name)
    TASKS.add(task.name, task)
    _adopted.add(task.name)
    return task


def register_task(task_or_file: Task | Path | str) -> Task:
    """Register and return a task. If it is given as a prompt file, it is named after the file.

    Raises:
        UsageError: the name is taken, or the file is not a prompt file.
    """
    task = task_or_file if isinstance(task_or_file, Task) else load_task(Path(task_or_file))
    TASKS.add(task.name, task)
    return task


for _path in sorted((Path(__file__).parent / "prompts").glob("*.toml")):
    register_task(_path)
