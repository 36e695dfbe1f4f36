"""The study of RLTest4Chatbot: from MultiWOZ files and trackers to the thesis' tables beside ours, and its figures.

    python studies/rltest4chatbot/study.py --data multiwoz21:test.json.xz --tracker trade:CHECKPOINT
        --tracker builtin:tracker --out results

Writes runs.jsonl, facts.json, results.md, figure-4.1.svg and figure-4.2.svg into the folder, and prints what each
search found. Runs that stand in it are not made again, so that it can be done in parts. All of it takes about four
hours of one core.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import torch
from asks import how_well
from counting import by_rule
from methods import RUNNABLE
from runs import Operators, Size, jobs, known, run_all
from subjects import lengths, seeds, subject
from tables import searches, write

from mutatis.core.cases import Case
from mutatis.datasets import read
from mutatis.transformations.wordnet import wordnet_is_installed

FORMATS = ("multiwoz21", "multiwoz22", "states")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", action="append", default=[], help="FORMAT:PATH, may be given again", metavar="DATA")
    parser.add_argument("--tracker", action="append", default=[], help="TYPE:NAME, may be given again")
    parser.add_argument("--out", type=Path, required=True, help="a folder")
    parser.add_argument("--train", type=int, default=Size().train, help="proposals on the 80 %%, where one learns")
    parser.add_argument("--test", type=int, default=Size().test, help="proposals on the 20 %%")
    parser.add_argument("--episodes", type=int, default=Size().episodes, help="over which epsilon falls")
    parser.add_argument("--seeds", type=int, default=Size().seeds)
    parser.add_argument("--methods", nargs="+", choices=RUNNABLE, help="these alone; by default all")
    parser.add_argument("--k", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--synonyms", choices=["installed", "lexicon", "wordnet"], default="installed")
    parser.add_argument("--vectors", default="minilm", help="word vectors: a file, minilm, or none")
    parser.add_argument("--masked-model", default="", help="folder of a masked language model that inserts words")
    parser.add_argument("--limit", type=int, help="dialogues that are read at most")
    parser.add_argument("--until", default="", help="begin no run after this time of day (UTC, HH:MM)")
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    for data in args.data:
        kind, _, path = data.partition(":")
        if kind not in FORMATS or not path:
            parser.error(f"--data {data}: expected FORMAT:PATH with one of {', '.join(FORMATS)}")
        _run(args, kind, read(kind, Path(path), limit=args.limit))
    place = write(args.out).splitlines()[-1]
    print("\n".join([*searches(by_rule(known(args.out / "runs.jsonl"), "published")), place]))


def _run(args: argparse.Namespace, kind: str, cases: Sequence[Case]) -> None:
    facts_file = args.out / "facts.json"
    facts = json.loads(facts_file.read_text(encoding="utf-8")) if facts_file.exists() else {}
    facts[kind] = lengths(cases)
    size = Size(seeds=args.seeds, train=args.train, test=args.test, episodes=args.episodes)
    for name in args.tracker:
        with closing(subject(name)) as of:
            split = seeds(of, cases, args.out / "right.json")
            facts.setdefault("seeds", {})[f"{of.name} on {kind}"] = split.line()
            if of.name.startswith("sampled"):
                facts["asks"] = how_well(of, split.test)
            print(f"{of.name}: {split.line()}", flush=True)
            facts_file.write_text(json.dumps(facts, indent=1), encoding="utf-8")
            operators = _operators(args)
            listed = jobs(of.name, args.k, args.seeds, kind, operators.name)
            wanted = [job for job in listed if job.method in (args.methods or RUNNABLE)]
            in_time = partial(_in_time, args.until)
            run_all(wanted, operators, of, split, size, args.out / "runs.jsonl", in_time)
    facts_file.write_text(json.dumps(facts, indent=1), encoding="utf-8")


def _operators(args: argparse.Namespace) -> Operators:
    synonyms = args.synonyms
    if synonyms == "installed":
        synonyms = "wordnet" if wordnet_is_installed() else "lexicon"
    return Operators(synonyms=synonyms, vectors="" if args.vectors == "none" else args.vectors, model=args.masked_model)


def _in_time(until: str) -> bool:
    return not until or time.strftime("%H:%M", time.gmtime()) < until


if __name__ == "__main__":
    main()
