from __future__ import annotations

import re

import pytest

from mutatis.core.calls import results_in
from mutatis.core.errors import UnusableFollowUp
from mutatis.doubles import tool_case
from mutatis.transformations import stated
from mutatis.transformations.called_for import FAILURE, fail_tools
from mutatis.transformations.stated import is_in_name
from support.steps import Steps


class Counted:
    """Stands for `re` and counts the steps that its patterns take."""

    taken = 0

    def search(self, pattern: str, text: str) -> object:
        steps = Steps(re.compile(pattern))
        match = steps.search(text)
        self.taken += steps.taken
        return match

    def finditer(self, pattern: str, text: str) -> object:
        self.search(pattern, text)
        return re.finditer(pattern, text)


@pytest.mark.parametrize("again", ["a ", "Real a ", "Real "])
def test_a_town_is_looked_up_in_proportion_to_the_text(monkeypatch, again):
    taken = []
    for times in (50, 100):
        monkeypatch.setattr(stated, "re", counted := Counted())
        assert not is_in_name("Rome", again * times + "goes to Rome.")
        taken.append(counted.taken)
    assert taken[1] < 2.5 * taken[0]


def test_a_name_right_before_a_town_or_behind_it_is_known_in_long_texts_too():
    long = "we go there, " * 50
    assert is_in_name("Rome", f"{long}the fans of Real Rome")
    assert is_in_name("Rome", f"{long}the Louvre Museum in Rome is full")
    assert is_in_name("Rome", f"{long}the Rome Bulls")
    assert not is_in_name("Rome", f"{long}Book it. Visit Rome")


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("Find a vegan recipe for brownies.", {"find_recipe": "Finds recipes."}),
        ("Which proteins are in the plasma membrane?", {"cell_parts": "Tells the parts of a cell."}),
        ("Strengths of the personality type ENFJ", {"get_traits": "Tells traits."}),
        ("Which player scored most in 1998?", {"best_scorer": "Tells the best scorer."}),
        ("Compare the DNA AGTC with my sequence", {"compare": "Compares two."}),
    ],
)
def test_a_tool_fails_for_nobody_who_can_do_without_it(message, tool):
    with pytest.raises(UnusableFollowUp, match="without the tool"):
        fail_tools(tool_case(message, **tool))


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("How cold is it?", {"get_weather": "Tells the weather."}),
        ("A table for two at eight", {"reserve_table": "Reserves."}),
        ("What does a ticket to Oslo cost?", {"look": "Looks it up."}),
        ("Order a pizza for me", {"pizza": "Brings pizza."}),
    ],
)
def test_a_tool_that_does_something_or_knows_what_is_so_today_fails(message, tool):
    assert [entry["result"] for entry in results_in(fail_tools(tool_case(message, **tool)).material)] == [FAILURE]
