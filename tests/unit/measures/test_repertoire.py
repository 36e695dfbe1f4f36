"""The judge that goes by all that a system said: facts, small talk, company, nearness, and what is left open."""

import re
from dataclasses import replace

import numpy as np
import pytest

from mutatis.core.measure import (
    NOT_UNDERSTOOD,
    SOURCE_IS_ODD,
    UNSTABLE,
    Comparison,
    QuestionReplies,
    Repertoire,
    ReplyBlock,
    Similarity,
    WordedReply,
)
from mutatis.measures.block_reading import serial_places
from mutatis.measures.facts import facts, masked_reply, names_of, same_fact
from mutatis.measures.repertoire import ANOTHER_REPLY, RepertoireMeasure, vectors_of_words
from mutatis.measures.small_talk import small_talk, without

PRODUCTS = ("Nova", "Orbit", "Breeze", "Pulse")
IN_STOCK = ("Yes, we have the {} right here.", "The {} can be picked up today.", "There are some of the {} left.")
SOLD_OUT = ("We ran out of the {}.", "Sorry, more {} come next week.", "Nothing remains of the {} just now.")
LOST = "Please say that again."


def question(message: str, replies: list[str], others: tuple[str, ...] = ()) -> QuestionReplies:
    source, *siblings = [WordedReply(message=message, text=text) for text in replies]
    more = tuple(WordedReply(message=message, text=text) for text in others)
    return QuestionReplies(source=source, siblings=tuple(siblings), others=more)


def stock(product: str, wordings: tuple[str, ...], odd: tuple[str, ...] = ()) -> QuestionReplies:
    replies = [wordings[number % 3].format(product) for number in range(9 - len(odd))]
    return question(f"Do you have the {product}?", [*replies, *(text.format(product) for text in odd)])


def shop(*first: QuestionReplies) -> ReplyBlock:
    """The questions given, and enough others for both kinds of answers to be known."""
    known = [stock(name, IN_STOCK) for name in ("Lumen", "Glide")] + [stock(n, SOLD_OUT) for n in ("Swift", "Harbor")]
    lost = [question(f"{word}?", [LOST] * 9) for word in ("Grmpf", "Asdf")]
    price = question("What is delivery?", ["It costs 5 euros.", "EUR 5.", "5 euros, please."] * 3)
    return ReplyBlock(questions=(*first, *known, *lost, price))


@pytest.fixture(scope="module")
def measure() -> RepertoireMeasure:
    return RepertoireMeasure(vectors_of_words)


def judged(
    measure: RepertoireMeasure, block: ReplyBlock, answer: str, *, reference: str = "", place: int = 0
) -> Similarity:
    source = block.questions[place].source
    assert source is not None
    repertoire = Repertoire(block=block, place=place)
    comparison = Comparison(
        reference=(reference or source.text,), answer=answer, question=source.message, repertoire=repertoire
    )
    return measure.compare([comparison])[0]


def word(similarity: Similarity) -> str:
    return "open" if similarity.open else "same" if similarity.score >= 0.5 else "different"


def test_wordings_without_a_word_in_common_are_the_same_where_they_are_said_to_the_same_questions(measure):
    block = shop(stock("Nova", IN_STOCK))
    similarities = [judged(measure, block, wording.format("Nova")) for wording in IN_STOCK]
    assert [word(similarity) for similarity in similarities] == ["same"] * 3
    assert similarities[0].score == 1.0  # the same text
    assert "worded like its siblings" in similarities[1].reason


def test_an_answer_that_is_said_to_other_questions_is_different_though_its_words_are_near(measure):
    odd = SOLD_OUT[0]
    block = shop(stock("Nova", IN_STOCK, odd=(odd,)))
    similarity = judged(measure, block, odd.format("Nova"))
    assert word(similarity) == "different"
    assert similarity.reason.startswith("this answer is the odd one out: worded like replies to other questions")
    assert similarity.cause == ANOTHER_REPLY.format(message="Do you have the Swift?")
    [asked] = re.findall("those to '(.*)' are most similar to it", similarity.reason)
    assert asked == "Do you have the Swift?"


@pytest.mark.parametrize(("number", "verdict"), [("2", "open"), ("3", "different"), ("2 large or 4", "different")])
def test_a_reply_with_its_own_question_s_value_is_not_elsewhere_for_its_words(measure, number, verdict):
    telling = (
        "The large boot of our roomy {} hire vehicle offers enough room for {} bags.",
        "Luggage space measured inside our {} model: altogether {} pieces.",
        "Families pack {1} trunks into that {0} comfortably, customers report.",
    )
    fitting = "You can stow {1} usual suitcases behind the back seats, if the car is our {0}."
    carried = {"compact": 2, "estate": 3, "van": 4}
    luggage = [
        question(f"How much luggage does the {car} take?", [way.format(car, number) for way in telling] * 3)
        for car, number in carried.items()
    ]
    suitcases = [
        question(f"How many suitcases fit in the {car}?", [fitting.format(car, carried[car])] * 9)
        for car in ("estate", "van")
    ]
    answer = fitting.format("compact", number)
    first = replace(luggage[0], siblings=(*luggage[0].siblings, WordedReply(message="Luggage?", text=answer)))
    similarity = judged(measure, shop(first, *luggage[1:], *suitcases), answer)
    assert word(similarity) == verdict, similarity.reason


