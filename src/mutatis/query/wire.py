"""Sends one question until it is answered or further attempts are pointless, and turns errors into named failures."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from aiolimiter import AsyncLimiter

from mutatis.core.calls import ToolCall
from mutatis.core.errors import AccessDenied, MutatisError, Retryable, SystemFailure
from mutatis.core.probabilities import check_chances
from mutatis.core.system import Conversation, Response, plain_string
from mutatis.guarding import ends_us
from mutatis.query.circuit import LOGGED_AFTER, Circuit, Trial
from mutatis.query.spending import Counts
from mutatis.secrets.environment import cleaned, without_values
from mutatis.text.visible import named, visible

DENIALS = 3
"""Number of consecutive access refusals after which a system that has answered before is given up.

A system that has never answered is given up after the first refusal.
"""

LARGEST = 10_000_000
"""Maximum number of characters in an answer. A longer answer counts as a failure."""

log = logging.getLogger("mutatis")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on the questions to a system.

    Attributes:
        concurrency: maximum number of questions in flight.
        rate: maximum number of questions per second, or None for no limit.
        retries: maximum number of further attempts after a temporary failure.
        timeout: maximum seconds per attempt. Systems that answer in batches have no such limit.
        longest_wait: maximum seconds to wait before an attempt, even if the system asks for more.
        max_wait: seconds to wait, in total, for a system that does not answer, or no longer.
    """

    concurrency: int = 16
    rate: float | None = None
    retries: int = 4
    timeout: float = 120.0
    longest_wait: float = 60.0
    max_wait: float = 300.0


@dataclass(slots=True)
class Sent:
    """The number of turns of a dialogue that were sent in one attempt."""

    turns: int = 0


Asking = Callable[[Sequence[Conversation], Sent], Awaitable[list[Response]]]


@dataclass(slots=True, kw_only=True)
class Wire:
    """The sender of questions to one system. It repeats each until it is answered or further attempts are pointless.

    Attributes:
        pay: function that counts questions about to be sent. A negative number undoes the count of unsent questions.
        again: function called before every further attempt.
        limited: whether an attempt ends when its time is up. It does not if the system has a timeout of its own, or if
            questions are answered in batches, where the time of a single question is meaningless.
        many: maximum number of concurrent questions.
        closing: whether failed attempts are no longer repeated.
        sending: the tasks whose questions are in flight, and so already paid for.
    """

    name: str
    limits: Limits
    circuit: Circuit
    pay: Callable[[int], None]
    again: Callable[[], object]
    counts: Counts
    limited: bool
    many: int
    closing: bool = False
    sending: set[asyncio.Task[Any]] = field(default_factory=set)
    trial: Trial = field(default_factory=Trial)
    limiter: AsyncLimiter | None = field(init=False)
    _denied: str | None = field(init=False, default=None)
    _denials: int = field(init=False, default=0)
    _is_logged: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        rate = self.limits.rate
        # A rate below one allows one question per 1 / rate seconds.
        self.limiter = None if rate is None else AsyncLimiter(max(rate, 1.0), max(1.0, 1.0 / rate))

    async def ask(self, key: str, conversations: Sequence[Conversation], asking: Asking) -> list[Response]:
        """Return the answers to the question with this `key`.

        Raises:
            SystemFailure: there is no usable answer after all retries; AccessDenied if asking again would not help.
            BudgetExceeded: the question would exceed the budget.
        """
        async with self.trial.question():
            return await self._ask(key, conversations, asking)

    async def _ask(self, key: str, conversations: Sequence[Conversation], asking: Asking) -> list[Response]:
        """Repeat attempts until one succeeds or no further one is worthwhile.

        The circuit records each attempt, to recognise outages. The trial records each question, to recognise a system
        that never answers.
        """
        tries: _Tries | None = None  # made after the first failure, because nearly all questions have none
        circuit = self.circuit
        while True:
            if self._denied is not None:
                raise AccessDenied(self._denied)
            is_probe = False if circuit.enter() else await circuit.admit(self.name, self.limits.max_wait)
            began = time.perf_counter()
            try:
                responses = await self._try(conversations, asking)
            except Retryable as error:
                now, max_wait = time.perf_counter(), self.limits.max_wait
                circuit.failed(error, key, many=self.many, spent=now - began, now=now, max_wait=max_wait)
                self.counts.trouble = str(error)
                failure = error
            except AccessDenied as error:
                self._denials += 1
                if not circuit.answered or self._denials >= DENIALS:
                    self._denied = str(error)
                raise
            except SystemFailure as error:
                circuit.succeeded(answered=False, name=self.name)  # no outage: it only rejected this question
                self.trial.failed(str(error))
                raise
            else:
                self._denials = 0
                self.counts.trouble = ""
                circuit.succeeded(name=self.name)
                self.trial.ended(responses)
                return responses
            finally:
                circuit.leave(is_probe)
            tries = tries or _Tries(limits=self.limits)
            await self._pause(failure, tries)
            self.counts.retries += 1
            self.again()

    async def _pause(self, failure: Retryable, tries: _Tries) -> None:
        """Wait before the next attempt, or raise the failure if there is to be no further attempt."""
        free = self.circuit.answered and failure.kind in ("away", "refused")
        wait = tries.next(failure, free=free)
        if wait is None or self.closing:
            self.circuit.lost(failure)
            raise failure
        if self.circuit.down is not None or not wait:
            return  # the circuit makes the pauses of an outage
        tries.waited += wait
        if not (self.circuit.answered or self._is_logged) and tries.waited > LOGGED_AFTER:
            self._is_logged = True  # the circuit logs the outage of a system that has answered before
            log.warning("no answer yet: %s; asking again in %.0f s", failure, wait)
        if failure.kind == "busy" and failure.after is not None and failure.after <= self.limits.longest_wait:
            await self.circuit.hold(wait)  # a time beyond reason holds nobody but its own question
        else:
            await asyncio.sleep(wait)

    async def _try(self, conversations: Sequence[Conversation], asking: Asking) -> list[Response]:
        """Send a question once and return its answers. Turns that were not sent are not paid for.

        Raises:
            Retryable: the answer did not come in time, or the system asked for another attempt.
            SystemFailure: the system failed in any other way, including exceptions of its own code.
        """
        sent = Sent()
        self.pay(len(conversations))
        task = asyncio.current_task()
        try:
            if self.limiter is not None:
                await self.limiter.acquire()
            if task is not None:
                self.sending.add(task)
            if not self.limited:
                return self._without_keys(checked(await asking(conversations, sent), len(conversations)))
            async with asyncio.timeout(self.limits.timeout * len(conversations)):
                return self._without_keys(checked(await asking(conversations, sent), len(conversations)))
        except TimeoutError as error:
            message = f"no answer within {self.limits.timeout:g} s; raise the system's timeout"
            raise Retryable(message) from error
        except SystemFailure as error:
            if isinstance(error, Retryable) and error.kind == "refused":
                sent.turns -= 1  # the turn was counted, but the connection was not accepted
            error.args = (cleaned(str(error)), *error.args[1:])  # a system of the user's own may quote its request
            raise
        except MutatisError:
            raise
        except BaseException as error:  # a cancellation that nobody requested comes from the system's own code
            if ends_us(error, task):
                raise
            raise SystemFailure(f"{visible(self.name)} failed: {named(error, cleaned)}") from error
        finally:
            if task is not None:
                self.sending.discard(task)
            if sent.turns < len(conversations):
                self.pay(sent.turns - len(conversations))

    def _without_keys(self, responses: list[Response]) -> list[Response]:
        """Remove values of environment variables that answers repeat, and count these answers."""
        shown = [keyless(response) for response in responses]
        self.counts.masked += sum(after is not before for before, after in zip(responses, shown, strict=True))
        return shown


