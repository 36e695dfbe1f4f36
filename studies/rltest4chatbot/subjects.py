"""What is searched: trackers, the turns they get right, and their split by dialogue (RLTest4Chatbot, Table 4.2)."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from mutatis import measures
from mutatis.campaign.judging import Judges
from mutatis.campaign.observe import Observer, Target
from mutatis.campaign.run import Loop
from mutatis.core.cases import Case
from mutatis.core.system import Conversation, Response, System
from mutatis.query import QueryLayer, Store
from mutatis.rltest4chatbot.states import differing_slots, read_state
from mutatis.systems import SYSTEMS
from mutatis.tasks import TASKS

TASK = "dialogue-state"

ASKS, SHARPNESS = 3, 3.0
NOTHING = "(none)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A tracker that is ready to be asked; its answers stay in memory, so that methods share the clean ones."""

    name: str
    target: Target
    store: Store
    repeats: int = 1

    def close(self) -> None:
        """Close the store of its answers."""
        self.store.close()

    def loop(self, *listeners: Any) -> Loop:
        """Return a loop over the tracker."""
        judges = Judges(by_kind={"state": measures.judge("state")}, by_measure={})
        return Loop(targets=[self.target], judges=judges, listeners=listeners, repeats=self.repeats)


def label(tracker: str) -> str:
    """Return what a tracker is called in tables: its type, or "builtin:tracker"; never a folder.

    >>> label("trade:/some/folder"), label("builtin:tracker"), label("sampled:builtin:tracker")
    ('trade', 'builtin:tracker', 'sampled:builtin:tracker')
    """
    kind, _, rest = tracker.partition(":")
    if kind == "sampled":
        return f"{kind}:{label(rest)}"
    return tracker if kind == "builtin" else kind


def subject(name: str) -> Subject:
    """Return the tracker TYPE:NAME; sampled:TYPE:NAME draws from its probabilities, tells none, and is asked thrice.

    It is to be closed.
    """
    kind, _, rest = name.partition(":")
    if kind == "sampled":
        return _ready(label(name), Sampled(inner=_system(rest)), ASKS)
    return _ready(label(name), _system(name), 1)


def _system(name: str) -> System:
    kind, _, rest = name.partition(":")
    system: System = SYSTEMS[kind](**{SYSTEMS[kind].options[0]: rest})
    return system


def _ready(name: str, system: System, repeats: int) -> Subject:
    store = Store(None)
    target = Target(layer=QueryLayer(system, store), tasks={TASK: TASKS[TASK]})
    return Subject(name=name, target=target, store=store, repeats=repeats)


@dataclass(slots=True, kw_only=True)
class Sampled(System):
    """A tracker that wavers as its probabilities say (made `SHARPNESS` times as steep) and does not tell them."""

    inner: System
    label: str = "sampled"
    asked: Counter[str] = field(default_factory=Counter)

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return what the answers depend on."""
        return {"type": "sampled", "inner": dict(self.inner.identity), "sharpness": SHARPNESS}

    async def ask(self, conversation: Conversation) -> Response:
        """Return a state whose slots are drawn, other ones at every ask of the same."""
        response = await self.inner.ask(conversation)
        asked = json.dumps([message.content for message in conversation.messages])
        self.asked[asked] += 1
        rng = Random(f"{asked}/{self.asked[asked]}")
        state = {}
        for slot, chances in steep(response).items():
            value = rng.choices(list(chances), list(chances.values()))[0]
            if value != NOTHING:
                state[slot] = value
        return Response(text=json.dumps(state))


def steep(response: Response) -> dict[str, dict[str, float]]:
    """Return the probabilities of each slot, made steeper, so that most turns are answered the same again."""
    raised = {
        slot: {v: p**SHARPNESS for v, p in chances.items()} for slot, chances in (response.decisions or {}).items()
    }
    return {slot: {v: p / sum(chances.values()) for v, p in chances.items()} for slot, chances in raised.items()}


def lengths(cases: Sequence[Case]) -> dict[str, Any]:
    """Return how many utterances of users there are, and how many are longer than four, eight and twelve words."""
    words = [len(" ".join(turn.fields.values()).split()) for case in cases for turn in case.turns]
    return {"turns": len(words), "longer than": {str(n): sum(length > n for length in words) for n in (4, 8, 12)}}


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
    system = of.target.layer.system
    if isinstance(system, Sampled):  # right before it wavers
        system = system.inner
    name = f"{json.dumps(dict(system.identity), sort_keys=True)} {len(cases)}"
    if name not in kept:
        steady = of if system is of.target.layer.system else _ready(of.name, system, 1)
        kept[name] = {case: sorted(turns) for case, turns in asyncio.run(_right(steady, cases)).items()}
        if steady is not of:
            steady.close()
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
    observations = await asyncio.gather(*(observer.observe(case) for case in cases))
    return {
        case.id: {
            turn
            for turn, observation in seen.items()
            if observation.response is not None and is_right(case, turn, observation.answer)
        }
        for case, seen in zip(cases, observations, strict=True)
    }


def is_right(case: Case, turn: int, answer: Any) -> bool:
    """Whether an answer has the annotated state; unannotated turns are never right."""
    expected = case.turns[turn].expected
    said = answer if isinstance(answer, dict) else read_state(str(answer)) or {}
    return bool(expected) and not differing_slots(json.loads(expected[0]), said)
