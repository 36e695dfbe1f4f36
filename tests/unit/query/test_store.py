"""The SQLite file of answers: what goes in comes out, and a file that is none is told in one line."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.core.errors import StoreError
from mutatis.core.system import Finish, Response
from mutatis.query import Store
from mutatis.query.store import VERSION

texts = st.text(st.characters(codec=None), max_size=40)
responses = st.builds(
    Response,
    text=texts,
    value=st.none() | texts | st.booleans() | st.integers(-(2**53), 2**53) | st.lists(texts, max_size=3),
    probabilities=st.none() | st.dictionaries(texts, st.floats(0, 1), max_size=3),
    decisions=st.none() | st.dictionaries(texts, st.dictionaries(texts, st.floats(0, 1), max_size=2), max_size=3),
    prompt_tokens=st.integers(0, 10**6),
    completion_tokens=st.integers(0, 10**6),
    latency=st.integers(0, 10**6).map(lambda n: n / 1000),
)


def rows_of(path: Path, question: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(question).fetchall()


@given(st.lists(responses, min_size=1, max_size=3))
def test_any_answer_comes_out_as_it_went_in(given_responses):
    with Store(None) as store:
        store.put("k", "s", given_responses, 12.5)
        stored = store.get("k")
    assert stored is not None
    for before, other in zip(given_responses, stored, strict=True):
        assert (before.text, before.value, before.probabilities) == (other.text, other.value, other.probabilities)
        assert before.decisions == other.decisions
        assert (before.prompt_tokens, before.completion_tokens) == (other.prompt_tokens, other.completion_tokens)
        assert before.latency == other.latency
        assert (other.asked_at, other.stored, other.finish) == (12.5, True, Finish.STOP)


@pytest.mark.parametrize("finish", [Finish.FILTERED, Finish.LENGTH])
def test_filtered_and_truncated_answers_are_recorded_as_such(tmp_path, finish):
    with Store(tmp_path / "s.db") as store:
        store.put("k", "s", [Response(text="half an ans", finish=finish)], 1.0)
        assert [(r.text, r.finish) for r in store.get("k") or []] == [("half an ans", finish)]
        assert len(store) == 0
    [row] = rows_of(tmp_path / "s.db", "SELECT status, content FROM answers")
    assert row[0] == finish.value
    assert "half an ans" in row[1]


def test_a_failure_is_never_served_and_gives_way_to_an_answer(tmp_path):
    with Store(tmp_path / "s.db") as store:
        store.put_failure("k", "s", "HTTP 500", 1.0)
        assert store.get("k") is None
        store.put("k", "s", [Response(text="fine")], 2.0)
        assert [r.text for r in store.get("k") or []] == ["fine"]


def test_an_answer_that_nobody_could_use_is_served_to_who_wants_it_and_gives_way_to_another():
    with Store(None) as store:
        store.put("k", "s", [Response(text="I would rather not.")], 10.0)
        store.reject("k")
        assert store.get("k") is None
        assert [r.text for r in store.get("k", unusable=True) or []] == ["I would rather not."]
        store.put_failure("k", "s", "HTTP 500", 11.0)
        assert store.get("k", unusable=True) is not None
        store.put("k", "s", [Response(text="{}")], 12.0)
        assert [r.text for r in store.get("k") or []] == ["{}"]
        store.put("cut", "s", [Response(text="half", finish=Finish.LENGTH)], 10.0)
        store.reject("cut")  # it is no answer anyway
        assert store.get("cut") is not None


def test_answers_survive_closing(tmp_path):
    path = tmp_path / "deep" / "down" / "s.db"
    with Store(path) as store:
        store.put("k", "s", [Response(text="a")], 1.0)
    with Store(path) as store:
        assert [r.text for r in store.get("k") or []] == ["a"]


def _told(path: Path) -> str:
    with pytest.raises(StoreError) as caught:
        Store(path)
    text = str(caught.value)
    assert "\n" not in text
    assert path.name in text
    return text


def test_a_file_that_is_no_store_is_told_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("These are my notes, and they are longer than an SQLite header would be. " * 20)
    before = path.read_bytes()
    assert "delete" in _told(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_told_and_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE songs (title TEXT)")
    other.close()
    assert "not a store" in _told(path)
    tables = rows_of(path, "SELECT name FROM sqlite_master")
    assert tables == [("songs",)]


def test_a_newer_format_is_told(tmp_path):
    path = tmp_path / "s.db"
    Store(path).close()
    with sqlite3.connect(path) as newer:
        newer.execute(f"PRAGMA user_version={VERSION + 1}")
    newer.close()
    assert f"format {VERSION + 1}" in _told(path)


def test_a_folder_in_place_of_the_file_is_told(tmp_path):
    _told(tmp_path)


def test_a_file_in_place_of_the_folder_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    _told(tmp_path / "file" / "s.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to the superuser")
def test_a_read_only_folder_is_told(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    _told(folder / "s.db")


def test_damaged_content_is_a_store_error(tmp_path):
    with Store(tmp_path / "s.db") as store:
        store.put("k", "s", [Response(text="fine")], 1.0)
        for content in ("[{", '[{"nothing": 1}]', "7"):
            store._db.execute("UPDATE answers SET content = ?", (content,))
            with pytest.raises(StoreError, match=r"s\.db"):
                store.get("k")


WRITER = """
import sys
from mutatis.core.system import Response
from mutatis.query import Store
path, name = sys.argv[1:]
for number in range(40):
    with Store(path) as store:
        store.put(f"{name}-{number}", "s", [Response(text=name)], 1.0)
        store.put("shared", "s", [Response(text=name)], 1.0)
"""


def test_two_processes_write_one_store_at_the_same_time(tmp_path):
    path = tmp_path / "s.db"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], stderr=subprocess.PIPE, text=True)
        for name in ("a", "b", "c")
    ]
    for writer in writers:
        _, errors = writer.communicate(timeout=600)
        assert writer.returncode == 0, errors
    with Store(path) as store:
        assert len(store) == 3 * 40 + 1


def test_a_folder_as_store_is_told_without_advice_to_delete_it(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"is a folder; name a file, such as .*store\.db") as caught:
        Store(tmp_path)
    assert "delete" not in str(caught.value)
