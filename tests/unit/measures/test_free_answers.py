"""The judge of free replies: each kind of thing that can be named, what is the same, and what stays open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mutatis.core.measure import Comparison, Similarity
from mutatis.measures import judge
from mutatis.measures.free import NOTHING_NAMED
from mutatis.measures.statements import statements

RETURNS = "You can return any item within {} of delivery. Please keep the receipt and the original packaging."
WRITTEN = Path(__file__).parents[3] / "studies" / "judge" / "free_answers.json"


def decide(first: str, second: str, question: str = "") -> Similarity:
    """Judge a pair in both orders: the decision may not depend on it."""
    measure = judge("free-answers").measure
    forth, back = (
        measure.compare([Comparison(reference=(here,), answer=other, question=question)])[0]  # type: ignore[index]
        for here, other in ((first, second), (second, first))
    )
    assert (forth.score, forth.open) == (back.score, back.open)
    return forth


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        (RETURNS.format("30 days"), RETURNS.format("14 days"), "30 days / 14 days"),
        (
            "We pay 2.5 percent interest per year on your savings, at any time.",
            "We pay 3.5% interest per year on your savings, at any time.",
            "2.5 percent / 3.5%",
        ),
        (
            "Your parcel is on its way. It will be delivered on Thursday by noon.",
            "Your parcel is on its way. It will be delivered on Friday by noon.",
            "thursday / friday",
        ),
        (
            "The new account fees apply from 1 March for all customers.",
            "The new account fees apply from May 1 for all our customers.",
            "1 march / may 1",
        ),
        (
            "The new account fees apply to all customers from April on.",
            "The new account fees apply to all customers from May on.",
            "April / May",
        ),
        (
            "The next train to Leeds leaves at 9:15 from the main station.",
            "The next train to Leeds leaves at 9:45 from the main station.",
            "9:15 / 9:45",
        ),
        (
            "You can block your card by phone: call 0800 123 456 at any time.",
            "You can block your card by phone: call 0800 654 321 at any time.",
            "0800 123 456 / 0800 654 321",
        ),
        (
            "I have reserved a table for four people under the name of Lee.",
            "I have reserved a table for 4 people under the name of Jones.",
            "Lee / Jones",
        ),
        (
            "The jacket is waterproof. It can be washed in the machine, too.",
            "The jacket is not waterproof. It can be washed in the machine, too.",
            'one is negated: "The jacket is not waterproof."',
        ),
        (
            "You can withdraw 1,000 euros per day with this card.",
            "You can withdraw 1,000 euros per week with this card.",
            "per day / per week",
        ),
        (
            "Your balance is 2,310 euros and nothing is pending at the moment.",
            "I'm sorry, but I can't share account balances in this chat.",
            "refused here, answered there",
        ),
        (
            "The lamp costs 49 euros and ships within three days.",
            "Sorry, I did not understand that. Which product do you mean?",
            "one reply says that it did not understand, the other answers",
        ),
        (
            "You can pay by card or with PayPal, and it is free for you.",
            "Sie können mit Karte oder PayPal zahlen, und das ist für Sie kostenlos.",
            "another language: English / German",
        ),
        ('{"price": 129, "size": "L"}', '{"price": 149, "size": "L"}', "JSON differs at price: 129 / 149"),
        ('{"price": 129}', "It costs 129 euros.", "one reply is JSON, the other is not"),
        ("You can pay by card or with PayPal.", "", "one answer is empty"),
    ],
)
def test_a_difference_is_named(first: str, second: str, named: str) -> None:
    similarity = decide(first, second)
    assert (similarity.score < 0.1, similarity.open, similarity.reason) == (True, False, named)


def test_yes_and_no_differ_unless_the_question_denies() -> None:
    first, second = "Yes, we ship to Norway within three working days.", "No, Norway is too far away for our couriers."
    assert decide(first, second, "Do you ship to Norway?").reason == "yes / no"
    assert decide(first, second, "Don't you ship to Norway?").open


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (RETURNS.format("14 days"), RETURNS.format("two weeks")),
        (
            "Check-in is possible from 3 pm on.",
            "Check-in is possible from 15:00 on. You can leave your luggage before.",
        ),
        ("Shipping is FREE for orders over 50 euros!", "Shipping is free for orders over 50 euros."),
        ('{"price": 129, "size": "L"}', '```json\n{"size": "L", "price": 129}\n```'),
        ("1. Turn it on.\n2. Hold the button for five seconds.", "Turn it on. Hold the button for 5 seconds!"),
        ("I can't share data of other customers in this chat.", "I am unable to provide information about customers."),
    ],
)
def test_replies_of_which_one_says_all_that_the_other_says_are_the_same(first: str, second: str) -> None:
    similarity = decide(first, second)
    assert similarity.score > 0.9
    assert not similarity.open


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "A savings plan can be a good start. Put aside a little every month.",
            "Try to write down what you spend. Many people pay for things that they never use.",
        ),
        (
            "You can withdraw up to 1,000 euros and pay up to 5,000 euros each day.",
            "You can withdraw up to 5,000 euros and pay up to 1,000 euros each day.",
        ),
        (
            "Unfortunately we cannot offer breakfast in our hotel at this time of the year.",
            "Breakfast isn't available in the hotel during the winter months, we are afraid.",
        ),
    ],
)
def test_what_cannot_be_named_is_open(first: str, second: str) -> None:
    similarity = decide(first, second)
    assert similarity.open
    assert similarity.reason == NOTHING_NAMED


def test_short_replies_are_judged_as_answers_and_doubtful_ones_are_open() -> None:
    assert decide("On Monday.", "On Tuesday.", "When does it arrive?").score < 0.3
    assert decide("Paris.", "It is Paris.", "What is the capital?").score > 0.7


def test_every_value_of_a_statement_is_read() -> None:
    [statement] = statements("Open from 8 am to 18:30 on 3 May, call 0800 123 456, 2 % off, under Ms Ada Lee.")
    assert [(value.kind, value.text) for value in statement.values] == [
        ("time of day", "8 am"),
        ("time of day", "18:30"),
        ("date", "3 may"),
        ("code", "0800 123 456"),
        ("percent", "2 %"),
    ]
    assert [name.words for name in statement.names] == [("ada", "lee")]


def test_no_pair_written_for_the_study_is_wrongly_called_different_and_order_never_matters() -> None:
    pairs = json.loads(WRITTEN.read_text("utf-8"))["written"]
    called = [decide(pair["first"], pair["second"], pair["question"]) for pair in pairs]
    different = [
        pair["label"]
        for pair, similarity in zip(pairs, called, strict=True)
        if not similarity.open and similarity.score < 0.3
    ]
    assert set(different) == {"different"}
    assert len(different) >= 44


def test_of_fresh_replies_in_quite_other_words_nothing_wrong_is_said() -> None:
    """60 pairs written without a look at the measure: next to all open, and what is decided is what readers say."""
    pairs = json.loads(WRITTEN.read_text("utf-8"))["fresh_written"]
    called = [decide(pair["first"], pair["second"], pair["question"]) for pair in pairs]
    labels = [pair["labels"] for pair, similarity in zip(pairs, called, strict=True) if not similarity.open]
    assert labels == [["different", "different"]] * 2


def test_replies_of_hundreds_of_statements_are_not_compared():
    many = " ".join(f"Shelf {number} holds a box." for number in range(300))
    assert decide(RETURNS.format("30 days"), many).reason == "too much to compare statement by statement"
    assert decide(many, many.replace("Shelf 7 ", "Shelf 1007 ")).open
