"""Agents of Pydantic AI (`pydantic-ai-slim`) as systems under test. Their tools never run.

Every tool waits for an approval that is never given.
"""

from __future__ import annotations

from typing import Any

from mutatis.core.system import Response
from mutatis.systems.agents import AgentOptions, Framework, Records, calls_in, calls_wanted, final_answer
from mutatis.systems.registry import SYSTEMS


async def _step(agent: Any, messages: Records, tools: Records) -> Response:
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
    """Return messages in the form of Pydantic AI, in which a tool's result also needs the name of the tool."""
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

    framework = Framework("pydantic-ai", "pydantic_ai", _step)
