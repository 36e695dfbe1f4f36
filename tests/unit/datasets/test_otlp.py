"""Traces of OpenTelemetry as cases: newer attributes and earlier events, tools, calls and their results."""

from __future__ import annotations

import json
import re

import pytest

from mutatis.core.calls import results_in, tools_in
from mutatis.core.errors import UsageError
from mutatis.datasets import read

TOOL = {"type": "function", "name": "look", "description": "See.", "parameters": {"type": "object", "properties": {}}}
HISTORY = [
    {"role": "user", "parts": [{"type": "text", "content": "Hi!"}]},
    {"role": "assistant", "parts": [{"type": "text", "content": "Hello!"}], "finish_reason": "stop"},
    {"role": "user", "parts": [{"type": "text", "content": "Is Friday free?"}]},
]
CALL = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c1", "name": "look", "arguments": {"day": "Fri"}}]}
RESULT = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": {"free": 3}}]}
LAST = {"role": "assistant", "parts": [{"type": "text", "content": "Yes, three seats."}]}


def any_value(value):
    """Return a value as OTLP writes it."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(item) for item in value]}}
    return {"kvlistValue": {"values": pairs(value)}}


def pairs(values):
    return [{"key": key, "value": any_value(value)} for key, value in values.items()]


def span(number, attributes=None, events=(), trace="t1"):
    return {
        "traceId": trace,
        "spanId": f"s{number}",
        "name": "chat m",
        "endTimeUnixNano": str(number),
        "attributes": pairs(attributes or {}),
        "events": [{"name": name, "attributes": pairs(told)} for name, told in events],
    }


def traces(*spans):
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def cases_of(tmp_path, content):
    path = tmp_path / "trace.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return read("otlp", path)


def messages(*shown, said, written=json.dumps, **more):
    return {"gen_ai.input.messages": written(list(shown)), "gen_ai.output.messages": written([said]), **more}


@pytest.mark.parametrize("written", [json.dumps, list], ids=["as text", "structured"])
def test_messages_in_attributes_are_one_conversation(tmp_path, written):
    tools = {"gen_ai.tool.definitions": written([TOOL]), "gen_ai.operation.name": "chat"}
    first = span(1, messages(*HISTORY, said=CALL, written=written, **tools))
    second = span(2, messages(*HISTORY, CALL, RESULT, said=LAST, written=written, **tools))
    [case] = cases_of(tmp_path, traces(first, second, span(3, {"http.route": "/"})))
    assert case.task == "tool-call"
    assert [turn.fields["message"] for turn in case.turns] == ["Hi!", "Is Friday free?"]
    assert (case.turns[0].reply, case.turns[1].reply, case.asked) == ("Hello!", None, (1,))
    assert [tool["function"]["name"] for tool in tools_in(case.material)] == ["look"]
    assert results_in(case.material) == ({"name": "look", "arguments": {"day": "Fri"}, "result": '{"free": 3}'},)


def test_earlier_events_tell_the_same(tmp_path):
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"day": "Fri"}'}}
    events = [
        ("gen_ai.system.message", {"content": "Be brief."}),
        ("gen_ai.user.message", {"content": "Is Friday free?"}),
        ("gen_ai.assistant.message", {"tool_calls": json.dumps([call])}),
        ("gen_ai.tool.message", {"id": "c1", "content": "3 seats"}),
        ("gen_ai.choice", {"index": 0, "message": json.dumps({"content": "Yes."})}),
    ]
    [case] = cases_of(tmp_path, traces(span(1, {"gen_ai.system": "openai"}, events)))
    assert [turn.fields["message"] for turn in case.turns] == ["Is Friday free?"]
    assert results_in(case.material) == ({"name": "look", "arguments": {"day": "Fri"}, "result": "3 seats"},)


def test_events_may_be_records_of_a_log_and_batches_lines(tmp_path):
    def log(name, body):
        return {"traceId": "t1", "spanId": "s1", "eventName": name, "body": any_value(body)}

    records = [log("gen_ai.user.message", {"content": "Hi!"}), log("gen_ai.choice", {"message": {"content": "Hello!"}})]
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}
    lines = "\n".join(map(json.dumps, [traces(span(1, {"gen_ai.system": "openai"})), logs]))
    [case] = cases_of(tmp_path, lines)
    assert (case.task, case.turns[0].fields["message"], len(case.turns)) == ("chat", "Hi!", 1)


def test_results_may_stand_in_the_spans_of_tools_and_conversations_stay_apart(tmp_path):
    tool = {"gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": "3 seats", "gen_ai.operation.name": "execute_tool"}
    other = [{"role": "user", "parts": [{"type": "text", "content": "And Saturday?"}]}]
    known, unknown = cases_of(
        tmp_path,
        traces(
            span(1, messages(*HISTORY, CALL, said=LAST)),
            span(2, tool),
            span(3, messages(*other, said=LAST), trace="t2"),
        ),
    )
    assert results_in(known.material)[0]["result"] == "3 seats"
    assert [turn.fields["message"] for turn in unknown.turns] == ["And Saturday?"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (traces(span(1, {"http.route": "/"}), span(2)), r"2 spans, none with gen_ai attributes"),
        (traces(span(1, {"gen_ai.system": "openai"})), r"1 gen_ai spans, none of which contains messages; set OTEL_"),
        ({"other": 1}, r"0 spans, none with gen_ai attributes"),
        ('{"a": 1}\nno JSON\n', r"line 2: not JSON"),
    ],
)
def test_a_file_without_messages_is_one_clear_line(tmp_path, content, says):
    with pytest.raises(UsageError, match=says) as told:
        cases_of(tmp_path, content)
    assert "\n" not in str(told.value)


ODD = [None, 7, "text", [], [1], {"role": 3}, {"role": "user"}, {"role": "user", "parts": [{"type": "tool_call"}]}]


def test_what_is_odd_in_a_trace_is_left_out(tmp_path):
    shown = [*ODD, *HISTORY, {"role": "assistant", "parts": [{"type": "tool_call", "name": "", "arguments": "]"}]}]
    attributes = {
        "gen_ai.input.messages": json.dumps(shown),
        "gen_ai.output.messages": "no JSON",
        "gen_ai.tool.definitions": json.dumps([{"no": "name"}, 3, TOOL]),
    }
    odd = span(1, attributes)
    odd["attributes"] += [3, {"key": "deep", "value": {"arrayValue": {"values": [{"arrayValue": 1}]}}}]
    odd["events"] += [None, {"name": 3}]
    [case] = cases_of(tmp_path, traces(odd, {"spanId": None, "attributes": None}))
    assert case.turns[-1].fields["message"] == "Is Friday free?"
    assert [tool["function"]["name"] for tool in tools_in(case.material)] == ["look"]


def test_a_message_without_text_is_none_and_the_line_says_how_to_record_it(tmp_path):
    blob = {"role": "user", "parts": [{"type": "blob", "content": "aGk="}]}
    for shown in ({"role": "user", "parts": []}, blob):
        with pytest.raises(UsageError, match=r"set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true"):
            cases_of(tmp_path, traces(span(1, messages(shown, said=LAST))))


def test_a_result_belongs_to_the_call_of_its_own_trace(tmp_path):
    def tool(number, result, trace):
        return span(number, {"gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": result}, trace=trace)

    asked = [span(n, messages(*HISTORY, CALL, said=LAST), trace=f"t{n}") for n in (1, 2, 3)]
    cases = cases_of(tmp_path, traces(*asked, tool(4, "mine", "t1"), tool(5, "theirs", "t2")))
    assert [[told["result"] for told in results_in(case.material)] for case in cases] == [["mine"], ["theirs"], []]


@pytest.mark.parametrize(
    "broken",
    [
        {"events": 5},
        {"events": [{"name": ["gen_ai.choice"]}]},
        {"eventName": ["gen_ai.choice"]},
        {"attributes": [{"key": "k", "value": {"arrayValue": {"values": 5}}}]},
        {"attributes": [{"key": "k", "value": {"intValue": "--5"}}]},
        {"endTimeUnixNano": "9" * 5000},
    ],
)
def test_malformed_fields_are_left_out(tmp_path, broken):
    good = span(1, messages(*HISTORY, said=LAST))
    attributes = good["attributes"] + broken.get("attributes", [])
    [case] = cases_of(tmp_path, traces({**good, **broken, "attributes": attributes}))
    assert case.turns[-1].fields["message"] == "Is Friday free?"


def test_a_line_may_hold_a_line_separator(tmp_path):
    shown = {"role": "user", "parts": [{"type": "text", "content": "one\u2028two"}]}
    lines = [traces(span(1, messages(shown, said=LAST, written=list))), traces(span(2))]
    [case] = cases_of(tmp_path, "\n".join(json.dumps(line, ensure_ascii=False) for line in lines))
    assert case.turns[0].fields["message"] == "one\u2028two"


def test_names_may_be_written_as_in_the_protocols_own_files(tmp_path):
    def snake(value):
        if isinstance(value, list):
            return [snake(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        return {re.sub("[A-Z]", lambda m: f"_{m[0].lower()}", key): snake(inner) for key, inner in value.items()}

    log = {"traceId": "t1", "spanId": "s1", "eventName": "gen_ai.user.message", "body": any_value({"content": "Hi!"})}
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [log]}]}]}
    attributes = {"gen_ai.output.messages": [LAST], "n": 3}
    [case] = cases_of(tmp_path, snake([traces(span(1, attributes)), logs]))
    assert case.turns[0].fields["message"] == "Hi!"
