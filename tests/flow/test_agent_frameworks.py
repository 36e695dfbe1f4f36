"""Agents of frameworks, the real packages with scripted models: trajectories, one world, and tools that never run."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from typing import Any

import pydantic
import pytest

import mutatis
from mutatis.core.calls import ToolCall, read_tools
from mutatis.core.errors import MissingExtra, UsageError
from mutatis.core.relation import RELATIONS
from mutatis.core.system import Conversation, Message
from mutatis.testing import sync

PACKAGES = {"openai-agents": "agents", "langgraph": "langgraph", "pydantic-ai": "pydantic_ai"}
SCHEMA = {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}
TOOLS = [
    {"name": "look", "description": "See what is free.", "parameters": SCHEMA, "annotations": {"readOnlyHint": True}},
    {"name": "book", "description": "Reserve a seat.", "parameters": SCHEMA},
]
MESSAGE = "Reserve a seat for Friday."
Called = tuple[str, str]
"""Name and arguments, as JSON text, of a call that a scripted model makes."""


def installed(kind):
    return importlib.util.find_spec(PACKAGES[kind]) is not None


KINDS = [
    pytest.param(
        kind, marks=pytest.mark.skipif(not installed(kind), reason=f"needs {kind}: pip install 'mutatis[agents]'")
    )
    for kind in PACKAGES
]


def looks_then_books(said: str, results: list[str]) -> Called | str:
    """Look first, book then, and say what that gave; who is asked politely books another day."""
    if len(results) == 2:
        return f"Done: {' / '.join(results)}"
    day = "Friday" if said == MESSAGE or not results else "Saturday"
    return ("look", "book")[len(results)], json.dumps({"day": day})


Script = Callable[[str, list[str]], Called | str]


def must_not_run(day: str) -> str:
    """See what is free."""
    raise AssertionError("a tool ran inside the agent")


def openai_agent(script: Script, seen: list[Any]) -> Any:
    from agents import Agent, Model, ModelResponse, Usage, function_tool
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    class Scripted(Model):
        async def get_response(self, system_instructions, input, model_settings, tools, *others, **more):
            seen.append((system_instructions, sorted(tool.name for tool in tools)))
            said = next(item["content"] for item in input if item.get("role") == "user")
            done = [item for item in input if item.get("type") == "function_call_output"]
            step = script(said, [item["output"] for item in done if "transfer" not in item["call_id"]])
            if isinstance(step, str):
                text = ResponseOutputText(type="output_text", text=step, annotations=[])
                output = ResponseOutputMessage(
                    id="m", type="message", role="assistant", status="completed", content=[text]
                )
            else:
                output = ResponseFunctionToolCall(
                    type="function_call", call_id=f"call_{step[0]}", name=step[0], arguments=step[1]
                )
            return ModelResponse(output=[output], usage=Usage(), response_id=None)

        def stream_response(self, *others, **more):
            raise NotImplementedError

    tools = [function_tool(must_not_run, name_override=name) for name in ("look", "book")]
    return Agent(name="clerk", instructions="Be brief.", tools=tools, model=Scripted())


def pydantic_agent(script: Script, seen: list[Any]) -> Any:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    def model(messages, info):
        parts = [part for message in messages for part in message.parts]
        system = [part.content for part in parts if part.part_kind == "system-prompt"]
        seen.append((" ".join(system), sorted(tool.name for tool in info.function_tools)))
        said = next(part.content for part in parts if part.part_kind == "user-prompt")
        step = script(said, [part.content for part in parts if part.part_kind == "tool-return"])
        return ModelResponse(parts=[TextPart(step) if isinstance(step, str) else ToolCallPart(*step)])

    agent = Agent(FunctionModel(model), system_prompt="Be brief.")
    agent.tool_plain(name="look")(must_not_run)
    return agent


def langgraph_agent(script: Script, seen: list[Any], tools: list[Any] | None = None) -> Any:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, SystemMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langchain_core.tools import StructuredTool
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    offered = [tool["function"]["name"] for tool in tools or []] or ["look"]

    class Scripted(BaseChatModel):
        def _generate(self, messages, stop=None, run_manager=None, **others):
            seen.append((messages[0].content, sorted(offered)))
            said = next(message.content for message in messages if message.type == "human")
            step = script(said, [message.content for message in messages if message.type == "tool"])
            called = {"name": step[0], "args": step[1], "id": "c"}
            try:
                calls = {} if isinstance(step, str) else {"tool_calls": [{**called, "args": json.loads(step[1])}]}
            except json.JSONDecodeError:
                calls = {"invalid_tool_calls": [{**called, "error": "no JSON", "type": "invalid_tool_call"}]}
            made = AIMessage(content=step if isinstance(step, str) else "", **calls)
            return ChatResult(generations=[ChatGeneration(message=made)])

        @property
        def _llm_type(self):
            return "scripted"

    model = Scripted()

    async def think(state):
        return {"messages": [await model.ainvoke([SystemMessage("Be brief."), *state["messages"]])]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", think)
    kept = [StructuredTool.from_function(must_not_run, name=name) for name in offered]
    graph.add_node("tools", ToolNode(kept, handle_tool_errors=True))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", lambda state: "tools" if state["messages"][-1].tool_calls else END)
    graph.add_edge("tools", "model")
    return graph.compile()


MAKERS = {"openai-agents": openai_agent, "langgraph": langgraph_agent, "pydantic-ai": pydantic_agent}


def agent_of(kind, script, seen=None, *, takes_tools=False):
    seen = [] if seen is None else seen
    if kind == "langgraph" and takes_tools:
        return lambda tools: langgraph_agent(script, seen, tools)
    return MAKERS[kind](script, seen)


def relation():
    if "asked-kindly" not in RELATIONS:
        mutatis.relation("asked-kindly", transformations=["polite-words"], tasks=["tool-call"])
    return RELATIONS["asked-kindly"]


def campaign(system, case, folder, **settings):
    """Run it and return the line of its verdict."""
    cases = mutatis.cases([{"message": MESSAGE, "tools": TOOLS, **case}], task="tool-call")
    mutatis.run(system, cases, [relation()], out=folder, settings={"noise_floor": 0, **settings})
    lines = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text("utf-8").splitlines()]
    return next(line for line in lines if line["relation"] == "asked-kindly")


def calls_of(answer):
    return [(call["name"], call["arguments"].get("day"), call.get("result")) for call in answer["calls"]]


RESULTS = [{"name": "look", "result": "3 seats"}, {"name": "book", "arguments": {"day": "Friday"}, "result": "seat 7"}]


@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_gives_its_answer_and_the_way_to_it(kind, tmp_path):
    seen: list[Any] = []
    agent = agent_of(kind, looks_then_books, seen, takes_tools=True)
    system = mutatis.system(kind, target=agent, revision="1")
    line = campaign(system, {"tool_results": RESULTS}, tmp_path)
    assert line["outcome"] == "violated", line["reason"]
    assert calls_of(line["source_output"]) == [("look", "Friday", "3 seats"), ("book", "Friday", "seat 7")]
    assert line["source_output"]["text"] == "Done: 3 seats / seat 7"
    assert calls_of(line["followups"][0]["output"])[-1] == ("book", "Saturday", None), "nobody recorded that"
    assert set(map(str, seen)) == {"('Be brief.', ['book', 'look'])"}, "the tools of the case, and its own instructions"
    assert line["system"] == f"{kind}:{kind}"


TOOL_FILE = """
def answer(call):
    with open({log!r}, "a") as log:
        log.write(call["name"] + " " + call["arguments"]["day"] + "\\n")
    return {{"ok": call["arguments"]["day"]}}
