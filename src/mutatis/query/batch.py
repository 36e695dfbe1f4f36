"""Micro-batching for systems that answer many questions at once (classifiers, local models)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Response
from mutatis.guarding import ends_us
from mutatis.secrets import cleaned
from mutatis.text.visible import named

LARGEST = 256
"""Questions in one batch at most."""


class Batcher:
    """Collects the questions that arrive while the previous batch is being answered and asks them together."""

    def __init__(self, ask_many: Callable[[Sequence[Conversation]], Awaitable[Sequence[Response | SystemFailure]]]):
        self._ask_many = ask_many
        self._waiting: list[tuple[Conversation, asyncio.Future[Response]]] = []
        self._worker: asyncio.Task[None] | None = None

    async def ask(self, conversation: Conversation) -> Response:
        """Return the answer to one question, asked together with others."""
        future: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._waiting.append((conversation, future))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await future

    async def _work(self) -> None:
        await asyncio.sleep(0)  # let everyone who is ready to ask join the first batch
        while self._waiting:
            batch, self._waiting = self._waiting[:LARGEST], self._waiting[LARGEST:]
            try:
                answers = await self._ask_many([conversation for conversation, _ in batch])
                if len(answers) != len(batch):
                    raise SystemFailure(f"ask_many gave {len(answers)} answers to {len(batch)} questions")
            except BaseException as error:
                told = error if isinstance(error, SystemFailure) else SystemFailure(named(error, cleaned))
                answers = [told] * len(batch)
                if ends_us(error, asyncio.current_task()):
                    self._fail([*batch, *self._waiting], SystemFailure("asking was cancelled"))
                    raise
            # Whoever asks one question must get an answer, whatever became of the others.
            for (_, future), answer in zip(batch, answers, strict=True):
                if future.done():
                    continue
                if isinstance(answer, SystemFailure):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

    def _fail(self, questions: Sequence[tuple[Conversation, asyncio.Future[Response]]], error: SystemFailure) -> None:
        self._waiting = []
        for _, future in questions:
            if not future.done():
                future.set_exception(error)
