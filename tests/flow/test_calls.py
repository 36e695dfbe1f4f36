"""Answers that are calls: asked, keyed, stored, replayed and shown like others; older runs stay readable."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

import mutatis
from mutatis.core.calls import ToolCall
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.system import Conversation, Message, Response
from mutatis.core.task import TASKS
from mutatis.query.key import answer_key
from mutatis.query.store import Store
from mutatis.query.wire import checked
from mutatis.testing import ScriptedSystem

BEFORE = Path(__file__).parent / "before_calls"
"""Store, report and verdicts of a run by the version before answers had parts."""

TOOLS = [{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]
CALLS = (ToolCall(name="get_weather", arguments={"city": "Oslo"}, id="a"),)


def old_run(folder: Path) -> Path:
    run = folder / "run"
    run.mkdir()
    for name in ("report.json", "verdicts.jsonl"):
        (run / name).write_bytes((BEFORE / name).read_bytes())
    database = sqlite3.connect(run / "store.db")
    database.executescript((BEFORE / "store.sql").read_text("utf-8"))
    database.close()
    return run


def test_a_store_of_the_version_before_answers_a_run_of_this_one(command, tmp_path):
    old_run(tmp_path)
    (tmp_path / "shopbot.py").write_text("def answer(text):\n    raise RuntimeError('asked again')\n")
    (tmp_path / "questions.txt").write_text("Do you ship to Norway?\nWhen do I get a refund?\n")
    (tmp_path / "campaign.toml").write_text(
        'relations = ["upper-case"]\nnoise_floor = 0\njudge = {measure = "free-answers"}\n'
        '[[systems]]\ntype = "function"\ntarget = "shopbot.py:answer"\nrevision = "1"\nlabel = "shop"\n'
        '[[data]]\nformat = "lines"\npath = "questions.txt"\ntask = "chat"\n'
    )
    done = command("run", "campaign.toml", "--out", "run")
    assert done.code == 0, done.err
    assert "12 logical, 0 paid, 0 errors, 12 stored" in done.out
    assert "'We refund within 30 days.' -> 'no'" in done.out


def test_a_report_of_the_version_before_is_read_shown_and_written_as_a_page(command, tmp_path):
    run = old_run(tmp_path)
    shown = command("show", str(run), "f3c39f3043")
    assert shown.code == 0
    assert "We refund within 30 days." in shown.out
    page = command("report", str(run), "-o", "page.html")
    assert page.code == 0
    html = (tmp_path / "page.html").read_text("utf-8")
    assert "REFUND" in html
    assert "We refund within 30 days." in html


def test_all_parts_of_an_answer_come_back_from_the_store(tmp_path):
    done = (replace(CALLS[0], result="4 degrees"), ToolCall(name="f", arguments={}, malformed='{"x": '))
    response = Response(text="Cold.", calls=done, data={"temperature": 4}, refusal="no more", asked_at=5.0)
    with Store(tmp_path / "store.db") as store:
        store.put("key", "system", [response], 5.0)
        assert store.get("key") == [replace(response, stored=True)]


def test_tools_and_calls_are_part_of_a_key_and_ids_that_models_make_up_are_not():
    case = mutatis.Case(
        id="c/1",
        turns=(mutatis.Turn(fields={"message": "Oslo?"}, reply="Cold."), mutatis.Turn(fields={"message": "And now?"})),
        material={"tools": TOOLS},
        task="chat",
    )

    def key(calls, **material):
        changed = replace(case, turns=(replace(case.turns[0], calls=calls), case.turns[1]), material=material)
        return answer_key({}, [TASKS["chat"].converse(changed, 1, [""])], 0)

    done = replace(CALLS[0], result="4")
    keys = [key(()), key((done,)), key((replace(done, result="5"),)), key((done,), tools=TOOLS)]
    assert len(set(keys)) == 4
    assert key((done,)) == key((replace(done, id="b"),))
    assert key((), tool_results=[{"name": "get_weather", "result": 4}]) == key(()), "what no system is shown"


def test_earlier_calls_are_shown_to_the_system_with_their_results():
    done = replace(CALLS[0], result="4 degrees")
    turns = (
        mutatis.Turn(fields={"message": "Oslo?"}, reply="Cold.", calls=(done,)),
        mutatis.Turn(fields={"message": "Hm?"}),
    )
    case = mutatis.Case(id="c/1", turns=turns, material={"tools": TOOLS}, task="chat")
    conversation = TASKS["chat"].converse(case, 1, [""])
    assert [message.to_record()["role"] for message in conversation.messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert conversation.messages[2].content == "4 degrees"
    assert conversation.tools[0]["function"]["name"] == "get_weather"
    assert "tools" not in conversation.fields


NO_DATA = ToolCall(name="f", arguments={"x": object()})


@pytest.mark.parametrize("part", [{"data": {1, 2}}, {"data": float("nan")}, {"calls": (NO_DATA,)}])
def test_parts_that_cannot_be_written_down_are_the_systems_failure(part):
    with pytest.raises(SystemFailure, match=r"^the answer's (?:data|calls) are not JSON data"):
        checked([Response(text="x", **part)], 1)


def test_a_chatbot_that_calls_is_no_empty_answer_and_what_it_called_is_in_the_report(tmp_path):
    def answer(conversation: Conversation) -> Response:
        city = "oslo" if conversation.messages[-1].content.isupper() else "Oslo"
        return Response(
            calls=[{"name": "get_weather", "arguments": {"city": city, "days": 2 if city == "Oslo" else 3}}]
        )

    case = mutatis.Case(id="c/1", turns=(mutatis.Turn(fields={"message": "How is the weather in Oslo?"}),), task="chat")
    run = mutatis.run(
        ScriptedSystem(answer),
        [case],
        ["upper-case"],
        out=tmp_path / "run",
        settings={"judge": {"measure": "free-answers"}},
    )
    assert run.report.summary[0].error == 0
    line = json.loads((tmp_path / "run" / "verdicts.jsonl").read_text("utf-8").splitlines()[0])
    assert line["source_output"]["calls"] == [{"name": "get_weather", "arguments": {"city": "Oslo", "days": 2}}]
    page = mutatis.report(run, tmp_path / "page.html").read_text("utf-8")
    assert "get_weather(city=" in page


async def test_records_may_hold_tools_and_results(tmp_path):
    record = {"message": "Oslo?", "tools": TOOLS, "tool_results": [{"name": "get_weather", "result": "4"}]}
    [case] = mutatis.cases([record], task="chat")
    assert json.loads(case.material["tools"]) == TOOLS
    [case] = mutatis.cases([{"turns": ["Oslo?", "And Rome?"], "tools": TOOLS}], task="chat")
    assert json.loads(case.material["tools"]) == TOOLS
    with pytest.raises(UsageError, match="record 1: a tool is"):
        mutatis.cases([{"message": "Oslo?", "tools": [3]}], task="chat")
    [case] = mutatis.cases([{"message": "Oslo?", "tools": "hammer and nails"}], task="chat")
    assert not case.material


def test_a_message_of_a_tool_is_a_message():
    message = Message(role="tool", content="4", call_id="call_1")
    plain = Conversation(messages=(replace(message, call_id=""),))
    assert answer_key({}, [Conversation(messages=(message,))], 0) != answer_key({}, [plain], 0)
