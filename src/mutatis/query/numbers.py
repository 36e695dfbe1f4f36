"""Stores numbers that a judge computed from texts, next to the answers. The keys are hashes of the texts.

This is a cache: if it cannot be read or written, the numbers are computed again.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

_SCHEMA = "CREATE TABLE IF NOT EXISTS numbers (key BLOB PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID"
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
            self._db.execute(_SCHEMA)
        return self._db if self._usable else None
