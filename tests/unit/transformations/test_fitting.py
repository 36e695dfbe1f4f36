"""Names and values that are exchanged in a question fit it; titles are whole names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mutatis.core.dictionary import Dictionary, Exchange, Name, NameKind, Parameters
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.dictionary import learn


def kind(*names: str) -> NameKind:
    return NameKind(kind="", names=tuple(Name(text=name, seen=("a", "b")) for name in names))


def dictionary(names: tuple[str, ...] = (), *talk: tuple[str, str], language: str = "en") -> Dictionary:
    exchanges = tuple(Exchange(question=question, reply=reply) for question, reply in talk)
    return Dictionary(
        names=(kind(*names),) if names else (),
        exchanges=exchanges,
        understands=frozenset({"left out", "corrected", "pronoun"}),
        language=language,
    )


def choices(name: str, question: str, known: Dictionary, reply: str = "Yes.") -> list[Parameters]:
    look_up = TRANSFORMATIONS[name].looks_up
    assert look_up is not None
    try:
        return [*look_up(question, reply, known)]
    except UnusableFollowUp:
        return []


def seconds(question: str, known: Dictionary) -> list[str]:
    return [choice["second"] for choice in choices("ask-of-two", question, known)]


PLAYS = (
    ("How long is Tosca?", "Tosca lasts 2 hours."),
    ("How long is Beauty and the Bear?", "Beauty and the Bear lasts 1 hour."),
    ("How long is Bruckner's Ninth Symphony?", "Bruckner's Ninth Symphony lasts 1 hour."),
    ("How long is The Seagull?", "The Seagull lasts 3 hours."),
    ("Is there an interval in Tosca?", "Yes, in Tosca."),
    ("Is there an interval in The Seagull?", "No."),
    ("What is on in May?", "In May we play Tosca, Fidelio and Beauty and the Bear."),
    ("Is there an interval in Beauty and the Bear?", "No."),
    ("Is there an interval in Bruckner's Ninth Symphony?", "No."),
)


def test_a_title_is_a_name_as_a_whole() -> None:
    learnt = learn(Exchange(question=question, reply=reply) for question, reply in PLAYS)
    [plays] = [[name.text for name in kind.names] for kind in learnt.names if "Tosca" in str(kind)]
    assert {"Tosca", "Beauty and the Bear", "Bruckner's Ninth Symphony", "The Seagull"} <= {*plays}
    assert not {"Beauty", "Bear", "Bruckner's", "Symphony", "Seagull", "the Bear"} & {*plays}


def test_a_title_is_exchanged_with_its_article() -> None:
    talk = tuple(Exchange(question=question, reply=reply) for question, reply in PLAYS)
    known = replace(learn(talk), exchanges=talk)
    assert "How long is Tosca?" in seconds("How long is The Seagull?", known)
    assert "How long is The Seagull?" in seconds("How long is Beauty and the Bear?", known)


def test_two_names_joined_by_and_stay_two_where_one_of_them_also_stands_alone() -> None:
    talk = [
        ("Do Nova and Orbit cost the same?", "No, for Nova and Orbit there are two prices."),
        ("How much is Nova?", "Nova is 9 EUR."),
        ("How much is Orbit?", "Orbit is 8 EUR."),
    ]
    learnt = learn(Exchange(question=question, reply=reply) for question, reply in talk)
    assert [[name.text for name in kind.names] for kind in learnt.names] == [["Nova", "Orbit"]]


def test_a_possessive_belongs_to_no_name() -> None:
    talk = [
        ("What is the price of Nova?", "We know Nova's price: 9 EUR."),
        ("What is the price of Orbit?", "We know Orbit's price: 8 EUR."),
    ]
    learnt = learn(Exchange(question=question, reply=reply) for question, reply in talk)
    assert [[name.text for name in kind.names] for kind in learnt.names] == [["Nova", "Orbit"]]


HIRE = (
    ("How much is a canoe per hour?", "A canoe is 9 EUR an hour."),
    ("What does a cabin cost per night?", "A cabin is 60 EUR a night."),
    ("What does a chalet cost per night?", "A chalet is 90 EUR a night."),
    ("How many people fit into a cabin?", "Four."),
    ("How many people can sleep in the chalet?", "Six."),
    ("Is there a canoe at the lake?", "Yes."),
    ("Is there a cabin at the lake?", "Yes."),
)


def test_things_are_exchanged_if_they_are_asked_about_alike() -> None:
    known = dictionary(("cabin", "canoe", "chalet"), *HIRE)
    assert seconds("How many people can sleep in the chalet?", known) == ["How many people can sleep in the cabin?"]


def test_names_that_belong_to_other_nouns_are_not_exchanged() -> None:
    talk = (
        ("How much is the Basic membership?", "29 EUR."),
        ("How much is the Flex membership?", "39 EUR."),
        ("How long is the Step class?", "An hour."),
    )
    known = dictionary(("Basic", "Flex", "Step"), *talk)
    assert seconds("How much is the Basic membership?", known) == ["How much is the Flex membership?"]
    assert seconds("When is Step?", known) == []
    assert seconds("How much is Basic?", known) == ["How much is Flex?"]


def test_a_noun_that_only_one_name_has_goes_with_it() -> None:
    known = dictionary(("Nova", "Orbit"), ("Is the Nova phone in stock?", "Yes."), ("Is the Orbit tablet dear?", "No."))
    assert seconds("How much is the Nova phone?", known) == ["How much is the Orbit tablet?"]
    [choice] = choices("leave-out", "How much is the Nova phone?", known)
    assert choice["short"] == "And the Nova phone?"


def test_names_are_exchanged_for_names_in_the_same_case_and_number() -> None:
    talk = (("Is there a lift, are there lockers or toilets?", "Yes."),)
    assert seconds("When does it stop at Lakeside?", dictionary(("Lakeside", "night"), *talk)) == []
    assert seconds("How much is the lift?", dictionary(("lift", "lockers"), *talk)) == []
    assert seconds("How many are the lockers?", dictionary(("lockers", "toilets"), *talk)) == [
        "How many are the toilets?"
    ]


def test_a_thing_for_somebody_is_not_exchanged() -> None:
    assert seconds("How much is the trailer for children?", dictionary()) == []
    assert "How much is the car?" in seconds("How much is the trailer?", dictionary())


def test_a_round_number_is_exchanged_for_a_round_one() -> None:
    assert seconds("How much are 100 business cards?", dictionary()) == ["How much are 200 business cards?"]


def test_a_round_number_is_exchanged_for_a_round_one_in_another_language() -> None:
    assert seconds_in("de", "Was kosten 100 Visitenkarten?") == ["Was kosten 200 Visitenkarten?"]
    assert seconds_in("fr", "Combien co\u00fbtent 100 cartes ?") == ["Combien co\u00fbtent 200 cartes ?"]


def seconds_in(language: str, question: str) -> list[str]:
    look_up = TRANSFORMATIONS["ask-of-two"].looks_up
    assert look_up is not None
    return [choice["second"] for choice in look_up(question, "Ja.", dictionary(language=language))]


def test_a_question_in_two_parts_has_no_short_form_in_another_language() -> None:
    look_up = TRANSFORMATIONS["leave-out"].looks_up
    assert look_up is not None
    known = dictionary(language="de")
    assert look_up("Wie viel kostet der Kurs am Montag?", "Zehn Euro.", known)
    with pytest.raises(UnusableFollowUp):
        look_up("Wie viel kostet der Kurs am Montag, und wo ist die Schule?", "Zehn Euro.", known)


def test_a_question_in_two_parts_has_no_short_form() -> None:
    known = dictionary(("Basic", "Flex"))
    assert choices("leave-out", "How high is the fee for Basic?", known)
    assert not choices("leave-out", "How high is the fee for Basic, and do students get a discount?", known)
    assert not choices("leave-out-later", "How high is the fee for Basic, and where is the school?", known)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("When does Tosca begin?", "And Tosca?"),
        ("When does Tosca finish?", "And Tosca?"),
        ("Can we make a fire next to the Tosca?", "And next to the Tosca?"),
        ("Is the Tosca an opera?", "And the Tosca?"),
    ],
)
def test_a_phrase_ends_before_a_verb(question: str, short: str) -> None:
    assert [choice["short"] for choice in choices("leave-out", question, dictionary(("Fidelio", "Tosca")))] == [short]


@pytest.mark.parametrize("first", ["Can I take the Nova abroad?", "Does the Nova have a tow bar?"])
def test_it_follows_no_question_about_a_deed_or_another_thing_that_has_a_price(first: str) -> None:
    asked = "How much is the Nova?"
    known = dictionary(("Nova", "Orbit"), (first, "Yes."), (asked, "9 EUR."), ("How fast is the Nova?", "Very."))
    assert {choice["before"] for choice in choices("say-it", asked, known)} == {"How fast is the Nova?"}