def test_two_replies_that_understood_nothing_are_the_same(measure):
    answers = [LOST, "Sorry, I did not get your question.", *["Nothing is known of it."] * 7]
    block = shop(question("Who won?", answers))
    assert word(judged(measure, block, answers[1])) == "same"


def test_a_fallback_is_different_and_the_reason_names_a_question_that_gets_it(measure):
    block = shop(stock("Nova", IN_STOCK, odd=(LOST,)))
    similarity = judged(measure, block, LOST)
    assert word(similarity) == "different"
    assert (similarity.reason, similarity.cause) == ("this answer says that it did not understand", NOT_UNDERSTOOD)


def test_a_word_in_small_letters_is_not_the_name_that_other_replies_have(measure):
    beside = "You can park in Mill Street, next to the theatre."
    parking = question("Where can I park?", [beside] * 7)
    played = ["You see it at the Mill Theatre.", "We play it in our Mill Theatre.", "They give it in the Mill Theatre."]
    booking = question("Where is it on?", played * 4)
    similarity = judged(measure, shop(parking, booking), "The Mill Street car park is right beside us.")
    assert "theatre" not in similarity.reason


@pytest.mark.parametrize("reply", ["Non-EU licences hold for six months.", "Licences from beyond the eu: six months."])
def test_a_name_in_a_compound_or_in_small_letters_is_mentioned(measure, reply):
    said = ["A licence from outside the EU is valid for six months.", "Outside the EU it is valid for six months."]
    similarity = judged(measure, shop(question("I am from India. Is my licence valid?", said * 4)), reply)
    assert "no mention of eu" not in similarity.reason


def test_a_month_that_is_abbreviated_is_no_name(measure):
    carmen = question("What is on?", ["Carmen: Saturday 14 Nov, 7 pm.", "Carmen on 14 Nov at 7 pm."] * 4)
    assert word(judged(measure, shop(carmen), "On November 14 we play Carmen, starting at 7 pm.")) != "different"


def test_an_hour_and_a_quarter_is_75_minutes(measure):
    tour = question("How long is it?", ["It takes 75 minutes, for 8 people.", "75 minutes, for 8 people."] * 4)
    assert word(judged(measure, shop(tour), "It lasts an hour and a quarter, for 8 people.")) != "different"


@pytest.mark.parametrize(
    "same", ["Half price up to age 12, 10 % off from 60.", "You save 50 % up to 12 years, 10 % from 60."]
)
def test_half_the_price_is_50_percent_and_an_age_is_no_count_of_a_verb(measure, same):
    halves = ["Children up to 12 pay half, people from 60 get 10 % off.", "Up to age 12: half the price. 10 % from 60."]
    block = shop(question("Which discounts are there?", halves * 4))
    assert word(judged(measure, block, same)) != "different"
    assert "in place of" in judged(measure, block, "You save 30 % up to 12 years, 10 % from 60.").reason


def test_a_number_before_a_verb_counts_nothing():
    assert [fact.text for fact in facts("Children up to 12 pay half, groups of 8 people less.")] == [
        "12",
        "8 people",
        "pay half",
    ]
    assert [fact.text for fact in facts("Please pay half an hour before.")] == ["half an hour"]


def test_where_the_source_is_the_odd_one_every_other_wording_differs_from_it(measure):
    odd = stock("Nova", (SOLD_OUT[0], *IN_STOCK[1:]))
    replies = [SOLD_OUT[0].format("Nova"), *(IN_STOCK[number % 3].format("Nova") for number in range(8))]
    block = shop(question(odd.source.message, replies))
    similarity = judged(measure, block, IN_STOCK[1].format("Nova"))
    assert word(similarity) == "different"
    assert similarity.reason.startswith("the source's answer is the odd one out")
    assert similarity.cause == SOURCE_IS_ODD
    # of two follow-ups that are compared with each other (question groups) none is the source
    between = judged(measure, block, SOLD_OUT[0].format("Nova"), reference=IN_STOCK[1].format("Nova"))
    assert word(between) == "different"
    assert between.cause != SOURCE_IS_ODD
    turned = judged(measure, block, IN_STOCK[1].format("Nova"), reference=SOLD_OUT[1].format("Nova"))
    assert turned.cause == ""


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("5 euros is what it costs.", "same"),
        ("It costs 50 euros.", "different"),
        ("EUR 7.", "different"),
        (LOST, "different"),
    ],
)
def test_what_the_siblings_agree_on_decides_before_nearness(measure, answer, expected):
    block = shop()
    place = len(block.questions) - 1
    assert word(judged(measure, block, answer, place=place)) == expected


