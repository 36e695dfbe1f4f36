"""Stores answers on disk, in a content-addressed SQLite file that can be shared by several runs.

An answer is committed before its connection is released, so a killed process loses at most the questions that it was
asking. Numbers that a judge computed from texts are stored next to the answers. They are a cache: if it cannot be read
or written, the numbers are computed again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from mutatis.core.calls import ToolCall
from mutatis.core.errors import StoreError, UsageError
from mutatis.core.gathering import present
from mutatis.core.system import Finish, Response

_NUMBERS_SCHEMA = "CREATE TABLE IF NOT EXISTS numbers (key BLOB PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID"
_AT_ONCE = 500
"""Maximum number of keys in one database query. SQLite limits the number of parameters."""


class Numbers:
    """A cache of computed numbers (`text.memory.Memory`) in the store's file or, without a file, in memory.

    Any thread may use its database connection, because judges compute in threads.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = ":memory:" if path is None else path
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._usable = True

    def recall(self, keys: Sequence[bytes]) -> dict[bytes, float]:
        """Return the stored numbers for these keys, by key. Keys without a stored number are left out."""
        stored: dict[bytes, float] = {}
        with self._lock:
            try:
                if (db := self._open()) is None:
                    return {}
                for start in range(0, len(keys), _AT_ONCE):
                    some = keys[start : start + _AT_ONCE]
                    marks = ", ".join("?" * len(some))
                    stored |= db.execute(f"SELECT key, value FROM numbers WHERE key IN ({marks})", some)
            except sqlite3.Error:
                self._usable = False
        return stored

    def keep(self, numbers: Mapping[bytes, float]) -> None:
        """Store numbers by key, replacing any stored before."""
        with self._lock:
            try:
                if (db := self._open()) is not None:
                    with db:  # one transaction
                        db.executemany("INSERT OR REPLACE INTO numbers VALUES (?, ?)", numbers.items())
            except sqlite3.Error:
                self._usable = False

    def close(self) -> None:
        """Close the database connection. The cache stores nothing afterwards."""
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db, self._usable = None, False

    def _open(self) -> sqlite3.Connection | None:
        """Return the database connection, opened on first use, or None if the file cannot be used."""
        if self._db is None and self._usable:
            self._db = sqlite3.connect(self._path, timeout=30, check_same_thread=False)
            self._db.execute(_NUMBERS_SCHEMA)
        return self._db if self._usable else None


VERSION = 1

UNUSABLE = "unusable"
"""Status of an answer that arrived but could not be used, such as a helper's answer in the wrong form."""

BEGUN = "begun"
"""Status of a question that may be asked only once, from the moment it is asked until it has an answer."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, system TEXT NOT NULL, status TEXT NOT NULL, asked_at REAL NOT NULL, content TEXT NOT NULL
) WITHOUT ROWID;
"""

_RUNS = """
CREATE TABLE IF NOT EXISTS runs (
    system TEXT NOT NULL, run TEXT NOT NULL, began REAL NOT NULL, PRIMARY KEY (system, run)
) WITHOUT ROWID
"""
"""Table of the runs of each system that have begun but not finished. It is created on demand in older stores."""

_WRITE = """
INSERT INTO answers VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
    system = excluded.system, status = excluded.status, asked_at = excluded.asked_at, content = excluded.content
    WHERE excluded.status = 'ok' OR answers.status = 'error' OR (excluded.status <> 'error' AND answers.status <> 'ok')
"""
"""Statement that writes an answer. A failure or unusable answer never replaces a better entry."""

_BEGIN = """
INSERT INTO answers VALUES (?, ?, 'begun', ?, '[]')
    ON CONFLICT (key) DO UPDATE SET status = 'begun', asked_at = excluded.asked_at WHERE answers.status = 'error'
"""
"""Statement that marks a question as begun. It replaces only a failure, as failed questions count as not asked."""

_FORMAT = "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)"


