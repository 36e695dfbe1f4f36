from __future__ import annotations

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Response
from mutatis.core.task import TASKS, Unparsable


def verdict(text: str, **fields: str) -> str:
    case = Case(id="d/1", turns=(Turn(fields={"instruction": "i", "answer_a": "a", "answer_b": "b", **fields}),))
    return TASKS["pairwise-judge"].parse(Response(text=text), case)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("A", "A"),
        ("b", "B"),
        ("**B**", "B"),
        ("Answer B", "B"),
        ("answer b is better.", "B"),
        ("Output (a)", "A"),
        ("Output (b) is better", "B"),
        ("Response 2", "B"),
        ("The first answer.", "A"),
        ("Assistant A", "A"),
        ("tie", "tie"),
        ("It's a tie.", "tie"),
        ("Both are equally good.", "tie"),
        ("Neither", "tie"),
        ("No preference", "tie"),
        ("The answer is A.", "A"),
        ("Verdict: B", "B"),
        ("My final verdict is: [[A]]", "A"),
        ("Assistant B is more detailed, yet wrong. [[A]]", "A"),
        ("[[B]] because it is true.", "B"),
        ("[[C]]", "tie"),
        ('{"winner": "B", "reason": "A is better known"}', "B"),
        ('```json\n{"verdict": "answer A"}\n```', "A"),
        ('{"better_answer": 2}', "B"),
        ('{"preference": "tie"}', "tie"),
        ("Answer A is the better one, since answer B is off topic.", "A"),
        ("Answer B is clearly worse.", "A"),
        ("I prefer answer B.", "B"),
        ("A is more accurate than B.", "A"),
        ("A better answer would be longer. I choose B.", "B"),
        ("Answer A is better written. All in all, however, answer B is better.", "B"),
        ("Both answers are equally helpful.", "tie"),
        ("Answer A is good.\n\nB", "B"),
        ("Let us compare.\nAnswer A is short.\nWinner: A", "A"),
        ("<think>B is better</think>A", "A"),
        ("The winner is answer B because it is true.", "B"),
        ("Answer B beats answer A.", "B"),
        ("The second one.", "B"),
        ("A > B", "A"),
        ("Verdict: B>A", "B"),
        ("A << B", "B"),
        ("A = B", "tie"),
        ("My final verdict is: [[A>>B]]", "A"),
        ("[[B>A]]", "B"),
        ("[[A=B]]", "tie"),
        ('{"verdict": "B>A"}', "B"),
    ],
)
def test_a_verdict_is_read_from_what_graders_say(text, read):
    assert verdict(text) == read


@pytest.mark.parametrize(
    ("text", "labels", "read"),
    [
        ("2", ("1", "2"), "B"),
        ("Answer 1 is better", ("1", "2"), "A"),
        ("A", ("1", "2"), "A"),  # a function says A for the first, whatever the prompt calls it
        ("X", ("X", "Y"), "A"),
        ("I prefer Y.", ("X", "Y"), "B"),
        ("A", ("B", "A"), "B"),  # the prompt's own names go first
        ("red", ("red", "blue"), "A"),
        ("Y > X", ("X", "Y"), "B"),
        ("[[1=2]]", ("1", "2"), "tie"),
        ("The blue answer wins", ("the red answer", "the blue answer"), "B"),
    ],
)
def test_answers_are_known_by_what_the_prompt_calls_them(text, labels, read):
    assert verdict(text, label_a=labels[0], label_b=labels[1]) == read


def test_a_tie_is_known_by_what_the_prompt_calls_it():
    assert verdict("Gleichstand", tie="Gleichstand") == "tie"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I'm sorry, but I can't compare these answers.",
        "Answer A talks about tea and answer B about coffee.",
        "Answer A is better. Answer B is better as well, so answer A is better and answer B is better.",
        "A and B",
        "A > A",
        "None",
        "None of your business, friend: read them yourself and decide what you like.",
    ],
)
def test_what_prefers_nothing_is_no_verdict(text):
    with pytest.raises(Unparsable):
        verdict(text)
