"""Registers relations: the table's relations, one row each with all its parts, and users' relations.

The rows themselves are in the other modules of this package, one per purpose. Users declare a relation with
`relation(...)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import mutatis.tasks  # noqa: F401 - registers the tasks whose fields the rows edit
import mutatis.transformations  # noqa: F401 - registers what the rows name
from mutatis.core.cases import Step, Turn
from mutatis.core.constraint import Precondition
from mutatis.core.errors import UsageError, check_known, refuse_class, unknown_name
from mutatis.core.relation import ATTRIBUTES, RELATIONS, Change, Grouping, Matching, MetamorphicRelation, OutputRelation
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.relations.output import OUTPUT_RELATIONS
from mutatis.relations.preconditions import NOT_A_REFUSAL
from mutatis.relations.soundness import standing
from mutatis.transformations.conversation import JUDGED

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
    named, judged_by = frozenset(tags), _output_relation(output_relation)
    preconditions = _preconditions(name, more.pop("preconditions", ()), judged_by)
    more["change"] = more.get("change") or next((change for tag, change in CHANGE_OF.items() if tag in named), None)
    more["summary"] = more.get("summary") or TRANSFORMATIONS[steps[0].transformation].summary
    try:
        made = MetamorphicRelation.of(
            name=name,
            transformations=steps,
            output_relation=judged_by,
            tasks=tuple(tasks),
            preconditions=preconditions,
            **more,
        )
    except TypeError:  # raised for an attribute that does not exist
        raise _unknown_argument(name, next(key for key in more if key not in ATTRIBUTES)) from None
    made = made.but(tags=_tags(made, named))
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


def _tags(made: MetamorphicRelation, tags: frozenset[str]) -> frozenset[str]:
    """Return the tags of a relation, with the one that describes its needs."""
    if made.needs_helper:
        return tags | {HELPER}
    return tags if tags & {WORDNET, EARLIER} else tags | {FREE}


def _step(item: str | Step) -> Step:
    """Return a step with the current name of its transformation, after its parameters are checked."""
    step = Step.of(item) if isinstance(item, str) else item
    if not isinstance(step, Step):
        raise UsageError(f"transformations contains {item!r}; expected a name, or a Step with a name and parameters")
    TRANSFORMATIONS[step.transformation].complete(dict(step.parameters))  # raises UsageError for a wrong parameter
    return replace(step, transformation=TRANSFORMATIONS.resolve(step.transformation))


def _output_relation(output: str | OutputRelation) -> OutputRelation:
    """Return an output relation by its name, or the object itself if it has the parts of one."""
    if not isinstance(output, str):
        refuse_class("output relation", output)
        if missing := [name for name in ("name", "comparisons", "decide") if not hasattr(output, name)]:
            raise UsageError(
                f"output relation {output!r:.60} has no `{missing[0]}`; expected a name, such as equal or different, "
                "or an object with `name`, `comparisons` and `decide`"
            )
        return output
    check_known("output relation", [output], OUTPUT_RELATIONS)
    return OUTPUT_RELATIONS[output]


PAIRWISE = "pairwise-judge"
GRADED = (PAIRWISE, "rubric-score")
GROUPS: Mapping[str, str] = {
    "qa": "question-answering",
    "nli": "inference",
    "sa": "sentiment",
    "re": "relation-extraction",
    "llmorph": "qa, nli, sa, re",
    "talk": "dialogue, chat",
    "texts": "llmorph, classification, talk, retrieval-qa",
    "asked": "qa, talk",
    "spoken": "qa, talk, classification, retrieval-qa",
    "short": "sa, classification, nli, qa, retrieval-qa, talk",
    "graded": ", ".join(GRADED),
    "reasoned": "word-problem, multiple-choice",
}
"""Names for groups of tasks in rows, and short names for tasks.

