"""Two runs on one store at the same time, each a process of its own: what both need is paid for once."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from mutatis.query import Store
from mutatis.query.store import fcntl
from support.server import PATIENCE, Act, Server, score, serve, until

CONNECTIONS = 4

RUN = """
import logging, sys
from pathlib import Path
from mutatis.api import run_config
from mutatis.config import check, read_toml
from mutatis.query.store import Claims
logging.basicConfig()
config, store, out = map(Path, sys.argv[1:4])
held, patience = Claims.held, float(sys.argv[4])  # as long as a question may take, where nobody says otherwise
Claims.held = lambda self, key, longest: held(self, key, min(longest, patience))
run_config(check(read_toml(config)), store=store, out=out)
"""

WAITS = b"another run is also using"

pytestmark = pytest.mark.skipif(fcntl is None, reason="this system has no locks that end with their process")


def configuration(folder: Path, server: Server) -> Path:
    data = folder / "reviews.jsonl"
    data.write_text("".join(json.dumps({"text": f"film number {i} was fine."}) + "\n" for i in range(30)))
    path = folder / "run.toml"
    path.write_text(
        f"""
relations = ["upper-case", "add-spaces"]
noise_floor = 5
confirm = 2
shrink = 2
[system]
type = "openai"
model = "m"
base_url = "{server.url}"
concurrency = {CONNECTIONS}
timeout = 600
[data]
task = "sentiment"
format = "jsonl"
path = '{data}'
"""
    )
    return path


@asynccontextmanager
async def running(config: Path, name: str, patience: float = 600.0) -> AsyncIterator[asyncio.subprocess.Process]:
    """A run into the folder NAME, with the store of the others; it is gone when the block ends."""
    folder = config.parent
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", RUN, str(config), str(folder / "store.db"), str(folder / name), str(patience),
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def told(process: asyncio.subprocess.Process) -> bytes:
    """Wait for the run's first message."""
    assert process.stderr is not None
    return await asyncio.wait_for(process.stderr.readline(), PATIENCE)


async def at_the_end(process: asyncio.subprocess.Process) -> None:
    _, said = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0, said.decode()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, int]:
    """The verdicts of a run that has its store for itself, and what it asked."""
    folder = tmp_path_factory.mktemp("alone")

    async def run_alone() -> int:
        async with serve(answer=score) as server, running(configuration(folder, server), "out") as run:
            await at_the_end(run)
            return server.requests

    asked = asyncio.run(run_alone())
    return verdicts(folder, "out"), asked


def verdicts(folder: Path, name: str) -> bytes:
    return (folder / name / "verdicts.jsonl").read_bytes()


async def test_what_both_need_is_asked_once_and_both_end_with_the_same_verdicts(tmp_path, alone):
    whole, asked = alone
    async with serve(default=Act(silent=True), answer=score) as server:
        config = configuration(tmp_path, server)
        async with running(config, "one") as first:
            await until(lambda: server.in_flight == CONNECTIONS)
            async with running(config, "two") as two:
                assert WAITS in await told(two)
                server.default = Act(delay=0.01)
                server.released.set()
                await asyncio.gather(at_the_end(first), at_the_end(two))
        assert server.requests == asked
    assert verdicts(tmp_path, "one") == verdicts(tmp_path, "two") == whole
    with Store(tmp_path / "store.db") as store:
        assert len(store) == asked
    reports = [json.loads((tmp_path / name / "report.json").read_text()) for name in ("one", "two")]
    assert sum(report["run"]["queries"]["paid"] for report in reports) == asked


@pytest.mark.parametrize(("end", "patience"), [(signal.SIGKILL, 600.0), (signal.SIGSTOP, 1.0)])
async def test_a_run_that_is_gone_or_stands_still_keeps_the_other_one_from_nothing(tmp_path, alone, end, patience):
    whole, asked = alone
    async with serve(default=Act(silent=True), answer=score) as server:
        config = configuration(tmp_path, server)
        async with running(config, "one") as first:
            await until(lambda: server.in_flight == CONNECTIONS)
            server.default = Act()  # for the other run, however soon it loses its patience
            async with running(config, "two", patience) as two:
                assert WAITS in await told(two)
                first.send_signal(end)
                await at_the_end(two)
        assert server.requests >= asked + CONNECTIONS  # more only where the machine is so busy that a time is up
        server.released.set()
    assert verdicts(tmp_path, "two") == whole


async def test_what_one_run_has_been_told_another_one_has_at_once_however_long_the_first_one_goes_on(tmp_path):
    """The claim on a question ends with its answer, not with the run that held it."""
    async with serve(default=Act(silent=True), answer=score) as server, serve(default=Act(silent=True)) as other:
        config = configuration(tmp_path, server)
        text = config.read_text()
        system = text[text.index("[system]") : text.index("[data]")].replace("[system]", "[[systems]]")
        second = system.replace(server.url, other.url).replace('model = "m"', 'model = "other"')
        longer = tmp_path / "longer.toml"
        longer.write_text(text[: text.index("[system]")] + system + second + text[text.index("[data]") :])
        async with running(longer, "one") as first:
            await until(lambda: server.in_flight == CONNECTIONS and other.in_flight)
            async with running(config, "two") as two:
                assert WAITS in await told(two)
                server.default = Act()
                server.release()
                await at_the_end(two)
            assert first.returncode is None
            assert other.in_flight
        other.release()
