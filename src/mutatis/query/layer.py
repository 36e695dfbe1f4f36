"""The query layer: returns a stored answer, joins an identical question in flight, or asks within the limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from mutatis.core.errors import AnswerCutOff, EndUnknown, NotReached, NotRecorded, OfflineMiss, SystemFailure
from mutatis.core.system import Conversation, Finish, Response, ServiceEndpoint, as_system
from mutatis.guarding import ends_us
from mutatis.loops import Flights
from mutatis.query.circuit import Trial, why_withheld
from mutatis.query.key import answer_key, canonical
from mutatis.query.spending import Counts, Prices, Spending
from mutatis.query.store import Store
from mutatis.query.wire import Asking, Limits, Sent, Wire, checked
from mutatis.secrets.environment import cleaned
from mutatis.text.visible import named

TOGETHER = 128
"""Maximum number of questions passed at once to a system with `ask_many`, regardless of its concurrency."""

RESUMED = 24 * 3600
"""Number of seconds within which the answers of an unfinished run count as part of the run that repeats it."""


class QueryLayer:
    """Asks one system (or helper) and stores every answer.

    Args:
        system: the system that answers.
        store: the store that keeps the answers.
        limits: concurrency, rate, retries and timeout.
        spending: the budget, shared with other layers of the run.
        offline: never ask; a missing answer raises OfflineMiss.
        fresh: use a stored answer only if this run asked the question, whatever the timestamp of the answer.
        once: error message for a question that was asked before, in this run or another on the same store, but has no
            answer. If it is given, no question is asked twice, whatever its outcome. By default, questions may be
            repeated.
    """

    def __init__(
        self,
        system: object,
        store: Store,
        limits: Limits | None = None,
        *,
        spending: Spending | None = None,
        offline: bool = False,
        fresh: bool = False,
        once: str = "",
    ) -> None:
        self.system = system = as_system(system)
        self.counts = Counts()
        self.prices: Prices | None = None
        self.moved: Callable[[], object] = lambda: None
        """Callback invoked after each question and before each further attempt."""
        self._store = store
        self.spending = spending or Spending()
        self._offline = offline
        self._rejected: set[str] = set()
        """Keys of the questions whose answers the caller could not use."""
        self._started = self._current_since = time.time()
        """The times when the layer was made and its run began. The run may have begun in an earlier process."""
        self._fresh = fresh
        self._asked_before = once
        self._identity: Mapping[str, Any] | str = dict(system.identity)
        # What is paid is kept: an asker who is cancelled leaves the question to those who joined, and to the store.
        self._flights: Flights[str, list[Response]] = Flights(finish=True)
        self.free = system.free  # nobody is asked: offline it answers like a store
        self._batcher = None if system.ask_many is None else Batcher(system.ask_many)
        self._limits = limits or Limits()
        # A batch is one question on the wire, so that whoever answers many at once gets many.
        most_at_once = self._limits.concurrency
        self.concurrency = most_at_once if self._batcher is None else max(most_at_once, TOGETHER)
        self._slots = asyncio.Semaphore(self.concurrency)
        self._session = system.session
        self._wire = self._new_wire()

    def _new_wire(self) -> Wire:
        """Return the sender of questions to the system, which shares the circuit of the system's endpoint."""
        endpoint = self.system.endpoint if isinstance(self.system.endpoint, ServiceEndpoint) else None
        timeout = 0.0 if endpoint is None else endpoint.timeout
        return Wire(
            name=self.system.label,
            limits=self._limits,
            circuit=self.spending.circuit(None if endpoint is None else endpoint.origin),
            pay=self._count,
            again=lambda: self.moved(),  # which is set later
            counts=self.counts,
            # An endpoint that answers in one request, within a timeout of its own, needs no second clock.
            limited=self._batcher is None and (self.stateful or not 0 < timeout <= self._limits.timeout),
            many=self.concurrency,
            trial=Trial(over=self.free),
        )

    @property
    def stateful(self) -> bool:
        """True if the system keeps the state of a dialogue, so that a dialogue must be sent as a whole."""
        return self._session is not None

    @property
    def is_endpoint(self) -> bool:
        """True if the answers come from a remote service, which may change without notice."""
        return self.system.endpoint is not None

    def begin(self, run: str) -> None:
        """Record the beginning of a run in the store. Answers from an earlier attempt at the same run count as its own.

        A run that was killed and then repeated is thus a single run, even if only a few questions are left to ask.
        """
        if not self._offline:
            began = self._store.begin(self._name, run, self._started)
            self._current_since = max(began, self._started - RESUMED)

    def finish(self, run: str) -> None:
        """Record in the store that a run is complete, including its report."""
        if not self._offline:
            self._store.finish(self._name, run)

    @property
    def _name(self) -> str:
        return answer_key(self._identity, [], 0)

    async def ask(self, conversation: Conversation, repeat: int = 0) -> Response:
        """Return the answer to one conversation.

        Raises:
            SystemFailure: there is no usable answer after all retries; AccessDenied if asking again would not help.
            OfflineMiss, BudgetExceeded: the answer is not stored, and the question may not be asked.
        """
        [response] = await self._answers([conversation], repeat, self._ask_one)
        return response

    async def ask_dialogue(self, conversations: Sequence[Conversation], repeat: int = 0) -> list[Response]:
        """Return a stateful system's answers to all turns of a dialogue, replayed from the first turn."""
        return await self._answers(conversations, repeat, self._ask_session)

    def reject(self, conversation: Conversation, reason: str) -> None:
        """Record that the answer to a conversation is unusable. This run keeps it, but the next run asks again."""
        key = self._key([conversation], 0)
        if key not in self._rejected:
            self._rejected.add(key)
            self.spending.here.add(key)
            self.counts.unusable += 1
            self.counts.failed(reason)
            self._store.reject(key)

    async def drain(self) -> int:
        """Stop asking, wait for the answers to questions in flight, and return the number of answers stored.

        An interrupted run does this because questions in flight have already been paid for. If the store does not keep
        answers, nothing is awaited: the questions are cancelled, so that none opens a connection that was just closed.
        """
        self._wire.closing = True
        tasks = self._flights.under_way
        for task in tasks:
            if not self.keeps or task not in self._wire.sending:
                task.cancel()
        return sum(isinstance(kept, list) for kept in await asyncio.gather(*tasks, return_exceptions=True))

    @property
    def keeps(self) -> bool:
        """True if the store keeps answers after this process ends."""
        return self._store.path is not None

    @property
    def on_the_wire(self) -> int:
        """The number of questions currently in flight."""
        return len(self._wire.sending)

    def cost(self) -> float:
        """Return the amount spent, in the currency of the prices, or 0 if no prices are given."""
        return self._price(self.counts.prompt_tokens, self.counts.completion_tokens)

    @property
    def mean_answer(self) -> dict[str, float] | None:
        """The mean seconds, tokens and price of an answer, or None before the first answer.

        Stored answers are included.
        """
        answers = self.counts.answers
        if not answers.number:
            return None
        mean = {
            "seconds": 0.0 if self.free else answers.seconds / answers.number,  # answers from a file take no time
            "prompt_tokens": answers.prompt_tokens / answers.number,
            "completion_tokens": answers.completion_tokens / answers.number,
        }
        if self.prices is not None:
            mean["money"] = self._price(answers.prompt_tokens, answers.completion_tokens) / answers.number
        return mean

    def _price(self, prompt_tokens: int, completion_tokens: int) -> float:
        if self.prices is None:
            return 0.0
        return (prompt_tokens * self.prices.prompt + completion_tokens * self.prices.completion) / 1e6

    async def _answers(self, conversations: Sequence[Conversation], repeat: int, asking: Asking) -> list[Response]:
        """Return the answers to a question, and count the question before and after."""
        self.counts.logical += len(conversations)
        try:
            return await self._stored_or_asked(conversations, repeat, asking)
        finally:
            self.counts.answered += len(conversations)
            self.moved()

    async def _stored_or_asked(
        self, conversations: Sequence[Conversation], repeat: int, asking: Asking
    ) -> list[Response]:
        """Return the stored answers to a question, or those to the same question in flight, or ask it."""
        key = self._key(conversations, repeat)
        if not self.free:
            self.spending.count(key, len(conversations))
        if key not in self._flights:
            stored = self._stored(key)
            if stored is not None:
                return stored
            if self._offline and not self.free:
                raise OfflineMiss(f"{self.system.label}: no stored answer; run once without --offline")
        return await self._flights.get(key, lambda: self._pay(key, conversations, asking))

    def _key(self, conversations: Sequence[Conversation], repeat: int) -> str:
        try:
            if not isinstance(self._identity, str):  # written once: it is the same in every key
                self._identity = canonical(self._identity)
            return answer_key(self._identity, conversations, repeat)
        except Exception as error:
            raise SystemFailure(f"the question cannot be serialised: {named(error)}") from error

    def _stored(self, key: str, *, since_looked: bool = False) -> list[Response] | None:
        """Return the stored answers for a key, or None if none can be used.

        Raise an exception if they are filtered, cut off, or ended for an unknown reason.

        Whether an answer may be used is decided by the keys of the questions that this run asked, not by timestamps,
        because the clocks of machines differ. Timestamps only decide whether it is counted as an old one.
        `since_looked` marks an answer that a different run stored in the meantime.
        """
        asked_here = key in self.spending.here
        if self._fresh and not asked_here:
            return None
        stored = self._store.get(key, unusable=asked_here or self._offline)
        if stored is None:
            return None
        try:
            stored = checked(stored, len(stored))
        except SystemFailure:  # stored by an earlier version, which did not count such answers as failures
            return None
        self._wire.trial.answered(stored)
        # A time in the future was measured by another clock.
        is_from_this_run = self._fresh or self._started <= stored[0].asked_at <= time.time()
        if since_looked or not is_from_this_run:
            self.counts.serve(stored)
        # It may come from the run itself, from a simultaneous run, or from a killed run that this one repeats.
        self.counts.current |= self._current_since <= stored[0].asked_at <= time.time()
        self._refuse_withheld(stored)
        return stored

    async def _pay(self, key: str, conversations: Sequence[Conversation], asking: Asking) -> list[Response]:
        """Ask a question and count its answers and their price, unless another run has stored them in the meantime."""
        async with self._slots, self._store.claims.held(key, self._limits.timeout * len(conversations)):
            stored = self._stored(key, since_looked=True)
            if stored is not None:
                return stored
            responses = await self._ask_and_store(key, conversations, asking)
        self.counts.current = True
        self.counts.answers.add(responses)
        for response in responses:
            self.counts.prompt_tokens += response.prompt_tokens
            self.counts.completion_tokens += response.completion_tokens
            self.spending.money += self._price(response.prompt_tokens, response.completion_tokens)
        self._refuse_withheld(responses)
        return responses

    async def _ask_and_store(self, key: str, conversations: Sequence[Conversation], asking: Asking) -> list[Response]:
        """Ask a question and store its answers, or the reason why it failed."""
        asked_at = time.time()
        try:
            if self._asked_before:
                asking = self._asking_once(key, asking)
            responses = await self._wire.ask(key, conversations, asking)
            self._put(key, responses, asked_at)
            return responses
        except NotRecorded:  # nobody failed, and there is nothing to keep
            self.spending.discount(key, len(conversations))
            raise
        except SystemFailure as error:
            self.counts.errors += 1
            self.counts.failed(str(error))
            self.spending.discount(key, len(conversations))
            self._store.put_failure(key, self.system.label, str(error), asked_at)
            raise

    def _asking_once(self, key: str, asking: Asking) -> Asking:
        """Return a function that records a question before asking it, and refuses to ask a recorded question.

        Raises:
            SystemFailure: the question was asked before. It is raised at once, so that it does not count as a failed
                attempt of the system.
        """
        if self._store.was_begun(key):
            raise SystemFailure(self._asked_before)

        async def ask(conversations: Sequence[Conversation], sent: Sent) -> list[Response]:
            if not self._store.begin_once(key, self.system.label, time.time()):
                raise SystemFailure(self._asked_before)
            try:
                return await asking(conversations, sent)
            except NotReached:
                self._store.not_begun(key)
                raise

        return ask

    def _put(self, key: str, responses: Sequence[Response], asked_at: float) -> None:
        try:
            self._store.put(key, self.system.label, responses, asked_at)
            # A later run asks again for an answer that ended for an unknown reason, but this run does not.
            if self._fresh or any(response.finish is Finish.UNKNOWN for response in responses):
                self.spending.here.add(key)
        except (TypeError, ValueError, RecursionError) as error:
            raise SystemFailure(f"the answer cannot be stored: {named(error)}") from error

    def _refuse_withheld(self, responses: Sequence[Response]) -> None:
        """Raise an exception if an answer is filtered, cut off, or ended for an unknown reason."""
        for response in responses:
            if response.finish is not Finish.STOP:
                if response.finish is Finish.UNKNOWN:
                    raise EndUnknown(why_withheld(response))
                self.counts.errors += 1
                self.counts.failed(why_withheld(response))
                kind = AnswerCutOff if response.finish is Finish.LENGTH else SystemFailure
                raise kind(why_withheld(response))

    def _count(self, questions: int) -> None:
        if self.free:  # what is read from a file is no question of a budget
            return
        self.spending.pay(questions)
        self.counts.paid += questions

    async def _ask_one(self, conversations: Sequence[Conversation], sent: Sent) -> list[Response]:
        sent.turns += 1
        if self._batcher is not None:
            return [await self._batcher.ask(conversations[0])]
        return [await _timed(self.system.ask(conversations[0]))]

    async def _ask_session(self, conversations: Sequence[Conversation], sent: Sent) -> list[Response]:
        assert self._session is not None
        responses = []
        async with self._session() as session:
            for conversation in conversations:
                sent.turns += 1
                responses.append(await _timed(session.send(conversation)))
        return responses


