"""Steps in plain words, counted on the texts themselves."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.campaign.records import described_edits
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.relation import RELATIONS
from mutatis.core.telling import order
from mutatis.core.transformation import TRANSFORMATIONS


def case(*texts, field="text"):
    return Case(id="s", turns=tuple(Turn(fields={field: text} if isinstance(text, str) else text) for text in texts))


def follow_up(source, texts, *steps, origin=None):
    made = case(*texts)
    origin = tuple(range(len(texts))) if origin is None else origin
    steps = tuple(Step(transformation=name, parameters=dict(parameters)) for name, parameters in steps)
    derivation = Derivation(source=source.id, steps=steps, variant=(), draw=0, origin=origin)
    return Case(id="f", turns=made.turns, derivation=derivation)


def test_edits_of_one_kind_are_told_once():
    source = case("cold")
    made = follow_up(source, ["k0lf"], *((name, {}) for name in ("keyboard-typos", "keyboard-typos", "leet")))
    assert described_edits(source, made, 0) == "letters mistyped on the keyboard, then letters written as digits"


def test_an_edit_in_another_language_is_told_in_the_same_words():
    source = replace(case("die kalte Suppe"), language="de")
    made = follow_up(source, ["die klate Suppe"], ("keyboard-typos", {}))
    assert described_edits(source, made, 0) == "2 letters mistyped on the keyboard"


@pytest.mark.parametrize(
    ("before", "after", "steps", "words"),
    [
        ("the cold soup", "the ckld soup", ["keyboard-typos"], "one letter mistyped on the keyboard"),
        ("the cold soup", "tge ckld soup", ["keyboard-typos"], "2 letters mistyped on the keyboard"),
        ("bright lamp", "br ight lamp", ["add-spaces"], "one blank put inside words"),
        ("a big, old man", "a large, aged man", ["synonyms-lexicon"], "2 words replaced by a synonym"),
        (
            "cold",
            "kold",
            ["leet", "keyboard-typos"],
            "letters written as digits, then letters mistyped on the keyboard",
        ),
        ("the cold soup", "the ckld soup", ["keyboard-typos", "restore"], "one letter mistyped"),
        ("soup", "soup soup", ["duplicate"], "the text written 2 times"),
    ],
)
def test_edits_in_words(before, after, steps, words):
    source = case(before)
    made = follow_up(source, [after], *((name, {"spans": {}} if name == "restore" else {}) for name in steps))
    assert described_edits(source, made, 0).startswith(words)


def test_a_dialogue_edit_that_changes_one_message_is_told_by_its_own_words():
    source = case("How much is Basic?", field="message")
    texts = [{"message": "How much is Basic? Also, when are you open?"}]
    made = follow_up(source, texts, ("ask-with-another", {"other": "When are you open?", "reply": "At 9."}))
    assert described_edits(source, made, 0) == "another question of the data in the same message"
    other = follow_up(source, [{"message": "How much is Duo?"}], ("invented-name", {"old": "Basic", "new": "Duo"}))
    assert described_edits(source, other, 0) == "another name like a known one"
    unchanged = follow_up(source, [{"message": "How much is Basic?"}], ("invented-name", {}))
    assert described_edits(source, unchanged, 0) == ""


def test_the_field_is_named_where_there_are_several():
    source = case({"context": "It rains.", "question": "Does it rain?"})
    made = follow_up(source, [{"context": "It rains.", "question": "DOES it rain?"}], ("upper-case", {}))
    assert described_edits(source, made, 0) == "3 letters in upper case in the question"


@pytest.mark.parametrize(
    ("origin", "turn", "missing", "moved", "again"),
    [
        ((0, 1, 2), 2, (), (), ()),
        ((1, 0, 2), 2, (), (0,), ()),
        ((2,), 0, (0, 1), (), ()),
        ((0, 0, 1, 2), 3, (), (), (1,)),
        ((0, 1, 1), 2, (), (), ()),  # the judged question itself, asked before as in the source
        ((4, 0, 3), 2, (1, 2), (0,), ()),  # a later turn of the source, asked before
    ],
)
def test_turns_that_are_missing_moved_or_said_again(origin, turn, missing, moved, again):
    told = order(origin, turn)
    assert (told.missing, told.moved, told.again) == (missing, moved, again)


def test_of_what_is_too_long_to_be_compared_no_number_is_told(monkeypatch):
    monkeypatch.setattr("mutatis.text.alignment.CELLS", 8)
    source = case("cold soup")
    made = follow_up(source, ["kolld soup"], ("keyboard-typos", {}))
    assert described_edits(source, made, 0) == "letters mistyped on the keyboard"


@given(st.permutations(range(7)), st.integers(1, 6))
def test_the_fewest_turns_are_called_moved(origin, turn):
    before = origin[:turn]
    chains = [c for n in range(turn + 1) for c in combinations([b for b in before if b <= origin[turn]], n)]
    longest = max(len(chain) for chain in chains if list(chain) == sorted(chain))
    told = order(origin, turn)
    assert len(told.moved) == turn - longest
    stays = [number for place, number in enumerate(before) if place not in told.moved]
    assert stays == sorted(stays)


def test_dialogues_in_words():
    source = case("a", "b", "c", "d")
    steps = [("round-shuffle", {}), ("keep-rounds", {"rounds": [0]})]
    assert described_edits(source, follow_up(source, ["d"], *steps, origin=(3,)), 0) == "all earlier turns left out"
    made = follow_up(source, ["c", "a", "d"], *steps, origin=(2, 0, 3))
    assert described_edits(source, made, 2) == "one earlier turn left out, one turn moved"
    made = follow_up(source, ["a", "b", "b"], ("ask-again", {}), origin=(0, 1, 1))
    assert described_edits(source, made, 2) == "the question asked again"


def test_every_transformation_says_what_it_does_and_what_it_asks_for():
    shipped = [
        transformation
        for transformation in map(TRANSFORMATIONS.__getitem__, TRANSFORMATIONS)
        if "transformations" in transformation.apply.__module__
    ]
    assert len(shipped) > 70
    for transformation in shipped:
        assert transformation.says
        assert transformation.capability != "other", transformation.name


def test_relations_say_what_must_hold():
    assert RELATIONS["keyboard-typos"].says == ("letters mistyped on the keyboard: the answer stays the same")
    assert RELATIONS["uppercase-25"].says == "letters in upper case (share = 0.25): the answer stays the same"
    assert RELATIONS["context-preserving"].says == "In an equivalent context the answer is that of the reference"
    assert RELATIONS["context-preserving"].capability == "memory"
