"""The relation for searches that edit texts themselves: the answer stays the same if the edits are small enough."""

from __future__ import annotations

from mutatis.extending import (
    ANNOTATED,
    AS_IT_IS,
    NO_CHANGE,
    OUTPUT_RELATIONS,
    Case,
    Constraint,
    MetamorphicRelation,
    Step,
)
from mutatis.rltest4chatbot.actions import FAMILIES
from mutatis.rltest4chatbot.edits import Validity, case_rates


def judged_turn(follow_up: Case) -> int:
    """Return the turn under attack, which is the last one that a follow-up's steps change.

    This is the first turn (0) if the steps do not name any turns.
    """
    assert follow_up.derivation is not None
    return max((turn for step in follow_up.derivation.steps for turn in step.turns or (0,)), default=0)


def small_edits(validity: Validity, *others: str) -> MetamorphicRelation:
    """Return the relation "the answer stays the same" for edits that `validity` allows, on every task.

    The relation is not registered. `others` are transformations that a search uses in addition to the six families of
    edits. Under the thesis' rule, an edit that changes nothing is valid and therefore judged.

    >>> small_edits(Validity()).name
    'small-edits'
    """

    def small_enough(source: Case, follow_up: Case) -> bool:
        return validity.broken(case_rates(source, follow_up)[judged_turn(follow_up)]) is None

    families = tuple(Step.of(name) for name in FAMILIES)
    return MetamorphicRelation.of(
        name="small-edits",
        transformations=(*families, *(Step.of(name) for name in (NO_CHANGE, *others))),
        output_relation=OUTPUT_RELATIONS["equal"],
        tasks=(),
        constraints=(Constraint(name=f"small-edit ({validity.rule}, {validity.bound:g})", check=small_enough),),
        unchanged="keep" if validity.rule == "thesis" else "invalid",
        tags=frozenset({"free", "search"}),
        summary="The answer stays the same under small edits of words and characters.",
        paper="RLTest4Chatbot (2022)",
    )


def as_annotated() -> MetamorphicRelation:
    """Return a relation with which a search finds the turns that a system answers correctly before any edit.

    The relation is not registered. Its follow-up is the source itself, so it asks no additional question.

    >>> as_annotated().name
    'as-annotated'
    """
    return MetamorphicRelation.of(
        name="as-annotated",
        transformations=(Step.of(AS_IT_IS),),
        output_relation=OUTPUT_RELATIONS["as-labelled"],
        tasks=(),
        reference="annotated",
        preconditions=(ANNOTATED,),
        unchanged="keep",
        tags=frozenset({"free", "search", "reference"}),
        summary="The answer before editing is the annotated one; some searches edit only inputs answered correctly.",
        paper="RLTest4Chatbot (2022)",
    )
