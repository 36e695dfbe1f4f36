"""Draws follow-ups of relations from real data onto a blind sheet: who reads it sees no relation and no verdict.

    python studies/soundness/draw.py PLAN.json SHEET.jsonl [--data ../shared/data] [--seed 1]

PLAN holds rows [relation, task, fields, count], fields joined by "+" ("" for the relation's own first variant). The
sheet has one JSON object per line: id, task, source, source_answer, follow_up, should_hold. The key (SHEET with the
ending .key.jsonl) says which relation made which item. A perfect system stands for the one under test: the annotated
answer is its source answer, and the relation's preconditions on source and follow-up are asked about that.
Relations that need a language model cannot be drawn.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import inspect
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import mutatis.relations  # noqa: F401 - fills the registry
import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.core.cases import Case
from mutatis.core.constraint import Evidence, Stage
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.search import Source
from mutatis.core.system import Response
from mutatis.core.transformation import derive
from mutatis.datasets import DATASETS
from mutatis.relations.expectations import converses_of
from mutatis.search.once import derivations

SOURCES: dict[str, tuple[tuple[str, str, dict[str, Any]], ...]] = {
    "question-answering": (("squad2", "squad2/dev-v2.0-rebuilt.json.xz", {"answerable": True}),),
    "inference": (("snli", "snli/validation.tsv.xz", {}),),
    "sentiment": (("sst2", "sst2/dev.tsv.xz", {}),),
    "relation-extraction": (("docred", "redocred/dev_revised.json.xz", {}),),
    "question-answering@coqa": (("coqa", "coqa/coqa-dev-rebuilt.json.xz", {}),),
    "dialogue": (("coqa", "coqa/coqa-dev-rebuilt.json.xz", {}),),
    "retrieval-qa": (("squad2", "squad2/dev-v2.0-rebuilt.json.xz", {"answerable": True}),),
    "dialogue-state": (("multiwoz21", "multiwoz21/val.json.xz", {}),),
    "classification@stackoverflow": (("stackoverflow", "stackoverflow60k", {}),),
    "classification": (("banking77", "banking77/test.csv.xz", {}),),
}
SCORES = {"positive": 0.9, "negative": 0.1, "1": 0.9, "0": 0.1}
"""What a perfect system answers where the task wants a number."""

HOLDS = {
    "equal": "The answer must stay the same (or be the same thing as it is written now).",
    "equal-or-stronger": "The answer must stay the same, or say the same more strongly.",
    "different": "The source answer must no longer be right: the answer must be another one, or 'unknown'.",
    "stronger": "The feeling must be as strong as before or stronger, in the same direction.",
    "not-inverse": "The label must not turn into its inverse.",
    "inverse": "The answer must turn into its inverse: yes becomes no, no becomes yes.",
    "known-answer": "The right answer is now: {expects}",
    "abstains": "Nothing there answers the question any more: the right answer is 'unknown' (or 'no relation').",
    "contains": "The answer must hold the source answer, and may hold more.",
    "converse": "The answer must be the converse relation: {converse}",
    "not-lower": "The feeling must not be less positive than before.",
    "not-higher": "The feeling must not be less negative than before.",
    "not-stronger": "The feeling must not be stronger than before.",
    "image": "The answer must be the source answer as the edit has changed it: '{image}'.",
}


@cache
def cases(task: str, data: Path, seed: int) -> tuple[Case, ...]:
    """Return the annotated cases of a task in random order."""
    found: list[Case] = []
    for reader, path, options in SOURCES[task]:
        read = list(DATASETS[reader].read(data / path, options))
        if reader == "coqa":
            read = [single for case in read for single in questions(case, task)]
        if task == "retrieval-qa":
            read = with_passages(read)
        found += [case for case in read if case.turns[0].expected]
    Random(seed).shuffle(found)
    return tuple(found)


def with_passages(cases: list[Case]) -> list[Case]:
    """Return questions with three short passages: their own context, and two of other articles, from far away."""
    short = [case for case in cases if len(case.turns[0].fields["context"]) < 450]
    made = []
    for place, case in enumerate(short):
        others = [short[(place + far) % len(short)] for far in (len(short) // 3, 2 * len(short) // 3)]
        texts = [one.turns[0].fields["context"] for one in (case, *others)]
        Random(case.id).shuffle(texts)
        passages = "\n\n".join(f"[{number}] {text}" for number, text in enumerate(texts, 1))
        fields = {"question": case.turns[0].fields["question"], "passages": passages}
        made.append(replace(case, turns=(replace(case.turns[0], fields=fields),)))
    return made


def questions(dialogue: Case, task: str) -> list[Case]:
    """Return the questions of a dialogue as cases of their own; what was said before stands above the question."""
    made, said = [], ""
    for number, turn in enumerate(dialogue.turns):
        story = dialogue.material["story"] + (f"\n[Asked before: {said}]" if said else "")
        fields = {"question": turn.fields["question"]}
        if task.startswith("question-answering"):
            fields = {"context": story, **fields}
        case = replace(dialogue, id=f"{dialogue.id}#{number}", turns=(replace(turn, fields=fields),), ask_turns=None)
        made.append(replace(case, material={"story": story}))
        said = f"{said} {turn.fields['question']} - {turn.expected[0] if turn.expected else ''}.".strip()[-300:]
    return made


def answer(case: Case, task: str) -> str | float:
    """Return what a perfect system says to the source."""
    expected = case.turns[0].expected[0]
    return SCORES[expected.lower()] if task == "sentiment" else expected


async def holds(relation: MetamorphicRelation, stage: Stage, task: str, case: Case, fields: tuple[str, ...]) -> bool:
    """Whether the relation's preconditions of a stage hold for a perfect system."""
    value = answer(case, task)
    evidence = Evidence(
        task=task, case=case, turn=case.turns[0], fields=fields, response=Response(text=str(value), value=value)
    )
    for precondition in relation.preconditions:
        if precondition.stage is stage:
            found = precondition.check(evidence)
            if not (await found if inspect.isawaitable(found) else found):
                return False
    return True


