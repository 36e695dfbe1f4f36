"""One run from its first phase to its report: what each phase asks, exactly."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from mutatis.core.cases import Case
from mutatis.core.relation import RELATIONS
from mutatis.testing import ScriptedSystem
from support.parts import conducted, dialogue, pair, review


def cases(number: int) -> list[Case]:
    """So many cases of each of two tasks, in turn."""
    return [c for n in range(number) for c in (review(f"film {n}", n), dialogue(f"why {n}", name=f"d/{n}"))]


def asked_twice(bot: ScriptedSystem) -> list[str]:
    times = Counter(next(iter(c.fields.values())) for c in bot.asked)
    return [text for text, number in times.items() if number == 2]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
async def test_the_first_cases_of_each_task_are_asked_again_for_the_noise_floor(number):
    bot = ScriptedSystem({"*": "0.5"})
    report = await conducted(bot, cases(3), [pair()], noise_floor=number)
    again = min(number, 3)
    assert asked_twice(bot) == [text for n in range(again) for text in (f"film {n}", f"why {n}")]
    assert bot.count == 6 + 6 + 2 * again  # sources, follow-ups, and these
    assert {row["noise_floor"] for row in report["summary"]} == ({0.0} if number else {None})


async def test_the_noise_floor_is_the_share_of_answers_that_were_another_the_second_time():
    def moody(conversation: Any) -> str:
        text = conversation.fields["text"]
        return "0.1" if text == "film 1" and bot.times(conversation.messages[-1].content) > 1 else "0.9"

    bot = ScriptedSystem(moody)
    report = await conducted(bot, [review(f"film {n}", n) for n in range(5)], [pair()], noise_floor=4)
    [row] = report["summary"]
    assert row["noise_floor"] == 0.25
    assert (row["satisfied"], row["violated"]) == (5, 0)  # the phase adds no verdicts
    assert [check["name"] for check in report["health"]] == ["not-deterministic"]
    assert RELATIONS["no-change"].name not in {row["relation"] for row in report["summary"]}
