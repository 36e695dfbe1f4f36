"""Common base for systems under test that are agents built with a framework.

Each step of an agent counts as one question. The agent gets the messages so far, including results of tools, and stops
when it calls tools or has its final answer. Its tools never run inside the framework. As for every system, its calls
are answered by `campaign/trajectory.py`, so that source and follow-up get the same results and tools that write are not
called again.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from pydantic_core import to_jsonable_python

from mutatis.core.errors import MissingExtra, UsageError, refuse_class
from mutatis.core.system import Response, System
from mutatis.options import Options
from mutatis.systems.function import FunctionSystem, imported, target_name
from mutatis.systems.threads import Threads
from mutatis.systems.versions import hash_of_file

Records: TypeAlias = Sequence[dict[str, Any]]
"""Messages in the usual chat format, or tools in OpenAI's format."""

Step: TypeAlias = Callable[[Any, Records, Records], Awaitable[Response]]
"""Function that asks an agent for one step.

Its arguments are the agent, the messages, and the tools of the case (none if the agent uses its own tools).
"""

NOT_HERE = "a tool was about to run inside the agent; its calls are answered outside it"


class StepEndsError(Exception):
    """Raised to end a framework's run when the model calls tools. `response` is the step that calls them."""

    def __init__(self, response: Response) -> None:
        super().__init__("the step is over")
        self.response = response


@dataclass(frozen=True, slots=True)
class Framework:
    """An agent framework.

    Attributes:
        kind: the system type of its agents.
        package: the package to import before asking.
        step: function that asks an agent for one step.
    """

    kind: str
    package: str
    step: Step


class AgentOptions(Options):
    """Options common to the agents of all frameworks.

    Attributes:
        target: the agent, as "my_agent.py:agent" or "package.module:agent", or in Python the object itself.
        revision: version of the agent; by default the hash of its file. It is required for an object.
        label: its name in reports.
    """

    framework: ClassVar[Framework]
    target: Any
    revision: str | None = None
    label: str | None = None

    def build(self) -> System:
        """Build the system. This imports the agent's file.

        Raises:
            MissingExtra: the framework is not installed.
            UsageError: the agent does not exist, or its version cannot be determined.
        """
        kind, package = self.framework.kind, self.framework.package
        if importlib.util.find_spec(package) is None:
            raise MissingExtra(f"system type {kind!r}", "agents")
        agent, revision, name = self.target, self.revision, kind
        if isinstance(agent, str):
            agent, name = imported(agent, f"{kind} system"), target_name(agent)
            revision = revision or hash_of_file(_source(self.target))
        refuse_class(f"{kind} system", agent)
        if not revision:
            raise UsageError(
                f'{kind} system: an object has no version; pass revision = "..." and change it whenever the '
                'agent changes, or name its file: target = "my_agent.py:agent"'
            )
        return FunctionSystem(
            label=self.label or f"{kind}:{name}",
            function=functools.partial(_stepped, self.framework.step, agent),
            input="messages",
            revision=revision,
            target=name,
            wants_history=False,
            wants_tools=True,
            needs_tools=True,
            threads=Threads(1),  # not used, since a step is a coroutine
            kind=kind,
        )


async def _stepped(step: Step, agent: Any, messages: Records, *, tools: Records) -> Response:
    return await step(agent, messages, [tool["function"] for tool in tools])


def _source(target: str) -> Path:
    """Return the file from which a target was imported."""
    place = target.rpartition(":")[0]
    specification = None if place.endswith(".py") else importlib.util.find_spec(place)
    return Path(place if specification is None else specification.origin or "").expanduser()


def calls_wanted(text: str, calls: Iterable[tuple[str, Any, str | None]]) -> Response:
    """Return a step in which the agent calls tools.

    The arguments are the accompanying text, and the name, arguments and id of each call.
    """
    records = [{"name": name, "arguments": arguments, "id": call_id} for name, arguments, call_id in calls]
    return Response(text=text, calls=records)  # type: ignore[arg-type]  # read as calls of any service


def final_answer(output: Any) -> Response:
    """Return an agent's final answer as text, or as data if its output has another type."""
    if output is None or isinstance(output, str):
        return Response(text=output or "")
    return Response(data=to_jsonable_python(output, fallback=str))


def calls_in(message: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the name, the arguments as JSON text, and the id of each tool call in a message."""
    calls = message.get("tool_calls") or ()
    return [(call["function"]["name"], call["function"]["arguments"], call["id"]) for call in calls]


def response_items(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a message as items for OpenAI's Responses API.

    >>> response_items({"role": "tool", "tool_call_id": "a", "content": "free"})
    [{'type': 'function_call_output', 'call_id': 'a', 'output': 'free'}]
    """
    if message["role"] == "tool":
        return [{"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}]
    items = [{"role": message["role"], "content": message["content"]}] if message["content"] else []
    form = ("type", "name", "arguments", "call_id")
    return items + [dict(zip(form, ("function_call", *call), strict=True)) for call in calls_in(message)]
