"""Judged together, a run writes the same bytes whatever its concurrency, and however often it is killed."""

from __future__ import annotations

import json
import random
import signal
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.loopback import loopback
from support.nursery import Interpreter, Program
from support.server import Act, Server

FILES = ("verdicts.jsonl", "repertoire.jsonl", "findings.jsonl")
SOURCES, CONNECTIONS, KILLS = 20, 4, 3

RUN = """
import asyncio, json
from pathlib import Path
import mutatis.campaign.run
from mutatis.assembly.campaign import assemble
from mutatis.campaign.session import conduct
from mutatis.config import check
from mutatis.query import Store
mutatis.campaign.run.SOURCES = 8  # blocks of 64 would be eight times the work

def run(tables, store, out):
    with Store(Path(store)) as answers:
        report = asyncio.run(conduct(assemble(check(tables), answers), folder=Path(out)))
    Path(out, "summary.json").write_text(json.dumps(report.to_json()["summary"]))
    return 0
"""

THERE = ("Yes, we have number {} right here.", "Number {} can be picked up today.", "There are some of number {} left.")
GONE = (
    "We ran out of number {}.",
    "Sorry, more of number {} come next week.",
    "Nothing remains of number {} just now.",
)


def answer(body: dict[str, Any]) -> str:
    """Answer in words that follow from the message; of every fifth number another, shouted at."""
    message = body["messages"][-1]["content"]
    number = int("".join(filter(str.isdigit, message))[:3])
    there = (number % 2 == 0) != (number % 5 == 0 and message.isupper())
    return (THERE if there else GONE)[zlib.crc32(message.encode()) % 3].format(number)


def tables(folder: Path, server: Server, **more: Any) -> dict[str, Any]:
    data = folder / "messages.jsonl"
    data.write_text("".join(json.dumps({"message": f"Do you have number {n}?"}) + "\n" for n in range(SOURCES)))
    return {
        "relations": ["upper-case", "lower-case", "title-case"],
        "noise_floor": 4,
        "confirm": 2,
        "shrink": 2,
        "concurrency": CONNECTIONS,
        "system": {"type": "openai", "model": "m", "base_url": server.url},
        "data": {"task": "chat", "format": "jsonl", "path": str(data)},
        **more,
    }


def written(out: Path) -> tuple[dict[str, bytes], Any]:
    """Return the files of a run and its summary."""
    return {name: (out / name).read_bytes() for name in FILES}, json.loads((out / "summary.json").read_text())


def test_the_bytes_are_the_same_for_every_concurrency_and_after_kills(tmp_path: Path, interpreter: Interpreter) -> None:
    chance, program = random.Random(3), Program(interpreter, RUN)
    with loopback(default=Act(delay=0.01), answer=answer) as server:

        def ended(name: str, store: str, *, killed_when: Callable[[], bool] | None = None, **more: Any) -> bool:
            config = tables(tmp_path, server, **more)
            code = program.run(
                tables=config, store=str(tmp_path / store), out=str(tmp_path / name), killed_when=killed_when
            )
            assert code in (0, -signal.SIGKILL)
            return code == 0

        assert ended("whole", "whole.db")
        paid = server.requests
        whole = written(tmp_path / "whole")
        for number in (1, 64):
            assert ended(f"at {number}", f"{number}.db", concurrency=number)
            assert written(tmp_path / f"at {number}") == whole

        server.requests = 0
        for _ in range(KILLS):
            # The server holds the next question, so no life ends by itself, however slow the machine is.
            server.hold_after(chance.randint(0, 2 * paid // (3 * KILLS)))
            assert not ended("killed", "killed.db", killed_when=lambda: server.holds)
            server.release()
        assert ended("killed", "killed.db")
        assert written(tmp_path / "killed") == whole
        assert server.requests <= paid + KILLS * CONNECTIONS
    lines = [json.loads(line) for line in (tmp_path / "whole" / "repertoire.jsonl").read_text().splitlines()]
    sizes = [sum(line["block"] == block for line in lines) for block in (0, 1)]
    assert sizes == [8, 12], "four sources more than a block join it"
    assert sum(len(line["repeats"]) for line in lines) > 0, "three follow-ups are one too few"
    verdicts = [json.loads(line) for line in (tmp_path / "whole" / "verdicts.jsonl").read_text().splitlines()]
    assert {"satisfied", "violated"} <= {verdict["outcome"] for verdict in verdicts}
