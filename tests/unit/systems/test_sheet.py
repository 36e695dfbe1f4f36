from __future__ import annotations

import pytest

from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.system import Conversation
from mutatis.systems import SYSTEMS
from mutatis.systems.sheet import question_name
from mutatis.testing import sync


def talk(*questions: str, story: str = "Nora built a tower.", said: str = "Nora") -> Conversation:
    history = tuple(({"question": earlier}, said) for earlier in questions[:-1])
    return Conversation(messages=(), fields={"story": story, "question": questions[-1]}, history=history)


WHO, WHERE = talk("Who built it?"), talk("Who built it?", "Where was she born?")


def sheet(tmp_path, text: str, name: str = "people.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return SYSTEMS["sheet"](path=str(path))


def test_a_question_is_known_by_what_was_asked_before_it_and_not_by_what_was_answered():
    assert question_name(WHERE) == question_name(talk("Who built it?", "Where was she born?", said="Edith"))
    others = [WHO, WHERE, talk("Where was she born?"), talk("Who built it?", story="Edith did.")]
    assert len({question_name(question) for question in others}) == len(others)


def test_the_written_answers_are_given(tmp_path):
    people = sheet(
        tmp_path, f"number,item,answer\n1,{question_name(WHO)}, Nora \n2,{question_name(WHERE)},'-5 degrees\n"
    )
    assert sync(people.ask(WHO)).text == "Nora"
    assert sync(people.ask(WHERE)).text == "-5 degrees"  # the page marks what a spreadsheet would run as a formula
    assert people.label == "sheet:people.csv"


def test_blank_and_missing_questions_are_failures_that_say_so(tmp_path):
    people = sheet(tmp_path, f"item;answer\n{question_name(WHO)};\n{question_name(WHERE)};in Ardmore\n")
    with pytest.raises(SystemFailure, match=r"^the question was left blank on people\.csv$"):
        sync(people.ask(WHO))
    with pytest.raises(SystemFailure, match=r"^the question is not on people\.csv$"):
        sync(people.ask(talk("Why?")))


def test_other_answers_are_another_system(tmp_path):
    first, second, same = (
        sheet(tmp_path, f"item,answer\n{question_name(WHO)},{text}\n", f"{n}.csv") for n, text in enumerate("aba")
    )
    assert first.identity == same.identity
    assert first.identity != second.identity


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("item,label\nq1,x\n", "no column 'answer'; expected a sheet written by `mutatis sheet CONFIG answers`"),
        ("item,answer\nq1,x\nq1,y\n", "row 3, column 'item': 'q1' occurs twice"),
        ("item,answer\n,x\n", "row 2: the column 'item' is empty"),
        ("item,answer\nq1,\n", "none of the questions has an answer; fill in the column 'answer'"),
        ("item,answer\n", "no rows"),
    ],
)
def test_a_sheet_that_is_none_is_told_with_its_place(tmp_path, text, says):
    with pytest.raises(UsageError, match=r"people\.csv") as told:
        sheet(tmp_path, text)
    assert says in str(told.value)


def test_a_page_is_no_filled_sheet(tmp_path):
    with pytest.raises(UsageError, match="open this page and save the sheet with its button"):
        sheet(tmp_path, "<html>", "people.html")
