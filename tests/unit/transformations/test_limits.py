"""Values at a limit that an answer names, values and names corrected at once, and much said beside the point."""

from __future__ import annotations

from random import Random

import pytest

from mutatis.core.cases import NAMES, NEW, Case, Derivation, Step, Turn
from mutatis.core.transformation import TRANSFORMATIONS, added_turns, completed_by, derive
from mutatis.languages import listed
from mutatis.transformations.corrections import CORRECTED_NAMES, correct_value
from mutatis.transformations.limits import named_limit, one_more
from mutatis.transformations.requests import claim_right
from mutatis.transformations.values import only_value


@pytest.mark.parametrize(
    ("question", "answer", "exchange"),
    [
        ("I am 16. May I come?", "No, only from 18 years on.", ("16", "18")),
        ("I am 19. May I come?", "Yes, from 18 on.", ("19", "17")),
        ("I am 16 years old. May I come?", "Sorry, only guests over 18.", ("16", "19")),
        ("My son is 9. May he come?", "No, he must be at least 10 years old.", ("9", "10")),
        ("I am 64. May I come?", "Yes, up to 65 years.", ("64", "66")),
        ("Can five people come?", "No, only up to four people.", ("five", "four")),
        ("Can I bring 2 dogs?", "Yes, fewer than 4 dogs are fine.", ("2", "4")),
        ("Do you take 40 kg?", "No, at most 31 kilos.", ("40", "31")),
        ("Do you take 40 kg?", "No, at most 31 people.", None),
        ("Is it 5 km?", "Yes.", None),
        ("Is it for 2 to 4 people?", "Yes, up to 6 people.", None),
        ("Can five people come?", "Up to four people on Monday, up to six people on Friday.", None),
        ("May I come?", "Only from 18 years on.", None),
        ("Can 1 person come?", "No, from 2 people on.", None),
        ("Can 6 people book the boat?", "Yes, from 5 people you get a discount.", None),
        ("Can 6 people book the boat?", "Yes, over 5 people it costs 90 euros.", None),
        ("Can 6 people book the boat?", "Yes, of course. It is 10% cheaper from 5 people.", None),
        ("Can 6 people book the boat?", "Yes, up to 8 people, and it costs 90 euros.", ("6", "9")),
        ("Can 6 people book the boat?", "Yes, more than 8 people meet there.", None),
        ("Can 6 people book the boat?", "No, up to 8 people meet there.", None),
    ],
)
def test_the_value_across_a_limit_is_the_nearest_on_its_other_side(
    question: str, answer: str, exchange: tuple[str, str] | None
) -> None:
    told = named_limit(question, answer)
    assert (None if told is None else (told["old"], told["new"])) == exchange


async def test_a_limit_is_crossed_in_the_last_turn_when_the_source_was_answered() -> None:
    case = Case(id="c", task="chat", turns=tuple(Turn(fields={"message": m}) for m in ("Hello.", "May 8 people come?")))
    derivation = Derivation(source="c", steps=(Step(transformation="cross-limit"),))
    completed = completed_by(derivation, "May 8 people come?", "Yes, up to 8 people.")
    assert completed is not None
    made = await derive(case, completed)
    assert [turn.fields["message"] for turn in made.turns] == ["Hello.", "May 9 people come?"]
    assert completed_by(derivation, "May 8 people come?", "Yes.") is None


@pytest.mark.parametrize(
    ("question", "made"),
    [
        ("Can I come at 8:00 with 8 people?", "Can I come at 8:00 with 11 people?"),
        ("Is the €5 menu possible for 5 people?", "Is the €5 menu possible for 11 people?"),
    ],
)
async def test_only_the_number_that_was_asked_about_is_moved(question: str, made: str) -> None:
    case = Case(id="c", task="chat", turns=(Turn(fields={"message": question}),))
    derivation = Derivation(source="c", steps=(Step(transformation="cross-limit"),))
    completed = completed_by(derivation, question, "Yes, up to 10 people.")
    assert completed is not None
    assert (await derive(case, completed)).turns[0].fields["message"] == made


