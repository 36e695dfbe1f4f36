"""Calls that may change something are never made twice, whatever became of the first one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mutatis
from mutatis.campaign.trajectory import ToolAnswers
from mutatis.core.calls import ToolCall, known_call, tools_in
from mutatis.core.relation import RELATIONS
from mutatis.core.system import Response
from mutatis.testing import ScriptedSystem
from mutatis.transformations.tools import rename_tools

SCHEMA = {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}
TOOLS = [
    {"name": "look", "description": "See what is free.", "parameters": SCHEMA, "annotations": {"readOnlyHint": True}},
    {"name": "book", "description": "Reserve a seat.", "parameters": SCHEMA},
]
MESSAGE = "Reserve a seat for Friday."
TOOL_FILE = """
def answer(call):
    with open({log!r}, "a") as log:
        log.write(call["name"] + " " + call["arguments"].get("day", "?") + "\\n")
    {rest}
"""


def politely():
    if "politely" not in RELATIONS:
        mutatis.relation("politely", transformations=["polite-words"], tasks=["tool-call"])
    return RELATIONS["politely"]


@pytest.fixture
def campaign(tmp_path):
    """Run an agent on one message, its calls answered by a function; return the first verdict and what was called."""
    log = tmp_path / "log.txt"

    def run(agent, relation=None, rest='return "seat 7"', before=(), **settings):
        (tmp_path / "my_tools.py").write_text(TOOL_FILE.format(log=str(log), rest=rest))
        tools = {"answer": f"{tmp_path / 'my_tools.py'}:answer", "revision": "1"}
        records = [{"message": message, "tools": TOOLS} for message in (*before, MESSAGE)]
        cases = mutatis.cases(records, task="tool-call")
        settings = {"tools": tools, "noise_floor": 0, "confirm": 0, "shrink": 0, **settings}
        system = agent if hasattr(agent, "identity") else ScriptedSystem(agent)
        mutatis.run(system, cases, [relation or politely()], out=tmp_path / "run", settings=settings)
        lines = [json.loads(line) for line in (tmp_path / "run" / "verdicts.jsonl").read_text("utf-8").splitlines()]
        return lines[0], log.read_text().splitlines() if log.exists() else []

    return run


def steps(*calls):
    """Return an agent that makes one call after the other."""

    def agent(conversation):
        done = sum(message.role == "tool" for message in conversation.messages)
        name, day = calls[done] if done < len(calls) else ("", "")
        return Response(calls=[{"name": name, "arguments": {"day": day} if day else {}}]) if name else "Done."

    return agent


def test_a_deed_that_failed_is_not_made_again_by_the_next_run(campaign):
    for _ in range(2):
        line, called = campaign(steps(("book", "Friday")), rest='raise OSError("the wire broke after the booking")')
        assert (line["outcome"], called) == ("error", ["book Friday"])
        assert 'book(day="Friday"): ' in line["reason"]
    assert "may change something and was made before, but no result came back" in line["reason"]


def test_a_deed_is_not_done_again_for_a_question_that_another_is_put_before(campaign):
    _, called = campaign(steps(("book", "Friday")))
    assert called == ["book Friday"]
    _, called = campaign(steps(("book", "Friday")), before=["Is there a seat?"])
    assert called == ["book Friday"] * 2  # the second is the other question's own


def test_a_tool_that_only_reads_is_called_again_where_it_failed(campaign):
    for _ in range(2):
        _, called = campaign(steps(("look", "Friday")), rest='raise OSError("the wire broke")')
    assert called.count("look Friday") >= 2


def test_a_source_that_is_asked_again_does_no_other_deed(campaign):
    asked = []

    def fickle(conversation):
        asked.append(conversation)
        done = sum(message.role == "tool" for message in conversation.messages)
        return "Done." if done else Response(calls=[{"name": "book", "arguments": {"day": f"day {len(asked)}"}}])

    _, called = campaign(fickle, repeats=3)
    assert len(called) == 1


def test_a_call_without_what_its_tool_requires_or_of_no_tool_is_not_made(campaign):
    assert campaign(steps(("book", "")))[1] == []
    assert campaign(steps(("burn", "Friday")))[1] == []


@pytest.mark.parametrize(("relation", "named"), [("rename-tools", "tool"), ("rename-arguments", "argument")])
def test_renamed_tools_are_answered_like_those_under_the_old_names(campaign, relation, named):
    def follows_names(conversation):
        if any(message.role == "tool" for message in conversation.messages):
            return "Done."
        book = next(tool["function"] for tool in conversation.tools if "book" in tool["function"]["name"])
        return Response(
            calls=[{"name": book["name"], "arguments": {next(iter(book["parameters"]["properties"])): "Fri"}}]
        )

    line, called = campaign(follows_names, relation)
    assert called == ["book Fri"]
    assert [call["result"] for call in line["followups"][0]["output"]["calls"]] == ["seat 7"]
    assert line["outcome"] == "satisfied"


def test_tools_renamed_twice_are_known_by_their_first_names(campaign):
    dotted = [{"name": "seats.book", "parameters": SCHEMA}]
    case = mutatis.cases([{"message": MESSAGE, "tools": dotted}], task="tool-call")[0]
    for what in ("tool", "argument", "tool"):
        case = rename_tools(case, what=what)
    function = tools_in(case.material)[0]["function"]
    assert "book" in function["name"] != "seats.book"
    written = function["name"].replace(".", "_")  # as interfaces that allow no dots have it
    call = ToolCall(name=written, arguments={next(iter(function["parameters"]["properties"])): "Fri"})
    assert known_call(call, case.material) == ToolCall(name="seats.book", arguments={"day": "Fri"})


def test_who_reads_the_last_text_alone_is_not_asked_on(campaign):
    asked = []

    def answer(text):
        asked.append(text)
        return Response(calls=[{"name": "look", "arguments": {"day": "Friday"}}])

    line, called = campaign(mutatis.system("function", target=answer, input="text", revision="1"))
    assert (len(asked), called, line["outcome"]) == (2, [], "satisfied")


def test_what_nobody_knows_of_a_way_that_ended_is_no_difference(campaign):
    def agent(conversation):
        day = "Friday" if conversation.messages[0].content == MESSAGE else "friday"
        return steps(("book", day), ("look", day))(conversation)

    line, called = campaign(agent)
    assert called == ["book Friday", "look Friday"]
    assert line["outcome"] == "invalid"
    assert "it is unknown what book returned" in line["reason"]


async def test_a_replay_is_answered_by_what_the_run_was_told():
    [case] = mutatis.cases([{"message": MESSAGE, "tools": TOOLS}], task="tool-call")
    call = ToolCall(name="book", arguments={"day": "Friday"})
    answers = ToolAnswers(kept=[ToolCall(name="book", arguments={"day": "Friday"}, result="seat 7")])
    assert await answers.result(case, call) == "seat 7"
    assert await answers.result(case, ToolCall(name="book", arguments={"day": "Saturday"})) is None


AGENT = """
from mutatis import Response