def test_replies_that_agree_on_nothing_are_one_cause(measure):
    scattered = question("How long is it?", [f"It lasts {number} months." for number in (3, 12, 18, 24, 36, 48, 6, 9)])
    block = shop(scattered)
    similarity = judged(measure, block, "It lasts 18 months.")
    assert (word(similarity), similarity.cause) == ("different", UNSTABLE)


def test_a_value_in_its_place_is_named(measure):
    block = shop()
    similarity = judged(measure, block, "It costs 50 euros.", place=len(block.questions) - 1)
    assert "50 euros in place of 5 euros" in similarity.reason


def test_what_a_reply_states_is_named_in_its_own_words_beside_what_is_of_its_sort(measure):
    stay = question(
        "What are 3 nights?", ["For three nights you pay 387 euros.", "3 nights: EUR 387.", "387 euros."] * 3
    )
    owners = question("Who are you?", ["A house of four generations.", "We are four generations of hosts."] * 4)
    block = shop(owners, stay)
    similarity = judged(measure, block, "Four nights cost 516 euros in all.", place=1)
    assert similarity.reason.endswith("four nights in place of 3 nights"), "and not four generations"


def test_where_nothing_of_its_sort_is_in_its_place_both_are_told_side_by_side(measure):
    stay = question("What is it?", ["For three nights you pay 387 euros.", "3 nights: EUR 387.", "387 euros."] * 3)
    block = shop(stay)
    similarity = judged(measure, block, "We have 4 pools.", place=0)
    assert similarity.reason.endswith("4 pools, where most others state 3 nights")


def test_another_product_is_another_answer(measure):
    block = shop(stock("Nova", IN_STOCK, odd=("The Orbit can be picked up today.",)), stock("Orbit", IN_STOCK))
    assert word(judged(measure, block, "The Orbit can be picked up today.")) == "different"


def test_two_questions_with_the_same_replies_say_nothing_against_each_other(measure):
    twice = question("Is the Nova in stock?", [wording.format("Nova") for wording in IN_STOCK * 3])
    block = shop(stock("Nova", IN_STOCK), twice)
    assert {
        word(judged(measure, block, wording.format("Nova"), place=place)) for wording in IN_STOCK for place in (0, 1)
    } == {"same"}


def test_where_the_replies_agree_on_nothing_two_of_them_are_compared_with_each_other(measure):
    scattered = ["12 months.", "It is 18 months.", "About 365 days.", "24 hours.", "Some 7 weeks.", "9 minutes."]
    block = shop(question("How long is a year?", scattered))
    assert word(judged(measure, block, "It is 18 months.")) == "different"
    assert word(judged(measure, block, "The year is 12 months long.")) == "same"
    assert word(judged(measure, block, "A year is a year.")) == "different"


def prices(*values: int) -> list[QuestionReplies]:
    names = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Larch", "Maple", "Oak")
    return [
        question(f"How much is the {name}?", [f"The {name} is {value} euros." for value in values]) for name in names
    ]


def test_a_system_with_a_majority_for_each_question_is_of_one_mind_however_many_faults_it_has(measure):
    said = [wording.format("Nova") for wording in IN_STOCK]
    faulty = shop(stock("Nova", IN_STOCK), *prices(5, 5, 5, 5, 5, 5, 9, 9))
    assert {word(judged(measure, faulty, text)) for text in said} == {"same"}
    # without a majority, two replies that have nothing in common that can be named may well be two answers
    scattered = shop(stock("Nova", IN_STOCK), *prices(5, 5, 9, 12, 17, 20, 31, 44))
    assert "same" not in {word(judged(measure, scattered, text)) for text in said[1:]}


OPENING = ("The desk opens at 9 am and closes at 4:30 pm.", "From 9 am to 4:30 pm, visit us.", "9 am to 4:30 pm it is.")


def test_a_fact_that_is_lost_is_told_though_a_fifth_of_the_other_replies_lose_it_too(measure):
    cut = "The desk opens at 9 am."
    hours = question("When is the desk open?", [*OPENING * 4, cut, cut, cut])
    block = shop(hours)
    assert "no mention of 4:30 pm" in judged(measure, block, cut).reason
    # Read as another number it is not lost: hours without "am", a part of a list, a half for 50 percent.
    form = "The desk opens at nine in the morning and closes at 16:30."
    assert word(judged(measure, shop(question(hours.source.message, [*OPENING * 4, form])), form)) == "same"


