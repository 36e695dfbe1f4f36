"""Values that are exchanged to find an edge: where they begin, how they are halved, and when there is no edge."""

from __future__ import annotations

import pytest

from mutatis.core.dictionary import Dictionary
from mutatis.core.errors import UnusableFollowUp
from mutatis.text.values import values
from mutatis.transformations.halving import MOST, axes_of, goes_evenly, halfway, next_value, turn_in

NOTHING = Dictionary()


@pytest.mark.parametrize(
    ("question", "axes"),
    [
        ("I am 70. Do I get a discount?", [("70", 35, 90)]),
        ("My son is 9 years old. Can he come?", [("9 years old", 4, 20)]),
        ("My order is 40 EUR. What is delivery?", [("40 EUR", 20, 82)]),
        ("Can we come at 18:30?", [("18:30", 870, 1350)]),
        ("We are 2 adults and 3 children. What is it?", [("2", 2, 6), ("3", 2, 8)]),
        ("Is it open within 3 days?", []),
        ("I come on 14 May. Is it open?", []),
        ("Why was I charged the 5 euro fee?", []),
    ],
)
def test_values_begin_with_half_and_double(question, axes):
    assert [(axis.value.text, axis.low, axis.high) for axis in axes_of(question)] == axes


@pytest.mark.parametrize(
    ("low", "high", "middle"), [(6, 12, 10), (64, 65, None), (35, 70, 50), (1000, 2002, 1500), (2, 4, 3)]
)
def test_an_interval_is_halved_at_a_round_number(low, high, middle):
    assert halfway(low, high, (1000, 500, 100, 50, 10, 5, 1)) == middle


def asked(question: str, reply, most: int = MOST) -> list[str]:
    """Return the values that are asked in turn, by replies that go by the number."""
    axis = axes_of(question)[0]
    seen = []
    for _ in range(most):
        try:
            choice = next_value(question, reply(axis.now), NOTHING, seen)
        except UnusableFollowUp:
            break
        seen.append((choice, reply(int(choice["at"]))))
    return [choice["new"] for choice, _ in seen]


def test_two_questions_are_asked_where_the_reply_stays():
    assert asked("My dog weighs 12 kg. What is it?", lambda kilos: "It costs 35 EUR.") == ["6 kg", "26 kg"]


def test_an_edge_is_halved_until_its_neighbours_are_known():
    told = asked("My dog weighs 12 kg. What is it?", lambda kilos: f"It costs {35 if kilos <= 17 else 60} EUR.")
    assert told[-2:] == ["17 kg", "18 kg"] or {"17 kg", "18 kg"} <= set(told)
    assert len(told) <= MOST


def test_no_more_than_the_most_are_asked():
    told = asked("My order is 4000 EUR. What is it?", lambda amount: f"It costs {amount**2 % 97} points.", most=20)
    assert len(told) <= MOST


def test_an_even_price_has_no_edge_and_a_step_has():
    value = values("We are 4 people.")[0]
    assert goes_evenly({2: "10 EUR", 4: "20 EUR", 9: "45 EUR"}, value)
    assert not goes_evenly({2: "10 EUR", 4: "20 EUR"}, value)  # two are on a line, whatever they are
    assert not goes_evenly({2: "10 EUR", 4: "20 EUR", 9: "Ask us."}, value)


def test_a_price_that_only_rises_does_not_turn():
    value = values("We are 4 people.")[0]
    assert turn_in({2: "10 EUR", 4: "20 EUR", 9: "45 EUR"}, value) is None
    assert turn_in({2: "30 EUR", 4: "20 EUR", 6: "20 EUR", 9: "45 EUR"}, value) == (2, 6, 9)
