"""The checks themselves: adjacency veto, semantic, ontology and dataset check along one follow-up.

Must not know how knowledge was extracted, nor anything a system under test answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from mutatis.context.cues import cues
from mutatis.context.dialogue import Dialogue
from mutatis.context.knowledge import Knowledge
from mutatis.context.story import Story
from mutatis.options import Options

Status: TypeAlias = Literal["equivalent", "altered", "undecided"]
DatasetCheck: TypeAlias = Literal["papers", "salient", "off"]
Needed: TypeAlias = Literal["ours", "papers"]


class ContextOptions(Options):
    """How the checks are combined; see `ContextCheck`."""

    dataset_check: DatasetCheck = "salient"
    adjacency_veto: bool = True
    needed: Needed = "ours"
    undecided: Literal["leave-out", "equivalent"] = "leave-out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdict on the context of one follow-up turn.

    Attributes:
        status: equivalent, altered or undecided.
        check: which check decided: `opening`, `adjacency`, `predecessors`, `asked-before`, `semantic`, `ontology`,
            `dataset` or `model`.
        probability: of "equivalent", where a model gives one.
        missing: what the question needs and the follow-up has not offered.
    """

    status: Status
    check: str
    probability: float | None = None
    missing: tuple[str, ...] = ()

    @property
    def equivalent(self) -> bool:
        """Whether the context is called equivalent."""
        return self.status == "equivalent"

    def annotations(self) -> Mapping[str, Any]:
        """Return the judgement as annotations of a turn."""
        return {
            "context": self.status,
            "context_check": self.check,
            "context_probability": None if self.probability is None else round(self.probability, 4),
            "context_missing": list(self.missing),
        }


def vetoed(dialogue: Dialogue, order: Sequence[int], place: int) -> bool:
    """Whether a very short question stands elsewhere than directly after its seed predecessor.

    It asks about the exchange just before it ("Why?"), so anything else in between changes what it means.
    """
    turn = order[place]
    if turn == 0 or not cues(dialogue.questions[turn]).very_short:
        return False
    return place == 0 or order[place - 1] != turn - 1


def judge_by_knowledge(
    dialogue: Dialogue, knowledge: Knowledge, order: Sequence[int], options: ContextOptions
) -> list[Judgement]:
    """Judge every turn of a follow-up by what the knowledge says is needed and available (spec section 3).

    An equivalent turn leaves everything it mentions to the next turns, an altered one only what it says explicitly.
    """
    needed = knowledge.needed() if options.needed == "ours" else knowledge.wanted
    story = Story.read(dialogue.story) if dialogue.story and options.dataset_check != "off" else None
    words = set(knowledge.start)
    result = []
    for place, turn in enumerate(order):
        ok, missing = knowledge.satisfied(needed[turn], words)
        if options.adjacency_veto and vetoed(dialogue, order, place):
            found = Judgement(status="altered", check="adjacency", missing=missing)
        elif knowledge.resolved[turn]:
            found = Judgement(status="equivalent", check="semantic")
        elif ok:
            found = Judgement(status="equivalent", check="ontology", missing=missing)
        elif story is not None and story.resolves(dialogue.questions[turn], options.dataset_check):
            found = Judgement(status="equivalent", check="dataset", missing=missing)
        else:
            found = Judgement(status="altered", check="ontology", missing=missing)
        words |= knowledge.full[turn] if found.equivalent else knowledge.said[turn]
        result.append(found)
    return result
