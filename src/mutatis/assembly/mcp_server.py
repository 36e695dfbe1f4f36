"""Uses the tools of an MCP server (`[tools] mcp`) as material for cases and, optionally, calls them.

A server is a URL, or a command that communicates over standard input and output. Its descriptions of tools are treated
as data. A tool is assumed to change data unless it has the hint `readOnlyHint` (see `campaign/trajectory.py`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pydantic

from mutatis.config import Config
from mutatis.core.calls import TOOLS, Tool, read_tools, tools_in
from mutatis.core.cases import Case
from mutatis.core.errors import NotReached, SystemFailure, UsageError
from mutatis.core.extras import require
from mutatis.core.system import Response
from mutatis.core.task import TASKS
from mutatis.loops import to_the_end
from mutatis.query import Store
from mutatis.query.key import answer_key
from mutatis.secrets.environment import address_from_environment, arguments_from_environment, cleaned, without_values
from mutatis.text.visible import named, on_one_line

T = TypeVar("T")

_MOST_PAGES = 100
"""Maximum number of pages to read from a server's list of tools."""

_PATIENCE = 30.0
"""Maximum number of seconds to wait for one answer from a server."""

_OPTION = "[tools] mcp"

_KEPT = ("name", "description", "inputSchema", "annotations")


def with_tools(case: Case, tools: Sequence[Tool]) -> Case:
    """Return the case with these tools added, if its task involves calling tools and the case has none of its own."""
    if not tools or TASKS[case.task].kind != "calls" or tools_in(case.material):
        return case
    return replace(case, material={**case.material, TOOLS: json.dumps(list(tools), ensure_ascii=False)})


def listed_tools(server: str | Sequence[str], folder: Path | None = None) -> tuple[Tool, ...]:
    """Return the tools that a server lists, in OpenAI's form with MCP's hints.

    A server given as a command is started in `folder`.

    Raises:
        MissingExtra: the package `mcp` is not installed.
        UsageError: the server cannot be reached or lists no tools.
    """
    require("agents", "[tools] mcp", "mcp")
    entries = to_the_end(_listed(server, folder))
    if not entries:
        raise UsageError(f"[tools] mcp: {_name(server)} lists no tools")
    return read_tools(without_values([{name: entry[name] for name in _KEPT if name in entry} for entry in entries]))


def tools_of_run(config: Config, store: Store, *, offline: bool) -> tuple[Tool, ...]:
    """Return the tools listed by the server of `[tools] mcp`, or () without a server. The list is kept in the store.

    Raises:
        MissingExtra, UsageError: see `listed_tools`. UsageError is also raised if the run is `offline` and the store
            has no list.
    """
    server = None if config.tools is None else config.tools.mcp
    if server is None:
        return ()
    key = answer_key({"type": "mcp", "server": server, "folder": _place(server, config, store)}, (), repeat=0)
    if offline:
        stored = store.get(key)
        if stored is None:
            raise UsageError(
                f"[tools] mcp: the tools of {_name(server)} are not stored, and --offline starts no server; run once "
                "without --offline"
            )
        return read_tools(stored[0].data)
    tools = listed_tools(server, config.folder.absolute())
    store.put(key, _name(server), [Response(data=[dict(tool) for tool in tools])], time.time())
    return tools


def _place(server: str | Sequence[str], config: Config, store: Store) -> str:
    """Return the folder for starting a server command, or "" if the server is a URL.

    The path is relative to the store, so that both can be moved together.
    """
    if isinstance(server, str) or store.path is None:
        return ""
    try:
        return Path(os.path.relpath(config.folder, store.path.parent)).as_posix()
    except ValueError:  # on another drive, there is no relative path
        return config.folder.absolute().as_posix()


def started(server: str | Sequence[str]) -> str | list[str]:
    """Return the URL or command of a server with each `env:NAME` replaced by the value of that environment variable.

    Raises:
        UsageError: a variable is not set.
    """
    if isinstance(server, str):
        return address_from_environment(server, _OPTION)[0]
    return arguments_from_environment(server, _OPTION)


