"""Declared parameters: read from signatures, bounded, told when wrong."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mutatis.core.errors import UsageError
from mutatis.core.parameters import Count, Parameter, Share, Within, completed, declared


def example(
    text: str,
    *,
    rng: object,
    share: Share = 0.5,
    level: Annotated[int, Within(1, 4)] = 2,
    unit: Literal["word", "letter"] = "word",
    loud: bool = False,
    name: str = "x",
) -> str:
    return text


PARAMETERS = declared(example, without=frozenset({"rng"}))


def test_keyword_only_arguments_with_their_bounds_and_choices_are_declared():
    assert (
        Parameter(name="share", type=float, default=0.5, low=0.0, high=1.0),
        Parameter(name="level", type=int, default=2, low=1, high=4),
        Parameter(name="unit", type=str, default="word", choices=("word", "letter")),
        Parameter(name="loud", type=bool, default=False),
        Parameter(name="name", type=str, default="x"),
    ) == PARAMETERS


def test_a_parameter_without_a_default_is_refused():
    def wrong(text: str, *, share: Share) -> str:
        return text

    with pytest.raises(UsageError, match="'share' needs a default"):
        declared(wrong)


def test_what_is_not_given_has_its_default():
    assert completed(PARAMETERS, {"level": 3}, "x") == {
        "share": 0.5,
        "level": 3,
        "unit": "word",
        "loud": False,
        "name": "x",
    }


@pytest.mark.parametrize(
    ("given_value", "says"),
    [
        ({"share": 1.01}, "expected a value from 0 to 1"),
        ({"share": -0.01}, "expected a value from 0 to 1"),
        ({"share": float("nan")}, "expected a value from 0 to 1"),
        ({"share": "0.5"}, "expected a number"),
        ({"share": True}, "expected a number"),
        ({"level": 0}, "expected a value from 1 to 4"),
        ({"level": 2.0}, "expected a whole number"),
        ({"level": True}, "expected a whole number"),
        ({"unit": "page"}, "expected one of: word, letter"),
        ({"loud": 1}, "expected true or false"),
        ({"shares": 0.5}, "did you mean 'share'"),
    ],
)
def test_a_wrong_value_is_told_with_what_was_expected(given_value, says):
    with pytest.raises(UsageError, match=says):
        completed(PARAMETERS, given_value, "transformation 'example'")


def test_who_has_no_parameters_says_so():
    with pytest.raises(UsageError, match="x has no parameters; got 'share'"):
        completed((), {"share": 1}, "x")


@given(st.floats() | st.integers())
def test_a_value_within_the_bounds_is_taken_and_no_other(value):
    share = PARAMETERS[0]
    if 0 <= value <= 1:
        checked = share.check(value, "x")
        assert checked == value
        assert isinstance(checked, float)
    else:
        with pytest.raises(UsageError):
            share.check(value, "x")


def test_counts_are_whole_and_not_negative():
    def counted(text: str, *, times: Count = 1) -> str:
        return text

    [times] = declared(counted)
    assert times.check(0, "x") == 0
    for wrong in (-1, 1.5, 1_000_001):
        with pytest.raises(UsageError):
            times.check(wrong, "x")
