"""Putting a case to a system: whose answers stand in the history, what a failure breaks, and what was only read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.campaign.observe import read_response
from mutatis.core.cases import Turn
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Response
from mutatis.core.task import TASKS
from mutatis.testing import ScriptedBot, ScriptedSystem
from support.parts import dialogue, observer, reordered, review

ANSWERS = {"Who?": "Ann", "Where?": "Rome", "When?": "late"}


def shown(conversation: Conversation) -> list[str]:
    return [message.content for message in conversation.messages if message.role != "system"]


async def test_a_systems_own_answers_stand_in_its_history():
    bot = ScriptedSystem(ANSWERS)
    case = dialogue("Who?", "Where?", "When?")
    observed = await observer(bot).observe(case, 3)
    assert [shown(asked) for asked in bot.asked] == [
        ["Who?"], ["Who?", "Ann", "Where?"], ["Who?", "Ann", "Where?", "Rome", "When?"],
    ]  # fmt: skip
    assert [(o.turn, o.answer, o.history, o.repeat, o.error) for o in observed.values()] == [
        (0, "Ann", (), 3, None),
        (1, "Rome", ("Ann",), 3, None),
        (2, "late", ("Ann", "Rome"), 3, None),
    ]
    assert all(o.case is case for o in observed.values())


async def test_given_replies_go_before_own_answers_and_annotated_answers_stand_for_turns_that_are_not_asked():
    bot = ScriptedSystem(ANSWERS)
    case = dialogue(
        Turn(fields={"question": "Who?"}, reply="Eve", expected=("Ada",)),
        Turn(fields={"question": "Why?"}, expected=("luck", "fate")),
        Turn(fields={"question": "How?"}),
        "Where?",
        ask_turns=(0, 3),
    )
    observed = await observer(bot).observe(case)
    assert list(observed) == [0, 3]
    assert shown(bot.asked[-1]) == ["Who?", "Eve", "Why?", "luck", "How?", "", "Where?"]
    assert observed[3].history == ("Eve", "luck", "")


async def test_a_turn_that_fails_breaks_what_comes_after_it():
    bot = ScriptedSystem({**ANSWERS, "Where?": SystemFailure("down")})
    case = dialogue("Who?", "Where?", "When?", "Why?")
    observed = await observer(bot).observe(case, 1)
    assert bot.count == 2
    assert [(o.turn, o.error, o.repeat) for o in observed.values()] == [
        (0, None, 1),
        (1, "down", 1),
        (2, "history broken: turn 2 failed", 1),
        (3, "history broken: turn 2 failed", 1),
    ]
    assert [o.response is None for o in observed.values()] == [False, True, True, True]
    assert {id(o.case) for o in observed.values()} == {id(case)}


async def test_an_answer_that_cannot_be_read_is_an_error_that_keeps_its_text():
    case = review("film")
    observed = await observer(ScriptedSystem({"*": "no idea"})).observe(case, 2)
    assert observed[0].response.text == "no idea"
    assert observed[0].error.startswith("answer not parsed: ")
    assert (observed[0].repeat, observed[0].turn) == (2, 0)
    good = read_response(TASKS["sentiment"], case, 0, Response(text="Score: 0.25"), 4, ("before",))
    assert (good.answer, good.error, good.repeat, good.history) == (0.25, None, 4, ("before",))


async def test_one_turn_is_asked_after_the_answers_that_are_given():
    bot = ScriptedSystem(ANSWERS)
    case = dialogue("Who?", "Where?")
    observed = await observer(bot).ask_turn(case, 1, ("Eve",), 5)
    assert shown(bot.asked[0]) == ["Who?", "Eve", "Where?"]
    assert (observed.turn, observed.answer, observed.history, observed.repeat) == (1, "Rome", ("Eve",), 5)
    failed = await observer(ScriptedSystem({})).ask_turn(case, 1, ("Eve",), 5)
    assert (failed.case, failed.turn, failed.response, failed.repeat) == (case, 1, None, 5)
    assert "nothing is written down" in failed.error


async def test_repeats_are_other_answers_and_the_same_repeat_is_not_paid_twice():
    bot = ScriptedSystem(lambda conversation: f"{bot.count}")
    asking, case = observer(bot), dialogue("Who?")
    answers = [(await asking.observe(case, repeat))[0].answer for repeat in (0, 1, 0)]
    assert answers == ["1", "2", "1"]
    asked = [await asking.ask_turn(case, 0, (), repeat) for repeat in (1, 2)]
    assert [o.answer for o in asked] == ["2", "3"]


async def test_a_bot_that_keeps_the_dialogue_is_sent_the_asked_turns_in_one_session():
    bot = ScriptedBot(lambda said: f"answer {len(said)}")
    case = dialogue("Who?", "Where?", "When?", ask_turns=(0, 2))
    observed = await observer(bot).observe(case, 2)
    [session] = bot.sessions
    assert [asked.fields["question"] for asked in session] == ["Who?", "When?"]
    assert [(turn, o.turn, o.answer, o.history, o.repeat) for turn, o in observed.items()] == [
        (0, 0, "answer 1", (), 2),
        (2, 2, "answer 2", ("answer 1",), 2),
    ]


async def test_a_session_that_fails_is_an_error_at_every_asked_turn():
    bot = ScriptedBot({"Who?": "Ann", "When?": SystemFailure("down")})
    case = dialogue("Who?", "Where?", "When?", ask_turns=(0, 2))
    observed = await observer(bot).observe(case, 1)
    assert [(turn, o.turn, o.error, o.repeat) for turn, o in observed.items()] == [(0, 0, "down", 1), (2, 2, "down", 1)]
    assert all(o.case is case for o in observed.values())


class Folding(ScriptedSystem):
    """Reads lower case and the first ten letters; notes what it was asked to read."""

    def __init__(self) -> None:
        super().__init__({"*": "x"})
        self.read: list[Mapping[str, str]] = []

    def token_ids(self, fields: Mapping[str, str]) -> Any:
        self.read.append(fields)
        return {name: text.lower()[:10] for name, text in fields.items()}


async def test_a_follow_up_turn_is_vacuous_where_the_system_reads_the_same_as_in_the_turn_it_came_from():
    bot = Folding()
    asking = observer(bot)
    source = dialogue("Who was it?", "Where was it?", "When?", material={"story": "S"})
    made = reordered(source, 2, 1, 0, mark="!")  # "When?!" is another; the mark is beyond the tenth letter of the rest
    before, after = await asking.observe(source), await asking.observe(made)
    assert asking.vacuous(before, after) == {1, 2}
    assert {"story": "S", "question": "Where was it?"} in bot.read
    assert {"story": "S", "question": "Where was it?!"} in bot.read


async def test_the_source_is_read_once_for_all_its_follow_ups():
    bot = Folding()
    asking = observer(bot)
    source = dialogue("Who was it?")
    before = await asking.observe(source)
    for mark in "!?.":
        asking.vacuous(before, await asking.observe(reordered(source, 0, mark=mark)))
    assert [fields["question"] for fields in bot.read].count("Who was it?") == 1
    assert len(bot.read) == 4


async def test_sources_are_read_apart():
    asking = observer(Folding())
    for name, text in (("d/0", "Who was it?"), ("d/1", "Where was it?")):
        source = dialogue(text, name=name)
        before, after = await asking.observe(source), await asking.observe(reordered(source, 0, mark="!"))
        assert asking.vacuous(before, after) == {0}


async def test_what_equals_its_source_in_plain_sight_or_was_not_answered_is_not_called_vacuous():
    asking = observer(Folding())
    source = dialogue("Who was it?")
    before = await asking.observe(source)
    same = reordered(source, 0)
    assert asking.vacuous(before, await asking.observe(same)) == frozenset()
    loud = reordered(source, 0, mark="!")
    after = await asking.observe(loud)
    failed = {0: replace(after[0], error="down")}
    assert asking.vacuous(before, after) == {0}
    assert asking.vacuous(before, failed) == frozenset()
    assert asking.vacuous({}, after) == frozenset()
    plain = observer(ScriptedSystem({"*": "x"}))
    assert plain.vacuous(before, after) == frozenset()
