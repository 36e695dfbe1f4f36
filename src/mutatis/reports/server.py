"""Serves the reports in a folder on loopback, live during a run, and lets people label findings.

It listens on 127.0.0.1 only and accepts no other host name, so that no foreign page can reach it by DNS rebinding. Runs
are addressed by number, never by path. A label is accepted only with the token contained in the server's own pages.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pydantic
from aiohttp import web

from mutatis.core.errors import UsageError
from mutatis.records.files import REPORT_FILE, VERDICTS_FILE, growth_of, ids_of, read_report, read_verdicts
from mutatis.records.labels import LABELS_FILE, Label, read_labels, write_label
from mutatis.records.report import Report
from mutatis.reports.grid import render_grid
from mutatis.reports.html import Served, render_html, render_runs
from mutatis.reports.numbers import line
from mutatis.reports.partial import Follower, begun, goes_on, growing

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]

HOST = "127.0.0.1"
LONGEST = 64 * 1024
"""Maximum size of a request, in bytes."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class _LabelRequest(pydantic.BaseModel):
    """The data that a page sends to label a finding."""

    model_config = pydantic.ConfigDict(extra="forbid")

    finding: str
    label: Label


@dataclass(slots=True)
class _Run:
    """A run with its current report and the page rendered for it, which is cached until something changes."""

    folder: Path
    _report: Report | None = None
    _report_version: str = ""
    _page: str = ""
    _page_version: str = ""
    _follower: Follower | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def version(self) -> str:
        """Return a value that changes whenever there is something new to display. Labels do not change it."""
        return _stamp(growing(self.folder) or self.folder / REPORT_FILE)

    def report(self) -> Report:
        """Return the report, or a partial report while the run is in progress."""
        version = self.version()
        if self._report is None or self._report_version != version:
            self._report, self._report_version = self._read_report(), version
        return self._report

    def _read_report(self) -> Report:
        file = growing(self.folder) or (growth_of(self.folder) if begun(self.folder) else None)
        if file is None:  # the run has finished
            self._follower = None
            return read_report(self.folder)
        if self._follower is None or self._follower.file != file:
            self._follower = Follower(file)
        self._follower.read()
        return self._follower.report()

    def state(self) -> dict[str, Any]:
        """Return the state of the run. The run's page polls this."""
        live = goes_on(self.folder)
        report = self.report()
        judged, violated = sum(row.judged for row in report.summary), sum(row.violated for row in report.summary)
        return {"version": self.version(), "live": live, "judged": judged, "violated": violated}

    async def page(self, token: str, several: bool) -> str:
        """Return the page. It is rendered in a thread, and only once for all waiting requests."""
        async with self._lock:
            return await asyncio.to_thread(self._rendered, token, several)

    def _rendered(self, token: str, several: bool) -> str:
        version = self.version()
        page_version = f"{version} {_stamp(self.folder / LABELS_FILE)}"
        if self._page_version != page_version:
            served = Served(token=token, version=version, live=goes_on(self.folder), several=several)
            self._page = render_html(self.report(), labels=read_labels(self.folder), served=served)
            self._page_version = page_version
        return self._page

    def asked(self) -> str:
        """Return the page with all questions and answers.

        Raises:
            UsageError: the run is still in progress.
        """
        if not (self.folder / VERDICTS_FILE).is_file():
            raise UsageError("the questions can be viewed when the run has finished; reload this page then")
        return render_grid(self.report(), read_verdicts(self.folder), back="./")


def _stamp(file: Path) -> str:
    """Return a value that changes whenever a file does."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return "none"
    return f"{file.name}-{status.st_mtime_ns}-{status.st_size}"


class Viewer:
    """Web application with a list of runs, a page and a state for each run, and an endpoint for labels."""

    def __init__(self, folders: Sequence[Path]) -> None:
        if not folders:
            raise UsageError("no run to view; start a run with `mutatis run`, or give the --out folder of a run")
        self._runs = [_Run(folder) for folder in folders]
        self._token = secrets.token_urlsafe(24)
        self._port = 0

    async def start(self, port: int = 0) -> web.AppRunner:
        """Start listening on loopback, and set `address`."""
        guarded = web.middleware(partial(self._guarded))  # it marks what it gets, and a method cannot be marked
        app = web.Application(client_max_size=LONGEST, middlewares=[guarded])
        app.router.add_get("/", self._list)
        app.router.add_get(r"/run/{number:\d{1,6}}/", self._show)
        app.router.add_get(r"/run/{number:\d{1,6}}/asked", self._asked)
        app.router.add_get(r"/run/{number:\d{1,6}}/state", self._state)
        app.router.add_post(r"/run/{number:\d{1,6}}/label", self._label)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError as error:
            await runner.cleanup()
            raise UsageError(f"--port {port}: {error.strerror}; leave out --port to use a free port") from None
        self._port = runner.addresses[0][1]
        return runner

    @property
    def address(self) -> str:
        """Address for viewing the runs."""
        return f"http://{HOST}:{self._port}/"

    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Reject requests for any other host name, and forbid framing, caching and content sniffing."""
        if request.host not in (f"{HOST}:{self._port}", f"localhost:{self._port}"):
            raise web.HTTPForbidden(text="this server answers on loopback only")
        try:
            response = await handler(request)
        except UsageError as error:
            response = web.Response(status=409, text=line(error))
        except FileNotFoundError:
            response = web.Response(status=404, text="the folder of this run no longer exists")
        response.headers.update(HEADERS)
        return response

    def _run(self, request: web.Request) -> _Run:
        number = int(request.match_info["number"])
        if number >= len(self._runs):
            raise web.HTTPNotFound(text="there is no such run")
        return self._runs[number]

    async def _list(self, _: web.Request) -> web.StreamResponse:
        if len(self._runs) == 1:
            raise web.HTTPFound("/run/0/")
        rows = [(line(run.folder.name), line(run.folder), goes_on(run.folder)) for run in self._runs]
        return web.Response(text=render_runs(rows), content_type="text/html")

    async def _show(self, request: web.Request) -> web.StreamResponse:
        text = await self._run(request).page(self._token, len(self._runs) > 1)
        return web.Response(text=text, content_type="text/html")

    async def _asked(self, request: web.Request) -> web.StreamResponse:
        text = await asyncio.to_thread(self._run(request).asked)
        return web.Response(text=text, content_type="text/html")

    async def _state(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(await asyncio.to_thread(self._run(request).state))

    async def _label(self, request: web.Request) -> web.StreamResponse:
        """Store a label that one of this server's own pages sent as JSON with its token."""
        same_origin = request.headers.get("Origin", "") == f"http://{request.host}"
        known = secrets.compare_digest(request.headers.get("X-Mutatis-Token", "").encode(), self._token.encode())
        if not same_origin or not known or request.content_type != "application/json":
            raise web.HTTPForbidden(text="labels are accepted only from the pages of this server; reload the page")
        try:
            sent = _LabelRequest.model_validate_json(await request.read())
        except pydantic.ValidationError as error:
            raise web.HTTPBadRequest(text=line(error.errors(include_url=False)[0]["msg"])) from None
        run = self._run(request)
        if sent.finding not in await asyncio.to_thread(lambda: ids_of(run.report().all_findings)):
            raise web.HTTPNotFound(text="this run has no such finding")
        labels = write_label(run.folder, sent.finding, sent.label)
        return web.json_response({"says": labels[sent.finding].says if sent.finding in labels else ""})
