"""A scripted OpenAI-compatible server on loopback, for tests and benchmarks.

In a test:        async with serve([Act(status=500), Act(text="fine")]) as server: ... server.url, server.requests
As a program:     python tests/support/server.py --delay 0.05 --answer digest
                  prints its address on the first line; GET /count tells what was asked; ends when its input closes

Each request takes the next act of the script; when the script is spent, the default act serves.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import math
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass(frozen=True, kw_only=True)
class Act:
    """What the server does with one request.

    Attributes:
        text: the answer; None takes the server's answer function, which may return an act.
        delay: seconds before anything is sent.
        silent: sends nothing before the server is `released`.
        status, retry_after, error: a refusal.
        cut: "before" drops the connection before the header, "inside" in the middle of the body.
        raw: sent as the body instead of a chat completion.
        finish: finish reason.
        size: pads the answer to so many characters.
    """

    text: str | None = None
    delay: float = 0.0
    silent: bool = False
    status: int = 200
    retry_after: str | None = None
    error: Any = None
    cut: str = ""
    raw: str | None = None
    finish: str = "stop"
    size: int = 0


def echo(body: dict[str, Any]) -> str:
    """Answer with the last message."""
    return str(body["messages"][-1]["content"])


def digest(body: dict[str, Any]) -> str:
    """Answer with a hash of the messages: another question, another answer."""
    return hashlib.sha256(json.dumps(body["messages"]).encode()).hexdigest()[:8]


def score(body: dict[str, Any]) -> str:
    """Answer with a number from 0 to 1 that depends on the messages."""
    return f"{int(digest(body), 16) % 101 / 100:.2f}"


def calling(name: str, arguments: str, call_id: str = "c1") -> dict[str, Any]:
    """Return a call as OpenAI's interface has it; an answer function may return a list of them."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


PATIENCE = 600
"""Seconds after which something hangs, however busy the machine is."""

ANSWERS: dict[str, Callable[[dict[str, Any]], str]] = {"echo": echo, "digest": digest, "score": score}


async def until(reached: Callable[[], object]) -> None:
    """Wait until something holds, as long as a busy machine takes."""
    async with asyncio.timeout(PATIENCE):
        while not reached():
            await asyncio.sleep(0.001)


@dataclass
class Server:
    """The server's script and what it has seen."""

    script: list[Act] = field(default_factory=list)
    default: Act = field(default_factory=Act)
    answer: Callable[[dict[str, Any]], Any] = digest
    url: str = ""
    requests: int = 0
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    distinct: set[str] = field(default_factory=set)
    in_flight: int = 0
    most_in_flight: int = 0
    keep: bool = True
    answered_until: float = math.inf
    released: asyncio.Event = field(default_factory=asyncio.Event)
    loop: asyncio.AbstractEventLoop | None = None

    def hold_after(self, answers: int) -> None:
        """Answer so many more requests and let the next ones wait until they are `released`; from any thread."""
        # An event of its own: the loop may set the one before only later, which would let these go at once.
        self.released = asyncio.Event()
        self.answered_until = self.requests + answers

    @property
    def holds(self) -> bool:
        """Whether a request waits for its release."""
        return self.requests > self.answered_until

    def release(self) -> None:
        """Let what is silent be answered; from any thread."""
        assert self.loop is not None, "the server does not run"
        self.answered_until = math.inf
        self.loop.call_soon_threadsafe(self.released.set)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one request by the next act."""
        payload = await request.read()
        self.requests += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self.distinct.add(hashlib.sha256(payload).hexdigest())
        body = json.loads(payload) if payload else {}
        if self.keep:
            self.bodies.append(body)
            self.headers.append(dict(request.headers))
        act = self.script.pop(0) if self.script else self.default
        try:
            if act.silent or self.holds:
                await self.released.wait()
            if act.delay:
                await asyncio.sleep(act.delay)
            return await self._act(act, request, body)
        finally:
            self.in_flight -= 1

    async def _act(self, act: Act, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        if act.cut == "before":
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if act.status != 200:
            headers = {"Retry-After": act.retry_after} if act.retry_after else {}
            return web.json_response(
                {"error": act.error or {"message": "scripted"}}, status=act.status, headers=headers
            )
        if act.raw is not None:
            return web.Response(text=act.raw, content_type="application/json")
        text = self.answer(body) if act.text is None else act.text
        if isinstance(text, Act):
            return await self._act(text, request, body)
        calls = text if isinstance(text, list) else []
        message = {"role": "assistant", "content": None if calls else str(text).ljust(act.size, "x")}
        if calls:
            message["tool_calls"] = calls
        completion = {
            "id": "c",
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": act.finish}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        }
        if act.cut == "inside":
            response = web.StreamResponse(headers={"Content-Length": "100000", "Content-Type": "application/json"})
            await response.prepare(request)
            await response.write(json.dumps(completion).encode())
            assert request.transport is not None
            request.transport.abort()
            return response
        return web.json_response(completion)

    async def count(self, _: web.Request) -> web.Response:
        """Tell how many requests came, and how many different ones."""
        seen = {"requests": self.requests, "distinct": len(self.distinct), "most_in_flight": self.most_in_flight}
        return web.json_response(seen)


def application(server: Server, extra: Sequence[web.RouteDef] = ()) -> web.Application:
    """Return the server as an aiohttp application."""
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/chat/completions", server.handle)
    app.router.add_get("/count", server.count)
    app.add_routes(extra)
    return app


@asynccontextmanager
async def serve(
    script: Sequence[Act] = (),
    *,
    default: Act | None = None,
    answer: Callable[[dict[str, Any]], Any] = digest,
    extra: Sequence[web.RouteDef] = (),
    port: int = 0,
) -> AsyncIterator[Server]:
    """Run a server inside a test; `server.url` is the base URL that ends in /v1."""
    server = Server(script=list(script), default=default or Act(), answer=answer, loop=asyncio.get_running_loop())
    runner = web.AppRunner(application(server, extra), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    host, number = runner.addresses[0][:2]
    server.url = f"http://{host}:{number}/v1"
    try:
        yield server
    finally:
        await runner.cleanup()


async def _main(arguments: argparse.Namespace) -> None:
    script = [Act(**act) for act in json.loads(arguments.script)]
    default = Act(delay=arguments.delay)
    async with serve(script, default=default, answer=ANSWERS[arguments.answer], port=arguments.port) as server:
        server.keep = False
        print(server.url, flush=True)
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def watch() -> None:
            sys.stdin.read()
            loop.call_soon_threadsafe(ended.set)

        threading.Thread(target=watch, daemon=True).start()
        await ended.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--answer", choices=sorted(ANSWERS), default="digest")
    parser.add_argument("--script", default="[]", help="JSON list of acts, served first")
    asyncio.run(_main(parser.parse_args()))
