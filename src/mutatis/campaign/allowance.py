"""Divides a budget among phases: reserves shares for those after the search, and admits work in order.

Only questions are counted, whatever their content.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pydantic

from mutatis.campaign.events import CONFIRM, NOISE_FLOOR, SHRINK
from mutatis.options import Options
from mutatis.query import Spending


class Reserve(Options):
    """`[reserve]`: shares of `max_queries` kept for the phases after the search.

    With the defaults and 1,000 queries, a tenth asks 100 sources again, enough to distinguish 0 % from 3 %; 15 % ask
    about 80 findings again, a few of every relation; a tenth shrinks some ten findings, starting with the first ones
    shown. Later phases get what a phase leaves over, and shares not needed for the findings so far go back to the
    search.

    Attributes:
        noise_floor: share for asking sources again.
        confirm: share for asking findings again.
        shrink: share for making findings smaller.
    """

    noise_floor: float = pydantic.Field(default=0.1, ge=0, le=1)
    confirm: float = pydantic.Field(default=0.15, ge=0, le=1)
    shrink: float = pydantic.Field(default=0.1, ge=0, le=1)

    @pydantic.model_validator(mode="after")
    def _something_is_left(self) -> Reserve:
        if self.noise_floor + self.confirm + self.shrink >= 1:
            raise ValueError("the shares of noise_floor, confirm and shrink leave nothing for the search")
        return self

    def of(self, max_queries: int) -> dict[str, int]:
        """Return the number of questions for each phase after the search, in order.

        >>> Reserve().of(1000)
        {'noise floor': 100, 'confirm': 150, 'shrink': 100}
        """
        shares = {NOISE_FLOOR: self.noise_floor, CONFIRM: self.confirm, SHRINK: self.shrink}
        return {phase: int(share * max_queries + 1e-9) for phase, share in shares.items()}


class Allowance:
    """Admits work, first come first served, as long as all its possible questions fit.

    Admission does not depend on speed: work starts early only if it would fit even if all pending work asked its
    maximum. Otherwise it waits until the actual number is known.

    Args:
        spending: counts the questions of the run.
    """

    def __init__(self, spending: Spending) -> None:
        self._spending = spending
        self.limit = spending.max_queries
        self.ended = False
        """True if a request has been refused since the limit was set."""
        self._reserved = 0
        self._inside = 0
        self._turn = asyncio.Lock()
        self._left = asyncio.Event()

    def allow(self, limit: int | None) -> None:
        """Set how many questions the run may have asked by the end of this phase; None means no limit."""
        self.limit, self.ended = limit, False

    @property
    def asked(self) -> int:
        """The number of questions that count against the run's budget so far."""
        return self._spending.asked

    def room(self, most: Callable[[], int], least: int | None = None) -> _Room:
        """Yield the number of questions that a piece of work may ask, or 0 if it does not fit: `async with ...`.

        The number is `most()`, which may fall while the work waits. If less is left, it gets the rest, provided that is
        at least `least`. After one refusal everything is refused, because order matters.
        """
        return _Room(self, most, least)

    async def enter(self, most: Callable[[], int], least: int | None) -> int:
        """Wait until there is room, and return the number of questions granted."""
        granted = most() if self.limit is None else await self._fitting(most, least)
        self._reserved += granted
        self._inside += granted > 0
        return granted

    def leave(self, granted: int) -> None:
        """Return the granted questions."""
        self._reserved -= granted
        self._inside -= granted > 0
        self._left.set()

    async def _fitting(self, most: Callable[[], int], least: int | None) -> int:
        async with self._turn:
            while not self.ended and self.limit is not None:
                free, wanted = self.limit - self._spending.asked, most()
                if wanted <= free - self._reserved:
                    return wanted
                if not self._inside:
                    self.ended = free < (wanted if least is None else least)
                    return 0 if self.ended else free
                self._left.clear()
                await self._left.wait()
        return 0


class _Room:
    """The questions granted to one piece of work while it runs. Cheaper per follow-up than a generator context."""

    __slots__ = ("_allowance", "_granted", "_least", "_most")

    def __init__(self, allowance: Allowance, most: Callable[[], int], least: int | None) -> None:
        self._allowance, self._most, self._least = allowance, most, least
        self._granted = 0

    async def __aenter__(self) -> int:
        self._granted = await self._allowance.enter(self._most, self._least)
        return self._granted

    async def __aexit__(self, *_: object) -> None:
        self._allowance.leave(self._granted)
