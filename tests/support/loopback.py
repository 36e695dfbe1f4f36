"""A scripted server in a thread of its own, and the command line in this process: for tests that are not async."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from mutatis.cli import main
from support.server import Act, Server, score, serve


@contextmanager
def loopback(
    script: Sequence[Act] = (),
    *,
    default: Act | None = None,
    answer: Callable[[dict[str, Any]], Any] = score,
    extra: Sequence[web.RouteDef] = (),
) -> Iterator[Server]:
    """Run `support.server.serve` in a thread; the server's counts may be read at any time."""
    loop = asyncio.new_event_loop()
    started: list[Server] = []
    listening, ended = threading.Event(), asyncio.Event()

    async def run() -> None:
        async with serve(script, default=default, answer=answer, extra=extra) as server:
            started.append(server)
            listening.set()
            await ended.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    assert listening.wait(600), "the server did not start"
    try:
        yield started[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(600)
        loop.close()


@dataclass(frozen=True, slots=True)
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one line that wrong use is told in."""
        lines = [line for line in self.err.splitlines() if line and not line.startswith("note: ")]
        assert len(lines) == 1, f"expected one line, got:\n{self.err}"
        assert "Traceback" not in self.err
        assert lines[0].startswith("mutatis: "), lines[0]
        return lines[0].removeprefix("mutatis: ")


class Command:
    """Runs `mutatis ARGUMENTS` in this process, in a folder of its own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self._monkeypatch, self._capsys, self.folder = monkeypatch, capsys, folder
        monkeypatch.chdir(folder)
        monkeypatch.setenv("COLUMNS", "200")

    def __call__(self, *arguments: object) -> Done:
        self._monkeypatch.setattr(sys, "argv", ["mutatis", *map(str, arguments)])
        self._capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        shown = self._capsys.readouterr()
        return Done(code, shown.out, shown.err)
