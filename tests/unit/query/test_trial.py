"""A system whose first questions all fail alike, for good, is given up; one answer, and it never is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from mutatis.core.errors import Retryable, SystemFailure
from mutatis.core.system import Conversation, Finish, Message, Response
from mutatis.query import Limits, QueryLayer, Store
from mutatis.query.circuit import FIRST
from mutatis.systems.sheet import question_name, sheet_system


def ask(number: int) -> Conversation:
    return Conversation(messages=(Message(role="user", content=str(number)),), fields={"question": str(number)})


class Bot:
    """Answers what `reply` returns for the number of the question, or raises it; question 0 comes last."""

    label = "bot"

    def __init__(self, reply: Callable[[int], str | Response | BaseException]) -> None:
        self.identity = {"type": "bot"}
        self.reply, self.asked = reply, 0

    async def ask(self, conversation: Conversation) -> Response:
        self.asked += 1
        number = int(conversation.messages[-1].content)
        for _ in range(1 if number else 50):
            await asyncio.sleep(0)
        said = self.reply(number)
        if isinstance(said, BaseException):
            raise said
        return said if isinstance(said, Response) else Response(text=said)


async def all_of(layer: QueryLayer, number: int) -> list[Any]:
    return await asyncio.gather(*(layer.ask(ask(i)) for i in range(number)), return_exceptions=True)


REASONS: dict[str, Callable[[int], BaseException]] = {
    "422": lambda n: SystemFailure(f'http://bot: HTTP 422: {{"missing": "text", "input": "{n}"}}'),
    "no reply": lambda n: SystemFailure(f"http://bot: cannot tell where the reply is in {{'said': '{n}'}}"),
    "KeyError": lambda n: KeyError(f"field {n}"),
}


@pytest.mark.parametrize("concurrency", [1, 4, 16])
@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS)
async def test_who_never_answers_is_asked_no_more_than_the_first_questions(reason, concurrency):
    bot = Bot(reason)
    layer = QueryLayer(bot, Store(None), Limits(concurrency=concurrency))
    results = await all_of(layer, 101)
    assert all(isinstance(result, SystemFailure) for result in results)
    assert bot.asked == max(FIRST, concurrency)
    assert layer.counts.paid == bot.asked
    untold = [str(result) for result in results if "not asked" in str(result)]
    assert len(untold) == 101 - bot.asked
    assert len(set(untold)) == 1
    assert f"all {bot.asked} questions and follow-ups that were asked failed in the same way" in untold[0]


async def test_an_answer_that_is_slow_to_come_is_waited_for():
    bot = Bot(lambda n: REASONS["422"](n) if n else "fine")
    results = await all_of(QueryLayer(bot, Store(None), Limits(concurrency=16)), 60)
    assert bot.asked == 60
    assert not [result for result in results if "not asked" in str(result)]


async def test_an_answer_from_the_store_counts():
    store = Store(None)
    await QueryLayer(Bot(lambda n: "fine"), store).ask(ask(1))
    bot = Bot(REASONS["422"])
    later = QueryLayer(bot, store, Limits(concurrency=1))
    assert (await later.ask(ask(1))).text == "fine"
    await asyncio.gather(*(later.ask(ask(n)) for n in range(2, 40)), return_exceptions=True)
    assert bot.asked == 38


async def test_failures_of_several_kinds_are_those_of_the_questions():
    bot = Bot(lambda n: SystemFailure(f"HTTP {400 if n % 2 else 413}: no"))
    await all_of(QueryLayer(bot, Store(None), Limits(concurrency=1)), 40)
    assert bot.asked == 40


async def test_failures_that_pass_do_not_count():
    bot = Bot(lambda n: Retryable("HTTP 503", kind="away") if n < FIRST + 1 else "fine")
    results = await all_of(QueryLayer(bot, Store(None), Limits(concurrency=1, retries=0)), 30)
    assert bot.asked == 30
    assert [r.text for r in results[FIRST + 1 :]] == ["fine"] * (29 - FIRST)


CUT = Response(text="It is", finish=Finish.LENGTH)


@pytest.mark.parametrize("concurrency", [1, 16])
async def test_answers_that_are_all_cut_off_are_failures_like_others(concurrency):
    bot = Bot(lambda n: CUT)
    layer = QueryLayer(bot, Store(None), Limits(concurrency=concurrency))
    results = await all_of(layer, 101)
    assert bot.asked == max(FIRST, concurrency)
    untold = {str(result) for result in results if "not asked" in str(result)}
    assert len(untold) == 1
    assert "failed in the same way: the answer was cut off at the token limit; raise max_tokens" in untold.pop()


@pytest.mark.parametrize("whole", [Response(text="fine"), Response(text="", finish=Finish.FILTERED)])
async def test_one_answer_that_is_not_cut_off_ends_the_trial(whole):
    bot = Bot(lambda n: CUT if n else whole)
    await all_of(QueryLayer(bot, Store(None), Limits(concurrency=16)), 60)
    assert bot.asked == 60


async def test_an_answer_from_the_store_that_is_cut_off_ends_no_trial():
    store = Store(None)
    with pytest.raises(SystemFailure, match="cut off"):
        await QueryLayer(Bot(lambda n: CUT), store).ask(ask(1))
    bot = Bot(lambda n: CUT)
    later = QueryLayer(bot, store, Limits(concurrency=1))
    await asyncio.gather(*(later.ask(ask(n)) for n in range(1, 40)), return_exceptions=True)
    assert bot.asked == FIRST


async def test_blank_lines_of_a_sheet_do_not_end_its_reading():
    sheet = sheet_system({question_name(ask(39)): "written"}, "people")
    results = await all_of(QueryLayer(sheet, Store(None), Limits(concurrency=1)), 40)
    assert results[-1].text == "written"


async def test_who_is_cancelled_keeps_nobody_waiting():
    bot = Bot(REASONS["422"])
    layer = QueryLayer(bot, Store(None), Limits(concurrency=16))
    tasks = [asyncio.ensure_future(layer.ask(ask(n))) for n in range(60)]
    for _ in range(10):
        await asyncio.sleep(0)
    await layer.drain()
    results = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 600)
    assert all(isinstance(result, BaseException) for result in results)
