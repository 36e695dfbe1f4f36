"""Two replies that give one answer, and two that do not."""

from __future__ import annotations

import pytest

from mutatis.text.alike import answer_alike


@pytest.mark.parametrize(
    ("first", "second", "besides", "same"),
    [
        ("It costs 42 EUR.", "It costs 42 EUR.", (), True),
        ("It costs 42 EUR.", "That will be 42 euros, please.", (), True),
        ("For 12.5 kg it costs 42 EUR.", "For 12.5 kg it costs 50 EUR.", ("12.5 kg",), False),
        ("For 11.8 kg it costs 42 EUR.", "For 26 lbs it costs 42 EUR.", ("11.8 kg", "26 lbs"), True),
        ("For 11.8 kg it costs 42 EUR.", "For 26 kg it costs 60 EUR.", ("11.8 kg", "26 lbs"), False),
        ("Yes, you can.", "No, you cannot.", (), False),
        ("Yes, you can.", "Yes, that is possible.", (), None),
        ("Yes, you can.", "Sorry, I did not understand that.", (), False),
        ("We are closed. I cannot give you that day.", "We are closed. That day is not possible.", (), None),
        ("We are closed. I cannot give you that day.", "Gladly. You have that day.", (), False),
        ("We are closed. That day is not possible.", "Sorry, I did not understand that.", (), False),
        ("It costs 42 EUR.", "It takes 3 days.", (), None),
        ("We have a pool.", "There is one.", (), None),
    ],
)
def test_whether_two_replies_give_one_answer(
    first: str, second: str, besides: tuple[str, ...], same: bool | None
) -> None:
    assert answer_alike(first, second, besides)[0] is same
    assert answer_alike(second, first, besides)[0] is same
