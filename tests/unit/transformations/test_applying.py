"""Limits that replies state and that do not apply to what the user gives: nothing is brought to them."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mutatis.relations  # noqa: F401 - fills the registries
from mutatis.core.dictionary import Dictionary
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.dictionary import limits_of
from mutatis.transformations.at_limits import values_at_limits
from mutatis.transformations.edges import at_edges, beside_edges

COMPANION = "Yes, from 17 years on. A companion needs to be 30 or older."
BREAKFAST = "It is from 7:30 am until 11 am. It costs 15 euros, 8 euros for children aged 4 to 11."
LOAD = "Child seats are 4 euros a day, up to 22 kg."


def edges(question: str, answer: str) -> list[str]:
    return [choice["edge"] for choice in at_edges(question, answer, Dictionary())]


def test_the_age_of_a_companion_is_not_the_learners() -> None:
    assert edges("My son is 18. Can he drive with somebody?", COMPANION) == [
        "My son is 17. Can he drive with somebody?"
    ]


@pytest.mark.parametrize(
    "question",
    ["What time is breakfast?", "When is breakfast served on Mondays?", "Where is breakfast?", "Are you open today?"],
)
def test_no_age_is_given_to_somebody_who_asks_for_a_time_or_a_place(question: str) -> None:
    with pytest.raises(UnusableFollowUp):
        at_edges(question, BREAKFAST, Dictionary())


def test_an_age_is_given_where_the_answer_goes_by_it() -> None:
    assert "My child is 11. How much is breakfast?" in edges("How much is breakfast?", BREAKFAST)
    until = "Children under 8 swim only until 6 pm, others until 9 pm."
    assert edges("When can children swim?", until) == ["My child is 8. When can children swim?"]


@pytest.mark.parametrize(
    ("reply", "sides"),
    [
        ("At 12 one may only go with an adult: the limit is 14.", ["least"]),
        ("You can not bring 25: the limit is 20.", ["most"]),
        ("At 12 you may go alone: the limit is 14.", ["most"]),
        ("The age limit is 14.", []),
        ("The limit is 14 years.", []),
        ("The limit is 8 people.", ["most"]),
        ("The limit is 20 kg.", ["most"]),
        ("At 9 years a child may not go alone: the limit is 12 years.", ["least"]),
    ],
)
def test_what_is_only_called_a_limit_has_the_side_that_a_case_shows(reply: str, sides: list[str]) -> None:
    assert [limit.side for limit in limits_of(reply)] == sides


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("I'd like a twin room from 5 October, my name is Anna.", "From October 5 the twin room is 120 euros a night."),
        ("Can I come on 5 October?", "Yes, we are open from October 5."),
    ],
)
def test_no_day_is_brought_to_a_limit_since_seasons_differ_by_year(question: str, answer: str) -> None:
    with pytest.raises(UnusableFollowUp):
        at_edges(question, answer, Dictionary())


def test_half_a_year_beyond_the_last_age_may_still_be_within_it() -> None:
    question = "My daughter is 8 years old. Can I leave her here?"
    with pytest.raises(UnusableFollowUp):
        beside_edges(question, "At the age of 8 (from 1 to 6): that is not possible.", Dictionary())
    with pytest.raises(UnusableFollowUp):
        beside_edges("What does a girl aged 9 pay?", "Children up to 11 pay 8 euros.", Dictionary())
    [under] = beside_edges(question, "No, only children under 7.", Dictionary())
    assert under["edge"] == "My daughter is under 7 years old. Can I leave her here?"


def test_beyond_a_limit_within_which_the_answer_is_no_nothing_need_turn() -> None:
    answer = "No, she cannot. Children may come alone from 8 years on if they can swim."
    drawn = values_at_limits("My daughter is 9. She cannot swim. May she come alone?", answer, Dictionary())
    assert {choice["new"]: choice["side"] for choice in drawn} == {"8": "same"}
    drawn = values_at_limits("My daughter is 7. May she come alone?", "No, from 8 years on.", Dictionary())
    assert {choice["new"]: choice["side"] for choice in drawn} == {"9": "other", "8": "other"}


@pytest.mark.parametrize(
    ("language", "question", "rule", "refusal", "text"),
    [
        (
            *("es", "Mi hija tiene 9 años pero no sabe nadar. ¿Puede bañarse sola?"),
            *("Desde 8 años, si saben nadar.", "Con 9 años: no permitido.", "desde 8 años"),
        ),
        (
            *("fr", "Ma fille a 9 ans mais elle ne sait pas nager. Peut-elle venir seule ?"),
            *("La piscine est ouverte dès 8 ans.", "À 9 ans, elle ne peut pas venir seule.", "dès 8 ans"),
        ),
        (
            *("de", "Meine Tochter ist 9 Jahre alt, kann aber nicht schwimmen. Darf sie allein baden?"),
            *("Ab 8 Jahren, wenn sie schwimmen.", "Mit 9 Jahren ist es nicht erlaubt.", "ab 8 Jahren"),
        ),
    ],
)
def test_elsewhere_a_no_within_a_limit_has_another_reason(
    language: str, question: str, rule: str, refusal: str, text: str
) -> None:
    [limit] = limits_of(rule, language)
    known = Dictionary(limits=(replace(limit, seen=("one", "another")),), language=language)
    assert limit.text.casefold() == text.casefold()
    look_up = TRANSFORMATIONS["at-limit"].looks_up
    drawn = look_up(question, f"{rule} {refusal}", known)
    assert {choice["side"] for choice in drawn} == {"same"}
    assert not any(choice["new"].startswith("7") for choice in drawn)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much is a large box?", "The large box costs 3.50 euros and holds up to 10 kilos."),
        ("How many pieces of luggage may I take?", "Two pieces of luggage of up to 25 kg each are free."),
        ("What does a student pay?", "It is 5 euros reduced (students, over-65s, disabled guests)."),
        ("We are 12 adults. What is it?", "Adults 12, children from 4 to 15 0, under 4 0. It costs 102 EUR."),
        ("I'd like to register Emma for the course on 12 April.", "She has a place in the course from 12 April."),
        ("Does the course starting on 12 April cost more?", "The course from 12 April costs 149 EUR."),
    ],
)
def test_a_limit_of_another_thing_is_no_limit_of_the_users(question: str, answer: str) -> None:
    for reads in (at_edges, beside_edges):
        with pytest.raises(UnusableFollowUp):
            reads(question, answer, Dictionary())


def test_a_booking_has_its_number() -> None:
    answer = "Our room is for at most six people."
    assert edges("I'd like to book a room for 4 people.", answer) == ["I'd like to book a room for 6 people."]
    with pytest.raises(UnusableFollowUp):
        beside_edges("I'd like to book a room for 4 people.", answer, Dictionary())


def test_what_is_free_turns_at_the_limit_of_the_offer_alone() -> None:
    question = "I could not come for 40 days. Do I have to pay for storage?"
    answer = "We keep clothes free for 30 days, then for £1 a day; after 60 days they go to charity. Yours is £10."
    drawn = values_at_limits(question, answer, Dictionary())
    assert {choice["side"] for choice in drawn} == {"same"}
    drawn = values_at_limits("My order is 45 EUR. What is it?", "4.90 EUR; from 60 EUR it is free.", Dictionary())
    assert {choice["side"] for choice in drawn} == {"same", "other"}
