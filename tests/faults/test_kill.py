"""A campaign that is killed again and again ends like one that was not, and pays nothing twice."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from mutatis.query import Store
from support.loopback import loopback
from support.nursery import Interpreter, Program
from support.server import Act, Server, serve, until

KILLS = int(os.environ.get("MUTATIS_KILLS", "8"))
"""Times that a run is killed; 100 by hand before a release."""

INTERRUPTS = int(os.environ.get("MUTATIS_INTERRUPTS", "3"))
CONNECTIONS = 4
CASES = 40

RUN = """
import signal
from pathlib import Path
from mutatis.api import run_config
from mutatis.config import check, read_toml
import mutatis.reports.html
signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored by what a shell starts in the background

def run(config, store, out):
    try:
        run_config(check(read_toml(Path(config))), store=store, out=out)
    except KeyboardInterrupt:
        return 2
    return 0
"""


def configuration(folder: Path, server: Server) -> Path:
    data = folder / "reviews.jsonl"
    data.write_text("".join(json.dumps({"text": f"film number {i} was fine."}) + "\n" for i in range(CASES)))
    path = folder / "run.toml"
    path.write_text(
        f"""
relations = ["upper-case", "add-spaces", "no-change"]
concurrency = {CONNECTIONS}
noise_floor = 10
confirm = 3
shrink = 4
[system]
type = "openai"
model = "m"
base_url = "{server.url}"
[data]
task = "sentiment"
format = "jsonl"
path = '{data}'
"""
    )
    return path


Runs = Callable[..., bool]


@pytest.fixture
def ended(interpreter: Interpreter) -> Runs:
    """Runs to the end, or kills the run; says whether it came to its end."""
    program = Program(interpreter, RUN)
    interpreter.nursery.loaded()

    def run(config: Path, store: Path, out: Path, **killing: Any) -> bool:
        code = program.run(config=str(config), store=str(store), out=str(out), **killing)
        assert code in (0, -signal.SIGKILL, 2)
        return code == 0

    return run


def whole_run(folder: Path, server: Server, ended: Runs) -> tuple[Path, int]:
    """Run to the end, into `whole`; return the configuration and how many questions it paid."""
    config = configuration(folder, server)
    assert ended(config, folder / "whole.db", folder / "whole")
    paid, server.requests = server.requests, 0
    return config, paid


def some(chance: random.Random, paid: int, lives: int) -> int:
    """Return how many answers a life may get: all lives together leave a third of the questions open."""
    return chance.randint(0, 2 * paid // (3 * lives))


def test_killed_again_and_again_it_ends_with_the_same_verdicts_and_pays_at_most_the_open_connections(tmp_path, ended):
    chance = random.Random(20)
    with loopback(default=Act(delay=0.02)) as server:
        config, paid_whole = whole_run(tmp_path, server, ended)
        distinct = len(server.distinct)

        for _ in range(KILLS):
            # The server holds the next question, so no life ends by itself, however slow the machine is.
            server.hold_after(some(chance, paid_whole, KILLS))
            assert not ended(config, tmp_path / "store.db", tmp_path / "out", killed_when=lambda: server.holds)
            server.release()
        assert ended(config, tmp_path / "store.db", tmp_path / "out")
        for _ in range(KILLS // 4):  # all is paid: where such a kill falls, before or after the files, is up to chance
            ended(config, tmp_path / "store.db", tmp_path / "out", killed_after=chance.uniform(0.01, 0.2))
        assert ended(config, tmp_path / "store.db", tmp_path / "out")
    assert (tmp_path / "out" / "verdicts.jsonl").read_bytes() == (tmp_path / "whole" / "verdicts.jsonl").read_bytes()
    reports = [json.loads((tmp_path / name / "report.json").read_text()) for name in ("out", "whole")]
    assert reports[0]["summary"] == reports[1]["summary"]
    assert len(server.distinct) == distinct
    assert server.requests <= paid_whole + KILLS * CONNECTIONS
    with Store(tmp_path / "store.db") as store, Store(tmp_path / "whole.db") as other:
        assert len(store) == len(other) == paid_whole


def test_interrupted_again_and_again_it_pays_nothing_twice(tmp_path, ended):
    chance = random.Random(5)
    with loopback(default=Act(delay=0.02)) as server:
        config, paid_whole = whole_run(tmp_path, server, ended)

        def released() -> bool:
            server.release()
            return True

        for _ in range(INTERRUPTS):
            server.hold_after(some(chance, paid_whole, INTERRUPTS))
            assert not ended(
                config, tmp_path / "store.db", tmp_path / "out",
                killed_when=lambda: server.holds, by=signal.SIGINT, meanwhile=released,
            )  # fmt: skip
        assert ended(config, tmp_path / "store.db", tmp_path / "out")
    assert (tmp_path / "out" / "verdicts.jsonl").read_bytes() == (tmp_path / "whole" / "verdicts.jsonl").read_bytes()
    assert server.requests == paid_whole


async def test_what_is_held_right_after_a_release_stays_held():
    async with serve(default=Act(text="0.5")) as server, aiohttp.ClientSession() as session:
        server.release()
        server.hold_after(0)
        asking = asyncio.create_task(
            session.post(f"{server.url}/chat/completions", json={"messages": [{"content": "a"}]})
        )
        await until(lambda: server.requests)
        for _ in range(50):
            await asyncio.sleep(0)
        assert server.in_flight == 1
        server.release()
        assert (await asking).status == 200
