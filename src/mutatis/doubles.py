"""Systems, bots and helpers with scripted answers for use in tests. Users import them from `mutatis.testing`."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

from mutatis.core.calls import RESULTS, TOOLS, tools_in
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Response, System

Answer = str | Response | SystemFailure


class ScriptedSystem(System):
    """A system with scripted answers. `asked` records every conversation that it receives.

    Args:
        answers: a function from a conversation to an answer (a coroutine function if it should take time), or a
            mapping. The keys of a mapping match the last message or the text of any field; "*" matches everything else.
            An answer is a string, a `Response`, or a `SystemFailure` to raise.
        label: its name in reports.

    >>> from mutatis.testing import sync
    >>> bot = ScriptedSystem({"How many?": "two"})
    >>> from mutatis.core.system import Message
    >>> sync(bot.ask(Conversation(messages=(Message(role="user", content="How many?"),)))).text, bot.count
    ('two', 1)
    """

    def __init__(
        self,
        answers: Callable[[Conversation], Answer | Awaitable[Answer]] | Mapping[str, Answer],
        label: str = "scripted",
    ) -> None:
        self.answers = answers
        self.label = label
        self.asked: list[Conversation] = []

    @property
    def count(self) -> int:
        """The number of questions asked so far."""
        return len(self.asked)

    def times(self, text: str) -> int:
        """Return how many times the system was sent this text, as the last message or as a field."""
        return sum(text in _texts(conversation) for conversation in self.asked)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The identity of the system, which consists of its type and label."""
        return {"type": "scripted", "label": self.label}

    async def ask(self, conversation: Conversation) -> Response:
        """Return the scripted answer. Raise SystemFailure if the script has no answer."""
        self.asked.append(conversation)
        answer = self.answers(conversation) if callable(self.answers) else _written(self.answers, conversation)
        await asyncio.sleep(0)  # only now, so that an answer that depends on `times` counts no later question
        return _given(await answer if inspect.isawaitable(answer) else answer)


class ScriptedBot:
    """A bot that is only accessible through dialogues, not single questions. `sessions` records all dialogues.

    `answers` is a mapping as in `ScriptedSystem`, or a function of all messages of the dialogue so far.

    >>> from mutatis.testing import sync
    >>> bot = ScriptedBot(lambda said: f"{len(said)} so far")
    >>> async def talk():
    ...     async with bot.session() as session:
    ...         return [(await session.send(Conversation(messages=()))).text for _ in range(2)]
    >>> sync(talk()), len(bot.sessions)
    (['1 so far', '2 so far'], 1)
    """

    def __init__(
        self, answers: Callable[[Sequence[Conversation]], Answer] | Mapping[str, Answer], label: str = "scripted-bot"
    ) -> None:
        self.answers = answers
        self.label = label
        self.sessions: list[list[Conversation]] = []

    @property
    def identity(self) -> Mapping[str, Any]:
        """The identity of the bot, which consists of its type and label."""
        return {"type": "scripted-bot", "label": self.label}

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Any]:
        """Begin a dialogue with the bot, for use with `async with`."""
        said: list[Conversation] = []
        self.sessions.append(said)

        async def send(conversation: Conversation) -> Response:
            said.append(conversation)
            answer = self.answers(said) if callable(self.answers) else _written(self.answers, conversation)
            await asyncio.sleep(0)
            return _given(answer)

        yield SimpleNamespace(send=send)


def _texts(conversation: Conversation) -> tuple[str, ...]:
    last = conversation.messages[-1].content if conversation.messages else ""
    return (last, *conversation.fields.values())


def _written(answers: Mapping[str, Answer], conversation: Conversation) -> Answer:
    texts = _texts(conversation)
    for key in (*texts, "*"):
        if key in answers:
            return answers[key]
    return SystemFailure(f"nothing is written down for {texts[0][:60]!r}")


def _given(answer: Answer) -> Response:
    if isinstance(answer, SystemFailure):
        raise answer
    return answer if isinstance(answer, Response) else Response(text=answer)


class ScriptedHelper:
    """A helper model with scripted answers. `prompts` records every prompt that it receives.

    `answers` is a single answer to every prompt, a list of answers used in turn (the last one is repeated), or a
    function of the prompt. An answer is text or data. A `SystemFailure` is raised instead of returned.

    >>> from mutatis.testing import sync
    >>> sync(ScriptedHelper(["one", "two"]).complete("Count."))
    'one'
    """

    def __init__(self, answers: str | Sequence[Any] | Callable[[str], Any]) -> None:
        self.answers = answers
        self.prompts: list[str] = []

    async def complete(
        self,
        prompt: str,
        schema: Mapping[str, Any] | None = None,
        *,
        draw: int = 0,
        attempt: int = 0,
        temperature: float = 0.0,
    ) -> Any:
        """Return the next scripted answer, or raise it if it is a SystemFailure."""
        self.prompts.append(prompt)
        if isinstance(self.answers, str):
            return self.answers
        if callable(self.answers):
            answer = self.answers(prompt)
        else:
            answer = self.answers[min(len(self.prompts), len(self.answers)) - 1]
        if isinstance(answer, SystemFailure):
            raise answer
        return answer


def tool_case(message: str, **tools: str) -> Case:
    """Return a case with this message and these tools. Each keyword argument is a tool's name and description.

    Every tool takes one text argument, `city`. The recorded result of the first tool is "12 degrees".
    """
    schema = {"type": "object", "properties": {"city": {"type": "string", "default": "Oslo"}}, "required": []}
    functions = [{"name": name, "description": says, "parameters": schema} for name, says in tools.items()]
    results = [{"name": next(iter(tools)), "arguments": {}, "result": "12 degrees"}] if tools else []
    material = {
        TOOLS: json.dumps([{"type": "function", "function": function} for function in functions]),
        RESULTS: json.dumps(results),
    }
    return Case(id="example", task="tool-call", turns=(Turn(fields={"message": message}),), material=material)


def told_tools(case: Case) -> list[str]:
    """Return the tools of a case, each as "name: description".

    >>> told_tools(tool_case("How cold is it?", get_weather="Get the weather."))
    ['get_weather: Get the weather.']
    """
    functions = [tool["function"] for tool in tools_in(case.material)]
    return [f"{function['name']}: {function['description']}" for function in functions]
