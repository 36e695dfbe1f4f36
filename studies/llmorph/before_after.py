"""Sets the findings of two sets of campaigns side by side: what the first reported and the second does not.

    python studies/llmorph/before_after.py BEFORE AFTER [--sample 50] [--seed 1] [--sheet FILE.jsonl]

BEFORE and AFTER are the --out folders of two `run.py`, which may be of two versions of the package: findings are
matched by relation, source, turn and changed fields. The sample is drawn from what is gone; every line shows source,
follow-up and both answers, to be read.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

Key = tuple[str, ...]


def findings(folder: Path) -> dict[Key, dict[str, Any]]:
    """Return the findings of a run by what they are about."""
    lines = folder / "findings.jsonl"  # all of them, where the version writes it; an older one has all in its report
    if lines.exists():
        records = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    else:
        records = json.loads((folder / "report.json").read_text(encoding="utf-8"))["findings"]
    return {
        (
            record["relation"],
            record["source"]["case"]["id"],
            str(record["source"]["turn"]),
            "+".join(record["variant"]),
        ): record
        for record in records
    }


def line(campaign: str, key: Key, finding: dict[str, Any]) -> dict[str, Any]:
    """Return a finding as it is read."""
    source, made = finding["source"], finding["followups"][0]
    before = source["case"]["turns"][source["turn"]]
    return {
        "campaign": campaign,
        "relation": key[0],
        "reason": finding["reason"],
        "expected": before.get("expected"),
        "source": before["fields"],
        "source_answer": source["response"]["text"],
        "follow_up": made["case"]["turns"][made["turn"]]["fields"],
        "follow_up_answer": made["response"]["text"],
    }


def main() -> None:
    """Print the counts and draw the sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sheet", type=Path)
    args = parser.parse_args()
    gone: list[tuple[str, Key, dict[str, Any]]] = []
    print("| campaign | before | after | gone | in both | new |\n|---|---|---|---|---|---|")
    there = [path.parent for path in args.before.glob("*/report.json")]
    for folder in sorted(
        folder_before for folder_before in there if (args.after / folder_before.name / "report.json").exists()
    ):
        old, new = findings(folder), findings(args.after / folder.name)
        gone += [(folder.name, key, old[key]) for key in old if key not in new]
        both = len(old.keys() & new.keys())
        print(f"| {folder.name} | {len(old)} | {len(new)} | {len(old) - both} | {both} | {len(new) - both} |")
    print("\n| relation | findings that are gone |\n|---|---|")
    for relation, number in Counter(key[0] for _, key, _ in gone).most_common():
        print(f"| {relation} | {number} |")
    if args.sheet:
        drawn = Random(args.seed).sample(sorted(gone, key=lambda entry: entry[:2]), min(args.sample, len(gone)))
        lines = (json.dumps(line(*entry), ensure_ascii=False) + "\n" for entry in drawn)
        args.sheet.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
