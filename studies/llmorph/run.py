"""LLMorph's job on real data: published relations and ours in tables of their own, beside testing by labels.

    python studies/llmorph/run.py [--data DIR] [--out llmorph-out] [--only sst2,squad2,snli,docred] [--limit 1000]
    python studies/llmorph/run.py --endpoint http://127.0.0.1:8000/v1 --model NAME [--helper NAME]
    python studies/llmorph/run.py --only sst2,snli --limit 6 --helper local --relations by-helper
    python studies/llmorph/run.py --sheet FILLED.csv [--second FILLED.csv]

Without an endpoint SST-2 is put to the built-in sentiment system, SQuAD 2.0 to the built-in reader, SNLI and Re-DocRED
to an OpenAI-compatible server on loopback (`baseline_server.py`). Relations that a language model makes need `--helper`
(at the same endpoint unless told otherwise; `local` is SmolLM2, the small model that a package carries). `--relations`
names others than the recipe's and ours, and `by-helper` means those that a helper makes; `before_after.py` sets two
such runs side by side. `--recipe llmorph_paper` judges as published, where the data needs no embeddings: a
sentiment that has to get stronger may then lose nothing. `--sheet` counts false positives per relation on filled
sheets: `mutatis sheet OUT/sst2 bugs -o SHEET.csv --per relation --n 10` draws one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tables import false_positive_tables, tables

from mutatis.api import run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.config import check
from mutatis.core.relation import RELATIONS as CATALOGUE
from mutatis.query import Store
from mutatis.systems.local import carried_weights

PORT = 8700
RELATIONS = "tag:llmorph,tag:ours,label-based"


def systems(args: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return the system under test of each data set."""
    names = ("sst2", "squad2", "snli", "docred")
    if args.endpoint:
        endpoint = {"type": "openai", "base_url": args.endpoint, "model": args.model}
        return {name: {**endpoint, **_key(args)} for name in names}
    loopback = {"type": "openai", "base_url": f"http://127.0.0.1:{PORT}/v1"}
    return {
        "sst2": {"type": "builtin", "name": "sentiment"},
        "squad2": {"type": "builtin", "name": "reader"},
        "snli": {**loopback, "model": "overlap-nli"},
        "docred": {**loopback, "model": "between-words"},
    }


def data(folder: Path, limit: int) -> dict[str, dict[str, Any]]:
    """Return the four data sets; the paper took 1,000 items of each."""
    files = {
        "sst2": folder / "sst2/dev.tsv.xz",
        "squad2": folder / "squad2/dev-v2.0-rebuilt.json.xz",
        "snli": folder / "snli/validation.tsv.xz",
        "docred": folder / "redocred/dev_revised.json.xz",
    }
    return {name: {"format": name, "path": str(path), "limit": limit} for name, path in files.items()}


def chosen(written: str) -> list[str]:
    """Return the selectors that are written, with the published relations that a helper makes for `by-helper`."""
    if written != "by-helper":
        return [name for name in written.split(",") if name]
    return [n for n in CATALOGUE if CATALOGUE[n].made_by == "language-model" and "llmorph" in CATALOGUE[n].tags]


def helper(args: argparse.Namespace) -> dict[str, Any]:
    """Return the table of the helper, where one was named."""
    if not args.helper:
        return {}
    if args.helper == "local":
        return {"helper": {"type": "local", "path": str(carried_weights()), "label": "SmolLM2-135M", "max_tokens": 200}}
    url = args.helper_endpoint or args.endpoint
    return {"helper": {"type": "openai", "base_url": url, "model": args.helper, **_key(args)}}


def _key(args: argparse.Namespace) -> dict[str, str]:
    return {"api_key_env": args.api_key_env} if args.api_key_env else {}


async def run(name: str, configuration: dict[str, Any], out: Path) -> None:
    """Run one campaign and print its tables."""
    folder = out / name
    config = check({"seed": 7, "concurrency": 64, **configuration})
    started = time.perf_counter()
    with Store(folder / "store.db") as store:
        finished = await run_campaign(assemble(config, store), folder=folder, name=str(folder))
    seconds = time.perf_counter() - started
    queries = finished.report["run"]["queries"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(tables(name, finished.report))
    print(
        f"\nQueries: {queries['logical']} logical, {queries['paid']} paid. {seconds:.1f} s, peak {peak:.0f} MB so far.",
        flush=True,
    )


@contextlib.contextmanager
def baselines(wanted: bool) -> Iterator[None]:
    """Serve the two baselines on loopback meanwhile."""
    if not wanted:
        yield
        return
    command = [sys.executable, str(Path(__file__).with_name("baseline_server.py")), "--port", str(PORT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            server.stdout.readline()
            yield
        finally:
            server.kill()


def main() -> None:
    """Run the chosen campaigns, or count what people say of the findings of one."""
    args = _arguments()
    if args.sheet:
        print(false_positive_tables(args.sheet, args.second))
        return
    under_test, sets = systems(args), data(args.data, args.limit)
    relations = chosen(args.relations)
    with baselines(not args.endpoint):
        for name in args.only.split(","):
            configuration = {"recipe": args.recipe, "system": under_test[name], "data": sets[name]}
            configuration |= {"relations": relations, **helper(args)}
            asyncio.run(run(name, configuration, args.out))


def _arguments() -> argparse.Namespace:
    here = Path(__file__).resolve()
    shared = Path(os.environ.get("MUTATIS_SHARED", here.parents[3] / "shared"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--endpoint", help="OpenAI-compatible address of the system under test, for all four tasks")
    parser.add_argument("--model", help="its model")
    parser.add_argument("--helper", help="model that makes and checks follow-ups; local: SmolLM2")
    parser.add_argument("--helper-endpoint", help="its address, where it is another")
    parser.add_argument("--api-key-env", help="variable that holds the key")
    parser.add_argument("--data", type=Path, default=shared / "data")
    parser.add_argument("--out", type=Path, default=Path("llmorph-out"))
    parser.add_argument("--only", default="sst2,squad2,snli,docred")
    parser.add_argument("--limit", type=int, default=1000, help="items of each data set (the paper: 1,000)")
    parser.add_argument("--recipe", choices=["llmorph", "llmorph_paper"], default="llmorph")
    parser.add_argument("--relations", default=RELATIONS, help="selectors, separated by commas")
    parser.add_argument("--sheet", type=Path, help="a filled sheet of findings: count false positives per relation")
    parser.add_argument("--second", type=Path, help="the same sheet, filled in by another rater")
    args = parser.parse_args()
    if bool(args.endpoint) != bool(args.model):
        parser.error("--endpoint and --model go together: which server, and which of its models")
    if args.helper not in (None, "local") and not (args.helper_endpoint or args.endpoint):
        parser.error("--helper needs --helper-endpoint, or the --endpoint of the system under test")
    return args


if __name__ == "__main__":
    main()
