"""`[tools]`: the user's function, or an MCP server, that answers tool calls of the systems under test."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from mutatis.assembly.mcp_server import tool_result
from mutatis.campaign.trajectory import ToolAnswers
from mutatis.config import Config, ToolsSection
from mutatis.core.errors import UsageError
from mutatis.core.system import System
from mutatis.query import Limits, QueryLayer, Store
from mutatis.secrets import text_from_environment
from mutatis.systems import SYSTEMS
from mutatis.systems.function import FunctionSystem

CALLED_BEFORE = (
    "this call may change something and was made before, but no result came back; check what it did, and to have it "
    "made again set [tools] writes_again = true or another revision"
)
"""Message about a call that an earlier run or question made without ever seeing a result."""


def tool_answers(config: Config, store: Store, layer: Callable[..., QueryLayer]) -> ToolAnswers:
    """Return the source of tool results: those recorded in the cases, and the function of `[tools]`, if any.

    `layer` creates the query layer of a system of this run (`Mode.layer`), which stores its answers in `store`.
    """
    section = config.tools
    if section is None:
        return ToolAnswers()
    live = deeds = stored = None
    system = _answering(config, section)
    if system is not None:
        limits = Limits(concurrency=config.concurrency)
        once = {} if section.writes_again else {"once": CALLED_BEFORE}
        live, deeds = layer(system, limits), layer(system, replace(limits, retries=0), **once)
        stored = QueryLayer(system, store, limits, offline=True)
    return ToolAnswers(
        live=live,
        deeds=deeds,
        stored=stored,
        reads=frozenset(section.reads),
        writes=frozenset(section.writes),
        consent=section.writes_again,
    )


def _answering(config: Config, section: ToolsSection) -> System | None:
    """Return the function or server that answers, as a system; None without one."""
    if section.answer == "mcp":
        return _server(section, config.folder.absolute())
    if section.answer is None:
        return None
    place, colon, name = section.answer.rpartition(":")
    target = f"{config.path(place).absolute()}:{name}" if place.endswith(".py") and colon else section.answer
    return _system(target, _revision(section))


def _revision(section: ToolsSection) -> str | None:
    return section.revision and text_from_environment(section.revision, "[tools] revision")


def _server(section: ToolsSection, folder: Path) -> System:
    """Wrap the MCP server as a system. Results are stored under its address or command."""
    server = section.mcp
    if server is None:
        raise UsageError('[tools] answer = "mcp" needs a server: mcp = "http://..." or mcp = ["COMMAND", "ARGUMENT"]')

    async def run(fields: Mapping[str, str]) -> str:
        return await tool_result(server, fields["name"], json.loads(fields["arguments"]), folder)

    revision = _revision(section) or hashlib.sha256(json.dumps(server).encode()).hexdigest()[:16]
    return SYSTEMS["function"](target=run, input="fields", label="tools", revision=revision)


def _system(answer: str, revision: str | None) -> System:
    """Wrap the function as a system, so that its results are stored. Its input is {"name", "arguments"}."""
    system = SYSTEMS["function"](target=answer, input="fields", label="tools", revision=revision)
    assert isinstance(system, FunctionSystem)
    called = system.function

    async def run(fields: Mapping[str, str]) -> str:
        call = {"name": fields["name"], "arguments": json.loads(fields["arguments"])}
        if inspect.iscoroutinefunction(called):
            result = await called(call)
        else:
            result = await asyncio.to_thread(called, call)
        return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)

    system.function = run
    return system