HALF_A_DAY = (
    "The hall costs 160 euros for half a day, that is up to four hours.",
    "Half a day (which is 4 hours) in the hall costs 160 euros.",
)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("The hall costs 160 euros for up to 4 hours.", "same"), ("The hall costs 160 euros.", "different")],
)
def test_a_fact_that_the_others_restate_may_be_stated_in_either_way(measure, answer, expected):
    hall = question("What does the hall cost?", [*HALF_A_DAY * 4, answer, answer])
    assert word(judged(measure, shop(hall), answer)) == expected


TOWELS = (
    *("Towel hire is £2.50 plus a £5 deposit.", "You can hire a towel for £2.50, with a £5 deposit."),
    "Towels are £{} to hire; the deposit is £5.",
)


@pytest.mark.parametrize(("stale", "expected"), [("2", "different"), ("2.50", "same")])
def test_one_amount_of_two_that_half_of_the_replies_state_otherwise_is_another_answer(measure, stale, expected):
    replies = [TOWELS[number].format(stale) for number in (0, 2, 1, 2) * 3]
    block = shop(question("Do you hire out towels?", replies))
    similarity = judged(measure, block, replies[1])
    assert word(similarity) == expected
    assert ("£2.50 / " in similarity.reason) == (expected == "different")


def test_amounts_of_another_sort_are_no_exchange(measure):
    wordings = ("A towel is £2.50, and we keep it for you.", "We keep a towel for you for 3 days.")
    block = shop(question("Do you hire out towels?", [wordings[number % 2] for number in range(12)]))
    assert "one or the other" not in judged(measure, block, wordings[1]).reason


def test_a_reply_that_only_asks_back_is_no_wording_of_one_that_tells(measure):
    told, asked = "You are booked for 5 June at 10:00.", "Which day and what time would suit you?"
    block = shop(question("Book me in on 5 June at 10:00.", [told, asked] * 6))
    assert judged(measure, block, asked).reason.startswith("one answer only asks back, the other states 5 june")
    both = shop(question("Book me in.", ["Please tell me the day and the time.", asked] * 6))
    assert word(judged(measure, both, asked)) == "same"


def test_a_wrong_answer_that_recurs_in_other_words_is_not_compared_with_its_earlier_form(measure):
    """Three replies say yes. One other no is not enough to agree with a no, but two are."""
    affirmed = ("The lake tour is included for you.", "Lake tours are part of it.", "It covers the lake tour for you.")
    wrong, other = "No, the lake tour is not included.", "No, the lake tour is not part of it."
    yes = ["Yes, the lake tour is included."] * 3
    block = shop(question("Is the lake tour included?", [*affirmed * 3, *yes, wrong, other]))
    opposed = "no where others say the opposite"
    assert opposed in judged(measure, block, wrong).reason
    anew = "No, the lake tour is not included for you."
    for asked_again, is_opposed in (({}, False), ({anew: wrong}, True)):
        repertoire = Repertoire(block=block, place=0, asked_again=asked_again)
        [again] = measure.compare(
            [Comparison(reference=(affirmed[0],), answer=anew, question="Is it included?", repertoire=repertoire)]
        )
        assert (opposed in again.reason) is is_opposed


def test_three_replies_that_say_yes_are_enough_against_one_that_alone_says_no(measure):
    affirmed = ("The lake tour is included for you.", "Lake tours are part of it.", "It covers the lake tour for you.")
    yes = ["Yes, the lake tour is included."] * 3
    block = shop(question("Is the lake tour included?", [*affirmed * 3, *yes, "No, the lake tour is not included."]))
    assert "no where others say the opposite" in judged(measure, block, "No, the lake tour is not included.").reason


@pytest.mark.parametrize(
    ("wordings", "other_form"),
    [
        (
            ("We cover your car in Europe.", "Your car is covered in all of Europe."),
            "Your car is covered, European-wide.",
        ),
        (
            ("From 65 years on, seniors save 5 euros.", "Seniors of 65 years save 5 euros."),
            "Seniors over 65 save 5 euros.",
        ),
        (("The tax is 3 euros per person and night.",), "The tax is 3 euros for each person and night."),
    ],
)
def test_a_fact_in_another_form_is_none_in_its_place(measure, wordings, other_form):
    said = [wordings[number % len(wordings)] for number in range(9)]
    block = shop(question("Tell me, please.", [*said, other_form]), question("Where is Europe?", ["In Europe."] * 9))
    assert "in place of" not in judged(measure, block, other_form).reason


def test_other_words_alone_are_no_difference_in_a_system_of_one_mind(measure):
    farewells = ["Until next time, all the best."] * 8
    block = shop(question("Goodbye!", [*farewells, "Take care and see you soon."]))
    similarity = judged(measure, block, "Take care and see you soon.")
    assert word(similarity) == "open"
    assert word(judged(measure, block, "I'm sorry, but I can't help with that.")) == "different"