async def follow_ups(
    relation: MetamorphicRelation, task: str, fields: tuple[str, ...], data: Path, seed: int
) -> Iterator[tuple[Case, Case]]:
    """Return the follow-ups that the relation judges, one per source, with their sources."""
    found = []
    where, task = task, task.partition("@")[0]
    rng = Random(f"{relation.name} {where} {fields} {seed}")
    for case in sorted(cases(where, data, seed), key=lambda _: rng.random()):
        if len(found) >= 400:
            break
        wanted = [
            plan
            for plan in derivations(Source(case=replace(case, task=task), relations=(relation,)))
            if _fits(plan, fields)
        ]
        for plan in wanted[:1]:
            if not await holds(relation, Stage.SOURCE_INPUT, task, case, plan.variant):
                continue
            if not await holds(relation, Stage.SOURCE_OUTPUT, task, case, plan.variant):
                continue
            try:
                made = await derive(case, plan, seed=seed)
            except UnusableFollowUp:
                continue
            same = made.same_input(case) and relation.unchanged == "invalid"
            if not same and await holds(relation, Stage.FOLLOW_UP_INPUT, task, made, plan.variant):
                found.append((case, made))
    return iter(found)


def _fits(plan: Any, fields: tuple[str, ...]) -> bool:
    return not fields or plan.variant == fields


def item(relation: MetamorphicRelation, task: str, source: Case, made: Case) -> dict[str, Any]:
    """Return one line of the sheet."""
    rule = HOLDS[relation.output_relation.name]
    if "{image}" in rule:
        from mutatis.relations.output import images_of

        found = images_of(source.turns[0], made.turns[0], str(answer(source, task)))
        rule = rule.format(image="' or '".join(found))
    expects = made.turns[0].annotations.get("expects", ())
    rule = rule.replace("{expects}", " or ".join(map(repr, expects)))
    rule = rule.replace("{converse}", " or ".join(converses_of(answer(source, task))))
    given = {
        "source": {**source.material, **source.turns[0].fields},
        "follow_up": {**made.material, **made.turns[0].fields},
    }
    name = hashlib.blake2b(f"{relation.name} {made.id} {json.dumps(given)}".encode(), digest_size=5).hexdigest()
    shown = answer(source, task)
    shown = shown if isinstance(shown, str) else "positive" if shown > 0.5 else "negative"
    return {"id": name, "task": task, "source_answer": shown, **given, "should_hold": rule}


async def draw(plan: list[list[Any]], data: Path, seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the lines of the sheet, in random order, and the lines of the key."""
    sheet, key = [], []
    for name, where, fields, count in plan:
        relation, task = RELATIONS[name], where.partition("@")[0]
        chosen = tuple(fields.split("+")) if fields else ()
        drawn = list(islice(await follow_ups(relation, where, chosen, data, seed), count))
        for source, made in drawn:
            line = item(relation, task, source, made)
            sheet.append(line)
            key.append({"id": line["id"], "relation": name, "task": task, "fields": fields, "source": source.id})
        print(f"{name:28} {task:20} {fields:18} {len(drawn)} of {count}")
    Random(seed).shuffle(sheet)
    return sheet, key


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    """Write JSON lines."""
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def main() -> None:
    """Draw the plan."""
    shared = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", type=Path)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("--data", type=Path, default=shared / "data")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows = json.loads(args.plan.read_text(encoding="utf-8"))
    sheet, key = asyncio.run(draw(rows, args.data, args.seed))
    write(args.sheet, sheet)
    write(args.sheet.with_suffix(".key.jsonl"), key)


if __name__ == "__main__":
    main()
