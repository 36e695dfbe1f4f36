"""Fixed words are checked where a user hands them over; the exact text of an enumeration's member is the member."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import mutatis
from mutatis.core.cases import Case, Step, Turn
from mutatis.core.constraint import Precondition, Stage
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.relation import Grouping, MetamorphicRelation
from mutatis.core.system import Finish, Response
from mutatis.core.task import Task
from mutatis.core.transformation import TRANSFORMATIONS, transformation
from mutatis.relations.output import Equal


def precondition(stage: Any, holds: bool = True) -> Precondition:
    return Precondition(name="fits", stage=stage, check=lambda _: holds)


def made(**words: Any) -> MetamorphicRelation:
    steps = (Step(transformation="upper-case"),)
    return MetamorphicRelation.of(
        name="mine", transformations=steps, output_relation=Equal(), tasks=("sentiment",), summary="x", **words
    )


def task(kind: Any) -> Task:
    return Task(
        name="mine",
        fields=("text",),
        kind=kind,
        variants=(("text",),),
        converse=lambda *_: None,  # type: ignore[arg-type,return-value]
        parse=lambda *_: None,
        uninformative=lambda _: False,
    )


def test_the_text_of_a_member_is_the_member() -> None:
    assert precondition("source input").stage is Stage.SOURCE_INPUT
    assert precondition(Stage.FOLLOW_UP_OUTPUT).stage is Stage.FOLLOW_UP_OUTPUT
    assert made(grouping="question").matching.grouping is Grouping.QUESTION
    assert Decision(outcome="violated").outcome is Outcome.VIOLATED  # type: ignore[arg-type]
    assert Response(text="", finish="length").finish is Finish.LENGTH  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("construct", "says"),
    [
        (lambda: precondition("source-input"), "'fits': stage is 'source-input'; .*did you mean 'source input'"),
        (lambda: precondition(3), "stage is 3; expected one of: source input, source output, follow-up input"),
        (lambda: made(grouping="pairs"), "'mine': grouping is 'pairs'; .*did you mean 'pair'"),
        (lambda: made(reference="annotation"), "reference is 'annotation'; .*did you mean 'annotated'"),
        (lambda: made(unchanged="kept"), "unchanged is 'kept'; .*did you mean 'keep'"),
        (lambda: made(turns="every"), "turns is 'every'; expected one of: all, each"),
        (lambda: made(turns=["all"]), "turns is .'all'.; expected one of: all, each"),
        (lambda: Decision(outcome="violates"), "outcome is 'violates'; .*did you mean 'violated'"),  # type: ignore[arg-type]
        (lambda: Response(text="", finish="stopped"), "finish is 'stopped'; .*did you mean 'stop'"),  # type: ignore[arg-type]
        (lambda: task("labels"), "task 'mine': kind is 'labels'; .*did you mean 'label'"),
        (lambda: transformation("mine", level="texts"), "'mine': level is 'texts'; .*did you mean 'text'"),  # type: ignore[arg-type]
    ],
)
def test_another_word_is_told_with_the_nearest(construct: Callable[[], object], says: str) -> None:
    with pytest.raises((UsageError, SystemFailure), match=says):
        construct()
    assert "mine" not in TRANSFORMATIONS


def test_a_stage_given_as_text_makes_verdicts_invalid() -> None:
    """It was never looked at: follow-ups counted as satisfied."""
    relation = made(preconditions=(precondition("source input", holds=False),))
    case = Case(id="a/1", turns=(Turn(fields={"text": "a dull film"}),))
    run = mutatis.run(
        lambda text: "0.5", [case], [relation], task="sentiment", settings={"noise_floor": 0, "confirm": 0}
    )
    [row] = run.summary
    assert (row.invalid, row.satisfied) == (1, 0)