async def _timed(answer: Awaitable[Response]) -> Response:
    """Wait for an answer and return it with its times."""
    asked_at, started = time.time(), time.perf_counter()
    return _with_times(await answer, asked_at, time.perf_counter() - started)


def _with_times(response: Response, asked_at: float, seconds: float) -> Response:
    """Return an answer with the time and duration of its question, unless the system has set them itself."""
    return (
        replace(response, asked_at=response.asked_at or asked_at, latency=response.latency or seconds)
        if isinstance(response, Response)  # a system of the user's own may return anything, which `checked` refuses
        else response
    )


# Micro-batching for systems that answer many questions at once (classifiers, local models).

LARGEST = 256
"""Maximum number of questions in one batch."""

_Answer: TypeAlias = tuple[Response, float, float]
"""An answer, the time when its batch was sent, and its share of the seconds that the batch took."""


class Batcher:
    """A collector of the questions that arrive while a batch is being answered. The next batch asks them."""

    def __init__(self, ask_many: Callable[[Sequence[Conversation]], Awaitable[Sequence[Response | SystemFailure]]]):
        self._ask_many = ask_many
        self._waiting: list[tuple[Conversation, asyncio.Future[_Answer]]] = []
        self._worker: asyncio.Task[None] | None = None

    async def ask(self, conversation: Conversation) -> Response:
        """Return the answer to one question, which is asked in a batch with others."""
        future: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((conversation, future))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return _with_times(*await future)

    async def _work(self) -> None:
        """Answer batches until no question waits. A failure of a batch is the answer to each of its questions."""
        await asyncio.sleep(0)  # let everyone who is ready to ask join the first batch
        # A question whose caller has been cancelled in the meantime is not asked.
        while open_questions := [entry for entry in self._waiting if not entry[1].done()]:
            batch, self._waiting = open_questions[:LARGEST], open_questions[LARGEST:]
            asked_at, started = time.time(), time.perf_counter()
            try:
                answers = await self._ask_many([conversation for conversation, _ in batch])
                if len(answers) != len(batch):
                    raise SystemFailure(f"ask_many returned {len(answers)} answers to {len(batch)} questions")
            except BaseException as error:
                failure = error if isinstance(error, SystemFailure) else SystemFailure(named(error, cleaned))
                answers = [failure] * len(batch)
                if ends_us(error, asyncio.current_task()):  # any other exception is the batch's answer
                    self._fail([*batch, *self._waiting], SystemFailure("asking was cancelled"))
                    raise
            seconds_each = (time.perf_counter() - started) / len(batch)
            # Each caller gets an answer, even if others of the same batch have been cancelled.
            for (_, future), answer in zip(batch, answers, strict=True):
                if future.done():
                    continue
                if isinstance(answer, SystemFailure):
                    future.set_exception(answer)
                else:
                    future.set_result((answer, asked_at, seconds_each))

    def _fail(self, questions: Sequence[tuple[Conversation, asyncio.Future[_Answer]]], error: SystemFailure) -> None:
        self._waiting = []
        for _, future in questions:
            if not future.done():
                future.set_exception(error)
