"""METAL's perturbations: put back where the meaning drifts, drawn anew where allowed, at the published strengths."""

from __future__ import annotations

from random import Random

import pytest

import mutatis.relations  # noqa: F401 - fills the registry
from mutatis.core.relation import RELATIONS
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.relations.metal import PERTURBATIONS, PERTURBATIONS_V1, STRENGTHS, WORDNET
from mutatis.transformations import metal

TEXT = "When did she buy the large garden?"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Draws that were compared; every second one is near enough."""
    draws: list[str] = []

    def cosine(text: str, changed: str) -> float:
        draws.append(changed)
        return 0.9 if len(draws) % 2 == 0 else 0.7

    monkeypatch.setattr(metal, "_cosine", cosine)
    return draws


def test_a_question_that_drifted_is_put_back(seen: list[str]) -> None:
    assert TRANSFORMATIONS["metal-typos"].apply(TEXT, Random(1), share=0.01) == TEXT
    assert len(seen) == 1


def test_it_is_drawn_anew_where_that_is_allowed(seen: list[str]) -> None:
    made = TRANSFORMATIONS["metal-typos"].apply(TEXT, Random(1), share=0.01, tries=3)
    assert made == seen[1] != seen[0]
    assert len(seen) == 2
    assert TRANSFORMATIONS["metal-typos"].apply(TEXT, Random(1), share=0.01, tries=3, least_cosine=-1.0) == seen[0]


def test_a_draw_that_changes_nothing_is_not_compared(seen: list[str]) -> None:
    assert TRANSFORMATIONS["metal-synonyms"].apply("Why?", Random(1), tries=3) == "Why?"
    assert seen == []


def test_the_relations_have_the_papers_strengths() -> None:
    for name, (by, parameters) in STRENGTHS.items():
        [step] = RELATIONS[name].transformations
        assert (step.transformation, dict(step.parameters)) == (by, dict(parameters))
        TRANSFORMATIONS[by].complete(dict(parameters))
    tagged = {
        tag: {name for name in STRENGTHS if tag in RELATIONS[name].tags} for tag in ("metal", "metal-v1", "wordnet")
    }
    assert tagged == {"metal": set(PERTURBATIONS), "metal-v1": set(PERTURBATIONS_V1), "wordnet": set(WORDNET)}
    letters = [name for name in PERTURBATIONS if name in ("metal-typos", "metal-leet")]
    for name in letters:  # one letter: the least there is
        made = TRANSFORMATIONS[STRENGTHS[name][0]].apply(TEXT, Random(1), share=0.01, least_cosine=-1.0)
        assert sum(a != b for a, b in zip(TEXT, made, strict=True)) == 1
