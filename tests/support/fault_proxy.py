"""A proxy on loopback in front of a real server: hands requests through, but for those that a script spoils.

with faulty(server.url, [Act(status=429, retry_after="0")]) as proxy: ... proxy.url, proxy.statuses
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

from support.server import Act

_NOT_HANDED_ON = {"host", "content-length", "transfer-encoding", "connection"}


@dataclass
class FaultProxy:
    """The proxy's script, and the status of each answer that it sent; 0 where it cut the connection."""

    target: str
    script: list[Act] = field(default_factory=list)
    url: str = ""
    statuses: list[int] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Spoil one request by the next act of the script, or hand it through."""
        act = self.script.pop(0) if self.script else Act()
        payload = await request.read()
        if act.status != 200:
            self.statuses.append(act.status)
            headers = {"Retry-After": act.retry_after} if act.retry_after else {}
            return web.json_response({"error": {"message": "spoilt"}}, status=act.status, headers=headers)
        assert request.transport is not None
        if act.cut == "before":
            self.statuses.append(0)
            request.transport.abort()
            return web.Response()
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _NOT_HANDED_ON}
        address = self.target.removesuffix("/v1") + request.path_qs
        timeout = aiohttp.ClientTimeout(total=None)
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.request(request.method, address, data=payload, headers=headers) as answer,
        ):
            response = web.StreamResponse(
                status=answer.status, headers={"Content-Type": answer.headers.get("Content-Type", "text/plain")}
            )
            if act.cut == "inside":  # as long as it never gets
                response.content_length = 10_000_000
            await response.prepare(request)
            async for piece in answer.content.iter_any():
                await response.write(piece[: max(1, len(piece) // 2)] if act.cut == "inside" else piece)
                if act.cut == "inside":
                    self.statuses.append(0)
                    request.transport.abort()
                    return response
            self.statuses.append(answer.status)
            await response.write_eof()
            return response


@contextmanager
def faulty(target: str, script: Sequence[Act] = ()) -> Iterator[FaultProxy]:
    """Run a proxy in front of `target`, a base URL that ends in /v1, in a thread."""
    proxy = FaultProxy(target=target, script=list(script))
    loop, started, ended = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def run() -> None:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_route("*", "/{path:.*}", proxy.handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        proxy.url = f"http://{host}:{port}/v1"
        started.set()
        await ended.wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    assert started.wait(600), "the proxy did not start"
    try:
        yield proxy
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(600)
        loop.close()
