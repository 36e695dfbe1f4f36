"""Relations on the course of a dialogue that hold by construction: `transformations.interruptions` says how.

No context check and no annotated answer is needed, so they fit dialogues of messages without anything beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import mutatis.transformations  # noqa: F401 - registers what is named here
from mutatis.core.cases import Turn
from mutatis.core.constraint import Precondition, Stage
from mutatis.core.decision import Decision
from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.core.relation import Group
from mutatis.relations.deciding import InWords
from mutatis.relations.define import relation
from mutatis.relations.output import Equal
from mutatis.relations.soundness import FAIRNESS, MEMORY, standing
from mutatis.transformations.interruptions import JUDGED, RENAMED, renamed

TASKS = ("chat", "dialogue")

NO_MATERIAL = Precondition(
    name="nothing but the dialogue is shown",
    stage=Stage.SOURCE_INPUT,
    check=lambda evidence: not any(text.strip() for text in evidence.case.material.values()),
)
"""A story that speaks of the same person would keep the old name."""


def role_wanted(turn: Turn) -> str | None:
    """Return the role of a turn that its transformation wants to be judged; None for every other."""
    return "follow-up" if turn.annotations.get(JUDGED) else None


@dataclass(frozen=True, slots=True)
class Renamed(InWords):
    """The answer is the source answer with the names exchanged as in the dialogue."""

    for_readers = "The answer must stay the same, with the names exchanged as in the dialogue."
    name: str = "renamed"

    @staticmethod
    def _followed(group: Group) -> Group:
        if not group.members:
            return group
        table = group.members[0].asked.annotations.get(RENAMED, {})
        said: tuple[Any, ...] = tuple(
            renamed(answer, table) if isinstance(answer, str) else answer for answer in group.reference
        )
        return replace(group, reference=said)

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare the answer with the reference under the new names."""
        return Equal().comparisons(self._followed(group))

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold when the answer counts as the same."""
        return Equal().decide(self._followed(group), similarities, judge)


def _register(name: str, purpose: str, **more: Any) -> None:
    tags = {"ours", "dialogue", *standing(name, TASKS, purpose), *(() if purpose else ("surface",))}
    relation(name, tasks=TASKS, turns="each", tags=tags, **more)


_register(
    "unrelated-turn",
    MEMORY,
    when=role_wanted,
    summary="A question about something else, put in between, changes no later answer.",
)
_register(
    "ask-again",
    MEMORY,
    when=role_wanted,
    summary="A question that is asked again, straight after it was answered, has the same answer.",
)
_register(
    "half-first",
    "",  # two questions for each message: `tag:surface`, and in no default set
    when=role_wanted,
    summary="A message of which the first half was sent by mistake just before has the same answer.",
)
_register(
    "rename-throughout",
    FAIRNESS,
    output_relation=Renamed(),
    preconditions=(NO_MATERIAL,),
    summary="With other given names for the user's own people throughout, every answer is the same but for the names.",
)
