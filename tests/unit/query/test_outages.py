"""Outages are waited for, limits are found, and what never answered is told at once; no second is really waited."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from mutatis.core.errors import Retryable
from mutatis.core.system import Conversation, Message, Response
from mutatis.query import Limits, QueryLayer, Spending, Store


class Endpoint:
    def __init__(self, origin: str) -> None:
        self.origin = origin


class Clock:
    """Time that passes only in sleeps: what is due next happens next."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.sleeping: list[tuple[float, int, asyncio.Future[None]]] = []
        self.count = 0
        self.real = asyncio.sleep
        monkeypatch.setattr(asyncio, "sleep", self.sleep)

    async def sleep(self, seconds: float, result: Any = None) -> Any:
        if seconds <= 0:
            return await self.real(0, result)
        future = asyncio.get_running_loop().create_future()
        self.count += 1
        self.sleeping.append((self.now + seconds, self.count, future))
        await future
        return result

    async def settled(self) -> None:
        """Let the others go on until each of them waits for a time to come."""
        loop = asyncio.get_running_loop()
        for _ in range(50):
            await self.real(0)
            if not loop._ready:  # type: ignore[attr-defined] - what is to be called next, but for this
                return

    async def run(self, work: Any) -> Any:
        task = asyncio.ensure_future(work)
        while not task.done():
            await self.settled()
            if not task.done() and self.sleeping:
                self.sleeping.sort(key=lambda sleeper: sleeper[:2])
                self.now, _, future = self.sleeping.pop(0)
                if not future.done():
                    future.set_result(None)
        return await task


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


class Bot:
    """Each question takes a second; `state` says what becomes of it at a time, given how many are on the wire."""

    label = "bot"

    def __init__(
        self, clock: Clock, state: Callable[[float, int], Exception | None], origin: str | None = None
    ) -> None:
        self.clock, self.state = clock, state
        self.identity = {"origin": origin, "id": id(self)}
        self.on_wire = self.asked = self.failed = 0
        if origin is not None:
            self.endpoint = Endpoint(origin)

    async def ask(self, conversation: Conversation) -> Response:
        self.asked += 1
        self.on_wire += 1
        try:
            error = self.state(self.clock.now, self.on_wire)
            if error is None:
                await self.clock.sleep(1.0)
                error = self.state(self.clock.now, 0)
            if error is not None:
                self.failed += 1
                raise error
            return Response(text=conversation.messages[-1].content)
        finally:
            self.on_wire -= 1


def ask(number: int) -> Conversation:
    return Conversation(messages=(Message(role="user", content=str(number)),))


async def ask_all(layer: QueryLayer, number: int) -> list[Any]:
    return await asyncio.gather(*(layer.ask(ask(i)) for i in range(number)), return_exceptions=True)


def errors(results: list[Any]) -> list[str]:
    return [str(result) for result in results if isinstance(result, BaseException)]


def outage(begin: float, end: float, make: Callable[[], Exception]) -> Callable[[float, int], Exception | None]:
    return lambda now, on_wire: make() if begin <= now < end else None


TROUBLES: dict[str, Callable[[], Exception]] = {
    "refused": lambda: Retryable("cannot be reached", kind="refused"),
    "503": lambda: Retryable("HTTP 503", kind="away"),
    "500": lambda: Retryable("HTTP 500"),
    "cut": lambda: Retryable("connection lost"),
}


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
@pytest.mark.parametrize("concurrency", [4, 16, 64])
@pytest.mark.parametrize("seconds", [9, 200])
async def test_an_outage_that_ends_in_time_loses_nothing(clock, trouble, concurrency, seconds):
    bot = Bot(clock, outage(3, 3 + seconds, trouble))
    layer = QueryLayer(bot, Store(None), Limits(concurrency=concurrency))
    results = await clock.run(ask_all(layer, 500))
    assert errors(results) == []
    assert bot.failed <= 2 * concurrency + 15


@pytest.mark.parametrize("trouble", ["refused", "503"])
async def test_one_question_at_a_time_is_enough_to_wait_for_a_system_that_is_away(clock, trouble):
    bot = Bot(clock, outage(3, 100, TROUBLES[trouble]))
    results = await clock.run(ask_all(QueryLayer(bot, Store(None), Limits(concurrency=1)), 20))
    assert errors(results) == []
    assert bot.failed < 15


async def test_a_system_that_stays_away_is_given_up_after_max_wait(clock):
    bot = Bot(clock, outage(3, 1e9, TROUBLES["refused"]))
    layer = QueryLayer(bot, Store(None), Limits(concurrency=8, max_wait=120))
    results = await clock.run(ask_all(layer, 200))
    assert len(errors(results)) == 200 - 8 * 2
    assert 120 <= clock.now <= 130
    assert "given up after 120 s" in errors(results)[-1]
    assert "cannot be reached" in errors(results)[-1]


async def test_a_system_that_never_answered_is_not_waited_for(clock):
    bot = Bot(clock, outage(0, 1e9, TROUBLES["refused"]))
    results = await clock.run(ask_all(QueryLayer(bot, Store(None), Limits(concurrency=8)), 100))
    assert len(errors(results)) == 100
    assert clock.now <= 8.0
    assert bot.asked <= 8 * 5


async def test_a_system_that_only_ever_asks_for_patience_is_given_up_after_max_wait(clock, monkeypatch):
    monkeypatch.setattr("mutatis.query.wire.time", SimpleNamespace(perf_counter=lambda: clock.now))
    bot = Bot(clock, outage(0, 1e9, lambda: Retryable("HTTP 429", kind="busy", after=1.0)))
    results = await clock.run(ask_all(QueryLayer(bot, Store(None), Limits(max_wait=3)), 9))
    assert len(errors(results)) == 9
    assert clock.now <= 6.0
    assert any("given up after 3 s without an answer" in error for error in errors(results))


