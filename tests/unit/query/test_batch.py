"""Questions that are answered together."""

from __future__ import annotations

import asyncio

import pytest

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Message, Response
from mutatis.query import Limits, QueryLayer, Store
from mutatis.query.layer import LARGEST, Batcher


def ask(text):
    return Conversation(messages=(Message(role="user", content=text),))


def batcher(answer=lambda text: Response(text=text.upper())):
    sizes = []

    async def ask_many(conversations):
        sizes.append(len(conversations))
        await asyncio.sleep(0)
        return [answer(c.messages[0].content) for c in conversations]

    return Batcher(ask_many), sizes


async def test_whoever_is_ready_joins_one_batch_and_gets_an_answer_of_his_own():
    batch, sizes = batcher()
    answers = await asyncio.gather(*(batch.ask(ask(f"q{i}")) for i in range(50)))
    assert [a.text for a in answers] == [f"Q{i}" for i in range(50)]
    assert sizes == [50]


async def test_a_batch_has_a_largest_size():
    batch, sizes = batcher()
    await asyncio.gather(*(batch.ask(ask(f"q{i}")) for i in range(LARGEST + 3)))
    assert sizes == [LARGEST, 3]


async def test_one_failure_fails_alone():
    batch, _ = batcher(lambda text: SystemFailure("odd") if text == "q1" else Response(text=text))
    results = await asyncio.gather(*(batch.ask(ask(f"q{i}")) for i in range(3)), return_exceptions=True)
    assert [getattr(r, "text", str(r)) for r in results] == ["q0", "odd", "q2"]


@pytest.mark.parametrize("fault", [ValueError("crash"), SystemFailure("crash")])
async def test_a_crash_fails_its_batch_and_not_the_next(fault):
    calls = []

    async def ask_many(conversations):
        calls.append(len(conversations))
        if len(calls) == 1:
            raise fault
        return [Response(text="fine") for _ in conversations]

    batch = Batcher(ask_many)
    first = await asyncio.gather(batch.ask(ask("a")), batch.ask(ask("b")), return_exceptions=True)
    assert all(isinstance(e, SystemFailure) and "crash" in str(e) for e in first)
    assert (await batch.ask(ask("c"))).text == "fine"


async def test_a_question_that_was_cancelled_while_a_batch_was_answered_is_not_asked():
    texts, begun, released = [], asyncio.Event(), asyncio.Event()

    async def ask_many(conversations):
        texts.extend(conversation.messages[0].content for conversation in conversations)
        begun.set()
        await released.wait()
        return [Response(text="fine") for _ in conversations]

    batch = Batcher(ask_many)
    first = asyncio.create_task(batch.ask(ask("a")))
    await begun.wait()
    cancelled, other = (asyncio.create_task(batch.ask(ask(text))) for text in "bc")
    await asyncio.sleep(0)
    cancelled.cancel()
    released.set()
    assert [answer.text for answer in await asyncio.gather(first, other)] == ["fine", "fine"]
    assert texts == ["a", "c"]


@pytest.mark.parametrize("number", [0, 1, 3])
async def test_too_few_or_too_many_answers_are_told_and_nobody_waits_for_ever(number):
    async def ask_many(conversations):
        return [Response(text="x")] * number

    batch = Batcher(ask_many)
    asked = asyncio.gather(batch.ask(ask("a")), batch.ask(ask("b")), return_exceptions=True)
    results = await asyncio.wait_for(asked, 600)
    assert {str(e) for e in results} == {f"ask_many returned {number} answers to 2 questions"}


async def test_the_layer_batches_where_the_system_can():
    class Classifier:
        label = "c"
        identity = {"type": "c"}  # noqa: RUF012
        sizes = []  # noqa: RUF012

        async def ask(self, conversation):
            raise AssertionError("asked one by one")

        async def ask_many(self, conversations):
            self.sizes.append(len(conversations))
            return [Response(text=c.messages[0].content) for c in conversations]

    layer = QueryLayer(Classifier(), Store(None), Limits(concurrency=32))
    answers = await asyncio.gather(*(layer.ask(ask(f"q{i}")) for i in range(32)))
    assert [a.text for a in answers] == [f"q{i}" for i in range(32)]
    assert Classifier.sizes == [32]
