"""LangGraph graphs (`langgraph`) as systems under test.

A graph is interrupted when a message calls tools, before the node that would run them.
"""

from __future__ import annotations

import uuid
from typing import Any

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Response
from mutatis.systems.agents import NOT_HERE, AgentOptions, Framework, Records, calls_wanted, final_answer
from mutatis.systems.registry import SYSTEMS


async def _step(graph: Any, messages: Records, tools: Records) -> Response:
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

    framework = Framework("langgraph", "langgraph", _step)
