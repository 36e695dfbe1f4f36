"""The study of RLTest4Chatbot: every search on every tracker, one line of JSON per run; then `tables.py`.

python studies/rltest4chatbot/search.py --data test.json.xz --tracker trade:checkpoint --tracker builtin:tracker
    --out runs.jsonl

Runs that stand in the file are not made again.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from subjects import Seeds, Subject, seeds, subject
from trials import Single, explore, numbers

from mutatis.datasets import read
from mutatis.options import check
from mutatis.search import SEARCHES, ExploringOptions
from mutatis.search.evolution import Evolution
from mutatis.search.learning.policy import MultiPdqn

METHODS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "random": ("random-edits", {}),
    "rejection": ("random-edits", {"within": "rejection"}),
    "scaled": ("random-edits", {"within": "scaled"}),
    "filled": ("random-edits", {"within": "filled"}),
    "dialtest": ("dialtest", {}),
    "evolutionary": ("evolutionary", {}),
    "multi-pdqn": ("multi-pdqn", {}),
    "multi-pdqn, thesis' reward": ("multi-pdqn", {"reward": "thesis"}),
    "multi-pdqn, multi-pass": ("multi-pdqn", {"passes": True}),
    "multi-pdqn, values protected": ("multi-pdqn", {"protect": "values"}),
    "random, values protected": ("random-edits", {"protect": "values"}),
    "single": ("random-edits", {}),
    "remedy: parameters learn faster": ("multi-pdqn", {"rate_parameters": 1e-3}),
    "remedy: faster, no look ahead": ("multi-pdqn", {"rate_parameters": 1e-3, "gamma": 0.0, "updates": 2}),
    "remedy: faster, more noise": ("multi-pdqn", {"rate_parameters": 1e-3, "noise": 0.3}),
}
MAIN = ("random", "multi-pdqn", "scaled", "rejection", "evolutionary", "filled")
"""What is run at every k; the rest at k = 3."""

LEARNERS = {"multi-pdqn", "evolutionary"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run: a method on a tracker's seeds."""

    tracker: str
    method: str
    k: int
    seed: int
    attack: str = "hybrid"
    validity: str = "thesis"

    @property
    def key(self) -> dict[str, Any]:
        """What names the run in the file."""
        return {name: getattr(self, name) for name in ("tracker", "method", "k", "seed", "attack", "validity")}


def jobs(trackers: list[str], ks: list[int], seeds: int) -> Iterator[Job]:
    """Yield all runs, what matters most first."""
    for k in sorted(ks, key=lambda k: (k != 3, k)):
        for tracker in trackers:
            for method in MAIN:
                for seed in range(seeds):
                    yield Job(tracker=tracker, method=method, k=k, seed=seed)
            if k == 3:
                yield from _once(tracker, seeds)
    for tracker in trackers:
        for method in ("random", "multi-pdqn", "scaled", "evolutionary"):
            for k in sorted(set(ks) - {3}):
                yield Job(tracker=tracker, method=method, k=k, seed=0, validity="strict")


def _once(tracker: str, seeds: int) -> Iterator[Job]:
    """Yield what is run at k = 3 alone: DialTest, single edits, variants, other attacks, the default validity."""
    for seed in range(seeds):
        yield Job(tracker=tracker, method="dialtest", k=3, seed=seed)
        yield Job(tracker=tracker, method="single", k=3, seed=seed)
        for method in METHODS:
            if method.startswith("remedy"):
                yield Job(tracker=tracker, method=method, k=3, seed=seed)
    for method in METHODS:
        if method.startswith(("random,", "multi-pdqn,")):
            yield Job(tracker=tracker, method=method, k=3, seed=0)
    for method in ("random", "multi-pdqn", "scaled", "evolutionary", "dialtest"):
        yield Job(tracker=tracker, method=method, k=3, seed=0, validity="strict")
    for attack in ("cumulative", "non-cumulative"):
        for method in ("random", "multi-pdqn"):
            yield Job(tracker=tracker, method=method, k=3, seed=0, attack=attack)


def options_of(job: Job, proposals: int, episodes: int) -> ExploringOptions:
    """Return the options of a run's search."""
    kind, own = METHODS[job.method]
    given = {"combined": job.k, "attack": job.attack, "validity": job.validity, "seed": job.seed, **own}
    if kind == "multi-pdqn":
        given |= {"epsilon_over": episodes, "start": 200}
    found = check(SEARCHES[kind].model, {**given, "proposals": proposals}, f"search {kind!r}")
    assert isinstance(found, ExploringOptions)
    return found


def conduct(job: Job, of: Subject, split: Seeds, given: argparse.Namespace) -> dict[str, Any]:
    """Train where there is something to learn, on the 80 %, and return the numbers on the 20 %."""
    options = options_of(job, given.test, given.episodes)
    space = options.searched([])
    policy = Single(job.seed) if job.method == "single" else options.policy(space)
    trained: dict[str, Any] = {}
    if METHODS[job.method][0] in LEARNERS:
        training = options_of(job, given.train, given.episodes)
        trained = numbers(*explore(of, split.train, training, space, policy))
        if isinstance(policy, MultiPdqn):
            policy.frozen = True
        elif isinstance(policy, Evolution):
            policy.learning = False
    tested = numbers(*explore(of, split.test, options, space, policy))
    return {**job.key, "trained": trained, **tested}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="MultiWOZ 2.1, or with --format multiwoz22 2.2")
    parser.add_argument("--format", default="multiwoz21", choices=["multiwoz21", "multiwoz22", "states"])
    parser.add_argument("--tracker", action="append", required=True, help="TYPE:NAME, may be given again")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--train", type=int, default=1500, help="proposals on the 80 %%, for methods that learn")
    parser.add_argument("--test", type=int, default=400, help="proposals on the 20 %%")
    parser.add_argument("--episodes", type=int, default=300, help="over which epsilon falls")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--methods", nargs="+", choices=METHODS, help="these alone; by default all")
    parser.add_argument("--k", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    parser.add_argument("--limit", type=int, help="dialogues that are read at most")
    parser.add_argument("--until", default="", help="begin no run after this time of day (UTC, HH:MM)")
    given = parser.parse_args()
    torch.set_num_threads(1)
    cases = read(given.format, given.data, limit=given.limit)
    subjects = {name: subject(name) for name in given.tracker}
    split = {name: seeds(of, cases, given.out.with_suffix(".right.json")) for name, of in subjects.items()}
    for name, found in split.items():
        print(f"{name}: {found.line()}", flush=True)
    known = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = [{name: run[name] for name in Job(tracker="", method="", k=1, seed=0).key} for run in known]
    for job in jobs(given.tracker, given.k, given.seeds):
        if given.until and time.strftime("%H:%M", time.gmtime()) >= given.until:
            break
        if job.key not in done and job.method in (given.methods or METHODS):
            found = conduct(job, subjects[job.tracker], split[job.tracker], given)
            with given.out.open("a") as file:
                file.write(json.dumps({**found, "seeds": split[job.tracker].line()}) + "\n")
            shown = {name: found[name] for name in ("valid", "places", "failures", "distinct", "calls", "seconds")}
            print(job.key, shown, flush=True)


if __name__ == "__main__":
    main()
