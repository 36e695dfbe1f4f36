"""Writes the context check's verdicts on perturbed dialogues, one line per follow-up turn.

    python studies/mortar/context_check.py dev.json.xz --format canard --extractor offline --json predictions.jsonl
    python studies/mortar/context_check.py coqa-dev.json --format coqa --dataset-check papers --published

Every dialogue is perturbed five times (DRS, DRR, DRD, DSR, DSD), one draw each. Lines are {dialogue, perturbation,
draw, turn, origin, predicted, probability, missing}: `predicted` true = equivalent, false = altered, null = undecided.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from canard import dialogues, held_out, read_records
from orders import PERTURBATIONS, order_of

from mutatis.api import read_cases
from mutatis.context import Dialogue
from mutatis.context.decisions import ContextDecision, ContextOptions
from mutatis.context.extractors import extractor
from mutatis.core.errors import MutatisError


def chosen(dialogues_read: list[Dialogue], split: str) -> list[Dialogue]:
    """Return all dialogues, or only those that were not fitted."""
    return [dialogue for dialogue in dialogues_read if split == "all" or held_out(dialogue.id)]


def predict(
    dialogues_read: list[Dialogue], name: str, options: ContextOptions, draws: int = 1
) -> Iterator[dict[str, Any]]:
    """Judge every perturbation of every dialogue."""
    reader = extractor(name)
    verdicts = {"equivalent": True, "altered": False, "undecided": None}
    for dialogue in dialogues_read:
        judge = asyncio.run(reader.extract(dialogue, None))
        for perturbation in PERTURBATIONS:
            for draw in range(draws):
                order = order_of(perturbation, dialogue.id, len(dialogue), draw=draw)
                judged: list[ContextDecision] = judge.judge(order, options)
                for turn, (origin, judgement) in enumerate(zip(order, judged, strict=True)):
                    yield {
                        "dialogue": dialogue.id,
                        "perturbation": perturbation,
                        "draw": draw,
                        "turn": turn,
                        "origin": origin,
                        "predicted": verdicts[judgement.status],
                        "probability": None if judgement.probability is None else round(judgement.probability, 4),
                        "missing": list(judgement.missing),
                        "check": judgement.check,
                    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, help="a file in CANARD's form, .json or .json.xz")
    parser.add_argument("--format", choices=["canard", "coqa"], default="canard")
    parser.add_argument("--extractor", choices=["offline", "gold"], default="offline")
    parser.add_argument("--json", type=Path, default=None, metavar="OUT", help="predictions as JSON lines")
    parser.add_argument("--material", choices=["title", "none"], default="title")
    parser.add_argument("--opening", choices=["question", "rewrite"], default="question")
    parser.add_argument("--split", choices=["all", "held-out"], default="all", help="held-out: dialogues not fitted")
    parser.add_argument("--undecided", choices=["leave-out", "equivalent"], default="leave-out")
    parser.add_argument("--no-adjacency-veto", action="store_true")
    parser.add_argument("--dataset-check", choices=["salient", "papers", "off"], default="salient")
    parser.add_argument(
        "--published", action="store_true", help="two verdicts, no veto; questions without answer count"
    )
    parser.add_argument("--limit", type=int, help="of coqa: so many dialogues")
    parser.add_argument("--complete", action="store_true", help="of coqa: only dialogues marked as complete")
    arguments = parser.parse_args()
    options = ContextOptions(
        undecided="equivalent" if arguments.published else arguments.undecided,
        adjacency_veto=not (arguments.published or arguments.no_adjacency_veto),
        dataset_check=arguments.dataset_check,
    )
    unanswerable: set[tuple[str, int]] = set()
    try:
        if arguments.format == "coqa":
            cases = read_cases("coqa", arguments.path, limit=arguments.limit, complete=arguments.complete)
            dialogues_read = [Dialogue.from_case(case) for case in cases]
            unanswerable = {
                (case.id, place)
                for case in cases
                for place, turn in enumerate(case.turns)
                if turn.annotations.get("answerable", True) is False
            }
        else:
            records = read_records(arguments.path)
            dialogues_read = dialogues(records, material=arguments.material, opening=arguments.opening)
        lines = list(predict(chosen(dialogues_read, arguments.split), arguments.extractor, options))
    except MutatisError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        arguments.json.write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
        )
    print("| | turns | equivalent | altered | undecided | altered or without an answer |\n|---|---|---|---|---|---|")
    for perturbation in [*PERTURBATIONS, "all"]:
        counts = Counter(line["predicted"] for line in lines if perturbation in (line["perturbation"], "all"))
        part = [line for line in lines if perturbation in (line["perturbation"], "all")]
        no_answer = sum(
            (line["dialogue"], line["origin"]) in unanswerable or line["predicted"] is False for line in part
        )
        figures = (len(part), counts[True], counts[False], counts[None], no_answer)
        print(f"| {perturbation} | " + " | ".join(f"{figure:,}" for figure in figures) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
