"""Preconditions that relations share: when a relation says nothing about a source or a follow-up.

Must not know which relation uses which.
"""

from __future__ import annotations

from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.task import TASKS
from mutatis.relations.opposite import judge_symmetric
from mutatis.text.abstention import is_refusal
from mutatis.text.sentences import sentences


def _informative(evidence: Evidence) -> bool:
    return not _says_nothing(evidence)


def _says_nothing(evidence: Evidence) -> bool:
    if evidence.response is None or evidence.response.value is None:
        return True
    return TASKS[evidence.task].uninformative(evidence.response.value)


def _entailment(evidence: Evidence) -> bool:
    return evidence.response is not None and evidence.response.value == "entailment"


def _not_neutral(evidence: Evidence) -> bool:
    value = None if evidence.response is None else evidence.response.value
    return isinstance(value, float | int) and abs(value - 0.5) > 1e-9


def _several_sentences(evidence: Evidence) -> bool:
    fields = evidence.fields or tuple(evidence.turn.fields)
    return all(len(sentences(evidence.turn.fields.get(name, ""))) >= 2 for name in fields)


def _answered(evidence: Evidence) -> bool:
    return evidence.response is not None and not is_refusal(evidence.response.text)


async def _symmetric_or_none(evidence: Evidence) -> bool:
    return _says_nothing(evidence) or await judge_symmetric(evidence)


async def _not_symmetric(evidence: Evidence) -> bool:
    return not _says_nothing(evidence) and not await judge_symmetric(evidence)


INFORMATIVE = Precondition(name="source answer says something", stage=Stage.SOURCE_OUTPUT, check=_informative)
"""Question answering: not unknown; inference: not neutral; relations: not "no relation"; sentiment: outside 0.4-0.6."""

ENTAILMENT = Precondition(name="source answer is entailment", stage=Stage.SOURCE_OUTPUT, check=_entailment)

NOT_NEUTRAL = Precondition(name="source answer is not 0.5", stage=Stage.SOURCE_OUTPUT, check=_not_neutral)

SEVERAL_SENTENCES = Precondition(name="at least two sentences", stage=Stage.SOURCE_INPUT, check=_several_sentences)

NOT_A_REFUSAL = Precondition(name="answer is no refusal", stage=Stage.FOLLOW_UP_OUTPUT, check=_answered)
"""A refusal is different from every answer, so it must not satisfy a relation that expects a difference."""

SYMMETRIC = Precondition(
    name="relation is symmetric or none", stage=Stage.SOURCE_OUTPUT, check=_symmetric_or_none, needs_helper=True
)

NOT_SYMMETRIC = Precondition(
    name="relation is not symmetric", stage=Stage.SOURCE_OUTPUT, check=_not_symmetric, needs_helper=True
)
