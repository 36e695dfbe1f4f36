"""Probabilities of an answer's tokens: read from OpenAI's `logprobs`, whole or streamed, kept in the store."""

from __future__ import annotations

import json
import math

import pytest

from mutatis.campaign.measuring import uncertainty
from mutatis.core.errors import UsageError
from mutatis.core.system import Conversation, Message
from mutatis.query import Limits, QueryLayer, Store
from mutatis.systems import SYSTEMS
from mutatis.systems.stream import StreamEvent, data_of
from mutatis.systems.token_probabilities import decisions_in
from support.server import Act, serve

HALF, QUARTER = math.log(0.5), math.log(0.25)


def token(text, logarithm, *others, **more):
    likeliest = [{"token": other, "logprob": chance} for other, chance in others]
    return {"token": text, "logprob": logarithm, "top_logprobs": likeliest, **more}


def choice(*tokens, name="message", **message):
    return {"choices": [{"index": 0, name: message, "logprobs": {"content": list(tokens)}, "finish_reason": "stop"}]}


def asked(text="Is it good?"):
    return Conversation(messages=(Message(role="user", content=text),))


YES = token("Yes", HALF, ("Yes", HALF), ("No", QUARTER))
DOT = token(".", 0.0, (".", 0.0))


def test_each_token_is_a_decision_by_its_number():
    assert decisions_in([choice(YES, DOT)]) == {"1": {"Yes": 0.5, "No": 0.25}, "2": {".": 1.0}}


def test_what_was_drawn_is_told_also_where_it_is_none_of_the_likeliest():
    assert decisions_in([choice(token("Well", QUARTER, ("Yes", HALF)))]) == {"1": {"Yes": 0.5, "Well": 0.25}}


def test_servers_may_leave_the_likeliest_out_or_tell_no_chance_at_all():
    alone = {"token": "Yes", "logprob": HALF}
    never = {"token": "No", "logprob": -9999.0}
    assert decisions_in([choice(alone, never)]) == {"1": {"Yes": 0.5}, "2": {"No": 0.0}}


def test_halves_of_a_character_are_two_outcomes():
    halves = [{"token": "\ufffd", "logprob": QUARTER, "bytes": [byte]} for byte in (0xC3, 0xE2)]
    told = {"token": "\ufffd", "logprob": QUARTER, "bytes": [0xC3], "top_logprobs": halves}
    assert decisions_in([choice(told)]) == {"1": {"\\xc3": 0.25, "\\xe2": 0.25}}


@pytest.mark.parametrize(
    "data",
    [
        {"choices": [{"message": {"content": "Yes"}}]},
        {"choices": [{"logprobs": None}]},
        {"choices": [{"logprobs": {"content": None}}]},
        {"choices": [{"logprobs": {"content": "Yes"}}]},
        {"choices": [{"logprobs": {"content": [None, {"token": "Yes", "logprob": None}]}}]},
        {"choices": [{"logprobs": {"content": [{"token": "Yes", "logprob": math.nan, "top_logprobs": [1]}]}}]},
        {"choices": []},
        [],
        None,
    ],
)
def test_where_nothing_tells_them_there_are_none(data):
    assert decisions_in([data]) is None


def test_events_of_a_stream_are_numbered_through():
    events = [json.dumps(choice(part, name="delta")) for part in (YES, DOT)]
    stream = [StreamEvent(data=data) for data in [*events, '{"logprobs" broken', "[DONE]"]]
    assert decisions_in(data_of(stream, '"logprobs"')) == {"1": {"Yes": 0.5, "No": 0.25}, "2": {".": 1.0}}


def test_an_answer_that_spells_a_secret_has_none():
    pieces = [choice(token("sk-", 0.0), token("secret", 0.0))]
    assert decisions_in(pieces, lambda text: text.replace("sk-secret", "***")) is None
    assert decisions_in(pieces) is not None


@pytest.mark.parametrize("streamed", [False, True])
async def test_an_endpoint_is_asked_for_them_and_the_store_keeps_them(streamed):
    whole = json.dumps(choice(YES, DOT, content="Yes."))
    pieces = [choice(YES, name="delta", content="Yes"), choice(DOT, name="delta", content=".")]
    pieces[0]["choices"][0]["finish_reason"] = None
    raw = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces) + "data: [DONE]\n\n"
    async with serve([Act(raw=raw if streamed else whole)]) as server:
        system = SYSTEMS["openai"](model="m", base_url=server.url, top_logprobs=2, stream=streamed)
        layer = QueryLayer(system, Store(None), Limits())
        first, again = await layer.ask(asked()), await layer.ask(asked())
        await system.close()
    assert (server.bodies[0]["logprobs"], server.bodies[0]["top_logprobs"]) == (True, 2)
    assert (first.text, first.stored, again.stored, server.requests) == ("Yes.", False, True, 1)
    assert first.decisions == again.decisions == {"1": {"Yes": 0.5, "No": 0.25}, "2": {".": 1.0}}
    # By hand: 1 - 0.5^2 - 0.25^2 - 0.25^2 (what is not told) = 0.625 for the first token, 0 for the second.
    assert uncertainty(again) == pytest.approx(0.3125)


async def test_they_are_not_asked_for_unless_somebody_wants_them():
    async with serve() as server:
        system = SYSTEMS["openai"](model="m", base_url=server.url)
        assert (await system.ask(asked())).decisions is None
        await system.close()
    assert not {"logprobs", "top_logprobs"} & set(server.bodies[0])


@pytest.mark.parametrize("wrong", [-1, 21])
def test_more_than_the_interface_has_are_refused(wrong):
    with pytest.raises(UsageError, match="top_logprobs"):
        SYSTEMS["openai"](model="m", top_logprobs=wrong)
