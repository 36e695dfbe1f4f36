"""Provides `relation(...)`, which declares and registers a metamorphic relation, for this package and its users."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mutatis.core.cases import Step
from mutatis.core.changes import Change
from mutatis.core.constraint import Precondition
from mutatis.core.errors import UsageError, refuse_class, unknown_name
from mutatis.core.relation import ATTRIBUTES, RELATIONS, MetamorphicRelation, OutputRelation
from mutatis.core.transformation import TRANSFORMATIONS, made_by
from mutatis.relations.output import OUTPUT_RELATIONS
from mutatis.relations.preconditions import NOT_A_REFUSAL

FREE, HELPER, WORDNET, EARLIER = "free", "helper", "wordnet", "earlier"
"""Tags that describe the needs of a relation, or mark it as outdated.

"free": only the system's own queries. "helper": a helper model. "wordnet": the files of WordNet, which may be missing.
"earlier": an earlier version of other relations, which would report the same findings again.
"""

CHANGE_OF: Mapping[str, Change] = {
    "robustness": "noise",
    "wording": "wording",
    "formats": "form",
    "must-move": "value",
    "memory": "conversation",
    "state": "conversation",
    "pressure": "pressure",
    "safety": "pressure",
    "fairness": "name",
}
"""The kind of change for relations that do not specify one, by tag. The first listed tag of a relation decides."""

GONE: Mapping[str, str] = {
    "measure": "give the output relation an attribute `measure`, or write output_relation=Equal(measure=...)",
    "expectation": "give the output relation an attribute `in_words`",
    "unshown": "a question whose prompt does not show the fields in `shows` is asked but not judged",
}
"""Arguments of `relation` that were removed, with advice on their replacements."""


def relation(
    name: str,
    *,
    transformations: Iterable[str | Step] = (),
    output_relation: str | OutputRelation = "equal",
    tasks: Sequence[str] = (),
    tags: Iterable[str] = (),
    **more: Any,
) -> MetamorphicRelation:
    """Declare a metamorphic relation, register it under `name` and return it.

    By default, it uses the transformation with the same name. It is tagged "free" or "helper" according to its needs.
    If it expects different answers, it also requires that the follow-up's answer is not a refusal. `more` contains the
    other attributes of `MetamorphicRelation`, such as ids, variants, preconditions, draws and summary.

    Raises:
        UsageError: a transformation, parameter or output relation is unknown, or no task is given.

    >>> loud = relation("loud", transformations=["upper-case"], tasks=["sentiment"])
    >>> loud.output_relation.name, sorted(loud.tags)
    ('equal', ['free'])
    >>> RELATIONS.remove("loud")
    """
    if isinstance(transformations, str):
        raise UsageError(f"relation {name!r}: transformations is {transformations!r}; expected a list of names")
    steps = tuple(_step(item) for item in (transformations or [name]))
    if not tasks or isinstance(tasks, str):
        raise UsageError(f"relation {name!r}: tasks is {tasks!r}; expected a list of at least one task name")
    judged_by = _output_relation(output_relation)
    preconditions = _preconditions(name, more.pop("preconditions", ()), judged_by)
    all_tags = _tags(tags, needs_helper=_needs_helper(steps, judged_by, preconditions))
    more["change"] = more.get("change") or next((change for tag, change in CHANGE_OF.items() if tag in all_tags), None)
    more.setdefault("summary", TRANSFORMATIONS[steps[0].transformation].summary)
    try:
        made = MetamorphicRelation.of(
            name=name,
            transformations=steps,
            output_relation=judged_by,
            tasks=tuple(tasks),
            preconditions=preconditions,
            tags=all_tags,
            **more,
        )
    except TypeError:  # raised for an attribute that does not exist
        raise _unknown_argument(name, next(key for key in more if key not in ATTRIBUTES)) from None
    RELATIONS.add(name, made, ids=made.published.ids)
    return made


def _preconditions(name: str, conditions: Iterable[Any], judged_by: OutputRelation) -> tuple[Precondition, ...]:
    """Return the preconditions of a relation, with the one that an expected difference adds."""
    preconditions = tuple(conditions)
    for condition in preconditions:
        if not isinstance(condition, Precondition):
            raise UsageError(
                f"relation {name!r}: preconditions contains {condition!r:.60}; expected Precondition objects"
            )
    adds = judged_by.name == "different" and NOT_A_REFUSAL not in preconditions
    return (*preconditions, NOT_A_REFUSAL) if adds else preconditions


def _unknown_argument(name: str, argument: str) -> UsageError:
    if argument in GONE:
        return UsageError(f"relation {name!r}: {argument}= was removed; {GONE[argument]}")
    return unknown_name(f"argument of relation {name!r}", argument, sorted(ATTRIBUTES))


def _needs_helper(
    steps: Sequence[Step], output_relation: OutputRelation, preconditions: Sequence[Precondition]
) -> bool:
    return (
        made_by(steps) == "language-model"
        or bool(getattr(output_relation, "needs_helper", False))
        or any(precondition.needs_helper for precondition in preconditions)
    )


def _tags(names: Iterable[str], *, needs_helper: bool) -> frozenset[str]:
    tags = frozenset(names)
    if needs_helper:
        return tags | {HELPER}
    return tags if tags & {WORDNET, EARLIER} else tags | {FREE}


def _step(item: str | Step) -> Step:
    step = Step.of(item) if isinstance(item, str) else item
    if not isinstance(step, Step):
        raise UsageError(f"transformations contains {item!r}; expected a name, or a Step with a name and parameters")
    TRANSFORMATIONS[step.transformation].complete(dict(step.parameters))  # raises UsageError for a wrong parameter
    return replace(step, transformation=TRANSFORMATIONS.resolve(step.transformation))


def _output_relation(output: str | OutputRelation) -> OutputRelation:
    if not isinstance(output, str):
        refuse_class("output relation", output)
        if missing := [name for name in ("name", "comparisons", "decide") if not hasattr(output, name)]:
            raise UsageError(
                f"output relation {output!r:.60} has no `{missing[0]}`; expected a name, such as equal or different, "
                "or an object with `name`, `comparisons` and `decide`"
            )
        return output
    if output not in OUTPUT_RELATIONS:
        raise unknown_name("output relation", output, OUTPUT_RELATIONS)
    return OUTPUT_RELATIONS[output]
