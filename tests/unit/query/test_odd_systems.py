"""Whatever a system does, it costs one question: a named failure, and the next one is asked."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import ANY

import pytest

from mutatis.core.errors import AccessDenied, BudgetExceeded, OfflineMiss, Retryable, StoreError, SystemFailure
from mutatis.core.system import Conversation, Message, Response
from mutatis.query import Limits, QueryLayer, Store
from mutatis.query.wire import LARGEST


def ask(text: str) -> Conversation:
    return Conversation(messages=(Message(role="user", content=text),))


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Bot:
    """Does something odd with the question "odd", and answers every other."""

    label = "bot"

    def __init__(self, odd: Any) -> None:
        self.identity = {"type": "bot"}
        self.odd, self.asked = odd, 0

    async def ask(self, conversation: Conversation) -> Any:
        self.asked += 1
        if conversation.messages[-1].content != "odd":
            return Response(text="fine")
        if isinstance(self.odd, BaseException):
            raise self.odd
        return self.odd


class Batch(Bot):
    async def ask_many(self, conversations: Sequence[Conversation]) -> list[Any]:
        return [await self.ask(conversation) for conversation in conversations]


def odd_finish() -> Response:
    """An answer with a finish that no constructor lets through."""
    answer = Response(text="a")
    object.__setattr__(answer, "finish", ["stop"])
    return answer


ODD = {
    "ValueError": ValueError("bad"),
    "escape": ValueError("\x1b[2Jgone"),
    "SystemExit": SystemExit(0),
    "CancelledError": asyncio.CancelledError(),
    "RecursionError": RecursionError("deep"),
    "MemoryError": MemoryError(),
    "own BaseException": type("Odd", (BaseException,), {})(),
    "mute": Mute(),
    "surrogate": UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"),
    "no text": Response(text=None),  # type: ignore[arg-type]
    "number as text": Response(text=5),  # type: ignore[arg-type]
    "finish": odd_finish(),
    "probabilities": Response(text="a", probabilities=["x"]),  # type: ignore[arg-type]
    "names of probabilities": Response(text="a", probabilities={1: 0.5}),  # type: ignore[dict-item]
    "NaN": Response(text="a", probabilities={"a": math.nan, "b": 0.5}),
    "negative": Response(text="a", probabilities={"a": 1.5, "b": -0.5}),
    "more than one": Response(text="a", probabilities={"a": 0.9, "b": 0.6}),
    "less than one": Response(text="a", probabilities={"a": 0.9}),
    "per cent": Response(text="a", probabilities={"a": 90.0, "b": 10.0}),
    "NaN of a decision": Response(text="a", decisions={"day": {"monday": math.nan}}),
    "decision of more than one": Response(text="a", decisions={"day": {"monday": 0.9, "(none)": 0.6}}),
    "decisions": Response(text="a", decisions=[0.5]),  # type: ignore[arg-type]
    "value": Response(text="a", value=object()),
    "nothing": None,
    "text alone": "text",
    "too long": Response(text="x" * (LARGEST + 1)),
}


@pytest.mark.parametrize("kind", [Bot, Batch])
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
async def test_an_odd_answer_is_a_named_failure_and_the_next_question_is_asked(odd, kind):
    asking = QueryLayer(kind(odd), Store(None), Limits(retries=0))
    assert (await asking.ask(ask("before"))).text == "fine"
    with pytest.raises(SystemFailure) as failed:
        await asyncio.wait_for(asking.ask(ask("odd")), 600)
    assert str(failed.value).strip()
    assert "\x1b" not in str(failed.value)
    assert (await asyncio.wait_for(asking.ask(ask("after")), 600)).text == "fine"
    assert asking.counts.errors == 1


@pytest.mark.parametrize(
    "answer",
    [
        Response(text="a", probabilities={"a": 0.33, "b": 0.33, "c": 0.33}),
        Response(text="a", probabilities=dict.fromkeys("abcdefghijklmnopqrst", 0.05)),
        Response(text="a", probabilities={"a": 1.0000001, "b": -1e-7}),
        Response(text="a", decisions={"day": {"monday": 0.6, "(none)": 0.1}}),
    ],
)
async def test_rounded_probabilities_and_the_likeliest_outcomes_of_a_decision_are_taken(answer):
    assert (await QueryLayer(Bot(answer), Store(None)).ask(ask("odd"))) == replace(answer, asked_at=ANY, latency=ANY)


async def test_a_text_of_a_subclass_of_str_is_a_plain_string():
    label = type("Label", (str,), {"__str__": lambda self: "Label.SPAM"})("spam")
    text = (await QueryLayer(Bot(Response(text=label)), Store(None)).ask(ask("odd"))).text
    assert (type(text), text) == (str, "spam")


@pytest.mark.parametrize("error", [BudgetExceeded("spent"), OfflineMiss("missing"), StoreError("full")])
async def test_what_ends_a_run_is_not_taken_for_an_odd_answer(error):
    with pytest.raises(type(error)):
        await QueryLayer(Bot(error), Store(None)).ask(ask("odd"))


def test_an_interrupt_ends_the_run():
    async def inside() -> None:
        await QueryLayer(Bot(KeyboardInterrupt()), Store(None)).ask(ask("odd"))

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(inside())


async def test_one_denial_of_a_system_that_answers_is_one_failure_and_three_in_a_row_end_the_asking():
    bot = Bot(AccessDenied("HTTP 403: not this text"))
    asking = QueryLayer(bot, Store(None))
    await asking.ask(ask("before"))
    with pytest.raises(AccessDenied):
        await asking.ask(ask("odd"))
    assert (await asking.ask(ask("after"))).text == "fine"
    for repeat in (1, 2, 3, 4, 5):
        with pytest.raises(AccessDenied):
            await asking.ask(ask("odd"), repeat)
    with pytest.raises(AccessDenied):
        await asking.ask(ask("another"))
    assert bot.asked == 6


async def test_the_time_limit_is_told_from_a_cancellation():
    class Slow(Bot):
        async def ask(self, conversation: Conversation) -> Any:
            await asyncio.Event().wait()

    with pytest.raises(Retryable, match="no answer within"):
        await QueryLayer(Slow(None), Store(None), Limits(timeout=0.01, retries=0)).ask(ask("a"))
