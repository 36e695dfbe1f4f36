"""What a dictionary learns from questions and replies."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.core.dictionary import NO_ENTRIES, USER, Dictionary, Exchange, KnownValue, Limit, Name, NameKind, ranked
from mutatis.dictionary import directions_of, learn, limits, limits_of

TALK = [
    Exchange(question="What does Green Flex cost?", reply="Green Flex costs 12 EUR a month."),
    Exchange(question="What does Basic cost?", reply="Basic costs 9 EUR a month."),
    Exchange(question="Which tariffs are there?", reply="We have Basic, Green Flex and Night Saver."),
    Exchange(question="I am 70. Is there a discount?", reply="Yes, from 65 years there is a discount."),
    Exchange(question="My mother is 66. Is there a discount?", reply="Yes, from 65 years there is a discount."),
    Exchange(question="Can I take paracetamol?", reply="Yes, paracetamol (Panadol) is fine for 3 days."),
]


def names_of(dictionary: Dictionary) -> list[list[str]]:
    return [[name.text for name in kind.names] for kind in dictionary.names]


def test_names_of_one_enumeration_are_of_one_kind():
    assert ["Basic", "Green Flex", "Night Saver"] in names_of(learn(TALK))


def test_names_between_the_same_words_are_of_one_kind():
    talk = [
        Exchange(question="Is a ticket to Elmswick dear?", reply="A ticket to Elmswick is 4 EUR."),
        Exchange(question="Is a ticket to Harrowby dear?", reply="A ticket to Harrowby is 5 EUR."),
    ]
    assert ["Elmswick", "Harrowby"] in names_of(learn(talk))


@pytest.mark.parametrize(
    ("questions", "kinds"),
    [
        (["How much is a city bike?", "What would an e-bike cost us?", "We need 8 cargo bikes."],
         [["cargo bike", "city bike", "e-bike"]]),
        (["How much is the city bus?", "Do you have a night bus?"], [["city bus", "night bus"]]),
        (["How much is the Plus membership?", "I want to end my Basic membership."], [["Basic", "Plus"]]),
        (["I am on Nova Plus.", "Can I cancel my Nova Mini?"], [["Nova Mini", "Nova Plus"]]),
        (["Is the shop in York open?", "When do you close in Leeds?"], [["Leeds", "York"]]),
        (["How much is a new bike?", "Where do I get a good bike?"], []),
        (["What does a check-up cost?", "How much do 2 nights cost?", "I am 8 years old."], []),
        (["My name is Jonas Weber.", "How much is the Plus membership?"], []),
    ],
    ids=["noun", "no plural", "name before a noun", "first word", "town", "any bike", "no noun", "person"],
)  # fmt: skip
def test_things_with_one_noun_and_names_with_one_first_word_are_of_one_kind(questions, kinds):
    assert names_of(learn([Exchange(question=question, reply="Yes, it is.") for question in questions])) == kinds


def test_a_limit_keeps_the_questions_whose_replies_state_it():
    [limit] = [limit for limit in learn(TALK).limits if limit.measure in ("months", "age")]
    assert limit.text == "from 65 years"
    assert len(limit.seen) == 2
    assert limit.trusted


def test_two_replies_that_state_different_limits_contradict_each_other():
    other = Exchange(question="And at 64?", reply="Yes, from 60 years there is a discount.")
    ages = [limit for limit in learn([*TALK, other]).limits if limit.measure in ("months", "age")]
    assert len(ages) == 2
    assert not any(limit.trusted for limit in ages)


def test_values_are_kept_once_with_what_they_measure():
    values = learn(TALK).values
    assert [value.text for value in values if value.measure == "euro"] == ["12 EUR", "9 EUR"]


@given(st.integers(0, 10_000))
def test_the_order_of_the_questions_changes_nothing(seed):
    shuffled = TALK.copy()
    Random(seed).shuffle(shuffled)
    assert learn(shuffled) == learn(TALK)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Only from 18 years.", [("least", True, "18 years")]),
        ("For anybody over 12.", [("least", False, "12")]),
        ("Up to 8 people.", [("most", True, "8")]),
        ("Parcels under 2 kg are free.", [("most", False, "2 kg")]),
        ("We are open until 14:00.", [("most", True, "14:00")]),
        ("Free from 35 EUR.", [("least", True, "35 EUR")]),
        ("For children between 6 and 12 years.", [("least", True, "6 years"), ("most", True, "12 years")]),
        ("Persons 65 and over pay less.", [("least", True, "65")]),
        ("Under-16s travel free.", [("most", False, "16")]),
        ("It is half for the over-65s and free for under 5s.", [("least", False, "65"), ("most", False, "5")]),
        ("From 50 % on you travel free.", [("least", True, "50 %")]),
        ("It is over the 80s.", []),
        ("It takes 3 days.", []),
        ("From Monday to Friday.", []),
        ("Up to 10 kg it is 8 euros and up to 30 kg 12 euros.", [("most", True, "10 kg"), ("most", True, "30 kg")]),
    ],
)
def test_limits_are_read_with_their_side(reply, expected):
    assert [(limit.side, limit.inclusive, limit.value) for limit in limits_of(reply)] == expected


@pytest.mark.parametrize(
    ("language", "reply", "expected"),
    [
        ("es", "El abono joven es de 12 a 26 años y cuesta 20 €.", ["12 años", "26 años"]),
        ("es", "Hay descuento para niños de entre 4 y 11 años.", ["4 años", "11 años"]),
        ("es", "Bultos de 10 a 25 kg: 5 €. Grupos de 6 a 12 personas.", ["10 kg", "25 kg", "6", "12"]),
        ("de", "Das Jugendabo gilt von 12 bis 26 Jahren.", ["12 Jahren", "26 Jahren"]),
        ("de", "Kinder zwischen 4 und 11 Jahren zahlen 2 €.", ["4 Jahren", "11 Jahren"]),
        ("fr", "L'abonnement jeune est valable de 12 à 26 ans.", ["12 ans", "26 ans"]),
        ("fr", "C'est pour les enfants âgés de 4 à 11 ans.", ["4", "11 ans"]),
        ("es", "El viaje dura de 3 a 5 horas y cuesta de 10 a 25 €.", []),
        ("fr", "Le trajet dure entre 3 et 5 heures.", []),
    ],
)
def test_elsewhere_a_range_of_ages_sizes_or_people_has_two_limits(language, reply, expected):
    stated = limits_of(reply, language)
    assert [limit.value for limit in stated] == expected
    assert [limit.side for limit in stated] == ["least", "most"] * (len(expected) // 2)


@pytest.mark.parametrize(
    ("side", "inclusive", "held"),
    [("least", True, [False, True, True]), ("least", False, [False, False, True]), ("most", True, [True, True, False])],
)
def test_a_limit_holds_on_its_side(side, inclusive, held):
    limit = Limit(text="", value="65", measure="count", size=65.0, side=side, inclusive=inclusive)
    assert [limit.holds(size) for size in (64, 65, 66)] == held


def test_what_the_user_writes_is_trusted_and_goes_over_what_was_learnt():
    mine = Dictionary(names=(NameKind(kind="", names=(Name(text="Basic", seen=(USER,)),)),))
    merged = learn(TALK).with_entries(mine)
    assert any(name.trusted for kind in merged.names for name in kind.names if name.text == "Basic")


def test_kinds_without_a_noun_stay_apart_when_entries_are_put_over_them():
    tariffs = Exchange(question="Which tariffs?", reply="We have Basic, Green Flex and Night Saver.")
    cities = Exchange(question="Where are you?", reply="We serve Hull, Leeds and York.")
    learnt = learn([tariffs, cities])
    assert [kind.kind for kind in learnt.names] == ["", ""]
    assert learnt.with_entries(NO_ENTRIES).names == learnt.names
    mine = NameKind(kind="tariff", names=(Name(text="basic", seen=(USER,)), Name(text="Sun Share", seen=(USER,))))
    made = learnt.with_entries(Dictionary(names=(mine,)))
    assert [[name.text for name in kind.names] for kind in made.names] == [
        ["Hull", "Leeds", "York"],
        ["basic", "Green Flex", "Night Saver", "Sun Share"],
    ]
    assert made.names[1].kind == "tariff"
    assert made.names[1].names[0].trusted


def test_an_entry_that_is_wrong_is_left_out():
    kept = learn(TALK).without(frozenset({"basic", "12 eur"}))
    assert ["Green Flex", "Night Saver"] in names_of(kept)
    assert "12 EUR" not in {value.text for value in kept.values}


def test_a_seen_once_value_is_not_trusted():
    assert not KnownValue(text="9 EUR", measure="euro", seen=("a",)).trusted


@given(st.lists(st.text(min_size=1), min_size=1, max_size=20, unique=True), st.text())
def test_a_choice_that_joins_moves_no_other(texts, question):
    choices = [{"new": text} for text in texts]
    fewer = ranked(question, choices[:-1])
    more = ranked(question, choices)
    assert [choice for choice in more if choice != choices[-1]] == fewer


def kinds(*talk: tuple[str, str]) -> list[list[tuple[str, int]]]:
    """Return the names of each kind that a talk shows, with how many questions show each."""
    known = learn(Exchange(question=question, reply=reply) for question, reply in talk)
    return [[(name.text, len(name.seen)) for name in kind.names] for kind in known.names]


@pytest.mark.parametrize(
    ("talk", "expected"),
    [
        (
            [
                ("What is a check for a cat?", "35 EUR."),
                ("What is a check for a dog?", "45 EUR."),
                ("Is it dear?", "No."),
            ],
            [[("cat", 1), ("dog", 1)]],  # the one place in which two questions differ
        ),
        ([("Is a cat or a dog dearer?", "A dog.")], [[("cat", 1), ("dog", 1)]]),
        (
            [("Whom do you treat?", "We treat dogs, cats and rabbits."), ("Can I bring my rabbit?", "Yes.")],
            [[("cat", 0), ("dog", 0), ("rabbit", 1)], [("cats", 1), ("dogs", 1), ("rabbits", 1)]],
        ),
        (
            [("Do you ship to Austria?", "Yes."), ("What is a parcel to Spain?", "12 EUR.")],
            [[("Austria", 1), ("Spain", 1)]],
        ),
        ([("Can I bring my dog?", "Yes."), ("Can I wash my hands?", "Yes.")], []),
    ],
)
def test_names_in_small_letters_and_names_that_stand_once(
    talk: list[tuple[str, str]], expected: list[list[tuple[str, int]]]
) -> None:
    assert kinds(*talk) == expected


def test_the_steps_of_a_table_do_not_contradict_each_other() -> None:
    table = Exchange(
        question="What is a parcel?", reply="Up to 2 kg 5 EUR, up to 10 kg 8 EUR, over 10 to 25 kg 20 EUR."
    )
    known = learn([table])
    assert [(limit.size, limit.side, limit.inclusive) for limit in known.limits] == [
        (2.0, "most", True),
        (10.0, "least", False),
        (10.0, "most", True),
        (25.0, "most", True),
    ]
    assert not any(limit.contradicted for limit in known.limits)
    other = Exchange(
        question="What is the weight?", reply="Up to 3 kg 5 EUR, up to 10 kg 8 EUR, over 10 to 25 kg 20 EUR."
    )
    assert {limit.size for limit in learn([table, other]).limits if limit.contradicted} == {2.0, 3.0}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Register until 31 March.", [("most", True, "31 March")]),
        ("It is possible from 1 May.", [("least", True, "1 May")]),
        ("Order before 14:00.", [("most", False, "14:00")]),
        ("Please register no later than 14 May 2027.", [("most", True, "14 May 2027")]),
        ("Not before 10:00, please.", [("least", True, "10:00")]),
        ("We are open from 9:00 to 18:00.", [("least", True, "9:00"), ("most", True, "18:00")]),
        ("Opening hours: Monday to Friday 9 am to 5 pm.", [("least", True, "9 am"), ("most", True, "5 pm")]),
        ("The pool is open 1 May to 30 September.", [("least", True, "1 May"), ("most", True, "30 September")]),
        ("The tour is 9:00 to 11:00.", []),  # when something takes place limits nobody
        ("The kitchen closes at 22:00.", [("most", True, "22:00")]),
        ("It is valid through 31 March.", [("most", True, "31 March")]),
        ("Children up to and including 12 pay half.", [("most", True, "12")]),
        ("Minimum age is 18.", [("least", True, "18")]),
        ("You save by 10 EUR, through 3 shops.", []),
    ],
)
def test_dates_and_times_are_limits_too(reply, expected):
    assert [(limit.side, limit.inclusive, limit.value) for limit in limits_of(reply)] == expected


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("The heavier the parcel, the dearer it is.", [("mass", "up")]),
        ("The younger the child, the cheaper the ticket.", [("age", "up")]),
        ("Premiums rise with age.", [("age", "up")]),
        ("The fee falls with the number of people.", [("count", "down")]),
        ("The longer you stay, the cheaper it gets.", [("length", "down"), ("time", "down"), ("months", "down")]),
        ("The heavier ones cost 9 EUR.", []),
    ],
)
def test_directions_of_prices_are_read(text, ways):
    told = directions_of(text)
    assert told[: len(ways)] == ways
    assert bool(told) is bool(ways)


class Watched:
    """A pattern that notes how much of a sentence it may read."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern, self.read = pattern, list[int]()

    def search(self, text: str, begin: int = 0, end: int | None = None) -> re.Match[str] | None:
        end = len(text) if end is None else end
        self.read.append(end - begin)
        return self.pattern.search(text, begin, end)


