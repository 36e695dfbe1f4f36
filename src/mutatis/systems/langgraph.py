"""Graphs of LangGraph (`langgraph`), interrupted when a message wants tools, before the node that would run them."""

from __future__ import annotations

import uuid
from typing import Any

from mutatis.core.errors import SystemFailure
from mutatis.core.system import Response
from mutatis.systems.agents import NOT_HERE, AgentOptions, Framework, Records, calls_wanted, final_answer
from mutatis.systems.registry import SYSTEMS


async def _step(graph: Any, messages: Records, tools: Records) -> Response:
    from langchain_core.callbacks import AsyncCallbackHandler
    from langchain_core.messages import convert_to_messages

    class Guard(AsyncCallbackHandler):  # type: ignore[misc]
        raise_error = True

        async def on_tool_start(self, serialized: Any, input_str: str, **others: Any) -> None:
            raise SystemFailure(NOT_HERE)

    if not hasattr(graph, "astream"):
        graph = graph([{"type": "function", "function": tool} for tool in tools])
    sent = convert_to_messages([{**message, "content": message["content"] or ""} for message in messages])
    # A graph that keeps threads begins a new one: what is to be remembered stands in the messages.
    config = {"callbacks": [Guard()], "configurable": {"thread_id": str(uuid.uuid4())}}
    state: Any = {"messages": sent}
    async for state in graph.astream({"messages": sent}, config, stream_mode="values"):
        last = state["messages"][-1]
        wanted = [*getattr(last, "tool_calls", ()), *getattr(last, "invalid_tool_calls", ())]
        if last.type == "ai" and wanted:
            return calls_wanted(str(last.text), [(call["name"], call["args"], call["id"]) for call in wanted])
    structured = state.get("structured_response")
    return final_answer(str(state["messages"][-1].text) if structured is None else structured)


@SYSTEMS.register("langgraph")
class LangGraphOptions(AgentOptions):
    """A compiled graph of LangGraph with `messages` in its state, or a function that takes tools and returns one.

    Its tools never run inside it: Mutatis answers its calls. A graph calls its own tools. A function gets the case's
    tools, in OpenAI's form.
    """

    framework = Framework("langgraph", "langgraph", _step)
