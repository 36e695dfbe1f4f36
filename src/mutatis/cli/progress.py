"""How far a run is: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from mutatis.campaign.events import Advanced, Event, PhaseStarted
from mutatis.query import QueryLayer

EVERY = 10.0
"""Seconds between plain lines."""


class ProgressListener:
    """A listener that shows phase, share done, rate, paid and stored answers, and the estimated remaining time."""

    def __init__(self, layers: Sequence[QueryLayer]) -> None:
        self._layers = layers
        self._started = time.monotonic()
        self._phase, self._done = "", 0
        self._total: int | None = None
        self._last_line = self._started
        console = Console(stderr=True)
        columns: list[ProgressColumn] = [
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed}/{task.total}"),
            TextColumn("{task.fields[queries]}"),
            TimeRemainingColumn(),
        ]
        self._bar = Progress(*columns, console=console, transient=True) if console.is_terminal else None
        self._task = None if self._bar is None else self._bar.add_task("", total=None, queries="")

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, event: Event) -> None:
        """Show the next state."""
        if isinstance(event, PhaseStarted):
            self._phase, self._done, self._total = event.name, 0, event.total
            self._started = time.monotonic()
            if self._bar is not None and self._task is not None:
                self._bar.reset(self._task, description=event.name, total=event.total, queries="")
        elif isinstance(event, Advanced):
            self._done += 1
        else:
            return
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done, queries=self._queries())
        elif time.monotonic() - self._last_line >= EVERY:
            self._last_line = time.monotonic()
            print(self._line(), file=sys.stderr, flush=True)

    def _queries(self) -> str:
        paid = sum(layer.counts.paid for layer in self._layers)
        stored = sum(layer.counts.stored for layer in self._layers)
        errors = sum(layer.counts.errors for layer in self._layers)
        elapsed = max(time.monotonic() - self._started, 1e-9)
        failed = f", {errors} failed" if errors else ""
        return f"{self._done / elapsed:.1f}/s, {paid} asked, {stored} stored{failed}"

    def _line(self) -> str:
        total = f"/{self._total}" if self._total is not None else ""
        left = ""
        if self._total and self._done:
            seconds = (time.monotonic() - self._started) / self._done * (self._total - self._done)
            left = f", about {seconds:.0f} s left"
        return f"{self._phase}: {self._done}{total} ({self._queries()}{left})"
