"""What ends a run in the middle is one line: nothing that was begun beside it complains afterwards."""

from __future__ import annotations

import asyncio
import json
import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mutatis.assembly.campaign import assemble
from mutatis.campaign.session import conduct
from mutatis.config import check
from mutatis.core.errors import MutatisError, StoreError
from mutatis.query import Store
from support.forked import in_a_fork
from support.loopback import Command, loopback
from support.server import Act

NUMBER = 12
pytestmark = pytest.mark.usefixtures("nothing_is_left_unsaid")


@pytest.fixture
def command(command: Command) -> Command:
    rows = [{"text": f"Film {n} was fine.", "question": f"Where is film {n}?"} for n in range(NUMBER)]
    (command.folder / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (command.folder / "q.txt").write_text("".join(f"Where is parcel {n}?\n" for n in range(NUMBER)))
    return command


def asked(command: Command, url: str, system: str, data: str = 'task = "sentiment"', top: str = "") -> Any:
    data = f'format = "jsonl"\npath = "d.jsonl"\n{data}' if "format" not in data else data
    text = f'relations = ["upper-case", "add-spaces"]\n{top}\n[system]\n{system.format(url=url)}\n[data]\n{data}\n'
    (command.folder / "my.toml").write_text(text)
    return command("run", "my.toml", "--out", "out")


OPENAI = 'type = "openai"\nmodel = "m"\nbase_url = "{url}"\n'
HTTP = 'type = "http"\nurl = "{url}/chat/completions"\n'
CHAT = 'task = "chat"\nformat = "lines"\npath = "q.txt"'


def test_a_budget_that_ends_among_refusals(command: Command) -> None:
    with loopback(default=Act(status=429, retry_after="0.001")) as server:
        done = asked(command, server.url, OPENAI, top="max_queries = 20")
    assert done.code == 3
    assert "no verdict was reached: the run is not complete: the budget of 20 queries is spent" in done.complaint


@pytest.mark.parametrize(
    ("system", "data", "says"),
    [
        (OPENAI + 'prompt = "Rate {{text}} of {{who}}"', "", "has the placeholder {who}; the case has: {text}"),
        (
            OPENAI + 'prompt = "Rate {{txt}}"',
            "",
            "contains none of its fields; it contains {txt}; add {text} to the prompt",
        ),
        (HTTP + 'request = {{ q = "{{quesion}}" }}', CHAT, "placeholder {quesion}; did you mean {question}? there is:"),
        (HTTP + 'request = {{ q = "{{quesion}}", s = "{{session}}" }}', CHAT, "did you mean {question}? there is:"),
        (
            HTTP + 'session_start = {{ url = "{url}", request = {{ a = "{{sesion}}" }} }}',
            CHAT,
            "placeholder {sesion}; did you mean {session}?",
        ),
    ],
)
def test_a_placeholder_that_stands_for_nothing(command: Command, system: str, data: str, says: str) -> None:
    with loopback(default=Act(text="0.5")) as server:
        done = asked(command, server.url, system, data or 'task = "sentiment"')
        assert (done.code, server.requests) == (2, 0)
    assert says in done.complaint
    assert not (command.folder / "out" / "verdicts.jsonl.part").exists()


def test_a_field_that_a_classifier_is_to_read_and_that_is_not_there(command: Command) -> None:
    (command.folder / "bot.py").write_text("def answer(fields):\n    return fields['title']\n")
    done = asked(command, "", 'type = "function"\ntarget = "bot.py:answer"\ninput = "fields"')
    assert done.code == 3
    assert "raised KeyError: 'title'" in done.complaint


def configured(folder: Path) -> Any:
    (folder / "bot.py").write_text("def answer(text):\n    return '0.9' + ' ' * 3000\n")
    rows = [json.dumps({"text": f"Film {n} was fine."}) for n in range(NUMBER)]
    (folder / "d.jsonl").write_text("\n".join(rows))
    tables = {
        "relations": ["upper-case", "leet"],
        "system": {"type": "function", "target": "bot.py:answer"},
        "data": {"task": "sentiment", "format": "jsonl", "path": "d.jsonl"},
    }
    return check(tables, folder)


async def conducted(folder: Path, store: Store) -> None:
    campaign = assemble(configured(folder), store)
    try:
        await conduct(campaign, folder=folder / "out")
    finally:
        await campaign.close()


@pytest.mark.parametrize("room", [0, 5])
def test_a_full_disk_under_the_store(tmp_path: Path, room: int) -> None:
    """SQLite itself says that it is full: its file may not grow by more than so many pages."""
    with Store(tmp_path / "s.db") as store:
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages + room}")
        with pytest.raises(StoreError, match=r"s\.db: database or disk is full; free space there, or"):
            asyncio.run(conducted(tmp_path, store))
        kept = len(store)
        store._db.execute("PRAGMA max_page_count = 100000")
        asyncio.run(conducted(tmp_path, store))
        assert kept >= room // 2
        assert len(store) >= 2 * NUMBER


def test_a_full_disk_under_the_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opening = os.open

    def full(path: Any, *options: Any, **more: Any) -> int:
        return opening("/dev/full" if str(path).endswith("verdicts.jsonl.part") else path, *options, **more)

    monkeypatch.setattr(os, "open", full)
    monkeypatch.setattr(os, "ftruncate", lambda *_: None)
    says = (
        r"the files of the run in .*out \(.*verdicts.jsonl.part\): No space left on device; free space there, or write "
        "into another folder; then run again: stored answers are reused"
    )
    with Store(None) as store, pytest.raises(StoreError, match=says):
        asyncio.run(conducted(tmp_path, store))


def limited_to(size: int, call: Callable[[], object]) -> str:
    """Return what a call says that may write files of so many bytes at most, as under `ulimit -f`."""

    def inside() -> str:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        try:
            call()
        except MutatisError as error:
            return str(error)
        return "nothing was said"

    return in_a_fork(inside)


@pytest.mark.parametrize("size", [1_000, 8_000])
def test_a_store_that_finds_no_room_is_not_to_be_deleted(tmp_path: Path, size: int) -> None:
    told = limited_to(size, lambda: Store(tmp_path / "s.db"))
    assert told.startswith(f"cannot open store {tmp_path / 's.db'}: ")
    assert told.endswith("; free space there, or name another folder (--out); stored answers are reused")


@pytest.mark.parametrize("size", [1_000, 30_000])
def test_a_file_that_may_not_grow_is_named(tmp_path: Path, size: int) -> None:
    told = limited_to(size, lambda: asyncio.run(conducted(tmp_path, Store(None))))
    assert "out/verdicts.jsonl" in told
    assert "File too large; free space there, or write into another folder; then run again" in told


def test_a_full_disk_under_a_report_is_no_mistake_of_the_program(command: Command, monkeypatch: Any) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "out/x")

    monkeypatch.setattr("mutatis.cli.list.list_command", full)
    done = command("list", "relations")
    assert (done.code, done.complaint) == (
        2,
        "a file (out/x): No space left on device; free space there, or write into another folder",
    )
