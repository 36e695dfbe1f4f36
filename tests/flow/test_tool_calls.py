"""Campaigns on systems that call tools: the same call is expected when the message is worded otherwise."""

from __future__ import annotations

import json

import mutatis
from mutatis.core.system import Response
from mutatis.reports.passing import passing
from mutatis.testing import ScriptedSystem
from support.loopback import loopback
from support.server import calling

WEATHER = {
    "name": "get_weather",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
MESSAGES = ("What is the weather in Oslo?", "What is the weather in Rome?", "How warm is it in Lima?")
CITIES = ("Oslo", "Rome", "Lima")


def city_in(text):
    return next(city for city in CITIES if city.casefold() in text.casefold())


def model(body):
    """Call the right tool; where somebody is polite about Rome, forget which city; about Lima, write half an object."""
    text = body["messages"][-1]["content"]
    city, polite = city_in(text), text not in MESSAGES
    if polite and city == "Lima":
        return [calling("get_weather", '{"city": "Li')]
    return [calling("get_weather", json.dumps({} if polite and city == "Rome" else {"city": city}))]


def test_a_campaign_over_a_server_finds_the_argument_that_is_lost(command, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    records = [{"id": city, "message": text, "tools": [WEATHER]} for city, text in zip(CITIES, MESSAGES, strict=True)]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, records)))
    (tmp_path / "kind.py").write_text(
        "import mutatis\nmutatis.relation('kind', transformations=['polite-words'], tasks=['tool-call'])\n"
    )
    with loopback(answer=model) as server:
        (tmp_path / "campaign.toml").write_text(
            'load = ["kind.py"]\nrelations = ["kind"]\ngate = {max_errors = 0.5}\n[[systems]]\ntype = "openai"\n'
            f'model = "m"\nbase_url = "{server.url}"\n'
            '[[data]]\nformat = "jsonl"\npath = "cases.jsonl"\ntask = "tool-call"\n'
        )
        done = command("run", "campaign.toml", "--out", "run")
        assert done.code == 0, done.err
        assert all(body["tools"][0]["function"]["name"] == "get_weather" for body in server.bodies)
        asked = server.requests
        again = command("run", "campaign.toml", "--out", "run", "--offline")
        assert again.code == 0, again.err
        assert server.requests == asked, "answered from the store"
    [finding] = mutatis.read_run(tmp_path / "run").findings
    assert finding.source.case.id == "cases/Rome"
    assert "get_weather, city:" in finding.reason
    lines = [json.loads(line) for line in (tmp_path / "run" / "verdicts.jsonl").read_text("utf-8").splitlines()]
    told = {line["source"]: line["outcome"] for line in lines if line["relation"] == "kind"}
    assert told == {"cases/Oslo": "satisfied", "cases/Rome": "violated", "cases/Lima": "error"}
    [lima] = [line for line in lines if line["source"] == "cases/Lima" and line["relation"] == "kind"]
    assert "the arguments of the call get_weather are not a JSON object" in lima["followups"][0]["error"]
    assert lima["followups"][0]["output"]["calls"][0]["malformed"] == '{"city": "Li'


def test_a_text_that_is_nothing_but_a_call_is_one_and_words_are_none():
    def answer(conversation):
        text = conversation.messages[-1].content
        call = {"name": "get_weather", "arguments": {"city": city_in(text)}}
        return Response(calls=[call]) if text in MESSAGES else f"<tool_call>{json.dumps(call)}</tool_call>"

    cases = mutatis.cases([{"message": text, "tools": [WEATHER]} for text in MESSAGES], task="tool-call")
    kind = mutatis.relation("kind", transformations=["polite-words"], tasks=["tool-call"])
    row = mutatis.run(ScriptedSystem(answer), cases, [kind]).report.summary[0]
    assert (row.satisfied, row.violated) == (3, 0)
    silent = ScriptedSystem(
        lambda conversation: "I'd rather not." if conversation.messages[-1].content in MESSAGES else "No."
    )
    row = mutatis.run(silent, cases, [kind]).report.summary[0]
    assert (row.satisfied, row.violated) == (3, 0), "no call on either side"


def test_the_measure_judges_a_file_of_pairs(command, tmp_path):
    pair = {
        "question": "Oslo?",
        "tools": [WEATHER],
        "reference": [{"name": "get_weather", "arguments": {"city": "Oslo"}}],
    }
    answers = ([{"name": "get_weather", "arguments": {"city": "oslo"}}], [], [{"name": "get_weather", "arguments": {}}])
    rows = [
        {**pair, "answer": answer, "label": label} for answer, label in zip(answers, (True, False, False), strict=True)
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    done = command("judge", "pairs.jsonl", "--measure", "tool-calls", "-o", "out.jsonl")
    assert done.code == 0, done.err
    assert "kappa 1.000" in done.err
    told = [json.loads(line)["same"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert told == [True, False, False]
    (tmp_path / "pairs.jsonl").write_text(json.dumps({**pair, "answer": [3]}))
    assert command("judge", "pairs.jsonl", "--measure", "tool-calls").complaint.startswith(
        "pairs.jsonl: line 1: field 'answer'"
    )


def test_an_agent_with_tools_of_its_own_needs_them_in_the_data_and_the_run_says_so_once():
    bot = ScriptedSystem(
        lambda talk: Response(
            calls=[{"name": "get_weather", "arguments": {"city": city_in(talk.messages[-1].content)}}]
        )
    )
    cases = mutatis.cases([{"message": text} for text in MESSAGES], task="tool-call")
    report = mutatis.run(bot, cases, ["tag:agents"]).report
    why = "the case defines no tools; write the definitions of the agent's tools into the data, under tools"
    [note] = [check for check in report.health if check.name == "never-matched"]
    assert note.message.endswith(f"could be judged, most often: {why}")
    [reason] = passing(report).reasons
    assert reason.count(why) == 1
