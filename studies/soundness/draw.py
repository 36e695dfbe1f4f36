"""Draws follow-ups of relations from real data onto a blind sheet: who reads it sees no relation and no verdict.

    python studies/soundness/draw.py PLAN.json SHEET.jsonl [--data ../shared/data] [--seed 1]

PLAN holds rows [relation, task, fields, count], fields joined by "+" ("" for all of the relation's variants). Every row
is a run like any other, drawn as `mutatis sheet RUN follow-ups` draws it; a system that says the annotated answer
stands for the one under test, so the relation's preconditions are asked about a perfect source answer. Beside the sheet
stands its key (SHEET.key.jsonl), which says what made which item. Relations that need a language model cannot be drawn.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import mutatis
import mutatis.rltest4chatbot  # noqa: F401 - registers formats of dialogues
from mutatis.core.cases import Case
from mutatis.core.relation import RELATIONS
from mutatis.core.system import Conversation
from mutatis.datasets import DATASETS
from mutatis.records import VerdictRecord, read_verdicts
from mutatis.relations.soundness import should_hold
from mutatis.reports.sheets import Sheet, make_sheet
from mutatis.testing import ScriptedSystem

SOURCES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "question-answering": ("squad2", "squad2/dev-v2.0-rebuilt.json.xz", {"answerable": True}),
    "inference": ("snli", "snli/validation.tsv.xz", {}),
    "sentiment": ("sst2", "sst2/dev.tsv.xz", {}),
    "question-answering@lower": ("squad2", "squad2/dev-v2.0-rebuilt.json.xz", {"answerable": True}),
    "relation-extraction": ("docred", "redocred/dev_revised.json.xz", {}),
    "question-answering@coqa": ("coqa", "coqa/coqa-dev-rebuilt.json.xz", {}),
    "dialogue": ("coqa", "coqa/coqa-dev-rebuilt.json.xz", {}),
    "retrieval-qa": ("squad2", "squad2/dev-v2.0-rebuilt.json.xz", {"answerable": True}),
    "dialogue-state": ("multiwoz21", "multiwoz21/val.json.xz", {}),
    "classification": ("banking77", "banking77/test.csv.xz", {}),
}
SCORES = {"positive": "0.9", "negative": "0.1", "1": "0.9", "0": "0.1"}
"""What a perfect system answers where the task wants a number."""

MOST = 1200
"""Sources of a row, at most."""


@cache
def cases(where: str, data: Path, seed: int) -> tuple[Case, ...]:
    """Return the annotated cases of a task in random order."""
    reader, path, options = SOURCES[where]
    task = where.partition("@")[0]
    read: Iterable[Case] = DATASETS[reader].read(data / path, options)
    if reader == "coqa":
        read = [single for case in read for single in questions(case, task)]
    if where.endswith("@lower"):
        read = map(asked_in_lower_case, read)
    if task == "retrieval-qa":
        read = with_passages(list(read))
    annotated_cases = [replace(case, task=task) for case in read if case.turns[0].expected]
    Random(seed).shuffle(annotated_cases)
    return tuple(annotated_cases)


def asked_in_lower_case(case: Case) -> Case:
    """Return a case with its question in lower case, as many type it."""
    [turn] = case.turns
    fields = {**turn.fields, "question": turn.fields["question"].lower()}
    return replace(case, turns=(replace(turn, fields=fields),))


def with_passages(cases: list[Case]) -> list[Case]:
    """Return questions with three short passages: their own context, and two of other articles, from far away."""
    short = [case for case in cases if len(case.turns[0].fields["context"]) < 450]
    made = []
    for place, case in enumerate(short):
        others = [short[(place + far) % len(short)] for far in (len(short) // 3, 2 * len(short) // 3)]
        texts = [each.turns[0].fields["context"] for each in (case, *others)]
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
        if task == "question-answering":
            fields = {"context": story, **fields}
        case = replace(dialogue, id=f"{dialogue.id}#{number}", turns=(replace(turn, fields=fields),), ask_turns=None)
        made.append(replace(case, material={"story": story}))
        said = f"{said} {turn.fields['question']} - {turn.expected[0] if turn.expected else ''}.".strip()[-300:]
    return made


def annotated(chosen: Sequence[Case]) -> ScriptedSystem:
    """Return a system that says the annotated answer to every source, and to anything else the first of these."""
    names, answers = tuple(chosen[0].turns[0].fields), {}
    for case in chosen:
        expected = case.turns[0].expected[0]
        answers[tuple(case.turns[0].fields.values())] = (
            SCORES[expected.lower()] if case.task == "sentiment" else expected
        )
    first = next(iter(answers.values()))

    def answer(conversation: Conversation) -> str:
        return answers.get(tuple(conversation.fields[name] for name in names), first)

    return ScriptedSystem(answer, label="annotated")


def row(name: str, where: str, fields: str, count: int, data: Path, seed: int) -> Sheet:
    """Return the sheet of one row of a plan."""
    relation = RELATIONS[name]
    rng = Random(f"{name} {where} {fields} {seed}")
    drawn = sorted(cases(where, data, seed), key=lambda _: rng.random())[:MOST]
    if fields:
        relation = relation.but(variants={where.partition("@")[0]: (tuple(fields.split("+")),)})
    with tempfile.TemporaryDirectory() as folder:
        places: dict[str, Any] = {"store": Path(folder) / "s.db", "out": Path(folder), "seed": seed}
        mutatis.run(annotated(drawn), drawn, [relation], settings={"noise_floor": 0, "confirm": 0}, **places)
        lines = list(once(read_verdicts(Path(folder))))
    if not lines:
        return Sheet(kind="follow-ups", rows=(), available=0)
    rule = relation.output_relation.name
    return make_sheet(
        "follow-ups",
        lambda: iter(lines),
        (),
        size=count,
        seed=seed,
        expected=lambda follow_up: should_hold(rule, follow_up),
    )


def once(lines: Iterable[VerdictRecord]) -> Iterator[VerdictRecord]:
    """Yield one judged follow-up per source."""
    seen = set()
    for line in lines:
        if line.outcome in ("satisfied", "violated") and line.source not in seen:
            seen.add(line.source)
            yield line


def draw(plan: list[list[Any]], data: Path, seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the lines of the sheet, in random order, and the lines of the key."""
    lines: list[dict[str, Any]] = []
    key: list[dict[str, Any]] = []
    for name, where, fields, count in plan:
        made = row(name, where, fields, count, data, seed)
        stories = {case.id: case.material.get("story", "") for case in cases(where, data, seed)}
        for line, origin in zip(made.as_jsonl().splitlines(), made.key, strict=True):
            lines.append({**json.loads(line), "material": stories[origin.source]})
            key.append(asdict(origin))
        print(f"{name:28} {where:24} {fields:18} {len(made.rows)} of {made.available}")
    Random(seed).shuffle(lines)
    return [{**line, "number": str(number)} for number, line in enumerate(lines, start=1)], key


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    """Write JSON lines."""
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def arguments(about: str | None) -> argparse.ArgumentParser:
    """Return the arguments of a draw: what is drawn, where to, from which data."""
    shared = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", type=Path)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("--data", type=Path, default=shared / "data")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main() -> None:
    """Draw the plan."""
    args = arguments(__doc__).parse_args()
    rows = json.loads(args.plan.read_text(encoding="utf-8"))
    sheet, key = draw(rows, args.data, args.seed)
    write(args.sheet, sheet)
    write(args.sheet.with_suffix(".key.jsonl"), key)


if __name__ == "__main__":
    main()
