"""A bot of one's own on loopback, in a thread: for tests that are not async."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.Response]]


@contextmanager
def _serving(handler: Handler) -> Iterator[str]:
    loop, started = asyncio.new_event_loop(), threading.Event()
    ended, addresses = asyncio.Event(), []

    async def run() -> None:
        app = web.Application()
        app.router.add_post("/{path:.*}", handler)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        addresses.append(runner.addresses[0][1])
        started.set()
        await ended.wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), daemon=True)
    thread.start()
    assert started.wait(600)
    try:
        yield f"http://127.0.0.1:{addresses[0]}"
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(600)
        loop.close()


@pytest.fixture
def http_bot() -> Callable[[Handler], AbstractContextManager[str]]:
    """Serves a handler for POST; gives the address."""
    return _serving
