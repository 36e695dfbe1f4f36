"""What a server can send to break or fool the reader of a report: each costs one question, and nothing is obeyed."""

from __future__ import annotations

import asyncio
import gzip
import json
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from mutatis.core.errors import AccessDenied, Retryable, SystemFailure, UsageError
from mutatis.core.system import Conversation, Message
from mutatis.query import Limits, QueryLayer, Store
from mutatis.systems import SYSTEMS
from mutatis.systems.transport import LARGEST, retry_after
from support.server import Act, serve

ESCAPE = "\x1b]0;owned\x07\x1b[2J\u202e"


def talk(text: str = "hello") -> Conversation:
    return Conversation(messages=(Message(role="user", content=text),), fields={"question": text})


async def failure(system: Any) -> SystemFailure:
    with pytest.raises(SystemFailure) as failed:
        await QueryLayer(system, Store(None), Limits(retries=0)).ask(talk())
    await system.close()
    return failed.value


def completion(text: Any, reason: Any = "stop", **more: Any) -> str:
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": reason}], **more})


@pytest.mark.parametrize("reason", [["stop"], {"a": 1}, 3, None])
async def test_a_finish_reason_of_any_kind_is_an_answer(reason):
    async with serve([Act(raw=completion("fine", reason, usage={"prompt_tokens": 10**40}))]) as server:
        system = SYSTEMS["openai"](model="m", base_url=server.url)
        response = await QueryLayer(system, Store(None)).ask(talk())
        await system.close()
    assert (response.text, response.prompt_tokens) == ("fine", 0)


@pytest.mark.parametrize("wanted", ["Fri, 31 Dec 9999 23:59:59 -1200", "9" * 400, "1e5", "soon", "Infinity", "-3"])
async def test_a_retry_after_of_any_kind_is_a_passing_failure(wanted):
    assert (retry_after({"Retry-After": wanted}) or 0.0) >= 0.0
    assert retry_after({"retry-after-ms": "inf"}) is None
    async with serve([Act(status=429, retry_after=wanted)]) as server:
        assert isinstance(await failure(SYSTEMS["openai"](model="m", base_url=server.url)), Retryable)


@pytest.mark.parametrize("raw", ["[" * 100_000, '{"choices":' * 50_000, "9" * 10_000, '"\\ud800"', "NaN"])
async def test_json_of_any_kind_is_one_failure(raw):
    async with serve([Act(raw=raw)]) as server:
        assert "\n" not in str(await failure(SYSTEMS["openai"](model="m", base_url=server.url)))


async def test_a_lone_surrogate_in_an_address_and_a_line_end_in_a_header_are_told():
    async with serve() as server:
        system = SYSTEMS["http"](url=f"{server.url}/{{question}}", method="GET")
        with pytest.raises(SystemFailure, match="UnicodeEncodeError"):
            await QueryLayer(system, Store(None)).ask(talk("\ud800"))
        await system.close()
    for headers in ({"X-Team": "a\nb"}, {"X Team": "a"}, {"X-Team\n": "a"}):
        with pytest.raises(UsageError, match="header"):
            SYSTEMS["http"](url="http://127.0.0.1:1/x", headers=headers)


@pytest.mark.parametrize(
    "act",
    [
        Act(status=400, error={"message": f"bad {ESCAPE}"}),
        Act(status=401, error={"message": f"bad {ESCAPE}"}),
        Act(raw=f"no json {ESCAPE}"),
        Act(raw=json.dumps({ESCAPE: 1})),
        Act(raw=json.dumps({"error": ESCAPE})),
    ],
)
async def test_terminal_escapes_are_spelt_out(act):
    async with serve([act]) as server:
        said = str(await failure(SYSTEMS["openai"](model=f"m{ESCAPE}", base_url=server.url)))
    assert said.isprintable()
    assert "001b" in said.lower()


