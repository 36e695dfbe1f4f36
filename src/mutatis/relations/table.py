"""Defines a row of the table of relations: one relation with all its parts.

The rows themselves are in the other modules of this package, one per purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.core.cases import Step, Turn
from mutatis.core.changes import Change
from mutatis.core.constraint import Precondition
from mutatis.core.relation import Grouping, Limits, Matching, OutputRelation, Published, Reference, Turns
from mutatis.relations.define import relation
from mutatis.relations.soundness import standing
from mutatis.transformations.interruptions import JUDGED

QA, NLI, SA, RE = "question-answering", "inference", "sentiment", "relation-extraction"
CLASSIFICATION, MODERATION, EXTRACTION = "classification", "moderation", "extraction"
DIALOGUE, CHAT, RETRIEVAL = "dialogue", "chat", "retrieval-qa"
STATES, TOOL_CALL = "dialogue-state", "tool-call"
GRADED = PAIRWISE, RUBRIC = "pairwise-judge", "rubric-score"
REASONED = PROBLEM, CHOICE = "word-problem", "multiple-choice"
ALL = (QA, NLI, SA, RE)
EVERY = (*ALL, CLASSIFICATION)
TALK = (DIALOGUE, CHAT)
TEXTS = (*EVERY, *TALK, RETRIEVAL)
ASKED, SPOKEN = (QA, *TALK), (QA, *TALK, CLASSIFICATION, RETRIEVAL)
SHORT = (SA, CLASSIFICATION, NLI, QA, RETRIEVAL, *TALK)
"""Groups of tasks to which relations apply.

LLMorph has no relations for classification, dialogues, chat and retrieval. Relations that keep a text's meaning also
make sense there, applied to one turn of a dialogue at a time.
"""

Fields = tuple[tuple[str, ...], ...]
QUESTION: Mapping[str, Fields] = {QA: (("question",),), RETRIEVAL: (("question",),)}
CONTEXT: Mapping[str, Fields] = {QA: (("context",),), RE: (("text",),)}
PASSAGES: Mapping[str, Fields] = {RETRIEVAL: (("passages",),)}
PREMISE: Mapping[str, Fields] = {NLI: (("premise",),)}
HYPOTHESIS: Mapping[str, Fields] = {NLI: (("hypothesis",),)}
ENTITIES: Mapping[str, Fields] = {RE: (("head", "tail"),)}
FIRST_FIELD: Mapping[str, Fields] = {QA: (("context",),), **PREMISE}
ASKED_OR_SAID: Mapping[str, Fields] = {**QUESTION, **HYPOTHESIS}
TOGETHER: Mapping[str, Fields] = {
    QA: (("context", "question"),),
    NLI: (("premise", "hypothesis"),),
    RE: (("text", "head", "tail"),),
}
"""Fields to edit, by task. Fields that are listed together are edited together."""

EQ, NE, STRONGER = "equal", "different", "stronger"
NOT_INVERSE, KNOWN, ABSTAINS = "not-inverse", "known-answer", "abstains"


def marked_by(note: str, **more: Any) -> Matching:
    """Return a matching that judges only the turns with a certain annotation, as the follow-ups of their sources."""
    return Matching(when=lambda turn: "follow-up" if turn.annotations.get(note) else None, **more)


WANTED = marked_by(JUDGED)
"""Matching for relations whose edits insert turns or mark the turn to judge."""


def grouped_by(note: str, *roles: str, key: str = "") -> Matching:
    """Return a `Matching` by which all follow-ups of a question are judged as one group.

    Each turn's role in the group is its annotation `note`, or the entry `key` of this annotation.
    """

    def role(turn: Turn) -> str | None:
        annotation = turn.annotations.get(note)
        return annotation[key] if annotation and key else annotation

    return Matching(grouping=Grouping.QUESTION, when=role, needs=dict.fromkeys(roles, 1))


@dataclass(frozen=True, slots=True)
class Row:
    """One relation of the table.

    Attributes:
        name: readable slug.
        holds: the condition on the answers: an output relation, or its name.
        tasks: names of the tasks for which it makes sense.
        fields: the fields that are edited, per task; entries for tasks outside `tasks` are ignored.
        only_if: the preconditions that an input must meet.
        by: the edits that make its follow-ups; by default the edit of the same name.
        says: a one-sentence description for people; by default the edit's.
        purpose: the default set that includes it if enough of its follow-ups were judged sound (`relations.soundness`).
        enough: how many follow-ups must have been read before the default set includes it.
        change: the kind of change that its follow-ups make; by default derived from its tags.
        tags: names for `tag:NAME`, in addition to purpose and cost.
        ids, paper: where it was published.
        turns, draws, limits, matching, reference: as in `MetamorphicRelation` and its parts.
    """

    name: str
    holds: str | OutputRelation = EQ
    tasks: tuple[str, ...] = ()
    fields: Mapping[str, Fields] = field(default_factory=dict)
    only_if: tuple[Precondition, ...] = ()
    by: str | Step | tuple[str | Step, ...] = ()
    _: KW_ONLY
    says: str = ""
    purpose: str = ""
    enough: int = 0
    change: Change | None = None
    tags: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    paper: str = ""
    turns: Turns = "each"
    draws: int = 1
    limits: Limits = field(default_factory=Limits)
    matching: Matching = field(default_factory=Matching)
    reference: Reference = "source"


def register(*rows: Row | Iterable[Row]) -> None:
    """Register each row as a relation, with the tags that it gets based on how its follow-ups were judged."""
    for row in rows:
        if isinstance(row, Row):
            _register(row)
        else:
            register(*row)


def _register(row: Row) -> None:
    earned = standing(row.name, row.tasks, row.purpose, noise="noise" in row.tags, enough=row.enough)
    summary: dict[str, Any] = {"summary": row.says} if row.says else {}
    relation(
        row.name,
        transformations=row.by if isinstance(row.by, tuple) else (row.by,),
        output_relation=row.holds,
        tasks=row.tasks,
        tags={*row.tags, *earned},
        variants={task: fields for task, fields in row.fields.items() if task in row.tasks},
        preconditions=row.only_if,
        turns=row.turns,
        draws=row.draws,
        limits=row.limits,
        matching=row.matching,
        reference=row.reference,
        change=row.change,
        published=Published(ids=row.ids, paper=row.paper),
        **summary,
    )
