"""Calls in what systems answer: OpenAI's interface whole and streamed, JSON bots, functions."""

from __future__ import annotations

import json

import pytest
from aiohttp import web

from mutatis.core.calls import ToolCall, read_tools
from mutatis.core.errors import Retryable, SystemFailure
from mutatis.core.system import Conversation, Message
from mutatis.systems import SYSTEMS
from support.parts import ask_openai
from support.server import Act, calling, serve

TOOLS = read_tools([{"name": "book", "parameters": {"type": "object", "properties": {"day": {"type": "string"}}}}])


def talk(text="Book me for Friday."):
    return Conversation(messages=(Message(role="user", content=text),), fields={"message": text}, tools=TOOLS)


def completion(message, reason="tool_calls"):
    return json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": reason}]})


async def asked(*script, **options):
    return await ask_openai(script, talk(), **options)


async def test_tools_are_sent_and_several_calls_without_text_are_an_answer():
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [calling("book", '{"day": "Fri"}', "a"), calling("pay", "")],
    }
    response, server = await asked(Act(raw=completion(message)))
    assert server.bodies[0]["tools"] == list(TOOLS)
    assert response.text == ""
    assert response.calls == (
        ToolCall(name="book", arguments={"day": "Fri"}, id="a"),
        ToolCall(name="pay", arguments={}, id="c1"),
    )


async def test_a_call_beside_a_text_is_kept_and_so_is_a_refusal():
    message = {"content": "One moment.", "tool_calls": [calling("book", '{"day": "Fri"}')]}
    response, _ = await asked(Act(raw=completion(message)))
    assert response.said == 'One moment.\nbook(day="Fri")'
    response, _ = await asked(Act(raw=completion({"content": None, "refusal": "I can't."}, "stop")))
    assert (response.text, response.refusal) == ("I can't.", "I can't.")


async def test_arguments_in_wrong_json_are_part_of_the_answer():
    response, _ = await asked(Act(raw=completion({"content": None, "tool_calls": [calling("book", '{"day": ')]})))
    assert response.calls == (ToolCall(name="book", arguments={}, id="c1", malformed='{"day": '),)


@pytest.mark.parametrize("calls", [[3], [{"function": {"arguments": "{}"}}], "book", {"x": 1}])
async def test_calls_that_are_none_fail_on_one_line(calls):
    error, _ = await asked(Act(raw=completion({"content": None, "tool_calls": calls})))
    assert "the answer's tool_calls cannot be read" in str(error)
    assert "\n" not in str(error)


async def test_nothing_at_all_is_still_an_empty_answer():
    error, _ = await asked(Act(raw=completion({"content": None, "tool_calls": []}, "stop")))
    assert "empty answer" in str(error)


def sse(*deltas, end="data: [DONE]\n\n"):
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + end


PIECES = (
    {"role": "assistant", "content": None},
    {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "book", "arguments": ""}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": '{"day"'}}]},
    {"tool_calls": [{"index": 1, "id": "b", "function": {"name": "pay", "arguments": '{"sum": 5}'}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": ': "Fri"}'}}]},
)


async def streamed(body):
    async def send(request: web.Request) -> web.Response:
        sent.append(await request.json())
        return web.Response(text=body, content_type="text/event-stream")

    sent: list[dict] = []
    async with serve(extra=[web.post("/s/chat/completions", send)]) as server:
        system = SYSTEMS["openai"](model="m", base_url=server.url.replace("/v1", "/s"), stream=True)
        try:
            return await system.ask(talk()), sent
        except SystemFailure as error:
            return error, sent
        finally:
            await system.close()


async def test_calls_that_come_in_pieces_are_put_together():
    response, sent = await streamed(sse(*PIECES))
    assert sent[0]["stream"] is True
    assert [str(call) for call in response.calls] == ['book(day="Fri")', "pay(sum=5)"]
    response, _ = await streamed(sse({"content": "Just "}, {"content": "so."}, *PIECES[1:3]))
    assert response.text == "Just so."
    assert response.calls[0].malformed == '{"day"'


async def test_a_stream_of_calls_that_breaks_off_may_be_asked_again():
    error, _ = await streamed(sse(*PIECES, end=""))
    assert isinstance(error, Retryable)


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ({"reply": "Done.", "tool_calls": [{"name": "book", "args": {"day": "Fri"}}]}, {}),
        ({"reply": "Done.", "debug": {"did": [{"name": "book", "arguments": {"day": "Fri"}}]}}, {"calls": "debug.did"}),
        ({"choices": [{"message": {"content": None, "tool_calls": [calling("book", '{"day": "Fri"}')]}}]}, {}),
        ({"a": {"t": "Done."}, "calls": [{"name": "book", "input": {"day": "Fri"}}]}, {"response": "a.t"}),
    ],
)
async def test_a_json_bot_may_call(body, options):
    async def send(request: web.Request) -> web.Response:
        assert (await request.json())["tools"] == list(TOOLS)
        return web.json_response(body)

    async with serve(extra=[web.post("/bot", send)]) as server:
        system = SYSTEMS["http"](url=server.url.replace("/v1", "/bot"), **options)
        response = await system.ask(talk())
        await system.close()
    assert [str(call) for call in response.calls] == ['book(day="Fri")']
    assert response.text == ("" if "choices" in body else "Done.")


async def test_a_bot_that_counts_calls_calls_nothing():
    async def send(_: web.Request) -> web.Response:
        return web.json_response({"reply": "We had 3 calls.", "calls": 3})

    async with serve(extra=[web.post("/bot", send)]) as server:
        system = SYSTEMS["http"](url=server.url.replace("/v1", "/bot"))
        response = await system.ask(talk())
        await system.close()
    assert (response.text, response.calls) == ("We had 3 calls.", ())


async def test_secrets_are_struck_out_of_arguments(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-123")
    message = {"content": None, "tool_calls": [calling("book", '{"day": "sk-very-secret-123"}')]}
    response, _ = await asked(Act(raw=completion(message)))
    assert "secret" not in str(response)


async def test_functions_are_given_the_tools_and_return_calls():
    def agent(text, tools):
        return {
            "content": None,
            "tool_calls": [{"name": tools[0]["function"]["name"], "arguments": {"day": text[-4:-1]}}],
        }

    system = SYSTEMS["function"](target=agent)
    response = await system.ask(talk("Book me for Fri."))
    assert [str(call) for call in response.calls] == ['book(day="Fri")']
    with_default = SYSTEMS["function"](target=lambda text, tools=("hammer",): str(tools))
    no_tools = Conversation(messages=(Message(role="user", content="x"),), fields={"message": "x"})
    assert (await with_default.ask(no_tools)).text == "('hammer',)", "a default of its own stays"
