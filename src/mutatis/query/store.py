"""Answers on disk: one SQLite file, content-addressed, shared by runs; and the register of runs.

An answer is committed before its connection is given back, so a killed process loses at most the questions that
were on the wire.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from mutatis.core.errors import StoreError
from mutatis.core.system import Finish, Response

VERSION = 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, system TEXT NOT NULL, status TEXT NOT NULL, asked_at REAL NOT NULL, content TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, started REAL NOT NULL, folder TEXT NOT NULL
) WITHOUT ROWID;
"""

_FORMAT = "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """A run that used the store: where its report lies."""

    id: str
    started: float
    folder: Path


class Store:
    """The SQLite file of answers; `Store(None)` keeps them in memory. Use it as a context manager or `close()` it."""

    def __init__(self, path: Path | str | None) -> None:
        """Open or create the store.

        Raises:
            StoreError: the file is no store, was written by a newer version, or cannot be opened.
        """
        self.path = None if path is None else Path(path)
        try:
            if self.path is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path or ":memory:", timeout=30, isolation_level=None)
            version, tables = self._db.execute(_FORMAT).fetchone()
            if version > VERSION:
                raise StoreError(f"store {self.path} has format {version}; this version reads up to {VERSION}: upgrade")
            if version == 0 and tables:
                raise StoreError(f"{self.path} is a database of another program and no store; name another file")
            # WAL without a sync per commit: an answer survives a killed process; only a power cut may lose the last.
            self._db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
            if version < VERSION:
                self._db.executescript(f"BEGIN IMMEDIATE; PRAGMA user_version={VERSION}; {_SCHEMA} COMMIT")
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot open store {self.path}: {error}; name another file or delete this one") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the store cannot be used afterwards."""
        self._db.close()

    def get(self, key: str, *, since: float = 0.0) -> list[Response] | None:
        """Return the stored answers of `key` (one, or one per turn of a stateful dialogue), or None.

        Failures, filtered and truncated answers are never served, nor is anything asked before `since`.
        """
        row = self._execute("SELECT status, asked_at, content FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None or row[0] != "ok" or row[1] < since:
            return None
        try:
            return [_decode(record, row[1]) for record in json.loads(row[2])]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(
                f"store {self.path} is damaged: answer {key[:12]} cannot be read; delete the file"
            ) from error

    def put(self, key: str, system: str, responses: Sequence[Response], asked_at: float) -> None:
        """Store the answers of `key`; filtered and truncated ones are recorded as what they are."""
        bad = next((r.finish for r in responses if r.finish is not Finish.STOP), None)
        self._write(key, system, "ok" if bad is None else bad.value, asked_at, [_encode(r) for r in responses])

    def put_failure(self, key: str, system: str, reason: str, asked_at: float) -> None:
        """Record that asking failed; a later answer replaces it."""
        self._write(key, system, "error", asked_at, [{"error": reason}])

    def register_run(self, run_id: str, started: float, folder: Path) -> None:
        """Remember where the report of a run lies."""
        self._execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)", (run_id, started, str(folder)))

    def runs(self) -> list[RunEntry]:
        """Return the registered runs, oldest first."""
        rows = self._execute("SELECT id, started, folder FROM runs ORDER BY started, id", ()).fetchall()
        return [RunEntry(id=row[0], started=row[1], folder=Path(row[2])) for row in rows]

    def __bool__(self) -> bool:
        return True  # an empty store is a store

    def __len__(self) -> int:
        return int(self._execute("SELECT count(*) FROM answers WHERE status = 'ok'", ()).fetchone()[0])

    def _write(self, key: str, system: str, status: str, asked_at: float, content: list[dict[str, Any]]) -> None:
        text = json.dumps(content, ensure_ascii=True)
        self._execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", (key, system, status, asked_at, text))

    def _execute(self, statement: str, values: tuple[object, ...]) -> sqlite3.Cursor:
        try:
            return self._db.execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(f"store {self.path}: {error}; free the disk or name another store") from error


def _encode(response: Response) -> dict[str, Any]:
    record: dict[str, Any] = {"text": response.text, "latency": round(response.latency, 6)}
    if response.value is not None:
        record["value"] = response.value
    if response.probabilities is not None:
        record["probabilities"] = dict(response.probabilities)
    if response.decisions is not None:
        record["decisions"] = {name: dict(outcomes) for name, outcomes in response.decisions.items()}
    if response.finish is not Finish.STOP:
        record["finish"] = response.finish.value
    if response.prompt_tokens or response.completion_tokens:
        record["tokens"] = [response.prompt_tokens, response.completion_tokens]
    return record


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
    )
