"""Questions per second of both engines, and that a campaign outlives its workers and a node of a cluster.

    python benchmarks/engines.py [--cases 300] [--cost 0.02] [--workers 1 2] [--kill]

The system is a function whose call takes `--cost` seconds of a processor. Starting Ray and the workers is not timed.
With `--kill`, a local cluster of two nodes loses a worker process and then a whole node while the campaign runs; exit
code 1 where the verdicts are then not those of the local engine, byte for byte.
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
from pathlib import Path
from typing import Any

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


def campaign(tables: dict[str, Any], out: Path, meanwhile: Callable[[], None] | None = None) -> float:
    """Run a campaign; return its questions per second. `meanwhile` is called in a thread when it begins."""
    from mutatis.api import run_campaign
    from mutatis.assembly import assemble
    from mutatis.config import check
    from mutatis.query import Store

    async def inside() -> float:
        with Store(out / "store.db") as store:
            made = assemble(check(tables), store)
            if meanwhile is not None:
                threading.Thread(target=meanwhile, daemon=True).start()
            began = time.perf_counter()
            await run_campaign(made, folder=out)
            return made.targets[0].layer.counts.logical / (time.perf_counter() - began)

    return asyncio.run(inside())


def throughput(arguments: argparse.Namespace) -> int:
    rates = {}
    for workers in (0, *arguments.workers):
        with tempfile.TemporaryDirectory() as name:
            tables = prepared(Path(name), arguments.cases, arguments.cost)
            engine = {"engine": "ray", "workers": workers} if workers else {}
            rates[workers] = campaign({**tables, **engine}, Path(name) / "out")
        what = f"ray, {workers} worker{'s' if workers > 1 else ''}" if workers else "local"
        ratio = f", {rates[workers] / rates[1]:.2f} times one worker" if rates.get(1) and workers > 1 else ""
        print(f"{what:<16}{rates[workers]:7.1f} questions per second{ratio}", flush=True)
    return int(2 in rates and 1 in rates and rates[2] < 1.5 * rates[1])


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

        def kill() -> None:
            while len(list((folder / "workers").iterdir())) < 3:
                time.sleep(0.1)
            time.sleep(1)
            os.kill(int(next((folder / "workers").iterdir()).name), signal.SIGKILL)
            done.append("a worker")
            time.sleep(3)
            cluster.remove_node(other, allow_graceful=False)
            done.append("a node")

        rate = campaign({**tables, "engine": "ray", "workers": 4}, folder / "ray", kill)
        same = (folder / "local" / "verdicts.jsonl").read_bytes() == (folder / "ray" / "verdicts.jsonl").read_bytes()
        ray.shutdown()
        cluster.shutdown()
    print(f"{' and '.join(done)} killed, {rate:.1f} questions per second; verdicts {'are equal' if same else 'DIFFER'}")
    return int(not same or len(done) < 2)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--cost", type=float, default=0.02)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--kill", action="store_true")
    arguments = parser.parse_args()
    return survival(arguments) if arguments.kill else throughput(arguments)


if __name__ == "__main__":
    sys.exit(main())
