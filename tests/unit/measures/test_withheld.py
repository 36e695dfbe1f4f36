"""A refusal beside a reply that denies: both may mean no."""

from __future__ import annotations

import pytest

from mutatis.measures.withheld import REFUSED_HERE, withheld

DENIES = "We have never served breakfast, dogs or cakes."


@pytest.mark.parametrize(
    ("refusal", "reply", "reason"),
    [
        ("I'm sorry, I can't help you with that.", DENIES, REFUSED_HERE),
        ("I'm sorry, I can't help you with that.", "Breakfast is from 7 to 10.", REFUSED_HERE),
        ("I'm sorry, we can't help you with that.", "Breakfast is from 7 to 10.", REFUSED_HERE),
        ("I'm sorry, we can't help you with that.", DENIES, None),  # "we cannot" may say that there is none
    ],
)
def test_a_refusal_of_ours_beside_a_denial_is_left_to_other_rules(refusal: str, reply: str, reason: str | None) -> None:
    similarity = withheld(refusal, reply, "Do you have breakfast?")
    assert (similarity and similarity.reason) == reason
