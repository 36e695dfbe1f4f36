"""MORTAR's relations on dialogues: five perturbations, whose turns are matched by the context check.

They come from the later version of MORTAR ("v2": MR1-MR4) and the earlier one ("v1": its own MR1-MR3, judged by MSS).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

from mutatis.context import ContextCheck
from mutatis.core.cases import Turn
from mutatis.core.decision import Decision
from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.core.relation import Group, Grouping, Limits, Matching
from mutatis.relations.output import Equal, InWords, Pairs
from mutatis.relations.preconditions import ANNOTATED
from mutatis.relations.soundness import MEMORY
from mutatis.relations.table import EARLIER, row

V2 = "MORTAR (later version)"
V1 = "MORTAR (earlier version)"

PERTURBATION_OF = {
    "round-shuffle": "DRS",
    "round-reduction": "DRR",
    "round-duplication": "DRD",
    "round-shuffle-reduction": "DSR",
    "round-shuffle-duplication": "DSD",
}
"""The five perturbations of dialogues: names of the transformations, and their names in the papers."""

EQUIVALENT, ALTERED = "equivalent", "altered"

CHECK = ContextCheck()
"""The annotator used by every relation in this module. A configuration can replace it."""


def answerable(turn: Turn) -> bool:
    """Return True unless a turn is annotated as unanswerable. Turns without annotations count as answerable."""
    return turn.annotations.get("answerable", True) is not False


def context(turn: Turn) -> str | None:
    """Return the role of an answerable turn: equivalent, altered, or None if the context check is undecided."""
    status = turn.annotations.get("context")
    return status if answerable(turn) and status in (EQUIVALENT, ALTERED) else None


def only(status: str) -> Callable[[Turn], str | None]:
    """Return a function that gives this role to an answerable turn in such a context, and None to any other turn."""
    return lambda turn: status if context(turn) == status else None


def answerability(turn: Turn) -> str | None:
    """Return the role of any turn in v1: "altered" if it is unanswerable, otherwise as given by the context check.

    Return None if the check is undecided.
    """
    return context(turn) if answerable(turn) else ALTERED


class EqualOrUnknown(InWords):
    """Output relation `equal-or-unknown`: the annotated answer, or "unknown" in an altered context (v1, MR1)."""

    for_readers = (
        "The answer must be the annotated one, '{labelled}', or 'unknown' if the earlier rounds no longer contain it."
    )
    name = "equal-or-unknown"

    def _expected(self, group: Group) -> Group:
        """Return the group with the expected answer: in an altered context, "unknown"."""
        if not group.members or group.members[0].role == EQUIVALENT:
            return group
        return replace(group, reference=("unknown",), directed=True)

    def comparisons(self, group: Group) -> Sequence[Comparison]:
        """Compare the answer with the annotated one, or with "unknown" in an altered context."""
        return Equal().comparisons(self._expected(group))

    def decide(self, group: Group, similarities: Sequence[Similarity], judge: Judge) -> Decision:
        """Decide that the relation holds if the answer is the expected one."""
        return Equal().decide(self._expected(group), similarities, judge)


class Consistency(Pairs):
    """Output relation `consistency`: all answers to one question agree (v1, MR2).

    Either all versions of the question can be answered, or none can.
    """

    for_readers = "All answers to the question must be the same."
    name = "consistency"

    def pairs(self, group: Group) -> Sequence[tuple[int, int]]:
        """Return every pair of answers in the group."""
        return list(combinations(range(len(group.members)), 2))


def _all_alike(roles: Sequence[str]) -> bool:
    return len(roles) >= 2 and len(set(roles)) == 1


_dialogue = partial(
    row,
    tasks="dialogue",
    by=tuple(PERTURBATION_OF),
    tags=("mortar", "dialogue"),
    change="conversation",
    paper=V2,
    turns="all",
    limits=Limits(unchanged="keep"),
    reference="annotated",
)
_earlier = partial(_dialogue, tags=("mortar-v1", EARLIER), paper=V1)


_checked = partial(Matching, annotator=CHECK)
_by_question = partial(_checked, grouping=Grouping.QUESTION)
_dialogue(
    "context-preserving",
    says="In an equivalent context the answer is that of the reference.",
    purpose=MEMORY,
    ids=("mortar/mr1",),
    matching=_checked(when=only(EQUIVALENT), needs={EQUIVALENT: 1}),
)
_dialogue(
    "context-altering",
    "different",
    says="In an altered context the answer is not that of the reference.",
    purpose=MEMORY,
    ids=("mortar/mr2",),
    matching=_checked(when=only(ALTERED), needs={ALTERED: 1}),
)
_dialogue(
    "inner-consistency",
    "inner-consistency",
    says="All answers to one question in equivalent contexts agree.",
    ids=("mortar/mr3",),
    matching=_by_question(when=only(EQUIVALENT), needs={EQUIVALENT: 2}),
)
_dialogue(
    "inter-divergence",
    "inter-divergence",
    says="Answers to one question in equivalent contexts differ from those in altered ones.",
    ids=("mortar/mr4",),
    matching=_by_question(when=context, needs={EQUIVALENT: 1, ALTERED: 1}),
)
_dialogue(
    "reference-based",
    tasks="talk",
    only_if=(ANNOTATED,),
    by="identity-order",
    says="The answers to the unperturbed dialogue are the annotated ones (reference-based testing, for bug levels).",
    tags=("reference",),
    ids=("mortar/rbt",),
)
# v1 lets each seed question count once: in MR2 where all its versions are alike, else in MR3.
_earlier(
    "answerable-or-unknown",
    EqualOrUnknown(),
    says="Every answer is the annotated one, or unknown where the question cannot be answered.",
    ids=("mortar-v1/mr1",),
    matching=_checked(when=answerability, needs={}),
)
_earlier(
    "same-answerability",
    Consistency(),
    says="A question that can be answered in every context, or in none, gets the same answer.",
    ids=("mortar-v1/mr2",),
    matching=_by_question(when=answerability, needs={}, suits=_all_alike),
)
_earlier(
    "other-answerability",
    "inter-divergence",
    says="A question that can be answered in one context but not in another gets different answers.",
    ids=("mortar-v1/mr3",),
    matching=_by_question(when=answerability, needs={EQUIVALENT: 1, ALTERED: 1}),
)
