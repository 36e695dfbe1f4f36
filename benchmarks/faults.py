"""A campaign against a server that fails half of the time in every way: what each kind of fault came to.

    python benchmarks/faults.py [--queries 10000] [--share 0.5] [--connections 64]

Which request fails, and how, depends on its text and on how often it came, so that two runs see the same faults.
Printed: per kind how often it was served, and what became of the questions whose last reply it was; then the outcomes.
Exit code 1 where a passing fault cost a verdict that a retry would have saved, or the campaign did not come to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from support.server import Act, Server, application, score

PASSING: dict[str, Act] = {
    "429": Act(status=429),
    "429 with a time": Act(status=429, retry_after="0.2"),
    "429, odd time": Act(status=429, retry_after="soon"),
    "500": Act(status=500),
    "503": Act(status=503, retry_after="0.1"),
    "cut before": Act(cut="before"),
    "cut inside": Act(cut="inside"),
}
LASTING: dict[str, Act] = {
    "400": Act(status=400, error={"message": "too long\x1b[2J", "code": "context_length_exceeded"}),
    "no JSON": Act(raw="{"),
    "deep JSON": Act(raw="[" * 100_000),
    "odd finish reason": Act(raw='{"choices": [{"message": {"content": "0.5"}, "finish_reason": ["stop"]}]}'),
    "empty": Act(text=""),
    "filtered": Act(text="0.5", finish="content_filter"),
    "cut off": Act(text="0.5", finish="length"),
}
KINDS = PASSING | LASTING


@dataclass
class Faulty(Server):
    """Draws the act of a request from its text and from how often it came."""

    share: float = 0.5
    came: Counter[str] = field(default_factory=Counter)
    served: Counter[str] = field(default_factory=Counter)
    last: dict[str, str] = field(default_factory=dict)

    async def _act(self, act: Act, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        name = hashlib.sha256(json.dumps(body["messages"]).encode()).hexdigest()
        self.came[name] += 1
        drawn = int(hashlib.sha256(f"{name} {self.came[name]}".encode()).hexdigest(), 16)
        kind = list(KINDS)[drawn // 1000 % len(KINDS)] if drawn % 1000 < 1000 * self.share else "fine"
        self.served[kind] += 1
        self.last[name] = kind
        return await super()._act(KINDS.get(kind, Act()), request, body)


async def campaign(url: str, folder: Path, queries: int, connections: int) -> Any:
    """Run reviews under one relation, each question one query."""
    from mutatis.api import run_campaign
    from mutatis.assembly.campaign import assemble
    from mutatis.config import check
    from mutatis.query import Store

    data = folder / "reviews.jsonl"
    data.write_text("".join(json.dumps({"text": f"film number {i} was fine."}) + "\n" for i in range(queries // 2)))
    tables = {
        "system": {"type": "openai", "model": "m", "base_url": url, "concurrency": connections, "retries": 12},
        "data": {"task": "sentiment", "format": "jsonl", "path": str(data)},
        "relations": ["upper-case"],
        "noise_floor": 0,
        "confirm": 0,
        "shrink": 0,
    }
    with Store(folder / "store.db") as store:
        return await run_campaign(assemble(check(tables), store), folder=folder / "out")


async def main(arguments: argparse.Namespace) -> int:
    server = Faulty(answer=score, keep=False, share=arguments.share)
    runner = web.AppRunner(application(server), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        await campaign(url, Path(folder), arguments.queries, arguments.connections)
        lines = [json.loads(line) for line in (Path(folder) / "out" / "verdicts.jsonl").read_text().splitlines()]
    await runner.cleanup()
    last = Counter(server.last.values())
    print(f"{server.requests} requests for {len(server.last)} questions in {time.perf_counter() - started:.0f} s")
    print(f"{'kind':<20}{'served':>8}{'last reply of a question':>26}")
    for kind in ["fine", *KINDS]:
        print(f"{kind:<20}{server.served[kind]:>8}{last[kind]:>26}")
    print("verdicts:", dict(Counter(line["outcome"] for line in lines)))
    reasons = Counter(
        (line["reason"] or "").removeprefix("source: ")[:90] for line in lines if line["outcome"] == "error"
    )
    for reason, number in reasons.most_common():
        print(f"{number:>7}  {reason}")
    lost = sum(last[kind] for kind in PASSING)
    print(f"{lost} questions ended with a fault that passes; {len(lines)} verdicts of {arguments.queries // 2}")
    return int(lost > 0 or len(lines) != arguments.queries // 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--connections", type=int, default=64)
    sys.exit(asyncio.run(main(parser.parse_args())))
