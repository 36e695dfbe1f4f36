"""Values corrected at once, and much said beside the point."""

from __future__ import annotations

from random import Random

import pytest

from mutatis.core.transformation import TRANSFORMATIONS
from mutatis.languages import listed
from mutatis.transformations.corrections import correct_value
from mutatis.transformations.values import only_value


@pytest.mark.parametrize(
    ("text", "kind", "right"),
    [
        ("A table for four people, please.", "count", "four"),
        ("A train to Oslo?", "city", "Oslo"),
        ("Do you have it in size M?", "size", "M"),
        ("How much does a 3 kg parcel cost?", "quantity", "3 kg"),
        ("I am 17. May I come?", "age", "17"),
        ("My 6-year-old son wants to swim.", "age", "6-year-old"),
        ("Can I come on Friday?", "weekday", "Friday"),
    ],
)
def test_the_right_value_is_said_last_and_another_one_before(text: str, kind: str, right: str) -> None:
    value = only_value(text, kind)  # type: ignore[arg-type]
    assert value is not None
    assert value.text == right
    for seed in range(30):
        made = correct_value(text, Random(seed))
        before, after = text[: value.start], text[value.end :]
        assert made.startswith(before)
        wrong = made[len(before) :]
        assert not wrong.startswith(right)
        corrected_inline = made.endswith(f"{right}{after}")
        corrected_behind = any(
            f"{cue}{right}" in wrong for cue in ("Sorry, I mean ", "No wait, ", "Correction: ")
        )  # the sentence itself keeps the wrong value
        assert corrected_inline != corrected_behind


def test_the_article_before_a_wrong_value_is_that_of_the_wrong_value() -> None:
    made = {correct_value("What does a 7 year old pay?", Random(seed)) for seed in range(20)}
    assert any("an 8 year old" in text or "an 11 year old" in text for text in made)
    assert not any("a 8 " in text or "a 11 " in text for text in made)


@pytest.mark.parametrize(
    "text", ["Where is my parcel?", "From Monday to Friday?", "For 2 people and for 3 people?", "It weighs 3 kg/m."]
)
def test_what_gives_no_value_or_several_stays(text: str) -> None:
    assert {correct_value(text, Random(seed)) for seed in range(20)} == {text}


def test_much_is_said_beside_the_point_and_the_request_stays_whole() -> None:
    apply = TRANSFORMATIONS["long-preamble"].apply
    for seed in range(20):
        made = apply("Where is my card?", Random(seed))
        assert "Where is my card?" in made
        assert len(made.split()) > 48
    assert apply("Yes, go ahead with it.", Random(1)) == "Yes, go ahead with it."
    assert apply("No.", Random(1)) == "No."


def test_what_is_said_beside_the_point_has_no_number_no_day_and_no_question() -> None:
    days = {"monday", "friday", "sunday", "today", "tomorrow", "tonight"}
    for text in listed("preambles"):
        assert not any(map(str.isdigit, text))
        assert "?" not in text
        words = set(text.lower().replace(",", " ").split())
        assert not days & words
        assert not {"both", "thousand", "hundred", "dozen"} & words
