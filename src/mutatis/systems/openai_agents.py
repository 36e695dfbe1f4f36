"""Agents of the OpenAI Agents SDK (`openai-agents`) as systems under test.

Handoffs are followed, but tools never run.
"""

from __future__ import annotations

from typing import Any

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Response
from mutatis.systems import agents as common
from mutatis.systems.registry import SYSTEMS


async def _step(agent: Any, messages: common.Records, tools: common.Records) -> Response:
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
                raise common.StepEndsError(common.calls_wanted(text, wanted))  # before the SDK runs the tools

        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            raise SystemFailure(f"{tool.name}: {common.NOT_HERE}")

    if tools:
        described = [(tool["name"], tool.get("description", ""), tool["parameters"]) for tool in tools]
        of_case = [FunctionTool(*parts, Hooks().on_tool_start, strict_json_schema=False) for parts in described]
        agent = agent.clone(tools=of_case, mcp_servers=[])
    holder = _holder([agent], messages)
    items = [item for message in messages for item in common.response_items(message)]
    try:  # without tracing, which would send data to a service
        result = await Runner.run(holder, items, hooks=Hooks(), run_config=RunConfig(tracing_disabled=True))
    except common.StepEndsError as step:
        return step.response
    return common.final_answer(result.final_output)


def _holder(agents: list[Any], messages: common.Records) -> Any:
    """Return the agent that made the last call. After a handoff, this is a different agent from the first."""
    last = [name for message in messages for name, _, _ in common.calls_in(message)][-1:]
    for agent in agents:  # the list grows while it is searched
        if any(tool.name in last for tool in agent.tools):
            return agent
        agents += [other for other in agent.handoffs if hasattr(other, "tools") and other not in agents]
    return agents[0]


@SYSTEMS.register("openai-agents")
class OpenAIAgentsOptions(common.AgentOptions):
    """An agent of the OpenAI Agents SDK. The agent's own tools never run: Mutatis answers the calls."""

    framework = common.Framework("openai-agents", "agents", _step)
