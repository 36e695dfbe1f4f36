"""Chatbots whose reply comes in pieces: server-sent events and JSON lines, as servers really send them."""

from __future__ import annotations

import asyncio
import codecs
import json

import pytest
from aiohttp import web

import mutatis
from mutatis.core.errors import AccessDenied, AnswerCutOff, Retryable, SystemFailure
from mutatis.core.system import Conversation, Message
from mutatis.query import Limits, QueryLayer, Store
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


def answer(http_bot, body, media="text/event-stream", **options):
    """Return what the query layer makes of a bot that sends this body to every question."""

    async def reply(request):
        payload = body if isinstance(body, bytes) else body.encode()
        return web.Response(body=payload, headers={"Content-Type": media} if media else {})

    async def asked(url):
        system = SYSTEMS["http"](url=url, **options)
        conversation = Conversation(messages=(Message(role="user", content="Hi"),), fields={"message": "Hi"})
        try:
            return await QueryLayer(system, Store(None), Limits(retries=0)).ask(conversation)
        finally:
            await system.close()

    with http_bot(reply) as url:
        return asyncio.run(asked(f"{url}/say"))


def ask(http_bot, body, media="text/event-stream", **options):
    return answer(http_bot, body, media, **options).text


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


PIECE = 'data: {"choices":[{"delta":{"content":"It is"},"finish_reason":null}]}\n\n'


@pytest.mark.parametrize(
    ("rest", "kind", "says"),
    [
        ("", Retryable, "broke off before its end mark, after the text 'It is'"),
        ('data: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\n', AnswerCutOff, "cut off at the token limit"),
        ('data: {"error":{"message":"no such tool"}}\n\n', SystemFailure, "ended with an error, .*no such tool"),
        ('data: {"error":{"message":"slow down","code":429}}\n\ndata: [DONE]\n\n', Retryable, "HTTP 429: slow down"),
        ('event: error\ndata: {"error":{"type":"overloaded_error"}}\n\n', Retryable, "HTTP 529"),
        ('data: {"error":{"message":"bad key","code":401}}\n\n', AccessDenied, "HTTP 401: bad key"),
    ],
)
def test_what_goes_wrong_in_a_stream_is_what_it_would_be_without(http_bot, rest, kind, says):
    with pytest.raises(SystemFailure, match=says) as failed:
        ask(http_bot, PIECE + rest)
    assert type(failed.value) is kind


@pytest.mark.parametrize("media", ["text/plain", "text/plain; charset=utf-8", "", "text/html", "text/markdown"])
@pytest.mark.parametrize(
    "said",
    [
        *(":) Hello", "id: 12345 is your order", '"quoted" said', "{hello} there", "[citation] hi", "[1] says so"),
        *("data: 5 GB are in it", "{", "{}: an empty set", "[1, 2]", "<3"),
        *('{"key": "value"} is how JSON looks', '[{"a": 1}] holds one object'),
    ],
)
def test_a_text_that_looks_like_something_else_is_a_text(http_bot, said, media):
    assert ask(http_bot, said, media) == said


@pytest.mark.parametrize("media", ["application/json", "text/plain", ""])
@pytest.mark.parametrize("said", ['{"reply": "It is', '{"reply": "It is"}\n{"reply": " op', '{"reply": "It is"}]'])
def test_half_an_object_is_no_text_whatever_it_is_called(http_bot, media, said):
    with pytest.raises(SystemFailure, match="not JSON"):
        ask(http_bot, said, media)


