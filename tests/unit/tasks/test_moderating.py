from __future__ import annotations

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Response
from mutatis.core.task import TASKS, Unparsable

CASE = Case(id="d/1", turns=(Turn(fields={"text": "t"}),))


def score(text: str, **more) -> float:
    return TASKS["moderation"].parse(Response(text=text, **more), CASE)


@pytest.mark.parametrize(
    ("text", "blocked"),
    [
        ("blocked", 1.0),
        ("**Allowed**", 0.0),
        ("unsafe\nS1", 1.0),
        ("not allowed", 1.0),
        ("not not blocked", 1.0),
        ("not 0.25", 0.75),
        ("This text is not allowed.", 1.0),
        ("The text is harmless.", 0.0),
        ("It isn't harmful.", 0.0),
        ("0.75", 0.75),
        ('{"flagged": true}', 1.0),
        ('{"allowed": true, "reason": "no threat"}', 0.0),
        ('{"verdict": "blocked"}', 1.0),
        ('{"results": [{"flagged": true, "category_scores": {"hate": 0.25, "violence": 0.875}}]}', 0.875),
        ('{"hate": false, "violence": true}', 1.0),
        ('{"toxicity": 0.125}', 0.125),
    ],
)
def test_what_moderators_say_is_how_surely_a_text_is_blocked(text, blocked):
    assert score(text) == blocked


def test_chances_by_label_are_those_of_being_blocked():
    assert score("toxic", probabilities={"toxic": 0.75, "neutral": 0.25}) == 0.75
    assert score("neutral", probabilities={"neutral": 0.875, "other": 0.125}) == 0.125
    assert score("violence", probabilities={"hate": 0.25, "violence": 0.75}) == 0.75  # of categories the highest counts


def test_of_a_classifier_that_scores_each_harm_by_itself_the_highest_counts():
    """Its text is the likeliest label, which is a harm also where none is likely."""
    harmless = {"toxic": {"yes": 0.0625, "no": 0.9375}, "identity_hate": {"yes": 0.03125, "no": 0.96875}}
    assert score("toxic", decisions=harmless) == 0.0625
    assert score("toxic", decisions=harmless | {"safe": {"yes": 0.9, "no": 0.1}}) == 0.0625
    assert score("blocked", decisions={"loud": {"yes": 0.9, "no": 0.1}}) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "not " * 1_000,
        "not " * 10_000 + "allowed or blocked",
        "",
        "perhaps",
        "1.5",
        "Allowed in parts, blocked in parts.",
        "I cannot help.",
    ],
)
def test_what_is_no_verdict_is_told(text):
    with pytest.raises(Unparsable):
        score(text)


@pytest.mark.parametrize("text", ["yes", "No.", "true", "FALSE"])
def test_a_bare_yes_or_no_is_refused_with_an_unambiguous_form(text):
    with pytest.raises(Unparsable, match=r'may mean allowed or blocked; .* a flag such as {"flagged": true}'):
        score(text)