LLMorph has no relations for classification, dialogues, chat and retrieval. Relations that keep a text's meaning also
make sense there, applied to one turn of a dialogue at a time.
"""


def tasks_in(names: str) -> tuple[str, ...]:
    """Return the tasks with these names, which may include names of groups.

    >>> tasks_in("nli, talk")
    ('inference', 'dialogue', 'chat')
    """
    tasks = (tasks_in(GROUPS[name]) if name in GROUPS else [name] for name in names.split(", "))
    return tuple(chain.from_iterable(tasks))


TOGETHER = "context question, premise hypothesis, text head tail"
"""All fields of a task that has several, to be edited together."""


def marked_by(note: str, **more: Any) -> Matching:
    """Return a matching that judges only the turns with a certain annotation, as the follow-ups of their sources."""
    return Matching(when=lambda turn: "follow-up" if turn.annotations.get(note) else None, **more)


WANTED = marked_by(JUDGED)
"""Matching for relations whose edits insert turns or mark the turn to judge."""


def grouped_by(note: str, *roles: str, key: str = "") -> Matching:
    """Return a `Matching` that judges all follow-ups of a question as one group.

    Each turn's role in the group is its annotation `note`, or the entry `key` of this annotation.
    """

    def role(turn: Turn) -> str | None:
        annotation = turn.annotations.get(note)
        return annotation[key] if annotation and key else annotation

    return Matching(grouping=Grouping.QUESTION, when=role, needs=dict.fromkeys(roles, 1))


def row(
    name: str,
    holds: str | OutputRelation = "equal",
    tasks: str = "",
    fields: str = "",
    only_if: tuple[Precondition, ...] = (),
    by: str | Step | tuple[str | Step, ...] = (),
    *,
    purpose: str = "",
    tags: tuple[str, ...] = (),
    **more: Any,
) -> MetamorphicRelation:
    """Register one relation of the table, with the tags that it gets based on how its follow-ups were judged.

    Its output relation can then be used by name, too.

    Args:
        name: readable slug.
        holds: the condition on the answers: an output relation, or its name.
        tasks: the tasks that it makes sense for, such as "nli, talk"; a name may stand for a group.
        fields: the fields to edit, such as "question, hypothesis"; fields that are edited together have no comma
            between them ("head tail"). Each task takes the fields that it has, or its own combinations if it has no
            such field.
        only_if: the preconditions that an input must meet.
        by: the edits that make its follow-ups; by default the edit of the same name.
        purpose: the default set that includes it if enough of its follow-ups were judged sound (`relations.soundness`).
        tags: names for `tag:NAME`, in addition to purpose and cost.
        more: `says`, a sentence that describes it for people, by default the edit's; `enough`, how many follow-ups must
            have been read before the default set includes it; and other attributes of `MetamorphicRelation` and its
            parts, where `turns` is "each" by default, and `change` is derived from the tags.
    """
    if not isinstance(holds, str):
        OUTPUT_RELATIONS.setdefault(holds.name, holds)
    its_tasks, summary = tasks_in(tasks), more.pop("says", "")
    earned = standing(name, its_tasks, purpose, noise="noise" in tags, enough=more.pop("enough", 0))
    return relation(
        name,
        transformations=by if isinstance(by, tuple) else (by,),
        output_relation=holds,
        tasks=its_tasks,
        tags={*tags, *earned},
        variants=_variants(its_tasks, fields),
        preconditions=only_if,
        summary=summary,
        **{"turns": "each", **more},
    )


def _variants(tasks: Iterable[str], fields: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the combinations of fields that a row edits, for each of its tasks that has these fields.

    Raises:
        UsageError: no task has a field of this name.
    """
    combinations = [tuple(names.split()) for names in fields.split(",") if names]
    check_known("field in a row:", chain(*combinations), {name for task in TASKS for name in TASKS[task].fields})
    fitting = {task: tuple(names for names in combinations if {*names} <= {*TASKS[task].fields}) for task in tasks}
    return {task: variants for task, variants in fitting.items() if variants}
