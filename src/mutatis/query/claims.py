"""Marks the questions that a run is asking, so that two runs on the same store pay for a shared question once.

A claim is a lock on one byte of a file beside the store. The question's key determines the byte. The operating system
releases such locks when a process ends, however it ends, so no lease needs renewing and nothing needs cleaning up.
Without such locks (Windows, some network drives) nothing is shared: questions that two runs ask at the same time are
then paid for twice. Independent of the content of questions.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger("mutatis")

SHORTEST, LONGEST = 0.01, 0.5
"""Seconds between two looks at a claim of another run; the pauses double."""

_PRESENT = 0
"""The byte that the first run on a store locks, so that the next one can report it."""


class Claims:
    """The claims of one process on the questions of a store; None as its path claims nothing.

    The locks are the process's: two stores on one file in one process do not wait for each other.
    """

    def __init__(self, path: Path | str | None) -> None:
        self._path = None if path is None else Path(path)
        self._file: int | None = None

    def held(self, key: str, patience: float) -> _Held:
        """Hold the claim on a question, after its holder has given it back: `async with claims.held(...)`.

        If it is not given back within `patience` seconds (its process was stopped, its server hangs), this run stops
        waiting and asks for itself.
        """
        if self._path is not None:
            self._open()
        return _Held(self, 1 + int(key[:14], 16), patience)

    def close(self) -> None:
        """Give everything back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._path = None

    def _open(self) -> None:
        """Open the file of the locks, once; a store in memory has none."""
        path, self._path = self._path, None
        if path is None or fcntl is None:
            return
        with contextlib.suppress(OSError):  # no right to write: the store will say so
            self._file = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not self.lock(_PRESENT):
            log.warning("another run asks into %s now: what both need is asked once, and waited for", path)

    def lock(self, byte: int, *, free: bool = False) -> bool:
        """Lock a byte, or free it; False where another run has it."""
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_UN if free else fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):  # either, by POSIX
            return False
        except OSError:  # no locks on this file system
            self.close()
        return True


class _Held:
    """One claim while it is held; a class of its own, since a generator's context costs more than the lock itself."""

    __slots__ = ("_byte", "_claims", "_mine", "_patience")

    def __init__(self, claims: Claims, byte: int, patience: float) -> None:
        self._claims, self._byte, self._patience = claims, byte, patience
        self._mine = False

    async def __aenter__(self) -> None:
        self._mine = self._claims.lock(self._byte)
        if self._mine:
            return
        pause, ends = SHORTEST, time.monotonic() + self._patience
        while not self._mine and time.monotonic() < ends:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST)
            self._mine = self._claims.lock(self._byte)

    async def __aexit__(self, *_: object) -> None:
        if self._mine:
            self._claims.lock(self._byte, free=True)
