"""The only way to ask: what is shared, stored, tried again, counted and refused."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from mutatis.core.errors import AccessDenied, BudgetExceeded, OfflineMiss, Retryable, SystemFailure
from mutatis.core.system import Conversation, Finish, Message, Response
from mutatis.query import Limits, QueryLayer, Spending, Store
from mutatis.query.circuit import GIVE_UP_AFTER


def ask(text: str) -> Conversation:
    return Conversation(messages=(Message(role="user", content=text),))


class Bot:
    """Answers by a function of the text and of how often it was asked; an exception is raised."""

    label = "bot"

    def __init__(self, answer: Callable[[str, int], Any] = lambda text, n: text.upper(), identity: Any = None) -> None:
        self.identity = identity or {"type": "bot"}
        self.asked: list[str] = []
        self.answer = answer
        self.gate: asyncio.Event | None = None
        self.endpoint: Patient | None = None
        self.now = self.most = 0

    async def ask(self, conversation: Conversation) -> Response:
        text = conversation.messages[-1].content
        self.asked.append(text)
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await (self.gate.wait() if self.gate else asyncio.sleep(0))
            result = self.answer(text, len(self.asked))
        finally:
            self.now -= 1
        if isinstance(result, Exception):
            raise result
        return result if isinstance(result, Response) else Response(text=result)


async def settled() -> None:
    """Let the others go on until each of them waits for what is to come, however slowly the time goes by."""
    for _ in range(50):
        await asyncio.sleep(0)


class Patient:
    """An endpoint that gives up by itself after so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.origin, self.timeout = "http://bot", seconds


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits that were asked for; none of them is waited."""
    waits: list[float] = []
    yielding = asyncio.sleep

    async def sleep(seconds: float, result: Any = None) -> Any:
        if seconds:
            waits.append(seconds)
        await yielding(0)
        return result

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return waits


def layer(bot: Any, store: Store | None = None, **options: Any) -> QueryLayer:
    limits = {name: options.pop(name) for name in ("concurrency", "rate", "retries", "timeout") if name in options}
    return QueryLayer(bot, Store(None) if store is None else store, Limits(**limits), **options)


async def test_an_answer_is_paid_once_and_then_stored():
    bot = Bot()
    asking = layer(bot)
    assert [(await asking.ask(ask("a"))).text for _ in range(3)] == ["A"] * 3
    assert bot.asked == ["a"]
    assert (asking.counts.logical, asking.counts.paid) == (3, 1)


async def test_questions_on_the_wire_are_shared():
    bot = Bot()
    bot.gate = asyncio.Event()
    asking = layer(bot)
    running = [asyncio.create_task(asking.ask(ask("a"))) for _ in range(20)]
    await settled()
    bot.gate.set()
    answers = await asyncio.gather(*running)
    assert {answer.text for answer in answers} == {"A"}
    assert bot.asked == ["a"]


async def test_whoever_joined_a_failing_question_gets_its_failure():
    bot = Bot(lambda text, n: SystemFailure("no"))
    bot.gate = asyncio.Event()
    asking = layer(bot)
    running = [asyncio.create_task(asking.ask(ask("a"))) for _ in range(3)]
    await settled()
    bot.gate.set()
    results = await asyncio.gather(*running, return_exceptions=True)
    assert [str(result) for result in results] == ["no"] * 3
    assert bot.asked == ["a"]


async def test_a_cancelled_asker_does_not_leave_the_others_waiting():
    bot = Bot()
    bot.gate = asyncio.Event()
    asking = layer(bot)
    first, second = (asyncio.create_task(asking.ask(ask("a"))) for _ in range(2))
    await settled()
    first.cancel()
    await settled()
    bot.gate.set()
    assert (await second).text == "A"
    assert bot.asked == ["a"]


async def test_the_last_asker_that_is_cancelled_leaves_its_place_on_the_wire_to_others():
    bot = Bot()
    bot.gate = asyncio.Event()
    asking = layer(bot, concurrency=1)
    only = asyncio.create_task(asking.ask(ask("a")))
    await settled()
    only.cancel()
    with pytest.raises(asyncio.CancelledError):
        await only
    bot.gate.set()
    assert (await asking.ask(ask("b"))).text == "B"  # its place on the wire was given back
    assert bot.asked == ["a", "b"]


async def test_repeats_are_asked_apart():
    bot = Bot(lambda text, n: f"{text}{n}")
    asking = layer(bot)
    assert [(await asking.ask(ask("a"), repeat)).text for repeat in (0, 1, 0, 1)] == ["a1", "a2", "a1", "a2"]


@pytest.mark.parametrize(
    ("waits", "errors"),
    [
        ([0.5], [Retryable("busy")]),
        ([0.5, 1.0], [Retryable("busy"), Retryable("busy")]),
        ([7.0], [Retryable("busy", after=7.0)]),
        ([0.0, 1.0], [Retryable("busy", after=0.0), Retryable("busy")]),
        ([60.0], [Retryable("come back tomorrow", after=86400.0)]),
    ],
)
async def test_passing_failures_are_tried_again_after_a_growing_or_the_wanted_wait(slept, waits, errors):
    bot = Bot(lambda text, n: errors[n - 1] if n <= len(errors) else "fine")
    asking = layer(bot)
    assert (await asking.ask(ask("a"))).text == "fine"
    assert slept == [wait for wait in waits if wait]
    assert asking.counts.paid == len(errors) + 1
    assert asking.counts.errors == 0


async def test_after_all_retries_the_failure_is_told_and_recorded(slept):
    bot = Bot(lambda text, n: Retryable("busy"))
    asking = layer(bot, retries=4)
    with pytest.raises(SystemFailure, match="busy"):
        await asking.ask(ask("a"))
    assert slept == [0.5, 1.0, 2.0, 4.0]
    assert len(bot.asked) == 5
    assert asking.counts.errors == 1


@pytest.mark.parametrize("error", [SystemFailure("not JSON"), AccessDenied("wrong key")])
async def test_lasting_failures_are_not_tried_again(slept, error):
    bot = Bot(lambda text, n: error)
    with pytest.raises(SystemFailure):
        await layer(bot).ask(ask("a"))
    assert len(bot.asked) == 1
    assert slept == []


async def test_who_is_denied_once_does_not_ask_again():
    bot = Bot(lambda text, n: AccessDenied("wrong key"))
    asking = layer(bot, concurrency=1)
    results = await asyncio.gather(*(asking.ask(ask(str(i))) for i in range(30)), return_exceptions=True)
    assert len(bot.asked) == 1
    assert {str(result) for result in results} == {"wrong key"}


async def test_many_failures_in_a_row_end_the_asking(slept):
    bot = Bot(lambda text, n: Retryable("down"))
    asking = layer(bot, retries=0, concurrency=1)
    results = await asyncio.gather(*(asking.ask(ask(str(i))) for i in range(30)), return_exceptions=True)
    assert len(bot.asked) == GIVE_UP_AFTER
    assert all(isinstance(result, SystemFailure) for result in results)
    assert "given up" in str(results[-1])
    assert "down" in str(results[-1])


async def test_an_answer_between_failures_keeps_the_asking_alive(slept):
    bot = Bot(lambda text, n: "fine" if n % GIVE_UP_AFTER == 0 else Retryable("down"))
    asking = layer(bot, retries=0, concurrency=1)
    await asyncio.gather(*(asking.ask(ask(str(i))) for i in range(35)), return_exceptions=True)
    assert len(bot.asked) == 35


async def test_no_answer_in_time_is_tried_again():
    bot = Bot()
    bot.gate = asyncio.Event()
    with pytest.raises(Retryable, match=r"no answer within 0\.01 s"):
        await layer(bot, retries=0, timeout=0.01).ask(ask("a"))


@pytest.mark.parametrize("patience", [0.0, 100.0])
async def test_an_endpoint_that_waits_longer_than_a_question_may_take_is_not_waited_for(patience):
    bot = Bot()
    bot.gate, bot.endpoint = asyncio.Event(), Patient(patience)
    with pytest.raises(Retryable, match=r"no answer within 0\.01 s"):
        await layer(bot, retries=0, timeout=0.01).ask(ask("a"))


async def test_only_one_clock_runs_where_the_endpoint_keeps_the_time(monkeypatch):
    def clock(seconds: float) -> None:
        raise AssertionError(f"a second clock of {seconds} s")

    monkeypatch.setattr(asyncio, "timeout", clock)
    bot = Bot()
    bot.endpoint = Patient(5.0)
    assert (await layer(bot, timeout=5.0).ask(ask("a"))).text == "A"


@pytest.mark.parametrize("finish", [Finish.FILTERED, Finish.LENGTH])
async def test_filtered_and_truncated_answers_are_failures_and_bought_once_unless_fresh_ones_are_asked_for(
    finish, tmp_path
):
    bot = Bot(lambda text, n: Response(text="half", finish=finish) if n == 1 else "whole")
    failure = pytest.raises(SystemFailure, match="filter" if finish is Finish.FILTERED else "max_tokens")
    with Store(tmp_path / "s.db") as store:
        first = layer(bot, store)
        for _ in range(2):
            with failure:
                await first.ask(ask("a"))
        again = layer(bot, store)
        with failure:
            await again.ask(ask("a"))
        assert (len(bot.asked), again.counts.paid, again.counts.stored, again.counts.errors) == (1, 0, 1, 1)
        with failure:
            await layer(bot, store, offline=True).ask(ask("a"))
        assert (await layer(bot, store, fresh=True).ask(ask("a"))).text == "whole"
        assert (await layer(bot, store).ask(ask("a"))).text == "whole"
    assert len(bot.asked) == 2


async def test_no_more_questions_are_on_the_wire_than_allowed():
    bot = Bot()
    asking = layer(bot, concurrency=3)
    await asyncio.gather(*(asking.ask(ask(str(i))) for i in range(30)))
    assert bot.most == 3


@pytest.mark.parametrize(("rate", "capacity", "period"), [(5.0, 5.0, 1.0), (0.5, 1.0, 2.0)])
async def test_the_rate_is_kept_also_below_one_per_second(rate, capacity, period):
    asking = layer(Bot(), rate=rate)
    assert asking._wire.limiter is not None
    assert (asking._wire.limiter.max_rate, asking._wire.limiter.time_period) == (capacity, period)
    await asking.ask(ask("a"))


async def test_the_budget_is_shared_and_never_exceeded():
    spending = Spending(5)
    bots = [Bot(identity={"n": n}) for n in (1, 2)]
    layers = [layer(bot, spending=spending) for bot in bots]
    asked = [layer.ask(ask(str(i))) for i in range(10) for layer in layers]
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert sum(len(bot.asked) for bot in bots) == spending.paid == 5
    assert sum(isinstance(result, BudgetExceeded) for result in results) == 15


async def test_retries_count_against_the_budget(slept):
    bot = Bot(lambda text, n: Retryable("busy"))
    with pytest.raises(BudgetExceeded):
        await layer(bot, spending=Spending(2)).ask(ask("a"))
    assert len(bot.asked) == 2


async def test_offline_serves_what_is_stored_and_asks_nothing(tmp_path):
    with Store(tmp_path / "s.db") as store:
        await layer(Bot(), store).ask(ask("a"))
        bot = Bot()
        asking = layer(bot, store, offline=True)
        assert (await asking.ask(ask("a"))).text == "A"
        with pytest.raises(OfflineMiss, match="--offline"):
            await asking.ask(ask("b"))
        assert bot.asked == []


async def test_fresh_asks_anew_once(tmp_path):
    with Store(tmp_path / "s.db") as store:
        await layer(Bot(lambda text, n: "old"), store).ask(ask("a"))
        bot = Bot(lambda text, n: f"new{n}")
        asking = layer(bot, store, fresh=True)
        assert [(await asking.ask(ask("a"))).text for _ in range(2)] == ["new1", "new1"]
        assert (await layer(Bot(), store).ask(ask("a"))).text == "new1"


@pytest.mark.parametrize("later", [-1e6, 1e6, 1e9])
async def test_fresh_asks_anew_whatever_time_stands_beside_an_answer(tmp_path, later):
    with Store(tmp_path / "s.db") as store:
        await layer(Bot(lambda text, n: "old"), store).ask(ask("a"))
        store._db.execute("UPDATE answers SET asked_at = asked_at + ?", (later,))
        spending = Spending()
        first, second = (layer(Bot(lambda text, n: f"new{n}"), store, fresh=True, spending=spending) for _ in range(2))
        assert [(await first.ask(ask("a"))).text for _ in range(2)] == ["new1", "new1"]
        assert (await second.ask(ask("a"))).text == "new1"  # another part of the same run
        assert (first.counts.paid, first.counts.stored, second.counts.paid) == (1, 0, 0)
        assert (await layer(Bot(), store, offline=True).ask(ask("a"))).text == "new1"


async def test_an_answer_that_could_not_be_used_is_kept_for_the_run_and_asked_again_by_the_next(tmp_path):
    with Store(tmp_path / "s.db") as store:
        bot = Bot(lambda text, n: f"{text}{n}")
        first = layer(bot, store)
        assert (await first.ask(ask("a"))).text == "a1"
        for _ in range(2):
            first.reject(ask("a"), "the answer is not JSON: 'a1'")
            assert (await first.ask(ask("a"))).text == "a1"
        assert (first.counts.unusable, first.counts.reasons) == (1, {"the answer is not JSON": 1})
        assert (await layer(bot, store, offline=True).ask(ask("a"))).text == "a1"
        again = layer(bot, store)
        assert [(await again.ask(ask("a"))).text for _ in range(2)] == ["a2", "a2"]
        assert (again.counts.paid, again.counts.unusable) == (1, 0)
        assert (await layer(bot, store).ask(ask("a"))).text == "a2"


async def test_an_answer_of_an_earlier_version_that_would_be_a_failure_now_is_asked_again(tmp_path):
    with Store(tmp_path / "s.db") as store:
        bot = Bot(lambda text, n: Response(text="a", probabilities={"a": 0.9, "b": 0.1}))
        await layer(bot, store).ask(ask("a"))
        store._db.execute("UPDATE answers SET content = replace(content, '0.1', 'null')")
        with pytest.raises(OfflineMiss):
            await layer(bot, store, offline=True).ask(ask("a"))
        assert (await layer(bot, store).ask(ask("a"))).probabilities == {"a": 0.9, "b": 0.1}
    assert len(bot.asked) == 2


async def test_reasons_are_counted_without_what_they_quote_and_many_different_ones_together():
    bot = Bot(lambda text, n: SystemFailure(f"HTTP {n % 30}: '{text}'"))
    asking = layer(bot)
    asking._wire.trial.answered([Response(text="fine")])
    for number in range(60):
        with pytest.raises(SystemFailure):
            await asking.ask(ask(str(number)))
    assert asking.counts.reasons == {**{f"HTTP {n}": 2 for n in range(1, 21)}, "other reasons": 20}


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_who_is_busy_is_tried_twice_as_often_as_who_fails(slept, retries):
    for kind, tries in (("busy", 2 * retries), ("fault", retries)):
        bot = Bot(lambda text, n, kind=kind, tries=tries: Retryable("later", kind=kind) if n <= tries else "fine")
        assert (await layer(bot, retries=retries).ask(ask("a"))).text == "fine"
        assert len(bot.asked) == tries + 1
        bot = Bot(lambda text, n, kind=kind: Retryable("later", kind=kind))
        with pytest.raises(SystemFailure, match="later"):
            await layer(bot, retries=retries).ask(ask("a"))
        assert len(bot.asked) == tries + 1


@pytest.mark.parametrize(
    "error",
    [SystemFailure("gone"), Response(text="ha", finish=Finish.LENGTH), Response(text="", finish=Finish.FILTERED)],
)
async def test_fresh_never_replaces_an_answer_by_a_failure(tmp_path, error):
    with Store(tmp_path / "s.db") as store:
        await layer(Bot(lambda text, n: "old"), store).ask(ask("a"))
        with pytest.raises(SystemFailure):
            await layer(Bot(lambda text, n: error), store, fresh=True).ask(ask("a"))
        assert (await layer(Bot(), store, offline=True).ask(ask("a"))).text == "old"


async def test_a_question_that_was_not_sent_is_not_paid():
    bot = Bot(lambda text, n: Retryable("nobody there", kind="refused"))
    spending = Spending(1)
    asking = layer(bot, retries=0, spending=spending)
    for text in "abc":
        with pytest.raises(SystemFailure):
            await asking.ask(ask(text))
    assert (asking.counts.paid, spending.paid) == (0, 0)


async def test_what_is_on_the_wire_is_kept_when_the_run_is_interrupted(tmp_path):
    bot = Bot()
    bot.gate = asyncio.Event()
    with Store(tmp_path / "s.db") as store:
        asking = layer(bot, store, concurrency=3)
        running = [asyncio.create_task(asking.ask(ask(str(i)))) for i in range(10)]
        await settled()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        draining = asyncio.create_task(asking.drain())
        await settled()
        assert not draining.done()
        bot.gate.set()
        assert await draining == 3
        assert sorted(bot.asked) == ["0", "1", "2"]
        assert len(store) == 3


async def test_only_answers_of_earlier_runs_count_as_stored(tmp_path):
    with Store(tmp_path / "s.db") as store:
        first = layer(Bot(), store)
        await first.ask(ask("a"))
        await first.ask(ask("a"))
        again = layer(Bot(), store)
        await again.ask(ask("a"))
    assert (first.counts.stored, first.counts.oldest) == (0, None)
    assert (again.counts.stored, again.counts.paid) == (1, 0)
    assert again.counts.oldest is not None


class Talker(Bot):
    """Keeps the dialogue itself: its answer counts the turns of its session."""

    def session(self) -> Talk:
        return Talk(self)


class Talk:
    def __init__(self, bot: Talker) -> None:
        self.bot, self.turns = bot, 0

    async def __aenter__(self) -> Talk:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def send(self, conversation: Conversation) -> Response:
        self.turns += 1
        answer = await self.bot.ask(conversation)
        return Response(text=f"{self.turns}:{answer.text}")


async def test_a_dialogue_is_stored_whole_and_replayed_from_the_first_turn_when_anything_is_missing():
    bot = Talker()
    asking = layer(bot)
    talk = [ask("a"), ask("b")]
    assert [r.text for r in await asking.ask_dialogue(talk)] == ["1:A", "2:B"]
    assert [r.text for r in await asking.ask_dialogue(talk)] == ["1:A", "2:B"]
    assert bot.asked == ["a", "b"]
    assert [r.text for r in await asking.ask_dialogue([*talk, ask("c")])] == ["1:A", "2:B", "3:C"]
    assert bot.asked == ["a", "b", "a", "b", "c"]
    assert (asking.counts.logical, asking.counts.paid) == (7, 5)


async def test_a_dialogue_that_fails_in_the_middle_leaves_nothing_behind():
    bot = Talker(lambda text, n: SystemFailure("lost") if n == 2 else text)
    asking = layer(bot)
    with pytest.raises(SystemFailure, match="lost"):
        await asking.ask_dialogue([ask("a"), ask("b")])
    assert [r.text for r in await asking.ask_dialogue([ask("a"), ask("b")])] == ["1:a", "2:b"]
    assert bot.asked == ["a", "b", "a", "b"]


async def test_a_dialogue_that_fails_is_paid_as_far_as_it_was_asked():
    bot = Talker(lambda text, n: SystemFailure("lost") if n == 2 else text)
    spending = Spending()
    asking = layer(bot, spending=spending)
    with pytest.raises(SystemFailure):
        await asking.ask_dialogue([ask("a"), ask("b"), ask("c"), ask("d")])
    assert (asking.counts.paid, spending.paid, len(bot.asked)) == (2, 2, 2)


async def test_what_another_run_asks_meanwhile_is_asked_for_this_one(tmp_path):
    with Store(tmp_path / "store.db") as store:
        before = layer(Bot(), store)
        await before.ask(ask("a"))
        this, beside = layer(Bot(), store), layer(Bot(), store)
        await this.ask(ask("a"))
        assert (this.counts.stored, this.counts.current) == (1, False)
        await beside.ask(ask("b"))
        await this.ask(ask("b"))
        assert (this.counts.paid, this.counts.current) == (0, True)


async def test_an_answer_of_a_time_to_come_is_not_one_of_this_run(tmp_path):
    with Store(tmp_path / "store.db") as store:
        await layer(Bot(), store).ask(ask("a"))
        with sqlite3.connect(store.path) as db:  # by a machine whose clock was ahead
            db.execute("UPDATE answers SET asked_at = 4e9")
        db.close()
        later = layer(Bot(), store)
        await later.ask(ask("a"))
        assert (later.counts.stored, later.counts.current) == (1, False)


async def test_a_run_goes_on_with_those_of_its_system_that_did_not_finish(tmp_path):
    with Store(tmp_path / "store.db") as store:
        killed = layer(Bot(), store)
        killed.begin("killed")
        await killed.ask(ask("a"))
        other = layer(Bot(identity={"type": "other"}), store)
        other.begin("of another system")
        other.finish("of another system")
        again = layer(Bot(), store)
        again.begin("again")
        await again.ask(ask("a"))
        assert (again.counts.stored, again.counts.current) == (1, True)
        beside = layer(Bot(), store)
        beside.begin("began later, still at work")
        again.finish("again")
        once_more = layer(Bot(), store)
        once_more.begin("once more")
        await once_more.ask(ask("a"))
        assert once_more.counts.current is False  # `again` has judged it


@pytest.fixture
def clock(monkeypatch):
    """The clock of the layer, which only its own `tick` moves."""

    class Clock:
        now = 0.0

        def tick(self, seconds: float) -> None:
            self.now += seconds

    clock = Clock()
    monkeypatch.setattr("mutatis.query.layer.time", SimpleNamespace(time=time.time, perf_counter=lambda: clock.now))
    return clock


@pytest.mark.parametrize(("stated", "seconds"), [(0.0, 2.0), (7.0, 7.0)])
async def test_an_answer_that_its_system_does_not_time_is_timed(clock, stated, seconds):
    def answer(text: str, n: int) -> Response:
        clock.tick(2.0)
        return Response(text=text, latency=stated)

    asking = layer(Bot(answer))
    response = await asking.ask(ask("a"))
    assert (response.latency, asking.mean_answer["seconds"]) == (seconds, seconds)
    assert response.asked_at > 1.7e9


async def test_each_turn_of_a_dialogue_is_timed(clock):
    def answer(text: str, n: int) -> str:
        clock.tick(float(text))
        return text

    asking = layer(Talker(answer))
    assert [turn.latency for turn in await asking.ask_dialogue([ask("1"), ask("3")])] == [1.0, 3.0]
    assert asking.mean_answer["seconds"] == 2.0


async def test_an_answer_of_a_batch_takes_its_share_of_the_time(clock):
    class Batch:
        label, identity = "batch", {"type": "batch"}

        async def ask_many(self, conversations):
            clock.tick(6.0)
            return [Response(text="x") for _ in conversations]

    asking = layer(Batch())
    assert [r.latency for r in await asyncio.gather(*(asking.ask(ask(text)) for text in "abc"))] == [2.0, 2.0, 2.0]


async def test_answers_that_are_read_from_a_file_take_no_time(clock):
    bot = Bot(lambda text, n: clock.tick(2.0) or text)
    bot.free = True
    asking = layer(bot)
    await asking.ask(ask("a"))
    assert asking.mean_answer["seconds"] == 0.0
