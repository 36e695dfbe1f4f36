"""Answer parsers: every way of answering that the specification names, and those that must not pass."""

from __future__ import annotations

import contextlib

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Finish, Response
from mutatis.tasks import NO_RELATION, TASKS, UNKNOWN, Unparsable, with_prompt
from mutatis.tasks.parsers import LabelParser

CASE = Case(id="d/1", turns=(Turn(fields={"text": "x"}),))


def parse(task, text, **response):
    return TASKS[task].parse(Response(text=text, **response), CASE)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("0.8", 0.8),
        (".8", 0.8),
        ("80%", 0.8),
        ("80 %", 0.8),
        ("80 percent", 0.8),
        ("8/10", 0.8),
        ("8 out of 10", 0.8),
        ("4/5 stars", 0.8),
        ("0.8/1.0", 0.8),
        ("0,8", 0.8),
        ("+0.8", 0.8),
        ("8e-1", 0.8),
        ("0", 0.0),
        ("1", 1.0),
        ("1.", 1.0),
        ("**0.80**", 0.8),
        ("Answer: 0.8", 0.8),
        ("The answer is .8", 0.8),
        ("Sentiment: **0.8** (on a scale from 0 to 1)", 0.8),
        ("On a scale of 0 to 1, I would say 0.8.", 0.8),
        ("The score is 0.8, as 2 actors shine.", 0.8),
        ('{"sentiment": 0.8}', 0.8),
        ("<think>perhaps 0.2?</think>\n0.8", 0.8),
        ("0.8 - a glowing review", 0.8),
    ],
)
def test_scores_are_read(text, score):
    assert parse("sentiment", text) == pytest.approx(score)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("-0.8", "out of range"),
        ("−0.8", "out of range"),
        ("Answer: -0.8", "out of range"),
        ("-80%", "out of range"),
        ("80", "out of range"),
        ("1.5", "out of range"),
        ("11/10", "out of range"),
        ("positive", "no number"),
        ("0-1", "no number"),
        ("0.7-0.8", "two numbers"),
        ("between 0.6 and 0.7", "two numbers"),
        ("0.8 or 0.3", "two numbers"),
        ("I can't help with that.", "refusal"),
        ("", "empty"),
        (" \n", "empty"),
    ],
)
def test_what_is_no_score_is_unparsable(text, why):
    with pytest.raises(Unparsable, match=why):
        parse("sentiment", text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("It is neither good nor what I would call bad.", "found only negated labels in"),
        ("Good in parts, bad in others.", "found 2 labels"),
        ("I would say so-so.", "found no label in 'I would say so-so.'; expected one of: good, bad$"),
        ("1", "expected one of: good, bad; answer with the label's name, not its number$"),
        ("17", "expected one of: good, bad$"),
    ],
)
def test_an_answer_without_exactly_one_label_is_unparsable(text: str, why: str) -> None:
    labels = LabelParser(["good", "bad"], {})
    with pytest.raises(Unparsable, match=why):
        labels.parse(Response(text=text), CASE)


def test_a_classifier_of_sentiment_gives_its_probability_of_positive():
    assert parse("sentiment", "NEGATIVE", probabilities={"POSITIVE": 0.25, "NEGATIVE": 0.75}) == 0.25


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("entailment", "entailment"),
        ("The answer is: Entailment.", "entailment"),
        ("ENTAILMENT!", "entailment"),
        ("**Answer: neutral**", "neutral"),
        ("Label = contradiction", "contradiction"),
        ("The relationship is contradiction.", "contradiction"),
        ("The premise contradicts the hypothesis.", "contradiction"),
        ("The premise entails it.", "entailment"),
        ("This is a contradiction, not an entailment.", "contradiction"),
        ("It is not entailment but contradiction.", "contradiction"),
        ("Neutral\n\nIt is neutral rather than entailment or contradiction.", "neutral"),
        ("The premise says nothing of it.\nneutral", "neutral"),
        ("Neither entailment nor contradiction, so neutral", "neutral"),
        ("<think>entailment? contradiction?</think> neutral", "neutral"),
        ("The premise does not contradict the hypothesis; entailment", "entailment"),
    ],
)
def test_labels_are_found_in_what_is_said_around_them(text, label):
    assert parse("inference", text) == label


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("not entailment", "negated"),
        ("The answer is not entailment", "negated"),
        ("The hypothesis isn't entailed by the premise.", "negated"),
        ("non-contradiction", "negated"),
        ("Neither entailment nor contradiction.", "negated"),
        ("entailment or neutral", "2 labels"),
        ("The answer is entailment or neutral", "2 labels"),
        ("entailment / contradiction / neutral", "3 labels"),
        ("maybe", "no label"),
        ("I'm sorry, I can't assist with that.", "refusal"),
        ("", "empty"),
    ],
)
def test_what_gives_no_single_label_is_unparsable(text, why):
    with pytest.raises(Unparsable, match=why):
        parse("inference", text)


