"""Transformations of other work than LLMorph's: what their doctests do not show."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import mutatis.transformations  # noqa: F401
from mutatis.core.cases import EXPECTS, Case, Derivation, Step, Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.core.transformation import RESTORE, derive
from mutatis.languages import listed
from mutatis.testing import sync
from mutatis.text.normalisation import fold
from mutatis.text.spans import restore_spans
from mutatis.transformations.exchange import change_places
from mutatis.transformations.layout import curly_quotes, final_mark, homoglyphs, invisible_characters
from mutatis.transformations.opinions import soften_rules
from mutatis.transformations.passages import add_passages, cut_passages, order_passages, split_passages, stock
from mutatis.transformations.settled import ask_whether_changed, fill_gap
from mutatis.transformations.statements import or_else, say_whether, swap_conjuncts, tautology
from mutatis.transformations.variants import ampersands, numbers_in_words, short_dates, spelling_variants

PASSAGES = "[1] Ann left.\n\n[2] Ben stayed.\n\n[3] Cy slept."
QA = {"context": "The tower was built in 1920 by Ann Lee. It is old.", "question": "Where is it?"}


def follow_up(name: str, fields: dict[str, str], variant: tuple[str, ...], *more: Step) -> Turn:
    source = Case(id="c", task="question-answering", turns=(Turn(fields=fields),))
    wanted = Derivation(source="c", steps=(Step(transformation=name), *more), variant=variant)
    return sync(derive(source, wanted, restore=restore_spans)).turns[0]


@pytest.mark.parametrize(
    ("name", "variant"),
    [("other-passages", ("context",)), ("ask-whether-told", ("question",)), ("fill-gap", ("question",))],
)
def test_half_of_an_edit_whose_answer_is_known_is_no_follow_up(name: str, variant: tuple[str, ...]) -> None:
    assert EXPECTS in follow_up(name, QA, variant).annotations
    back = Step(transformation=RESTORE, parameters={"spans": {variant[0]: [0]}})
    with pytest.raises(UnusableFollowUp, match="known only for the whole edit"):
        follow_up(name, QA, variant, back)


def test_other_edits_are_still_restored() -> None:
    back = Step(transformation=RESTORE, parameters={"spans": {"question": [0]}})
    assert follow_up("upper-case", QA, ("question",), back).fields["question"] == "Where IS IT?"


def test_what_is_known_survives_a_record() -> None:
    turn = follow_up("fill-gap", QA, ("question",))
    case = Case(id="c", turns=(turn,))
    assert Case.from_record(case.to_record()).turns[0].annotations == turn.annotations


@pytest.mark.parametrize(
    "text",
    [
        "Humans that are very large.",
        "A man asleep.",
        "A man who is tall sleeping.",
        "It is late. He is asleep.",
        "Is he asleep?",
    ],
)
def test_only_whole_statements_are_called_true(text: str) -> None:
    assert say_whether(text, holds="false") == text
    assert or_else(text, Random(1)) == text


@pytest.mark.parametrize(
    "text",
    [
        "The father and his son are here.",
        "A man and a woman in blue jog.",
        "He sees a dog of a man and a woman.",
        "And",
    ],
)
def test_conjuncts_stay_where_it_is_not_plain_what_is_joined(text: str) -> None:
    assert swap_conjuncts(text) == text


def test_a_tautology_needs_a_statement() -> None:
    assert tautology("Is it?") == "Is it?"
    assert tautology("So ...") == "So ..."


def test_softened_only_where_something_is_felt() -> None:
    assert soften_rules("It is not a funny film.", Random(1)) == "It is not a funny film."
    assert soften_rules("Absurd and dull.", Random(2)).lower().count("somewhat") <= 2


def test_letters_that_look_alike_read_alike_but_are_others() -> None:
    made = homoglyphs("Why was my card declined?", Random(3), share=0.5)
    assert made != "Why was my card declined?"
    assert len(made) == len("Why was my card declined?")
    assert invisible_characters("abc", Random(1), share=1.0).replace("\u200b", "") == "abc"
    assert fold(curly_quotes("don't")) == fold("don't")


def test_the_last_mark() -> None:
    assert final_mark("What ...") == "What ..."
    assert final_mark("Go!") == "Go!"
    assert final_mark("Where ?") == "Where"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The November Uprising", "The November Uprising"),
        ("Henrik August Angell", "Henrik August Angell"),
        ("on 3 August 1999", "on 3 Aug. 1999"),
        ("in May, since June", "in May, since June"),
    ],
)
def test_months_in_names_stay(text: str, expected: str) -> None:
    assert short_dates(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n = 2, in O/2 and 1-3 cm", "n = 2, in O/2 and 1-3 cm"),
        ("twenty-three of 12", "twenty-three of twelve"),
        ("the Four Unknowns, 13 men", "the Four Unknowns, 13 men"),
    ],
)
def test_numbers_that_are_notation_or_names_stay(text: str, expected: str) -> None:
    assert numbers_in_words(text) in {expected, expected.replace("n = 2,", "n = two,")}


def test_spellings_and_ampersands() -> None:
    assert spelling_variants(spelling_variants("a gray harbour")) == "a gray harbour"
    assert ampersands("Ann and Ben, salt and pepper") == "Ann and Ben, salt & pepper"
    pairs = [line.split() for line in listed("spellings")]
    assert all(len(pair) == 2 for pair in pairs)
    assert len({word for pair in pairs for word in pair}) == 2 * len(pairs)


def test_a_place_that_only_the_question_names_stays() -> None:
    fields = {"context": "He was a lawyer from India.", "question": "Which famous French lawyer was he?"}
    made = change_places(Turn(fields=fields), Random(1), ("context", "question"), kind="countries")
    assert made.fields["question"] == fields["question"]
    assert "India" not in made.fields["context"]


def test_orders_of_passages() -> None:
    assert split_passages(order_passages(PASSAGES, Random(1), order="reversed")) == [
        "Cy slept.",
        "Ben stayed.",
        "Ann left.",
    ]
    last = order_passages(PASSAGES, Random(1), order="first-last")
    assert last == "[1] Ben stayed.\n\n[2] Cy slept.\n\n[3] Ann left."
    for seed in range(20):
        made = order_passages(PASSAGES, Random(seed))
        assert made != PASSAGES
        assert sorted(split_passages(made)) == sorted(split_passages(PASSAGES))
    assert order_passages("[1] Ann left.", Random(1)) == "[1] Ann left."


def test_passages_in_company() -> None:
    made = split_passages(add_passages(PASSAGES, Random(1), count=10))
    assert [p for p in made if p in split_passages(PASSAGES)] == split_passages(PASSAGES)
    assert len(made) == len(set(made)) == 13
    assert add_passages(PASSAGES, Random(1), count=0) == PASSAGES
    assert cut_passages(PASSAGES) == PASSAGES


def test_our_own_passages_hold_what_is_asked_of_them() -> None:
    for passage in stock():
        assert passage.entity in passage.text
        assert passage.question.endswith("?")
    assert len({passage.entity for passage in stock()}) == len(stock())


def test_questions_that_the_text_settles() -> None:
    turn = Turn(fields=QA)
    for seed in range(20):
        made = fill_gap(turn, Random(seed))
        [answer] = made.annotations[EXPECTS]
        assert made.fields["question"].split('"')[1].replace("____", answer) in QA["context"]
        changed = ask_whether_changed(turn, Random(seed))
        assert changed.fields["question"].split('"')[1] not in QA["context"]
    bare = replace(turn, fields={**QA, "context": "So it goes."})
    for function in (fill_gap, ask_whether_changed):
        with pytest.raises(UnusableFollowUp):
            function(bare, Random(1))
