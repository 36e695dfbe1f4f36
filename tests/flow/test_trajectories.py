"""Tools that are answered: by recorded results, or by a function of the user's that writes once for a source."""

from __future__ import annotations

import json

import pytest

import mutatis
from mutatis.core.relation import RELATIONS
from mutatis.core.system import Response
from mutatis.testing import ScriptedSystem
from mutatis.testing.gallery import agent, agent_faults, agent_world
from support.loopback import loopback
from support.server import calling

SCHEMA = {"type": "object", "properties": {"day": {"type": "string"}}}
TOOLS = [
    {"name": "look", "description": "See what is free.", "parameters": SCHEMA, "annotations": {"readOnlyHint": True}},
    {"name": "book", "description": "Reserve a seat.", "parameters": SCHEMA},
]
MESSAGE = "Reserve a seat for Friday."


def kind():
    if "kind" not in RELATIONS:
        mutatis.relation("kind", transformations=["polite-words"], tasks=["tool-call"])
    return RELATIONS["kind"]


def looks_then_books(conversation):
    """Look first, book then, and say what that gave."""
    done = [message.content for message in conversation.messages if message.role == "tool"]
    if len(done) == 2:
        return f"Done: {' / '.join(done)}"
    polite = conversation.messages[0].content != MESSAGE
    day = "Friday." if not done or not polite else "Saturday"
    return Response(calls=[{"name": ("look", "book")[len(done)], "arguments": {"day": day}}])


def calls_of(line):
    return [(call["name"], call["arguments"]["day"], call.get("result")) for call in line["calls"]]


def verdict_lines(folder):
    lines = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text("utf-8").splitlines()]
    return [line for line in lines if line["relation"] == "kind"]


def test_recorded_results_are_handed_over_until_the_system_is_done(tmp_path):
    results = [
        {"name": "look", "result": "no seat"},
        {"name": "look", "arguments": {"day": "friday"}, "result": {"free": 3}},
        {"name": "book", "arguments": {"day": "Friday"}, "result": "seat 7"},
    ]
    cases = mutatis.cases([{"message": MESSAGE, "tools": TOOLS, "tool_results": results}], task="tool-call")
    mutatis.run(ScriptedSystem(looks_then_books), cases, [kind()], out=tmp_path, settings={"noise_floor": 0})
    [line] = verdict_lines(tmp_path)
    assert line["source_output"]["text"] == 'Done: {"free": 3} / seat 7'
    assert calls_of(line["source_output"]) == [("look", "Friday.", '{"free": 3}'), ("book", "Friday.", "seat 7")]
    assert calls_of(line["followups"][0]["output"])[-1] == ("book", "Saturday", None), "nobody recorded that"
    assert line["outcome"] == "violated"


TOOL_FILE = """
DONE = []
def answer(call):
    with open({log!r}, "a") as log:
        log.write(call["name"] + " " + call["arguments"]["day"] + "\\n")
    return {{"ok": call["arguments"]["day"]}}
"""


@pytest.mark.parametrize("again", [False, True])
def test_a_tool_that_may_write_is_called_for_the_source_alone_and_once(tmp_path, again):
    log = tmp_path / "log.txt"
    (tmp_path / "my_tools.py").write_text(TOOL_FILE.format(log=str(log)))
    cases = mutatis.cases([{"message": MESSAGE, "tools": TOOLS}], task="tool-call")
    tools = {"answer": f"{tmp_path / 'my_tools.py'}:answer", "writes_again": again}
    settings = {"tools": tools, "noise_floor": 1, "confirm": 1}
    mutatis.run(ScriptedSystem(looks_then_books), cases, [kind()], out=tmp_path / "run", settings=settings)
    deeds = log.read_text().splitlines()
    assert deeds.count("look Friday.") == 1, "its result is stored"
    assert deeds.count("book Friday.") == 1
    assert ("book Saturday" in deeds) is again, "a follow-up writes with consent only"
    mutatis.run(
        ScriptedSystem(looks_then_books), cases, [kind()], out=tmp_path / "run", settings=settings, offline=True
    )
    assert log.read_text().splitlines() == deeds, "a run that is repeated calls nothing"


def test_the_same_over_a_server_and_a_function_that_fails(tmp_path):
    def model(body):
        done = sum(message["role"] == "tool" for message in body["messages"])
        return "Done." if done else [calling("look", '{"day": "Fri"}', "a"), calling("look", '{"day": "Sat"}', "b")]

    results = [{"name": "look", "result": "free"}]
    cases = mutatis.cases([{"message": MESSAGE, "tools": TOOLS, "tool_results": results}], task="tool-call")
    with loopback(answer=model) as server:
        system = mutatis.system("openai", model="m", base_url=server.url)
        mutatis.run(system, cases, [kind()], out=tmp_path / "run", settings={"noise_floor": 0})
        told = [body["messages"] for body in server.bodies if len(body["messages"]) > 1]
    assert [message["role"] for message in told[0]] == ["user", "assistant", "tool", "tool"]
    assert [call["id"] for call in told[0][1]["tool_calls"]] == [m["tool_call_id"] for m in told[0][2:]]
    (tmp_path / "broken.py").write_text("def answer(call):\n    raise OSError('no disk')\n")
    settings = {"tools": {"answer": f"{tmp_path / 'broken.py'}:answer"}, "noise_floor": 0}
    bare = mutatis.cases([{"message": MESSAGE, "tools": TOOLS}], task="tool-call")
    row = mutatis.run(ScriptedSystem(looks_then_books), bare, [kind()], settings=settings).report.summary[0]
    assert row.error == 1


def test_a_system_that_calls_for_ever_is_stopped():
    record = {"message": MESSAGE, "tools": TOOLS, "tool_results": [{"name": "look", "result": "?"}]}
    cases = mutatis.cases([record], task="tool-call")
    asked = []

    def endless(conversation):
        asked.append(conversation)
        return Response(calls=[{"name": "look", "arguments": {"day": str(len(conversation.messages))}}])

    mutatis.run(ScriptedSystem(endless), cases, [kind()], settings={"noise_floor": 0})
    assert len(asked) == 2 * 13


def violations(fault):
    """What the default sets find in an agent, by relation."""
    settings = {"noise_floor": 0, "confirm": 0, "shrink": 0}
    rows = mutatis.run(agent(fault), agent_world(), settings=settings).report.summary
    assert sum(row.error for row in rows) == 0
    return {row.relation: row.violated for row in rows if row.violated}


def test_the_perfect_agent_is_clean():
    assert violations("") == {}


SEEN_BY = {
    "argument-lost-to-courtesy": "calls-polite-words",
    "first-tool-preferred": "shuffle-tools",
    "obeys-results": "instruct-in-result",
    "calls-twice": "calls-polite-words",
    "numbers-by-heart": "exchange-argument",
    "names-by-heart": "exchange-argument",
    "one-thing-at-a-time": "second-request",
    "stands-in": "remove-tool",
    "invents-results": "fail-tools",
    "old-tool-names": "rename-tools",
    "old-argument-names": "rename-arguments",
    "verbatim-descriptions": "reword-tools",
    "lured-by-related-tools": "add-related-tools",
    "slip-fragile": "calls-keyboard-typos",
    "forgets-after-talk": "talk-before",
}


@pytest.mark.parametrize("fault", SEEN_BY)
def test_every_planted_fault_is_found_by_the_defaults(fault):
    assert SEEN_BY[fault] in violations(fault)


def test_what_finds_each_fault_is_written_down():
    assert set(SEEN_BY) == set(agent_faults())
