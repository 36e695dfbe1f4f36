"""The table of relations of other work: sources, and that none judges the follow-ups of another by mistake."""

from __future__ import annotations

from itertools import permutations

import pytest

import mutatis.tasks  # noqa: F401
from mutatis.core.cases import Step
from mutatis.core.relation import RELATIONS, MetamorphicRelation
from mutatis.core.task import TASKS
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.testing import check_relation

NAMES = [name for name in RELATIONS if "literature" in RELATIONS[name].tags and not name.startswith("say-")]


def whole(relation: MetamorphicRelation) -> Step:
    """Return the step of a relation's follow-ups as a run writes it down: with every parameter."""
    [step] = relation.transformations
    chosen = TRANSFORMATIONS[step.transformation]
    return Step(transformation=chosen.name, parameters=chosen.complete(dict(step.parameters)))


@pytest.mark.parametrize("name", NAMES)
def test_each_names_its_source_and_is_made_by_a_function(name: str) -> None:
    relation = RELATIONS[name]
    assert relation.published.paper
    assert relation.made_by == "function"
    assert {"literature", "ours", "free"} <= relation.tags
    check_relation(name)


def test_what_must_hold_is_told_in_words() -> None:
    assert RELATIONS["deny-hypothesis"].says == "said to be false: the answer becomes the inverse"
    assert RELATIONS["add-blame"].says == "a sentence of blame appended: the score does not rise"
    assert RELATIONS["irrelevant-passages"].says.startswith("text about something else added: ")
    assert all(": " in RELATIONS[name].says for name in NAMES)


def test_there_are_no_two_of_one_name() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert len([name for name in RELATIONS if "literature" in RELATIONS[name].tags]) >= 70


def test_none_judges_what_another_made_with_other_parameters() -> None:
    """ "It is false that ..." must not be judged by the relation that expects the same of "It is true that ..."."""
    for first, second in permutations((RELATIONS[name] for name in NAMES), 2):
        made = whole(first)
        if second.accepts([made]) and set(first.tasks) & set(second.tasks):
            assert made == whole(second), (first.name, second.name)


def test_variants_are_fields_of_the_task() -> None:
    for name in NAMES:
        for task, variants in RELATIONS[name].edits.variants.items():
            assert all(set(variant) <= set(TASKS[task].fields) for variant in variants)
