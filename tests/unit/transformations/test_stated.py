"""A value of a text that is exchanged: the new one is none that the text says already."""

from __future__ import annotations

import re
from random import Random

from mutatis.core.cases import Turn
from mutatis.transformations.stated import exchange_stated


def test_a_new_number_is_none_that_the_text_says_in_digits_or_in_words():
    turn = Turn(fields={"text": "The order: 10 chairs, 12 tables and eleven lamps for room B."})
    drawn = set()
    for seed in range(60):
        changed = exchange_stated(turn, Random(seed), ("text",), kind="number")
        _, old, new = changed.annotations["exchanged"]
        drawn.add((old, new))
        assert new not in ("10", "11", "12")
        assert re.findall(rf"\b{new}\b", changed.fields["text"]) == [new]
    assert {("10", "13"), ("12", "13"), ("12", "14"), ("12", "15")} >= drawn >= {("10", "13"), ("12", "13")}
