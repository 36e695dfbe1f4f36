"""Gives up on a system that never answers, if its first questions all fail permanently for the same reason.

Examples are a malformed request, a wrong path to the reply, a function that fails on every input, or a token limit that
every answer exceeds. Each further question would cost money without an answer. Temporary failures do not count here,
since the circuit handles them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Finish, Response
from mutatis.text.visible import visible

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

        After a failure, only as many questions are admitted as are needed for a decision, until one of them is
        answered.

        Raises:
            SystemFailure: the run has given up on the system.
        """
        while self._doubtful and self._under_way:
            self._settled.clear()
            await self._settled.wait()
        if self._doubtful:  # all questions so far failed, and none is in flight that may yet be answered
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
    def _doubtful(self) -> bool:
        return not self._passed and self._failures > 0 and self._failures + self._under_way >= FIRST

    def answered(self, responses: Sequence[Response]) -> bool:
        """Record answers, including stored ones. Return True if any of them is complete."""
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
