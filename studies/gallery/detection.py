"""The detection matrix: which relation of the default sets finds which planted fault, and after how many questions.

    python studies/gallery/detection.py [--only FAULT,...] [--perfect TASK,...] [--cases 20] [--json FILE]

Every system of `mutatis.testing.gallery()` is tested on its world with the default sets. A finding is false where the
system errs neither on the source nor on the follow-up: it then found what is no fault of this system. Questions are
those of a run with that relation alone, sources included, until its first finding. Then every perfect system is tested
with several seeds, until at least 2,000 follow-ups were judged: any violation is a mistake of a relation, of a judge or
of the system, and is printed.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import mutatis
from mutatis.core.cases import Case
from mutatis.core.system import Conversation
from mutatis.records import VerdictRecord, read_verdicts
from mutatis.testing import gallery, perfect, planted, world
from mutatis.testing.gallery import TASKS, GallerySystem

ENOUGH = 2000
"""Follow-ups that every perfect system is tested with, at least."""


@dataclass(slots=True)
class Found:
    """What the default sets say of one system.

    Attributes:
        judged, violated, false: follow-ups, violations, and violations of what is no fault of the system.
        first: per relation that finds something, the questions until its first finding.
        violations: per relation.
        examples: of what was false.
    """

    judged: int = 0
    violated: int = 0
    false: int = 0
    first: dict[str, int] = field(default_factory=dict)
    violations: dict[str, int] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)


def verdicts(system: GallerySystem, cases: Sequence[Case], seed: int) -> Iterator[VerdictRecord]:
    """Yield the verdicts of a run with the default sets."""
    with tempfile.TemporaryDirectory() as folder:
        places: dict[str, Any] = {"store": Path(folder) / "s.db", "out": Path(folder), "seed": seed}
        mutatis.run(system, cases, settings={"noise_floor": 0, "confirm": 0}, **places)
        yield from read_verdicts(Path(folder))


def detection(system: GallerySystem, cases: Sequence[Case], seed: int = 0) -> Found:
    """Return what the default sets find on a system."""
    result = Found()
    stories = {case.id: case for case in cases}
    asked: dict[str, int] = defaultdict(int)
    sources: dict[str, set[str]] = defaultdict(set)
    for verdict in verdicts(system, cases, seed):
        name = verdict.relation
        sources[name].add(verdict.source)
        asked[name] += len(verdict.followups)
        result.judged += verdict.outcome in ("satisfied", "violated")
        if verdict.outcome == "error":
            result.examples.append(f"{name} on {verdict.source}: {verdict.reason}")
        if verdict.outcome != "violated":
            continue
        result.violated += 1
        result.violations[name] = result.violations.get(name, 0) + 1
        result.first.setdefault(name, asked[name] + len(sources[name]))
        if not erred(system, stories[verdict.source], verdict):
            result.false += 1
            result.examples.append(f"{name} on {verdict.source}: {verdict.followups[0].input}")
    return result


def erred(system: GallerySystem, case: Case, verdict: VerdictRecord) -> bool:
    """Whether the system errs on the source or on a follow-up of a verdict."""
    texts = [verdict.source_input, *(member.input for member in verdict.followups)]
    return any(system.erred(Conversation(messages=(), fields={**case.material, **fields})) for fields in texts)


def without_fault(task: str, least: int) -> Found:
    """Return what the default sets find on a perfect system, over as many seeds as `least` follow-ups take."""
    total = Found()
    for seed in range(100):
        result = detection(perfect(task), world(task), seed)
        total.judged += result.judged
        total.violated += result.violated
        total.violations |= {name: total.violations.get(name, 0) + n for name, n in result.violations.items()}
        total.examples += result.examples
        if total.judged >= least or not result.judged:
            break
    return total


def some(cases: Sequence[Case], number: int) -> Sequence[Case]:
    """Return about so many cases of a world, from all over it."""
    return cases[:: max(1, len(cases) // number)]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="faults, separated by commas, or none")
    parser.add_argument("--cases", type=int, default=20, help="cases of its world that a system with a fault is asked")
    parser.add_argument("--perfect", default=",".join(TASKS), help="tasks whose perfect systems are tested")
    parser.add_argument("--json", type=Path, help="write the counts there, too")
    args = parser.parse_args()
    names = [name for name in args.only.split(",") if name != "none"] if args.only else [f.name for f in gallery()]
    every: dict[str, Any] = {}
    print("| fault | task | found by (questions until the first finding) | violated | judged | false |")
    print("|---|---|---|---|---|---|")
    for name in names:
        system = planted(name)
        result = detection(system, some(world(system.task), args.cases))
        every[name] = asdict(result)
        first = ", ".join(f"{relation} ({n})" for relation, n in sorted(result.first.items(), key=lambda item: item[1]))
        print(
            f"| {name} | {system.task} | {first or 'NOTHING'} | {result.violated} | {result.judged} | {result.false} |",
            flush=True,
        )
        for example in result.examples[:3]:
            print(f"    {example[:300]}")
    print("\n| perfect system | judged | violated |\n|---|---|---|")
    for task in filter(None, args.perfect.split(",")):
        result = without_fault(task, ENOUGH)
        every[f"perfect {task}"] = asdict(result)
        print(f"| {task} | {result.judged} | {result.violated} |", flush=True)
        for example in result.examples[:5]:
            print(f"    {example[:300]}")
    if args.json:
        args.json.write_text(json.dumps(every, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
