"""Checks a task: its questions show all fields, and its parser raises nothing but Unparsable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Conversation, Finish, Response
from mutatis.core.task import TASKS, Task, Unparsable

ANSWERS = (
    *("", " ", "x", "yes", "No.", "unknown", "I cannot help with that.", "The answer is: 東京", "0.7", "-3", "1e999"),
    *("positive", "**Label:** neutral", "a, b; c", '{"city": "Rome"}', "[1, 2", "<think>hm</think>", "Zoë\n\n\u200b"),
    *("<think>", "nan", "word " * 5000),
)
"""Sample answers: short and long, surrounded by other text, in other scripts, and empty."""


def check_task(task: str | Task, *, answers: Sequence[str] = ()) -> None:
    """Check that a task's questions show every field and that its parser follows the rules.

    `parse` may only raise Unparsable, and `uninformative` must return a bool.

    Args:
        task: the name of a registered task, or the task itself.
        answers: answers that the parser must be able to read.

    >>> check_task("sentiment", answers=["0.8", "about 30 %"])
    """
    chosen = TASKS[task] if isinstance(task, str) else task
    what = f"task {chosen.name!r}"
    assert chosen.fields, f"{what}: it has no fields"
    assert len(set(chosen.fields)) == len(chosen.fields), f"{what}: two fields have one name"
    assert chosen.summary, f"{what}: it has no summary"
    unknown = {field for variant in chosen.variants for field in variant} - set(chosen.fields)
    assert not unknown, f"{what}: variants of fields that it does not have: {sorted(unknown)}"
    unseen = {field for variant in chosen.variants for field in variant} & chosen.hidden
    assert not unseen, f"{what}: variants of fields that it does not show: {sorted(unseen)}"
    case = _dialogue(chosen)
    for turn in range(len(case.turns)):
        _check_question(chosen, case, turn, what)
    for text in (*ANSWERS, *answers):
        _check_answer(chosen, case, text, what, readable=text in answers)


def _dialogue(task: Task) -> Case:
    """Return a dialogue of two turns, with a different text in each field."""
    turns = tuple(Turn(fields={name: f"text of {name} in turn {n}" for name in task.fields}) for n in (1, 2))
    return Case(id="check/0", task=task.name, turns=turns, material={"story": "An old story."})


def _check_question(task: Task, case: Case, turn: int, what: str) -> None:
    answers = ("the first answer",)[:turn]
    conversation = task.converse(case, turn, answers)
    assert isinstance(conversation, Conversation), f"{what}: converse returned a {type(conversation).__name__}"
    assert conversation.messages, f"{what}: converse returned no messages"
    assert conversation.messages[-1].role == "user", f"{what}: the last message is not the user's"
    assert conversation == task.converse(case, turn, answers), f"{what}: converse returned two different conversations"
    shown = "\n".join(message.content for message in conversation.messages)
    for name, text in case.turns[turn].fields.items():
        hidden = name in task.hidden
        does = "shows the hidden" if hidden else "does not show the"
        assert (text in shown) != hidden, f"{what}: turn {turn + 1} {does} field {name!r}"
        assert conversation.fields.get(name) == text, f"{what}: its conversation's `fields` lack {name!r}"


def _check_answer(task: Task, case: Case, text: str, what: str, *, readable: bool) -> None:
    for finish in Finish:
        response = Response(text=text, finish=finish)
        value, refused = _read(task, case, response, what)
        assert (value, refused) == _read(task, case, response, what), f"{what}: parse reads {text[:40]!r} in two ways"
        if refused:
            must = readable and finish is Finish.STOP
            assert not must, f"{what}: it cannot read {text[:40]!r}: {refused}"
            continue
        assert value is not None, f"{what}: parse returned None for {text[:40]!r}; raise Unparsable"
        says = task.uninformative(value)
        assert isinstance(says, bool), f"{what}: uninformative returned {says!r} for {value!r}, expected True or False"


def _read(task: Task, case: Case, response: Response, what: str) -> tuple[Any, str]:
    """Return the value that the task reads from a response, or None and the reason why it cannot."""
    try:
        return task.parse(response, case), ""
    except Unparsable as error:
        return None, str(error) or "Unparsable"
    except Exception as error:
        told = f"{what}: parse raised {type(error).__name__} for {response.text[:40]!r}, expected Unparsable"
        raise AssertionError(told) from error
