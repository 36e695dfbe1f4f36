from __future__ import annotations

from random import Random

import pytest

from mutatis.core.cases import Turn
from mutatis.core.errors import UnusableFollowUp
from mutatis.transformations.problems import metric_units, swap_facts


def problem(question: str, solution: str) -> Turn:
    return Turn(fields={"question": question}, annotations={"solution": solution})


def test_facts_that_meet_in_a_sum_change_places():
    turn = problem(
        "A car travels 30 miles per hour for 8 hours. A bus travels 60 miles per hour for 5 hours. How far do both go?",
        "<<30*8=240>>240\n<<60*5=300>>300\n<<240+300=540>>540\n#### 540",
    )
    assert swap_facts(turn, Random(1)).fields["question"] == (
        "A bus travels 60 miles per hour for 5 hours. A car travels 30 miles per hour for 8 hours. How far do both go?"
    )


@pytest.mark.parametrize(
    ("question", "solution"),
    [
        # what is sold is taken from what was bought: a difference of both
        ("Ann shops. She buys 9 pens. She sells 4 inks. How many has she?", "<<9-4=5>>5\n#### 5"),
        # "then", "the rest", "they" and "more" lean on what was said
        ("Ann shops. She buys 9 pens. Then she buys 4 inks. How many has she?", "<<9+4=13>>13\n#### 13"),
        ("Ann has 9 hens. They lay 4 eggs. How many are there?", "<<9*4=36>>36\n#### 36"),
        ("There are 9 hens. Ducks are 4 more than hens. How many birds?", "<<9+4=13>>13\n<<9+13=22>>22\n#### 22"),
        # she is Ann, of whom nobody spoke before
        ("Ann buys 9 pens. She buys 4 inks. How many things has she?", "<<9+4=13>>13\n#### 13"),
        # whose 4 the formula has nobody can tell
        ("Ann shops. She buys 4 pens. She buys 4 inks. How many has she?", "<<4+4=8>>8\n#### 8"),
        ("Ann shops. She buys 9 pens. She buys 4 inks. How many has she?", "13, of course\n#### 13"),
    ],
    ids=["difference", "then", "they", "more", "who", "same number", "no formula"],
)
def test_facts_that_may_lean_on_each_other_stay(question, solution):
    with pytest.raises(UnusableFollowUp):
        swap_facts(problem(question, solution), Random(1))


@pytest.mark.parametrize(
    "text",
    [
        "He runs 2 miles and jumps 3 feet.",
        "A 5 pound bag is 80 ounces.",
        "The 2-gallon can holds 8 quarts.",
        "He drives 10 miles at 60mph.",
        "He has 3 apples.",
        "She can tap her right foot 300 times a minute, both of her feet 500 times.",
    ],
)
def test_units_that_might_have_to_be_converted_stay(text):
    with pytest.raises(UnusableFollowUp):
        metric_units(text)


def test_units_are_written_alike_everywhere():
    text = "A 12-mile trail is a mile too long. Miles are hard, he walks 3 miles per hour."
    assert metric_units(text) == (
        "A 12-kilometer trail is a kilometer too long. Kilometers are hard, he walks 3 kilometers per hour."
    )
