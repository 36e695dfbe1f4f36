"""Turns readings of blind sheets into the table that the package ships (`relations/soundness.toml`).

    python studies/soundness/table.py OUT.toml --method "who read, from what, when" KEY FIRST [SECOND] ...

Each group of arguments is joined by commas: KEY.jsonl,FIRST.jsonl or KEY.jsonl,FIRST.jsonl,SECOND.jsonl. A reading has
one JSON object per line: id, sound (true or false). The share is the first reader's; the second reader's labels, where
there are any, give agreement and kappa, printed and written per row.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from mutatis.analysis.agreement import agreement
from mutatis.analysis.intervals import wilson
from mutatis.core.errors import UsageError

Row = tuple[str, str, str]


def labels(path: Path) -> dict[str, bool]:
    """Return the labels of one reader by id."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        data = json.loads(line)
        if not isinstance(data.get("sound"), bool):
            raise UsageError(f"{path}: line {number}: sound is {data.get('sound')!r}; expected true or false")
        found[data["id"]] = data["sound"]
    return found


def rows_of(path: Path) -> dict[str, Row]:
    """Return which relation, task and fields made each item."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {line["id"]: (line["relation"], line["task"], line["fields"]) for line in lines}


def main() -> None:
    """Write the table and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("groups", nargs="+", help="KEY,FIRST or KEY,FIRST,SECOND")
    parser.add_argument("--method", required=True)
    args = parser.parse_args()
    read, sound, both, agreed = Counter[Row](), Counter[Row](), Counter[Row](), Counter[Row]()
    pairs: list[tuple[bool, bool]] = []
    for group in args.groups:
        key_path, first_path, *second_path = map(Path, group.split(","))
        key, first = rows_of(key_path), labels(first_path)
        second = labels(second_path[0]) if second_path else {}
        for name, label in first.items():
            row = key[name]
            read[row] += 1
            sound[row] += label
            if name in second:
                both[row] += 1
                agreed[row] += label == second[name]
                pairs.append((label, second[name]))
    lines = [f"method = {json.dumps(args.method, ensure_ascii=False)}", "", "readings = ["]
    for row in sorted(read):
        relation, task, fields = row
        twice = f", both = {both[row]}, agreed = {agreed[row]}" if both[row] else ""
        counts = f"read = {read[row]}, sound = {sound[row]}{twice}"
        lines.append(f'  {{ relation = "{relation}", task = "{task}", fields = "{fields}", {counts} }},')
        low, high = wilson(sound[row], read[row])
        print(f"| {relation} | {task} | {fields} | {sound[row]}/{read[row]} | {low:.0%} - {high:.0%} |")
    args.out.write_text("\n".join([*lines, "]"]) + "\n", encoding="utf-8")
    if pairs:
        found = agreement([a for a, _ in pairs], [b for _, b in pairs])
        shown = "none" if found.kappa is None else f"{found.kappa:.2f}"
        print(f"two readers: {found.items} items, agreement {found.agreement:.1%}, kappa {shown}, table {found.table}")


if __name__ == "__main__":
    main()
