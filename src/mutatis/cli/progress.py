"""Shows the progress of a run: a bar that moves with every answer on a terminal, and plain lines elsewhere."""

from __future__ import annotations

import re
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mutatis.campaign.events import Event, PhaseStarted
from mutatis.query import QueryLayer
from mutatis.reports.numbers import duration, line

EVERY = 10.0
"""Minimum number of seconds between two plain lines."""

LEAST, WIDTH = 4, 40
"""Minimum and full width of the progress bar in characters. On a narrow terminal, the text gets the space."""

RECENT, SOME = 30.0, 10
"""Minimum number of seconds and of answers for measuring the pace, because stored answers arrive all at once."""

FORECAST, STEADY, SHARE = 3, 30.0, 0.02
"""Conditions for estimating how long a phase will take: minimum answers, seconds, and share of the expected answers.

Before that, the time spent on loading, and follow-ups that will be refused, would distort the estimate.
"""

LONG = 300.0
"""Least number of seconds of a phase for a note on how long it will take."""

LONGEST = 50
"""Maximum number of characters of an error message in a progress line."""

_STATUS = re.compile(r"\bHTTP \d{3}\b")


class _Progress(NamedTuple):
    """The number of answers at one time."""

    time: float
    answered: int


class ProgressListener:
    """A listener that shows the phase, questions done, pace, paid and stored answers, and the remaining time.

    Args:
        layers: query layers of the systems, whose questions are counted.
        helper: query layer of the helper, if any. The number of its questions cannot be predicted.
        clock: returns the time in seconds.
    """

    def __init__(
        self,
        layers: Sequence[QueryLayer],
        helper: QueryLayer | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._system_layers, self._clock = layers, clock
        self._layers = [*layers, *([] if helper is None else [helper])]
        self._started = self._last_line = clock()
        # Each phase gets a new deque, because the thread that draws may still be reading the last one.
        self._recent: deque[_Progress] = deque()
        self._phase, self._answered_before = "", 0  # the answers before this phase
        self._expected: Callable[[], int | None] = lambda: None  # returns the number of questions in this phase
        self._has_forecast = False
        for layer in self._layers:
            layer.moved = self._moved
        self._console = console = Console(stderr=True, emoji=False)
        # Drawn ten times a second, because an answer's consequences for the forecast come after its event.
        live = Live(get_renderable=self._drawn, console=console, transient=True, refresh_per_second=10)
        self._bar = live if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        for layer in self._layers:
            layer.moved = lambda: None
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, event: Event) -> None:
        """Update the display after an event."""
        if isinstance(event, PhaseStarted):
            self._phase, self._expected = event.name, event.questions
            self._answered_before, self._started = self._answered(), self._clock()
            self._recent = deque()

    def state(self) -> tuple[int, int | None]:
        """Return the number of questions done, and a forecast of the total in the phase (None without a forecast)."""
        answered = self._answered() - self._answered_before
        total = self._expected()
        return answered, None if total is None else max(answered, total)

    def _moved(self) -> None:
        now, answered = self._clock(), self._answered()
        recent = self._recent
        if not recent or now - recent[-1].time >= 1.0:
            recent.append(_Progress(now, answered))
        # The pace is measured from the first entry, so drop it if the second is old enough, too.
        while len(recent) > 1 and now - recent[1].time >= RECENT and answered - recent[1].answered >= SOME:
            recent.popleft()
        if self._bar is not None:
            self._print_forecast()
        elif now - self._last_line >= EVERY:
            self._last_line = now
            self._print_forecast()
            print(self.line(), file=sys.stderr, flush=True)

    def _drawn(self) -> RenderableType:
        done, total = self.state()
        text = f"{', '.join(filter(None, (_counted(done, total), self._time_left())))} ({self._queries()})"
        width = min(WIDTH, self._console.width - len(self._phase) - len(text) - 2)  # two blanks between the parts
        if width < LEAST:
            return Text(f"{self._phase} {text}", no_wrap=True, overflow="ellipsis")
        row = Table.grid(padding=(0, 1), pad_edge=False)
        row.add_row(self._phase, ProgressBar(total=total, completed=done, width=width), text)
        return row

    def _print_forecast(self) -> None:
        """Print a note, at most once, if the run will take a long time, with ways to shorten it."""
        if not self._has_forecast and (text := self.forecast()):
            self._has_forecast = True
            self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def forecast(self) -> str:
        """Return a note on how long the phase will take, estimated from its first answers.

        It is empty if the phase will be short or its duration cannot be estimated yet.
        """
        _, total = self.state()
        each, seconds_left = self._seconds_per_answer(), self._seconds_left()
        if total is None or seconds_left is None or seconds_left < LONG:
            return ""
        pace = f"{each:.1f} s each" if each >= 0.1 else f"{1 / each:.0f} a second"
        return (
            f"note: up to {total:,} questions, {pace}: about {duration(seconds_left)}; fewer inputs or relations make "
            "it shorter; Ctrl-C keeps the answers so far"
        )

    def _answered(self) -> int:
        return sum(layer.counts.answered for layer in self._system_layers)

    def _queries(self) -> str:
        paid = sum(layer.counts.paid for layer in self._layers)
        stored = sum(layer.counts.stored for layer in self._layers)
        errors = sum(layer.counts.errors for layer in self._layers)
        elapsed = max(self._clock() - self._started, 1e-9)
        failed = f", {errors} failed" if errors else ""
        if trouble := next((layer.counts.trouble for layer in self._layers if layer.counts.trouble), ""):
            failed += f", asking again: {_brief(trouble)}"
        return f"{(self._answered() - self._answered_before) / elapsed:.1f}/s, {paid} asked, {stored} stored{failed}"

    def _seconds_per_answer(self) -> float:
        """Return the average number of seconds per answer: over recent answers or, at first, over the whole phase."""
        since, recent = _Progress(self._started, self._answered_before), self._recent
        if recent and self._answered() - recent[0].answered >= SOME:
            since = recent[0]
        return (self._clock() - since.time) / max(1, self._answered() - since.answered)

    def _seconds_left(self) -> float | None:
        """Return the estimated number of seconds that the phase will still take, or None if it is too early."""
        answered, total = self.state()
        if total is None or answered < max(FORECAST, SHARE * total) or self._clock() - self._started < STEADY:
            return None
        return self._seconds_per_answer() * (total - answered)

    def _time_left(self) -> str:
        seconds = self._seconds_left()
        return f"about {duration(seconds)} left" if seconds else ""

    def line(self) -> str:
        """Return the current state of the run as one line."""
        details = ", ".join(filter(None, (self._queries(), self._time_left())))
        return f"{self._phase}: {_counted(*self.state())} ({details})"


def _brief(failure: str) -> str:
    """Return the HTTP status of a failure, or the beginning of its message.

    >>> _brief("http://bot/chat: HTTP 429: slow down"), _brief("bot: connection lost")
    ('HTTP 429', 'bot: connection lost')
    """
    status = _STATUS.search(failure)
    return status[0] if status else line(failure)[:LONGEST]


def _counted(done: int, total: int | None) -> str:
    return f"{done}" if total is None else f"{done}/{total}"
