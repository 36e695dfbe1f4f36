"""Values that users give, requests turned round, and dialogues in which users correct themselves, split or press."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.core.cases import NEW, Case, Derivation, Step, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import TRANSFORMATIONS, completed_by, derive, reads_answer
from mutatis.transformations.pressure import claimed_values
from mutatis.transformations.values import ASKED_KINDS, exchanged, only_value, value_as, values_said


def chat(*messages: str) -> Case:
    return Case(id="d/1", turns=tuple(Turn(fields={"message": text}) for text in messages), task="chat")


async def said(case: Case, name: str, **parameters: object) -> list[tuple[int, str]]:
    steps = (Step(transformation=name, parameters=parameters),)
    made = await derive(case, Derivation(source=case.id, steps=steps), seed=3)
    return [(made.origin(i), turn.fields["message"]) for i, turn in enumerate(made.turns)]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("A table for four on Friday, please.", "count", "four"),
        ("A table for four on Friday, please.", "weekday", "Friday"),
        ("There are 6 of us.", "count", "6"),
        ("Is it true that 4 people died?", "count", None),
        ("Can I return it within 30 days?", "count", None),
        ("From Monday to Friday?", "weekday", None),
        ("Friday or Saturday?", "weekday", None),
        ("I want to transfer $1,200.50.", "amount", "$1,200.50"),
        ("Why do you charge 5 euros?", "amount", None),
        ("A room from 12 May, please.", "date", "12 May"),
        ("He was born on 12 May 1901.", "date", None),
        ("At 6 pm, please.", "time", "6 pm"),
        ("I leave after 18:00.", "time", None),
        ("The shirt in size M?", "size", "M"),
        ("A train to Oslo.", "city", "Oslo"),
        ("a train to oslo.", "city", "oslo"),
        ("To Paris Hilton.", "city", None),
        ("Do you ship to Norway?", "country", "Norway"),
    ],
)
def test_a_value_is_what_the_user_asks_for(text: str, kind: str, value: str | None) -> None:
    only = only_value(text, kind)  # type: ignore[arg-type]
    assert (only.text if only else None) == value


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        *(("count", "four", "4"), ("amount", "€500", "500.00 EUR"), ("date", "3rd of May", "May 3")),
        *(("time", "6 pm", "18:00"), ("time", "12 am", "0:00"), ("duration", "two weeks", "2 week")),
        *(("weekday", "FRIDAY", "friday"), ("city", "Oslo", "oslo")),
    ],
)
def test_a_value_has_one_key_however_it_is_written(kind: str, first: str, second: str) -> None:
    assert value_as(kind, first).key == value_as(kind, second).key  # type: ignore[arg-type]


@given(seed=st.integers(0, 10_000), kind=st.sampled_from(ASKED_KINDS))
def test_another_value_is_another_one_of_its_kind(seed: int, kind: str) -> None:
    texts = {
        **{"weekday": "A table on Friday.", "count": "A table for four people.", "amount": "Please send 500 euros."},
        **{"date": "A room from 28 May.", "time": "At 9 am.", "size": "It in size XXL?", "city": "A bus to Rome."},
        **{"country": "Do you ship to Norway?", "product": "Do you sell a Nova lamp?"},
    }
    names = ("Nova lamp", "Orbit", "Pulse headset")
    made = exchanged(texts[kind], kind, Random(seed), names)  # type: ignore[arg-type]
    assert made is not None
    assert texts[kind][made.start : made.end] == made.old
    assert value_as(kind, made.old).key != value_as(kind, made.new).key  # type: ignore[arg-type]
    assert {value.key for value in values_said(made.text, kind, names)} == {value_as(kind, made.new).key}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Do you sell a Nova lamp?", "Do you sell an Orbit?"),
        ("do you sell a nova lamp?", "do you sell an orbit?"),
        ("IS IT THE NOVA LAMP?", "IS IT THE ORBIT?"),
        ("What do 3 Nova lamps cost?", None),
        ("Is the Nova quick?", None),
        ("Is the Nova lamp dearer than the Orbit?", None),
        ("Do you sell lamps?", None),
    ],
)
def test_a_product_is_exchanged_as_the_data_write_it(text: str, made: str | None) -> None:
    exchange = exchanged(text, "product", Random(1), ("Nova lamp", "Orbit"))
    assert (exchange.text if exchange else None) == made


def test_a_product_in_capitals_on_the_list_says_nothing_of_the_other() -> None:
    exchanges = [
        exchanged(text, "product", Random(1), names)
        for text, *names in (("My SUV?", "SUV", "van"), ("My van?", "van", "SUV"))
    ]
    assert [made.text for made in exchanges if made] == ["My van?", "My SUV?"]


async def test_what_came_later_is_left_out_and_the_last_turn_is_the_source_s() -> None:
    case = chat("How much is the Nova lamp?", "And the Orbit?")
    for name in ("ask-together", "doubt-answer"):
        made = await said(case, name)
        assert [origin for origin, _ in made] == [*[NEW] * (len(made) - 1), 0], name
        assert made[0][1] == "How much is the Nova lamp?"


async def test_facts_before_a_question_for_permission_are_told_before() -> None:
    told = await said(chat("I am 12 years old. Can I use the workshop alone?"), "say-in-turns")
    assert [text for _, text in told] == ["I am 12 years old.", "Can I use the workshop alone?"]


async def test_more_turns_in_between_begin_with_fewer() -> None:
    case = chat("I lost my card in Oslo. How do I get a new one?")
    first, two, four = [[text for _, text in await said(case, "say-in-turns", asides=n)][1:-1] for n in (1, 2, 4)]
    assert (len(first), len(two), len(four)) == (1, 2, 4)
    assert len(set(four)) == 4


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(
            ("say-in-turns", "Yes, I hope so. Are there any rooms?"),
            ("say-in-turns", "I need a taxi. Can you help me?"),
            ("say-in-turns", "I live in Oslo. Can I come on Friday at 6 pm?"),
        ),
        *(("ask-together", "Please block my card."), ("doubt-answer", "Thanks!")),
    ],
)
async def test_other_dialogues_stay(name: str, text: str) -> None:
    assert await said(chat(text), name) == [(0, text)]


async def test_no_dialogue_grows_by_more_turns_than_its_transformation_says() -> None:
    case = chat("Is there a table for two people on Friday?")
    told = chat("I have a table for Friday. What is the fee for a change?")
    for name in ("say-in-turns", "ask-together", "ask-again", "unrelated-turn"):
        parameters = {"asides": 4} if name == "say-in-turns" else {}
        for source in (case, told):
            grown = len(await said(source, name, **parameters)) - 1
            assert grown <= TRANSFORMATIONS[name].adds, name


@pytest.mark.parametrize(
    ("question", "answer", "value"),
    [
        ("How long?", "Within two weeks.", ("two weeks", "three weeks")),
        ("How long?", "Within fifteen days.", ("fifteen days", "25 days")),
        ("How long?", "It takes 2 to 3 days.", None),
        ("How long?", "At least 3 days.", None),
        ("How much is it?", "It costs 5 euros and takes 3 days.", None),
        ("What do I get for 100 euros?", "For 100 euros you get a lamp.", None),
        ("When?", "On 28 May.", ("28 May", "4 May")),
        ("When?", "At 9:15.", ("9:15", "13:15")),
        ("Where?", "In Mill Lane.", None),
        ("How long?", "3 days. " + "That is all that I can say about it. " * 6, None),
    ],
)
def test_a_claim_takes_the_one_value_of_an_answer(question: str, answer: str, value: tuple[str, str] | None) -> None:
    told = claimed_values(question, answer)
    assert (None if told is None else (told["value"], told["other"])) == value


def test_a_derivation_is_completed_by_the_answer() -> None:
    derivation = Derivation(source="q", steps=(Step(transformation="claim-value", parameters={"claim": "own"}),))
    completed = completed_by(derivation, "How long?", "30 days.")
    assert completed.steps[0].parameters == {"claim": "own", "kind": "duration", "value": "30 days", "other": "45 days"}
    with pytest.raises(UnusableFollowUp, match="no single value that could be claimed"):
        completed_by(derivation, "How long?", "Long.")
    assert reads_answer(derivation)
    assert not reads_answer(Derivation(source="q", steps=(Step(transformation="upper-case"),)))
