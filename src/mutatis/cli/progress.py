"""How far a run is: a bar on a terminal that moves at every answer, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from mutatis.campaign.events import Advanced, Event, PhaseStarted
from mutatis.query import QueryLayer

EVERY = 10.0
"""Seconds between plain lines."""

DRAWN = 0.1
"""Seconds between two states of the bar: drawing costs more than an answer from the store."""


FORECAST, STEADY, LONG = 3, 30.0, 300.0
"""Answers and seconds from which the time of a run is estimated, and the seconds from which on it is told.

Sooner, what is loaded for the first answers would count as the pace of all."""


class ProgressListener:
    """A listener that shows phase, questions done, rate, paid and stored answers, and the estimated remaining time.

    Args:
        layers: of the systems: their questions are what is counted.
        helper: of the helper, if there is one; how many questions it gets is known to nobody beforehand.
        clock: tells seconds.
    """

    def __init__(
        self,
        layers: Sequence[QueryLayer],
        helper: QueryLayer | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._systems, self._clock = layers, clock
        self._layers = [*layers, *([] if helper is None else [helper])]
        self._started = self._last_line = clock()
        self._drawn = 0.0
        self._phase, self._before = "", 0
        self._questions: Callable[[], int | None] = lambda: None
        self._told = False
        for layer in self._layers:
            layer.moved = self._moved
        console = Console(stderr=True, emoji=False)
        self._console = console
        columns: list[ProgressColumn] = [
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[done]}"),
            TextColumn("{task.fields[queries]}"),
            TimeRemainingColumn(),
        ]
        self._bar = Progress(*columns, console=console, transient=True) if console.is_terminal else None
        self._task = None if self._bar is None else self._bar.add_task("", total=None, done="", queries="")

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for layer in self._layers:
            layer.moved = None
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, event: Event) -> None:
        """Show the next state."""
        if isinstance(event, PhaseStarted):
            self._phase, self._questions = event.name, event.questions
            self._before, self._started = self._answered(), self._clock()
            if self._bar is not None and self._task is not None:
                self._bar.reset(self._task, description=event.name)
                self._draw()
        elif isinstance(event, Advanced):
            self._moved()

    def state(self) -> tuple[int, int | None]:
        """Return how many questions are done and about how many the phase takes; None where nobody can tell."""
        answered = self._answered() - self._before
        total = self._questions()
        return answered, None if total is None else max(answered, total)

    def _moved(self) -> None:
        now = self._clock()
        if self._bar is not None:
            if now - self._drawn >= DRAWN:
                self._drawn = now
                self._tell()
                self._draw()
        elif now - self._last_line >= EVERY:
            self._last_line = now
            self._tell()
            print(self.line(), file=sys.stderr, flush=True)

    def _draw(self) -> None:
        if self._bar is not None and self._task is not None:
            done, total = self.state()
            counted = _counted(done, total)
            self._bar.update(self._task, completed=done, total=total, done=counted, queries=self._queries())

    def _tell(self) -> None:
        """Say once that a run is long, and how it becomes shorter."""
        if not self._told and (told := self.forecast()):
            self._told = True
            self._console.print(told, markup=False, highlight=False, soft_wrap=True)

    def forecast(self) -> str:
        """Return how long the phase will take, from its first answers; empty while unknown, and where it is short."""
        answered, total = self.state()
        passed = self._clock() - self._started
        if total is None or answered < FORECAST or passed < STEADY:
            return ""
        each = passed / answered
        if each * (total - answered) < LONG:
            return ""
        left = duration(each * (total - answered))
        pace = f"{each:.1f} s each" if each >= 0.1 else f"{1 / each:.0f} a second"
        return (
            f"note: up to {total:,} questions, {pace}: about {left}; fewer inputs or relations make it "
            "shorter, Ctrl-C keeps what was answered"
        )

    def _answered(self) -> int:
        return sum(layer.counts.answered for layer in self._systems)

    def _queries(self) -> str:
        paid = sum(layer.counts.paid for layer in self._layers)
        stored = sum(layer.counts.stored for layer in self._layers)
        errors = sum(layer.counts.errors for layer in self._layers)
        elapsed = max(self._clock() - self._started, 1e-9)
        failed = f", {errors} failed" if errors else ""
        return f"{(self._answered() - self._before) / elapsed:.1f}/s, {paid} asked, {stored} stored{failed}"

    def line(self) -> str:
        """Return the state as one line."""
        done, total = self.state()
        left = ""
        if total and done:
            seconds = (self._clock() - self._started) / done * (total - done)
            left = f", about {f'{seconds:.0f} s' if seconds < LONG else duration(seconds)} left"
        return f"{self._phase}: {_counted(done, total)} ({self._queries()}{left})"


def _counted(done: int, total: int | None) -> str:
    return f"{done}" if total is None else f"{done}/{total}"


def duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> duration(300), duration(5400)
    ('5 min', '1 h 30 min')
    """
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
