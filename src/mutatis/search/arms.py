"""The arms of a search, and the kinds of inputs that it distinguishes.

An arm is one way to make follow-ups: a relation with its fields and strength.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mutatis.core.cases import Case, Derivation, Step
from mutatis.core.relation import Grouping
from mutatis.core.search import Source
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.search.once import judged_derivations
from mutatis.search.sweep import unchanged_value

STRENGTHS = (0.5, 1.0)
"""Strengths to try, as shares of a transformation's default strength. Strength 0 would change nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """An arm of a search: one way to make follow-ups, which applies to any source of a task."""

    task: str
    relation: str
    transformations: tuple[str, ...]
    variant: tuple[str, ...]
    strength: float = 1.0


def pulls(source: Source, strengths: Sequence[float] = (1.0,)) -> Iterator[tuple[Arm, Derivation]]:
    """Yield every follow-up of a source that is judged on its own, with its arm (relation, fields and strength).

    The default strength is the maximum, because the soundness of follow-ups was checked at that strength. At a smaller
    strength, only some of the same edits are made. A transformation has only one arm if it has no strength or the
    relation fixes it.
    """
    yielded: set[str] = set()
    for at_full_strength in judged_derivations(source):
        if is_judged_together(source, at_full_strength):
            continue
        for strength in sorted(set(strengths), reverse=True):
            derivation = at_full_strength if strength == 1.0 else weakened(source, at_full_strength, strength)
            if derivation is None:
                continue
            name = derivation.digest()
            if name not in yielded:  # two strengths of a whole number may be rounded to the same
                yielded.add(name)
                yield arm_of(source, derivation, strength), derivation


def arm_of(source: Source, derivation: Derivation, strength: float = 1.0) -> Arm:
    """Return the arm of a follow-up.

    If several of the source's relations judge the follow-up, the first one determines the arm.
    """
    return Arm(
        task=source.task,
        relation=next((relation.name for relation in source.relations if relation.accepts(derivation.steps)), ""),
        transformations=tuple(step.transformation for step in derivation.steps),
        variant=derivation.variant,
        strength=strength,
    )


def is_judged_together(source: Source, derivation: Derivation) -> bool:
    """Return True if a follow-up is one of several versions of a question that are judged together."""
    return any(
        relation.matching.grouping is Grouping.QUESTION and relation.accepts(derivation.steps)
        for relation in source.relations
    )


def weakened(source: Source, derivation: Derivation, strength: float) -> Derivation | None:
    """Return a weaker version of a follow-up, at a share of its strength.

    Return None if it has no strength, or if a relation would no longer judge it.
    """
    steps = tuple(_weakened(step, strength) for step in derivation.steps)
    if steps == derivation.steps:
        return None
    judges = [relation for relation in source.relations if relation.accepts(derivation.steps)]
    return replace(derivation, steps=steps) if all(relation.accepts(steps) for relation in judges) else None


def _weakened(step: Step, strength: float) -> Step:
    name = _strength_of(step.transformation)
    if name is None:
        return step
    value, unchanged = step.parameters[name], unchanged_value(step.transformation, name)
    weaker = unchanged + strength * (value - unchanged)
    if isinstance(value, int):
        weaker = round(weaker)
    if weaker in (value, unchanged):
        return step
    return replace(step, parameters={**step.parameters, name: weaker})


@lru_cache(maxsize=1024)
def _strength_of(transformation: str) -> str | None:
    """Return the name of the parameter that sets a transformation's strength, or None.

    It is the only numeric parameter with a lower bound. If there are several, the strength cannot be set.
    """
    if transformation not in TRANSFORMATIONS:
        return None
    bounded = [p for p in TRANSFORMATIONS[transformation].parameters if p.type in (int, float) and p.low is not None]
    return bounded[0].name if len(bounded) == 1 else None


_HOW_MANY = "how (?:many|much|long|far|old|often|big|tall|high)"
_ASKS = ("why", "how", "when", "where", "which", "who", "what")
_ORDERS = r"\A\W*(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should)\b"
_QUESTION = re.compile(rf"\?|\A\W*(?:{'|'.join(_ASKS)})\b|{_ORDERS}", re.IGNORECASE)
_FORMS = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("how many", rf"\b{_HOW_MANY}\b"),
        *((word, rf"\b{word}\b") for word in _ASKS),
        ("yes or no", _ORDERS),
        ("other question", r""),
    )
)
_STATEMENTS = (
    ("negated", re.compile(r"\b(?:not|no|never|nothing|nobody|without|neither|nor)\b|n['\u2019]t\b", re.IGNORECASE)),
    ("number", re.compile(r"\d")),
    ("plain", re.compile(r"")),
)
_LENGTHS = ((6, "up to 6 words"), (12, "7 to 12 words"), (24, "13 to 24 words"), (48, "25 to 48 words"))
"""The classes of length, each with its upper bound."""


def kind_of(case: Case, turn: int) -> str:
    """Return the kind of input that a turn is, judging only by the form and length of its text.

    Inputs of different kinds are likely to be answered in different ways. A hundred findings of one relation on inputs
    of one kind may be a single fault.

    >>> from mutatis.core.cases import Turn
    >>> asked = Case(id="1", turns=(Turn(fields={"context": "...", "question": "How many goals did she not score?"}),))
    >>> kind_of(asked, 0), kind_of(Case(id="2", turns=(Turn(fields={"text": "I do not like it"}),)), 0)
    ('how many, 7 to 12 words', 'negated, up to 6 words')
    """
    fields = case.turns[turn].fields
    text = fields.get("question") or max(fields.values(), key=len, default="")
    form = next(name for name, pattern in (_FORMS if _QUESTION.search(text) else _STATEMENTS) if pattern.search(text))
    words = len(text.split())
    return f"{form}, {next((length for bound, length in _LENGTHS if words <= bound), 'more than 48 words')}"