def _name(server: str | Sequence[str]) -> str:
    """Return the name of a server without its arguments, because these may contain a key."""
    return cleaned(server.partition("?")[0] if isinstance(server, str) else server[0])


@dataclass(slots=True)
class _Heard:
    """What a server sends besides valid messages: the first line that it prints, and an unreadable response.

    Printed lines are not counted, because the connection of a server that exits may be closed before all are read.
    """

    first: str = ""
    unreadable: asyncio.Future[str] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    async def __call__(self, message: object) -> None:
        """Record a message if it cannot be parsed, that is, a printed line or an unreadable response."""
        if not isinstance(message, pydantic.ValidationError):
            return
        [problem, *_] = message.errors(include_url=False, include_context=False)
        line = str(problem["input"])
        if not line.lstrip().startswith('{"jsonrpc"'):
            self.first = self.first or line.strip()
        elif not self.unreadable.done():
            self.unreadable.set_result(problem["msg"])

    async def answered(self, asking: Awaitable[T]) -> T:
        """Return the result of a request.

        Raises:
            SystemFailure: the server sent an unreadable response, so the request would never end.
        """
        request = asyncio.ensure_future(asking)
        try:
            either: list[asyncio.Future[Any]] = [request, self.unreadable]
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not request.done():
                raise SystemFailure(f"the server's answer cannot be read: {self.unreadable.result()}")
            return request.result()
        finally:
            request.cancel()

    def described(self, error: BaseException) -> str:
        """Return the reason why a server failed, including any lines that it printed instead of messages."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]  # the root cause
        reason = str(error) if isinstance(error, SystemFailure) else named(error, cleaned)
        if not self.first:
            return reason
        first = cleaned(on_one_line(self.first))[:80]
        return f"{reason}; it printed lines that are not messages, the first: {first!r}"


async def _listed(server: str | Sequence[str], folder: Path | None) -> list[Mapping[str, Any]]:
    entries: list[Mapping[str, Any]] = []
    cursor: str | None = None
    heard = _Heard()
    try:
        async with _client(server, folder, heard) as client:
            for _ in range(_MOST_PAGES):
                page = await heard.answered(client.list_tools(cursor=cursor))
                entries += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
                cursor = page.next_cursor
                if not cursor:
                    break
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"[tools] mcp: {_name(server)} did not list its tools: {heard.described(error)}") from None
    return entries


@asynccontextmanager
async def _client(server: str | Sequence[str], folder: Path | None, heard: _Heard) -> AsyncIterator[Any]:
    """Connect to a server, which is started first if it is a command. Its error output is discarded."""
    from mcp import Client, StdioServerParameters, stdio_client

    package = logging.getLogger("mcp")  # it logs a traceback for each line that a server prints; `heard` counts them
    if not package.handlers:
        package.addHandler(logging.NullHandler())
    place: Any = started(server)
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - no path to a file
        if not isinstance(place, str):
            parameters = StdioServerParameters(command=place[0], args=place[1:], cwd=folder)
            place = stdio_client(parameters, errlog=nowhere)
        async with Client(place, read_timeout_seconds=_PATIENCE, message_handler=heard) as client:
            yield client


async def tool_result(
    server: str | Sequence[str], name: str, arguments: Mapping[str, Any], folder: Path | None = None
) -> str:
    """Call a tool of a server and return its result as text. Each call opens a new connection.

    If the tool reports an error, the error text is returned as the result, because under the protocol the caller should
    see it and correct the call.

    Raises:
        NotReached: the server cannot be reached.
        SystemFailure: the call fails in a different way, or the server has no tool of that name.
    """
    called, heard = False, _Heard()
    try:
        async with _client(server, folder, heard) as client:
            called = True
            result = await heard.answered(client.call_tool(name, dict(arguments)))
    except UsageError:
        raise
    except Exception as error:
        kind, what = (SystemFailure, f"{name} failed") if called else (NotReached, "it cannot be reached")
        raise kind(f"[tools] mcp: {_name(server)}: {what}: {heard.described(error)}") from None
    texts = [getattr(block, "text", f"[{block.type}]") for block in result.content]
    if not texts and result.structured_content is not None:
        texts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return "\n".join(texts)
