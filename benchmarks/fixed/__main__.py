"""Makes the fixed runs and compares their verdicts with those that are kept in `verdicts/`.

    python -m benchmarks.fixed check [RUN ...] [--all]     which verdicts changed; exit code 1 where any did
    python -m benchmarks.fixed record [RUN ...]            keep today's verdicts

A kept line is a verdict: what it is about, its outcome, score and reason, and eight digits each of the texts that were
asked, of the answers, and of the whole line of `verdicts.jsonl`. Equal digits of the line mean equal bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parent / "verdicts"
SHOWN = 12
"""Most changes of a run that are printed without `--all`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is kept of a verdict; every value is one line of text."""

    about: str
    outcome: str
    score: str
    reason: str
    inputs: str
    answers: str
    line: str

    @classmethod
    def of(cls, line: str) -> Kept:
        """Return what is kept of a line of `verdicts.jsonl`."""
        verdict = json.loads(line)
        about = [verdict["relation"], verdict["source"], f"turn {verdict['turn']}"]
        about += [", ".join(verdict["variant"]), f"draw {verdict['draw']}", f"repeat {verdict['repeat']}"]
        about += [json.dumps(followup["derivation"]["steps"]) for followup in verdict["followups"]]
        asked = [verdict["source_input"], *(followup["input"] for followup in verdict["followups"])]
        answers = [verdict["source_output"], *(followup["output"] for followup in verdict["followups"])]
        return cls(
            about=f"{verdict['relation']} {verdict['source']} {digits(json.dumps(about))}",
            outcome=verdict["outcome"],
            score=str(verdict["score"]),
            reason=" ".join(str(verdict["reason"] or verdict["precondition"] or "").split()),
            inputs=digits(json.dumps(asked, sort_keys=True)),
            answers=digits(json.dumps(answers, sort_keys=True)),
            line=digits(line),
        )

    def row(self) -> str:
        """Return the verdict as a row of the kept file."""
        parts = self.about, self.outcome, self.score, self.inputs, self.answers, self.line, self.reason
        return "\t".join(parts)

    @classmethod
    def from_row(cls, row: str) -> Kept:
        """Return the verdict of a row of the kept file."""
        about, outcome, score, inputs, answers, line, reason = row.split("\t")
        return cls(about=about, outcome=outcome, score=score, inputs=inputs, answers=answers, line=line, reason=reason)

    def against(self, before: Kept) -> str:
        """Return what differs from an earlier verdict on the same."""
        changes = []
        if self.inputs != before.inputs:
            changes.append("other texts were asked")
        if self.answers != before.answers:
            changes.append("other answers")
        for name in ("outcome", "score", "reason"):
            then, now = getattr(before, name), getattr(self, name)
            if then != now:
                changes.append(f"{name}: {then} -> {now}")
        return "; ".join(changes) or "the line alone (ids, parameters, annotations)"


def digits(text: str) -> str:
    """Return eight hexadecimal digits that name a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def verdicts_of(name: str) -> list[Kept]:
    """Make a fixed run and return its verdicts, in order."""
    from benchmarks.fixed.runs import configuration

    from mutatis.api import run_config

    with tempfile.TemporaryDirectory() as folder:
        run_config(configuration(name), out=folder)
        lines = (Path(folder) / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return [Kept.of(line) for line in lines]


def changes(before: Sequence[Kept], now: Sequence[Kept]) -> Iterator[str]:
    """Return what changed between two lists of verdicts, a line each."""
    known: Mapping[str, list[Kept]] = defaultdict(list)
    for kept in before:
        known[kept.about].append(kept)
    for kept in now:
        if not known[kept.about]:
            yield f"new: {kept.about} {kept.outcome}: {kept.reason}"
        elif (earlier := known[kept.about].pop(0)) != kept:
            yield f"changed: {kept.about} {kept.against(earlier)}"
    for rest in known.values():
        yield from (f"gone: {kept.about} {kept.outcome}: {kept.reason}" for kept in rest)


def check(name: str, *, everything: bool) -> bool:
    """Print what changed in a run; return whether anything did."""
    path = KEPT / f"{name}.tsv"
    before = [Kept.from_row(row) for row in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    now = verdicts_of(name)
    differences = list(changes(before, now))
    order = "" if differences or now == before else ", in another order"
    print(f"{name}: {len(now)} verdicts, {len(differences)} differences{order}", flush=True)
    for change in differences if everything else differences[:SHOWN]:
        print(f"  {change}")
    if len(differences) > SHOWN and not everything:
        print(f"  ... and {len(differences) - SHOWN} more (--all)")
    return now != before


def record(name: str) -> None:
    """Keep today's verdicts of a run."""
    now = verdicts_of(name)
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{name}.tsv").write_text("".join(f"{kept.row()}\n" for kept in now), encoding="utf-8")
    print(f"{name}: {len(now)} verdicts kept", flush=True)


def main() -> int:
    from benchmarks.fixed.runs import RUNS

    parser = argparse.ArgumentParser(prog="python -m benchmarks.fixed", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["check", "record"])
    parser.add_argument("runs", nargs="*", metavar="RUN", help=f"of {', '.join(RUNS)}; all by default")
    parser.add_argument("--all", action="store_true", help="print every difference")
    arguments: Any = parser.parse_args()
    if unknown := [name for name in arguments.runs if name not in RUNS]:
        parser.error(f"unknown run {unknown[0]!r}; there are: {', '.join(RUNS)}")
    names = arguments.runs or list(RUNS)
    if arguments.what == "record":
        for name in names:
            record(name)
        return 0
    moved = [name for name in names if check(name, everything=arguments.all)]
    return int(bool(moved))


if __name__ == "__main__":
    raise SystemExit(main())
