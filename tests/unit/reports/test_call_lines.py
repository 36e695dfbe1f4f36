"""Calls on the page: as code, the differing argument and the first step where two ways part marked, tools in words."""

from __future__ import annotations

import json
import re

import mutatis
from mutatis.records.asked import CallRecord
from mutatis.reports.marking import call_lines, material_in_words
from mutatis.testing.gallery import agent, agent_world


def record(name, result=None, **arguments):
    return CallRecord(name=name, arguments=arguments, result=result)


def marked(lines):
    return ["".join(f"[{s.text}]" if s.changed else s.text for s in line.spans) for line in lines]


def test_the_differing_argument_is_marked_and_the_step_where_they_part():
    ours = [record("find", "3 rooms", day="Fri"), record("book", day="Fri", seats=2), record("pay")]
    theirs = [record("find", day="Fri"), record("book", day="Sat", seats=2)]
    lines = call_lines(ours, theirs)
    assert marked(lines) == ['find(day="Fri")', 'book(day="[Fri]", seats=2)', "[pay()]"]
    assert [line.parts for line in lines] == [False, True, False]
    assert lines[0].result == "3 rooms"
    assert marked(call_lines(ours)) == ['find(day="Fri")', 'book(day="Fri", seats=2)', "pay()"], "nothing beside it"


def test_tools_are_shown_in_words_and_other_material_as_it_is():
    tools = [{"name": "f", "description": "Do it.", "parameters": {"properties": {"a": {}, "b": {}}}}, {"name": "g"}]
    assert material_in_words("tools", json.dumps(tools)) == "f(a, b): Do it.\ng()"
    assert material_in_words("tools", "{") == "{"
    assert material_in_words("story", "Once.") == "Once."


def test_the_page_shows_both_sides_of_changed_tools_and_calls(tmp_path):
    settings = {"noise_floor": 0, "shrink": 0}
    run = mutatis.run(agent("old-tool-names"), agent_world()[:1], ["rename-tools"], settings=settings)
    page = mutatis.report(run, tmp_path / "page.html").read_text("utf-8")
    [finding] = run.findings
    assert "get_weather_tool" in finding.followups[0].case.material["tools"]
    assert re.search(r"get_weather<mark>_tool</mark>\(town, days\): Get the weather forecast of a town", page)
    assert '<ol class="calls">' in page
    assert "Rain, 12 degrees." in page


def test_what_models_and_tools_say_is_harmless_on_the_page(tmp_path):
    from mutatis.core.system import Response
    from mutatis.testing import ScriptedSystem

    evil = "<script>alert(1)</script>"

    def answer(conversation):
        polite = conversation.messages[0].content != "Weather?"
        return Response(calls=[{"name": evil, "arguments": {evil: polite}, "result": evil}])

    mutatis.relation("kind", transformations=["polite-words"], tasks=["tool-call"])
    cases = mutatis.cases([{"message": "Weather?", "tools": [{"name": "f"}]}], task="tool-call")
    run = mutatis.run(ScriptedSystem(answer), cases, ["kind"], settings={"noise_floor": 0})
    assert run.findings
    assert evil not in mutatis.report(run, tmp_path / "page.html").read_text("utf-8")
