"""Divides a budget among the phases of a run, reserving shares for the phases after the search.

Work is admitted in order. Only the number of questions matters, not their content.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pydantic

from mutatis.campaign.events import CONFIRM, NOISE_FLOOR, SEARCH, SHRINK
from mutatis.options import Options
from mutatis.query import Spending


class Reserve(Options):
    """The `[reserve]` table: shares of `max_queries` kept for the phases after the search.

    Questions that one phase does not use go to later phases, and shares not needed for the findings so far go back to
    the search.

    Attributes:
        noise_floor: share for repeating sources.
        confirm: share for repeating the questions of findings.
        shrink: share for making the follow-ups of findings smaller.
    """

    noise_floor: float = pydantic.Field(default=0.1, ge=0, le=1)
    confirm: float = pydantic.Field(default=0.15, ge=0, le=1)
    shrink: float = pydantic.Field(default=0.1, ge=0, le=1)

    @pydantic.model_validator(mode="after")
    def _something_is_left(self) -> Reserve:
        if self.noise_floor + self.confirm + self.shrink >= 1:
            raise ValueError("the shares of noise_floor, confirm and shrink leave nothing for the search")
        return self

    def dealt(self, max_queries: int, *, noise_floor: int, confirm: int, shrink: int) -> dict[str, int]:
        """Return how many of `max_queries` questions each phase may ask. A phase that is switched off (0) gets none.

        >>> Reserve().dealt(1000, noise_floor=100, confirm=20, shrink=16)
        {'search': 650, 'noise floor': 100, 'confirm': 150, 'shrink': 100}
        >>> Reserve().dealt(1000, noise_floor=100, confirm=0, shrink=16)
        {'search': 900, 'noise floor': 100, 'confirm': 0, 'shrink': 0}
        """
        shares = {
            NOISE_FLOOR: self.noise_floor if noise_floor else 0,
            CONFIRM: self.confirm if confirm else 0,
            SHRINK: self.shrink if confirm and shrink else 0,
        }
        reserved = {phase: int(share * max_queries + 1e-9) for phase, share in shares.items()}
        return {SEARCH: max_queries - sum(reserved.values()), **reserved}


class Allowance:
    """Admits work in order of arrival, as long as the budget covers all the questions that the work may ask.

    Admission does not depend on the speed of answers: work starts at once only if it would fit even if all pending work
    asked its maximum. Otherwise it waits until it is known how many questions are left.

    Args:
        spending: counts the questions of the run.
    """

    def __init__(self, spending: Spending) -> None:
        self._spending = spending
        self.limit = spending.max_queries
        self.ended = False
        """True if any work has been refused since the limit was set."""
        self._reserved = 0
        self._inside = 0
        self._turn = asyncio.Lock()
        self._left = asyncio.Event()

    def allow(self, limit: int | None) -> None:
        """Set the maximum number of questions that the run may have asked by the end of this phase (None: no limit)."""
        self.limit, self.ended = limit, False

    @property
    def asked(self) -> int:
        """The number of questions that count against the run's budget so far."""
        return self._spending.asked

    @asynccontextmanager
    async def room(self, most: Callable[[], int], least: int | None = None) -> AsyncIterator[int]:
        """Reserve questions for some work within a `with` block: yield how many it may ask, or 0 if it does not fit.

        The number is `most()`, which may decrease while the work waits. If less than that is left, the work gets the
        rest, provided that it is at least `least`. After one refusal all later work is refused, so that order is kept.
        """
        granted = most() if self.limit is None else await self._fitting(most, least)
        self._reserved += granted
        self._inside += granted > 0
        try:
            yield granted
        finally:
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
