"""States: one spelling of values, alternatives, what an answer's text gives."""

from __future__ import annotations

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.errors import UsageError
from mutatis.core.system import Response
from mutatis.core.task import Unparsable
from mutatis.rltest4chatbot.states import accepted_values, differing_slots, read_state, usual_value
from mutatis.rltest4chatbot.task import StateParser


@pytest.mark.parametrize(
    ("slot", "value", "usual"),
    [
        ("train-leaveat", "9 am", "09:00"),
        ("train-leaveat", "12:15 p.m.", "12:15"),
        ("train-leaveat", "12am", "00:00"),
        ("restaurant-booktime", "1715", "17:15"),
        ("train-arriveby", "noon", "noon"),
        ("hotel-bookpeople", "Three people", "3"),
        ("hotel-stars", "4-star", "4"),
        ("hotel-bookday", "wed", "wednesday"),
        ("hotel-bookday", "tuesdays", "tuesday"),
        ("hotel-parking", "Free", "yes"),
        ("hotel-area", "northern part", "north"),
        ("attraction-type", "Museums", "museum"),
        ("hotel-name", "Christ 's  & Co", "christ s and co"),
        ("hotel-internet", "doesn't matter", "dontcare"),
        ("restaurant-food", "not mentioned", ""),
        ("restaurant-food", "東京", "東京"),
        ("restaurant-name", "🙂", "🙂"),
    ],
)
def test_usual_values(slot: str, value: str, usual: str) -> None:
    assert usual_value(slot, value) == usual


def test_normalisation_can_be_switched_off() -> None:
    first, second = {"hotel-area": "Centre"}, {"hotel-area": "center"}
    assert differing_slots(first, second) == []
    assert differing_slots(first, second, "none") == ["hotel-area"]
    with pytest.raises(UsageError, match="unknown normalisation of state values 'usal'; did you mean 'usual'"):
        differing_slots(first, second, "usal")


def test_a_slot_without_a_value_is_a_slot_left_out() -> None:
    assert differing_slots({"a-b": "none", "a-c": "x|y"}, {"a-c": "y"}) == []
    assert accepted_values({"a-b": "", "hotel-semi-Area": "East"}) == {"hotel-area": frozenset({"east"})}


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("{}", {}),
        ('Sure! {"hotel-area": "east"} Anything else?', {"hotel-area": "east"}),
        ('{"hotel": {"parking": true, "stars": 4, "name": null}}', {"hotel-parking": "yes", "hotel-stars": "4"}),
        ('{"train-leaveAt": ["9", "09:00"]}', {"train-leaveat": "9|09:00"}),
        ("{broken} {}", {}),
        ("hotel east", None),
        ('{"a": {"b": {"c": "d"}}}', None),
        ("", None),
    ],
)
def test_reading_a_state(text: str, state: dict[str, str] | None) -> None:
    assert read_state(text) == state


def test_a_state_is_found_after_objects_that_are_none_but_not_after_hundreds_of_them() -> None:
    state = '{"hotel-area": "east"}'
    assert read_state('{ {x} {"a", ' * 20 + state) == {"hotel-area": "east"}
    assert read_state("{{{ " * 1000 + state) == {"hotel-area": "east"}
    assert read_state('{"a", ' * 200 + state) is None


@pytest.mark.parametrize(
    ("text", "why"), [("I'm sorry, I cannot help with that.", "a refusal"), ("A hotel in the east.", "no state")]
)
def test_an_answer_without_a_state_says_what_was_expected(text: str, why: str) -> None:
    with pytest.raises(Unparsable, match=f"^{why}: .*expected a JSON object such as"):
        StateParser().parse(Response(text=text), Case(id="d", turns=(Turn(fields={"utterance": "Hi"}),)))
