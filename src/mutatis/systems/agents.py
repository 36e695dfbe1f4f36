"""Agents built with a framework as systems under test: LangGraph, the OpenAI Agents SDK and Pydantic AI.

Each step of an agent counts as one question. The agent gets the messages so far, including results of tools, and stops
when it calls tools or has its final answer. As for every system, its calls are answered by `campaign/trajectory.py`, so
that source and follow-up get the same results and tools that write are not called again.

Tools never run inside the framework. A LangGraph graph is interrupted before the node that would run them. Hooks end
each step of the OpenAI Agents SDK, whose handoffs are followed. In Pydantic AI, every tool waits for an approval that
is never given.
"""

from __future__ import annotations

import functools
import importlib.util
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from pydantic_core import to_jsonable_python

from mutatis.core.errors import SystemFailure, UsageError, refuse_class
from mutatis.core.extras import require
from mutatis.core.system import Response, System
from mutatis.options import Options
from mutatis.systems.function import FunctionSystem, imported, target_name
from mutatis.systems.registry import SYSTEMS
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


class AgentOptions(Options):
    """Options common to the agents of all frameworks.

    Attributes:
        target: the agent, as "my_agent.py:agent" or "package.module:agent", or in Python the object itself.
        revision: version of the agent; by default the hash of its file. It is required for an object.
        label: its name in reports.
    """

    framework: ClassVar[tuple[str, str, Step]]
    """The system type, the package to import before asking, and the function that asks an agent for one step."""

    target: Any
    revision: str | None = None
    label: str | None = None

    def build(self) -> System:
        """Build the system. This imports the agent's file.

        Raises:
            MissingExtra: the framework is not installed.
            UsageError: the agent does not exist, or its version cannot be determined.
        """
        kind, package, step = self.framework
        require("agents", f"system type {kind!r}", package)
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
            function=functools.partial(_stepped, step, agent),
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
    """Return the file that a target was imported from."""
    place = target.rpartition(":")[0]
    specification = None if place.endswith(".py") else importlib.util.find_spec(place)
    return Path(place if specification is None else specification.origin or "").expanduser()


def calls_wanted(text: str, calls: Iterable[tuple[str, Any, str | None]]) -> Response:
    """Return a step of an agent that calls tools.

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


async def _langgraph_step(graph: Any, messages: Records, tools: Records) -> Response:
    """Run a graph, or the graph that a function makes from the tools of the case, until it calls tools or ends.

    Return the calls, or else the final answer: the structured response, if the graph has one, or the last message.

    Raises:
        SystemFailure: the graph would execute a tool itself.
    """
    from langchain_core.callbacks import AsyncCallbackHandler
    from langchain_core.messages import convert_to_messages

    class Guard(AsyncCallbackHandler):  # type: ignore[misc]
        raise_error = True

        async def on_tool_start(self, serialized: Any, input_str: str, **others: Any) -> None:
            raise SystemFailure(NOT_HERE)

    if not hasattr(graph, "astream"):  # a function that returns a graph
        graph = graph([{"type": "function", "function": tool} for tool in tools])
    sent = convert_to_messages([{**message, "content": message["content"] or ""} for message in messages])
    # A graph that stores threads gets a new one, since the messages contain the whole conversation.
    config = {"callbacks": [Guard()], "configurable": {"thread_id": str(uuid.uuid4())}}
    state: Any = {"messages": sent}
    async for state in graph.astream({"messages": sent}, config, stream_mode="values"):
        last = state["messages"][-1]
        calls = [*getattr(last, "tool_calls", ()), *getattr(last, "invalid_tool_calls", ())]
        if last.type == "ai" and calls:
            return calls_wanted(str(last.text), [(call["name"], call["args"], call["id"]) for call in calls])
    structured = state.get("structured_response")
    return final_answer(str(state["messages"][-1].text) if structured is None else structured)


@SYSTEMS.register("langgraph")
class LangGraphOptions(AgentOptions):
    """A compiled LangGraph graph with `messages` in its state, or a function of the tools that returns a graph.

    The tools never run inside the graph: Mutatis answers the calls. A graph has its own tools, while a function
    receives the tools of each case in OpenAI's format.
    """

    framework = ("langgraph", "langgraph", _langgraph_step)


async def _openai_step(agent: Any, messages: Records, tools: Records) -> Response:
    """Run an agent until its model calls tools or answers. The tools of the case, if any, replace the agent's own."""
    from agents import FunctionTool, Handoff, ItemHelpers, RunConfig, RunHooks, Runner

    class Hooks(RunHooks):  # type: ignore[misc]
        async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
            # A handoff is also a function call, but the SDK itself follows it.
            handoffs = {
                getattr(other, "tool_name", None) or Handoff.default_tool_name(other) for other in agent.handoffs
            }
            calls = [item for item in response.output if item.type == "function_call" and item.name not in handoffs]
            if calls:
                text = "".join(ItemHelpers.extract_text(item) or "" for item in response.output)
                wanted = [(call.name, call.arguments, call.call_id) for call in calls]
                raise StepEndsError(calls_wanted(text, wanted))  # before the SDK runs the tools

        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            raise SystemFailure(f"{tool.name}: {NOT_HERE}")

    async def never_run(context: Any, arguments: str) -> str:  # on_llm_end ends the step before
        raise SystemFailure(NOT_HERE)

    if tools:
        described = [(tool["name"], tool.get("description", ""), tool["parameters"]) for tool in tools]
        of_case = [FunctionTool(*parts, never_run, strict_json_schema=False) for parts in described]
        agent = agent.clone(tools=of_case, mcp_servers=[])
    items = [item for message in messages for item in response_items(message)]
    try:  # without tracing, which would send data to a service
        result = await Runner.run(
            _last_to_call([agent], messages), items, hooks=Hooks(), run_config=RunConfig(tracing_disabled=True)
        )
    except StepEndsError as step:
        return step.response
    return final_answer(result.final_output)