def agent(messages, tools):
    asked, done = messages[0]["content"], messages[-1]["role"] == "tool"
    day = "Friday" if asked == {message!r} else "Sunday"
    return "Done." if done else Response(calls=[{{"name": "book", "arguments": {{"day": "{wish}" or day}}}}])
"""


def test_a_replay_makes_no_call_that_may_change_something(command):
    """An agent that books another day than in its run finds nobody who books it."""
    log = Path("log.txt").absolute()
    Path("my_tools.py").write_text(TOOL_FILE.format(log=str(log), rest='return "seat 7"'))
    Path("my_agent.py").write_text(AGENT.format(message=MESSAGE, wish=""))
    Path("data.jsonl").write_text(json.dumps({"message": MESSAGE, "tools": TOOLS}) + "\n")
    Path("run.toml").write_text(
        """
relations = ["calls-polite-words"]
noise_floor = 0
confirm = 0
shrink = 0
tools = { answer = "my_tools.py:answer" }
system = { type = "function", target = "my_agent.py:agent", input = "messages" }
data = { task = "tool-call", format = "jsonl", path = "data.jsonl" }
"""
    )
    assert command("run", "run.toml", "--out", "out").code == 0
    booked = log.read_text()
    assert "book Friday" in booked
    [finding] = json.loads(Path("out/report.json").read_text())["findings"]
    Path("my_agent.py").write_text(AGENT.format(message=MESSAGE, wish="Monday"))
    command("replay", "out", finding["id"], "--trust")
    assert log.read_text() == booked