async def test_escapes_in_a_location_and_in_labels_are_spelt_out():
    async def moved(request: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": "http://x/\u202e\u200bmoc"})

    async with serve(extra=[web.post("/v2/x", moved)]) as server:
        system = SYSTEMS["http"](url=server.url.replace("/v1", "/v2/x"), label=f"bot{ESCAPE}")
        said = await failure(system)
    assert isinstance(said, AccessDenied)
    assert "U+202E" in str(said)
    assert str(said).isprintable()
    assert system.label.isprintable()
    assert SYSTEMS["openai"](model="m\x1b[2J").label.isprintable()


@pytest.mark.parametrize("way", ["plain", "chunked", "gzip"])
async def test_an_answer_above_ten_megabytes_is_a_failure_however_it_comes(way):
    body = completion("x" * (LARGEST + 1)).encode()

    async def answer(request: web.Request) -> web.StreamResponse:
        if way == "plain":
            return web.Response(body=body)
        response = web.StreamResponse(headers={"Content-Encoding": "gzip"} if way == "gzip" else {})
        await response.prepare(request)
        content = gzip.compress(body) if way == "gzip" else body
        for at in range(0, len(content), 100_000):
            await response.write(content[at : at + 100_000])
        return response

    async with serve(extra=[web.post("/v2/chat/completions", answer)]) as server:
        url = server.url.replace("/v1", "/v2")
        assert "larger than 10 MB" in str(await failure(SYSTEMS["openai"](model="m", base_url=url)))


@pytest.mark.parametrize("session", [None, True, {"a": 1}, [], ""])
async def test_a_session_that_is_none_is_told(session):
    async with serve([Act(raw=json.dumps({"session": session}))]) as server:
        url = f"{server.url}/chat/completions"
        system = SYSTEMS["http"](url=url, session_start={"url": url})
        with pytest.raises(SystemFailure, match="session"):
            await QueryLayer(system, Store(None)).ask_dialogue([talk()])
        await system.close()


async def test_what_a_function_raises_or_returns_is_told():
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def leave(text: str) -> str:
        sys.exit(0)

    def mute(text: str) -> str:
        raise Odd

    def escape(text: str) -> str:
        raise ValueError(ESCAPE)

    def huge(text: str) -> int:
        return 10**10_000

    async def leave_async(text: str) -> str:
        sys.exit(0)

    async def cancel(text: str) -> str:
        raise asyncio.CancelledError

    for function in (leave, mute, escape, huge, leave_async, cancel):
        said = str(await failure(SYSTEMS["function"](target=function)))
        assert said.isprintable()
        assert said


SLEEPER = """
import asyncio, sys, time
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Message
from mutatis.query import Limits, QueryLayer, Store
from mutatis.systems import SYSTEMS

def bot(text):
    if text != "fine":
        time.sleep(10**6)
    return text

async def main():
    system = SYSTEMS["function"](target=bot, threads=2)
    layer, patient = (QueryLayer(system, Store(None), Limits(retries=0, timeout=seconds)) for seconds in (0.2, 600.0))
    talk = lambda text: Conversation(messages=(Message(role="user", content=text),), fields={"text": text})
    for text in ("a", "b", "c"):
        try:
            await layer.ask(talk(text))
        except SystemFailure as error:
            print(error)
    print((await patient.ask(talk("fine"))).text)

asyncio.run(main())
"""


def test_a_function_that_hangs_costs_its_questions_and_the_process_ends():
    done = subprocess.run([sys.executable, "-c", SLEEPER], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.splitlines() == ["no answer within 0.2 s; raise the system's timeout"] * 3 + ["fine"]


async def test_a_store_is_nobody_elses(tmp_path, caplog):
    class Bot:
        label = "bot"

        def __init__(self) -> None:
            self.identity = {"type": "bot"}

        async def ask(self, conversation: Conversation) -> Any:
            from mutatis.core.system import Response

            return Response(text="fine")

    path = tmp_path / "store.db"
    with Store(path) as first:
        await QueryLayer(Bot(), first).ask(talk("a"))
        assert caplog.records == []
        assert {stat.S_IMODE(Path(file).stat().st_mode) for file in tmp_path.iterdir()} == {0o600}
