"""Names of the data: from the user's list, and from words that stand together again and again."""

from __future__ import annotations

import pytest

from mutatis.assembly.blocks import with_languages_and_names
from mutatis.assembly.spool import Spool
from mutatis.core.cases import NAMES, PRODUCTS, Case, Derivation, Step, Turn
from mutatis.core.transformation import derive
from mutatis.testing import sync

MESSAGES = (
    "i bought the liberty movie pass and lost it",
    "is the movie pass still sold",
    "the movie pass was declined",
    "how do i get a movie pass",
    "this is an error of your cinema",
)


def cases(*texts: str) -> list[Case]:
    return [Case(id=f"d/{n}", task="chat", turns=(Turn(fields={"message": text}),)) for n, text in enumerate(texts)]


def names(marked: Case) -> tuple[str, ...]:
    return tuple(marked.turns[0].annotations.get(NAMES, ()))


def test_names_are_noted_on_the_turns_that_hold_them() -> None:
    marked = list(with_languages_and_names(cases(*MESSAGES), ["Liberty"], []))
    assert [names(case) for case in marked] == [("movie pass", "liberty"), *[("movie pass",)] * 3, ()]


def test_cases_in_a_file_are_marked_as_those_in_memory() -> None:
    listed = cases(*MESSAGES)
    spooled = with_languages_and_names(Spool(listed), ["Liberty"], [])
    assert list(spooled) == list(with_languages_and_names(listed, ["Liberty"], []))
    assert spooled[-2].turns[0].annotations[NAMES] == ("movie pass",)
    assert with_languages_and_names(listed[-1:], [], [])[0].turns == listed[-1].turns


@pytest.mark.parametrize(("said", "kept"), [([], "movie pass"), (["error"], "error")])
def test_synonyms_leave_names_alone(said: list[str], kept: str) -> None:
    wanted = Step(transformation="synonyms-lexicon", parameters={"share": 1.0})
    marked = [
        case for case in with_languages_and_names(cases(*MESSAGES), said, []) if kept in case.turns[0].fields["message"]
    ]
    bare = [case for case in cases(*MESSAGES) if kept in case.turns[0].fields["message"]]

    def made(case: Case) -> str:
        return sync(derive(case, Derivation(source=case.id, steps=(wanted,)))).turns[0].fields["message"]

    assert all(kept in made(case) for case in marked)
    assert not any(kept in made(case) for case in bare)


PLANS = (
    "Is the Classic plan flat?",
    "I have the Classic plan.",
    "How do I leave the Home Turbo plan?",
    "Is the Home Turbo plan quick, and is it dear?",
    "Is the Monday plan quick?",
    "I read the Monday plan.",
    "Do you sell the Nova phone?",
    "The Nova phone is dear, I have a Nova phone.",
)


def products(marked: Case) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, marked.turns[0].annotations.get(PRODUCTS, ())))


@pytest.mark.parametrize(
    ("said", "text", "noted"),
    [
        ([], "Is the Classic plan flat?", (("Classic plan", "Home Turbo plan"),)),
        ([], "How do I leave the Home Turbo plan?", (("Home Turbo plan", "Classic plan"),)),
        ([], "Is the Monday plan quick?", ()),  # a day names no product
        ([], "Do you sell the Nova phone?", ()),  # nothing else is of its kind
        (["Nova phone", "Orbit tablet"], "Do you sell the Nova phone?", (("Nova phone", "Orbit tablet"),)),
        (["Nova phone", "Nova"], "Do you sell the Nova phone?", ()),  # two names of one thing
        (["Classic", "Max"], "Is the Classic plan flat?", (("Classic", "Max"),)),  # the user's list comes first
    ],
)
def test_a_product_is_noted_with_those_of_its_origin(said: list[str], text: str, noted: tuple[object, ...]) -> None:
    assert [
        products(case) for case in with_languages_and_names(cases(*PLANS), said, []) if case.turns[0].question == text
    ] == [noted]


def test_a_name_that_stands_in_one_question_alone_is_no_product() -> None:
    assert not any(map(products, with_languages_and_names(cases(*PLANS[1:6]), [], [])))


def test_a_long_list_is_noted_in_part() -> None:
    listed = [f"Nova{number:03}" for number in range(300)]
    [marked] = with_languages_and_names(cases("Is the Nova290 dear?"), listed, [])
    [(name, *others)] = products(marked)
    assert (name, others[:3], others[9], len(others)) == ("Nova290", ["Nova291", "Nova292", "Nova293"], "Nova000", 24)
