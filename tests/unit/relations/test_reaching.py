"""Values at a limit, conditions and the values that a user gives: what is read, and what is left open."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Outcome
from mutatis.core.dictionary import Dictionary, Exchange, KnownValue, Limit
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group, Observation
from mutatis.core.system import Response
from mutatis.relations.conditions import MovesWithCondition
from mutatis.relations.reaching import EdgeBelongs, KeepsToLimit, OneAnswer
from mutatis.transformations.at_limits import AT_LIMIT, values_at_limits
from mutatis.transformations.conditions import LEFT_OUT, TURNED, condition_of
from mutatis.transformations.edges import AT_EDGE, EDGE, FAR, INSIDE, OUTSIDE, WITHIN, at_edges, beside_edges
from mutatis.transformations.given import given_values, other_values
from mutatis.transformations.two_ways import OTHERWISE, PLAIN, TWO_WAYS, forms_of_another, units_of_another

HELD, BROKEN, OPEN = Outcome.SATISFIED, Outcome.VIOLATED, Outcome.INVALID
NOBODY = Judge(measure=None)  # type: ignore[arg-type]


def observed(reply: str, role: str = "follow-up", asked: str = "?", **noted: object) -> Observation:
    case = Case(id="c", turns=(Turn(fields={"message": asked}, annotations=noted),), task="chat")
    return Observation(case=case, turn=0, response=Response(text=reply), role=role)


@pytest.mark.parametrize(
    ("side", "inside", "trusted", "before", "after", "outcome"),
    [
        ("same", "yes", "yes", "Yes, from 65.", "No, sorry.", BROKEN),
        ("same", "yes", "no", "Yes, from 65.", "No, only from 65.", BROKEN),
        ("same", "yes", "no", "Yes, from 65.", "No, sorry.", OPEN),
        ("same", "yes", "yes", "Yes, from 65.", "Yes, you do.", HELD),
        ("same", "yes", "yes", "It is granted from 65.", "It is granted from 65.", HELD),
        ("other", "yes", "yes", "Yes, from 65.", "Yes, from 65.", BROKEN),
        ("other", "yes", "yes", "Certainly. Going at 70 costs 25 EUR.", "Certainly. That is another night.", OPEN),
        ("other", "yes", "yes", "Sure, that costs 25 EUR.", "Sure, that costs 50 EUR.", OPEN),
        ("other", "yes", "yes", "Sure, that costs 25 EUR.", "Yes, for 25 EUR.", BROKEN),
        ("other", "yes", "yes", "It is granted from 65.", "It is granted from 65.", OPEN),
        ("other", "no", "yes", "No, only from 65.", "No, you live elsewhere.", OPEN),
        ("other", "no", "yes", "No, only from 65.", "No, only from 65.", BROKEN),
        ("other", "no", "yes", "No, only from 65.", "Yes, you do.", HELD),
        ("same", "yes", "yes", "Yes, from 65.", "Sorry, I did not understand that.", OPEN),
        ("other", "no", "yes", "Sure. At 70 (from 65): you cannot.", "Sure. At 65 (from 65): you cannot.", BROKEN),
        ("other", "no", "yes", "Sure. At 64 (from 65): you cannot.", "Sure. At 66 (from 65): yes.", HELD),
        ("same", "no", "yes", "Sure. At 64 (from 65): not possible.", "At 63 (from 65): no, I am afraid not.", HELD),
        ("other", "no", "yes", "Gladly. It is from 65. Now it is not possible.", "Gladly. From 65. You can.", HELD),
    ],
)
def test_a_limit_is_kept_to(side: str, inside: str, trusted: str, before: str, after: str, outcome: Outcome) -> None:
    noted = {"old": "70", "new": "65", "limit": "from 65", "side": side, "inside": inside, "trusted": trusted}
    group = Group(source=observed(before), members=(observed(after, **{AT_LIMIT: noted}),), reference=(before,))
    assert KeepsToLimit().decide(group, (), NOBODY).outcome is outcome


def test_what_costs_nothing_from_a_limit_on_must_not_cost_something_there() -> None:
    noted = {
        "old": "40 EUR",
        "new": "35 EUR",
        "limit": "from 35 EUR",
        "side": "same",
        "inside": "yes",
        "trusted": "yes",
    }
    before, after = "Delivery is free from 35 EUR.", "Delivery costs 4.90 EUR. It is free from 35 EUR."
    group = Group(source=observed(before), members=(observed(after, **{AT_LIMIT: noted}),), reference=(before,))
    assert KeepsToLimit().decide(group, (), NOBODY).outcome is BROKEN
    beyond = {**noted, "new": "34 EUR", "side": "other"}
    group = Group(source=observed(before), members=(observed(after, **{AT_LIMIT: beyond}),), reference=(before,))
    assert KeepsToLimit().decide(group, (), NOBODY).outcome is HELD


class Named:
    name = "named"


@pytest.mark.parametrize(
    ("turned", "without", "bare", "outcome"),
    [
        (1.0, 0.0, "Yes.", BROKEN),
        (0.0, 0.0, "Yes.", HELD),
        (1.0, 1.0, "Yes.", OPEN),  # the answer does not go by the condition
        (1.0, 0.0, "Are you pregnant?", OPEN),
        (1.0, 0.0, "Sorry, I did not understand that.", OPEN),
        (1.0, 0.0, "Adults pay 9 EUR, children 4 EUR.", OPEN),  # for all at once
    ],
)
def test_an_answer_that_goes_by_a_condition_moves_with_it(
    turned: float, without: float, bare: str, outcome: Outcome
) -> None:
    members = (observed("No.", TURNED), observed(bare, LEFT_OUT))
    group = Group(source=observed("No."), members=members, reference=("No.",))
    judge = Judge(measure=Named(), equal=0.8, different=0.6)  # type: ignore[arg-type]
    similarities = [Similarity(score=turned), Similarity(score=without)]
    assert MovesWithCondition().decide(group, similarities, judge).outcome is outcome


@pytest.mark.parametrize(
    ("reply", "is_broken"),
    [
        ("For you as a student it is free.", True),
        ("As a student you pay nothing.", True),
        ("As a student of music you may not.", False),
        ("Students pay nothing.", False),
        ("As a pensioner you pay nothing.", False),
    ],
)
def test_nobody_is_taken_for_what_the_question_denies(reply: str, is_broken: bool) -> None:
    asked = "I'm a student. What do I pay?"
    members = (observed(reply, TURNED, "I'm not a student. What do I pay?"), observed("9 EUR.", LEFT_OUT))
    group = Group(source=observed("5 EUR.", asked=asked), members=members, reference=("5 EUR.",))
    judge = Judge(measure=Named(), equal=0.8, different=0.6)  # type: ignore[arg-type]
    unlike = [Similarity(score=0.0), Similarity(score=0.0)]
    assert (MovesWithCondition().decide(group, unlike, judge).outcome is BROKEN) is is_broken


NEEDED = "Yes, then he is welcome. Dogs must be vaccinated 14 days before."


@pytest.mark.parametrize(
    ("without", "with_it", "outcome"),
    [
        ("Yes, of course, he can stay.", NEEDED, BROKEN),
        ("Sorry, no.", NEEDED, HELD),
        ("Yes, if he is vaccinated before he comes.", NEEDED, OPEN),
        ("Yes, of course, he can stay.", "Yes. Dogs must be on a lead.", OPEN),
        ("Yes, of course, he can stay.", "Yes. Dogs need not be vaccinated.", OPEN),
    ],
)
def test_a_condition_that_is_called_necessary_is_not_waived(without: str, with_it: str, outcome: Outcome) -> None:
    """The bare question gets a list of prices, which says nothing about the condition."""
    asked, turned = "Can my dog stay if he is not vaccinated?", "Can my dog stay if he is vaccinated?"
    prices = observed("Dogs up to 10 kg are 22 EUR, others 28 EUR.", LEFT_OUT)
    judge = Judge(measure=Named(), equal=0.8, different=0.6)  # type: ignore[arg-type]
    for (first, reply), (second, other) in permutations(((asked, without), (turned, with_it))):
        members = (observed(other, TURNED, second), prices)
        group = Group(source=observed(reply, asked=first), members=members, reference=(reply,))
        similarities = [Similarity(score=0.5), Similarity(score=0.0)]
        assert MovesWithCondition().decide(group, similarities, judge).outcome is outcome


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("I use 3,500 kWh a year. Which plan?", ["3,500 kWh"]),
        ("Is it open for a 5-year-old?", ["5-year-old"]),
        ("Do you deliver to places 15 km away?", ["15 km"]),
        ("A room for 2 adults and 3 children, please.", ["2"]),
        ("How much is ironing 10 shirts?", ["10"]),
        ("What do 3 single tickets cost?", ["3"]),
        ("What is 24 hours service?", []),
        ("Can I get a refund within 30 days?", []),
        ("Is delivery free from 35 EUR?", []),
        ("Why was I charged 5 euros?", []),
        ("Do I have to pay the 5 euro fee?", []),
        ("Is there a 20% discount?", []),
        ("I have a coupon for 15%. Is it valid?", []),
        ("I got 10% off. Is it still valid?", []),
        ("Can I pay a deposit of 20%?", []),
        ("I have a disability of 60 %. Do I travel free?", []),
        ("I scored 62 percent in the test. Have I passed?", []),
        ("My battery is at 40%. Do you change it?", []),
        ("Where does my claim 6210 stand?", []),
        ("Is it true that you open at 9:00?", []),
        ("Is the pool open on Saturday or Sunday?", []),
        ("Can I pay in two parts?", []),
        ("What is on for us on 14 November?", ["14 November"]),
        ("What is on for us on Saturday, 14 November?", []),
    ],
)
def test_the_values_that_a_user_gives(question: str, expected: list[str]) -> None:
    assert [value.text for value in given_values(question)] == expected


def test_a_value_that_other_answers_give_may_be_the_services_own() -> None:
    question, answer = "Do I get a table for 4?", "Yes, a table for 4 is free."
    assert other_values(question, answer, Dictionary())
    elsewhere = Dictionary(values=(KnownValue(text="4", measure="count", seen=("another",)),))
    with pytest.raises(UnusableFollowUp, match="the service may have set it"):
        other_values(question, answer, elsewhere)
    here = Exchange(question=question, reply=answer).name
    assert other_values(question, answer, Dictionary(values=(KnownValue(text="4", measure="count", seen=(here,)),)))


def test_a_value_that_the_answer_states_as_a_limit_is_not_repeated() -> None:
    """ "For a cat over 4 kg" is right for one of 5 kg, and was "still says '4 kg'" before."""
    question = "How much is it for a cat of 4 kg?"
    assert other_values(question, "For your cat of 4 kg it is 12 euros.", Dictionary())
    with pytest.raises(UnusableFollowUp, match="does not repeat"):
        other_values(question, "It costs 12 euros for a cat up to 4 kg.", Dictionary())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("I am 16. Can I start?", "Yes, the minimum age is 16."),
        ("Do you have vouchers for 100 EUR?", "Yes, for 50 EUR, 100 EUR and 200 EUR."),
        ("Is it on at 18:30 for us?", "Yes, it begins at 18:30."),
    ],
)
def test_a_value_that_the_service_may_state_of_itself_is_not_exchanged(question: str, answer: str) -> None:
    with pytest.raises(UnusableFollowUp):
        other_values(question, answer, Dictionary())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("I cancel 5 days before. Is it free?", "Yes, it is free up to 3 days before."),  # fewer days are later
        ("I need it for 5 dogs. What is it?", "For up to 8 dogs it is 20 EUR."),  # a price is no side
    ],
)
def test_a_limit_whose_side_cannot_be_told_is_left_alone(question: str, answer: str) -> None:
    with pytest.raises(UnusableFollowUp):
        values_at_limits(question, answer, Dictionary())


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("My son is 12. Is it free?", "Yes, under-16s travel free.", {"15": "same", "16": "other", "17": "other"}),
        ("I am 70. Do I pay less?", "Yes, over 65s do.", {"66": "same", "65": "other", "64": "other"}),
        ("My van is 2 m high. May I?", "Yes, up to 2.20 m.", {"2.1 m": "same", "2.2 m": "same", "2.3 m": "other"}),
        ("My order is 20 EUR. Is it free?", "No, free from 24.90 EUR.", {"24.90 EUR": "other", "25.90 EUR": "other",
                                                                        "23.90 EUR": "same"}),
    ],
)  # fmt: skip
def test_ages_in_a_word_and_decimals_are_limits(question: str, answer: str, expected: dict[str, str]) -> None:
    drawn = values_at_limits(question, answer, Dictionary())
    assert {choice["new"]: choice["side"] for choice in drawn} == expected


def test_a_limit_between_others_is_not_crossed() -> None:
    question, answer = "I am 30. Do I get a discount?", "No, up to 26 or from 65 years only."
    drawn = values_at_limits(question, answer, Dictionary())
    assert {(choice["new"], choice["limit"]) for choice in drawn} >= {("27", "up to 26"), ("64", "from 65 years")}
    low = Limit(
        text="from 28", value="28", measure="count", size=28.0, side="least", inclusive=True, about=("discount",)
    )
    assert low.holds(30)


@pytest.mark.parametrize(
    "question",
    [
        "Can I have a room?",
        "How long must I have held my licence?",
        "I have a new card. How do I activate it?",
        "I'm really annoyed. Where is my order?",
        "I have two of them. Can I return one?",
        "Which wine goes with fish?",
        "I have a question. Are you open?",
        "I need a taxi. What does it cost?",
        "I have a parcel for him. Where is he?",
        "Which room is he in? I have a visa.",
    ],
)
def test_what_is_no_condition_stays(question: str) -> None:
    assert condition_of(question) is None


def test_what_a_thing_is_with_is_turned_in_the_middle_of_a_question() -> None:
    condition = condition_of("What would a suite with breakfast cost for two nights?")
    assert condition is not None
    assert condition.turned == ("What would a suite without breakfast cost for two nights?",)
    assert condition.left_out == "What would a suite cost for two nights?"


def test_a_role_may_have_a_name() -> None:
    condition = condition_of("I am a Friend of the theatre. What do I pay?")
    assert condition is not None
    assert condition.turned[0] == "I am not a Friend of the theatre. What do I pay?"


@pytest.mark.parametrize(
    ("question", "reply", "asked"),
    [
        ("I'm a student, what do I pay?", "Students pay nothing.", True),
        ("I have a disability, do I get extra time?", "Students with a disability get 25% more time.", False),
        ("I have a disability, do I get extra time?", "Yes, 25% more.", True),
        ("How much is a room without breakfast?", "A room is 90 EUR. Breakfast is 15 EUR each.", False),
        ("How much is a room without breakfast?", "A room without breakfast is 90 EUR. Anything else?", True),
        ("How much is a room without breakfast?", "For which days?", False),
    ],
)
def test_a_condition_is_turned_where_the_reply_is_about_it(
    question: str, reply: str, asked: bool, tmp_path: Path
) -> None:
    heard = set[str]()

    def bot(text: str) -> str:
        heard.add(text)
        return reply

    mutatis.run(bot, [question], ["turn-condition"], task="chat", out=tmp_path)
    assert (heard != {question}) is asked


@pytest.mark.parametrize(
    ("question", "forms"),
    [
        ("My dog weighs 12 kg. What does it cost?", ["12,5 kg"]),
        ("A table for 4 people, please.", ["eight", "eleven"]),
        ("Can I come on 14 May 2027?", ["23/5/2027", "5/23/2027", "2027-05-05"]),
        ("Is a table free at 6 pm?", ["6:30 pm", "half past 6 in the evening"]),
        ("How much is a 16-year-old?", ["eleven-year-old"]),
        ("My order is 150 EUR. Is it sent free?", ["150,50 EUR", "1250 EUR"]),
        ("My order is 34,90 EUR. Is it sent free?", ["34,50 EUR"]),
        ("I drove 12,000 miles. Is a service due?", ["1250 miles"]),
        ("My dog weighs 2,5 kg. What does it cost?", ["2,5 kg"]),
        ("I need 500 cards. What do they cost?", ["1,000"]),
        ("I need 30 cards. What do they cost?", ["thirty-five", "forty", "twenty five"]),
        ("I need a car for 3 days. What does it cost?", ["two weeks", "twenty five days"]),
    ],
)
def test_another_value_is_written_in_forms_that_the_data_need_not_hold(question: str, forms: list[str]) -> None:
    assert [choice["form"] for choice in forms_of_another(question, "", Dictionary())] == forms


@pytest.mark.parametrize(
    "question", ["Can I come on Friday, 14 May?", "How many pounds is 12 kg?", "Do you deliver within 3 days?"]
)
def test_what_another_form_would_contradict_stays(question: str) -> None:
    with pytest.raises(UnusableFollowUp):
        forms_of_another(question, "", Dictionary())


def test_a_quantity_in_another_unit_is_no_farther_off_than_its_figures() -> None:
    [choice] = units_of_another("Do you deliver to places 15 km away?", "", Dictionary())
    assert (choice["new"], choice["form"]) == ("14.5 km", "9 miles")  # 9 miles are 14.484 km
    [choice] = units_of_another("Can I bring a case that is 60 cm long?", "", Dictionary())
    assert (choice["new"], choice["form"]) == ("61 cm", "24 inches")  # 24 inches are 60.96 cm


def test_a_quantity_is_brought_where_it_is_on_the_other_side_of_a_limit_if_its_unit_is_misread() -> None:
    choices = units_of_another("My dog weighs 4 kg. What is it?", "Up to 10 kg it is 9 EUR.", Dictionary())
    assert {"old": "4 kg", "new": "6.8 kg", "form": "15 pounds"} in choices


@pytest.mark.parametrize(
    ("question", "answer", "edges"),
    [
        ("Is there a discount?", "Groups of 10 or more get 15 % off.", ["We are 10 people. Is there a discount?"]),
        ("Who pays less?", "Children under 16 pay half.", ["My child is 16. Who pays less?"]),
        (
            "What does it cost at 12 kg?",
            "Up to 10 kg 35 EUR, over 10 to 25 kg 42 EUR.",
            ["What does it cost at 10 kg?", "What does it cost at 25 kg?"],
        ),
        ("My van is 2 m high. Can I park?", "Up to 2.2 m you can.", ["My van is 2.2 m high. Can I park?"]),
        ("My bag weighs 1.2 kg. Is it free?", "Yes, max. 1.5 kg.", ["My bag weighs 1.5 kg. Is it free?"]),
        ("My bag weighs 1 kg. Is it free?", "Yes, 1.5 kg max.", ["My bag weighs 1.5 kg. Is it free?"]),
    ],
)
def test_a_limit_is_tried_at_its_edge(question: str, answer: str, edges: list[str]) -> None:
    assert sorted(choice["edge"] for choice in at_edges(question, answer, Dictionary())) == sorted(edges)


@pytest.mark.parametrize(
    ("question", "answer", "rules"),
    [
        (
            "If I order at 13:00, is it sent today?",
            "Yes, orders before 14:00 are sent today.",
            ["13:45 | 14:00 | 14:15 outside: before 14:00"],
        ),
        (
            "Can I come at 17:00?",
            "Yes, we are open from 9:00 to 18:00.",
            ["09:15 | 09:00 | 08:45 inside: 9:00 to 18:00"],
        ),
    ],
)
def test_a_time_is_tried_at_the_edge_that_words_make_clear(question, answer, rules) -> None:
    """Whether somebody may come at 18:00 where it is open to 18:00 is not said."""
    told = [f"{choice['values']} {choice['rule']}" for choice in at_edges(question, answer, Dictionary())]
    assert told == rules


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Can I come at 13:00?", "Yes, we are open from 9:00 until 18:00, on Saturday from 10:00 until 14:00."),
        ("Can I register on 14 March?", "Yes, you can register until 31 March."),
    ],
)
def test_limits_of_several_days_or_on_days_are_not_tried(question, answer) -> None:
    with pytest.raises(UnusableFollowUp):
        at_edges(question, answer, Dictionary())


def test_where_two_classes_hold_the_same_value_its_edge_is_unclear() -> None:
    with pytest.raises(UnusableFollowUp):
        at_edges("What does it cost at 12 kg?", "10 kg or more 42 EUR, up to 10 kg 35 EUR.", Dictionary())


def edged(inside: str, edge: str, outside: str) -> Outcome:
    noted = {"rule": "inside: from 65 years", "values": "66 | 65 | 64"}
    members = tuple(
        observed(reply, side, **{EDGE: {"side": side, **noted}})
        for side, reply in ((INSIDE, inside), (AT_EDGE, edge), (OUTSIDE, outside))
    )
    group = Group(source=observed("?"), members=members, reference=("?",))
    return EdgeBelongs().decide(group, (), NOBODY).outcome


def test_a_limit_is_answered_as_the_side_that_its_words_count_it_to() -> None:
    assert edged("It costs 5 EUR.", "It costs 5 EUR.", "It costs 9 EUR.") is HELD
    assert edged("It costs 5 EUR.", "It costs 9 EUR.", "It costs 9 EUR.") is BROKEN
    assert edged("It costs 5 EUR.", "It costs 7 EUR.", "It costs 9 EUR.") is OPEN
    assert edged("It costs 5 EUR.", "It costs 9 EUR.", "It costs 5 EUR.") is OPEN  # it does not go by the limit


AGES = "Ages 5 to 12 pay 6 EUR, ages 13 to 17 pay 9 EUR. Children under 5 are free."


def ranged(inside: str, edge: str, outside: str, within: str, far: str) -> Outcome:
    """Return the outcome for replies to ages of 6, 5, 4, 8 and 12."""
    noted = {"rule": "inside: 5 to 12", "values": "6 | 5 | 4 | 8 | 12"}
    replies = {INSIDE: inside, AT_EDGE: edge, OUTSIDE: outside, WITHIN: within, FAR: far}
    members = tuple(observed(reply, side, **{EDGE: {"side": side, **noted}}) for side, reply in replies.items())
    group = Group(source=observed("?"), members=members, reference=("?",))
    return EdgeBelongs().decide(group, (), NOBODY).outcome


def test_a_value_within_a_range_is_answered_like_its_ends() -> None:
    six, nine, free = "It costs 6 EUR.", "It costs 9 EUR.", "It is free."
    assert ranged(six, six, free, six, six) is HELD
    assert ranged(six, six, free, nine, six) is BROKEN
    assert ranged(six, six, free, f"{nine} {AGES}", f"{six} {AGES}") is not BROKEN  # two kinds of replies
    assert ranged(*(f"{each} {AGES}" for each in (six, six, free, nine, six))) is BROKEN
    rising = "It costs 12 EUR.", "It costs 10 EUR.", "It costs 8 EUR.", "It costs 16 EUR.", "It costs 24 EUR."
    assert ranged(*rising) is OPEN  # 2 EUR a year
    assert ranged("Yes.", "Yes.", "No.", "No, sorry.", "Yes.") is BROKEN


@pytest.mark.parametrize(
    ("within", "far", "is_broken"),
    [
        ("20 people get 15 % off.", "There is no group discount for 24.", True),
        ("There is no group discount for 20.", "24 people get no discount.", True),
        ("20 people get 15 % off.", "24 people get 15 % off.", False),
        ("Groups of 10 or more get 15 % off.", "Groups of 10 or more get 15 % off.", False),
    ],
)
def test_a_discount_from_a_limit_on_does_not_end_before_the_next_one(within: str, far: str, is_broken: bool) -> None:
    granted = "10 people get 15 % off."
    assert (ranged(granted, granted, granted, within, far) is BROKEN) is is_broken


@pytest.mark.parametrize(
    ("question", "answer", "around"),
    [
        ("My son is 7. What is it?", "Ages 5 to 12 pay 6 EUR.", {"6 | 5 | 4", "11 | 12 | 13"}),
        ("My son is 7. What is it?", "Ages 5 to 12 pay 6 EUR, ages 13 to 17 9 EUR.", {"11 | 12 | 13", "14 | 13 | 12"}),
        ("It weighs 5 kg. What is it?", "Up to 2 kg 5 EUR, up to 10 kg 8 EUR.", {"9 kg | 10 kg | 11 kg"}),
    ],
)
def test_two_more_values_lie_in_a_range(question: str, answer: str, around: set[str]) -> None:
    told = [choice["values"].split(" | ") for choice in at_edges(question, answer, Dictionary())]
    assert {" | ".join(values[:3]) for values in told} >= around
    for inner, edge, _, within, far in (values for values in told if len(values) > 3):
        low, high = sorted(int(value.split()[0]) for value in (edge, far))
        assert low < int(within.split()[0]) < high
        assert low <= int(inner.split()[0]) <= high


@pytest.mark.parametrize(
    ("said", "plain_one", "other", "outcome"),
    [
        (["8 March", "8/3"], "On 8 March, a Monday, we are open.", "Open. It is 3 August, a Tuesday.", BROKEN),
        (["18.1 kg", "40 lbs"], "A dog of 18.1 kg is welcome: up to 20 kg.", "With 40 kg she is too heavy.", BROKEN),
        (["50 km", "31 mi"], "Thanks for asking! I'm afraid not: that is too far.", "Yes – we deliver there.", BROKEN),
        (["6.71 m", "22 ft"], "Yes, up to 12 m.", "That is too long: we take up to 12 m.", BROKEN),
        (["12.9 km", "8 miles"], "In your case: 8 euros.", "Up to 10 km it is free. For you it is free.", BROKEN),
        (["11", "eleven"], "It is 8 EUR each. Yours are 88 EUR.", "It is 8 EUR each. Yours is 8 EUR.", OPEN),
        (["11", "eleven"], "It is 8 EUR each. Yours are 88 EUR.", "It is 8 EUR each. Yours are 16 EUR.", BROKEN),
        (["6.71 m", "22 ft"], "Yes, up to 12 m.", "Yes, we carry vehicles of up to 12 m.", HELD),
        (["13:00", "1 pm"], "It leaves at 16:15 and 20:15.", "It leaves at 9:30, 16:15 and 20:15.", BROKEN),
        (["109 cm", "43 inches"], "It is bulky: 12 EUR extra.", "Up to 1 m nothing is added.", BROKEN),
        (["109 cm", "43 inches"], "It is bulky: 12 EUR extra.", "It is free from 20 EUR on.", OPEN),
        (["109 cm", "43 inches"], "It is bulky: 12 EUR extra.", "A parcel is brought to the door.", OPEN),
    ],
)
def test_two_forms_of_a_value_have_one_answer(said: list[str], plain_one: str, other: str, outcome: Outcome) -> None:
    members = (observed(plain_one, PLAIN, **{TWO_WAYS: said}), observed(other, OTHERWISE, **{TWO_WAYS: said}))
    group = Group(source=observed("?"), members=members, reference=("?",))
    assert OneAnswer().decide(group, (), NOBODY).outcome is outcome


@pytest.mark.parametrize(
    ("question", "answer", "edge"),
    [
        ("My child is 9. Is there a discount?", "For children below the age of 12.", "My child is under 12."),
        ("My son is 14 years old. Can he join?", "Under 16 a parent signs.", "My son is under 16 years old."),
        ("I am 70. Is it free?", "It is free for guests over 65.", "I am over 65."),
        ("May my girl come? She is 9.", "Only under 12.", "May my girl come? She is under 12."),
        ("We are 14 people. Is it cheaper?", "Groups of 10 or more pay 9 EUR.", "We are fewer than 10 people."),
        ("My parcel weighs 3 kg. Do you take it?", "Up to 20 kg, yes.", "My parcel weighs more than 20 kg."),
    ],
)
def test_a_comparison_is_worded_as_people_do(question: str, answer: str, edge: str) -> None:
    assert beside_edges(question, answer, Dictionary())[0]["edge"].startswith(edge)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("My girl is 13. May she come alone?", "No, she needs somebody of at least 18 with her."),
        ("What do two children aged 4 and 9 pay?", "Children under 5 pay nothing."),
        ("Is the slide open to an 8-year-old?", "Yes, for children over 6."),
        ("Is there a discount for children?", "For children below the age of 12."),
        ("What does the room cost for a day?", "It is for up to 40 people and costs 280 EUR."),
    ],
)
def test_nothing_is_compared_to_the_limit_of_somebody_else_nor_in_a_list(question: str, answer: str) -> None:
    with pytest.raises(UnusableFollowUp, match="no reply states a limit"):
        beside_edges(question, answer, Dictionary())


@pytest.mark.parametrize(
    ("inside", "at_edge", "outside", "outcome"),
    [
        ("From 10 on 15 % off. You get it.", "You are too few for it.", "From 10 on. You are too few for it.", BROKEN),
        ("From 10 on 15 % off. You get it.", "From 10 on. You get it.", "From 10 on. You are too few for it.", HELD),
        ("In your case: free.", "In your case: 8 EUR.", "For your group it is 8 EUR.", BROKEN),
    ],
)
def test_what_is_said_of_the_users_own_case_decides(inside: str, at_edge: str, outside: str, outcome: Outcome) -> None:
    noted = {"rule": "inside: from 10", "values": "11 | 10 | 9"}
    replies = {INSIDE: inside, AT_EDGE: at_edge, OUTSIDE: outside}
    members = tuple(observed(reply, side, **{EDGE: {"side": side, **noted}}) for side, reply in replies.items())
    group = Group(source=observed(inside), members=members, reference=(inside,))
    assert EdgeBelongs().decide(group, (), NOBODY).outcome is outcome


def test_the_same_forms_in_the_place_of_two_values_are_two_pairs() -> None:
    forms = ["8", "eight"]
    replies = [
        ("2", PLAIN, "80 EUR."),
        ("5", PLAIN, "50 EUR."),
        ("2", OTHERWISE, "80 EUR."),
        ("5", OTHERWISE, "50 EUR."),
    ]
    members = tuple(observed(reply, way, **{TWO_WAYS: [*forms, old]}) for old, way, reply in replies)
    group = Group(source=observed("?"), members=members, reference=("?",))
    assert OneAnswer().decide(group, (), NOBODY).outcome is HELD


def test_a_value_that_is_given_roughly_is_brought_to_no_edge() -> None:
    with pytest.raises(UnusableFollowUp):
        at_edges("My order is about 25 EUR. Is it free?", "It is free from 30 EUR.", Dictionary())
