"""Actions: the vector and back, repetitions, triggers, importance, words before characters, the source left alone."""

from __future__ import annotations

import asyncio
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mutatis.transformations  # noqa: F401
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.errors import UsageError
from mutatis.core.search import Source
from mutatis.core.transformation import derive
from mutatis.rltest4chatbot.actions import (
    FAMILIES,
    Action,
    perform,
)
from mutatis.rltest4chatbot.space import EditSpace, Site

SPACE = EditSpace()
TEXT = "i need a cheap room in the north of the city for my two good friends please"  # 17 words: 4 repetitions


def part(name: str, importance: float = 1.0, triggers: str = "11111", position: float = 0.5) -> tuple[float, ...]:
    others = (position, *[0.0] * (len(FAMILIES[name]) - 1))
    return importance, *(number for mark in triggers for number in (float(mark), *others))


def action(**parts: tuple[float, ...]) -> Action:
    by_family = {name.replace("_", "-"): value for name, value in parts.items()}
    return {name: by_family.get(name, part(name, importance=0.0)) for name in FAMILIES}


def test_a_vector_lists_the_families_one_after_the_other() -> None:
    mixed = action(word_insert=part("word-insert", 0.3), char_drop=part("char-drop", 0.9, triggers="10101"))
    vector = [*chain.from_iterable(mixed.values())]
    assert len(vector) == SPACE.size == 116  # 4 families of 1 + 5 * 4, and 2 of 1 + 5 * 3
    assert SPACE.decode(vector) == mixed


@given(st.lists(st.floats(-2, 2), min_size=116, max_size=116))
def test_any_vector_is_an_action(vector: list[float]) -> None:
    action = SPACE.decode(vector)
    assert all(0 <= number <= 1 for numbers in action.values() for number in numbers)
    assert SPACE.decode([*chain.from_iterable(action.values())]) == action
    done = perform(TEXT, SPACE.steps(action, TEXT))
    assert done.final.strip()


def test_a_family_is_applied_as_often_as_its_importance_says() -> None:
    """The thesis' code applied every family once at most."""
    counts = [len(SPACE.steps(action(word_insert=part("word-insert", share)), TEXT)) for share in (0, 0.01, 0.5, 1.0)]
    assert counts == [0, 1, 2, 4]
    done = perform(TEXT, SPACE.steps(action(word_insert=part("word-insert")), TEXT))
    assert len(done.final.split()) == len(TEXT.split()) + 4


def test_repetitions_that_are_not_triggered_are_left_out() -> None:
    made = SPACE.steps(action(char_drop=part("char-drop", triggers="10101")), TEXT)
    assert len(made) == 2  # the fifth lies beyond the four that the text allows


def test_at_most_k_families_those_of_the_highest_importance() -> None:
    mixed = action(
        word_insert=part("word-insert", 0.3), char_drop=part("char-drop", 0.9), char_insert=part("char-insert", 0.6)
    )
    used = [{step.transformation for step in EditSpace(combined=k).steps(mixed, TEXT)} for k in (1, 2, 3)]
    assert used == [{"char-drop"}, {"char-drop", "char-insert"}, {"char-drop", "char-insert", "word-insert"}]


def test_words_come_before_characters() -> None:
    names = [s.transformation for s in SPACE.steps({name: part(name) for name in FAMILIES}, TEXT)]
    first = next(place for place, name in enumerate(names) if name.startswith("char-"))
    assert all(name.startswith("char-") for name in names[first:])
    with pytest.raises(UsageError, match="edit words first"):
        perform(TEXT, [Step(transformation="char-drop"), Step(transformation="word-drop")])


def test_the_mask_leaves_out_slots_beyond_the_repetitions() -> None:
    case = Case(id="d/1", turns=(Turn(fields={"utterance": "four words are here"}),))  # one repetition
    mask = SPACE.mask(Site(source=Source(case=case, relations=()), turn=0, variant=("utterance",)))
    assert len(mask) == 116
    assert sum(mask) == 6 + 4 * 4 + 2 * 3  # importances, and one slot of each family


def test_stages() -> None:
    mixed = action(word_drop=part("word-drop", 0.01, position=0.0), char_insert=part("char-insert", 0.01, position=0.0))
    done = perform(TEXT, SPACE.steps(mixed, TEXT))
    assert done.after_words == TEXT.replace("i need", "need", 1)
    assert done.final == "n" + done.after_words


def test_the_derived_follow_up_is_what_was_performed_and_the_source_stays() -> None:
    """In the thesis' code transcripts stayed edited from one episode to the next."""
    case = Case(
        id="d/1",
        turns=(
            Turn(fields={"utterance": TEXT}, annotations={"protected": {"values": ("cheap", "north")}}),
            Turn(fields={"utterance": "thanks"}),
        ),
    )
    record = case.to_record()
    space = EditSpace(fixed={name: {"protect": "values"} for name in FAMILIES})
    steps = space.steps({name: part(name, position=0.25) for name in FAMILIES}, TEXT, turns=(0,))
    made = asyncio.run(derive(case, Derivation(source=case.id, steps=steps, variant=("utterance",), origin=(0, 1))))
    assert made.turns[0].fields["utterance"] == perform(TEXT, steps, {"values": ("cheap", "north")}).final != TEXT
    assert "cheap" in made.turns[0].fields["utterance"]
    assert made.turns[1].fields["utterance"] == "thanks"
    assert case.to_record() == record


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: EditSpace(combined=7), "1 to 6 families; got 7"),
        (lambda: SPACE.decode([0.5]), "116 numbers from 0 to 1; got 1 values"),
        (lambda: SPACE.decode([float("nan")] * 116), "values that are not numbers"),
        (
            lambda: perform("x", [Step(transformation="leet")]),
            "'leet' is not one of the families: word-insert, word-drop",
        ),
    ],
)
def test_bad_input(make: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make()  # type: ignore[operator]
