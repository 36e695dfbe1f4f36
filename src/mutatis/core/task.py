"""The tasks of systems: each has fields, a prompt and a parser for answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from mutatis.core.cases import Case
from mutatis.core.errors import check_word
from mutatis.core.registry import Registry
from mutatis.core.system import Conversation, Response

AnswerKind = Literal["text", "label", "number", "set", "state", "calls", "data"]


class Unparsable(ValueError):
    """The task's parser found no value in an answer. The message explains why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task: the fields of a turn, the kind of answer, how to ask, and how to read the answer.

    Attributes:
        fields: names of a turn's input fields.
        kind: kind of answer, which determines the measures that can compare answers.
        variants: the combinations of fields that relations transform.
        converse: `(case, turn, answers so far) -> Conversation`; the answers so far belong to the earlier turns.
        parse: `(response, case) -> value`; raises `Unparsable`.
        hidden: fields that the current prompt does not show. A follow-up that changes only these asks the same
            question.
        like: for a user's task, the built-in task whose relations also fit it.
        measure: the measure that compares its answers if a run names none; "" for the default of their kind.
        defaults: values of fields that the data lacks.
        beside: names of texts that data may have in addition to the fields. They are never sent, but are kept as
            annotations of a turn for edits to use.
        uninformative: returns True if a parsed value states nothing (unknown, neutral, "no relation", near 0.5).

    Raises:
        UsageError: `kind` is not a kind of answer.
    """

    name: str
    fields: tuple[str, ...]
    kind: AnswerKind
    variants: tuple[tuple[str, ...], ...]
    converse: Callable[[Case, int, Sequence[str]], Conversation]
    parse: Callable[[Response, Case], Any]
    uninformative: Callable[[Any], bool]
    summary: str = ""
    hidden: frozenset[str] = frozenset()
    like: str = ""
    measure: str = ""
    defaults: Mapping[str, str] = field(default_factory=dict)
    beside: tuple[str, ...] = ()

    @property
    def needed(self) -> tuple[str, ...]:
        """The names of the fields that the data must provide."""
        return tuple(name for name in self.fields if name not in self.defaults)

    def __post_init__(self) -> None:
        check_word(f"task {self.name!r}: kind", self.kind, get_args(AnswerKind))


TASKS: Registry[Task] = Registry("task")


def default_fields() -> dict[str, str]:
    """Return, for all tasks, the default values of fields that data or files of recorded answers may lack."""
    return {name: text for task in map(TASKS.__getitem__, TASKS) for name, text in task.defaults.items()}
