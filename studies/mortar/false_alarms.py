"""False alarms of MORTAR's relations on a system that is right by CANARD's gold rewrites, as a Markdown table.

    python studies/mortar/false_alarms.py dev.json.xz [--split held-out] [--draws 3] [--json OUT]

The system answers as on the source where all that the rewrite needs has been said, else "unknown": every violation is
a false alarm of the context check. Three settings: O (no material, the opening question made clear), N (no material,
the opening as it was asked), T (title and section are material). The gold extractor's own figure stands beside the
offline one's: what it costs is the adjacency veto, for rewrites say nothing about order. `by order` is a system that
also answers "unknown" where the veto applies, as the tests' oracle does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from alarms import RELATIONS, alarms
from canard import dialogues, held_out, read_records
from fitting import gold_verdicts
from orders import PERTURBATIONS, order_of

from mutatis.api import read_cases
from mutatis.context.decisions import ContextOptions, Status, vetoed
from mutatis.context.extractors import extractor
from mutatis.context.knowledge import Dialogue
from mutatis.core.errors import MutatisError

SETTINGS = {"O": ("none", "rewrite"), "N": ("none", "question"), "T": ("title", "question")}


def turns_of(dialogue: Dialogue, name: str, draws: int) -> Iterator[tuple[int, int, Status, bool, bool]]:
    """Yield draw, seed turn, verdict, gold verdict and whether the veto applies, of every follow-up turn."""
    judge = asyncio.run(extractor(name).extract(dialogue, None))
    for draw in range(draws):
        for perturbation in PERTURBATIONS:
            order = order_of(perturbation, dialogue.id, len(dialogue), draw=draw)
            verdicts, gold = judge.judge(order, ContextOptions()), gold_verdicts(dialogue, order)
            for place, turn in enumerate(order):
                yield draw, turn, verdicts[place].status, gold[place], vetoed(dialogue, order, place)


def judged(
    chosen: Sequence[Dialogue], answerable: dict[str, list[bool]], name: str, draws: int, by_order: bool
) -> dict[str, Any]:
    """Return false alarms and detections per relation, and what became of the turns.

    Questions without an answer are left out, as the relations do.
    """
    numbers: dict[tuple[str, int, int], int] = {}
    rows: list[tuple[int, Status, bool]] = []
    for dialogue in chosen:
        for draw, turn, verdict, gold, veto in turns_of(dialogue, name, draws):
            if answerable[dialogue.id][turn]:
                question = numbers.setdefault((dialogue.id, draw, turn), len(numbers))
                rows.append((question, verdict, gold and not (by_order and veto)))
    group, status = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    known = np.array([row[2] for row in rows])
    return {
        "alarms": alarms(status == "equivalent", status == "altered", known, group),
        "turns": len(rows),
        "undecided": int((status == "undecided").sum()),
        "altered": int((~known).sum()),
        "altered_found": int((~known & (status == "altered")).sum()),
    }


def line(label: str, counts: dict[str, Any]) -> str:
    """Return one row of the table."""
    cells = [f"{wrong}/{made} = {wrong / max(1, made):.1%}" for wrong, made in map(counts["alarms"].get, RELATIONS)]
    shares = [counts["undecided"] / counts["turns"], counts["altered_found"] / max(1, counts["altered"])]
    return "| " + " | ".join([label, *cells, *(f"{share:.1%}" for share in shares)]) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, help="a file in CANARD's form, .json or .json.xz")
    parser.add_argument("--split", choices=["held-out", "fitted"], default="held-out")
    parser.add_argument("--draws", type=int, default=1, help="draws of each perturbation")
    parser.add_argument("--json", type=Path, default=None, metavar="OUT", help="the counts as JSON lines")
    arguments = parser.parse_args()
    try:
        records = read_records(arguments.path)
        answerable = {
            case.id.rpartition("/")[2]: [turn.annotations.get("answerable", True) for turn in case.turns]
            for case in read_cases("canard", arguments.path)
        }
    except MutatisError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    heads = ("setting, extractor", "MR1", "MR2", "MR3", "MR4", "undecided", "altered turns found")
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    kept = []
    for setting, (material, opening) in SETTINGS.items():
        read = dialogues(records, material=material, opening=opening)
        chosen = [dialogue for dialogue in read if held_out(dialogue.id) == (arguments.split == "held-out")]
        for name in ("gold", "offline"):
            for by_order in (False, True):
                counts = judged(chosen, answerable, name, arguments.draws, by_order)
                print(line(f"{setting}, {name}{', by order' if by_order else ''}", counts))
                kept.append(json.dumps({"setting": setting, "extractor": name, "by_order": by_order, **counts}))
    if arguments.json:
        arguments.json.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