def test_a_fallback_that_half_of_all_follow_ups_get_is_no_wording_of_any_answer(measure):
    unheard = "That is beyond me, I fear."
    lamps = ("oak", "elm", "fir", "ash", "yew", "box", "bay", "fig")
    spoilt = [
        question(f"Who sells {name}?", [f"{name.title()} grows behind mill {name}."] * 7 + [unheard] * 7)
        for name in lamps
    ]
    block = ReplyBlock(questions=tuple(spoilt))
    similarities = [judged(measure, block, unheard, place=place) for place in range(len(lamps))]
    assert {word(similarity) for similarity in similarities} == {"different"}
    assert "says that it did not understand: 7 other questions also get that reply" in similarities[0].reason


def test_a_wording_that_a_fault_gives_to_many_questions_is_no_fallback_where_it_answers(measure):
    """Whoever tells an age is told of the reduction, in one of three wordings; to one question that is the answer."""
    wordings = ["The old pay ten percent less.", "From 65 on a tenth is off.", "A reduction waits for pensioners."]
    told = question("Do pensioners get a discount?", [wordings[0], *wordings[1:], *wordings[1:], *wordings[1:]])
    places = ("oak", "elm", "fir", "ash", "yew", "box", "bay", "fig")
    hit = [
        question(f"Who sells {name}?", [f"{name.title()} grows behind mill {name}."] * 7 + [wordings[0]] * 2)
        for name in places
    ]
    mixed = [
        QuestionReplies(source=asked.source, siblings=(*asked.siblings, WordedReply(message="?", text=wordings[at])))
        for asked, at in zip(hit[:3], (1, 2, 1), strict=True)
    ]
    block = ReplyBlock(questions=(told, *mixed, *hit[3:]))
    for reference, answer in ((wordings[0], wordings[1]), (wordings[1], wordings[0])):
        assert "other questions also get that reply" not in judged(measure, block, answer, reference=reference).reason


def test_with_three_replies_only_what_is_worded_alike_is_the_same(measure):
    walk = "It is only a short walk from the station, past the mill and the church."
    few = question("Where are you?", [walk, "You will find us behind the old bridge, where the buses turn around."])
    block = ReplyBlock(questions=(few, *shop().questions))
    apart = judged(measure, block, few.siblings[0].text)
    assert word(apart) == "open"
    assert "too few replies to this question are known (1 besides this one)" in apart.reason
    assert word(judged(measure, block, f"{walk} Welcome.")) == "same"


def test_one_reply_alone_is_judged_as_two_texts_are(measure):
    block = ReplyBlock(questions=(question("When do you open?", ["We open at 9 am."]),))
    assert word(judged(measure, block, "We open at 9 in the morning, at your service.")) != "different"
    assert word(judged(measure, block, "We open at 11 am.")) == "different"


def test_an_answer_that_is_not_in_the_block_is_placed_like_the_others(measure):
    """Confirm, shrink and replay ask again: what they hear need not be what the block holds."""
    block = shop(stock("Nova", IN_STOCK))
    assert word(judged(measure, block, "Yes, we have the Nova right here for you.")) == "same"
    assert word(judged(measure, block, "Sorry, more Nova come next week, I hear.")) == "different"
    assert word(judged(measure, block, f"{LOST} Thank you.")) == "different"


def test_one_question_with_many_replies_takes_other_words_for_no_difference(measure):
    block = ReplyBlock(questions=(stock("Nova", (*IN_STOCK[:2], IN_STOCK[0]), odd=IN_STOCK[2:]),))
    compared = [
        judged(measure, block, IN_STOCK[2].format("Nova"), reference=other.format("Nova")) for other in IN_STOCK[:2]
    ]
    assert [word(similarity) for similarity in compared] == ["open"] * 2, "as two texts: not found: left"
    assert word(judged(measure, block, "I'm sorry, I can't help with that.")) == "different"


@pytest.mark.parametrize("form", ["{0} Your ticket is no. {1}.", "[{1}] {0}", '{{"id":{1},"reply":"{0}"}}'])
def test_a_number_that_each_reply_has_anew_is_no_difference_and_another_meaning_is(measure, form):
    def numbered(product: str, wordings: tuple[str, ...], first: int) -> QuestionReplies:
        told = (form.format(wordings[number % 3].format(product), first + 7919 * number) for number in range(9))
        return question(f"Do you have the {product}?", [*told])

    products = ("Nova", "Orbit", "Breeze", "Pulse", "Lumen", "Glide")
    questions = [
        numbered(product, IN_STOCK if place % 2 else SOLD_OUT, 10_000 + 13 * place)
        for place, product in enumerate(products)
    ]
    block = ReplyBlock(questions=tuple(questions))
    same = [judged(measure, block, form.format(text.format("Nova"), 99_991)) for text in SOLD_OUT]
    assert [word(similarity) for similarity in same] == ["same"] * 3
    assert word(judged(measure, block, form.format(IN_STOCK[1].format("Nova"), 99_991))) == "different"


