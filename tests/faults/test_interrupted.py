"""A run that does not come to its end: what was paid is kept, what was written is whole, our mistakes are told."""

from __future__ import annotations

import asyncio
import builtins
import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

import mutatis
from mutatis import cli
from mutatis.api import run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.campaign.verdict_file import VerdictFile
from mutatis.config import check
from mutatis.core.errors import UsageError
from mutatis.query import Store
from support.loopback import Command
from support.server import PATIENCE, Act, serve, until


def tables(folder: Path, url: str, number: int = 20) -> dict[str, Any]:
    data = folder / "reviews.jsonl"
    data.write_text("".join(json.dumps({"text": f"film number {i} was fine."}) + "\n" for i in range(number)))
    return {
        "system": {"type": "openai", "model": "m", "base_url": url, "concurrency": 4},
        "data": {"task": "sentiment", "format": "jsonl", "path": str(data)},
        "relations": ["upper-case"],
        "noise_floor": 0,
    }


async def test_an_interrupted_run_keeps_what_is_on_the_wire_and_asks_nothing_more(tmp_path, caplog):
    async with serve(default=Act(text="0.5", silent=True)) as server:
        with Store(tmp_path / "store.db") as store:
            campaign = assemble(check(tables(tmp_path, server.url)), store)
            running = asyncio.create_task(run_campaign(campaign, folder=tmp_path / "out"))
            await until(lambda: server.in_flight == 4)
            running.cancel()
            await until(lambda: "interrupted: waiting for 4 answers" in caplog.text)
            server.release()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert len(store) == server.requests == 4
    assert "4 answers already requested are kept" in caplog.text
    assert list((tmp_path / "out").iterdir()) == []


async def test_the_verdicts_of_the_run_before_stay_until_there_are_new_ones(tmp_path):
    async with serve(default=Act(text="0.5")) as server:
        with Store(tmp_path / "store.db") as store:
            await run_campaign(assemble(check(tables(tmp_path, server.url)), store), folder=tmp_path / "out")
        whole = (tmp_path / "out" / "verdicts.jsonl").read_bytes()
        server.default = Act(text="0.5", silent=True)
        with Store(None) as store:
            running = asyncio.create_task(
                run_campaign(assemble(check(tables(tmp_path, server.url)), store), folder=tmp_path / "out")
            )
            await until(lambda: server.in_flight)
            with pytest.raises(UsageError, match="another run is writing to"), VerdictFile(tmp_path / "out"):
                pass
            running.cancel()
            server.release()
            with pytest.raises(asyncio.CancelledError):
                await running
    assert (tmp_path / "out" / "verdicts.jsonl").read_bytes() == whole
    assert not (tmp_path / "out" / "verdicts.jsonl.part").exists()
    written = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out").iterdir()}
    assert {"verdicts.jsonl", "report.json", "report.html", "junit.xml"} <= written.keys()
    assert set(written.values()) == {0o600}


async def test_an_interrupted_run_that_keeps_nothing_opens_no_connection_once_all_are_closed(tmp_path):
    """Questions that had not been sent were sent after the connections were closed, on one that nobody closed."""
    async with serve(default=Act(text="0.5", silent=True)) as server:
        with Store(None) as store:
            campaign = assemble(check(tables(tmp_path, server.url)), store)
            running = asyncio.create_task(run_campaign(campaign, folder=tmp_path / "out"))
            await until(lambda: server.in_flight)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(running, 60)
            others = asyncio.all_tasks() - {asyncio.current_task()}
            assert not [task for task in others if "QueryLayer" in repr(task.get_coro())]
            assert server.requests <= campaign.layers[0].concurrency
            [endpoint] = [layer.system.endpoint for layer in campaign.layers]
            assert endpoint._session is None
            server.release()


async def test_the_replies_of_the_run_before_stay_until_there_are_new_ones(tmp_path):
    """Without them its findings could not be replayed: the judge of chat goes by all replies of the run."""
    messages = [f"When does branch {number} open?" for number in range(4)]
    settings = {"noise_floor": 0, "confirm": 0, "shrink": 0}
    begun, released = asyncio.Event(), asyncio.Event()

    async def run(answer, **more):
        system = mutatis.system("function", target=answer, label="bot", revision="1")
        asked = {"task": "chat", "settings": {**settings, **more}, "out": tmp_path / "out"}
        await mutatis.run_async(system, messages, ["upper-case"], **asked)

    await run(lambda text: f"It opens at nine: {text.lower()}")
    whole = (tmp_path / "out" / "repertoire.jsonl").read_bytes()
    assert whole.count(b"\n") == 4

    async def until_the_third(text: str) -> str:
        if "3" in text:
            begun.set()
            await released.wait()
        return "It opens at ten."

    running = asyncio.create_task(run(until_the_third))
    await asyncio.wait_for(begun.wait(), PATIENCE)
    running.cancel()
    released.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (tmp_path / "out" / "repertoire.jsonl").read_bytes() == whole


def test_a_folder_that_is_deleted_during_the_run_is_told(tmp_path):
    file = VerdictFile(tmp_path / "out")
    file.__enter__()
    (tmp_path / "out" / "verdicts.jsonl.part").unlink()
    (tmp_path / "out").rmdir()
    with pytest.raises(UsageError, match="was deleted during the run"):
        file.__exit__(None)


def test_a_mistake_of_the_program_has_an_exit_code_of_its_own(tmp_path, monkeypatch, capsys):
    def broken(*arguments: object, **options: object) -> None:
        raise RuntimeError("what \x1b[2J now")

    monkeypatch.setattr("mutatis.cli.app.app", broken)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    done = Command(monkeypatch, capsys, tmp_path)("list", "relations")
    assert done.code == 4
    assert "RuntimeError: what" in done.complaint
    assert "\x1b" not in done.err
    [trace] = tmp_path.glob("mutatis-*.txt")
    assert str(trace) in done.err
    assert "in broken" in trace.read_text()
    assert done.err.strip().endswith(f"to {cli.MAINTAINERS}")


def test_an_interrupt_while_the_program_loads_is_one_line(monkeypatch, capsys, tmp_path):
    loaded = builtins.__import__

    def stopped(name, *arguments, **more):
        if name == "mutatis.cli.app":
            raise KeyboardInterrupt
        return loaded(name, *arguments, **more)

    monkeypatch.delitem(sys.modules, "mutatis.query.wire", raising=False)
    monkeypatch.setattr(builtins, "__import__", stopped)
    done = Command(monkeypatch, capsys, tmp_path)("list")
    assert (done.code, done.out, done.err) == (130, "", "mutatis: interrupted; nothing was asked\n")


def test_an_interrupt_that_typer_swallows_is_one_line(monkeypatch, capsys, tmp_path):
    def stopped():
        raise KeyboardInterrupt

    slow = typer.Typer()
    slow.command()(stopped)
    monkeypatch.setattr("mutatis.cli.app.app", slow)
    monkeypatch.setitem(sys.modules, "mutatis.query.wire", object())
    done = Command(monkeypatch, capsys, tmp_path)()
    assert done.code == 130
    assert done.err.startswith("mutatis: interrupted; repeat the command to continue")
