"""Checks a data format, a task or a system.

The cases of a data format must suit a task and be the same every time, and its errors must be clear. The questions of a
task must show all fields, and its parser may raise nothing but Unparsable. A system answers one conversation at a time,
or keeps the state of a dialogue itself.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import tempfile
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import MutatisError, SystemFailure, UsageError
from mutatis.core.system import Conversation, Finish, Message, Response, System, as_system, has_part, is_system
from mutatis.core.task import TASKS, Task, Unparsable
from mutatis.datasets import DATASETS
from mutatis.testing.follow_ups import TEXTS

_JUNK = (
    b"\xff\xfe\x00\x80",
    b"{",
    b"[]",
    b"{}",
    b"null",
    b"1,2\n3",
    b'[{"": 3}]',
    "Zoë — 東京\t\t\n".encode(),
    b"\n\n",
)
"""File contents that most formats cannot read. A format must yield cases or raise a UsageError for each."""


def check_dataset(
    name: str, path: Path | str, options: Mapping[str, Any] | None = None, *, bad: Sequence[str] = ()
) -> None:
    """Check that a registered data format reads a file with unique ids, known fields, and the same cases every time.

    The format must reject a missing file, an empty file and each text in `bad` with a UsageError. It may accept other
    junk, but must not raise any other exception.

    Args:
        name: registered name of the format.
        path: a file (or folder) that the format can read.
        options: options as in `[data]`.
        bad: file contents that the format must reject.
    """
    path, settings = Path(path), dict(options or {})
    reader = DATASETS[name]
    cases = list(reader.read(path, settings))
    assert cases == list(reader.read(path, settings)), f"{name}: it reads different cases the second time"
    assert len({case.id for case in cases}) == len(cases), f"{name}: two cases have one id"
    for case in cases:
        _check_case(name, case)
    first = list(reader.read(path, {**settings, "limit": 1})) if "limit" not in settings else cases[:1]
    assert first == cases[:1], f"{name}: with limit = 1 the first case is different"
    _check_mistakes(name, path, settings, bad)


def _check_case(name: str, case: Case) -> None:
    what = f"{name}: case {case.id!r}"
    assert "/" in case.id, f"{what}: no data name in its id; use source.id(...)"
    assert case.task in TASKS, f"{what}: unknown task {case.task!r}"
    for turn in case.turns:
        texts = [*turn.fields.values(), *turn.expected, *case.material.values()]
        assert turn.fields, f"{what}: a turn without fields"
        assert all(isinstance(text, str) for text in texts), f"{what}: a field or an expected answer is not text"
        assert isinstance(turn.expected, tuple), f"{what}: expected is a {type(turn.expected).__name__}, not a tuple"
        missing = set(TASKS[case.task].needed) - {*turn.fields, *case.material}
        open_fields = case.task == "classification"  # its fields are the data's own
        assert not missing or open_fields, f"{what}: task {case.task} needs the fields {missing}"
    assert all(0 <= turn < len(case.turns) for turn in case.asked), f"{what}: it asks turns that it does not have"
    try:
        record = json.loads(json.dumps(case.to_record(), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise AssertionError(f"{what}: the case cannot be written as JSON: {error}") from error
    again = json.loads(json.dumps(Case.from_record(record).to_record()))
    assert again == record, f"{what}: its record is read back as a different case"


def _check_mistakes(name: str, path: Path, options: dict[str, Any], bad: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        wrong = Path(folder) / f"wrong{''.join(path.suffixes[-1:])}"
        _check_refused(name, wrong, options, "a missing file", must=True)
        if path.is_dir():
            return
        contents = [(b"", True), *((text.encode(), True) for text in bad), *((junk, False) for junk in _JUNK)]
        for content, must in contents:
            wrong.write_bytes(content)
            _check_refused(name, wrong, options, f"the content {content[:40]!r}", must=must)


def _check_refused(name: str, path: Path, options: dict[str, Any], what: str, *, must: bool) -> None:
    try:
        list(DATASETS[name].read(path, options))
    except UsageError as error:
        raised = type(error.__cause__).__name__  # a run tells it in one line; a reader should do better
        by_itself = isinstance(error.__cause__, MutatisError | None)
        assert by_itself, f"{name}: on {what} it raised {raised} instead of UsageError"
        message = str(error)
        assert "\n" not in message, f"{name}: on {what} its error has several lines: {message}"
        return
    except Exception as error:
        raise AssertionError(f"{name} raised {type(error).__name__} instead of UsageError on {what}") from error
    assert not must, f"{name}: it accepts {what}"


ANSWERS = (
    "",
    " ",
    "x",
    "yes",
    "No.",
    "unknown",
    "I cannot help with that.",
    "The answer is: 東京",
    "0.7",
    "-3",
    "1e999",
    "positive",
    "**Label:** neutral",
    "a, b; c",
    '{"city": "Rome"}',
    "[1, 2",
    "<think>hm</think>",
    "Zoë\n\n\u200b",
    "<think>",
    "nan",
    "word " * 5000,
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
        message = f"{what}: parse raised {type(error).__name__} for {response.text[:40]!r}, expected Unparsable"
        raise AssertionError(message) from error


async def check_system(system: Any, conversations: Sequence[Conversation] = ()) -> None:
    """Check a system's label, its identity (constant JSON data) and its answers, given one at a time and concurrently.

    A bot that keeps the state of its dialogues (`session`) is first sent the conversations as the turns of one
    dialogue, and then as two simultaneous dialogues. Such a bot does not need an `ask` method.

    >>> from mutatis.testing import ScriptedSystem, sync
    >>> sync(check_system(ScriptedSystem({"*": "yes"})))
    """
    asked = list(conversations) or [
        Conversation(messages=(Message(role="user", content=text),), fields={"text": text, "question": text})
        for text in TEXTS[:3]
    ]
    assert isinstance(system.label, str), "label is not a text"
    assert system.label, "label is empty"
    identity = _identity(system)
    assert is_system(system), "it has neither `ask` nor `session`, so it cannot be asked"
    parts = as_system(system)
    if parts.session is not None:
        await _check_sessions(parts.session, asked)
    if parts.session is None or has_part(system, "ask"):
        await _check_asking(parts, asked)
    assert _identity(system) == identity, "identity changed while it was asked"


def _identity(system: Any) -> str:
    identity = dict(system.identity)
    try:
        written = json.dumps(identity, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise AssertionError(f"the identity is not JSON data: {error}") from error
    assert json.loads(written) == identity, f"identity is not JSON data: {identity} is read back as {written}"
    return written


async def _check_asking(system: System, asked: Sequence[Conversation]) -> None:
    for conversation in asked:
        await _answer(system.ask(conversation), "ask")
    await asyncio.gather(*(_answer(system.ask(conversation), "ask") for conversation in asked))
    if system.ask_many is not None:
        batch = await system.ask_many([replace(conversation) for conversation in asked])
        assert len(batch) == len(asked), f"ask_many returned {len(batch)} answers to {len(asked)} conversations"
        assert all(isinstance(b, Response | SystemFailure) for b in batch), (
            "ask_many returned something other than answers"
        )


async def _check_sessions(session: Any, asked: Sequence[Conversation]) -> None:
    await _talk(session, asked)
    await asyncio.gather(_talk(session, asked), _talk(session, asked))


async def _talk(session: Any, asked: Sequence[Conversation]) -> None:
    opened = session()
    if inspect.iscoroutine(opened):
        opened.close()  # nobody will await it
    assert hasattr(opened, "__aenter__"), (
        "session() is not an async context manager; try contextlib.asynccontextmanager"
    )
    async with opened as talk:
        assert hasattr(talk, "send"), "the object from session() has no `send`"
        for conversation in asked:
            if isinstance(await _answer(talk.send(conversation), "send"), SystemFailure):
                return  # a run gives the dialogue up as well


async def _answer(asking: Awaitable[Response], name: str) -> Response | SystemFailure:
    try:
        answer = await asking
    except SystemFailure as error:
        return error
    assert isinstance(answer, Response), f"{name} returned a {type(answer).__name__}, expected a Response"
    assert isinstance(answer.text, str), "an answer's text is not a text"
    return answer
