"""Peak memory and time of a campaign of 10,000 and of 100,000 SST-2-sized cases on a function system.

    python benchmarks/memory.py [--sizes 10000 100000] [--relation add-spaces] [--function often] [--engine ray]
        [--workers 1] [--profile]
    python benchmarks/memory.py --function reply       # a chatbot's replies, judged a block of sources at a time

Each size runs in a process of its own, from a data file to its report files. Goals: under 400 MB, and time that grows
as the number of cases does. Replies are judged by their words: a model of sentences takes as much at any size.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

PROSE = (
    "a tender story of an old man who mends clocks and of the long winter in which his quiet town forgets its name "
    "while the film moves slowly through bright rooms dull jokes clever cuts and one truly moving scene near its end"
)
WORDS = PROSE.split()


def text(number: int) -> str:
    """Return a sentence of about 19 words (the average of SST-2), another one for every number."""
    length = 15 + number % 9
    return " ".join(WORDS[(number * 7 + i * (1 + number % 5)) % len(WORDS)] for i in range(length)) + f" {number} ."


def answer(text: str) -> str:
    """Answer by the length of the text, so that a few in a hundred follow-ups violate."""
    return "0.2" if len(text) % 29 == 0 else "0.8"


def often(text: str) -> str:
    """Answer by a hash of the text, so that half of the follow-ups violate."""
    return "0.2" if zlib.crc32(text.encode()) % 2 else "0.8"


def reply(text: str) -> str:
    """Answer a message about one of many things, its words in an order that follows from the message."""
    about = zlib.crc32(text.lower().replace(" ", "").encode()) % 1000
    wordings = ("We have {} of them in store.", "In store, of them, we have {}.", "Of them we have in store {}.")
    return wordings[zlib.crc32(text.encode()) % 3].format(about)


def campaign(size: int, relation: str, function: str, engine: str, workers: int) -> None:
    from mutatis.api import run_config
    from mutatis.cli.run import rare_collection
    from mutatis.config import check
    from mutatis.text import embedder

    chats = function == "reply"
    if chats:
        embedder.embedder_is_installed = lambda: False
    field = "message" if chats else "text"
    with tempfile.TemporaryDirectory() as folder:
        cases = Path(folder) / "cases.jsonl"
        with cases.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps({"id": str(i), field: text(i)}) + "\n" for i in range(size))
        config = check(
            {
                "system": {"type": "function", "target": f"{Path(__file__).resolve()}:{function}"},
                "data": {"task": "chat" if chats else "sentiment", "format": "jsonl", "path": str(cases)},
                "relations": relation.split(","),
                **({"engine": engine, "workers": workers} if engine != "local" else {}),
            }
        )
        started, started_cpu = time.perf_counter(), time.process_time()
        with rare_collection():  # as the command line does
            run = run_config(config, store=Path(folder) / "store.db", out=Path(folder) / "out")
        seconds, cpu = time.perf_counter() - started, time.process_time() - started_cpu
        files = {path.name: path.stat().st_size for path in (Path(folder) / "out").iterdir()}
    row = run.summary[0]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {"seconds": seconds, "cpu": cpu, "peak": peak, "findings": row["distinct"], "files": sum(files.values())}
    assert row["satisfied"] + row["violated"] + row["invalid"] + row["error"] == size
    print(json.dumps(figures))


def measured(size: int, arguments: argparse.Namespace) -> dict[str, float]:
    names = ("relation", "function", "engine", "workers")
    options = [part for name in names for part in (f"--{name}", str(getattr(arguments, name)))]
    command = [sys.executable, __file__, "--size", str(size), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--relation", default="add-spaces")
    parser.add_argument(
        "--function",
        choices=["answer", "often", "reply"],
        default="answer",
        help="often: half of them violate; reply: a chatbot",
    )
    parser.add_argument("--engine", choices=["local", "ray"], default="local", help="memory is that of the driver")
    parser.add_argument("--workers", type=int, default=1, help="of the engine ray")
    parser.add_argument("--profile", action="store_true", help="show where the time of the first size goes")
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.size:
        campaign(arguments.size, arguments.relation, arguments.function, arguments.engine, arguments.workers)
        return
    if arguments.profile:
        profile = cProfile.Profile()
        profile.runcall(campaign, arguments.sizes[0], arguments.relation, arguments.function, "local", 0)
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        return
    results = {}
    for size in arguments.sizes:
        figures = results[size] = measured(size, arguments)
        print(
            f"{size:>8,} cases: {figures['seconds']:.1f} s, {1000 * figures['cpu'] / size:.2f} ms of processor each, "
            f"peak {figures['peak']:.0f} MB, {figures['findings']:.0f} findings, "
            f"files {figures['files'] / 2**20:.0f} MB"
        )
    first, last = arguments.sizes[0], arguments.sizes[-1]
    if first != last:
        time_ratio = results[last]["cpu"] / results[first]["cpu"] / (last / first)
        memory = (results[last]["peak"] - results[first]["peak"]) * 1024 / (last - first)
        print(
            f"processor time per case, {last:,} against {first:,}: {time_ratio:.2f} (1.00 is linear); "
            f"{memory:.1f} KB per case"
        )
    print(f"peak of {last:,} cases: {results[last]['peak'] / 400:.0%} of the goal of 400 MB")


if __name__ == "__main__":
    main()
