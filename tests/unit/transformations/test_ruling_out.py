"""What may be ruled out in a question, and which replies answer it."""

from __future__ import annotations

import pytest

from mutatis.core.dictionary import Dictionary, Exchange
from mutatis.core.errors import UnusableFollowUp
from mutatis.transformations.ruling_out import ruled_out

KNOWN = Dictionary(exchanges=(Exchange(question="How much is breakfast?", reply="Breakfast is 9 EUR."),))


@pytest.mark.parametrize("closing", ["", " Is there anything else I can do for you?", " Anything else?"])
def test_a_polite_question_after_the_answer_does_not_ask_back(closing):
    choices = ruled_out("How much is a double room?", f"It is 90 EUR.{closing}", KNOWN)
    assert choices[0]["text"] == "How much is a double room without breakfast?"


def test_a_reply_that_asks_back_is_no_answer():
    with pytest.raises(UnusableFollowUp, match="not answered"):
        ruled_out("How much is a double room?", "For how many nights?", KNOWN)
