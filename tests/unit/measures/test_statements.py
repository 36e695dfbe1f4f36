"""Values and names in the statements of a reply, and when two values may be one."""

from __future__ import annotations

import pytest

from mutatis.measures.statements import StatedValue, statements


def values(text: str) -> list[StatedValue]:
    return [value for statement in statements(text) for value in statement.values]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We open at 12 am.", [("time of day", "12 am", 0.0, False)]),
        ("We open at 12 pm.", [("time of day", "12 pm", 720.0, False)]),
        ("We open at 1 pm.", [("time of day", "1 pm", 780.0, False)]),
        ("From noon to 9:30", [("time of day", "noon", 720.0, False), ("time of day", "9:30", 570.0, True)]),
        ("On 3 May", [("date", "3 may", 503.0, False)]),
        ("By December", [("month", "December", 1200.0, False)]),
        ("It has 500 rooms of 1996", [("count", "500 rooms", 500.0, False), ("year", "1996", 1996.0, False)]),
        ("In the 1990s 5 km away", [("decade", "1990s", 1990.0, False), ("length", "5 km", 5000.0, False)]),
        ("The first", [("ordinal", "first", 1.0, True)]),  # "one" and "first" mostly count nothing
        ("It is one", [("count", "one", 1.0, True)]),
        ("It has one room", [("count", "one room", 1.0, False)]),
    ],
)
def test_the_values_of_a_statement(text: str, expected: list[tuple[str, str, float, bool]]):
    assert [(value.kind, value.text, value.size, value.vague) for value in values(text)] == expected


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("on 3 May", "on 3 May", True),
        ("on 3 May", "on 12 May", False),
        ("on 3 May", "in May", True),  # the month says less
        ("in May", "in May", True),
        ("in May", "in June", False),
        ("on 3 May", "in June", False),
        ("on 3 May", "503 rooms", False),
        ("at 9:30", "at 9:30 pm", True),  # which half of the day is not said
        ("at 9:30 am", "at 9:30 pm", False),
        ("at 9 pm", "from 9", True),
        ("at 9 pm", "from 8", False),
        ("in the 1990s", "in 1996", True),
        ("5 km", "5000 m", True),
    ],
)
def test_two_values_may_be_one(first: str, second: str, same: bool):
    [ours], [theirs] = values(first), values(second)
    assert ours.value.same(theirs.value) is same
    assert theirs.value.same(ours.value) is same
