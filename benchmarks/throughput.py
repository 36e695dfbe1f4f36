"""Requests per second of a campaign against a 50 ms server, beside a bare client and a sequential one, in one run.

    python benchmarks/throughput.py [--queries 2000] [--connections 64] [--delay 0.05] [--rounds 3]

The server runs in a process of its own. The bare client sends the same bodies over as many connections with aiohttp
and parses the JSON answers, nothing else. The campaign derives follow-ups, asks, stores and judges.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
from aiohttp import web


async def serve(port: int, delay: float) -> None:
    async def answer(request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(delay)
        body = {
            "choices": [{"message": {"role": "assistant", "content": "0.7"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 50, "completion_tokens": 2},
        }
        return web.Response(text=json.dumps(body), content_type="application/json")

    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    print("ready", flush=True)
    await asyncio.Event().wait()


@contextmanager
def served(port: int, delay: float) -> Iterator[str]:
    """Run the server in a process of its own; give its address."""
    command = [sys.executable, __file__, "--serve", "--port", str(port), "--delay", str(delay)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


async def bare(url: str, bodies: list[bytes], connections: int) -> tuple[float, float]:
    """Return requests per second of aiohttp alone, and milliseconds of processor time for each."""
    todo = iter(bodies)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def worker() -> None:
            for body in todo:
                headers = {"Content-Type": "application/json"}
                async with session.post(f"{url}/chat/completions", data=body, headers=headers) as response:
                    json.loads(await response.read())

        started, began = time.perf_counter(), time.process_time()
        await asyncio.gather(*(worker() for _ in range(connections)))
        cpu = 1000 * (time.process_time() - began) / len(bodies)
        return len(bodies) / (time.perf_counter() - started), cpu


async def campaign(url: str, queries: int, connections: int) -> tuple[float, float]:
    """Return requests per second of a whole campaign, and milliseconds of processor time for each."""
    from mutatis.api import run_campaign
    from mutatis.assembly import assemble
    from mutatis.cli.collection import rare_collection
    from mutatis.config import check
    from mutatis.query import Store

    with tempfile.TemporaryDirectory() as folder:
        cases = Path(folder) / "cases.jsonl"
        lines = [
            json.dumps({"text": f"sentence number {i} about a film that was quite good"}) for i in range(queries // 2)
        ]
        cases.write_text("\n".join(lines), encoding="utf-8")
        config = check(
            {
                "system": {"type": "openai", "model": "m", "base_url": url, "temperature": 0.0},
                "data": {"task": "sentiment", "format": "jsonl", "path": str(cases)},
                "relations": ["add-spaces"],
                "concurrency": connections,
                "noise_floor": 0,
                "confirm": 0,
                "shrink": 0,
            }
        )
        with Store(Path(folder) / "store.db") as store:
            parts = assemble(config, store)
            started, began = time.perf_counter(), time.process_time()
            with rare_collection():
                await run_campaign(parts, folder=Path(folder) / "out")
            seconds, cpu = time.perf_counter() - started, time.process_time() - began
            paid = parts.targets[0].layer.counts.paid
            return paid / seconds, 1000 * cpu / paid


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--serve", action="store_true", help="only run the server")
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve(args.port, args.delay))
        return
    with served(args.port, args.delay) as url:
        compare(args, url)


def compare(args: argparse.Namespace, url: str) -> None:
    body = {
        "model": "m",
        "temperature": 0.0,
        "messages": [{"role": "user", "content": "How positive is this text, from 0 to 1? A film that was good." * 4}],
    }
    bodies = [json.dumps(body).encode()] * args.queries
    asyncio.run(campaign(url, 2 * args.connections, args.connections))  # warms the program up
    ratios, shares = [], []
    for number in range(args.rounds):
        plain, least = asyncio.run(bare(url, bodies, args.connections))
        ours, cost = asyncio.run(campaign(url, args.queries, args.connections))
        ratios.append(ours / plain)
        shares.append(least / cost)
        print(
            f"round {number + 1}: bare client {plain:.0f}/s ({least:.3f} ms of a processor each), "
            f"campaign {ours:.0f}/s ({cost:.3f} ms): {ours / plain:.0%} of it, {least / cost:.0%} by processor time",
            flush=True,
        )
    alone, _ = asyncio.run(bare(url, bodies[:100], 1))
    print(
        f"sequential client {alone:.1f}/s; median ratio to the bare client {statistics.median(ratios):.0%}, "
        f"by processor time {statistics.median(shares):.0%}"
    )


if __name__ == "__main__":
    main()
