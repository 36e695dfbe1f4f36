"""Tracks whether an endpoint answers and how many concurrent questions it accepts, across a whole run.

If an endpoint that has answered before stops answering, the run waits. One question at a time is sent as a probe, at
increasing intervals, while the others wait. The limit on concurrent questions is learnt from refusals.

An endpoint that has never answered is not probed, but given up after the same time. If its first questions all fail
permanently for the same reason, such as a malformed request, a wrong path to the reply or a token limit that every
answer exceeds, the run gives up, because each further question would cost money without an answer.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from mutatis.core.errors import Retryable, SystemFailure
from mutatis.core.system import Finish, Response
from mutatis.text.visible import visible

GIVE_UP_AFTER = 10
"""Number of consecutive failed questions after which an endpoint that has never answered is given up."""

FEWEST_FAILING = 4
"""Number of consecutive failed questions after which the endpoint is blamed, rather than the questions."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Shortest and longest pause between two attempts during an outage, in seconds. Each is twice the previous one."""

LOGGED_AFTER = 3.0
"""Number of seconds after which an outage is logged. Shorter outages are common."""

SELDOM = 25
"""Factor that slows the growth of the number of concurrent questions just below a number that was refused."""

log = logging.getLogger("mutatis")


class Circuit:
    """The state of one endpoint.

    For every attempt, call `admit`, then `succeeded` or `failed`, then `leave`.
    """

    def __init__(self) -> None:
        self.answered = False
        self.gone: str | None = None
        """The reason why the endpoint was given up, or None if it was not."""
        self.down: str | None = None
        """The most recent failure during an outage, or None if there is no outage."""
        self.most = math.inf
        """Maximum number of questions in flight, learnt from refusals."""
        self._refused_at = math.inf
        """The number of questions in flight when one was last refused."""
        self._accepted = 0
        """Number of questions accepted since `most` was last changed."""
        self._on_wire = 0
        """Number of questions in flight."""
        self._holds = 0
        """Number of questions that the endpoint answered with a request to wait."""
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._probing = asyncio.Lock()
        self._failing: set[str] = set()
        """Keys of the questions whose attempts have failed since the last reply."""
        self._failing_since: float | None = None
        """Time of the first failure of an endpoint that has never answered."""
        self._lost = 0
        """Number of questions that have failed after all retries since the last reply."""
        self._pause = FIRST_PAUSE
        self._requested_pause = 0.0
        """Seconds that the endpoint asked to wait before the next attempt during an outage."""
        self._waited = 0.0
        """Seconds of pauses and failed attempts during the outage."""

    def enter(self) -> bool:
        """Count one more question as in flight and return True if it may be sent now, else return False.

        Unlike `admit`, this does not wait.
        """
        if self.gone is None and self.down is None and not self._holds and self._on_wire < self.most:
            self._on_wire += 1
            return True
        return False

    async def admit(self, name: str, max_wait: float) -> bool:
        """Wait until one more question may be sent. Return True if it is the one that probes an outage.

        Raises:
            SystemFailure: the run has given up on the endpoint.
        """
        while True:
            if self.gone is not None:
                raise SystemFailure(self.gone)
            if self.down is not None:
                await self._probing.acquire()
                if self.down is not None and self.gone is None and await self._rest(name, max_wait):
                    return True
                self._probing.release()
            elif self.enter():
                return False
            else:
                await self._queue()

    async def _rest(self, name: str, max_wait: float) -> bool:
        """Pause before the next attempt during an outage. Return True if the outage continues after the pause.

        The caller holds the lock `_probing`. If the result is True, it may send one question, which is counted in
        flight, and keeps the lock until that question leaves.
        """
        pause = max(self._pause, self._requested_pause)
        if max_wait > self._waited:  # after that, it is given up once enough different questions have failed
            pause = min(pause, max_wait - self._waited)
        self._pause, self._requested_pause = min(2 * self._pause, LONGEST_PAUSE), 0.0
        if self._waited + pause > LOGGED_AFTER:
            left = max(0.0, max_wait - self._waited)
            log.warning(
                "%s does not answer (%s); asking again in %.0f s, giving up in %.0f s", name, self.down, pause, left
            )
        try:
            await asyncio.sleep(pause)
        except BaseException:
            self._probing.release()
            raise
        self._waited += pause
        if self.down is None:  # an answer that was on the wire came after all
            return False
        self._on_wire += 1
        return True

    async def _queue(self) -> None:
        """Wait until another question leaves or the state of the endpoint changes."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._wake()  # another question takes its place
            raise

    def leave(self, is_probe: bool) -> None:
        """Count a question as no longer in flight. `is_probe` is True if it probed an outage."""
        self._on_wire -= 1
        if is_probe:
            self._probing.release()
        self._wake()

    def _wake(self) -> None:
        """Let as many waiting questions continue as may be sent. During an outage, all must learn of it."""
        if self.down is not None or self.gone is not None:
            room = math.inf
        else:
            room = 0 if self._holds else self.most - self._on_wire
        while self._waiting and room > 0:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                room -= 1

    async def hold(self, seconds: float) -> None:
        """Stop sending questions for this many seconds, as requested by the endpoint."""
        self._holds += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self._holds -= 1
            self._wake()

    def succeeded(self, *, answered: bool = True, name: str = "") -> None:
        """Record a reply, which shows that the endpoint works.

        `answered` is False if the reply only rejected this one question.
        """
        if answered:
            self.answered = True
        if self._failing or self._lost:
            self._failing.clear()
            self._lost, self._failing_since = 0, None
        if self.down is not None:
            if self._waited > LOGGED_AFTER:
                log.warning("%s answers again", name)
            self.down, self._pause, self._waited = None, FIRST_PAUSE, 0.0
        if self.most != math.inf:
            self._accepted += 1
            self._grow()

    def failed(self, error: Retryable, question: str, *, many: int, spent: float, now: float, max_wait: float) -> None:
        """Record a failed attempt at a question, given by its key.

        An outage begins if several different questions fail in a row. If it lasts too long, the endpoint is given up.
        An endpoint that has never answered has no outage; it is given up after the same time, or by `lost`.

        `many` is the number of concurrent questions, and `spent` is the duration of the attempt, which ended at `now`,
        in seconds.
        """
        if error.kind == "busy":
            self._too_many()
        self._failing.add(question)
        if not self.answered:
            self._wait_for_the_first_answer(error, now, max_wait)
            return
        is_unreachable = error.kind in ("away", "refused")
        if self.down is not None:  # the outage goes on
            self._waited += spent
        elif len(self._failing) < self._enough(many, is_unreachable=is_unreachable):
            return
        self.down = str(error)
        self._requested_pause = max(self._requested_pause, min(error.after or 0.0, LONGEST_PAUSE))
        # If the endpoint can be reached, a few questions may themselves be the cause, but not ten different ones.
        if self._waited >= max_wait and (is_unreachable or len(self._failing) >= GIVE_UP_AFTER):
            self.gone = f"given up after {self._waited:.0f} s without an answer; the last error: {error}"
        self._wake()

    def _wait_for_the_first_answer(self, error: Retryable, now: float, max_wait: float) -> None:
        """Give up an endpoint that has never answered if it fails for too long, and not because of one question."""
        self._failing_since = now if self._failing_since is None else self._failing_since
        waited = now - self._failing_since
        if waited >= max_wait and (error.kind == "busy" or len(self._failing) > 1):
            self.gone = f"given up after {waited:.0f} s without an answer; the last error: {error}"
            self._wake()

    @staticmethod
    def _enough(many: int, *, is_unreachable: bool) -> int:
        """Return how many different questions must fail before all others wait. Single failures are common."""
        if is_unreachable:
            return min(FEWEST_FAILING, many)
        return min(GIVE_UP_AFTER, max(FEWEST_FAILING, many))

    def lost(self, error: Retryable) -> None:
        """Record that a question has failed after all retries."""
        self._lost += 1
        if self.answered or self.gone is not None:
            return
        if error.kind == "refused" or self._lost >= GIVE_UP_AFTER:
            failures = "one failure" if self._lost == 1 else f"{self._lost} failures in a row, the last"
            self.gone = f"given up after {failures}: {error}"
            self._wake()

    def _too_many(self) -> None:
        """Reduce the limit to the number of other questions that were in flight when one was refused."""
        self._refused_at = self._on_wire
        self.most = max(1, self._on_wire - 1)
        self._accepted = 0

    def _grow(self) -> None:
        """Allow one more concurrent question, once enough have been accepted.

        The limit grows slowly just below a number that was refused, and quickly elsewhere.
        """
        patience = SELDOM if self.most == self._refused_at - 1 else 1
        if self._accepted >= patience * self.most:
            self.most, self._accepted = self.most + 1, 0
            if self.most > self._refused_at:
                self._refused_at = math.inf
            self._wake()


FIRST = 8
"""Number of questions that must fail in the same way, without any answer, before a system is given up."""


def why_withheld(response: Response) -> str:
    """Return the reason why a received answer is unusable, or "" if it ended normally."""
    if response.finish is Finish.UNKNOWN:
        word = visible(response.ended[:60])
        return f"the answer ended for an unknown reason, {word!r}; if the answer is complete, set ends = [{word!r}]"
    return _WITHHELD.get(response.finish, "")


_WITHHELD = {
    Finish.FILTERED: "the answer was withheld by a content filter",
    Finish.LENGTH: "the answer was cut off at the token limit; raise max_tokens",
}

_MAY_BE_WHOLE = frozenset({Finish.STOP, Finish.FILTERED})

NOT_ASKED = "not asked: "
"""First words of the reason for a question that was not asked because all earlier ones had failed."""

_QUOTED = re.compile(r"['\"`{\[(<]")
"""Pattern of the beginning of a quotation in an error message, which may be a quotation of the question."""


class Trial:
    """The outcome of a system's first questions, up to the first answer. `over` skips the trial."""

    def __init__(self, *, over: bool = False) -> None:
        self._passed = over
        self._failures = 0
        self._reason = ""
        self._under_way = 0
        self._settled = asyncio.Event()

    @asynccontextmanager
    async def question(self) -> AsyncIterator[None]:
        """Admit a question for as long as it is being asked.

        After a failure, only as many questions are under way as are needed for a decision. The others wait for it.

        Raises:
            SystemFailure: the run has given up on the system.
        """
        while self._enough_to_give_up and self._under_way:
            self._settled.clear()
            await self._settled.wait()
        if self._enough_to_give_up:  # all questions so far failed, and none is in flight that may yet be answered
            raise SystemFailure(
                f"{NOT_ASKED}all {self._failures} questions and follow-ups that were asked failed in the same way: "
                f"{self._reason}"
            )
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._settled.set()

    @property
    def _enough_to_give_up(self) -> bool:
        """True if the questions so far, with those under way, are enough to give up the system if none is answered."""
        return not self._passed and self._failures > 0 and self._failures + self._under_way >= FIRST

    def answered(self, responses: Sequence[Response]) -> bool:
        """Record answers, including stored ones. Return True if any answer is complete."""
        whole = any(response.finish in _MAY_BE_WHOLE for response in responses)
        if whole and not self._passed:
            self._passed = True
            self._settled.set()
        return whole

    def ended(self, responses: Sequence[Response]) -> None:
        """Record the answers to a question. They count as a failure if none is complete."""
        if not self.answered(responses):
            self.failed(why_withheld(responses[0]))

    def failed(self, reason: str) -> None:
        """Record a question that failed permanently."""
        if self._passed:
            return
        self._failures = self._failures + 1 if gist(reason) == gist(self._reason) else 1
        self._reason = reason


def gist(reason: str) -> str:
    """Return the part of a reason before its first quotation.

    >>> gist("http://bot: expected text at 'reply', found {'text': 'hello'}")
    'http://bot: expected text at'
    """
    return _QUOTED.split(reason, maxsplit=1)[0].rstrip(" :,")
