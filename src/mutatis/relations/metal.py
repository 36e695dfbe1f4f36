"""METAL's single-turn perturbations inside dialogues: MORTAR's baseline.

Every question of a dialogue is perturbed; a question that drifted too far from its original is put back and counts for
nothing (MORTAR, section on baselines). Questions annotated as unanswerable stay in, with "unknown" expected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Helper
from mutatis.relations.define import relation

METAL = "METAL as the baseline of MORTAR"

PERTURBATIONS = ("metal-synonyms", "metal-random-words", "metal-typos", "metal-leet")
PERTURBATIONS_V1 = ("metal-synonyms", "metal-typos", "metal-leet")
"""The earlier version of the paper has no random words; `tag:metal-v1` chooses these."""


class ChangedTurns:
    """Annotates every follow-up turn with whether its own question was changed."""

    name = "changed"

    async def annotate(self, source: Case, follow_up: Case, helper: Helper | None) -> Sequence[Mapping[str, Any]]:
        """Return `{"changed": bool}` per turn of the follow-up."""
        return [
            {"changed": turn.fields != source.turns[follow_up.origin(index)].fields}
            for index, turn in enumerate(follow_up.turns)
        ]


def changed(turn: Turn) -> str | None:
    """Return the role of a turn whose question was changed; None for one that was put back."""
    return "follow-up" if turn.annotations.get("changed") else None


_CHANGED = ChangedTurns()
for _name in PERTURBATIONS:
    relation(
        _name,
        transformations=[_name],
        output_relation="equal",
        tasks=("dialogue",),
        variants={"dialogue": (("question",),)},
        annotator=_CHANGED,
        when=changed,
        reference="annotated",
        # A dialogue all of whose questions were put back is still a test case (2,000 of 500 seeds); it detects nothing.
        unchanged="keep",
        tags={"metal", "metal-v1"} if _name in PERTURBATIONS_V1 else {"metal"},
        paper=METAL,
    )