@pytest.mark.parametrize(
    ("payload", "media"),
    [
        (codecs.BOM_UTF8 + "Größe: 5 €".encode(), "text/plain"),
        ("Größe: 5 €".encode("utf-16"), "text/plain"),
        ("Größe: 5 €".encode("cp1252"), "text/plain; charset=windows-1252"),
        ("Größe: 5 €".encode("utf-16-le"), 'text/plain; charset="UTF-16LE"'),
        (codecs.BOM_UTF8 + '{"reply": "Größe: 5 €"}'.encode(), "application/json"),
        ('{"reply": "Größe: 5 €"}'.encode("cp1252"), "application/json; charset=cp1252"),
        ('{"reply": "Größe: 5 €"}'.encode("utf-16-be"), "application/json"),
        ('{"reply": "Größe: 5 €"}'.encode(), "application/json; charset=ISO-8859-1"),
        (codecs.BOM_UTF8 + "data: Größe: 5 €\n\n".encode(), "text/event-stream"),
        ("data: Größe: 5 €\n\n".encode("cp1252"), "text/event-stream; charset=cp1252"),
        ("Größe: 5 €".encode("cp1252"), "text/plain"),
        ("Größe: 5 €".encode("cp1252"), "text/plain; charset=utf-8"),
        ("Größe: 5 €".encode("cp1252"), "text/plain; charset=ISO-8859-1"),
        ('{"reply": "Größe: 5 €"}'.encode("cp1252"), "application/json"),
        ('{"reply": "Größe: 5 €"}'.encode("cp1252"), ""),
        ("data: Größe: 5 €\n\n".encode("cp1252"), "text/event-stream"),
        ("Größe: 5 €".encode(), "text/plain; charset=no-such"),
        ("Größe: 5 €".encode(), "text/plain; charset=punycode"),
    ],
)
def test_the_text_is_read_by_its_mark_or_by_the_charset_of_the_header(http_bot, payload, media):
    assert ask(http_bot, payload, media) == "Größe: 5 €"


@pytest.mark.parametrize(
    ("encoding", "media"),
    [
        *(("cp1252", "application/json"), ("cp1252", "")),
        *(("cp1252", "application/json; charset=windows-1252"), ("utf-8", "application/json; charset=ISO-8859-1")),
        *(("utf-8", "application/json; charset=utf-8"), ("utf-8-sig", "application/json"), ("utf-16", "")),
    ],
)
def test_an_openai_compatible_endpoint_is_read_alike(http_bot, encoding, media):
    body = '{"choices": [{"message": {"content": "Größe: 5 €"}, "finish_reason": "stop"}]}'

    async def reply(request):
        return web.Response(body=body.encode(encoding), headers={"Content-Type": media} if media else {})

    async def asked(url):
        system = SYSTEMS["openai"](model="m", base_url=url)
        try:
            return await system.ask(Conversation(messages=(Message(role="user", content="Hi"),), fields={}))
        finally:
            await system.close()

    with http_bot(reply) as url:
        assert asyncio.run(asked(url)).text == "Größe: 5 €"


def test_an_answer_that_says_it_is_an_error_is_one(http_bot):
    for body in (
        *('{"error": "timeout"}', '{"reply": "It is", "error": {"message": "timeout"}}'),
        '{"reply": "It is", "errorMessage": "timeout"}',
    ):
        with pytest.raises(SystemFailure, match=r"error .*timeout"):
            ask(http_bot, body, "application/json")
    assert ask(http_bot, '{"reply": "It is", "error": {"code": 0, "message": ""}}', "application/json") == "It is"


def test_an_answer_that_says_it_was_cut_off_is_not_taken_for_a_whole_one(http_bot):
    body = '{"choices": [{"message": {"content": "It is"}, "finish_reason": "length"}]}'
    for options in ({}, {"response": "choices[0].message.content"}):
        with pytest.raises(SystemFailure, match="cut off at the token limit"):
            ask(http_bot, body, "application/json", **options)


def test_a_graders_verdict_is_read_from_the_whole_stream(http_bot, tmp_path):
    """The first piece alone would be another verdict: "Answer A is vague. Answer B is better."."""

    async def judge(request):
        shown = (await request.json())["first"]
        worse, better = ("A", "B") if "granite" in shown else ("B", "A")
        pieces = [f"Answer {worse}", " is vague. Answer", f" {better} is better."]
        body = "".join(f"data: {json.dumps({'text': piece})}\n\n" for piece in pieces)
        return web.Response(text=body, headers={"Content-Type": "text/event-stream"})

    pairs = [
        {"instruction": "Name a metal.", "answer_a": f"Iron {n}.", "answer_b": f"A granite {n}."} for n in range(6)
    ]
    with http_bot(judge) as url:
        fields = {"first": "{answer_a}", "second": "{answer_b}"}
        system = mutatis.system("http", url=f"{url}/judge", request=fields)
        run = mutatis.run(system, mutatis.cases(pairs, task="pairwise-judge"), ["swap-answers"], out=tmp_path)
    [row] = [row for row in run.report.summary if row.relation == "swap-answers"]
    assert (row.satisfied, row.violated, row.error) == (6, 0, 0)
