"""Words that the replies to a question agree on: what leaves them out, exchanges or denies them is another answer."""

from __future__ import annotations

import numpy as np
import pytest

from mutatis.core.measure import Comparison, QuestionReplies, Repertoire, ReplyBlock, WordedReply
from mutatis.measures.agreed_words import AgreedWords, words_of
from mutatis.measures.agreement import AgreedFacts
from mutatis.measures.block_reading import BlockReading
from mutatis.measures.facts import facts
from mutatis.measures.placing import Placing
from mutatis.measures.repertoire import RepertoireMeasure, vectors_of_words


def question(message: str, *wordings: str, odd: str = "") -> QuestionReplies:
    """A question with two replies in each of these wordings, and one that is odd."""
    replies = [*wordings * 2, *([odd] if odd else [])]
    return QuestionReplies(
        source=WordedReply(message=message, text=wordings[0]),
        siblings=tuple(WordedReply(message=f"{message} ({n})", text=text) for n, text in enumerate(replies)),
    )


PAPERS = (
    "Please bring your passport and the vehicle registration.",
    "We need two papers from you: your passport and the vehicle registration.",
    "Have the vehicle registration and your passport at hand.",
)
BRACKETS = (
    "Please bring your passport (travel document).",
    "We need one paper from you: your passport (travel document).",
    "Have your passport (travel document) at hand.",
)
THEFT = (
    "Yes, the home insurance covers theft.",
    "Theft is covered by the home policy.",
    "You are safe: the home insurance pays for theft.",
)
CAR = (
    "Yes, the car insurance covers hail.",
    "Hail is covered by the car policy.",
    "You are safe: the car insurance pays for hail.",
)
DOG = ("Dogs are welcome here.", "Sure, bring your dog along.", "A dog is fine with us, and there is no charge for it.")
FOOD = (
    "Vegetarian food on every tour.",
    "You get vegetarian food on each tour.",
    "Each tour comes with vegetarian food.",
)
CLOSED = (
    "We are not open on Saturday afternoon: our hours are 9 am to 1 pm.",
    "On Saturday we are open from 9 am to 1 pm, not in the afternoon.",
    "We don't open on Saturday afternoon, only from 9 am to 1 pm.",
)
NIGHT = (
    "For a 16 kg dog we charge 28 euros per night, so 1 night costs 28 euros.",
    "1 night for a dog of 16 kg comes to 28 euros (28 euros a night).",
    "A dog of 16 kg stays for 28 euros a night: 28 euros for 1 night.",
)
BOOKED = (
    "Your table for 4 people at Mill Hall is booked.",
    "I have booked a table for 4 people at Mill Hall.",
    "Mill Hall has a table for 4 people, booked for you.",
)
SHOT = ("Your flu shot is at 15:00 in room 3.", "In room 3 at 3 pm.", "You get it at 15:00, room 3.")
EXPRESS = (
    "Your express SIM will come on Monday.",
    "The express SIM gets to you on Monday.",
    "On Monday the express SIM is with you.",
)
BACK = (
    "Yes, you can return a SIM within 14 days.",
    "Of course, we take a SIM back up to 14 days after the order.",
    "Sure, within 14 days a SIM may go back to us.",
)
PRICE = ("It costs 5 euros a month.", "You pay 5 euros per month.", "The fee is 5 euros monthly.")


def verdict(
    asked: str, wordings: tuple[str, ...], odd: str, *others: QuestionReplies, language: str = "en"
) -> tuple[str, str]:
    block = ReplyBlock(questions=(question(asked, *wordings, odd=odd), *others))
    comparison = Comparison(
        reference=(wordings[0],),
        answer=odd,
        question=asked,
        language=language,
        repertoire=Repertoire(block=block, place=0),
    )
    judged = RepertoireMeasure(vectors_of_words).compare([comparison])[0]
    return "open" if judged.open else "same" if judged.score >= 0.5 else "different", judged.reason


OTHERS = (question("Is hail covered by my car insurance?", *CAR), question("Do you take dogs?", *DOG))


