"""LLMorph's job on real data, with systems that need no language model; prints one table per campaign.

    python studies/llmorph/run.py [--data ../shared/data] [--out llmorph-out] [--only sst2,squad2,snli,docred]
                                  [--relations tag:free]

SST-2 with the built-in sentiment system, SQuAD 2.0 (300 answerable questions) with the built-in reader, SNLI and
Re-DocRED through an OpenAI-compatible server on loopback (`baseline_server.py`). Relations: the default sets, or those
named; `before_after.py` sets two such runs side by side. Published reference points (561,267 executions over GPT-4,
Llama-3 and Hermes-2, relations made by GPT-4 included): mean violation rate 18 %; QA 12, NLI 17, SA 25, RE 32.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from mutatis.api import run_campaign
from mutatis.assembly import assemble
from mutatis.config import check
from mutatis.query import Store

PORT = 8700
URL = f"http://127.0.0.1:{PORT}/v1"
PUBLISHED = {"question-answering": 0.12, "inference": 0.17, "sentiment": 0.25, "relation-extraction": 0.32}


def campaigns(data: Path, limit: int) -> dict[str, dict[str, Any]]:
    """Return the four campaigns as configurations."""
    openai = {"type": "openai", "base_url": URL}
    squad2 = data / "squad2/dev-v2.0-rebuilt.json.xz"
    return {
        "sst2": {
            "system": {"type": "builtin", "name": "sentiment"},
            "data": {"format": "sst2", "path": str(data / "sst2/dev.tsv.xz")},
        },
        "squad2": {
            "system": {"type": "builtin", "name": "reader"},
            "data": {"format": "squad2", "path": str(squad2), "answerable": True, "limit": 300},
        },
        "snli": {
            "system": {**openai, "model": "overlap-nli"},
            "data": {"format": "snli", "path": str(data / "snli/validation.tsv.xz"), "limit": limit},
        },
        "docred": {
            "system": {**openai, "model": "between-words"},
            "data": {"format": "docred", "path": str(data / "redocred/dev_revised.json.xz"), "limit": limit},
        },
    }


async def run(name: str, tables: dict[str, Any], out: Path, relations: list[str]) -> None:
    """Run one campaign and print its table."""
    folder = out / name
    config = check({"seed": 7, "relations": relations, "concurrency": 64, **tables})
    started = time.perf_counter()
    with Store(folder / "store.db") as store:
        finished = await run_campaign(assemble(config, store), folder=folder, name=str(folder))
    seconds = time.perf_counter() - started
    rows = [row for row in finished.summary if row["satisfied"] + row["violated"] and row["relation"] != "no-change"]
    violated, total = sum(r["violated"] for r in rows), sum(r["violated"] + r["satisfied"] for r in rows)
    print(f"\n## {name} ({rows[0]['task']}, {rows[0]['system']})\n")
    print(
        "| relation | violated | judged | rate | 95 % interval | invalid | noise floor |\n|---|---|---|---|---|---|---|"
    )
    for row in rows:
        low, high = row["interval"]
        print(
            f"| {row['relation']} | {row['violated']} | {row['satisfied'] + row['violated']} | {row['rate']:.1%} "
            f"| {low:.1%} - {high:.1%} | {row['invalid']} | {row['noise_floor']:.1%} |"
        )
    queries = finished.report["run"]["queries"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"\nAll rows: {violated} of {total} violated, {violated / total:.1%} (published, other systems and relations: "
        f"{PUBLISHED[rows[0]['task']]:.0%}). Queries: {queries['logical']} logical, {queries['paid']} paid. "
        f"{seconds:.1f} s, peak {peak:.0f} MB so far."
    )


def main() -> None:
    """Run the chosen campaigns."""
    here = Path(__file__).resolve()
    shared = Path(os.environ.get("MUTATIS_SHARED", here.parents[3] / "shared"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=shared / "data")
    parser.add_argument("--out", type=Path, default=Path("llmorph-out"))
    parser.add_argument("--only", default="sst2,squad2,snli,docred")
    parser.add_argument("--limit", type=int, default=1000, help="items of SNLI and Re-DocRED (the paper: 1,000)")
    parser.add_argument("--relations", default="", help="selectors, separated by commas; else the default sets")
    args = parser.parse_args()
    relations = [name for name in args.relations.split(",") if name]
    command = [sys.executable, str(here.with_name("baseline_server.py")), "--port", str(PORT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            server.stdout.readline()
            chosen = campaigns(args.data, args.limit)
            for name in args.only.split(","):
                asyncio.run(run(name, chosen[name], args.out, relations))
        finally:
            server.kill()


if __name__ == "__main__":
    main()
