"""Runs that are looked at while they go on, and the viewer that serves them from a thread."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mutatis.records.files import VERDICTS_FILE
from mutatis.reports.server import Viewer
from support import report_builder as builder

fcntl = pytest.importorskip("fcntl", reason="no file locks on this system")

ID = builder.sample()["findings"][1]["id"]


@contextmanager
def serving(*folders: Path) -> Iterator[Viewer]:
    """Serve runs from a thread; gives the viewer."""
    viewer, loop = Viewer(folders), asyncio.new_event_loop()
    started, ended = threading.Event(), asyncio.Event()

    async def work() -> None:
        runner = await viewer.start()
        started.set()
        await ended.wait()
        await runner.cleanup()

    def main() -> None:
        try:
            loop.run_until_complete(work())
        finally:
            started.set()

    thread = threading.Thread(target=main, daemon=True)
    thread.start()
    assert started.wait(600), "the server did not start"
    assert thread.is_alive(), "the server could not start"
    try:
        yield viewer
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(600)
        loop.close()


@contextmanager
def going_on(folder: Path, *lines: str) -> Iterator[Callable[..., None]]:
    """A run that writes: its file grows under a lock. Gives what adds lines."""
    folder.mkdir(exist_ok=True)
    with (folder / f"{VERDICTS_FILE}.part").open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

        def add(*more: str) -> None:
            file.writelines(more)
            file.flush()

        add(*lines)
        yield add


def verdict_line(number: int, outcome: str = "violated") -> str:
    """Return a line of `verdicts.jsonl`."""
    finding = builder.question_finding(f"Where is the tower number {number}?", f"Where is TEH tower number {number}?")
    return (
        json.dumps({**builder.verdict(finding, outcome), "source": f"s/{number}", "finding": f"{number:010x}"}) + "\n"
    )
