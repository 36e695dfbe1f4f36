from __future__ import annotations

from random import Random

import pytest

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.text.arithmetic import Formula, NoFormula, worked_steps
from mutatis.transformations.problems import (
    ask_first,
    idle_number,
    none_of_them,
    number_options,
    recompute_number,
    reverse_options,
)


def problem(question: str, solution: str) -> Turn:
    return Turn(fields={"question": question}, annotations={"solution": solution})


def test_the_answer_follows_the_number_through_every_step():
    turn = problem(
        "Ann has 16 hens that lay 45 eggs, and 38 ducks that lay none. She sells them at $3. What does she earn?",
        "She has 16*45 = <<16*45=720>>720 eggs.\nShe earns 720*3 = $<<720*3=2160>>2160.\n#### 2160",
    )
    for seed in range(20):
        made = recompute_number(turn, Random(seed))
        words = made.fields["question"].split()
        hens, eggs = int(words[2]), int(words[6])
        assert (hens, eggs) != (16, 45)
        assert made.annotations["expects"] == [str(hens * eggs * 3)]
        assert "solution" not in made.annotations


@pytest.mark.parametrize(
    ("question", "solution"),
    [
        ("He has 16 eggs and eats 9. How many are left?", "16-9 = 7\n#### 7"),  # a step without a formula
        ("He has 16 eggs and eats 9. How many are left?", "<<16-9=8>>8\n#### 8"),  # the result is not what it comes to
        ("He has 16 eggs. What is 25% of them?", "<<.25*16=x>>\n#### 4"),
        ("He works 45 hours, at most 40 of them at $10. What does he get?", "<<45-40=5>>5\n<<5*10=50>>50\n#### 50"),
        # 8 of the second step is the first step's result or the eight shelves: nobody can tell
        ("He has 23 books, lends 15, and has 8 shelves. How many?", "<<23-15=8>>8\n<<8*4=32>>32\n#### 32"),
        ("He walks 60 minutes. How many seconds is that?", "<<60*60=3600>>3600\n#### 3600"),
    ],
    ids=["no formula", "wrong result", "no number", "a limit", "ambiguous", "a constant"],
)
def test_what_cannot_be_worked_out_anew_is_left_out(question, solution):
    with pytest.raises(UnusableFollowUp):
        recompute_number(problem(question, solution), Random(1))


def test_formulas_are_exact_and_run_nothing():
    assert Formula.parse("0.1+0.2").value() * 10 == 3
    for text in ("2**9", "__import__('os')", "9//2", "1/0", "a+1", "", "(" * 150):
        with pytest.raises(NoFormula):
            Formula.parse(text).value()
    assert [int(result) for _, result in worked_steps("<<2*3=6>>6 and <<6+1=7>>7\n#### 7")] == [6, 7]


def test_an_idle_sentence_has_nothing_to_do_with_the_problem():
    text = "A house has 3 windows, a bus drives by the trees. How many windows?"
    assert all("book" in idle_number(text, Random(seed)).split(".")[0] for seed in range(5))


def test_a_question_that_points_back_is_not_asked_first():
    with pytest.raises(UnusableFollowUp):
        ask_first("He drinks a bottle an hour and walks for 3 hours. How much does he drink in that time?")


def test_a_question_that_goes_on_from_the_facts_is_not_asked_first():
    with pytest.raises(UnusableFollowUp):
        ask_first("Walter has 60 apples and eats 20. If he then sells the rest at $3 each, what does he get?")


def test_an_option_is_never_another_ones_number():
    with pytest.raises(UnusableFollowUp, match="looks like the number of another"):
        number_options(Turn(fields={"options": "A) 6\nB) 16\nC) 3\nD) 10"}))
    assert number_options(Turn(fields={"options": "A) 6\nB) 16"})).fields["options"] == "1) 6\n2) 16"


@pytest.mark.parametrize("edit", [reverse_options, number_options, none_of_them])
def test_an_option_that_refers_to_others_by_small_letters_is_refused(edit):
    with pytest.raises(UnusableFollowUp, match="refers to"):
        edit(Turn(fields={"options": "a) tea\nb) milk\nc) a and b"}, expected=("tea",)))


def test_the_right_option_is_left_out_by_its_letter_or_text():
    fields = {"options": "A) tea\nB) milk\nC) rum"}
    for expected in ("B", "milk"):
        made = none_of_them(Turn(fields=fields, expected=(expected,)))
        assert made.fields["options"] == "A) tea\nB) rum\nC) None of the above"
        assert made.annotations["expects"] == ["None of the above"]
    with pytest.raises(UnusableFollowUp):
        none_of_them(Turn(fields=fields))
    with pytest.raises(UnusableFollowUp, match="refers to the others"):
        reverse_options(Turn(fields={"options": "A) tea\nB) milk\nC) A and B"}))
