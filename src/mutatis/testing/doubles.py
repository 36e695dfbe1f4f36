"""Stand-ins for a system and a helper, with answers that are written down."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Message, Response  # noqa: F401 - the doctests'
from mutatis.testing.running import sync  # noqa: F401 - the doctests'

Answer = str | Response | SystemFailure


class ScriptedSystem:
    """A system whose answers are written down; `asked` keeps every conversation it was shown.

    Args:
        answers: a function of the conversation, or a mapping from the last message or from any field's text to the
            answer (key "*" answers everything else). An answer is a text, a `Response`, or a `SystemFailure` to raise.
        label: its name in reports.

    >>> bot = ScriptedSystem({"How many?": "two"})
    >>> sync(bot.ask(Conversation(messages=(Message(role="user", content="How many?"),)))).text, bot.count
    ('two', 1)
    """

    def __init__(
        self, answers: Callable[[Conversation], Answer] | Mapping[str, Answer], label: str = "scripted"
    ) -> None:
        self.answers = answers
        self.label = label
        self.asked: list[Conversation] = []

    @property
    def count(self) -> int:
        """How often it was asked."""
        return len(self.asked)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return what makes it the system it is: its label."""
        return {"type": "scripted", "label": self.label}

    async def ask(self, conversation: Conversation) -> Response:
        """Answer as written down; raise SystemFailure where nothing is."""
        self.asked.append(conversation)
        await asyncio.sleep(0)
        answer = self._answer(conversation)
        if isinstance(answer, SystemFailure):
            raise answer
        return answer if isinstance(answer, Response) else Response(text=answer)

    def _answer(self, conversation: Conversation) -> Answer:
        if callable(self.answers):
            return self.answers(conversation)
        last = conversation.messages[-1].content if conversation.messages else ""
        for key in (last, *conversation.fields.values(), "*"):
            if key in self.answers:
                return self.answers[key]
        return SystemFailure(f"nothing is written down for {last[:60]!r}")


class ScriptedHelper:
    """A helper whose answers are written down; `prompts` keeps every prompt it was given.

    `answers` is one answer for every prompt, a list of answers given in turn (the last one for good), or a function of
    the prompt. An answer is a text or data; a `SystemFailure` is raised.

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
        """Return the next answer."""
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