@pytest.mark.parametrize(
    ("asked", "wordings", "odd", "reason"),
    [
        ("Which papers do I need?", PAPERS, "Please bring your passport.", "no mention of 'vehicle registration'"),
        (
            "Does my home insurance cover theft?",
            THEFT,
            "Theft is covered by the car policy.",
            "'car' in place of 'home'",
        ),
        ("Do you take dogs?", DOG, "A dog is not fine with us.", "it denies what the others affirm"),
        ("What is the fee?", PRICE, "The fee is 5 euros yearly.", "per year in place of per month"),
        (
            "Are you open on Saturday afternoon?",
            CLOSED,
            "Yes, on Saturday we are open from 9 am to 1 pm.",
            "it affirms what the others deny",
        ),
        ("When is my flu shot?", SHOT, "At 13:00 in room 3.", "13:00 in place of 3 pm"),  # room 3 is no hour
        ("Please book a table for 4 people.", BOOKED, "Your table at Mill Hall is booked.", "no mention of 4 people"),
    ],
    ids=["left out", "exchanged", "denied", "another period", "affirmed", "another hour", "a name for an amount"],
)
def test_a_reply_in_which_one_word_is_wrong_is_different(asked, wordings, odd, reason):
    others = [other for other in OTHERS if other.source is not None and other.source.message != asked]
    called, why = verdict(asked, wordings, odd, *others)
    assert (called, reason in why) == ("different", True), why


@pytest.mark.parametrize(
    ("asked", "wordings", "sound"),
    [
        ("Which papers do I need?", PAPERS, "Your passport and the vehicle registration, please."),
        ("Does my home insurance cover theft?", THEFT, "The home policy covers theft, too."),
        ("Do you take dogs?", DOG, "There is no problem with a dog here; bring it along."),
        ("What is the fee?", PRICE, "The fee is 5 euros."),
        ("Which papers do I need?", BRACKETS, "Please bring your passport."),
        ("Are you open on Saturday afternoon?", CLOSED, "On Saturday we are open from 9 am to 1 pm."),
        ("My dog weighs 16 kg. How much is one night?", NIGHT, "For 16 kg it's 28 euros each night."),
        ("My dog weighs 16 kg. How much is one night?", NIGHT, "One night costs 28 euros."),
        ("What is the capital of France?", ("The capital of France is Paris.",) * 3, "It is Paris."),
        ("If I order an express SIM today, which day does it come?", EXPRESS, "The express one comes on Monday."),
        ("I ordered a SIM. Can I send it back?", BACK, "Yes, orders can be cancelled within 14 days."),
    ],
    ids=[
        "all of it",
        "the same thing",
        "no problem",
        "no period",
        "an aside",
        "hours that mean no",
        "one night in other words",
        "an answer need not repeat its question",
        "what was asked is not said again",
        "the name in the question is not repeated",
        "nor after a yes",
    ],
)
def test_a_sound_reply_is_not_different(asked, wordings, sound):
    called, why = verdict(asked, wordings, sound, *OTHERS)
    assert called != "different", why


JOIN = "Can my 12-year-old join?"
AGES = ("Yes, the orchestra is for ages 11 to 18.", "From 11 to 18 you can join.", "Sure, from 11 to 18 they can join.")
FITS = ("Yes, 12 fits.", "Of course, 12 is fine.", "Sure, at 12 they can join.")
WEEKEND = "Is the office open on Saturdays?"
SHUT = (
    "No, the office is closed on Saturdays.",
    "Sorry, Saturdays the office is closed.",
    "No, it is not open on Saturdays.",
)
FAR = "Do you deliver to a place 90 km away?"
TOO_FAR = (
    "No, at 90 km it is too far for us.",
    "Sorry, 90 km is too far, we cannot come.",
    "No, we do not drive 90 km.",
    "No, we deliver up to 80 km only.",
)


@pytest.mark.parametrize(
    ("asked", "wordings", "odd", "differs"),
    [
        (JOIN, AGES, "Yes indeed, 12 fits.", False),
        (JOIN, AGES, "No, at 12 they cannot join.", True),
        (JOIN, FITS, "Sure, at 15 they can join.", True),
        (WEEKEND, SHUT, "No, the office works from Monday to Friday.", False),
        (WEEKEND, SHUT, "Yes, the office is open on Saturdays.", True),
        (FAR, TOO_FAR, "Sorry, we only deliver up to 80 km.", False),
        (FAR, TOO_FAR, "No, at 19 km it is too far for us.", True),
    ],
)
def test_a_reply_to_a_yes_no_question_may_repeat_its_value_or_state_the_limits(
    asked: str, wordings: tuple[str, ...], odd: str, differs: bool
) -> None:
    called, why = verdict(asked, wordings, odd, *OTHERS)
    assert (called == "different") is differs, why


