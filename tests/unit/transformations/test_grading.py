from __future__ import annotations

import pytest

from mutatis.core.errors import UnusableFollowUp
from mutatis.transformations.grading import add_markdown, remove_main_sentence, repeat_ending


def test_the_ending_of_a_worked_answer_is_its_last_line():
    text = "Ann has 3*4 = 12 eggs\nShe eats 2 of them\nThe answer is 10."
    assert repeat_ending(text) == f"{text} The answer is 10."


def test_bold_type_does_not_reach_over_the_end_of_a_line():
    with pytest.raises(UnusableFollowUp, match="spans several lines"):
        add_markdown("Ann has 12 eggs\nShe eats 2. The answer is 10.")
    assert add_markdown("She eats 2.\nThe answer is 10.") == "## Answer\n\n**She eats 2.**\nThe answer is 10."


@pytest.mark.parametrize(
    "text",
    [
        "What an amazing hobby! Where do you usually go?",
        "I'm sorry, but I can't help with that. Goofy is no real person.",
    ],
    ids=["exclamation", "refusal"],
)
def test_a_sentence_without_which_the_answer_may_be_better_stays(text):
    with pytest.raises(UnusableFollowUp, match="does not answer anything"):
        remove_main_sentence(text)