def test_amounts_that_replies_agree_on_are_no_serial_numbers():
    told = [[f"It costs {price} euros.", f"We ask {price} euros.", f"That is {price} euros."] for price in (20, 35, 90)]
    assert serial_places(told) == frozenset()
    assert serial_places([[f"Ticket {n}{k}: hello." for n in range(3)] for k in (1, 2)]) == frozenset(), "two questions"


def test_a_pair_without_a_repertoire_is_judged_as_free_answers_does(measure):
    pair = Comparison(reference=("It costs 5 euros.",), answer="It costs 50 euros.", question="What is delivery?")
    assert word(measure.compare([pair])[0]) == "different"


def test_an_annotated_answer_is_none_of_the_replies(measure):
    block = shop(stock("Nova", IN_STOCK))
    pair = Comparison(
        reference=("yes",), answer="no", directed=True, repertoire=Repertoire(block=block, place=0), question="Is it?"
    )
    assert word(measure.compare([pair])[0]) == "different"


def test_pairs_keep_their_order_whoever_judges_them(measure):
    block = shop(stock("Nova", IN_STOCK))
    placed = Comparison(
        reference=(IN_STOCK[0].format("Nova"),), answer=LOST, repertoire=Repertoire(block=block, place=0)
    )
    alone = Comparison(reference=("5 euros",), answer="5 euros")
    assert [word(s) for s in measure.compare([alone, placed, alone])] == ["same", "different", "same"]


def test_small_talk_is_what_comes_with_replies_to_many_questions_and_is_no_answer_itself():
    asked = [[f"Sure. It is {n} euros. Anything else?", f"{n} euros. Anything else?"] for n in range(3, 9)]
    asked += [["I did not get that."]] * 4
    assert small_talk(asked) == {"sure", "anything else"}
    talk = small_talk(asked)
    assert without("Sure. It is 3 euros. Anything else?", talk) == "It is 3 euros."
    assert without("I did not get that.", talk) == "I did not get that."


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("EUR 600", "€600", True),
        ("1,200 euros", "1200 euros", True),
        ("EUR 600", "10 minutes", False),
        ("5 cents", "0.05 euros", True),
        ("two weeks", "14 days", True),
        ("a 4-day trip", "four weeks", False),
        ("at 6 pm", "at 18:00", True),
        ("on 3 May", "on May 3rd", True),
        ("on 12 May", "on 21 May", False),
        ("room 21", "room 44", False),
        ("50 percent", "half of it: 0.5", True),
        ("on Monday", "on Tuesday", False),
        ("shelf B5", "shelf D7", False),
        ("open on Tuesdays", "on Tuesday", True),
        ("today's update", "as of today", True),
        ("23:40: you cannot catch it later", "at 11:40 pm", True),
        ("June 22nd is the last day", "until 22 June", True),
        ("at 8 weeks of age", "at the age of 8 weeks", True),
        ("at 8 weeks of age", "at the age of 8 months", False),
        ("34 degrees", "34 °C", True),
        ("93 degrees", "93 °F", True),
        ("34 degrees", "35 °C", False),
    ],
)
def test_facts_are_one_in_whatever_form_they_are_written(first, second, same):
    ours, theirs = facts(first), facts(second)
    assert ours
    assert any(same_fact(fact, other) for fact in ours for other in theirs) is same


def test_names_are_told_by_capitals_within_sentences():
    texts = ["You will see Dr. Moreau.", "Ask for Moreau at the desk.", "Please ask at the desk.", "THE DESK IS CLOSED"]
    texts += ["Sorry, I'm late: Please wait for Moreau's call.", "It opens on Tuesdays."]
    texts += ["Here is what I can tell you: Ironing 10 shirts costs 20 pounds."]
    assert names_of(texts) == {"moreau"}
    assert [fact.text for fact in facts("Go to Moreau.", names_of(texts))] == ["moreau"]


def test_masked_texts_of_one_wording_are_one():
    names = frozenset({"nova", "orbit"})
    assert masked_reply("The Nova costs €399 from 3 May.", names) == masked_reply(
        "The Orbit costs €25 from 12 June.", names
    )


def test_vectors_of_words_are_unit_vectors_and_of_nothing_zero():
    vectors = vectors_of_words(["the price of delivery", "delivery price", ""])
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1, 1, 0])
    assert vectors[0] @ vectors[1] == pytest.approx(1.0)


def test_a_value_that_a_fault_puts_into_the_answers_to_three_questions_is_no_small_talk():
    asked = [
        [f"{name} is a check. It is over after 20 minutes.", f"{name} is a check. 20 minutes are enough for it.", odd]
        for name, odd in (
            ("ECG", "That is an ECG. It is over after 25 minutes."),
            ("EEG", "You mean an EEG. It is over after 25 minutes."),
            ("MRI", "Now, an MRI. It is over after 25 minutes."),
        )
    ]
    asked += [["We open at 9."] * 3, ["It costs 5 euros."] * 3, ["Take the stairs."] * 3, ["By bus."] * 3]
    assert "it is over after 25 minutes" not in small_talk(asked)
    jubilee = [[f"{text} We have been here for 25 years.", text] for text in ("At 9.", "5 euros.", "Upstairs.", "No.")]
    assert small_talk(jubilee) == {"we have been here for 25 years"}


