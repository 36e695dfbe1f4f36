"""The one thing that two replies say otherwise, and what is too uncertain to be named."""

from __future__ import annotations

import pytest

from mutatis.measures.answer import read
from mutatis.measures.differences import ReplyValues, named_difference
from mutatis.measures.free import settle


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        ("The hotel has 480 rooms.", "The hotel has 500 rooms.", "480 rooms / 500 rooms"),
        ("The hotel has 498 rooms.", "The hotel has 500 rooms.", "498 rooms / 500 rooms"),
        ("The bridge is of 1980.", "The bridge is of 1990.", "1980 / 1990"),
        ("The bridge was built in the 1990s.", "The bridge was built in the 1920s.", None),  # who says so is not sure
        # Three of four words of weight are the same, that is enough; of half of them nobody knows.
        (
            "The ferry ticket costs 12 euros for pensioners.",
            "The ferry ticket costs 15 euros for children.",
            "12 euros / 15 euros",
        ),
        ("The ferry costs 12 euros for pensioners on Sunday.", "A ferry ride costs 15 euros for big groups.", None),
        ("The pool is not heated.", "The pool is heated.", 'one is negated: "The pool is not heated."'),
        ("The pool is heated not.", "The pool is heated.", None),  # what is denied stands behind
    ],
)
def test_what_is_named(first: str, second: str, named: str | None):
    assert named_difference(ReplyValues(first), ReplyValues(second), read("")) == named


def test_a_statement_is_found_from_seven_tenths_of_its_words_on():
    same = "zorbal mindle ferrick gollan hespert jarrow kestin"
    reply = f"The {same} and quarrel, rondel, sempter"
    other = f"The {same} of the same old kind, and many more things beside them"
    question = "Where do I find quarrel, rondel and sempter?"
    similarity = settle(reply, other, question)
    assert similarity is not None
    assert (similarity.score, similarity.reason) == (0.95, "everything in one reply is found in the other")
    less = settle(reply.replace("kestin", "tormel"), other, f"{question} And tormel?")
    assert less is not None
    assert less.open
