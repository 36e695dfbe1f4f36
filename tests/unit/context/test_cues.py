from __future__ import annotations

import pytest

from mutatis.context.cues import cues


@pytest.mark.parametrize(
    "question",
    ["Why?", "How?", "Anyone else?", "What else?", "why", "And then?", "Did he?", "Why is that?", "Anything else?"],
)
def test_very_short_questions_ask_about_the_exchange_before(question):
    assert cues(question).very_short


@pytest.mark.parametrize(
    "question",
    ["Why did he leave?", "Who was he?", "What was it?", "Where?!? Nowhere town", "Who is Ann?", "", "..."],
)
def test_other_questions_are_not_very_short(question):
    assert not cues(question).very_short


@pytest.mark.parametrize(
    "question", ["Is he okay?", "Who made them?", "Where's she from?", "Was anyone there?", "Was she there?"]
)
def test_a_short_question_may_leave_out_nothing_but_whom_or_which_place_it_means(question):
    assert cues(question).very_short
    assert cues(question).clause


@pytest.mark.parametrize(
    "question",
    [
        "Did he?",
        "Who's he?",
        "Just them?",
        "With her?",
        "Who said that?",
        "Was she also?",
        "And then he?",
        "There for?",
    ],
)
def test_a_short_question_that_leaves_out_what_happened_is_no_clause(question):
    assert not cues(question).clause


@pytest.mark.parametrize(
    ("question", "pronoun"),
    [
        ("Did she win?", "she"),
        ("What was his name?", "he"),
        ("What is its colour?", "it"),
        ("Were they rich?", "they"),
        ("Were you there?", ""),
    ],
)
def test_pronoun_class(question, pronoun):
    assert cues(question).pronoun == pronoun


def test_definite_heads_are_those_that_nothing_specifies():
    assert cues("Was the album good?").definite == ("album", "good")
    assert cues("Was the price of bread high?").definite == ()
    assert cues("Who kept the old lighthouse").definite == ("old", "lighthous")


def test_demonstratives_alone_and_with_a_noun():
    assert cues("What does that mean?").demonstrative is False or cues("What does that mean?").pointed == "mean"
    assert cues("Is that true").pointed == "true" or cues("Is that true").demonstrative
    assert cues("Was this album good?").pointed == "album"
    assert cues("Why was that?").demonstrative


def test_conjunction_that_is_no_demonstrative():
    seen = cues("Who said that prices rose that year?")
    assert not seen.demonstrative


def test_a_plain_question_has_no_cue():
    seen = cues("Where was Nora Quinn born?")
    assert not seen.dependent
    assert seen.name
    assert seen.question_word == "where"