def _last_to_call(agents: list[Any], messages: Records) -> Any:
    """Return the agent that made the last call. After a handoff, this is a different agent from the first."""
    last = [name for message in messages for name, _, _ in calls_in(message)][-1:]
    for agent in agents:  # the list grows while it is searched
        if any(tool.name in last for tool in agent.tools):
            return agent
        agents += [other for other in agent.handoffs if hasattr(other, "tools") and other not in agents]
    return agents[0]


@SYSTEMS.register("openai-agents")
class OpenAIAgentsOptions(AgentOptions):
    """An agent of the OpenAI Agents SDK. The agent's own tools never run: Mutatis answers the calls."""

    framework = ("openai-agents", "agents", _openai_step)


async def _pydantic_step(agent: Any, messages: Records, tools: Records) -> Response:
    """Run an agent until it calls tools or answers. The tools of the case, if any, replace the agent's own."""
    from pydantic_ai import Agent, ExternalToolset, ToolDefinition
    from pydantic_ai.capabilities import ReinjectSystemPrompt

    tool_names: set[str] = set()

    def note_name(context: Any, tool: Any) -> bool:
        """Keep every tool. As a filter, this function sees the names of the tools when they are offered."""
        tool_names.add(tool.name)
        return True

    of_case = [
        ToolDefinition(
            name=tool["name"], parameters_json_schema=tool["parameters"], description=tool.get("description")
        )
        for tool in tools
    ]
    # A tool that needs approval, or lies outside, is not run: the agent stops at the call.
    toolsets = [ExternalToolset(of_case)] if tools else [toolset.approval_required() for toolset in agent.toolsets]
    with agent.override(toolsets=[toolset.filtered(note_name) for toolset in toolsets], tools=[]):
        # With a history, the agent's system prompt is left out unless it is inserted again.
        async with agent.iter(message_history=_history(messages), capabilities=[ReinjectSystemPrompt()]) as run:
            async for node in run:
                parts = node.model_response.parts if Agent.is_call_tools_node(node) else []
                # A structured output is also a call, but of no tool.
                calls = [part for part in parts if part.part_kind == "tool-call" and part.tool_name in tool_names]
                if calls:
                    text = "".join(part.content for part in parts if part.part_kind == "text")
                    return calls_wanted(text, [(call.tool_name, call.args, call.tool_call_id) for call in calls])
    return final_answer(run.result.output)


def _history(messages: Records) -> list[Any]:
    """Return messages in the form of Pydantic AI, where a tool's result also needs the name of the tool."""
    from pydantic_ai import messages as kinds

    names = {called: name for message in messages for name, _, called in calls_in(message)}
    history: list[Any] = []
    for message in messages:
        role, text, called = message["role"], message["content"] or "", message.get("tool_call_id", "")
        if role == "assistant":
            calls = [kinds.ToolCallPart(*call) for call in calls_in(message)]
            history.append(kinds.ModelResponse(parts=[*([kinds.TextPart(text)] if text else []), *calls]))
        elif role == "tool":
            history.append(kinds.ModelRequest(parts=[kinds.ToolReturnPart(names[called], text, called)]))
        else:
            kind = kinds.SystemPromptPart if role == "system" else kinds.UserPromptPart
            history.append(kinds.ModelRequest(parts=[kind(text)]))
    return history


@SYSTEMS.register("pydantic-ai")
class PydanticAIOptions(AgentOptions):
    """An agent of Pydantic AI. The agent's own tools never run: Mutatis answers the calls."""

    framework = ("pydantic-ai", "pydantic_ai", _pydantic_step)
