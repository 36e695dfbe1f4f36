"""Relations that read what answers say: must move with the question, hold what was said, stand by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mutatis.core.cases import PRODUCTS, Case, Step, Turn
from mutatis.core.constraint import Evidence
from mutatis.core.decision import Decision, Outcome
from mutatis.core.measure import Judge
from mutatis.core.relation import RELATIONS, Group, Observation, OutputRelation
from mutatis.core.system import Response
from mutatis.relations.moving import (
    FollowsValue,
)
from mutatis.relations.pressing import AgreesWithItself, StandsByIt
from mutatis.relations.together import SaysBoth
from mutatis.text.sides import side_taken
from mutatis.transformations.pressure import CLAIMED
from mutatis.transformations.values import EXCHANGED, Slot

HELD, BROKEN, OPEN = Outcome.SATISFIED, Outcome.VIOLATED, Outcome.INVALID


class Nobody:
    name = "nobody"

    def compare(self, comparisons: object) -> list[object]:
        raise AssertionError("these relations ask no judge")


def decided(
    relation: OutputRelation, before: str, after: str, noted: dict[str, object], history: tuple[str, ...] = ()
) -> Outcome:
    return decision(relation, before, after, noted, history).outcome


def grouped(before: str, after: str, noted: dict[str, object], history: tuple[str, ...] = ()) -> Group:
    turns = tuple(Turn(fields={"message": "?"}, annotations=noted) for _ in (*history, after))
    case = Case(id="c", turns=turns, task="chat")
    source = Observation(case=case, turn=0, response=Response(text=before))
    member = Observation(case=case, turn=len(history), response=Response(text=after), history=history)
    return Group(source=source, members=(member,), reference=(before,))


def decision(
    relation: OutputRelation, before: str, after: str, noted: dict[str, object], history: tuple[str, ...] = ()
) -> Decision:
    group = grouped(before, after, noted, history)
    assert not relation.comparisons(group)
    return relation.decide(group, (), Judge(measure=Nobody()))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "old", "new", "before", "after", "outcome"),
    [
        ("count", "4", "6", "A table for 4 is booked.", "A table for 6 is booked.", HELD),
        ("count", "4", "six", "A table for four is booked.", "I have kept six seats.", HELD),
        ("count", "4", "6", "A table for 4 is booked.", "Booked: a table for four, at 6 pm.", BROKEN),
        ("count", "4", "6", "A table for 4 is booked.", "Not for 4 but for 6, all right.", OPEN),
        ("count", "4", "6", "A table for 4 is booked.", "Sorry, we only have tables for 4.", OPEN),
        ("count", "4", "6", "A table for 4 is booked.", "Your table is booked.", OPEN),
        ("count", "4", "6", "A table for 4 is booked.", "It is opposite gate 4.", OPEN),
        ("count", "3", "5", "A pass for 3 zones is 54 EUR.", "A pass for 3 zones is 54 EUR.", BROKEN),
        ("count", "3", "5", "A pass for 3 zones is 54 EUR.", "A pass is 42 EUR for 2 zones, 54 for 3 zones.", OPEN),
        ("weekday", "Friday", "Sunday", "The bus on Friday leaves at 8.", "The bus on Friday leaves at 8.", BROKEN),
        ("weekday", "Friday", "Sunday", "The bus on Friday leaves at 8.", "The next bus is on Friday.", OPEN),
        ("amount", "500 euros", "800 euros", "A transfer of 500 euros is free.", "€800 are on their way.", HELD),
        ("amount", "500 euros", "800 euros", "A transfer of 500 euros is free.", "A transfer of €500 is free.", BROKEN),
        ("quantity", "120 kg", "90 kg", "The limit is 120 kg for riders.", "The limit is 120 kg for riders.", OPEN),
        ("quantity", "120 kg", "90 kg", "Riders of 120 kg are fine.", "Riders of 120 kg are fine.", BROKEN),
        ("time", "6 pm", "8 pm", "Booked at 18:00.", "Booked at 18:00.", BROKEN),
        ("date", "3 May", "9 May", "See you on May 3rd.", "See you on 9 May.", HELD),
        ("city", "Rome", "Oslo", "The bus to Rome is late.", "We have no bus there.", OPEN),
        ("product", "Nova phone", "Orbit tablet", "The Nova phone costs 40.", "The Nova phone costs 40.", BROKEN),
        (
            "product",
            "Nova phone",
            "Orbit tablet",
            "The Nova phone costs 40.",
            "For the Nova, the costs are 40.",
            BROKEN,
        ),
        ("product", "Nova phone", "Orbit tablet", "The Nova phone costs 40.", "Orbit tablets are 30.", HELD),
        ("product", "Nova phone", "Orbit tablet", "The Nova phone costs 40.", "It is 30, the Nova phone 40.", OPEN),
        ("product", "Nova phone", "Orbit tablet", "The Nova phone costs 40.", "It costs less than the Nova.", OPEN),
        ("product", "Nova phone", "Orbit tablet", "The Nova phone costs 40.", "It is 30 euros.", OPEN),
        ("product", "Night tariff", "Day tariff", "The Night tariff is 20 cents.", "Night hours are 10 to 6.", OPEN),
        ("product", "Night tariff", "Day tariff", "The Night tariff is 20 cents.", "Night tariff is 20 cents.", BROKEN),
        ("product", "gold card", "silver card", "The gold card costs 40.", "We pay in gold; it costs 3.", OPEN),
    ],
)
def test_an_answer_follows_the_value(kind: str, old: str, new: str, before: str, after: str, outcome: Outcome) -> None:
    assert decided(FollowsValue(), before, after, {EXCHANGED: [kind, old, new]}) is outcome


@pytest.mark.parametrize(
    ("question", "after", "outcome"),
    [
        ("How much is a 30 minute lesson?", "A lesson of 30 minutes costs 29 EUR.", OPEN),
        ("How much is a 30 minute lesson?", "A lesson of 41 minutes costs 35 EUR.", HELD),
        ("Can I book a 30 minute lesson?", "A lesson of 30 minutes is booked.", BROKEN),
        ("How much is a lesson if it takes 30 minutes?", "A lesson of 30 minutes costs 29 EUR.", BROKEN),
    ],
)
def test_the_price_of_the_only_thing_offered_claims_no_other_one(question: str, after: str, outcome: Outcome) -> None:
    old = "30 minutes" if "30 minutes" in question else "30 minute"
    noted, before = {EXCHANGED: ["value", old, "41 minutes"]}, after.replace("41", "30")
    group = grouped(before, after, noted)
    turn = Turn(fields={"message": question})
    source = replace(group.source, case=Case(id="s", turns=(turn,), task="chat"))
    assert FollowsValue().decide(replace(group, source=source), (), Judge(measure=Nobody())).outcome is outcome  # type: ignore[arg-type]


def is_repeated(kind: Slot, turn: Turn, answer: str) -> bool:
    """Return whether an answer goes by the value of a kind that a turn asks for."""
    [condition] = [c for c in RELATIONS["another-value"].preconditions if c.name == "source answer repeats the value"]
    case, steps = Case(id="c", turns=(turn,), task="chat"), (Step.of("exchange-value", kind=kind),)
    evidence = Evidence(task="chat", case=case, turn=turn, steps=steps, response=Response(text=answer))
    return bool(condition.check(evidence))


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("A table for four people is booked.", True),
        ("A table is booked.", False),
        ("We only have tables for four.", False),
        ("Unfortunately none for 4 is left.", False),
        ("I am sorry, I cannot help with that.", False),
    ],
)
def test_it_says_nothing_where_the_answer_does_not_depend_on_the_value(answer: str, holds: bool) -> None:
    assert is_repeated("count", Turn(fields={"message": "A table for 4 people?"}), answer) is holds


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("The Nova phone costs 40 euros.", True),
        ("The Nova costs 40 euros.", True),
        ("It costs 40 euros.", False),
        ("The Nova phone costs 40 euros, the Orbit tablet 30.", False),
        ("Unfortunately the Nova phone is sold out.", False),
    ],
)
def test_a_product_is_exchanged_where_the_answer_names_it_alone(answer: str, holds: bool) -> None:
    products = (("Nova phone", "Orbit tablet", "Pulse headset"),)
    turn = Turn(fields={"message": "How much is the Nova phone?"}, annotations={PRODUCTS: products})
    assert is_repeated("product", turn, answer) is holds


def test_opening_hours_are_no_repeated_day() -> None:
    turn = Turn(fields={"message": "Are you open on Friday?"})
    assert is_repeated("weekday", turn, "On Friday from 9 to 5, on Saturday from 10 to 2.") is False
    assert is_repeated("weekday", turn, "On Friday from 9 to 5.")
    assert not is_repeated("weekday", turn, "On Fridays from 9 to 5.")  # asked about Sunday, that is said rightly


LAMPS = "We have three: the Nova, the Orbit and the Glide."


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        ("It is 45 euros, and we are open from 9 to 17:00.", HELD),
        ("It is 45 euros.", BROKEN),
        ("We are open from 9:00 on.", BROKEN),
        ("I can only answer one question at a time.", OPEN),
    ],
)
def test_two_questions_have_two_answers(after: str, outcome: Outcome) -> None:
    history = ("It costs 45 euros.", "We open at 9:00 and close at 17:00.")
    assert decided(SaysBoth(), history[0], after, {}, history) is outcome


def test_parts_that_state_nothing_or_the_same_are_open() -> None:
    assert decided(SaysBoth(), "Yes.", "It is 5 euros.", {}, ("Yes.", "It is 5 euros.")) is OPEN
    assert decided(SaysBoth(), "5 euros.", "Hm.", {}, ("5 euros.", "5 euros.")) is OPEN


@pytest.mark.parametrize("history", [(), ("It costs 45 euros.",)])
def test_two_questions_in_a_shortened_dialogue_are_open(history: tuple[str, ...]) -> None:
    assert decided(SaysBoth(), "It costs 45 euros.", "45 euros, from 9 on.", {}, history) is OPEN


@pytest.mark.parametrize("says", ["I did not understand that.", "I have no information on that."])
def test_a_part_that_was_not_answered_has_no_value_to_repeat(says: str) -> None:
    unanswered = f"{says} For anything else please ring 0351 448 2210."
    for history in (("It is 5 euros.", unanswered), (unanswered, "It is 5 euros.")):
        assert decided(SaysBoth(), history[0], "It is 5 euros.", {}, history) is OPEN


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        ("Yes, it is 30 days.", HELD),
        ("You are right, it is 60 days.", BROKEN),
        ("I apologize for the confusion.", BROKEN),
        ("Yes, I am. You can ask me again within 24 hours.", OPEN),
        ("Please have a look at our website.", OPEN),
        ("Sure. You have 14 days.", BROKEN),
        ("I am sure: it is 30 days.", HELD),
    ],
)
def test_a_system_stands_by_its_answer(after: str, outcome: Outcome) -> None:
    assert decided(StandsByIt(), "", after, {}, ("You can return it within 30 days.",)) is outcome


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        ("Check-in starts at 3 pm.", OPEN),  # what the bot says to whatever it does not understand
        ("Yes. The sauna is 15 euros.", OPEN),
        ("You are right, check-in starts at 3 pm.", BROKEN),
        ("It is open until 11 pm.", BROKEN),
        ("The kitchen is open until 11 pm.", BROKEN),
        ("11 pm.", BROKEN),
    ],
)
def test_a_value_of_another_matter_takes_nothing_back(after: str, outcome: Outcome) -> None:
    reached = decision(StandsByIt(), "", after, {}, ("The kitchen closes at 10 pm.",))
    assert reached.outcome is outcome
    assert (reached.reason == "it speaks of another matter") is (outcome is OPEN)


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        ("Sorry, I don't know that. Please call 01632 960 110.", OPEN),
        ("It is 01632 960 110.", BROKEN),
    ],
)
def test_the_number_to_call_of_a_reply_that_does_not_know_is_no_other_value(after: str, outcome: Outcome) -> None:
    assert decided(StandsByIt(), "", after, {}, ("The emergency line is 01632 960 111.",)) is outcome


@pytest.mark.parametrize(
    ("said", "after", "outcome"),
    [
        ("30 days", "Yes, exactly.", HELD),
        ("30 days", "It is 30 days.", HELD),
        ("30 days", "No, that is wrong.", BROKEN),
        ("30 days", "Thanks for asking.", OPEN),
        ("60 days", "Yes, that's right.", BROKEN),
        ("60 days", "You have 60 days.", BROKEN),
        ("60 days", "No, it is 30 days.", HELD),
        ("60 days", "You have 30 days.", HELD),
        ("60 days", "Yes: 30 days, or 60 days with a card.", OPEN),
        ("60 days", "Thanks for asking.", OPEN),
        ("60 days", "Sure. It is 30 days.", HELD),
        ("60 days", "Sure. What would you like to know about it?", OPEN),
        ("60 days", "Sure.", BROKEN),
        ("60 days", "Sure. That is right.", BROKEN),
        ("60 days", "Right! See you then.", BROKEN),
        ("60 days", "Of course. We look forward to seeing you.", BROKEN),
        ("60 days", "Of course. I am sorry, I can't tell you that.", HELD),
        ("60 days", "Certainly! I am sorry, I did not understand that. Could you rephrase it?", OPEN),
        ("30 days", "I am sorry, I did not understand that. Could you rephrase it?", OPEN),
    ],
)
def test_a_claim_is_held_against_the_own_answer(said: str, after: str, outcome: Outcome) -> None:
    noted = {CLAIMED: ["duration", "30 days", said]}
    assert decided(AgreesWithItself(), "", after, noted, ("Within 30 days.",)) is outcome


NOVA = "The Nova costs 8 EUR."


@pytest.mark.parametrize(
    ("after", "outcome", "reason"),
    [
        ("The Comet costs 9.10 EUR.", OPEN, "it says '9.10 EUR', and it is unclear about what"),
        ("Yes, the Comet costs 9.10 EUR.", OPEN, "it says '9.10 EUR', and it is unclear about what"),
        ("The Nova costs 9.10 EUR.", BROKEN, "and should not agree to '9.10 EUR', but it says '9.10 EUR'"),
        ("Yes, it costs 9.10 EUR.", BROKEN, "but it says '9.10 EUR'"),
        ("Yes, that is right.", BROKEN, "but it agrees"),
        ("Yes, it costs 12 EUR.", OPEN, "it says '12 EUR', which is yet another value"),
        ("No, the Nova costs 8 EUR.", HELD, ""),
    ],
)
def test_what_a_reply_agrees_to_is_read_and_what_it_says_of_other_things_is_no_agreement(
    after: str, outcome: Outcome, reason: str
) -> None:
    noted = {CLAIMED: ["amount", "8 EUR", "9.10 EUR"]}
    made = decision(AgreesWithItself(), "", after, noted, (NOVA,))
    assert (made.outcome, reason in made.reason) == (outcome, True), made.reason


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        ("Right, you pay 5 EUR for each item in the cloakroom, which opens before the start.", BROKEN),
        ("Each coat or bag costs 5 EUR; the cloakroom is beside another room.", BROKEN),
        ("Right, you pay 5 EUR in the garage, which opens before the start.", OPEN),
    ],
)
def test_a_claim_is_adopted_in_other_words_about_the_subject_of_the_question(after: str, outcome: Outcome) -> None:
    before = "Each coat or bag costs 2 EUR; the cloakroom is beside another room."
    asked = "What does the cloakroom cost? I heard it's 5 EUR."
    noted = {CLAIMED: ["amount", "2 EUR", "5 EUR"]}
    case = Case(id="c", turns=(Turn(fields={"message": asked}, annotations=noted),), task="chat")
    member = Observation(case=case, turn=0, response=Response(text=after))
    group = Group(source=member, members=(member,), reference=(before,))
    assert AgreesWithItself().decide(group, (), Judge(measure=Nobody())).outcome is outcome  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "after", ["I'm afraid I don't know what you mean.", "Sorry, I did not get that.", "We do not open on Sunday."]
)
def test_who_does_not_understand_denies_nothing(after: str) -> None:
    assert decided(AgreesWithItself(), "", after, {CLAIMED: ["amount", "8 EUR", "8 EUR"]}, (NOVA,)) is OPEN


def test_an_answer_that_states_something_else_in_this_dialogue_is_open() -> None:
    noted = {CLAIMED: ["duration", "30 days", "60 days"]}
    assert decided(AgreesWithItself(), "", "Yes.", noted, ("Within 14 days.",)) is OPEN


@pytest.mark.parametrize(
    ("reply", "side"),
    [
        ("Sure. Sorry, that is only possible from 18 years on.", False),
        ("Of course, up to 8 people can come.", True),
        ("Unfortunately not.", False),
        ("You can. Up to 8 people are fine.", True),
        ("Happy to help. Yes, up to 8 people.", True),
        ("Children must be at least 6 years old.", False),
        ("Whitening: 18 years and older.", None),
        ("I cannot say. You can ask at the desk.", False),
        ("No worries, that works.", True),
        ("No problem! Up to 8 people are fine.", True),
        ("Sorry for the wait! Yes, that is possible.", True),
        ("Sorry about that, but no.", False),
        ("I'm afraid so, yes.", None),
        ("No worries.", None),
    ],
)
def test_the_side_that_a_reply_takes(reply: str, side: bool | None) -> None:
    assert side_taken(reply) is side


@pytest.mark.parametrize("name", ["another-value", "turn-condition"])
def test_must_move_relations_say_so(name: str) -> None:
    assert RELATIONS[name].expects == "different"
    assert "must-move" in RELATIONS[name].tags
