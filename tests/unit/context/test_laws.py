"""The sanity law: in the seed's own order every context is equivalent, on any dialogue, with any extractor."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mutatis.context import ContextCheck

WORDS = st.sampled_from(
    ["he", "she", "it", "they", "that", "the", "this", "why", "what", "else", "who", "Nora", "tower"]
)
SENTENCE = st.one_of(st.lists(WORDS, max_size=9).map(" ".join), st.text(max_size=30))
NAMES = st.sampled_from(["Nora", "tower", "Tower ", "storm", "Board", "she"])
DIALOGUE = st.lists(st.tuples(SENTENCE, SENTENCE, SENTENCE), min_size=1, max_size=8)
MATERIAL = st.dictionaries(st.sampled_from(["title", "section", "story"]), SENTENCE)
OPTIONS = st.fixed_dictionaries(
    {
        "dataset_check": st.sampled_from(["papers", "salient", "off"]),
        "undecided": st.sampled_from(["leave-out", "equivalent"]),
        "adjacency_veto": st.booleans(),
    }
)
LAW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def all_equivalent(check, seed, follow_up, helper=None):
    notes = asyncio.run(check.annotate(seed, follow_up, helper))
    return {turn["context"] for turn in notes} == {"equivalent"}


@pytest.mark.parametrize("name", ["offline", "gold"])
@LAW
@given(rows=DIALOGUE, material=MATERIAL, options=OPTIONS)
def test_identity_is_equivalent_everywhere(cases, name, rows, material, options):
    questions, answers, rewrites = zip(*rows, strict=True)
    seed = cases.dialogue_case(questions, answers, [text or "x" for text in rewrites], material)
    check = ContextCheck(extractor=name, **options)
    assert all_equivalent(check, seed, cases.reordered(seed, range(len(rows))))
    assert all_equivalent(check, seed, seed)


USE = st.fixed_dictionaries(
    {
        "explicit": st.lists(NAMES, max_size=2),
        "question": st.lists(NAMES, max_size=3),
        "answer": st.lists(NAMES, max_size=2),
        "question_relations": st.lists(st.lists(NAMES, min_size=2, max_size=2), max_size=2),
    }
)


@LAW
@given(data=st.data(), rows=DIALOGUE, material=MATERIAL, options=OPTIONS)
def test_identity_is_equivalent_with_a_language_model(cases, helpers, data, rows, material, options):
    uses = data.draw(st.lists(USE, min_size=len(rows), max_size=len(rows)))
    entities = data.draw(st.lists(NAMES, max_size=3))
    questions, answers, _ = zip(*rows, strict=True)
    seed = cases.dialogue_case(questions, answers, material=material)
    helper = helpers.Scripted(len(rows), uses, entities)
    check = ContextCheck(extractor="language-model", **options)
    assert all_equivalent(check, seed, cases.reordered(seed, range(len(rows))), helper)


@LAW
@given(rows=DIALOGUE, material=MATERIAL, data=st.data())
def test_any_order_has_one_verdict_per_turn_and_the_opening_is_equivalent(cases, rows, material, data):
    questions, answers, _ = zip(*rows, strict=True)
    seed = cases.dialogue_case(questions, answers, material=material)
    order = data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=12))
    notes = asyncio.run(ContextCheck().annotate(seed, cases.reordered(seed, order)))
    assert len(notes) == len(order)
    assert all(note["context"] == "equivalent" for turn, note in zip(order, notes, strict=True) if turn == 0)