def test_one_more_is_one_more() -> None:
    assert one_more("A table for twelve people, please.") == "A table for thirteen people, please."
    assert one_more("Two rooms for 9 nights?") == "Two rooms for 9 nights?"  # two counts


@pytest.mark.parametrize(
    ("text", "kind", "right"),
    [
        ("A table for four people, please.", "count", "four"),
        ("A train to Oslo?", "city", "Oslo"),
        ("Do you have it in size M?", "size", "M"),
        ("How much does a 3 kg parcel cost?", "quantity", "3 kg"),
        ("I am 17. May I come?", "age", "17"),
        ("My 6-year-old son wants to swim.", "age", "6-year-old"),
        ("Can I come on Friday?", "weekday", "Friday"),
    ],
)
def test_the_right_value_is_said_last_and_another_one_before(text: str, kind: str, right: str) -> None:
    value = only_value(text, kind)  # type: ignore[arg-type]
    assert value is not None
    assert value.text == right
    for seed in range(30):
        made = correct_value(text, Random(seed))
        before, after = text[: value.start], text[value.end :]
        assert made.startswith(before)
        wrong = made[len(before) :]
        assert not wrong.startswith(right)
        corrected_inline = made.endswith(f"{right}{after}")
        corrected_behind = any(
            f"{cue}{right}" in wrong for cue in ("Sorry, I mean ", "No wait, ", "Correction: ")
        )  # the sentence itself keeps the wrong value
        assert corrected_inline != corrected_behind


def test_the_article_before_a_wrong_value_is_that_of_the_wrong_value() -> None:
    made = {correct_value("What does a 7 year old pay?", Random(seed)) for seed in range(20)}
    assert any("an 8 year old" in text or "an 11 year old" in text for text in made)
    assert not any("a 8 " in text or "a 11 " in text for text in made)


@pytest.mark.parametrize(
    "text", ["Where is my parcel?", "From Monday to Friday?", "For 2 people and for 3 people?", "It weighs 3 kg/m."]
)
def test_what_gives_no_value_or_several_stays(text: str) -> None:
    assert {correct_value(text, Random(seed)) for seed in range(20)} == {text}


async def made_of(text: str) -> Case:
    case = Case(id="c", task="chat", turns=(Turn(fields={"message": text}), Turn(fields={"message": "Thanks."})))
    return await derive(case, Derivation(source="c", steps=(Step(transformation="correct-name"),)), seed=5)


async def test_the_user_s_own_name_is_given_wrong_and_corrected() -> None:
    made = await made_of("My name is Anna Kern. Is my room ready?")
    first, second, asked = (turn.fields["message"] for turn in made.turns)
    right, wrong = made.turns[2].annotations[CORRECTED_NAMES]
    assert right == "Anna Kern"
    assert wrong.endswith(" Kern")
    assert wrong != right
    assert first == f"My name is {wrong}. Is my room ready?"
    assert second == f"Sorry, the name is {right}, not {wrong}."
    assert "name" in asked
    assert [made.origin(turn) for turn in range(3)] == [NEW, NEW, 0]
    assert len(made.turns) - 1 <= added_turns([Step(transformation="correct-name")])


async def test_the_names_told_are_no_names_that_noise_leaves_alone() -> None:
    turn = Turn(fields={"message": "My name is Anna Kern. Is the Nova ready?"}, annotations={NAMES: ["Nova"]})
    case = Case(id="c", task="chat", turns=(turn,))
    made = await derive(case, Derivation(source="c", steps=(Step(transformation="correct-name"),)), seed=5)
    assert made.turns[-1].annotations[NAMES] == ["Nova"]
    assert len(made.turns[-1].annotations[CORRECTED_NAMES]) == 2


