"""Draws follow-ups of the relations for graders onto a blind sheet: LLMBar's pairs, the human label as the verdict.

    python studies/judges/draw.py SHEET.jsonl [--count 20] [--only NAME,...] [--seed 1]

Beside SHEET.jsonl, KEY.jsonl says which relation each line is of. For `rubric-score` an answer of LLMBar is shown with
a rubric of ours.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import lzma
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from replay import shared

import mutatis.relations  # noqa: F401 - fills the registry
import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.core.cases import EXPECTS, Case, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Source
from mutatis.core.task import TASKS
from mutatis.core.transformation import derive
from mutatis.relations.grading import BIASES, EACH
from mutatis.relations.soundness import HOLDS
from mutatis.search.once import derivations

RUBRICS = (
    "Does it do what the instruction asks for?\nIs what it says true?\nIs it clear?",
    "Truth: nothing in it is wrong.\nCompleteness: the whole instruction is dealt with.\nBrevity: no idle words.",
    "- The answer stays on the subject.\n- It uses correct grammar.\n- It is useful to whoever asked.",
)
Drawn: TypeAlias = tuple[dict[str, Any], dict[str, Any]]
"""A line of the sheet, and its line of the key."""

LOSER = {"A": "answer_b", "B": "answer_a"}


def cases(task: str) -> list[Case]:
    """Return LLMBar's pairs, or their first outputs with a rubric."""
    with lzma.open(shared() / "natural.json.xz", "rt", encoding="utf-8") as file:
        pairs = json.load(file)
    made = []
    for number, pair in enumerate(pairs):
        if task == "rubric-score":
            fields = {"instruction": pair["input"], "answer": pair["output_1"], "rubric": RUBRICS[number % 3]}
        else:
            fields = {"instruction": pair["input"], "answer_a": pair["output_1"], "answer_b": pair["output_2"]}
        fields |= TASKS[task].defaults
        label = {1: "A", 2: "B"}[pair["label"]]
        made.append(Case(id=f"llmbar/{number}", task=task, turns=(Turn(fields=fields, expected=(label,)),)))
    return made


async def drawn(relation: MetamorphicRelation, task: str, count: int, seed: int) -> list[Drawn]:
    """Return lines of the sheet with their lines of the key, one per source."""
    rng, found = Random(f"{relation.name} {task} {seed}"), []
    names = {precondition.name for precondition in relation.preconditions}
    for source in sorted(cases(task), key=lambda _: rng.random()):
        label = source.turns[0].expected[0]
        loser = LOSER[label]
        wanted = loser if "the edited answer was the worse one" in names else {"answer_a", "answer_b"} - {loser}
        for plan in derivations(Source(case=source, relations=(relation,))):
            if task == "pairwise-judge" and relation.variants == EACH and plan.variant[0] not in wanted:
                continue
            try:
                made = await derive(source, plan, seed=seed)
            except UnusableFollowUp:
                continue
            found.append(lines(relation, task, source, made))
            break
        if len(found) == count:
            break
    return found


def lines(relation: MetamorphicRelation, task: str, source: Case, made: Case) -> Drawn:
    """Return the line of the sheet and that of the key."""
    before, after = (dict(case.turns[0].fields) for case in (source, made))
    for fields in (before, after):
        for name in ("tie", "criteria"):
            fields.pop(name, None)
    settled = "' or '".join(made.turns[0].annotations.get(EXPECTS, ()))
    ident = hashlib.blake2b(f"{relation.name} {task} {after}".encode(), digest_size=5).hexdigest()
    line = {
        "id": ident,
        "source": before,
        "right_verdict": "" if task == "rubric-score" else source.turns[0].expected[0],
        "changed": {name: text for name, text in after.items() if before[name] != text},
        "should_hold": HOLDS[relation.output_relation.name].format(settled=settled),
    }
    fields_changed = "+".join(line["changed"])
    return line, {"id": ident, "relation": relation.name, "task": task, "fields": fields_changed, "source": source.id}


def main() -> None:
    """Draw the sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = options.only.split(",") if options.only else list(BIASES)
    pairs = [
        pair
        for name in names
        for task in RELATIONS[name].tasks
        for pair in asyncio.run(drawn(RELATIONS[name], task, options.count, options.seed))
    ]
    Random(options.seed).shuffle(pairs)
    for path, place in ((options.sheet, 0), (options.sheet.with_name("KEY.jsonl"), 1)):
        text = "".join(json.dumps(pair[place], ensure_ascii=False) + "\n" for pair in pairs)
        path.write_text(text, encoding="utf-8")
    print(f"{len(pairs)} follow-ups")


if __name__ == "__main__":
    main()
