"""Pronouns that find what they mean in their own question, read by hand."""

from __future__ import annotations

import pytest

from mutatis.context.cues import cues, outside


@pytest.mark.parametrize(
    "question",
    [
        "Speaking about vaccines, how are they made?",
        "tell me more about debt consolidation - is it a good idea?",
        "Who was Willy Brandt and what did he do?",
        "Is Herpes a lethal disease and how is it transmitted?",
        "What does a company pay its employees?",
        "Did the band say why they left?",
        "Was the album good when it came out?",
    ],
)
def test_an_antecedent_in_the_question(question):
    assert outside(question) == ()


@pytest.mark.parametrize(
    "question",
    [
        "Is it necessary to have a will?",
        "Is it true that sea level rises?",
        "How long does it take to get there?",
        "should I bag my recycles in case it rains?",
        "What does it make a good manager?",
        "It's legal to park here?",
    ],
)
def test_an_it_that_means_nothing(question):
    assert outside(question) == ()


@pytest.mark.parametrize(
    ("question", "pronouns"),
    [
        ("How are they made?", ("they",)),
        ("Did Ann like it?", ("it",)),  # a person is not what she likes
        ("Why did he leave the band?", ("he",)),
        ("Is it the same for earthquakes?", ("it",)),
        ("What happened when it was released?", ("it",)),
        ("What did he do after they broke up?", ("he", "they")),
        ("What was its religion?", ("its",)),
        ("Was it called Rome?", ("it",)),
        ("", ()),
        ("Who is Ann?", ()),
    ],
)
def test_an_antecedent_elsewhere(question, pronouns):
    assert outside(question) == pronouns


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How are they made?", "pronoun"),
        ("Speaking about vaccines, how are they made?", "plain"),
        ("What about bicycles?", "pointer"),
        ("Was that album a hit?", "pointer"),
        ("Any others?", "pointer"),
        ("Which?", "pointer"),
        ("What is WACC?", "plain"),
        ("opposition leader for the movement", "plain"),
    ],
)
def test_the_kind_of_a_question(question, kind):
    assert cues(question).kind == kind


def test_a_fragment_has_neither_verb_nor_question_word():
    assert cues("opposition leader for the movement").fragment
    assert not cues("Who led the movement?").fragment
    assert not cues("Explain the term").fragment
    assert not cues("").fragment
