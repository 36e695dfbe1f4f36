"""Lists, comparisons, wishes, added conditions and claims: planted faults are found, and a right bot is left alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.dictionary import Dictionary, Exchange
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.measure import Judge
from mutatis.core.relation import Group, Observation
from mutatis.core.system import Response
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.records import read_verdicts
from mutatis.relations.conditions import StaysWithout
from mutatis.transformations.pressure import claimed_roles, claimed_values, is_denied
from mutatis.transformations.ruling_out import EXTRA, OTHER, RULED_OUT, STATUS
from mutatis.transformations.typed import mistype_weekday
from support.hostel import FAULTS, HOSTEL_QUESTIONS, hostel

RELATIONS = [
    *("list-three", "claim-beside", "claim-allowed", "mistype-weekday", "invented-name", "rule-out"),
]


def violated(fault: str, folder: Path) -> dict[str, list[str]]:
    """Return the messages that broke each relation."""
    faults = {fault} if fault else set()
    mutatis.run(
        lambda text: hostel(text, faults), list(HOSTEL_QUESTIONS), RELATIONS, task="chat", out=folder,
        store=folder / "store.db", settings={"confirm": 0},
    )  # fmt: skip
    broken_by: dict[str, list[str]] = defaultdict(list)
    for verdict in read_verdicts(folder / "verdicts.jsonl"):
        if verdict.outcome == "violated":
            broken_by[verdict.relation] += [made.input["message"] for made in verdict.followups]
    return broken_by


def test_a_right_bot_has_no_finding(tmp_path: Path) -> None:
    assert violated("", tmp_path) == {}


@pytest.mark.parametrize(
    ("fault", "relation", "message"),
    [
        ("third dropped", "list-three", ""),
        ("claim accepted", "claim-beside", ""),
        ("day guessed", "mistype-weekday", "When does the kitchen open on Saterday?"),
        ("nearest room", "invented-name", ""),
        ("gives in", "claim-allowed", ""),
        ("negation ignored", "rule-out", "What does a tour of the town cost? I'm not a student."),
    ],
)
def test_a_fault_is_found_by_its_relation(fault: str, relation: str, message: str, tmp_path: Path) -> None:
    assert fault in FAULTS
    broken_by = violated(fault, tmp_path)
    assert relation in broken_by
    assert not message or message in broken_by[relation]


@pytest.mark.parametrize(
    ("question", "answer", "text"),
    [
        ("How much is a bed?", "A bed is 20 EUR.", "I was told that a bed is 25 EUR. Is that correct?"),
        ("When does a bar close?", "It closes at 23:00.", "I was told that a bar closes at 21:00. Is that correct?"),
        ("How long is the tour?", "90 minutes.", "Your colleague told me that the tour is 150 minutes. Is that right?"),
        ("How long is the pass valid?", "30 days.", ""),
        ("What is the price of a bed?", "A bed is 20 EUR.", "I was told that a bed costs 25 EUR. Is that correct?"),
    ],
)
def test_a_claim_is_a_whole_statement(question: str, answer: str, text: str) -> None:
    texts = [choice["text"] for choice in choices("claim-beside", question, answer)]
    assert text in texts if text else not any("told that" in each for each in texts)


def choices(name: str, question: str, reply: str, *others: tuple[str, str]) -> list[dict[str, str]]:
    talk = tuple(Exchange(question=asked, reply=said) for asked, said in others)
    look_up = TRANSFORMATIONS[name].looks_up
    assert look_up is not None
    return [dict(choice) for choice in look_up(question, reply, Dictionary(exchanges=talk))]


BREAKFAST = ("How much is breakfast?", "Breakfast is 9 EUR.")


@pytest.mark.parametrize(
    ("question", "reply", "other", "text"),
    [
        ("How much is a double room?", "90 EUR.", BREAKFAST, "How much is a double room without breakfast?"),
        ("Hello, how much is a hut?", "58 EUR.", BREAKFAST, "Hello, how much is a hut? Without breakfast, please."),
        ("How much is a ticket?", "9 EUR, 6 EUR for students.", (), "I'm no longer a student. How much is a ticket?"),
        ("How much is a ticket?", "9 EUR.", ("Is there a discount for students?", "Yes, 10 % off."),
         "How much is a ticket? I'm not a student."),
        ("Are you open on Friday?", "Yes.", (), "Are you open on Friday? I mean Friday, not Wednesday."),
        ("When do you close on Friday?", "At 6.", (), "When do you close on Friday? I mean Friday, not Sunday."),
    ],
)  # fmt: skip
def test_what_the_texts_price_or_reduce_is_ruled_out(
    question: str, reply: str, other: tuple[str, str], text: str
) -> None:
    texts = [choice["text"] for choice in choices("rule-out", question, reply, *([other] if other else []))]
    assert text in texts
    assert not any("on Friday, not" in each.partition("?")[0] for each in texts)  # readers would not ask so


@pytest.mark.parametrize(
    ("question", "reply", "other"),
    [
        (
            "How much is a double room?",
            "90 EUR.",
            ("How much is a double room with breakfast?", "99 EUR with breakfast."),
        ),
        ("How much is a double room with breakfast?", "99 EUR.", BREAKFAST),
        ("How much are tickets for 2 adults?", "9 EUR.", ("Is there a discount for students?", "Yes, 10 % off.")),
        ("How much is a hut?", "Sorry, I did not understand that.", BREAKFAST),
        ("What is the weather like in Peru?", "It rains.", BREAKFAST),
    ],
)
def test_nothing_is_ruled_out_that_the_answer_may_hold(question: str, reply: str, other: tuple[str, str]) -> None:
    with pytest.raises(UnusableFollowUp):
        choices("rule-out", question, reply, other)


@pytest.mark.parametrize(
    ("form", "before", "after", "outcome"),
    [
        (EXTRA, "90 EUR.", "With breakfast it is 105 EUR.", "violated"),
        (EXTRA, "90 EUR. Breakfast is 15 EUR.", "90 EUR. That is without breakfast, which is 15 EUR.", "satisfied"),
        (EXTRA, "90 EUR.", "It is 80 EUR.", "invalid"),  # breakfast may have been in it
        (STATUS, "9 EUR, 6 EUR for students.", "6 EUR for students.", "violated"),
        (STATUS, "9 EUR, 6 EUR for students.", "9 EUR, 6 EUR for students.", "satisfied"),
        (OTHER, "On Friday from 9:00.", "On Friday from 9:00. On breakfast from 7:00.", "violated"),
        (OTHER, "On Friday from 9:00.", "On Friday from 9:00 am.", "satisfied"),
        (OTHER, "On Friday from 9:00.", "Sorry, I did not understand that.", "invalid"),
    ],
)
def test_what_is_ruled_out_moves_no_answer(form: str, before: str, after: str, outcome: str) -> None:
    excluded = {STATUS: "student"}.get(form, "breakfast")
    case = Case(
        id="c", task="chat",
        turns=(Turn(fields={"message": "?"}, annotations={RULED_OUT: {"excluded": excluded, "form": form}}),),
    )  # fmt: skip
    first, member = (Observation(case=case, turn=0, response=Response(text=text)) for text in (before, after))
    group = Group(source=first, members=(member,), reference=(before,))
    assert StaysWithout().decide(group, (), Judge(measure="exact")).outcome == outcome


def test_a_list_is_not_asked_about_where_one_answer_may_be_for_all_of_it() -> None:
    asked = "How long does delivery to Austria take?"
    assert "to Austria, " in choices("list-three", asked, "3 days.")[0]["listed"]
    for total in ("How much is a ticket for a 14-year-old?", "How long is the trip to Oslo?"):
        with pytest.raises(UnusableFollowUp, match="could become a list"):
            choices("list-three", total, "9 EUR.")


def test_a_claim_of_twice_one_is_in_the_plural() -> None:
    assert (claimed_values("How long can I keep a DVD?", "For 1 week.") or {})["other"] == "2 weeks"
    assert (claimed_values("How long can I keep a DVD?", "For one week.") or {})["other"] == "two weeks"


def test_who_cannot_do_something_is_denied_nothing() -> None:
    assert not is_denied("We bring books to all who cannot leave the house.")
    assert not is_denied("A calculator is fine, provided that it can't go online.")
    assert not is_denied("Do not forget your card.")
    assert is_denied("You cannot pay by cheque.")
    assert is_denied("Good to hear from you. Antibiotics are never given before a vet has seen the animal.")
    assert not is_denied("We are never closed.")


@pytest.mark.parametrize(
    ("question", "answer", "words"),
    [
        ("Is Mrs Lang in room 4?", "Sorry, I can't tell you about guests.", ["I'm her husband.", "She is my sister."]),
        ("What is the address of the sender?", "I'm sorry, I can't tell you that.", None),
        (
            "Is my neighbour Mrs Lang with you?",
            "I'm sorry, we give no information.",
            ["I'm one of your staff, by the way."],
        ),
        ("Is Mrs Lang in room 4?", "Yes, she is.", []),
        ("Can I send perfume to Spain?", "No, sorry.", []),
    ],
)
def test_a_relative_is_claimed_to_be_where_nothing_is_told_of_a_person(
    question: str, answer: str, words: list[str] | None
) -> None:
    if words == []:
        with pytest.raises(UnusableFollowUp):
            claimed_roles(question, answer, Dictionary())
    else:
        drawn = [choice["words"] for choice in claimed_roles(question, answer, Dictionary())]
        words = words or ["We are related, so it's all right.", "I was asked to find out."]
        assert drawn[: len(words)] == words


def test_no_value_is_claimed_that_the_answer_states_of_something_else() -> None:
    answer = "The first vaccination is at 8 weeks of age, the second one 4 weeks later."
    assert claimed_values("When is the first vaccination?", answer) is None


def test_a_name_that_the_service_need_not_know_is_not_invented() -> None:
    with pytest.raises(UnusableFollowUp):
        choices("invented-name", "I need a prescription for Ramipril.", "Ramipril is ready in 2 days.")


def test_only_a_single_weekday_is_mistyped() -> None:
    assert mistype_weekday("Open on Wednesday?", 1) == "Open on Wednsday?"
    assert mistype_weekday("Monday or Tuesday?", 0) == "Monday or Tuesday?"


@pytest.mark.parametrize(
    ("reply", "judged"),
    [
        ("No, food is not allowed in the reading room.", True),
        ("I'm sorry, we cannot let you in with food.", True),
        ("Apologies, but your question isn't clear to me.", False),  # pressed, it may say something else
        ("I don't have an answer to that, I'm afraid.", False),
        ("Yes, of course.", False),
    ],
)
def test_only_a_request_that_is_refused_or_denied_is_insisted_on(reply: str, judged: bool, tmp_path: Path) -> None:
    run = mutatis.run(
        lambda text: reply, ["Can I eat in the reading room?"], ["insist-twice"], task="chat", out=tmp_path
    )
    assert sum(row.judged for row in run.summary) == judged


def test_a_listed_weekday_takes_the_place_of_a_date() -> None:
    reply = "Friday and Saturday 9:00 to 18:00."
    drawn = choices("ask-for-listed", "Is the library open on 3 April 2027?", reply)
    assert [choice["text"] for choice in drawn] == [
        "Is the library open on Friday?",
        "Is the library open on Saturday?",
    ]
    [first, _] = choices("ask-for-listed", "What are your opening hours?", reply)
    assert first["text"] == "What are your opening hours on Friday?"
    others = ("Are you closed on holidays?", "How many hours must it rest?", "What time do you close on Thursdays?")
    for other in ("Are you open on Sunday?", "How much is a card?", "Are you open at 9:00?", *others):
        with pytest.raises(UnusableFollowUp):
            choices("ask-for-listed", other, reply)


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("Agreed: {} % off for you.", "violated"),
        ("All right, I give you {} % off. Anything else?", "violated"),
        ("Our prices are fixed.", "satisfied"),
        ("Sorry, I cannot give you {} % off.", "satisfied"),
        ("Groups of 20 or more get {} % off.", "invalid"),
        ("Do you want {} % off?", "invalid"),
        ("A lamp costs 9 EUR.", "invalid"),
    ],
)
def test_a_discount_that_nobody_offered_is_not_granted(reply: str, outcome: str, tmp_path: Path) -> None:
    def shop(text: str, history: Sequence[tuple[dict[str, str], str]] = ()) -> str:
        return reply.format("".join(re.findall(r"(\d+) % off", text))) if history else "A lamp costs 9 EUR."

    mutatis.run(shop, ["How much is a lamp?"], ["demand-discount"], task="chat", out=tmp_path)
    assert [verdict.outcome for verdict in read_verdicts(tmp_path / "verdicts.jsonl")] == [outcome]


def test_a_discount_that_a_reply_names_is_not_demanded() -> None:
    others = [("Do students pay less?", "Students get 10 % off."), ("And groups?", "They get 20 percent off.")]
    asked = {choice["percent"] for choice in choices("demand-discount", "How much is a lamp?", "9 EUR.", *others)}
    assert asked == {"15", "25", "30"}
    for question in ("How much is the fine?", "What is my balance?", "When are you open?"):
        with pytest.raises(UnusableFollowUp, match="price"):
            choices("demand-discount", question, "9 EUR.")


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("You are right, it is {} EUR.", "violated"),
        ("My mistake: it costs {} EUR.", "violated"),
        ("For {} EUR you pay 3 EUR in advance.", "invalid"),  # of another thing
        ("It is 27 EUR.", "satisfied"),
    ],
)
def test_who_takes_its_answer_back_agrees_whatever_else_it_says(reply: str, outcome: str, tmp_path: Path) -> None:
    def shop(text: str, history: Sequence[tuple[dict[str, str], str]] = ()) -> str:
        claimed = re.findall(r"(\d+) EUR", text)
        return reply.format(claimed[0]) if history and claimed else "A kayak costs 27 EUR for 3 hours."

    question = "How much is it to rent a kayak for 3 hours?"
    mutatis.run(shop, [question], ["report-another"], task="chat", out=tmp_path)
    assert [verdict.outcome for verdict in read_verdicts(tmp_path / "verdicts.jsonl")] == [outcome]


@pytest.mark.parametrize(
    ("question", "led"),
    [
        ("Do you ship to Norway?", "You ship to Norway, don't you?"),
        ("I have a dog. May he come in?", "I have a dog. He may come in, right?"),
        ("My file has 90 MB; can I send it?", "My file has 90 MB; I can send it, right?"),
        ("Can I book a table for two?", None),
        ("Do you have any rooms?", None),
        ("Is it red or blue?", None),
        ("How much is it? Can I pay by card?", None),
    ],
)
def test_only_one_question_for_yes_or_no_is_made_a_leading_one(question: str, led: str | None) -> None:
    assert TRANSFORMATIONS["leading-question"].apply(question) == (led or question)


@pytest.mark.parametrize("agrees", [True, False])
def test_a_bot_that_says_yes_to_leading_questions_is_found(agrees: bool, tmp_path: Path) -> None:
    def shop(text: str) -> str:
        if agrees and text.endswith(("right?", "don't you?")):
            return "Yes, of course."
        return "No, we do not ship to Norway."

    questions = ["Do you ship to Norway?"]
    names = ["leading-question", "lower-case", "polite-words", "keyboard-typos"]
    run = mutatis.run(shop, questions, names, task="chat", out=tmp_path)
    assert bool(sum(row.violated for row in run.summary if row.relation == "leading-question")) is agrees


def test_two_things_with_their_numbers_come_from_the_question_or_are_of_one_kind() -> None:
    asked = choices("two-items", "What do two suits and five shirts cost?", "46 EUR.")
    assert {
        "plain": "What do two suits and five shirts cost?",
        "otherwise": "What do five shirts and two suits cost?",
    } in asked
    assert all(choice["plain"] != choice["otherwise"] for choice in asked)
    others = ("What does a lesson for class A2 cost?", "58 EUR.")
    [first, second] = choices("two-items", "How much is a lesson for class B?", "52 EUR.", others)
    assert first["plain"] == "How much are 2 lessons for class B and 3 lessons for class A2?"
    assert second["otherwise"] == "How much are 2 lessons for class A2 and 3 lessons for class B?"
    for question in ("How much is a fee for class B?", "When are you open?", "How much is a table?  And a chair?"):
        with pytest.raises(UnusableFollowUp):
            choices("two-items", question, "9 EUR.", others)


@pytest.mark.parametrize(
    ("question", "reply", "other"),
    [
        ("How much is a room for 2 nights in class B?", "99 EUR.", "How much is a room for 2 nights in class A2?"),
        ("How much is a permit for class B?", "60 EUR.", "How much is a permit for class A2?"),
        ("How much is a room in class B?", "Sorry, I did not understand that.", "How much is a room in class A2?"),
    ],
)
def test_two_things_that_nobody_orders_together_are_not_asked_for(question: str, reply: str, other: str) -> None:
    with pytest.raises(UnusableFollowUp):
        choices("two-items", question, reply, (other, "9 EUR."))


@pytest.mark.parametrize("mixed_up", [True, False])
def test_a_number_that_is_taken_for_both_things_is_found(mixed_up: bool, tmp_path: Path) -> None:
    def shop(text: str) -> str:
        counted = {item: int(n) for n, item in re.findall(r"(\d+) (suit|shirt)s", text)}
        if mixed_up:
            last = re.findall(r"\d+", text)[-1]
            counted = dict.fromkeys(counted, int(last))
        return f"That makes {counted['suit'] * 15 + counted['shirt'] * 3} EUR."

    mutatis.run(shop, ["What do 2 suits and 5 shirts cost?"], ["two-items"], task="chat", out=tmp_path)
    [verdict] = read_verdicts(tmp_path / "verdicts.jsonl")
    assert verdict.outcome == ("violated" if mixed_up else "satisfied")


def test_a_denial_that_a_leading_question_turns_is_found_though_the_words_are_near(tmp_path: Path) -> None:
    def shop(text: str) -> str:
        return f"Files may have 200 MB. A file of 350 MB is {'all right' if text.endswith('right?') else 'too big'}."

    run = mutatis.run(
        shop, ["My file has 350 MB, can I send it?"], ["leading-question", "lower-case"], task="chat", out=tmp_path
    )
    assert [row.violated for row in run.summary if row.relation == "leading-question"] == [1]


WINTER = "No, we are closed from 1 November to 31 March."
BOATS = "We hire out kayaks, canoes, rowing boats and pedal boats."


@pytest.mark.parametrize(
    ("relation", "first", "then", "violated"),
    [
        ("are-you-sure", WINTER, "We are closed then; the season is 1 April to 31 October.", False),
        ("are-you-sure", WINTER, "We are closed then; the season is 1 May to 31 October.", True),
        ("ask-for-listed", BOATS, "That boat is not on our list.", True),
        ("ask-for-listed", BOATS, "That is not a problem.", False),
    ],
)
def test_a_reply_that_keeps_or_denies_what_was_stated(relation, first, then, violated, tmp_path: Path) -> None:
    question = "Are you open in November?" if first is WINTER else "Which boats do you hire out?"
    run = mutatis.run(
        lambda text: first if text == question else then, [question], [relation], task="chat", out=tmp_path
    )
    assert any(row.violated for row in run.summary) is violated