@pytest.mark.parametrize(("language", "said"), [("en", "9 pm to 10 pm, "), ("de", "von 9 bis "), ("fr", "1er ")])
def test_a_long_reply_is_read_once_and_not_again_for_each_value(
    language: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, each value had all the text before it searched: "9 Uhr " 1,500 times took longer than eight seconds."""
    cues = limits._cues(language)
    watched, opening = Watched(cues.before), Watched(cues.open)
    monkeypatch.setattr(cues, "before", watched)
    monkeypatch.setattr(cues, "open", opening)
    limits_of(said * 300, language)
    assert max(watched.read, default=0) <= 200
    assert len(opening.read) <= 1


def test_a_limit_at_the_end_of_a_long_sentence_is_quoted_whole() -> None:
    long = "We have many tables of all sizes and " * 30
    assert [limit.text for limit in limits_of(f"{long}take up to 8 people.")] == ["up to 8 people"]
    assert [limit.text for limit in limits_of(f"{long}groups of 10 or more pay less.")] == ["groups of 10 or more"]


def test_the_end_of_a_sentence_is_not_the_noun_of_a_kind():
    replies = ["We have Basic, Nova and Orbit.", "We also sell Basic.", "We also sell Nova."]
    known = learn([Exchange(question="What do you sell?", reply=reply) for reply in replies])
    assert [kind.kind for kind in known.names] == [""]


def test_words_with_a_function_word_are_not_the_noun_of_a_kind():
    replies = ["We have Basic, Nova and Orbit.", "We sell Basic and the rest.", "They sell Nova and the rest."]
    known = learn([Exchange(question="What do you sell?", reply=reply) for reply in replies])
    assert [kind.kind for kind in known.names] == [""]
