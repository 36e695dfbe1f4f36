"""Checks a system that answers one conversation at a time, or keeps the state of a dialogue itself."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from typing import Any

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Message, Response, System, as_system, has_part, is_system
from mutatis.testing.transformations import TEXTS


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
    answers = [await _answer(system.ask(conversation), "ask") for conversation in asked]
    together = await asyncio.gather(*(_answer(system.ask(conversation), "ask") for conversation in asked))
    assert len(together) == len(answers)
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