def test_outside_english_a_day_is_denied_by_its_name_or_by_the_other_days():
    denied = ("Non, pas le lundi.", "Le lundi, le dépôt est fermé.", "Désolé, non : le lundi, nous sommes fermés.")
    odd = "Non, désolé : le dépôt est ouvert du mardi au samedi."
    called, why = verdict("Le dépôt est-il ouvert le lundi ?", denied, odd, language="fr")
    assert called != "different", why


LIST = "A consultation costs 45 euros for a dog, 42 euros for a cat, 35 euros for a rabbit and 30 euros for a hamster."


@pytest.mark.parametrize(
    ("listed", "called"),
    [(LIST, "open"), ("A cat stays for 16 euros a night.", "different")],
    ids=["a list with the price", "another price"],
)
def test_a_list_that_contains_the_answer_is_left_open(listed, called):
    examined = ("We charge 45 euros to examine a dog.",) * 3
    others = (
        question("How much is a consultation?", LIST, LIST, LIST),
        question("How much is boarding for a cat?", *("A cat stays for 16 euros a night.",) * 3),
        question("What is the fee?", *PRICE),
        *OTHERS,
    )
    told, why = verdict("How much is a consultation for a dog?", examined, listed, *others)
    assert told == called, why


def test_five_siblings_are_needed():
    replies = (*PAPERS, "Please bring your passport.")
    asked = QuestionReplies(
        source=WordedReply(message="Which papers?", text=replies[0]),
        siblings=tuple(WordedReply(message=f"Papers {n}?", text=text) for n, text in enumerate(replies[1:])),
    )
    placing = Placing(BlockReading(ReplyBlock(questions=(asked, *OTHERS)), vectors_of_words))
    cut = placing.place(placing.reading.read(replies[-1]), 0)
    assert cut.where != "elsewhere", cut.reason


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("129 euros a night", ["per night"]),
        ("EUR 14.99/month", ["per month"]),
        ("5 euros per year, 1 euro a day", ["per year", "per day"]),
        ("billed annually", ["per year"]),
        ("18 euros a head", ["per person"]),
        ("2 euros per person and night", ["per person", "per night"]),
        ("24 months, a day later", []),
    ],
)
def test_rates_are_facts(text, periods):
    assert [fact.text for fact in facts(text) if fact.kind == "rate"] == periods


FIELDWORK = (
    "No, law does not require an internship.",
    "Law can be completed without an internship.",
    "You need no internship for law.",
)


@pytest.mark.parametrize(("odd", "called"), [("Meat-free food", "open"), ("Free food", "different")])
def test_a_word_in_a_compound_does_not_stand_in_place_of_another(odd: str, called: str) -> None:
    parking = question("What is parking?", "Parking is free.", "You park for free.", "It is free to park here.")
    told, reason = verdict("What is there to eat?", FOOD, f"{odd} on every tour.", parking, *OTHERS)
    assert told == called, reason


@pytest.mark.parametrize(
    ("odd", "expected"),
    [
        ("An internship is optional in law.", "same"),
        ("Most students of law go abroad.", "same"),
        ("Students of law must do an internship.", "different"),
        ("You cannot graduate in law without an internship.", "different"),
    ],
)
def test_yes_and_no_are_told_in_other_words(odd: str, expected: str) -> None:
    asked = "Do I need an internship for law?"
    said, why = verdict(asked, FIELDWORK, odd, *OTHERS)
    assert said == expected or (expected, said) == ("same", "open"), why


def test_the_other_side_of_a_fifth_of_the_replies_is_another_answer() -> None:
    asked, no = "Do I need an internship for law?", "No, law does not require an internship."
    yes = "Yes, law requires an internship."
    replies = (*FIELDWORK * 3, no, yes, "Students of law have to do an internship, yes.")
    block = ReplyBlock(questions=(question(asked, *replies[:-2], odd=yes), *OTHERS))
    judged = RepertoireMeasure(vectors_of_words).compare(
        [Comparison(reference=(no,), answer=yes, question=asked, repertoire=Repertoire(block=block, place=0))]
    )[0]
    assert (judged.open, judged.score < 0.5) == (False, True), judged.reason