SUITE = "How old must I be for the suite?"
AGES = (
    "For the suite you must be 25 years old.",
    "Please wait. The minimum age for the suite is 25.",
    "Guests need to be 25 years old for the suite.",
)


def test_an_answer_that_replies_to_other_questions_hold_too_is_no_small_talk(measure):
    """Before, its bare number was taken for no value, and the reply without it had "no mention of 25 years old"."""
    said = ("We open at 9", "It costs 5 euros", "Take the stairs", "By bus 12")
    others = [
        question(f"{text}?", [f"{text}. The minimum age for the suite is 25."] * 2 + [f"{text}."] * 6) for text in said
    ]
    similarity = judged(measure, shop(question(SUITE, list(AGES) * 3), *others), AGES[1])
    assert word(similarity) == "same", similarity.reason


def test_the_answer_to_a_question_that_is_put_beside_many_is_no_small_talk(measure):
    """ALICE tells its age in the replies to fifteen questions that "How old are you?" was put beside."""
    age = question("How old are you?", ["I was activated in 1995."] * 5 + ["Never mind that. I was activated in 1995."])
    said = ("We open at 9", "It costs 5 euros", "Take the stairs", "By bus 12", "In the cellar")
    beside = [
        QuestionReplies(
            source=WordedReply(message=f"Where {n}?", text=f"{text}."),
            siblings=tuple(WordedReply(message=f"where {n}?", text=f"{text}.") for _ in range(5)),
            others=(
                WordedReply(message=f"Where {n}? Also, how old are you?", text=f"{text}. I was activated in 1995."),
            ),
        )
        for n, text in enumerate(said)
    ]
    similarity = judged(measure, shop(age, *beside), "Never mind that. I was activated in 1995.")
    assert word(similarity) == "same", similarity.reason


def test_a_denial_before_three_answers_is_no_small_talk():
    said = ["We open at 9.", "It costs 5 euros.", "Take the stairs."]
    asked = [[f"Unfortunately that is not possible. {text}", text] for text in said]
    assert small_talk(asked) == frozenset()


def test_an_age_is_the_same_as_so_many_years():
    [age], [years], [bare] = facts("It is for drivers of 21 years of age."), facts("It takes 21 years."), facts("21")
    assert same_fact(age, years)
    assert same_fact(age, bare)


def test_replies_without_a_word_that_counts_are_judged(measure):
    """Before, "It is." had no direction without the sentence encoder, and the judge broke off."""
    block = shop(question("Is it there?", ["It is.", "It is.", "That is it.", "It is there."] * 2))
    assert word(judged(measure, block, "That is it.")) in ("same", "open")


def test_the_unit_of_a_value_is_no_name(measure):
    assert not names_of(["A room of 15 to 28 degrees Celsius is safe."])
    said = ["A room of 15 to 28 degrees Celsius is safe.", "Between 15 and 28 degrees Celsius are safe."]
    warm = question("Which temperature is safe?", said * 4)
    assert word(judged(measure, shop(warm), "Safe is 15 to 28 °C.")) != "different"


def test_short_forms_of_weekdays_are_weekdays(measure):
    assert {fact.key for fact in facts("Mon-Wed, Sat 10:00-14:00; Sun is bad.") if fact.kind == "day"} == {
        *("monday", "tuesday", "wednesday", "saturday")
    }
    said = [
        "We are open Monday to Friday and Saturday from 10:00 to 14:00.",
        "Saturday, Monday to Friday: 10:00-14:00.",
    ]
    hours = question("What are your opening hours?", said * 4)
    assert word(judged(measure, shop(hours), "Mon-Fri and Sat 10:00-14:00.")) != "different"
    assert "no mention of saturday" in judged(measure, shop(hours), "Mon-Fri 10:00-14:00.").reason


def test_the_name_by_which_a_reply_calls_the_user_is_no_part_of_the_answer(measure):
    said = ["Thanks, Sarah. The deposit is 66 euros.", "Hello Sarah! For Sarah it is 66 euros."]
    deposit = question("My name is Sarah, how much is the deposit?", said[:1] * 8)
    assert word(judged(measure, shop(deposit), "The deposit is 66 euros.")) == "same"
    doctor = question("Who is the doctor?", ["The doctor is Sarah Low.", "Your doctor is Sarah Low."] * 4)
    assert word(judged(measure, shop(doctor, deposit), "The doctor is Priya Low.")) == "different"