@pytest.mark.parametrize(
    "text",
    [
        "unknown",
        "Unknown.",
        "The answer is unknown",
        "I don't know.",
        "The text does not say.",
        "not mentioned",
        '"unknown"',
    ],
)
def test_all_ways_of_not_knowing_are_one_value(text):
    assert parse("question-answering", text) == UNKNOWN
    assert parse("dialogue", text) == UNKNOWN
    assert TASKS["question-answering"].uninformative(parse("question-answering", text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("No.", "No."),
        ("Answer: -5", "-5"),
        ("**Answer:** Paris", "Paris"),
        ('The short answer is: "Paris"', "Paris"),
        ('"A" and "B"', '"A" and "B"'),
        ("I'm sorry, I can't help with that.", "I'm sorry, I can't help with that."),
        ("Answers vary", "Answers vary"),
    ],
)
def test_everything_else_is_kept_as_text(text, value):
    assert parse("question-answering", text) == value
    assert not TASKS["question-answering"].uninformative(value)


@pytest.mark.parametrize("text", ["no relation", "No relation.", "none", "There is no clear relationship", "unrelated"])
def test_all_ways_of_saying_unrelated_are_one_value(text):
    assert parse("relation-extraction", text) == NO_RELATION
    assert TASKS["relation-extraction"].uninformative(NO_RELATION)


@pytest.mark.parametrize("text", ["spouse", "no longer employed by", "related by marriage"])
def test_relations_are_kept(text):
    assert parse("relation-extraction", text) == text


@pytest.mark.parametrize("task", ["question-answering", "sentiment", "inference", "relation-extraction"])
def test_an_answer_withheld_by_a_filter_is_unparsable(task):
    with pytest.raises(Unparsable, match="filter"):
        parse(task, "", finish=Finish.FILTERED)


def test_what_says_nothing_depends_on_the_task():
    assert TASKS["inference"].uninformative("neutral")
    assert not TASKS["inference"].uninformative("entailment")
    sentiment = TASKS["sentiment"]
    assert [sentiment.uninformative(v) for v in (0.39, 0.4, 0.5, 0.6, 0.61)] == [False, True, True, True, False]


def test_classes_come_with_the_data_and_longer_names_win():
    task = with_prompt(TASKS["classification"], labels=["card_arrival", "card", "atm"])
    for text, label in [
        ("card_arrival", "card_arrival"),
        ("Card arrival.", "card_arrival"),
        ("It is about card arrival", "card_arrival"),
        ("card", "card"),
    ]:
        assert task.parse(Response(text=text), CASE) == label


def test_without_classes_the_whole_answer_is_the_label():
    assert parse("classification", "Flight Info.") == "flight info"
    assert parse("classification", '{"category": "Flight Info", "confidence": 0.93}') == "flight info"
    assert parse("classification", '{"queue": "Flight Info", "confidence": 0.93}') == "flight info"
    assert parse("classification", '{"queue": "flights", "topic": "seats"}') == 'queue": "flights", "topic": "seats'


@pytest.mark.parametrize(
    "text", ["x" * 1_000_000, "0" * 100_000, "a.b" * 50_000, "not " * 50_000, "(" * 50_000, "\ud83d"]
)
@pytest.mark.parametrize(
    "task", ["question-answering", "inference", "sentiment", "relation-extraction", "classification"]
)
def test_no_text_breaks_a_parser(task, text):
    with contextlib.suppress(Unparsable):
        parse(task, text)
