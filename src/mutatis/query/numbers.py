"""Stores numbers that a judge computed from texts next to the answers, by hash and without the texts.

It is a cache: if it cannot be read or written, the numbers are computed again.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

_SCHEMA = "CREATE TABLE IF NOT EXISTS numbers (key BLOB PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID"
_AT_ONCE = 500
"""Number of keys in one database query, which SQLite limits."""


class Numbers:
    """A memory (`text.memory.Memory`) in a store's file or, without a file, in this process.

    It has its own connection, which any thread may use, because judges compute in threads.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = ":memory:" if path is None else path
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._usable = True

    def recall(self, keys: Sequence[bytes]) -> dict[bytes, float]:
        """Return the stored numbers for these keys, leaving out keys without one."""
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
        """Store numbers by key."""
        with self._lock:
            try:
                if (db := self._open()) is not None:
                    with db:  # one transaction
                        db.executemany("INSERT OR REPLACE INTO numbers VALUES (?, ?)", numbers.items())
            except sqlite3.Error:
                self._usable = False

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db, self._usable = None, False

    def _open(self) -> sqlite3.Connection | None:
        """Return the connection, opened when first needed, or None if the file cannot be used."""
        if self._db is None and self._usable:
            self._db = sqlite3.connect(self._path, timeout=30, check_same_thread=False)
            self._db.execute(_SCHEMA)
        return self._db if self._usable else None
