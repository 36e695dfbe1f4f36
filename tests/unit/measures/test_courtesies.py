"""Replies with small talk around them: it makes no two values one, and no two replies different."""

from __future__ import annotations

from collections import Counter

import pytest

from mutatis.core.measure import Comparison
from mutatis.measures import MEASURES
from mutatis.measures.small_talk import small_talk
from support.reply_blocks import read, verdict

AROUND = (
    ("{}", "{}"),
    ("{}", "{} Get well soon!"),
    ("{}", "Sure. {}"),
    ("Hello! {}", "{} Is there anything else I can help you with?"),
    ("{}", "{} Have a nice day!"),
    ("Thanks for asking! {}", "{} Just ask if anything is unclear."),
    ("{}", "Good question! {} Happy to help."),
)
"""Courtesies around the first reply and around the second one."""

BESIDE = (("{}", "{} You can also look at our website."), ("{}", "So then. {} And that was that."))
"""Small talk that is in no list."""


def told(measure: str, around: tuple[tuple[str, str], ...], *, other: bool) -> Counter[str]:
    """Count the verdicts on every pair with other values, or on every reply and itself, with words around them."""
    comparisons = []
    for question, ((_, _, first), (_, _, second)) in read("other_values"):
        said = second if other else first
        comparisons += [
            Comparison(reference=(left.format(first),), answer=right.format(said), question=question)
            for left, right in around
        ]
    return Counter(verdict(similarity) for similarity in MEASURES[measure].make().compare(comparisons))


@pytest.mark.parametrize("measure", ["answer-equivalence-lexical", "answer-equivalence", "free-answers", "repertoire"])
def test_a_courtesy_makes_no_two_values_one_and_no_reply_another(measure: str) -> None:
    """Before, the first two called 6 and 5 of the 56 pairs with other values the same."""
    assert told(measure, AROUND, other=True) == {"different": 56}
    assert told(measure, AROUND, other=False) == {"same": 56}


@pytest.mark.parametrize("measure", ["answer-equivalence-lexical", "answer-equivalence"])
def test_small_talk_that_is_in_no_list_makes_no_two_values_one(measure: str) -> None:
    assert told(measure, BESIDE, other=True) == {"different": 16}
    assert told(measure, BESIDE, other=False) == {"same": 16}


@pytest.mark.parametrize(
    ("answer", "is_small_talk"),
    [
        ("It is for visitors from 10 years. Bring shoes.", False),  # the value that was asked for, in other words
        ("It is for visitors from 12 years. Bring shoes.", True),
        ("Minimum age: 10. Bring boots.", True),
    ],
)
def test_a_sentence_with_the_value_asked_for_is_not_small_talk(answer: str, is_small_talk: bool) -> None:
    age = "Minimum age: 10."
    beside = [[f"The swing is {colour}. {age}"] for colour in ("red", "blue", "green")]
    others = [[f"It is {word}."] for word in ("far", "near", "new", "old", "wide")]
    assert (small_talk([[f"{age} Bring shoes.", answer], *beside, *others]) == {"minimum age 10"}) is is_small_talk