def test_only_values_that_replies_to_the_question_state_are_lost(measure):
    said = [
        "You pay 14 euros; after 3 free days it is 2 euros per day.",
        "14 euros: 3 free days, then 2 euros per day.",
    ]
    late = question("What do I pay if I am late?", said * 4)
    others = (
        question("What is the shortest term?", ["Three months.", "It is three months."] * 4),
        question("Do you give lessons?", ["We give 2 violin lessons.", "There are 2 violin lessons."] * 4),
    )
    block = shop(late, *others)
    assert (
        word(judged(measure, block, "That makes 14 euros: three days are free, then 2 euros per day.")) != "different"
    )
    similarity = judged(measure, block, "You pay 14 euros; after 3 free days it is 5 euros per day.")
    assert word(similarity) == "different"
    assert "in place of 2 euros" in similarity.reason
    assert "violin" not in judged(measure, block, "Three days are free.").reason


@pytest.mark.parametrize(("term", "differs"), [("36 months", False), ("30 months", True)])
def test_two_replies_that_state_the_same_value_do_not_differ_by_their_words_alone(measure, term, differs):
    longest = question("How long can I rent?", [f"The longest rental term is {term}."] * 8 + ["At most 3 years."])
    possible = question("Is five years possible?", ["At most 3 years.", "At most 3 years, sorry."] * 4)
    similarity = judged(measure, shop(longest, possible), "At most 3 years.")
    assert (word(similarity) == "different") is differs, similarity.reason


def counted(message: str, replies: dict[str, int]) -> QuestionReplies:
    return question(message, [text for text, number in replies.items() for _ in range(number)])


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [("La taquilla no abre el lunes.", "open"), ("El sábado la taquilla abre de 12:00 h a 21:00 h.", "different")],
)
def test_outside_english_two_denials_of_one_question_are_not_different_for_their_words(measure, answer, verdict):
    closed = {
        "No, el lunes cerramos.": 12,
        "El lunes la taquilla está cerrada.": 12,
        "La taquilla no abre el lunes.": 4,
    }
    hours = {
        "Abrimos de 11:00 h a 19:00 h (martes a viernes) y de 12:00 h a 21:00 h (sábado); el lunes no.": 10,
        "De martes a viernes de 11:00 h a 19:00 h, sábado de 12:00 h a 21:00 h. El lunes cerramos.": 6,
        "La taquilla abre de martes a viernes de 11:00 h a 19:00 h; el lunes está cerrada.": 3,
    }
    saturday = {
        "El sábado la taquilla abre de 12:00 h a 21:00 h.": 8,
        "El sábado abre a las 12:00 h y cierra a las 21:00 h.": 4,
        "Sí, el sábado abrimos de 12:00 h a 21:00 h.": 4,
    }
    tuesday = {"El martes la taquilla abre de 11:00 h a 19:00 h.": 7, "Sí, el martes abrimos de 11:00 h a 19:00 h.": 4}
    block = ReplyBlock(
        questions=(
            counted("¿Está abierta la taquilla los lunes?", closed),
            counted("¿Qué horario tiene la taquilla?", hours),
            counted("¿Está abierta la taquilla el sábado?", saturday),
            counted("¿Y el martes?", tuesday),
            counted("¿Hay descuento para grupos?", {"Desde 10 personas un 15 %.": 8, "Hay un 15 % desde 10.": 6}),
        )
    )
    comparison = Comparison(
        reference=("No, el lunes cerramos.",),
        answer=answer,
        question="¿Está abierta la taquilla los lunes?",
        language="es",
        repertoire=Repertoire(block=block, place=0),
    )
    assert word(measure.compare([comparison])[0]) == verdict


def test_a_range_of_years_states_no_price_that_another_question_has(measure):
    """A bare 12 could be "12 EUR", which another reply states, but in "from 4 to 12" it is the 12 of "12 years"."""
    first = "There is 50% off for children from 4 to 12, and 15% off from 10 people on."
    second = "Children from 4 to 12 years pay half. Groups of 10 or more get 15% off."
    discounts = counted("Which discounts do you offer?", {first: 12, second: 6})
    prices = [counted(f"What is seat {row}?", {f"That is EUR {row}.": 9, f"EUR {row}.": 6}) for row in (10, 12, 32)]
    block = ReplyBlock(questions=(discounts, *prices))
    assert word(judged(measure, block, second, reference=first)) == "same"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("We are closed on Sunday.", "same"), ("Yes. We are closed on Sunday.", "different")],
)
def test_a_reply_may_leave_out_its_yes_or_no_and_not_turn_it(measure, answer, expected):
    sundays = question("Is the clinic open on Sundays?", ["No. We are closed on Sunday."] * 9)
    hours = question("When are you closed?", ["We are closed on Sunday."] * 9)
    assert word(judged(measure, shop(sundays, hours), answer)) == expected
