"""Chatbots whose reply comes in pieces: server-sent events and JSON lines, as servers really send them."""

from __future__ import annotations

import pytest
from aiohttp import web

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Message
from mutatis.systems import SYSTEMS

OPENAI = """\
data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"content":"It is"},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"content":" open."},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

"""
ANTHROPIC = """\
event: message_start
data: {"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}

event: ping
data: {"type":"ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"It is"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" open."}}

event: message_stop
data: {"type":"message_stop"}

"""
OLLAMA = (
    '{"message":{"role":"assistant","content":"It is"},"done":false}\n{"message":{"content":" open."},"done":true}\n'
)
TEXT = "data: It is\n\n: keep-alive\n\ndata:  open.\n\n"
WINDOWS = TEXT.replace("\n", "\r\n")
GROWING = 'data: {"text": "It"}\n\ndata: {"text": "It is"}\n\ndata: {"text": "It is open."}\n\n'
OWN = 'data: {"payload": {"bit": "It is"}}\n\ndata: {"status": "busy"}\n\ndata: {"payload": {"bit": " open."}}\n\n'


def ask(http_bot, body, **options):
    import asyncio

    async def reply(request):
        return web.Response(text=body, content_type="text/event-stream")

    async def asked(url):
        system = SYSTEMS["http"](url=url, **options)
        conversation = Conversation(messages=(Message(role="user", content="Hi"),), fields={"message": "Hi"})
        try:
            return (await system.ask(conversation)).text
        finally:
            await system.close()

    with http_bot(reply) as url:
        return asyncio.run(asked(f"{url}/say"))


@pytest.mark.parametrize("body", [OPENAI, ANTHROPIC, OLLAMA, TEXT, WINDOWS, GROWING], ids=range(6))
def test_the_pieces_are_one_reply(http_bot, body):
    assert ask(http_bot, body) == "It is open."


def test_the_place_of_the_pieces_can_be_said(http_bot):
    assert ask(http_bot, OWN, response="payload.bit") == "It is open."


def test_a_stream_without_text_is_told(http_bot):
    with pytest.raises(SystemFailure, match=r"a stream of 1 events, no text; last: .*overloaded"):
        ask(http_bot, 'data: {"error": {"kind": "overloaded"}}\n\n')
    with pytest.raises(SystemFailure, match=r"no text at 'payload\.text'"):
        ask(http_bot, OWN, response="payload.text")


def test_one_json_object_is_no_stream(http_bot):
    assert ask(http_bot, '{\n"reply": "It is open."\n}') == "It is open."
