"""Requests in another form, with slips, in another order, and dialogues with something in between."""

from __future__ import annotations

from random import Random

import pytest

from mutatis.core.cases import NEW, Case, Derivation, Step, Turn
from mutatis.core.transformation import derive
from mutatis.transformations.asking import indirect, short_question
from mutatis.transformations.interruptions import is_question, stands_alone
from mutatis.transformations.slips import drop_punctuation, false_start, homophones
from mutatis.transformations.slots import reorder_slots

ROUNDS = ("Hi, my name is Anna.", "Where is my parcel now?", "Is Anna Berg your boss?", "When does it arrive here?")


def chat(*messages: str, replies: bool = False) -> Case:
    turns = tuple(Turn(fields={"message": text}, reply=f"So: {text}" if replies else None) for text in messages)
    return Case(id="d/1", turns=turns, task="chat")


async def derived(case: Case, name: str, draw: int = 0) -> Case:
    return await derive(case, Derivation(source=case.id, steps=(Step(transformation=name),), draw=draw), seed=3)


def said(case: Case) -> list[str]:
    return [turn.fields["message"] for turn in case.turns]


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("Where can I park?", "where I can park"),
        ("How many rooms do you have?", "how many rooms you have"),
        ("What does he want here?", "what he wants here"),
        ("What do you do?", "what you do"),
        ("Why has it never worked?", None),
        ("Does she like it or not?", None),
        ("What does it really cost?", None),
        ("Who are the owners of the shop?", "who the owners of the shop are"),
        ("What was the treaty called?", None),
        ("What is the man looking for?", None),
        ("Was Ada late?", None),
        ("Do they ship to Norway?", "whether they ship to Norway"),
        ("Did you get it?", None),
        ("Can you help me?", None),
    ],
)
def test_a_question_becomes_a_clause_only_where_its_words_tell_how(question: str, clause: str | None) -> None:
    assert indirect(question) == clause


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Hi! Who is the owner of the shop?", "Hi! The owner of the shop?"),
        ("What is the exchange rate like on this app?", None),
        ("What is the rock called that it flows around?", None),
        ("What is the problem?", None),
        ("What was the capital of that empire?", None),
        ("What is the price of the lamp", None),
    ],
)
def test_a_question_is_cut_only_where_the_rest_still_asks_for_it(text: str, short: str | None) -> None:
    assert short_question(text) == (text if short is None else short)


@pytest.mark.parametrize("seed", range(6))
def test_the_beginning_is_repeated(seed: int) -> None:
    begun = false_start("I'd like to open an account.", Random(seed))
    assert begun in ("I'd like - I'd like to open an account.", "I'd like to - I'd like to open an account.")
    assert false_start("Why not today?", Random(seed)) == "Why not today?"


def test_words_that_sound_alike_change_in_clear_places_only() -> None:
    heard = homophones("Would you buy the new one by New Year?", Random(1), share=1.0)
    assert heard == "Wood you by the knew won by New Year?"  # beside a name words stay
    assert homophones("Where's it?", Random(1), share=1.0) == "Where's it?"
    assert (
        drop_punctuation('Is "Up" on at 7:30, or 8.15? (I\'d like to know!)')
        == "Is Up on at 7:30 or 8.15 I'd like to know"
    )


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        (
            "A train on Monday from Ely to Leeds.",
            {"A train to Leeds on Monday from Ely.", "A train from Ely to Leeds on Monday."},
        ),
        ("I leave after 9:15 on friday.", {"I leave on friday after 9:15."}),
        ("Please go from cambridge to norwich on sunday", {"Please go on sunday from cambridge to norwich"}),
        ("A taxi from Avalon to De Luca Cucina and Bar?", None),
        ("from 9 to 5 on weekdays", None),
        ("I want to go to the bank on Monday's date.", None),
        ("Book it for two people.", None),
        # Which place goes with which day is told by their order alone.
        ("A train from Ely to Leeds on Monday and from Leeds to Ely on Friday.", None),
        ("I go from Ely to Leeds from Monday on.", None),
        ("From Ely to Leeds on Monday. Then back to Ely on Friday at 5.", None),
    ],
)
def test_parts_of_a_request_are_moved_whole(text: str, moved: set[str] | None) -> None:
    made = {reorder_slots(text, Random(seed)) for seed in range(30)}
    assert made == (moved or {text})


def test_turns_that_lean_on_what_was_said_are_told_from_those_that_do_not() -> None:
    assert [stands_alone(text) for text in ROUNDS] == [False, True, True, False]
    assert [
        is_question(text) for text in ("Is it open today?", "Can I book it today?", "Why is that?", "Tell me when!")
    ] == [
        True,
        False,
        False,
        False,
    ]


async def test_an_unrelated_question_comes_before_a_turn_that_stands_alone() -> None:
    places = set()
    for draw in range(12):
        made = await derived(chat(*ROUNDS), "unrelated-turn", draw)
        assert made.derivation is not None
        place = made.derivation.origin.index(NEW)
        places.add(place)
        assert [text for number, text in enumerate(said(made)) if number != place] == list(ROUNDS)
        assert [bool(turn.annotations.get("judged")) for turn in made.turns] == [n > place for n in range(5)]
    assert places == {1, 2}
    alone = await derived(chat("And then?"), "unrelated-turn")
    assert said(alone) == ["And then?"]


async def test_a_question_is_asked_again_straight_after_it() -> None:
    made = await derived(chat("Hi there!", "Where is my parcel now?", "Thanks!", "Bye."), "ask-again")
    assert said(made) == ["Hi there!", "Where is my parcel now?", "Where is my parcel now?"]
    assert made.derivation is not None
    assert made.derivation.origin == (0, 1, 1)
    assert [turn.annotations.get("judged") for turn in made.turns] == [None, None, True]


async def test_a_new_turn_is_asked_where_only_some_turns_are() -> None:
    case = chat("Hi there!", "Where is my parcel now?")
    case = Case(id=case.id, turns=case.turns, task="chat", ask_turns=(1,))
    made = await derived(case, "unrelated-turn")
    assert made.derivation is not None
    assert made.derivation.origin == (0, NEW, 1)
    assert made.asked == (1, 2)


async def test_a_question_in_between_comes_before_a_turn_that_goes_on() -> None:
    case = chat("I need a table.", "On Friday at 6 pm.", "No, on Sunday.", "Thanks!")
    made = await derived(case, "ask-between")
    assert said(made)[0] == "I need a table."
    assert said(made)[1].endswith("?")
    assert said(made)[2:] == ["On Friday at 6 pm."]
    assert [made.origin(turn) for turn in range(3)] == [0, NEW, 1]


@pytest.mark.parametrize(
    "later", ["No, on Friday.", "And on Friday?", "That one at 6 pm.", "Yes, please.", "I read it is 60 days."]
)
async def test_no_question_comes_before_what_needs_the_answer_before_it(later: str) -> None:
    assert said(await derived(chat("I need a table.", later), "ask-between")) == ["I need a table.", later]