class Store:
    """The SQLite file with the answers. `Store(None)` keeps them in memory.

    Use it as a context manager, or call `close()`.
    """

    def __init__(self, path: Path | str | None) -> None:
        """Open or create the store.

        Raises:
            StoreError: the file is not a store, was written by a newer version, or cannot be opened.
        """
        self.path = None if path is None else Path(path).expanduser()
        self.claims = Claims(self.path)
        """Locks on the questions that a process is asking."""
        self.numbers = Numbers(self.path)
        """Results of models that judges use."""
        try:
            if self.path is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                # Answers are nobody else's business; SQLite gives its side files the mode of the file.
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            self._db = sqlite3.connect(self.path or ":memory:", timeout=30, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise
        except (sqlite3.Error, OSError) as error:
            if self.path is not None and self.path.is_dir():
                raise StoreError(
                    f"store {self.path} is a folder; name a file, such as {self.path / 'store.db'}"
                ) from None
            raise StoreError(f"cannot open store {self.path}: {error}; {_remedy(error)}") from error

    def _prepare(self) -> None:
        """Create missing tables. Reject a file that is not a store of this version or an earlier one."""
        version, tables = self._db.execute(_FORMAT).fetchone()
        if version > VERSION:
            raise StoreError(
                f"store {self.path} has format {version}; this version of mutatis reads formats up to {VERSION}; "
                "upgrade mutatis"
            )
        if version == 0 and tables:
            raise StoreError(
                f"{self.path} is a database created by a different program, not a store; name a different file"
            )
        # WAL without a sync per commit: an answer survives a killed process; only a power cut may lose the last.
        self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
        if version < VERSION:
            self._db.executescript(f"BEGIN IMMEDIATE; PRAGMA user_version={VERSION}; {_SCHEMA} COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. The store cannot be used afterwards."""
        self._db.close()
        self.numbers.close()
        self.claims.close()

    def get(self, key: str, *, unusable: bool = False) -> list[Response] | None:
        """Return the stored answers for `key` (one, or one per turn of a stateful dialogue), or None.

        Failures are never returned. Answers that the caller rejected, or that ended for an unknown reason, are returned
        only if `unusable` is set.
        """
        row = self._execute("SELECT status, asked_at, content FROM answers WHERE key = ?", (key,)).fetchone()
        status, asked_at, content = row or ("error", 0.0, "")
        if status in ("error", BEGUN) or (status in (UNUSABLE, Finish.UNKNOWN) and not unusable):
            return None
        try:
            return [_decode(record, asked_at) for record in json.loads(content)]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, UsageError) as error:
            raise StoreError(
                f"store {self.path} is damaged: answer {key[:12]} cannot be read; delete the file"
            ) from error

    def put(self, key: str, system: str, responses: Sequence[Response], asked_at: float) -> None:
        """Store the answers for `key`. Answers that were filtered, cut off or ended for an unknown reason are marked.

        Marked answers never replace a usable one.
        """
        marks = [response.finish.value for response in responses if response.finish is not Finish.STOP]
        status = marks[0] if marks else "ok"
        self._write(key, system, status, asked_at, [_encode(response) for response in responses])

    def put_failure(self, key: str, system: str, reason: str, asked_at: float) -> None:
        """Record that a question failed.

        An answer takes precedence, whether it is stored before or after the failure.
        """
        self._write(key, system, "error", asked_at, [{"error": reason}])

    def begin_once(self, key: str, system: str, at: float) -> bool:
        """Record a question that must never be asked twice. Return False if it was already recorded.

        The record persists after the process ends. It is replaced by an answer, but not by a failure.
        """
        return self._execute(_BEGIN, (key, system, at)).rowcount == 1

    def was_begun(self, key: str) -> bool:
        """Return True if a question that must not be asked twice was asked and has no answer yet."""
        row = self._execute("SELECT status FROM answers WHERE key = ?", (key,)).fetchone()
        return row is not None and row[0] == BEGUN

    def not_begun(self, key: str) -> None:
        """Undo `begin_once`, because the question was never delivered."""
        self._execute("DELETE FROM answers WHERE key = ? AND status = 'begun'", (key,))

    def begin(self, system: str, run: str, at: float) -> float:
        """Record that a run of a system begins. Return the start time of the first of its unfinished runs."""
        self._execute(_RUNS, ())
        self._execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)", (system, run, at))
        return float(self._execute("SELECT min(began) FROM runs WHERE system = ?", (system,)).fetchone()[0])

    def finish(self, system: str, run: str) -> None:
        """Record that a run is over. Earlier unfinished runs are discarded, since this run has judged their answers."""
        earlier = "DELETE FROM runs WHERE system = ? AND began <= (SELECT began FROM runs WHERE system = ? AND run = ?)"
        self._execute(earlier, (system, system, run))

    def reject(self, key: str) -> None:
        """Mark the answer for `key` as unusable by the caller, so that a later run asks again."""
        self._execute("UPDATE answers SET status = ? WHERE key = ? AND status = 'ok'", (UNUSABLE, key))

    def __bool__(self) -> bool:
        return True  # an empty store is a store

    def __len__(self) -> int:
        return int(self._execute("SELECT count(*) FROM answers WHERE status = 'ok'", ()).fetchone()[0])

    def _write(self, key: str, system: str, status: str, asked_at: float, content: list[dict[str, Any]]) -> None:
        text = json.dumps(content, ensure_ascii=True)
        self._execute(_WRITE, (key, system, status, asked_at, text))

    def _execute(self, statement: str, values: tuple[object, ...]) -> sqlite3.Cursor:
        try:
            return self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(f"store {self.path}: {error}; {_remedy(error)}") from error


