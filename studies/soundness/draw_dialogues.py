"""Draws turns of re-ordered dialogues (MORTAR) onto a blind sheet, as `draw.py` does for single turns.

    python studies/soundness/draw_dialogues.py SHEET.jsonl [--count 60] [--data ../shared/data] [--seed 1]

A dialogue of CoQA is perturbed by one of the five orders of rounds; one turn is drawn whose history changed and to
which the context check gives a role. Both histories are shown with the annotated answers.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from draw import write

import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.core.cases import Case
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Source
from mutatis.core.transformation import derive
from mutatis.datasets import DATASETS
from mutatis.search.once import derivations

HOLDS = {
    "context-preserving": "In the second dialogue the last question asks for the same: its answer must stay the same.",
    "context-altering": "In the second dialogue the last question no longer has this answer, or none that can be told.",
}


def history(case: Case, end: int) -> str:
    """Return the rounds up to a turn, the last one without its answer."""
    rounds = [f"Q: {t.fields['question']} A: {t.expected[0] if t.expected else '?'}" for t in case.turns[:end]]
    return "\n".join([*rounds, f"Q: {case.turns[end].fields['question']}"])


async def drawn(name: str, cases: list[Case], count: int, rng: Random) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return lines of the sheet with their lines of the key."""
    relation, chosen = RELATIONS[name], []
    assert relation.matching.annotator is not None
    for source in cases:
        if len(chosen) == count:
            break
        plan = rng.choice(derivations(Source(case=replace(source, task="dialogue"), relations=(relation,))))
        made = await derive(source, plan, seed=1)
        made = made.annotated(list(await relation.matching.annotator.annotate(source, made, None)))
        fitting = [
            i
            for i, turn in enumerate(made.turns)
            if relation.matching.when(turn) and history(made, i) != history(source, made.origin(i))
        ]
        if not fitting:
            continue
        turn = rng.choice(fitting)
        before, after = history(source, made.origin(turn)), history(made, turn)
        ident = hashlib.blake2b(f"{name} {before} {after}".encode(), digest_size=5).hexdigest()
        line = {
            "item": ident,
            "task": "dialogue",
            "source_answer": source.turns[made.origin(turn)].expected[0],
            "source": {"story": source.material["story"], "dialogue": before},
            "follow_up": {"story": source.material["story"], "dialogue": after},
            "should_hold": HOLDS[name],
        }
        chosen.append(
            (line, {"item": ident, "relation": name, "task": "dialogue", "fields": "question", "source": source.id})
        )
    return chosen


def main() -> None:
    """Draw both relations."""
    shared = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheet", type=Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--data", type=Path, default=shared / "data")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cases = list(DATASETS["coqa"].read(args.data / "coqa/coqa-dev-rebuilt.json.xz", {}))
    rng = Random(args.seed)
    rng.shuffle(cases)
    half = len(cases) // 2
    lines = asyncio.run(drawn("context-preserving", cases[:half], args.count, rng))
    lines += asyncio.run(drawn("context-altering", cases[half:], args.count, rng))
    rng.shuffle(lines)
    write(args.sheet, [line for line, _ in lines])
    write(args.sheet.with_suffix(".key.jsonl"), [key for _, key in lines])
    print(f"{args.sheet}: {len(lines)} items")


if __name__ == "__main__":
    main()
