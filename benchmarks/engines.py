"""Questions per second of both engines, and that a campaign outlives its workers and a node of a cluster.

    python benchmarks/engines.py [--cases 300] [--cost 0.02 | --server [--delay 0.05]] [--workers 1 2] [--kill]

The system is a function whose call takes `--cost` seconds of a processor; with `--server` it is an HTTP endpoint that
answers after `--delay` seconds, asked by the workers (`replicas`), and the server is a process of its own. Starting Ray
and the workers is not timed. With `--kill`, a local cluster of two nodes loses a worker process, an actor and then a
whole node while the campaign runs; exit code 1 where the verdicts are then not the local engine's, byte for byte.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from throughput import served

BOT = """
import os, time
from pathlib import Path

COST = {cost}
HERE = Path(__file__).parent

def answer(text):
    (HERE / "workers" / str(os.getpid())).touch()
    end = time.thread_time() + COST
    while time.thread_time() < end:
        pass
    return "0.1" if text.isupper() and "1" in text else "0.9"
"""


def prepared(folder: Path, cases: int, cost: float) -> dict[str, Any]:
    """Write bot and data; return the tables of the configuration."""
    (folder / "workers").mkdir()
    (folder / "bot.py").write_text(BOT.format(cost=cost))
    lines = [json.dumps({"text": f"film number {number} was fine."}) + "\n" for number in range(cases)]
    (folder / "reviews.jsonl").write_text("".join(lines))
    return {
        "system": {"type": "function", "target": f"{folder / 'bot.py'}:answer"},
        "data": {"task": "sentiment", "format": "jsonl", "path": str(folder / "reviews.jsonl")},
        "relations": ["upper-case"],
        **{"noise_floor": 0, "confirm": 0, "shrink": 0},
    }


def endpoint(tables: dict[str, Any], url: str, workers: int, connections: int) -> dict[str, Any]:
    """Return the tables with an endpoint as the system, which as many workers ask."""
    replicas = {"replicas": workers} if workers else {}
    system = {"type": "openai", "model": "m", "base_url": url, "concurrency": connections, **replicas}
    return {**tables, "system": system}


def campaign(tables: dict[str, Any], out: Path, meanwhile: Callable[[], None] | None = None) -> tuple[float, float]:
    """Run a campaign; return its questions per second, and milliseconds of this process' processor time for each.

    `meanwhile` is called with the system in a thread when it begins.
    """
    from mutatis.api import run_campaign
    from mutatis.assembly.campaign import assemble
    from mutatis.config import check
    from mutatis.query import Store

    async def inside() -> tuple[float, float]:
        with Store(out / "store.db") as store:
            made = assemble(check(tables), store)
            if meanwhile is not None:
                threading.Thread(target=meanwhile, args=[made.targets[0].layer.system], daemon=True).start()
            began, began_cpu = time.perf_counter(), time.process_time()
            await run_campaign(made, folder=out)
            number = made.targets[0].layer.counts.logical
            seconds, cpu = time.perf_counter() - began, time.process_time() - began_cpu
            return number / seconds, 1000 * cpu / number

    return asyncio.run(inside())


def throughput(arguments: argparse.Namespace, url: str | None) -> int:
    rates = {}
    for workers in (0, *arguments.workers):
        with tempfile.TemporaryDirectory() as name:
            tables = prepared(Path(name), arguments.cases, arguments.cost)
            if url is not None:
                tables = endpoint(tables, url, workers, arguments.connections)
            engine = {"engine": "ray", "workers": workers} if workers else {}
            rates[workers], cpu = campaign({**tables, **engine}, Path(name) / "out")
        what = f"ray, {workers} worker{'s' if workers > 1 else ''}" if workers else "local"
        ratio = f", {rates[workers] / rates[1]:.2f} times one worker" if rates.get(1) and workers > 1 else ""
        print(
            f"{what:<16}{rates[workers]:7.1f} questions per second, {cpu:.2f} ms of the driver each{ratio}", flush=True
        )
    return int(url is None and 2 in rates and 1 in rates and rates[2] < 1.5 * rates[1])


def survival(arguments: argparse.Namespace) -> int:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray
    from ray.cluster_utils import Cluster

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables = prepared(folder, arguments.cases, arguments.cost)
        campaign(tables, folder / "local")
        (folder / "workers" / str(os.getpid())).unlink()
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
        other = cluster.add_node(num_cpus=2)
        ray.init(address=cluster.address, log_to_driver=False, logging_level=40)
        done: list[str] = []

        def kill(system: Any) -> None:
            while len(list((folder / "workers").iterdir())) < 3:
                time.sleep(0.1)
            time.sleep(1)
            os.kill(int(next((folder / "workers").iterdir()).name), signal.SIGKILL)
            done.append("a worker")
            time.sleep(3)
            ray.kill(system._workers[0].actor, no_restart=False)
            done.append("an actor")
            time.sleep(3)
            cluster.remove_node(other, allow_graceful=False)
            done.append("a node")

        rate, _ = campaign({**tables, "engine": "ray", "workers": 4}, folder / "ray", kill)
        same = (folder / "local" / "verdicts.jsonl").read_bytes() == (folder / "ray" / "verdicts.jsonl").read_bytes()
        ray.shutdown()
        cluster.shutdown()
    print(f"{', '.join(done)} killed, {rate:.1f} questions per second; verdicts {'are equal' if same else 'DIFFER'}")
    return int(not same or len(done) < 3)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--cost", type=float, default=0.02)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--server", action="store_true")
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--connections", type=int, default=64)
    arguments = parser.parse_args()
    if arguments.kill:
        return survival(arguments)
    with served(8767, arguments.delay) if arguments.server else nullcontext() as url:
        return throughput(arguments, url)


if __name__ == "__main__":
    sys.exit(main())