"""


@pytest.mark.parametrize("kind", KINDS)
def test_what_writes_is_called_for_the_source_alone_and_once(kind, tmp_path):
    log = tmp_path / "log.txt"
    (tmp_path / "my_tools.py").write_text(TOOL_FILE.format(log=str(log)))
    for _ in range(2):  # the second run is a replay of the first
        system = mutatis.system(kind, target=agent_of(kind, looks_then_books, takes_tools=True), revision="1")
        tools = {"answer": f"{tmp_path / 'my_tools.py'}:answer"}
        line = campaign(system, {}, tmp_path / "run", tools=tools, confirm=1)
        assert calls_of(line["source_output"])[-1] == ("book", "Friday", '{"ok": "Friday"}')
        assert calls_of(line["followups"][0]["output"])[-1] == ("book", "Saturday", None)
        assert sorted(log.read_text().splitlines()) == ["book Friday", "look Friday"]


@pytest.mark.parametrize("kind", KINDS)
def test_arguments_that_are_no_json_are_an_error_that_says_so(kind, tmp_path):
    system = mutatis.system(
        kind, target=agent_of(kind, lambda said, results: ("look", '{"day": ')), revision="1", label="clerk"
    )
    line = campaign(system, {}, tmp_path)
    assert line["outcome"] == "error"
    assert "the arguments of the call look are not a JSON object" in line["reason"]
    assert line["system"] == "clerk"


@pytest.mark.skipif(not installed("openai-agents"), reason="needs openai-agents: pip install 'mutatis[agents]'")
def test_who_took_over_goes_on(tmp_path):
    """A handoff is followed inside the SDK, and the agent that called a tool is the one that gets its result."""
    seen: list[Any] = []
    clerk = openai_agent(looks_then_books, seen)
    first = openai_agent(lambda said, results: ("transfer_to_clerk", "{}"), seen)
    first.name, first.handoffs, first.tools, first.instructions = "porter", [clerk], [], "Hand over."
    system = mutatis.system("openai-agents", target=first, revision="1")
    response = sync(system.ask(conversation([])))
    assert [str(call) for call in response.calls] == ['look(day="Friday")']
    done = conversation([], ("look", '{"day": "Friday"}', "3 seats"))
    assert [str(call) for call in sync(system.ask(done)).calls] == ['book(day="Friday")']
    assert [instructions for instructions, _ in seen] == ["Hand over.", "Be brief.", "Be brief."]


def conversation(tools, *done):
    messages = [Message(role="user", content=MESSAGE)]
    for number, (name, arguments, result) in enumerate(done):
        call = ToolCall(name=name, arguments=json.loads(arguments), id=f"step_{number}")
        messages.append(Message(role="assistant", content="", calls=(call,)))
        messages.append(Message(role="tool", content=result, call_id=call.id))
    return Conversation(messages=tuple(messages), tools=read_tools(tools))


@pytest.mark.skipif(not installed("pydantic-ai"), reason="needs pydantic-ai: pip install 'mutatis[agents]'")
def test_an_output_with_a_type_is_data_and_no_call():
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    class Seats(pydantic.BaseModel):
        seats: int

    agent = Agent(TestModel(custom_output_args={"seats": 3}), output_type=Seats)
    system = mutatis.system("pydantic-ai", target=agent, revision="1")
    response = sync(system.ask(conversation([])))
    assert (response.data, response.calls) == ({"seats": 3}, ())


AGENT_FILE = """
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel
agent = Agent(TestModel(custom_output_text="{text}"))
"""


@pytest.mark.skipif(not installed("pydantic-ai"), reason="needs pydantic-ai: pip install 'mutatis[agents]'")
def test_an_agent_in_a_file_goes_by_its_file_and_an_object_by_a_word(tmp_path):
    file = tmp_path / "my_agent.py"
    versions = []
    for text in ("One.", "Another."):
        file.write_text(AGENT_FILE.format(text=text))
        system = mutatis.system("pydantic-ai", target=f"{file}:agent")
        assert sync(system.ask(conversation([]))).text == text
        versions.append(system.identity["revision"])
    assert system.label == "pydantic-ai:my_agent.py:agent"
    assert len(set(versions)) == 2
    with pytest.raises(UsageError, match=r"object has no version; pass revision"):
        mutatis.system("pydantic-ai", target=pydantic_agent(looks_then_books, []))


@pytest.mark.parametrize("kind", PACKAGES)
def test_without_the_package_one_line_says_what_to_install(kind, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: None)
    with pytest.raises(MissingExtra, match=r"pip install 'mutatis\[agents\]'"):
        mutatis.system(kind, target="my_agent.py:agent")
