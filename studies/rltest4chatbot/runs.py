"""The runs of the study: every search on every tracker, one line of JSON each. `study.py` is the command."""

from __future__ import annotations

import json
import lzma
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from methods import BOTH_RULES, MAIN, RUNNABLE, SAMPLED, THESIS, THESIS_SAMPLERS, Method
from subjects import Seeds, Subject, label
from trials import explore, numbers

from mutatis.options import check_options
from mutatis.rltest4chatbot.searches import ExploringOptions
from mutatis.search import SEARCHES

RULES: Mapping[str, Mapping[str, Any]] = {"published": {"validity": "thesis"}, "strict": {"validity": "strict"}}
"""When an edit is small enough. Runs of before have two more: "thesis", by which a text had to change as well, and
"adapted", by which a word and two characters of any text might change besides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run: a method on a tracker's seeds; `validity` is one of `RULES`, `operators` what words are edited with."""

    tracker: str
    method: str
    k: int
    seed: int
    attack: str = "hybrid"
    validity: str = "published"
    data: str = "multiwoz21"
    operators: str = "lexicon"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operators:
    """What words are edited with: where synonyms come from, word vectors, a masked language model's folder."""

    synonyms: str = "lexicon"
    vectors: str = ""
    model: str = ""

    @property
    def name(self) -> str:
        """What they are called in runs: never a folder."""
        return ", ".join([self.synonyms, *["neighbours"] * bool(self.vectors), *["masked model"] * bool(self.model)])

    def options_for(self, method: Method) -> dict[str, str]:
        """Return the options of a search; DialTest has no neighbours."""
        vectors = {} if method.kind == "dialtest" else {"vectors": self.vectors}
        return {"synonyms": self.synonyms, "model": self.model, **vectors}


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is run: seeds, proposals to learn from and to test with, episodes over which epsilon falls."""

    seeds: int = 3
    train: int = 1500
    test: int = 300
    episodes: int = 300


def jobs(tracker: str, ks: Sequence[int], seeds: int, data: str, operators: str) -> Iterator[Job]:
    """Yield all runs on a tracker, what matters most first."""
    common = {"tracker": tracker, "data": data, "operators": operators}
    if tracker.startswith("sampled"):
        for method in SAMPLED:
            yield from (Job(method=method, k=3, seed=seed, **common) for seed in range(seeds))
        return
    for k in sorted(ks, key=lambda k: (k != 3, k)):
        for method in (*MAIN, *THESIS_SAMPLERS):
            yield from (Job(method=method, k=k, seed=seed, **common) for seed in range(seeds))
        if k == 3:
            yield from _once(common, seeds)
    for method in BOTH_RULES:
        yield from (Job(method=method, k=k, seed=0, validity="strict", **common) for k in ks)


def _once(common: dict[str, str], seeds: int) -> Iterator[Job]:
    """Yield what is run at k = 3 alone: DialTest, single edits, variants, the other attacks."""
    at_every_k = {*MAIN, *THESIS_SAMPLERS}
    for method in RUNNABLE:
        if method not in at_every_k:
            yield from (Job(method=method, k=3, seed=seed, **common) for seed in range(seeds))
    yield Job(method="dialtest", k=3, seed=0, validity="strict", **common)
    for attack in ("cumulative", "non-cumulative"):
        for method in ("random", THESIS, "evolutionary", "filled"):
            yield Job(method=method, k=3, seed=0, attack=attack, **common)


def options_of(job: Job, operators: Operators, proposals: int, episodes: int) -> ExploringOptions:
    """Return the options of a run's search."""
    method = RUNNABLE[job.method]
    kind = "random-edits" if method.kind == "single" else method.kind
    settings = {"combined": job.k, "attack": job.attack, **RULES[job.validity], "seed": job.seed}
    settings |= {**operators.options_for(method), **method.options}
    if kind == "multi-pdqn":
        settings |= {"epsilon_over": episodes, "start": 200}
    options = check_options(SEARCHES[kind].model, {**settings, "proposals": proposals}, f"search {kind!r}")
    assert isinstance(options, ExploringOptions)
    return options


def conduct(job: Job, operators: Operators, of: Subject, split: Seeds, size: Size) -> dict[str, Any]:
    """Train where there is something to learn, on the 80 %, and return the numbers on the 20 %."""
    method, options = RUNNABLE[job.method], options_of(job, operators, size.test, size.episodes)
    space = options.action_space([])
    policy = method.policy(options, space, job.seed)
    trained: dict[str, Any] = {}
    if method.learns:
        training = options_of(job, operators, size.train, size.episodes)
        trained = numbers(*explore(of, split.train, training, space, policy))
        policy.freeze()
    tested = numbers(*explore(of, split.test, options, space, policy))
    return {**asdict(job), "trained": trained, **tested}


def known(file: Path) -> list[dict[str, Any]]:
    """Return the runs of a file, and of the compressed one beside it; the first ones name a folder and no data."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    packed = file.with_suffix(".jsonl.xz")
    if packed.exists():
        with lzma.open(packed, "rt", encoding="utf-8") as stream:
            lines = [*stream.read().splitlines(), *lines]
    runs = [json.loads(line) for line in lines]
    lacking = {"data": "multiwoz21", "operators": "lexicon"}
    return [{**lacking, **run, "tracker": label(run["tracker"])} for run in runs]


def run_all(
    wanted: Sequence[Job],
    operators: Operators,
    of: Subject,
    split: Seeds,
    size: Size,
    file: Path,
    more: Callable[[], bool] = lambda: True,
) -> None:
    """Make the runs that the file lacks, and add them to it one by one, as long as there is time for more."""
    done = [{name: run[name] for name in Job.__dataclass_fields__} for run in known(file)]
    for job in wanted:
        if not more():
            return
        if asdict(job) in done:
            continue
        started = time.perf_counter()
        result = conduct(job, operators, of, split, size)
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({**result, "seeds": split.line()}) + "\n")
        shown = {name: result[name] for name in ("valid", "places", "failures", "distinct", "calls")}
        print(job.tracker, job.method, f"k={job.k} seed={job.seed} {job.attack} {job.validity}", shown, end=" ")
        print(f"{time.perf_counter() - started:.0f} s", flush=True)
