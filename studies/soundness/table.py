"""Joins readings of several blind sheets to the table that the package ships (`relations/soundness.toml`).

    python studies/soundness/table.py OUT.toml --method "who read, from what, when" KEY,FIRST[,SECOND] ...

Each group is a sheet's key and one or two readings of it, as `mutatis agreement` takes them one at a time; readings are
sheets with the column `sound` filled in (CSV or JSON lines). An item is sound where everybody who read it says so; of
items that two read, agreement and kappa are printed, and the agreement is written per row.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from mutatis.analysis.agreement import agreement_in, reading_counts
from mutatis.relations.soundness import SoundnessRow, as_toml
from mutatis.reports.sheets import read_key, read_sheet_labels


def main() -> None:
    """Write the table and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("groups", nargs="+", help="KEY,FIRST or KEY,FIRST,SECOND")
    parser.add_argument("--method", required=True)
    args = parser.parse_args()
    rows: dict[str, tuple[str, ...]] = {}
    labels: tuple[dict[str, bool], dict[str, bool]] = ({}, {})
    for group in args.groups:
        key, *sheets = map(Path, group.split(","))
        rows |= {name: (entry.relation, entry.task, entry.fields) for name, entry in read_key(key).items()}
        for reader, sheet in zip(labels, sheets, strict=False):
            reader.update({item: bool(label) for item, label in read_sheet_labels(sheet).values.items()})
    counted = reading_counts(rows, *labels)
    table = [SoundnessRow(relation=of[0], task=of[1], fields=of[2], **asdict(counts)) for of, counts in counted.items()]
    method = f"method = {json.dumps(args.method, ensure_ascii=False)}\n\n"
    args.out.write_text(method + as_toml(table), encoding="utf-8")
    for row in table:
        low, high = row.interval
        print(f"| {row.relation} | {row.task} | {row.fields} | {row.sound}/{row.read} | {low:.0%} - {high:.0%} |")
    both = [item for item in labels[0] if item in labels[1]]
    if both:
        agreed = agreement_in(Counter((labels[0][item], labels[1][item]) for item in both))
        shown = "none" if agreed.kappa is None else f"{agreed.kappa:.2f}"
        print(
            f"two readers: {agreed.items} items, agreement {agreed.agreement:.1%}, kappa {shown}, table {agreed.table}"
        )


if __name__ == "__main__":
    main()
