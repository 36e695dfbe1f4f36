"""Checks a relation: its names exist, its follow-ups are accepted, and every kind of answer gets a verdict."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any

from mutatis.campaign.judging import grouped
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.constraint import Evidence, Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import SystemFailure, UnusableFollowUp, UsageError
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import RELATIONS, Group, Grouping, MetamorphicRelation, Observation
from mutatis.core.search import Source
from mutatis.core.system import Response
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS, derive
from mutatis.core.verdict import Verdict
from mutatis.doubles import ScriptedHelper
from mutatis.loops import to_the_end
from mutatis.search import derivations

TEXT = "Ada saw the old bridge of Rome in 1921. It was a good day, and she isn't sorry; wasn't it?"
ANSWERS: dict[str, tuple[tuple[Any, Any], ...]] = {
    "text": (("yes", "no"), ("in Rome", "in Rome"), ("unknown", "1921"), ("", "")),
    "label": (("entailment", "contradiction"), ("neutral", "neutral"), ("spam", "no spam")),
    "number": ((0.9, 0.2), (0.1, 0.1), (0.5, 1.0)),
    "set": ((frozenset({"a"}), frozenset({"a", "b"})), (frozenset(), frozenset())),
    "calls": (([{"name": "f", "arguments": {"city": "Rome"}}], [{"name": "f", "arguments": {}}]), ([], [])),
    "data": (({"city": "Rome", "days": 2}, {"city": "Oslo", "days": 2}), ({}, {})),
    "state": (({"city": "Rome"}, {"city": "Oslo"}), ({}, {})),
}
"""Pairs of answers, to a source and its follow-up, for each kind of answer that a task may have."""


class _Fixed:
    """A measure that gives every pair of answers the same score."""

    name = "fixed"

    def __init__(self, score: float) -> None:
        self.score = score

    def compare(self, comparisons: Sequence[Any]) -> list[Similarity]:
        return [Similarity(score=self.score)] * len(comparisons)


def check_relation(relation: str | MetamorphicRelation) -> None:
    """Check that a registered relation uses existing names and variants, and judges every kind of answer.

    The check makes real follow-ups, because an output relation may read the parameters of every step from
    `member.case.derivation`. If a follow-up cannot be made here, a copy of the source with its derivation takes its
    place.

    >>> check_relation("add-spaces")
    """
    chosen = RELATIONS[relation] if isinstance(relation, str) else relation
    assert chosen.tasks, f"{chosen.name}: it names no task"
    assert chosen.transformations, f"{chosen.name}: it names no transformation"
    assert chosen.summary, f"{chosen.name}: it has no summary"
    assert set(chosen.edits.variants) <= set(chosen.tasks), f"{chosen.name}: variants for a task it does not name"
    for step in chosen.transformations:
        TRANSFORMATIONS[step.transformation].complete(dict(step.parameters))
    for task in chosen.tasks:
        fields = set(TASKS[task].fields)
        # The fields of a classification are the data's.
        for variant in chosen.edits.variants.get(task, ()) if task != "classification" else ():
            assert set(variant) <= fields, f"{chosen.name}: {task} has no fields {sorted(set(variant) - fields)}"
    names = [p.name for p in chosen.preconditions]
    assert len(names) == len(set(names)), f"{chosen.name}: two preconditions have one name"
    for task in chosen.tasks:
        source = _source(chosen, task)
        follow_ups = _follow_ups(chosen, source)
        _check_conditions(chosen, source.case, follow_ups)
        _check_verdicts(chosen, source.case, follow_ups)


def _source(chosen: MetamorphicRelation, task: str) -> Source:
    """Return a source case for a task. The case is a dialogue if the relation reorders turns."""
    fields = {**dict.fromkeys(TASKS[task].fields, TEXT), **{"head": "Ada", "tail": "Rome"}}
    fields = {name: fields[name] for name in TASKS[task].fields}
    levels = {TRANSFORMATIONS[step.transformation].level for step in chosen.transformations}
    rounds = 4 if "dialogue" in levels else 1
    expected = ("in Rome",) if chosen.reference == "annotated" else ()
    turns = tuple(Turn(fields=fields, expected=expected) for _ in range(rounds))
    return Source(case=Case(id="check/0", task=task, turns=turns), relations=(chosen,))


def _follow_ups(chosen: MetamorphicRelation, source: Source) -> list[Case]:
    made = []
    for derivation in derivations(source, draws=1):
        steps = ", ".join(step.transformation for step in derivation.steps)
        assert chosen.accepts(derivation.steps), f"{chosen.name}: it does not accept its own follow-ups by {steps}"
        made.append(_follow_up(source.case, derivation))
    return made


def _follow_up(case: Case, derivation: Derivation) -> Case:
    try:
        return to_the_end(derive(case, derivation, seed=5, helper=ScriptedHelper('{"text": "Some other words."}')))
    except (UnusableFollowUp, SystemFailure, UsageError):  # a model's answer, or a download, that is not there
        origin = tuple(range(len(case.turns)))
        return replace(case, id=f"{case.id}~check", derivation=replace(derivation, origin=origin))


def _check_conditions(chosen: MetamorphicRelation, source: Case, follow_ups: Sequence[Case]) -> None:
    """Check that preconditions and constraints return a bool. Preconditions that ask a language model are skipped."""
    for condition in chosen.preconditions:
        what = f"{chosen.name}: its precondition {condition.name!r}"
        for case in follow_ups if not condition.needs_helper else ():
            for evidence in _evidence(condition.stage, source, case):
                met: Any = condition.check(evidence)
                if inspect.isawaitable(met):
                    met = to_the_end(_awaited(met))
                assert isinstance(met, bool), f"{what} returned {met!r}, expected True or False"
    for constraint in chosen.limits.constraints:
        what = f"{chosen.name}: its constraint {constraint.name!r}"
        for case in follow_ups:
            met = constraint.check(source, case)
            assert isinstance(met, bool), f"{what} returned {met!r}, expected True or False"


def _evidence(stage: Stage, source: Case, follow_up: Case) -> Iterator[Evidence]:
    """Yield what a precondition sees at a stage: the source or the follow-up, at an output stage with each answer."""
    case = source if stage in (Stage.SOURCE_INPUT, Stage.SOURCE_OUTPUT) else follow_up
    derivation = follow_up.derivation
    assert derivation is not None
    responses: Sequence[Response | None] = _answers(source.task) if stage.endswith("output") else [None]
    for response in responses:
        yield Evidence(
            task=source.task,
            case=case,
            turn=case.turns[0],
            fields=derivation.variant,
            steps=derivation.steps,
            response=response,
        )


async def _awaited(awaitable: Any) -> Any:
    return await awaitable


def _response(answer: Any) -> Response:
    text = answer if isinstance(answer, str) else json.dumps(answer, default=sorted)
    return Response(text=text, value=answer)


def _answers(task: str) -> list[Response]:
    return [_response(answer) for pair in ANSWERS[TASKS[task].kind] for answer in pair]


def _check_verdicts(chosen: MetamorphicRelation, source: Case, follow_ups: Sequence[Case]) -> None:
    for before, after in ANSWERS[TASKS[source.task].kind]:
        for cases, roles in _member_cases(chosen, follow_ups):
            members = tuple(
                Observation(case=case, turn=0, response=_response(after), role=role)
                for case, role in zip(cases, roles, strict=True)
            )
            turn = members[0].case.origin(0)
            asked = Observation(case=source, turn=turn, response=_response(before))
            verdict = Verdict(system="check", relation=chosen, source=source, turn=turn)
            group = grouped(verdict, asked, members).group
            assert group is not None
            _check_decisions(chosen, group, f"{chosen.name}: its output relation on {(before, after)}")


def _member_cases(
    chosen: MetamorphicRelation, follow_ups: Sequence[Case]
) -> list[tuple[Sequence[Case], Sequence[str]]]:
    """Return the groups of cases to judge, each with the roles of its cases.

    For a relation on pairs, each follow-up forms a group. For any other relation, a single group contains every role.
    """
    if chosen.matching.grouping is Grouping.PAIR:
        return [([case], [chosen.matching.when(case.turns[0]) or "follow-up"]) for case in follow_ups]
    roles = [role for role, least in chosen.matching.needs.items() for _ in range(max(1, least))] or ["follow-up"]
    return [(list(islice(cycle(follow_ups), len(roles))), roles)]


def _check_decisions(chosen: MetamorphicRelation, group: Group, what: str) -> None:
    relation = chosen.output_relation
    comparisons = relation.comparisons(group)
    assert list(relation.comparisons(group)) == list(comparisons), (
        f"{what} asks for different comparisons the second time"
    )
    for score in (0.0, 0.5, 1.0):
        measure = _Fixed(score)
        judge = Judge(measure=measure)
        decision = relation.decide(group, measure.compare(comparisons), judge)
        assert isinstance(decision, Decision), f"{what} returned a {type(decision).__name__}, expected a Decision"
        again = relation.decide(group, measure.compare(comparisons), judge)
        assert again == decision, f"{what} decides differently the second time"
        assert decision.outcome is not Outcome.VIOLATED or decision.reason, f"{what} gave no reason"
        worst = all(0 <= i < len(group.members) for i in (*decision.worst, *decision.violating))
        assert worst, f"{what} names a missing member"
