"""Output relations of graders: what must become of a verdict ("A", "B", "tie") when what was graded is edited.

They join the names of `relations.output`. Must not know how an answer was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mutatis.core.decision import Decision, Outcome
from mutatis.core.measure import Comparison, Judge, Says, Similarity
from mutatis.core.relation import Group
from mutatis.relations.deciding import nothing, plain
from mutatis.relations.output import OUTPUT_RELATIONS

OTHER = {"A": "B", "B": "A", "tie": "tie"}
"""What a verdict is when the answers change places."""


@dataclass(frozen=True, slots=True)
class Swapped:
    """The answers changed places, and the verdict goes with them; a tie stays."""

    finds: ClassVar[Says | None] = None
    name: str = "swapped"

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Need no comparison: the two verdicts say it."""
        return ()

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Hold where the same answer is preferred in either place."""
        if not group.members or not group.reference:
            return nothing(judge)
        before, after = str(group.reference[0]), str(group.members[0].answer)
        if before not in OTHER:
            return plain(Outcome.INVALID, None, f"{before!r} is no verdict: expected A, B or tie", "verdict", ())
        held = after == OTHER[before]
        reason = f"the verdict {before} should become {OTHER[before]} with the answers exchanged"
        reason += "" if held else f", but is {after}"
        return plain(Outcome.SATISFIED if held else Outcome.VIOLATED, float(held), reason, "verdict")


OUTPUT_RELATIONS.update({relation.name: relation for relation in (Swapped(),)})
