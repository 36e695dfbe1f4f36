"""A campaign that is killed again and again ends like one that was not, and pays nothing twice."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mutatis.query import Store
from support.loopback import loopback
from support.nursery import WARM_UP, Nursery
from support.server import Act, Server

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
def ended() -> Iterator[Runs]:
    """Runs to the end, or kills the run; says whether it came to its end."""
    nursery = Nursery(RUN + WARM_UP)
    nursery.loaded()

    def run(config: Path, store: Path, out: Path, **killing: Any) -> bool:
        code = nursery.run(config=str(config), store=str(store), out=str(out), **killing)
        assert code in (0, -signal.SIGKILL, 2)
        return code == 0

    yield run
    nursery.close()


def whole_run(folder: Path, server: Server, ended: Runs) -> tuple[Path, float]:
    """Run to the end, into `whole`; return the configuration and how long it took."""
    config = configuration(folder, server)
    began = time.monotonic()
    assert ended(config, folder / "whole.db", folder / "whole")
    return config, time.monotonic() - began


def test_killed_again_and_again_it_ends_with_the_same_verdicts_and_pays_at_most_the_open_connections(tmp_path, ended):
    chance = random.Random(20)
    with loopback(default=Act(delay=0.02)) as server:
        config, lasted = whole_run(tmp_path, server, ended)
        distinct, paid_whole = len(server.distinct), server.requests

        server.requests = 0
        killed = 0
        for _ in range(KILLS):
            # What was answered is not asked again, so short lives add up and kills fall into every phase.
            wait = chance.uniform(0.02, 0.3) * lasted
            killed += not ended(config, tmp_path / "store.db", tmp_path / "out", killed_after=wait)
        assert ended(config, tmp_path / "store.db", tmp_path / "out")
    assert killed >= KILLS // 2, "the kills came too late to say anything"
    assert (tmp_path / "out" / "verdicts.jsonl").read_bytes() == (tmp_path / "whole" / "verdicts.jsonl").read_bytes()
    reports = [json.loads((tmp_path / name / "report.json").read_text()) for name in ("out", "whole")]
    assert reports[0]["summary"] == reports[1]["summary"]
    assert len(server.distinct) == distinct
    assert server.requests <= paid_whole + killed * CONNECTIONS
    with Store(tmp_path / "store.db") as store, Store(tmp_path / "whole.db") as other:
        assert len(store) == len(other) == paid_whole


def test_interrupted_again_and_again_it_pays_nothing_twice(tmp_path, ended):
    chance = random.Random(5)
    with loopback(default=Act(delay=0.02)) as server:
        config, lasted = whole_run(tmp_path, server, ended)
        paid_whole = server.requests

        server.requests = interrupted = 0
        for _ in range(INTERRUPTS):
            wait = chance.uniform(0.02, 0.5) * lasted
            whole = ended(config, tmp_path / "store.db", tmp_path / "out", killed_after=wait, by=signal.SIGINT)
            interrupted += not whole
        assert ended(config, tmp_path / "store.db", tmp_path / "out")
    assert interrupted, "the interrupts came too late to say anything"
    assert (tmp_path / "out" / "verdicts.jsonl").read_bytes() == (tmp_path / "whole" / "verdicts.jsonl").read_bytes()
    assert server.requests == paid_whole
