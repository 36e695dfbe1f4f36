"""What was done to a source is said in words, also where nothing before the judged turn was changed."""

from __future__ import annotations

import pytest

from mutatis.records import FindingRecord
from mutatis.reports.view import finding_view
from support import report_builder as builder

ASKED = ("Who has a dog?", "What is it called?", "What colour is it?")


def dialogue(steps, *questions, origin):
    source = {"case": builder.case("d/1", *ASKED, replies=("Ann",)), "turn": 1, "response": builder.response("Rex")}
    case = builder.case("d/1#x", *questions, replies=("Ann",))
    asked = builder.follow_up(case, "Max", "d/1", *steps, turn=1, variant=(), origin=origin)
    record = builder.finding(builder.BOT, builder.DIALOGUE, "reference-based", source, [asked], turn=1, variant=())
    return finding_view(FindingRecord.model_validate(record)).says


@pytest.mark.parametrize(
    ("steps", "questions", "origin", "says"),
    [
        ([("identity-order", {})], ASKED, (0, 1, 2), "asked as it is"),
        (
            [("round-duplication", {"ratio": 0.2})],
            (*ASKED, ASKED[2]),
            (0, 1, 2, 2),
            "asked as it is; only later turns were changed",
        ),
        ([("own-edit", {"share": 1})], ("Who?", *ASKED[1:]), (0, 1, 2), "own-edit(share=1)"),  # words are not at hand
    ],
)
def test_a_dialogue_that_is_asked_as_it_is(steps, questions, origin, says):
    assert dialogue(steps, *questions, origin=origin) == says
