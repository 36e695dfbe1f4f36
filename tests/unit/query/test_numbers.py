"""What judges worked out, beside the answers: kept by the store, and no matter where it cannot be."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing

import pytest

from mutatis.query import Store
from mutatis.query.store import Numbers

MANY = {bytes([high, low]) * 8: high / 256 + low for high in range(5) for low in range(256)}


def test_numbers_outlive_the_store_and_leave_its_answers_alone(tmp_path):
    path = tmp_path / "store.db"
    with Store(path) as store:
        assert store.numbers.recall([b"a" * 16]) == {}
        store.numbers.keep(MANY)
    with Store(path) as store:
        assert store.numbers.recall([*MANY, b"unknown"]) == MANY
        assert len(store) == 0
    assert store.numbers.recall([*MANY]) == {}  # closed


def test_without_a_file_they_are_kept_for_the_process():
    with Store(None) as store:
        store.numbers.keep({b"a": 0.5})
        assert store.numbers.recall([b"a"]) == {b"a": 0.5}


def test_a_store_of_an_earlier_version_gets_the_table(tmp_path):
    path = tmp_path / "store.db"
    Store(path).close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'numbers'").fetchone() == (0,)
    with Store(path) as store:
        store.numbers.keep({b"a": 1.0})
        assert store.numbers.recall([b"a"]) == {b"a": 1.0}


@pytest.mark.parametrize("content", [b"no database at all" * 100, None])
def test_a_file_that_cannot_be_used_costs_only_time(tmp_path, content):
    path = tmp_path / "store.db"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    numbers = Numbers(path)
    numbers.keep({b"a": 1.0})
    assert numbers.recall([b"a"]) == {}
    numbers.close()


def test_any_thread_may_ask(tmp_path):
    with Store(tmp_path / "store.db") as store:
        threads = [threading.Thread(target=store.numbers.keep, args=({bytes([n]): float(n)},)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.numbers.recall([bytes([n]) for n in range(8)]) == {bytes([n]): float(n) for n in range(8)}
