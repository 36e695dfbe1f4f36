"""What is searched: trackers, the turns they get right, and their split by dialogue (RLTest4Chatbot, Table 4.2)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from mutatis import measures
from mutatis.campaign.judging import Judges
from mutatis.campaign.observe import Observer, Target
from mutatis.campaign.run import Loop
from mutatis.core.cases import Case
from mutatis.query import QueryLayer, Store
from mutatis.systems import SYSTEMS
from mutatis.tasks import TASKS
from mutatis.text.states import differing_slots, read_state

TASK = "dialogue-state"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A tracker that is ready to be asked; its answers stay in memory, so that methods share the clean ones."""

    name: str
    target: Target

    def loop(self, *listeners: Any) -> Loop:
        """Return a loop over the tracker."""
        judges = Judges(by_kind={"state": measures.judge("state")}, by_measure={})
        return Loop(targets=[self.target], judges=judges, listeners=listeners)


def subject(name: str) -> Subject:
    """Return the tracker TYPE:NAME."""
    kind, _, rest = name.partition(":")
    system = SYSTEMS[kind](**{SYSTEMS[kind].options[0]: rest})
    layer = QueryLayer(system, Store(None))
    return Subject(name=name, target=Target(label=system.label, layer=layer, tasks={TASK: TASKS[TASK]}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds:
    """Dialogues whose asked turns the tracker gets right, split by dialogue; `whole` are right at every turn."""

    train: list[Case]
    test: list[Case]
    dialogues: int
    whole: int
    turns: int
    right: int

    def line(self) -> str:
        """Return the counts of Table 4.2."""
        sizes = [f"{len(part)} dialogues, {sum(len(case.asked) for case in part)} turns" for part in self._parts]
        return (
            f"{self.whole} of {self.dialogues} dialogues right at every turn, {self.right} of {self.turns} turns; "
            f"train {sizes[0]}; test {sizes[1]}"
        )

    @property
    def _parts(self) -> tuple[list[Case], list[Case]]:
        return self.train, self.test


def seeds(of: Subject, cases: Sequence[Case], known: Path, *, least: int = 100, seed: int = 0) -> Seeds:
    """Return the seeds of a tracker: whole dialogues, or single right turns where fewer than `least` are right.

    Which turns are right is kept in the file `known`. The turns
    before a single one keep the user's and the service's own words; they are edited as context, not scored.
    """
    kept = json.loads(known.read_text()) if known.exists() else {}
    name = f"{of.name} {json.dumps(dict(of.target.layer.system.identity), sort_keys=True)} {len(cases)}"
    if name not in kept:
        kept[name] = {case: sorted(turns) for case, turns in asyncio.run(_right(of, cases)).items()}
        known.write_text(json.dumps(kept))
    right = {case: set(turns) for case, turns in kept[name].items()}
    whole = [case for case in cases if set(case.asked) <= right[case.id]]
    chosen = whole
    if len(whole) < least:
        chosen = [replace(case, ask_turns=tuple(sorted(right[case.id]))) for case in cases if right[case.id]]
    order = list(chosen)
    Random(seed).shuffle(order)
    cut = round(0.8 * len(order))
    return Seeds(
        train=order[:cut],
        test=order[cut:],
        dialogues=len(cases),
        whole=len(whole),
        turns=sum(len(case.asked) for case in cases),
        right=sum(len(turns) for turns in right.values()),
    )


async def _right(of: Subject, cases: Sequence[Case]) -> dict[str, set[int]]:
    observer = Observer(of.target)
    found = await asyncio.gather(*(observer.observe(case) for case in cases))
    return {
        case.id: {turn for turn, one in seen.items() if one.response is not None and is_right(case, turn, one.answer)}
        for case, seen in zip(cases, found, strict=True)
    }


def is_right(case: Case, turn: int, answer: Any) -> bool:
    """Whether an answer has the annotated state; unannotated turns are never right."""
    expected = case.turns[turn].expected
    said = answer if isinstance(answer, dict) else read_state(str(answer)) or {}
    return bool(expected) and not differing_slots(json.loads(expected[0]), said)