def _remedy(error: sqlite3.Error | OSError) -> str:
    """Return advice on what to do about a store that cannot be used. Only a damaged store may be deleted."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN) & 0xFF  # without the details of extended codes
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return "name another file or delete this one"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "another program is using it: wait for it, or name another folder (--out)"
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return "free space there, or name another folder (--out); stored answers are reused"
    return "name another folder (--out)"


def _encode(response: Response) -> dict[str, Any]:
    probabilities, decisions = response.probabilities, response.decisions
    tokens = [response.prompt_tokens, response.completion_tokens]
    return present(
        text=response.text,
        latency=round(response.latency, 6),
        value=response.value,
        probabilities=None if probabilities is None else dict(probabilities),
        decisions=None if decisions is None else {name: dict(outcomes) for name, outcomes in decisions.items()},
        finish=None if response.finish is Finish.STOP else response.finish.value,
        ended=response.ended or None,
        calls=[call.to_record() for call in response.calls] or None,
        data=response.data,
        refusal=response.refusal or None,
        tokens=tokens if any(tokens) else None,
    )


def _decode(record: Mapping[str, Any], asked_at: float) -> Response:
    prompt_tokens, completion_tokens = record.get("tokens", (0, 0))
    return Response(
        text=record["text"],
        value=record.get("value"),
        probabilities=record.get("probabilities"),
        decisions=record.get("decisions"),
        finish=Finish(record.get("finish", "stop")),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        latency=record["latency"],
        asked_at=asked_at,
        stored=True,
        calls=tuple(ToolCall.from_record(call) for call in record.get("calls", ())),
        data=record.get("data"),
        refusal=record.get("refusal", ""),
        ended=record.get("ended", ""),
    )


# Questions that other runs on the same store are asking now are claimed, so that two runs pay for what both need once.
#
# A claim is a lock on one byte of a file beside the store; which byte follows from the question's key. The system
# gives such locks back when a process ends, however it ends, so there is no lease to renew and nothing to clean up.
# Without such locks (Windows, some network drives) nothing is shared: what two runs ask at the same time is then paid
# for twice. Must not know what is asked.

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger("mutatis")

SHORTEST, LONGEST = 0.01, 0.5
"""Shortest and longest pause between two checks of another run's claim, in seconds.

Each pause is twice the previous one.
"""

_PRESENT = 0
"""Index of the byte that the first run on a store locks, so that a second run can report the first."""


class Claims:
    """Locks that keep several runs on one store from asking the same question. Without a path, nothing is locked.

    The locks belong to the process: two stores that use the same file in one process do not wait for each other.
    """

    def __init__(self, path: Path | str | None) -> None:
        self._path = None if path is None else Path(path)
        self._file: int | None = None

    @contextlib.asynccontextmanager
    async def held(self, key: str, patience: float) -> AsyncIterator[None]:
        """Claim a question, after waiting for any other run that holds it: `async with claims.held(...)`.

        If the other run does not release the claim within `patience` seconds, perhaps because its process or server
        hangs, this run stops waiting and asks the question itself.
        """
        if self._path is not None:
            self._open()
        byte = 1 + int(key[:14], 16)
        is_ours = self.lock(byte)
        pause, ends = SHORTEST, time.monotonic() + patience
        while not is_ours and time.monotonic() < ends:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST)
            is_ours = self.lock(byte)
        try:
            yield
        finally:
            if is_ours:
                self.lock(byte, free=True)

    def close(self) -> None:
        """Release all claims and close the lock file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._path = None

    def _open(self) -> None:
        """Open the lock file on the first call. A store in memory has no lock file."""
        path, self._path = self._path, None
        if path is None or fcntl is None:
            return
        with contextlib.suppress(OSError):  # no right to write: the store will say so
            self._file = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not self.lock(_PRESENT):
            log.warning("another run is also using %s: questions that both need are asked only once", path)

    def lock(self, byte: int, *, free: bool = False) -> bool:
        """Lock or release a byte of the lock file. Return False if another run holds it."""
        if self._file is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_UN if free else fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except (BlockingIOError, PermissionError):  # either, by POSIX
            return False
        except OSError:  # no locks on this file system
            self.close()
        return True
