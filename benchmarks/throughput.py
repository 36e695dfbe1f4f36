"""Requests per second of a campaign against a 50 ms server, beside a bare client and a sequential one, in one run.

    python benchmarks/throughput.py [--queries 2000] [--connections 64] [--delay 0.05] [--rounds 3]
    python benchmarks/throughput.py --judges [--connections 16]       # a chatbot, judged by all replies or two

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
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
from aiohttp import web

WORDINGS = (
    "Yes, number {} is in stock. You can pick it up today.",
    "We have {} of that kind right here in the store.",
    "Good question! As far as I can see there are {} left.",
)


def reply(message: str) -> str:
    """Answer a message in one of three wordings that follow from it."""
    about = "".join(filter(str.isdigit, message)) or "none"
    return WORDINGS[zlib.crc32(message.encode()) % len(WORDINGS)].format(about)


async def serve(port: int, delay: float, *, chats: bool) -> None:
    async def answer(request: web.Request) -> web.Response:
        asked = await request.read()
        await asyncio.sleep(delay)
        text = reply(json.loads(asked)["messages"][-1]["content"]) if chats else "0.7"
        body = {
            "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
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
def served(port: int, delay: float, *, chats: bool) -> Iterator[str]:
    """Run the server in a process of its own; give its address."""
    command = [sys.executable, __file__, "--serve", "--port", str(port), "--delay", str(delay)]
    command += ["--judges"] * chats
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


RELATIONS = [
    "upper-case", "lower-case", "title-case", "add-spaces", "double-spaces", "repeat-words", "keyboard-typos",
    "swap-characters", "delete-characters", "final-mark", "polite-words", "say-job",
]  # fmt: skip
"""A dozen follow-ups of every message of a chatbot."""


async def campaign(url: str, queries: int, connections: int, measure: str = "") -> tuple[float, float]:
    """Return requests per second of a whole campaign, and milliseconds of processor time for each.

    With a measure it asks a chatbot, and is judged by it.
    """
    from mutatis.api import run_campaign
    from mutatis.assembly.campaign import assemble
    from mutatis.cli.run import rare_collection
    from mutatis.config import check
    from mutatis.query import Store

    with tempfile.TemporaryDirectory() as folder:
        cases = Path(folder) / "cases.jsonl"
        texts = (f"sentence number {i} about a film that was quite good" for i in range(queries // 2))
        if measure:
            texts = (f"How many of the lamps of number {i} are there?" for i in range(queries // (len(RELATIONS) + 1)))
        lines = [json.dumps({"message" if measure else "text": text}) for text in texts]
        cases.write_text("\n".join(lines), encoding="utf-8")
        config = check(
            {
                "system": {"type": "openai", "model": "m", "base_url": url, "temperature": 0.0},
                "data": {"task": "chat" if measure else "sentiment", "format": "jsonl", "path": str(cases)},
                "relations": RELATIONS if measure else ["add-spaces"],
                "judge": {"measure": measure} if measure else {},
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
    parser.add_argument("--judges", action="store_true", help="what it costs to judge a chatbot's replies together")
    parser.add_argument("--serve", action="store_true", help="only run the server")
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve(args.port, args.delay, chats=args.judges))
        return
    with served(args.port, args.delay, chats=args.judges) as url:
        (compare_judges if args.judges else compare)(args, url)


def compare_judges(args: argparse.Namespace, url: str) -> None:
    names = ("free-answers", "repertoire")
    for name in names:
        asyncio.run(campaign(url, 8 * 13, args.connections, name))  # loads the model of sentences
    slower = []
    for number in range(args.rounds):
        told = {name: asyncio.run(campaign(url, args.queries, args.connections, name)) for name in names}
        (alone, least), (together, cost) = told.values()
        slower.append(alone / together)
        print(
            f"round {number + 1}: free-answers {alone:.0f}/s ({least:.2f} ms of a processor each), "
            f"repertoire {together:.0f}/s ({cost:.2f} ms): {alone / together:.2f} times as long",
            flush=True,
        )
    print(f"median: {statistics.median(slower):.2f} times as long; {args.connections / args.delay:.0f}/s are possible")


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
