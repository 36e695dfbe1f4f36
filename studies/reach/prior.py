"""Measures how likely a question for a relation finds a fault, on chatbots of `studies` that are no part of the test.

    python studies/reach/prior.py ask --out FOLDER [--only shop,inn,...] [--lacking]
    python studies/reach/prior.py table --out FOLDER [--lacking]

`ask` tests the shop, the inn and the bank of the gallery with each fault alone, and the twelve bots of
`studies/repertoire` with all their faults, by the defaults of `chat`, and writes what each relation asked and which
faults it found; what is there is not asked again. `table` writes `src/mutatis/search/promise.toml`: of each relation
how likely one of its questions shows a fault (`chances`). The four bots of this study are not asked. With `--lacking`
both concern the relations of the default sets that the table lacks: these are asked beside six others (`COMPANY`),
because replies are judged by all replies to a question, and added to the table.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from studies.gallery.choosing import SYSTEMS, Planted, Violation, counted, default  # noqa: E402

TABLE = ROOT / "src/mutatis/search/promise.toml"
FEW = 20
COMPANY = ("upper-case", "lower-case", "polite-words", "long-preamble", "keyboard-typos", "indirect-question")
HEAD = """\
# How likely a question for a relation finds a fault of a chatbot: written by `python studies/reach/prior.py table`,
# which says how it was measured. A run under a budget asks first what promises most.
# `find-edges` was not measured: it shows edges, and finds only what a stated direction rules out. Of a relation that
# is not here none of the chatbots lets anybody ask (`at-limit`): it counts as the mean.
"""


def record(planted: Planted, relations: Sequence[str], accused: Collection[Violation]) -> dict[str, Any]:
    """Test a system; return how much each relation asked, and in how many violations of it each fault shows."""
    counts = counted(planted.answer, planted.cases, relations)
    shows: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for violation in counts.violations:
        if violation not in accused:
            shows[violation[0]].update(set().union(*map(planted.shows, violation[1:])))
    return {"faults": planted.faults, "asked": dict(sorted(counts.asked.items())), "shows": dict(sorted(shows.items()))}


def shipped() -> dict[str, float]:
    """Return the chances in the table."""
    return dict(tomllib.loads(TABLE.read_text(encoding="utf-8"))["chat"])


def lacking() -> list[str]:
    """Return the relations of the default sets that the table lacks."""
    return [name for name in default() if name not in shipped()]


def ask(folder: Path, only: Sequence[str], names: Sequence[str]) -> None:
    """Test every system whose file is not there yet."""
    for system in only or SYSTEMS:
        accused: set[Violation] | None = None
        for planted in SYSTEMS[system]():
            file = folder / f"{'+'.join(planted.faults).replace('/', '.')[:100]}.json"
            if file.exists():
                continue
            if accused is None:
                accused = set(counted(planted.right, planted.cases, names).violations)
            file.write_text(json.dumps(record(planted, names, accused), indent=1), encoding="utf-8")
            print(file.stem, flush=True)


def chances(folder: Path, mean: float | None = None) -> dict[str, float]:
    """Return of each relation how likely a question shows a fault: the mean over all faults of the share that does.

    Systems of which a relation asked nothing say nothing of it. `FEW` faults as the mean of all relations shows them
    are added to each, so that one that was hardly tried is neither left out nor put first. `mean` stands for that mean
    if the folder holds few relations.
    """
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for file in sorted(folder.glob("*.json")):
        told = json.loads(file.read_text(encoding="utf-8"))
        for name, asked in told["asked"].items():
            shown = told["shows"].get(name, {}) if asked else {}
            shares[name] += [shown.get(fault, 0) / asked for fault in told["faults"]] if asked else []
    every = [share for known in shares.values() for share in known]
    mean = sum(every) / len(every) if mean is None else mean
    return {name: (sum(known) + FEW * mean) / (len(known) + FEW) for name, known in sorted(shares.items())}


def write_table(folder: Path, names: Sequence[str]) -> None:
    """Write the table that the package ships; of `names` alone, if there are any, into the table that is there."""
    known = shipped()
    if names:
        measured = chances(folder, sum(known.values()) / len(known))
        known = dict(sorted({**known, **{name: measured[name] for name in names if name in measured}}.items()))
    else:
        known = chances(folder)
    lines = [f"{name} = {chance:.4f}" for name, chance in known.items()]
    TABLE.write_text("\n".join([HEAD, "[chat]", *lines, ""]), encoding="utf-8")


def main() -> None:
    """Ask, or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["ask", "table"])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="", help=f"systems, separated by commas: {', '.join(SYSTEMS)}")
    parser.add_argument("--lacking", action="store_true", help="only relations that the table lacks")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    names = lacking() if args.lacking else []
    if args.what == "ask":
        ask(args.out, [name for name in args.only.split(",") if name], [*names, *COMPANY] if names else default())
    else:
        write_table(args.out, names)


if __name__ == "__main__":
    main()
