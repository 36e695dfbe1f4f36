"""Which relations on dialogues find most per question: chosen on one half of the inn's faults, reported on the other.

    python studies/gallery/choosing.py [--questions 100] [--json FILE]

Every fault of the inn (`mutatis.testing.gallery`) is tested once with all candidates. The faults are dealt to two
halves by turns. On the first half relations are taken greedily, by faults found that no chosen one finds, per question
asked for 20 messages, until the questions are spent; the second half says what they find that they were not chosen by.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import mutatis
from mutatis.core.cases import Derivation
from mutatis.core.relation import RELATIONS
from mutatis.core.transformation import derive
from mutatis.records import VerdictRecord, read_verdicts
from mutatis.relations.soundness import MEMORY, PRESSURE, STATE
from mutatis.testing import sync
from mutatis.testing.gallery import INN_FAULTS, InnSystem, inn_cases, inn_system

MESSAGES = 20


def candidates() -> list[str]:
    """Return the relations that may be chosen: those of our own on what is said in chats, that are no probes."""
    finders = {fault.found_by for fault in INN_FAULTS}
    return [
        name
        for name in RELATIONS
        if name in finders or ("chat" in RELATIONS[name].tasks and RELATIONS[name].tags & {MEMORY, STATE, PRESSURE})
    ]


def verdicts(system: InnSystem, relations: Sequence[str]) -> list[VerdictRecord]:
    """Return the verdicts of a run."""
    with tempfile.TemporaryDirectory() as folder:
        place: dict[str, Any] = {"store": Path(folder) / "s.db", "out": Path(folder)}
        mutatis.run(
            system, inn_cases(), list(relations), settings={"noise_floor": 0, "confirm": 0, "shrink": 0}, **place
        )
        return list(read_verdicts(Path(folder)))


def questions(judged: Sequence[VerdictRecord]) -> dict[str, float]:
    """Return the questions that each relation asks for 20 messages; what a source was asked before is known."""
    cases, asked = {case.id: case for case in inn_cases()}, dict[str, float]()
    for verdict in judged:
        known = [turn.question for turn in cases[verdict.source].turns]
        for member in verdict.followups if verdict.outcome != "invalid" else ():
            assert member.derivation is not None
            made = sync(derive(cases[verdict.source], Derivation.from_record(member.derivation.model_dump())))
            said = [turn.question for turn in made.turns]
            new = sum(said[: end + 1] != known[: end + 1] for end in range(len(said)))
            asked[verdict.relation] = asked.get(verdict.relation, 0.0) + MESSAGES * new / len(cases)
    return asked


def chosen(finds: Mapping[str, Collection[str]], asked: Mapping[str, float], most: float) -> list[str]:
    """Return relations, greedily: the most faults that no chosen one finds, per question, while questions are left."""
    names: list[str] = []
    left, spent = {fault for faults in finds.values() for fault in faults}, 0.0
    while left:
        fitting = [
            name for name in finds if name not in names and spent + asked[name] <= most and left & {*finds[name]}
        ]
        if not fitting:
            break
        best = max(fitting, key=lambda name: (len(left & {*finds[name]}) / max(asked[name], 1e-9), name))
        names.append(best)
        left -= {*finds[best]}
        spent += asked[best]
    return names


def main() -> None:
    """Print what is chosen on each half, and what it finds on the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=float, default=100)
    parser.add_argument("--json", type=Path, help="write what finds what there, too")
    args = parser.parse_args()
    names = candidates()
    asked = questions(verdicts(inn_system(), names))
    finds: dict[str, list[str]] = {name: [] for name in names}
    for fault in INN_FAULTS:
        for name in {v.relation for v in verdicts(inn_system(fault.name), names) if v.outcome == "violated"}:
            finds[name].append(fault.name)
        print(f"{fault.name:24} {sum(fault.name in found for found in finds.values())} relations", flush=True)
    if args.json:
        args.json.write_text(json.dumps({"asked": asked, "finds": finds}, indent=1), encoding="utf-8")
    every = [fault.name for fault in INN_FAULTS]
    for half, other in ((every[::2], every[1::2]), (every[1::2], every[::2])):
        here = {name: [fault for fault in found if fault in half] for name, found in finds.items() if asked.get(name)}
        taken = chosen(here, asked, args.questions)
        found_here = {fault for name in taken for fault in finds[name] if fault in half}
        found_there = {fault for name in taken for fault in finds[name] if fault in other}
        print(f"\n{', '.join(taken)}: {sum(asked[name] for name in taken):.0f} questions for {MESSAGES} messages")
        print(f"found {len(found_here)} of {len(half)} of this half, {len(found_there)} of {len(other)} of the other")


if __name__ == "__main__":
    main()
