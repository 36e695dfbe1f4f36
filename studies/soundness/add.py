"""Adds readings of blind sheets to the table that the package ships, row by row; `table.py` makes it anew.

    python studies/soundness/add.py [--replace RELATION,TASK] [--out FILE] KEY,FIRST[,SECOND] ...
    python studies/soundness/add.py --language de --task chat --fields message KEY.json,FIRST.csv,SECOND.csv

Readings are JSON lines {"id", "sound": true | false, "natural", "why"} or {"id", "verdict": "sound" | "unsound" |
"trivial"}; an item is sound where no reader says that it is not. What was natural to each reader is printed, and in
other languages than English what was natural to all is in the table. Items that
the code does not make any more, because a reading mended it, are taken out of the key before. A row that is there
grows; `--replace` begins it anew, where its follow-ups are made in another way now. The second form reads the sheets of
`studies/languages` and `studies/reach`: their key has a relation for each line, and no task.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

from mutatis.relations.soundness import SoundnessRow, as_toml, method, readings

Which = tuple[str, str, str]
"""Relation, task and fields."""


def lines_of(path: str, *, task: str = "", fields: str = "") -> list[dict[str, Any]]:
    """Return the records of a file of JSON lines, or of a key or the answers to a sheet with numbered lines."""
    if path.endswith(".json"):
        key = json.loads(Path(path).read_text(encoding="utf-8"))
        return [{"item": number, "relation": name, "task": task, "fields": fields} for number, name in key.items()]
    if path.endswith(".csv"):
        with Path(path).open(encoding="utf-8", newline="") as file:
            answers = [(row["line"], row["sound"].strip(), row["natural"].strip()) for row in csv.DictReader(file)]
        return [{"id": number, "sound": sound == "y", "natural": easy == "y"} for number, sound, easy in answers]
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]


def called_sound(reading: dict[str, Any]) -> bool:
    """Whether a reader found a follow-up sound."""
    return bool(reading["sound"]) if "sound" in reading else reading["verdict"] != "unsound"


def natural(origins: list[dict[str, Any]], *readers: str) -> dict[tuple[str, str], list[int]]:
    """Return how many items of each relation and task each reader called natural."""
    rows = {line["item"]: (line["relation"], line["task"]) for line in origins}
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * len(readers))
    for number, reader in enumerate(readers):
        for line in lines_of(reader):
            if line["id"] in rows:
                counts[rows[line["id"]]][number] += bool(line.get("natural"))
    return counts


def counted(origins: list[dict[str, Any]], *readers: str, language: str) -> dict[Which, SoundnessRow]:
    """Return how many items of each relation, task and fields were read, and how many were found sound."""
    verdicts = [
        {line["id"]: (called_sound(line), bool(line.get("natural"))) for line in lines_of(reader)} for reader in readers
    ]
    groups: dict[Which, list[list[tuple[bool, bool]]]] = defaultdict(list)
    for origin in origins:
        read = [reader[origin["item"]] for reader in verdicts if origin["item"] in reader]
        if read:
            groups[origin["relation"], origin["task"], origin["fields"]].append(read)
    return {
        which: SoundnessRow(
            **dict(zip(("relation", "task", "fields"), which, strict=True)),
            read=len(items),
            sound=sum(all(sound for sound, _ in item) for item in items),
            both=sum(len(item) == 2 for item in items),
            agreed=sum(len(item) == 2 and item[0][0] == item[1][0] for item in items),
            language=language,
            natural=None if language == "en" else sum(all(easy for _, easy in item) for item in items),
        )
        for which, items in groups.items()
    }


def joined(first: SoundnessRow, second: SoundnessRow) -> SoundnessRow:
    """Return one row of two on the same relation, task and fields."""
    numbers = {name: getattr(first, name) + getattr(second, name) for name in ("read", "sound", "both", "agreed")}
    counted_both = None not in (first.natural, second.natural)
    natural_of_both = (first.natural or 0) + (second.natural or 0) if counted_both else None
    return replace(first, **numbers, natural=natural_of_both)


def main() -> None:
    """Add the readings and print the rows that changed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="+", help="KEY,FIRST or KEY,FIRST,SECOND")
    parser.add_argument("--replace", action="append", default=[], help="RELATION,TASK")
    parser.add_argument("--out", type=Path, default=Path("src/mutatis/relations/soundness.toml"))
    parser.add_argument("--language", default="en", help="code of the language of the follow-ups")
    parser.add_argument("--task", default="", help="task of a key without tasks")
    parser.add_argument("--fields", default="", help="fields of a key without tasks")
    args = parser.parse_args()
    anew = {(*row.split(","), args.language) for row in args.replace}
    kept = [row for row in readings() if (row.relation, row.task, row.language) not in anew]
    others = [row for row in kept if row.language != args.language]
    table = {(row.relation, row.task, row.fields): row for row in kept if row.language == args.language}
    for group in args.groups:
        key, *readers = group.split(",")
        origins = lines_of(key, task=args.task, fields=args.fields)
        for which, row in counted(origins, *readers, language=args.language).items():
            table[which] = joined(table[which], row) if which in table else row
            by = " and ".join(map(str, natural(origins, *readers)[row.relation, row.task]))
            told = f"+{row.sound}/{row.read}, agreed {row.agreed} of {row.both}; natural {by}"
            print(f"{row.relation:24} {row.task:12} {told}")
    head = f"method = {json.dumps(method(), ensure_ascii=False)}\n\n"
    rows = sorted([*others, *table.values()], key=_place)
    args.out.write_text(head + as_toml(rows), encoding="utf-8")


def _place(row: SoundnessRow) -> tuple[bool, str, str, str, str]:
    """Return the place of a row in the table: English first, then by language."""
    return row.language != "en", row.language, row.relation, row.task, row.fields


if __name__ == "__main__":
    main()
