from __future__ import annotations

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.system import Response
from mutatis.core.task import TASKS, Unparsable

LONG = "A good answer overall, I think, for two reasons that matter"


def score(text: str, scale: str = "1 to 5") -> float:
    fields = {"instruction": "i", "answer": "a", "rubric": "r", "scale": scale}
    return TASKS["rubric-score"].parse(Response(text=text), Case(id="d/1", turns=(Turn(fields=fields),)))


@pytest.mark.parametrize(
    ("text", "scale", "place"),
    [
        ("3", "1 to 5", 0.5),
        ("5", "1-5", 1.0),
        ("**4/5**", "1 to 5", 0.75),
        ("Score: 2", "1 to 5", 0.25),
        ("four out of five", "1 to 5", 0.75),
        ("I would give it four points.", "1 to 5", 0.75),
        ('{"score": 4, "reason": "2 faults"}', "1 to 5", 0.75),
        ("Rating: [[3]]", "1 to 5", 0.5),
        ("It names 2 of 3 causes.\nScore: 3", "1 to 5", 0.5),
        ("It names 12 causes, which is fine. The score is 3 because the others are missing from it.", "1 to 5", 0.5),
        ("0.25", "0 to 1", 0.25),
        ("75", "0-100", 0.75),
        ("<think>maybe 2</think>5", "1 to 5", 1.0),
        ("I'd give it a four.", "1 to 5", 0.75),
        ("I give this answer a 4.", "1 to 5", 0.75),
        ("The score is 3.", "1 to 5", 0.5),
        ("The answer is not bad at all, and all in all I would say that it deserves a 2.", "1 to 5", 0.25),
        ("Four and a half", "1 to 5", 0.875),
        ("3\u00bd out of 5", "1 to 5", 0.625),
        ("pass", "0 to 1", 1.0),
        ("The output does that.\nFAIL", "0 to 1", 0.0),
        ('{"pass": false, "reason": "1 of 3 is missing"}', "0 to 1", 0.0),
        ('{"reason": "fine", "pass": true}', "0 to 1", 1.0),
        ('{"pass": true, "score": 0.8}', "0 to 1", 0.8),
        (f"Score: 4. {LONG}:\n1. Accuracy\n2. Clear structure", "1 to 5", 0.75),
        ("Overall rating: 5\nStrengths:\n1. Accurate.\n2. Short.", "1 to 9", 0.5),
        ("Overall rating: 5\nA strength:\n1. Accurate.", "1 to 9", 0.5),
        ("4. A good answer with 2 faults", "1 to 5", 0.75),
        ("Score:\n4. It has 2 faults", "1 to 5", 0.75),
        ("Score:\n1. Bad", "1 to 5", 0.0),
        ("Score: 0.8\n\nPass", "0 to 1", 0.8),
        ("Yes\nI would give it a score of 0.4", "0 to 1", 0.4),
        ("Fail\n\nScore: 1", "0 to 1", 1.0),
        ("Answer 1 is wrong.\nFail", "0 to 1", 0.0),
        ("Score: 2/3\nPass", "0 to 1", 1.0),
        ("Pass/Fail: Pass", "0 to 1", 1.0),
        ("It is short.\n**Pass/Fail:** Fail", "0 to 1", 0.0),
        ("The answer passes.", "0 to 1", 1.0),
        ("The response fails.", "0 to 1", 0.0),
    ],
)
def test_a_score_is_read_as_its_place_on_the_scale(text, scale, place):
    assert score(text, scale) == place


@pytest.mark.parametrize("text", ["9", "0", "pass", "good", "I cannot score this.", ""])
def test_what_is_no_score_on_the_scale_is_told(text):
    with pytest.raises(Unparsable):
        score(text)


@pytest.mark.parametrize("scale", ["A to F", "pass or fail", "5 to 1", "10"])
def test_a_scale_that_is_not_read_is_told_and_not_guessed(scale):
    with pytest.raises(Unparsable, match='expected the lowest and the highest score, such as "1 to 10"'):
        score("4", scale)