@dataclass(slots=True, kw_only=True)
class _Tries:
    """The failed attempts at one question."""

    limits: Limits
    faults: int = 0
    busy: int = 0
    free: int = 0
    waited: float = 0.0

    def next(self, failure: Retryable, *, free: bool) -> float | None:
        """Return the number of seconds before the next attempt, or None if there is to be no further attempt."""
        number = self.faults + self.busy + self.free
        if free and self.waited < self.limits.max_wait:  # others are answered: it may be this question after all
            self.free += 1
        elif failure.kind == "busy":
            self.busy += 1
        else:
            self.faults += 1
        if self.faults > self.limits.retries or self.busy > 2 * self.limits.retries:
            return None
        wait = failure.after if failure.after is not None else 0.5 * 2.0 ** min(number, 32)
        return min(wait, self.limits.longest_wait)


def checked(responses: Sequence[Response], number: int) -> list[Response]:
    """Return the answers if they are valid. Raise SystemFailure if a system did not return proper responses.

    >>> checked([Response(text=None)], 1)
    Traceback (most recent call last):
        ...
    mutatis.core.errors.SystemFailure: the answer's text is a NoneType; expected a string
    """
    if len(responses) != number:
        raise SystemFailure(f"{len(responses)} answers to {number} questions")
    for response in responses:
        if not isinstance(response, Response):
            raise SystemFailure(f"the answer is a {type(response).__name__}; expected a Response")
        if not isinstance(response.text, str):
            raise SystemFailure(f"the answer's text is a {type(response.text).__name__}; expected a string")
        _check_parts(response)
        if len(response.text) > LARGEST:
            raise SystemFailure(f"the answer has {len(response.text)} characters; at most {LARGEST} are read")
        _check_probabilities(response)
    return [
        response if type(response.text) is str else replace(response, text=plain_string(response.text))
        for response in responses
    ]


def keyless(response: Response) -> Response:
    """Remove values of environment variables from an answer. Return the same object if it contains none."""
    parts = {"text": response.text, "refusal": response.refusal, "ended": response.ended, "data": response.data}
    shown: dict[str, Any] = {name: without_values(part) for name, part in parts.items()}
    calls = [call.to_record() for call in response.calls]
    shown_calls = without_values(calls)
    if shown == parts and shown_calls == calls:
        return response
    return replace(response, **shown, calls=tuple(map(ToolCall.from_record, shown_calls)), decisions=None)


def _check_parts(response: Response) -> None:
    """Raise SystemFailure if the parts other than the text cannot be written as JSON."""
    if not response.calls and response.data is None and not response.refusal:
        return
    if not isinstance(response.refusal, str):
        raise SystemFailure(f"the answer's refusal is a {type(response.refusal).__name__}; expected a string")
    parts = {"calls": [call.to_record() for call in response.calls], "data": response.data}
    for name, part in parts.items():
        try:
            size = len(json.dumps(part, allow_nan=False))
        except (TypeError, ValueError, RecursionError) as error:
            raise SystemFailure(f"the answer's {name} are not JSON data: {named(error)}") from None
        if size > LARGEST:
            raise SystemFailure(f"the answer's {name} have {size} characters; at most {LARGEST} are read")


def _check_probabilities(response: Response) -> None:
    if response.probabilities is not None:
        check_chances(response.probabilities, "the answer's probabilities")
    if response.decisions is None:
        return
    if not isinstance(response.decisions, Mapping) or not all(isinstance(name, str) for name in response.decisions):
        raise SystemFailure("the answer's decisions do not map names to tables of numbers")
    for name, outcomes in response.decisions.items():  # the likeliest outcomes may be all that is told
        check_chances(outcomes, f"the probabilities of the answer's decision {name[:60]!r}", whole=False)
