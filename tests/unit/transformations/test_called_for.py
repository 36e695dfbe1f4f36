from __future__ import annotations

import re

import pytest

from mutatis.transformations import called_for
from mutatis.transformations.called_for import is_in_name
from support.steps import Steps


class Counted:
    """Stands for `re` and counts the steps that its patterns take."""

    taken = 0

    def search(self, pattern: str, text: str) -> object:
        steps = Steps(re.compile(pattern))
        found = steps.search(text)
        self.taken += steps.taken
        return found

    def finditer(self, pattern: str, text: str) -> object:
        self.search(pattern, text)
        return re.finditer(pattern, text)


@pytest.mark.parametrize("again", ["a ", "Real a ", "Real "])
def test_a_town_is_looked_up_in_proportion_to_the_text(monkeypatch, again):
    taken = []
    for times in (50, 100):
        monkeypatch.setattr(called_for, "re", counted := Counted())
        assert not is_in_name("Rome", again * times + "goes to Rome.")
        taken.append(counted.taken)
    assert taken[1] < 2.5 * taken[0]


def test_a_name_right_before_a_town_or_behind_it_is_known_in_long_texts_too():
    long = "we go there, " * 50
    assert is_in_name("Rome", f"{long}the fans of Real Rome")
    assert is_in_name("Rome", f"{long}the Louvre Museum in Rome is full")
    assert is_in_name("Rome", f"{long}the Rome Bulls")
    assert not is_in_name("Rome", f"{long}Book it. Visit Rome")