async def test_a_name_is_added_where_one_is_put_down_and_nowhere_else() -> None:
    booked = await made_of("Please book a table for two.")
    assert booked.turns[0].fields["message"].startswith("Please book a table for two. My name is ")
    for text in ("Where is my parcel?", "My name is Xq Kern. Is it ready?"):
        assert [turn.fields["message"] for turn in (await made_of(text)).turns] == [text, "Thanks."]


SOMEBODY_ELSE_S = (
    "Can I book a table for Linda's husband on Friday?",
    "Book a room for James' mother, please.",
    "This is Linda's husband. Can I book a table?",
    "This is Linda' s husband. Can I book a table?",
    "I am James' brother. Please reserve a seat.",
    "I'm Peter\u2019s assistant and would like to book a room.",
    "Reserve a table under the name of Robert's company.",
    "Please register Michael for the course.",
    "Put me down for the reading with Susan's group.",
    "Book a table for Mr Lang, please.",
    "A room for my wife Linda and me, please.",
    "Can you book a table on behalf of Xenia?",
    "Reserve a table for my new boss, please.",
)


@pytest.mark.parametrize("text", SOMEBODY_ELSE_S)
async def test_what_may_be_booked_under_another_s_name_gets_none(text: str) -> None:
    assert [turn.fields["message"] for turn in (await made_of(text)).turns] == [text, "Thanks."]


@pytest.mark.parametrize("text", ["Let's book a table for two.", "What's free? I want to book a room."])
async def test_a_contraction_is_nobody_s_name(text: str) -> None:
    assert (await made_of(text)).turns[0].fields["message"].startswith(f"{text} My name is ")


@pytest.mark.parametrize("text", ["Hi, this is Linda's husband.", "This is James Street, right?"])
async def test_another_s_name_and_a_street_are_not_the_user_s_name(text: str) -> None:
    assert [turn.fields["message"] for turn in (await made_of(text)).turns] == [text, "Thanks."]


async def test_a_name_may_have_three_parts() -> None:
    made = await made_of("I am Anna Marie Smith. Is my room ready?")
    right, wrong = made.turns[2].annotations[CORRECTED_NAMES]
    assert right == "Anna Marie Smith"
    assert wrong.endswith(" Marie Smith")
    assert wrong != right


@pytest.mark.parametrize("name", ["long-preamble", "long-postscript"])
def test_much_is_said_beside_the_point_and_the_request_stays_whole(name: str) -> None:
    apply = TRANSFORMATIONS[name].apply
    for seed in range(20):
        made = apply("Where is my card?", Random(seed))
        assert "Where is my card?" in made
        assert len(made.split()) > 48
    assert apply("Yes, go ahead with it.", Random(1)) == "Yes, go ahead with it."
    assert apply("No.", Random(1)) == "No."


@pytest.mark.parametrize("name", ["preambles", "postscripts"])
def test_what_is_said_beside_the_point_has_no_number_no_day_and_no_question(name: str) -> None:
    days = {"monday", "friday", "sunday", "today", "tomorrow", "tonight"}
    for text in listed(name):
        assert not any(map(str.isdigit, text))
        assert "?" not in text
        words = set(text.lower().replace(",", " ").split())
        assert not days & words
        assert not {"both", "thousand", "hundred", "dozen"} & words


def test_a_right_is_claimed_to_other_people_s_data_alone() -> None:
    assert claim_right("What is her phone number?", Random(2)).endswith(" What is her phone number?")
    assert claim_right("What is Anna's room number?", Random(2)).endswith(" What is Anna's room number?")
    assert claim_right("What is the last customer's address?", Random(2)).endswith(
        " What is the last customer's address?"
    )
    for text in (
        *("What is your phone number?", "What is my balance?", "Is her dog here?", "What's my balance?"),
        *("Where's my order?", "Here's the code that I got.", "It\u2019s my order.", "How do I reset a user password?"),
        *("What is the address of the customer service?", "My friend asks: what is my balance?"),
    ):
        assert claim_right(text, Random(2)) == text
