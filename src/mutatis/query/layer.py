"""Asking: look the answer up, join a question already on the wire, or pay for it within the limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import tenacity
from aiolimiter import AsyncLimiter

from mutatis.core.errors import AccessDenied, BudgetExceeded, OfflineMiss, Retryable, SystemFailure
from mutatis.core.system import Conversation, Finish, Response, System
from mutatis.flights import Flights
from mutatis.query.batch import Batcher
from mutatis.query.key import answer_key
from mutatis.query.store import Store

GIVE_UP_AFTER = 10
"""Questions in a row that failed after all retries before the rest fails at once."""

TOGETHER = 128
"""Questions that a system with `ask_many` is given at a time, however low its concurrency."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How a system may be asked.

    Attributes:
        concurrency: questions on the wire at a time.
        rate: questions per second, None for no limit.
        retries: further tries after a passing failure.
        timeout: seconds one try may take; systems that answer in batches have none.
        longest_wait: seconds to wait at most before a try, also where the system asks for more.
    """

    concurrency: int = 16
    rate: float | None = None
    retries: int = 4
    timeout: float = 120.0
    longest_wait: float = 60.0


class Spending:
    """The budget of a run, shared by every system and helper of it."""

    def __init__(self, max_queries: int | None = None) -> None:
        self.max_queries = max_queries
        self.paid = 0

    def pay(self, questions: int = 1) -> None:
        """Count questions that are about to be asked; raises BudgetExceeded before going over."""
        if self.max_queries is not None and self.paid + questions > self.max_queries:
            raise BudgetExceeded(f"the budget of {self.max_queries} queries is spent; raise --max-queries to go on")
        self.paid += questions


@dataclass(slots=True)
class Counts:
    """What asking one system came to."""

    logical: int = 0
    paid: int = 0
    errors: int = 0
    stored: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    oldest: float | None = None

    def serve(self, responses: Sequence[Response]) -> None:
        """Count answers that came from the store."""
        self.stored += len(responses)
        asked_at = min(r.asked_at for r in responses)
        self.oldest = asked_at if self.oldest is None else min(self.oldest, asked_at)


class _Session(Protocol):
    async def send(self, conversation: Conversation) -> Response: ...


class QueryLayer:
    """Asks one system (or helper) and remembers every answer.

    Args:
        system: who answers.
        store: where answers are kept.
        limits: concurrency, rate, retries and timeout.
        spending: the budget, shared with other layers of the run.
        offline: never ask; a missing answer raises OfflineMiss.
        fresh: do not serve answers that were stored before this layer was made.
    """

    def __init__(
        self,
        system: System,
        store: Store,
        limits: Limits | None = None,
        *,
        spending: Spending | None = None,
        offline: bool = False,
        fresh: bool = False,
    ) -> None:
        self.system = system
        self.counts = Counts()
        self._store = store
        self._limits = limits or Limits()
        self._spending = spending or Spending()
        self._offline = offline
        self._started = time.time()
        self._since = self._started if fresh else 0.0
        self._identity = dict(system.identity)
        self._flights: Flights[str, list[Response]] = Flights()  # what is kept is kept in the store
        self._limiter = _limiter(self._limits.rate)
        self._failures_in_a_row = 0
        self._last_failure = ""
        self._denied: str | None = None
        ask_many = getattr(system, "ask_many", None)
        self._batcher = None if ask_many is None else Batcher(ask_many)
        # A batch is one question on the wire, so that whoever answers many at once gets many.
        self.concurrency = self._limits.concurrency if ask_many is None else max(self._limits.concurrency, TOGETHER)
        self._slots = asyncio.Semaphore(self.concurrency)
        self._session: Callable[[], Any] | None = getattr(system, "session", None)

    @property
    def stateful(self) -> bool:
        """Whether the system keeps the dialogue itself, so that dialogues are asked whole."""
        return self._session is not None

    async def ask(self, conversation: Conversation, repeat: int = 0) -> Response:
        """Return the answer to one conversation.

        Raises:
            SystemFailure: no usable answer, after the retries; AccessDenied where asking is pointless.
            OfflineMiss, BudgetExceeded: the answer is not stored and may not be asked for.
        """
        [response] = await self._answers([conversation], repeat, self._ask_one)
        return response

    async def ask_dialogue(self, conversations: Sequence[Conversation], repeat: int = 0) -> list[Response]:
        """Return the answers of a stateful system to all turns of a dialogue, replayed whole from the first turn."""
        return await self._answers(conversations, repeat, self._ask_session)

    async def _answers(
        self,
        conversations: Sequence[Conversation],
        repeat: int,
        asking: Callable[[Sequence[Conversation]], Awaitable[list[Response]]],
    ) -> list[Response]:
        self.counts.logical += len(conversations)
        key = answer_key(self._identity, conversations, repeat)
        if key not in self._flights:
            stored = self._store.get(key, since=self._since)
            if stored is not None:
                if stored[0].asked_at < self._started:  # what this run asked itself is no old answer
                    self.counts.serve(stored)
                return stored
            if self._offline:
                raise OfflineMiss(f"{self.system.label}: an answer is not stored; run once without --offline")
        return await self._flights.get(key, lambda: self._pay(key, conversations, asking))

    async def _pay(
        self,
        key: str,
        conversations: Sequence[Conversation],
        asking: Callable[[Sequence[Conversation]], Awaitable[list[Response]]],
    ) -> list[Response]:
        async with self._slots:
            self._refuse_when_hopeless()
            asked_at = time.time()
            try:
                responses = await self._with_retries(conversations, asking)
            except SystemFailure as error:
                self.counts.errors += 1
                self._store.put_failure(key, self.system.label, str(error), asked_at)
                raise
            responses = [r if r.asked_at else replace(r, asked_at=asked_at) for r in responses]
            self._store.put(key, self.system.label, responses, asked_at)
        for response in responses:
            self.counts.prompt_tokens += response.prompt_tokens
            self.counts.completion_tokens += response.completion_tokens
            if response.finish is Finish.FILTERED:
                self.counts.errors += 1
                raise SystemFailure("the answer was withheld by a content filter")
            if response.finish is Finish.LENGTH:
                self.counts.errors += 1
                raise SystemFailure("the answer was cut off at the token limit; raise max_tokens")
        return responses

    async def _with_retries(
        self,
        conversations: Sequence[Conversation],
        asking: Callable[[Sequence[Conversation]], Awaitable[list[Response]]],
    ) -> list[Response]:
        try:
            try:
                responses = await self._try(conversations, asking)
            except Retryable as error:
                if self._limits.retries == 0:
                    raise
                responses = await self._retry(conversations, asking, error)
        except AccessDenied as error:
            self._denied = str(error)
            raise
        except Retryable as error:
            self._failures_in_a_row += 1
            self._last_failure = str(error)
            raise
        self._failures_in_a_row = 0
        return responses

    async def _retry(
        self,
        conversations: Sequence[Conversation],
        asking: Callable[[Sequence[Conversation]], Awaitable[list[Response]]],
        first: Retryable,
    ) -> list[Response]:
        # The first try stays outside tenacity: its bookkeeping costs as much as a whole request.
        await asyncio.sleep(self._wait_after(first, 0))
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception_type(Retryable),
            stop=tenacity.stop_after_attempt(self._limits.retries),
            wait=lambda state: self._wait_after(_failure(state), state.attempt_number),
            reraise=True,
        )
        return await retrying(self._try, conversations, asking)

    def _wait_after(self, error: BaseException | None, attempt: int) -> float:
        asked_for = getattr(error, "after", None)
        wait: float = asked_for if asked_for is not None else 0.5 * 2.0**attempt
        return min(wait, self._limits.longest_wait)

    async def _try(
        self,
        conversations: Sequence[Conversation],
        asking: Callable[[Sequence[Conversation]], Awaitable[list[Response]]],
    ) -> list[Response]:
        self._spending.pay(len(conversations))
        self.counts.paid += len(conversations)
        if self._limiter is not None:
            await self._limiter.acquire()
        if self._batcher is not None:  # a batch waits for the one before it; its time says nothing of a question
            return await asking(conversations)
        try:
            async with asyncio.timeout(self._limits.timeout * len(conversations)):
                return await asking(conversations)
        except TimeoutError as error:
            raise Retryable(f"no answer within {self._limits.timeout:g} s; raise the system's timeout") from error

    async def _ask_one(self, conversations: Sequence[Conversation]) -> list[Response]:
        if self._batcher is not None:
            return [await self._batcher.ask(conversations[0])]
        return [await self.system.ask(conversations[0])]

    async def _ask_session(self, conversations: Sequence[Conversation]) -> list[Response]:
        assert self._session is not None
        responses = []
        async with self._session() as session:
            talk: _Session = session
            for conversation in conversations:
                responses.append(await talk.send(conversation))
        return responses

    def _refuse_when_hopeless(self) -> None:
        if self._denied is not None:
            raise AccessDenied(self._denied)
        if self._failures_in_a_row >= GIVE_UP_AFTER:
            raise SystemFailure(f"given up after {GIVE_UP_AFTER} failures in a row, the last: {self._last_failure}")


def _limiter(rate: float | None) -> AsyncLimiter | None:
    """Return the limiter of so many questions per second; below one, it is one question per more than a second."""
    if rate is None:
        return None
    return AsyncLimiter(rate, 1.0) if rate >= 1.0 else AsyncLimiter(1.0, 1.0 / rate)


def _failure(state: tenacity.RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome is not None else None
