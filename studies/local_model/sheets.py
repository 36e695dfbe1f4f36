"""Blind sheets of the study: findings (do the answers contradict each other?) and follow-ups that the model made.

    python studies/local_model/sheets.py findings SHEET_FOLDER [--out local-model] [--size N]
    python studies/local_model/sheets.py follow-ups SHEET_FOLDER --out local-model/helper|local-model/recorded
    python studies/local_model/sheets.py read SHEET_FOLDER

The first writes `sheet.jsonl` and its key, which readers do not see; the second counts `reader1.jsonl` and
`reader2.jsonl`, lines of {"id", "verdict", "why"}.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from mutatis.core.relation import RELATIONS
from mutatis.records import read_verdicts
from mutatis.relations.soundness import should_hold

SYSTEM = {
    "chat": "Answer in one short sentence.",
    "sentiment": "How positive is the text? Answer with a number from 0 (negative) to 1 (positive).",
    "inference": "Does the hypothesis follow from the premise: entailment, neutral or contradiction?",
    "question-answering": "Answer the question from the context.",
    "relation-extraction": "What is the first entity to the second one, as the text says? Name the relation.",
    "dialogue": "Answer the last question of a dialogue about a story.",
}


def findings(runs: Path, size: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return findings as lines of a sheet and of its key, drawn at random from all runs."""
    drawn = [
        (path.parent.name, json.loads(line))
        for path in sorted(runs.glob("*/findings.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    Random(25).shuffle(drawn)
    sheet, key = [], []
    for number, (run, finding) in enumerate(drawn[:size], start=1):
        first, second = [finding["source"], *finding["followups"]][-2:]  # of a group, the two that were compared
        sheet.append(
            {
                "id": number,
                "what was asked for": SYSTEM[finding["task"]],
                "material": " ".join(map(str, (finding["source"]["case"].get("material") or {}).values()))[:4000],
                "first": asked(first),
                "first answer": first["response"]["text"],
                "second": asked(second),
                "second answer": second["response"]["text"],
            }
        )
        key.append({"id": number, "run": run, "finding": finding["id"], "relation": finding["relation"]})
    return sheet, key


def asked(member: dict[str, Any]) -> dict[str, str]:
    """Return what was asked on the judged turn, with the dialogue before it."""
    turns = member["case"]["turns"]
    before = {f"before {number}": turn["fields"]["question"] for number, turn in enumerate(turns[:-1], start=1)}
    return {**before, **turns[-1]["fields"]}


def follow_ups(runs: Path, size: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return follow-ups that a helper made, or that recorded replies make, up to `size` of each run."""
    drawn = []
    for folder in sorted(path.parent for path in runs.glob("*/verdicts.jsonl")):
        made = [line for line in read_verdicts(folder) if line.outcome in ("satisfied", "violated") and line.followups]
        drawn += Random(25).sample(made, min(size, len(made)))
    Random(25).shuffle(drawn)
    sheet, key = [], []
    for number, line in enumerate(drawn, start=1):
        sheet.append(
            {
                "id": number,
                "task": SYSTEM[line.task],
                "source": dict(line.source_input),
                "right answer to the source": line.source_output.text if line.source_output else "",
                "follow-up": dict(line.followups[0].input),
                "should hold": should_hold(RELATIONS[line.relation].output_relation.name, line),
            }
        )
        key.append({"id": number, "relation": line.relation, "source": line.source})
    return sheet, key


def read(folder: Path) -> None:
    """Print what two readers said, and how often they agreed."""
    key = {line["id"]: line for line in lines(folder / "key.jsonl")}
    first, second = (
        {line["id"]: line["verdict"] for line in lines(folder / f"reader{number}.jsonl")} for number in (1, 2)
    )
    both = sorted(set(first) & set(second))
    agreed = [number for number in both if first[number] == second[number]]
    print(f"{len(both)} read by both, agreed on {len(agreed)}")
    print("first", dict(Counter(first.values())), "second", dict(Counter(second.values())))
    table = defaultdict(Counter)
    for number in both:
        said = first[number] if number in agreed else "disagreed"
        for name in (key[number].get("run"), key[number]["relation"]):
            if name:
                table[name][said] += 1
    for name, counts in sorted(table.items()):
        print(f"| {name} | {sum(counts.values())} | {dict(counts)} |")


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of JSON lines."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw a sheet, or count what was read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["findings", "follow-ups", "read"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("local-model"), help="where run.py wrote its runs")
    parser.add_argument("--size", type=int, default=100)
    args = parser.parse_args(arguments)
    if args.do == "read":
        read(args.folder)
        return
    args.folder.mkdir(parents=True, exist_ok=True)
    sheet, key = (findings if args.do == "findings" else follow_ups)(args.out, args.size)
    for name, rows in (("sheet", sheet), ("key", key)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (args.folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    print(f"{len(sheet)} lines", file=sys.stderr)


if __name__ == "__main__":
    main()