async def test_the_wait_is_told_and_so_is_its_end(clock, caplog):
    with caplog.at_level(logging.WARNING, "mutatis"):
        bot = Bot(clock, outage(3, 60, TROUBLES["503"]))
        await clock.run(ask_all(QueryLayer(bot, Store(None), Limits(concurrency=4)), 40))
    said = [record.getMessage() for record in caplog.records]
    assert "bot does not answer (HTTP 503)" in said[0]
    assert said[-1] == "bot answers again"


async def test_what_never_answered_is_told_once_with_its_number_while_it_is_waited_for(clock, caplog):
    seen = []
    with caplog.at_level(logging.WARNING, "mutatis"):
        bot = Bot(clock, outage(0, 1e9, lambda: Retryable("HTTP 429: slow down", kind="busy")))
        layer = QueryLayer(bot, Store(None), Limits(concurrency=4))
        layer.moved = lambda: seen.append((layer.counts.errors, layer.counts.trouble))
        await clock.run(ask_all(layer, 20))
    assert [record.getMessage() for record in caplog.records] == [
        "no answer yet: HTTP 429: slow down; asking again in 2 s"
    ]
    assert seen[0] == (0, "HTTP 429: slow down")  # before anything failed for good


async def test_an_answer_ends_the_trouble(clock):
    layer = QueryLayer(Bot(clock, outage(0, 3, TROUBLES["500"])), Store(None), Limits(concurrency=2))
    await clock.run(ask_all(layer, 3))
    assert layer.counts.trouble == ""


@pytest.mark.parametrize("kind", ["fault", "away"])
@pytest.mark.parametrize("number", [1, 3])
async def test_questions_that_always_fail_are_lost_alone(clock, number, kind):
    class Picky(Bot):
        async def ask(self, conversation: Conversation) -> Response:
            if int(conversation.messages[-1].content) < number:
                self.asked += 1
                raise Retryable("HTTP 500", kind=kind)
            return await super().ask(conversation)

    bot = Picky(clock, lambda now, on_wire: None)
    layer = QueryLayer(bot, Store(None), Limits(concurrency=4))
    await clock.run(layer.ask(ask(999)))
    results = await clock.run(ask_all(layer, 2000))
    assert errors(results) == ["HTTP 500"] * number


async def test_one_refusal_in_many_answers_keeps_nobody_else_waiting(clock):
    asked = 0

    def state(now: float, on_wire: int) -> Exception | None:
        nonlocal asked
        asked += bool(on_wire)
        return Retryable("HTTP 503", kind="away") if on_wire and asked % 20 == 0 else None

    results = await clock.run(ask_all(QueryLayer(Bot(clock, state), Store(None), Limits(concurrency=16)), 800))
    assert errors(results) == []
    assert clock.now < 800 / 16 * 1.2


async def test_an_outage_is_one_of_the_endpoint_and_not_of_another(clock):
    spending, store = Spending(), Store(None)
    down = outage(3, 50, TROUBLES["503"])
    near = [Bot(clock, down, "http://near") for _ in range(2)]
    far = Bot(clock, lambda now, on_wire: None, "http://far")
    layers = [QueryLayer(bot, store, Limits(concurrency=4), spending=spending) for bot in (*near, far)]
    results = await clock.run(asyncio.gather(*(ask_all(layer, 60) for layer in layers)))
    assert errors([answer for result in results for answer in result]) == []
    assert near[0].failed + near[1].failed <= 2 * 8 + 10, "both try for themselves"
    assert far.failed == 0


def busy_above(limit: int, after: float | None = None) -> Callable[[float, int], Exception | None]:
    return lambda now, on_wire: Retryable("HTTP 429", kind="busy", after=after) if on_wire > limit else None


@pytest.mark.parametrize("limit", [1, 4, 10])
@pytest.mark.parametrize("concurrency", [16, 64])
async def test_the_number_at_a_time_that_a_server_takes_is_found_without_a_storm(clock, limit, concurrency):
    bot = Bot(clock, busy_above(limit))
    results = await clock.run(ask_all(QueryLayer(bot, Store(None), Limits(concurrency=concurrency)), 1000))
    assert errors(results) == []
    assert bot.failed <= concurrency + 1000 * 0.05
    assert clock.now <= 1000 / limit * 1.25 + 20, "it asks less than the server takes"


async def test_a_limit_that_is_lifted_is_used_again(clock):
    bot = Bot(clock, lambda now, on_wire: busy_above(4)(now, on_wire) if now < 100 else None)
    await clock.run(ask_all(QueryLayer(bot, Store(None), Limits(concurrency=32)), 3000))
    assert clock.now < 100 + 2600 / 32 + 120


async def test_a_wait_that_the_server_wants_holds_everybody(clock):
    asked_at: list[float] = []

    def state(now: float, on_wire: int) -> Exception | None:
        if on_wire:
            asked_at.append(now)
        return Retryable("HTTP 429", kind="busy", after=20.0) if on_wire and 3 <= now < 4 else None

    await clock.run(ask_all(QueryLayer(Bot(clock, state), Store(None), Limits(concurrency=8)), 60))
    assert not [now for now in asked_at if 4.5 < now < 23]


async def test_refusals_for_asking_too_much_do_not_go_on_for_ever(clock):
    bot = Bot(clock, outage(3, 1e9, lambda: Retryable("HTTP 429", kind="busy")))
    results = await clock.run(ask_all(QueryLayer(bot, Store(None), Limits(concurrency=16, max_wait=60)), 300))
    assert len(errors(results)) > 200
    assert clock.now < 3600
    assert "given up" in errors(results)[-1]
