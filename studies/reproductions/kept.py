"""Prints the tables of runs that are kept here, since they take a helper or a network that is trained for minutes.

    python studies/reproductions/kept.py llmorph-helper
    python studies/reproductions/kept.py llmorph-helper --keep OUT/llmorph-helper     keeps the run of a folder first

A kept run is `kept/NAME.json.xz`: the counts of `report.json` from which the study's tables follow, and no text of the
data.
"""

from __future__ import annotations

import argparse
import importlib
import json
import lzma
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "kept"
STUDIES = FOLDER.parents[1]

Report = Mapping[str, Any]

RUNS: Mapping[str, tuple[str, Callable[[Any, str, Report], str]]] = {
    "families-whole": ("content_quality", lambda tables, _, report: tables.tables(report)),
    "llmorph-helper": ("llmorph", lambda tables, campaign, report: tables.tables(campaign, report)),
    "mortar-helper": ("mortar", lambda tables, _, report: tables.later(report)),
}
"""The study of a kept run, and what its module `tables` makes of each campaign."""


def counts(report: Report) -> dict[str, Any]:
    """Return the part of a report that is kept: the rest holds texts, or differs from run to run."""
    helper, queries = report["run"].get("helper"), report["run"]["queries"]
    return {"summary": report["summary"], "metrics": report["metrics"], "run": {"helper": helper, "queries": queries}}


def keep(name: str, folder: Path) -> None:
    """Write the kept run of a name from the reports in a folder; the same reports give the same bytes."""
    reports = {file.parent.name: json.loads(file.read_text("utf-8")) for file in sorted(folder.rglob("report.json"))}
    text = json.dumps({campaign: counts(report) for campaign, report in reports.items()}, sort_keys=True)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json.xz").write_bytes(lzma.compress(text.encode("utf-8")))


def kept(name: str) -> dict[str, Report]:
    """Return the campaigns of a kept run by name."""
    campaigns: dict[str, Report] = json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))
    return campaigns


def printed(name: str) -> str:
    """Return the tables of a kept run, as its study prints them."""
    study, show = RUNS[name]
    sys.path.insert(0, str(STUDIES / study))
    tables = importlib.import_module("tables")
    return "\n".join(f"{show(tables, each, report)}\n{helped(report)}" for each, report in kept(name).items())


def helped(report: Report) -> str:
    """Return what a helper was asked, and what became of the follow-ups; nothing if there was no helper."""
    helper = report["run"]["helper"]
    if helper is None:
        return ""
    made = {outcome: sum(row[outcome] for row in report["summary"]) for outcome in ("invalid", "error")}
    judged = sum(row["satisfied"] + row["violated"] for row in report["summary"])
    return (
        f"\nHelper {helper['label']}: {helper['asked']} questions, {helper['unusable']} answers unusable, "
        f"{helper['failed']} failed. Verdicts: {judged} judged, {made['invalid']} invalid, {made['error']} errors."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a kept run, or keep another one and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=RUNS)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the run of this folder first")
    args = parser.parse_args(arguments)
    if args.keep:
        keep(args.name, args.keep)
    if not (FOLDER / f"{args.name}.json.xz").exists():
        parser.error(f"no run {args.name} is kept here yet; run its study, then give its folder: --keep FOLDER")
    print(printed(args.name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
