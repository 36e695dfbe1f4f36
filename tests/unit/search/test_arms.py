"""What can be pulled: relation, fields and strength, within the range that was read to be sound."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mutatis.core.cases import Case, Step, Turn
from mutatis.core.relation import RELATIONS, Grouping
from mutatis.core.search import Source
from mutatis.relations import relation  # noqa: F401 - fills the registry
from mutatis.search.arms import kind_of, pulls
from mutatis.tasks import TASKS  # noqa: F401 - fills the registry


def source(*names: str, task: str = "sentiment", text: str = "text") -> Source:
    case = Case(id="a", task=task, turns=(Turn(fields={text: "one film of many that were seen"}),))
    return Source(case=case, relations=tuple(RELATIONS[name] for name in names))


def values(made: Source, parameter: str, *strengths: float) -> list[tuple[float, object]]:
    arms = pulls(made, strengths)
    return [(arm.strength, derivation.steps[0].parameters[parameter]) for arm, derivation in arms]


def test_a_strength_is_a_share_of_the_way_from_no_change_to_the_relations_own():
    assert values(source("misspell"), "share", 0.5, 1.0) == [(1.0, 0.5), (0.5, 0.25)]
    assert values(source("contract"), "level", 0.25, 0.5, 1.0) == [(1.0, 4), (0.5, 2), (0.25, 1)]


def test_where_nothing_is_open_there_is_one_arm():
    assert [arm.strength for arm, _ in pulls(source("exclamation"), (0.5, 1.0))] == [1.0]
    fixed = replace(
        RELATIONS["misspell"], transformations=(Step(transformation="misspell", parameters={"share": 0.5}),)
    )
    assert values(replace(source(), relations=(fixed,)), "share", 0.5, 1.0) == [(1.0, 0.5)]
    one_sentence = source("random-sentence", task="question-answering", text="context")
    assert values(one_sentence, "count", 0.5, 1.0) == [(1.0, 1)]  # half of one is none, or one again


def test_no_strength_leaves_the_range_of_any_relation_that_shares_the_follow_up():
    misspell = RELATIONS["misspell"]
    strict = replace(
        misspell, name="strict", transformations=(Step(transformation="misspell", parameters={"share": 0.5}),)
    )
    assert values(replace(source(), relations=(misspell, strict)), "share", 0.5, 1.0) == [(1.0, 0.5)]


def test_versions_that_are_judged_together_are_no_arms():
    together = RELATIONS["misspell"].but(grouping=Grouping.QUESTION)
    assert list(pulls(replace(source(), relations=(together,)))) == []


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"text": "an hour of my life"}, "plain, up to 6 words"),
        ({"text": "it isn't the kind of film that one who saw it likes"}, "negated, 7 to 12 words"),
        ({"text": "two of its 9 lives"}, "number, up to 6 words"),
        ({"text": "what is my balance"}, "what, up to 6 words"),
        ({"context": "a b c", "question": "In what year did he not leave?"}, "what, 7 to 12 words"),
        ({"question": "Is it?", "context": "who"}, "yes or no, up to 6 words"),
        ({"question": "And then?"}, "other question, up to 6 words"),
        ({"text": "word " * 49}, "plain, more than 48 words"),
        ({"text": ""}, "plain, up to 6 words"),
    ],
)
def test_kinds_of_input(fields, kind):
    assert kind_of(Case(id="a", turns=(Turn(fields=fields),)), 0) == kind
