"""Where the processor time of one question to an endpoint goes: every stage by itself, beside the whole campaign.

    python benchmarks/query_cost.py [--queries 4000] [--connections 256]

A stage is called again and again on the objects of a real campaign, and the best of many rounds counts, so that a busy
machine changes little. The whole is a campaign like that of `throughput.py`; what the stages leave of it are tasks,
coroutines, wake-ups, places, and caches of the processor that a stage by itself does not lose.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mutatis.campaign.judging import judge_all
from mutatis.campaign.observe import read_response
from mutatis.campaign.run import Loop
from mutatis.campaign.verdict_file import VerdictFile
from mutatis.core.system import Response
from mutatis.core.transformation import derive
from mutatis.query import Store
from mutatis.query.key import answer_key, canonical
from mutatis.systems.transport import Received
from throughput import bare, campaign, served

TIMES, ROUNDS = 200, 30
REPLY = {
    "choices": [{"message": {"role": "assistant", "content": "0.7"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 50, "completion_tokens": 2},
}


def best(call: Callable[[], object]) -> float:
    """Return the microseconds of one call."""
    least = float("inf")
    for _ in range(ROUNDS):
        began = time.thread_time()
        for _ in range(TIMES):
            call()
        least = min(least, time.thread_time() - began)
    return 1e6 * least / TIMES


async def best_of(call: Callable[[], Awaitable[object]], times: int = TIMES) -> float:
    """Return the microseconds of one awaited call."""
    least = float("inf")
    for _ in range(ROUNDS):
        began = time.thread_time()
        for _ in range(times):
            await call()
        least = min(least, time.thread_time() - began)
    return 1e6 * least / times


def name_of(number: int) -> str:
    """Return a key as an answer has one: neighbours in time are none in the file."""
    return hashlib.sha256(str(number).encode()).hexdigest()


async def of_stages(folder: Path) -> dict[str, float]:
    """Return the microseconds of each stage, per question: a follow-up and its source are two."""
    from mutatis.assembly.campaign import assemble
    from mutatis.config import check

    (folder / "cases.jsonl").write_text(
        json.dumps({"text": "sentence number 17 about a film that was quite good"}) + "\n", encoding="utf-8"
    )
    config = check(
        {
            "system": {"type": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1", "temperature": 0.0},
            "data": {"task": "sentiment", "format": "jsonl", "path": str(folder / "cases.jsonl")},
            "relations": ["add-spaces"],
        }
    )
    with Store(folder / "stages.db") as store, VerdictFile(folder / "out") as file:
        parts = assemble(config, store)
        [target], [source] = parts.targets, parts.sources
        system: Any = target.layer.system
        task = target.tasks[source.task]
        [proposal] = parts.search.ask()
        case = await derive(source.case, proposal.derivation)
        conversation = task.converse(case, 0, [])
        identity, payload = canonical(dict(system.identity)), json.dumps(REPLY).encode()
        received = Received(payload=payload)
        response = system._response(received)
        verdicts: list[Any] = []
        loop = Loop(targets=parts.targets, judges=parts.judges)

        async def answered(_: object) -> Response:
            return response

        number = iter(range(10**9))

        def put() -> None:
            store.put(name_of(next(number)), "openai:m", [response], 1.0)

        async def claimed() -> None:
            async with store.claims.held("0123456789abcdef", 1.0):
                pass

        async def clock() -> None:
            async with asyncio.timeout(120):
                pass

        async def task_of_its_own() -> None:
            await asyncio.create_task(answered(None))

        target.layer.ask = lambda conversation, repeat=0: answered(conversation)  # type: ignore[method-assign,assignment]
        loop.listeners = (verdicts.append,)
        await loop.run(parts.search.__class__(parts.sources), parts.sources)
        verdict = next(event for event in verdicts if type(event).__name__ == "Verdict")
        pending = [type(verdict)(**{name: getattr(verdict, name) for name in verdict.__slots__} | {"decision": None})]
        return {
            "derive (every other question)": await best_of(lambda: derive(source.case, proposal.derivation)) / 2,
            "prompt": best(lambda: task.converse(case, 0, [])),
            "key": best(lambda: answer_key(identity, [conversation], 0)),
            "look into the store, twice": 2 * best(lambda: store.get("0" * 64)),
            "claim against other processes": await best_of(claimed),
            "task of its own, so that what is paid is kept": await best_of(task_of_its_own),
            "clock": await best_of(clock),
            "reply to answer": best(lambda: system._response(received)),
            "store, committed": best(put),
            "answer to observation": best(lambda: read_response(task, case, 0, response, 0)),
            "judge 256 verdicts (every other question)": await best_of(
                lambda: judge_all(pending * 256, parts.judges), 2
            ) / 256 / 2,
            "write a verdict (every other question)": best(lambda: file(verdict)) / 2,
        }  # fmt: skip


async def our_client(url: str, bodies: list[bytes], connections: int) -> float:
    """Return microseconds per request of aiohttp as the package uses it: one clock, no cookies, a limit of size."""
    from mutatis.systems.transport import Endpoint

    endpoint = Endpoint(url=f"{url}/chat/completions")
    todo = iter(bodies)

    async def worker() -> None:
        for body in todo:
            received = await endpoint.send(body)
            endpoint.parse(received.payload)

    began = time.process_time()
    await asyncio.gather(*(worker() for _ in range(connections)))
    spent = time.process_time() - began
    await endpoint.close()
    return 1e6 * spent / len(bodies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=4000)
    parser.add_argument("--connections", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--port", type=int, default=8766)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for stage, cost in asyncio.run(of_stages(Path(folder))).items():
            print(f"{cost:7.1f} us  {stage}", flush=True)
    with served(args.port, 0.05, chats=False) as url:
        whole(args, url)


def whole(args: argparse.Namespace, url: str) -> None:
    """Print the best round of both clients and of the campaign, one after the other in turn."""
    connections = args.connections
    body = {"model": "m", "temperature": 0.0, "messages": [{"role": "user", "content": "How positive is it? " * 12}]}
    bodies = [json.dumps(body).encode()] * args.queries
    asyncio.run(campaign(url, 2 * connections, connections))  # warms the program up
    measured: dict[str, list[float]] = {"bare aiohttp": [], "aiohttp as we use it": [], "campaign": []}
    for _ in range(args.rounds):
        measured["bare aiohttp"].append(1000 * asyncio.run(bare(url, bodies, connections))[1])
        measured["aiohttp as we use it"].append(asyncio.run(our_client(url, bodies, connections)))
        measured["campaign"].append(1000 * asyncio.run(campaign(url, args.queries, connections))[1])
    for name, costs in measured.items():
        print(f"{min(costs):7.1f} us  {name} ({', '.join(f'{cost:.0f}' for cost in costs)})")


if __name__ == "__main__":
    main()