def test_missing_words_are_quoted_in_their_order_in_every_language():
    papers = ("Bitte bringen Sie Ausweis und Zulassung mit.", "Ausweis und Zulassung bringen Sie bitte mit.")
    replies = tuple(WordedReply(message="Was soll ich mitbringen?", text=text) for text in papers * 3)
    block = ReplyBlock(questions=(QuestionReplies(source=replies[0], siblings=replies[1:]),))
    reading = BlockReading(block, vectors_of_words, "de")
    words = AgreedWords(reading, AgreedFacts(reading))
    stems = words_of(papers[0], "de").content.keys() & words_of("Ausweis Zulassung", "de").content.keys()
    assert words._quoted(stems, np.arange(2)) == "'Ausweis Zulassung'"


@pytest.mark.parametrize(
    ("odd", "expected"),
    [
        ("信用卡可以，现金不行。", "open"),
        ("信用卡不行，现金可以。", "different"),
        ("信用卡不行。", "different"),
    ],
    ids=["another thing is denied", "another thing is affirmed", "denied"],
)
def test_outside_english_the_clause_about_the_question_decides_its_side(odd: str, expected: str) -> None:
    wordings, asked = ("可以用信用卡。", "信用卡没问题，可以用。", "可以，我们接受信用卡。"), "可以用信用卡付款吗？"
    others = (question("几点开门？", "九点开门。", "九点开门，您好。", "上午九点开门。"),)
    block = ReplyBlock(questions=(question(asked, *wordings, odd=odd), *others))
    comparison = Comparison(
        reference=(wordings[0],),
        answer=odd,
        question=asked,
        language="zh",
        repertoire=Repertoire(block=block, place=0),
    )
    judged = RepertoireMeasure(vectors_of_words).compare([comparison])[0]
    called = "open" if judged.open else "same" if judged.score >= 0.5 else "different"
    assert called == expected, judged.reason


WINTER = (
    "No, we are closed from 1 November to 31 March.",
    "We are closed from 1 November until 31 March.",
    "Closed: the camp is shut from 1 Nov to 31 March.",
)


@pytest.mark.parametrize(
    ("odd", "same"),
    [
        ("We are closed then; the season is 1 April to 31 October.", True),
        ("We are closed then; we are open from April to October.", True),
        ("From 1 April to 31 October the camp is open.", True),
        ("We are closed then; the season is 1 May to 31 October.", False),
        ("The camp is closed from 1 April to 31 October.", False),
    ],
)
def test_the_rest_of_the_year_is_the_same_season(odd: str, same: bool) -> None:
    assert (verdict("Are you open in November?", WINTER, odd, *OTHERS)[0] != "different") is same
    known = BlockReading(ReplyBlock(questions=(question("Open?", *WINTER), *OTHERS)), vectors_of_words)
    reply = known.read(odd)  # of no reply of the block
    told = AgreedFacts(known).contradiction(reply, known.questions[0].members)
    assert (told is None) is same


FEES = (
    "Free 30 or more days ahead, 50 % from 29 to 14 days, 80 % from 13 to 7 days, and everything with less.",
    "You pay nothing with 30 days to go, 50 % from 29 to 14 days, 80 % from 13 to 7 days, and all of it with less.",
)


@pytest.mark.parametrize(
    ("odd", "called"),
    [
        ("Cancelling is free until 30 days ahead, 50 % until 14 days, 80 % until 7 days and 100 % after that.", False),
        ("Cancelling is free until 30 days ahead, 50 % until 14 days, 90 % until 7 days and 100 % after that.", True),
    ],
)
def test_a_percentage_is_not_in_place_of_a_number_of_days(odd: str, called: bool) -> None:
    known = BlockReading(ReplyBlock(questions=(question("Is it free?", *FEES, odd=odd), *OTHERS)), vectors_of_words)
    reply, support = known.read(odd), known.states[known.questions[0].members].mean(axis=0)
    told = AgreedFacts(known)._different_fact(
        reply, known.questions[0].members, support, None, in_question=(), is_no=False
    )
    assert told == ("90 % in place of 80 %" if called else None)
