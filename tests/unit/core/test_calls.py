"""Calls of tools as data: read, written, shown, and refused on one line where they are none."""

from __future__ import annotations

import pytest

from mutatis.core.calls import ToolCall, read_tools, results_in, tools_in
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import SystemFailure, UsageError
from mutatis.core.system import Message, Response

WEATHER = {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}


def test_a_call_is_read_in_both_forms_and_shown_as_code():
    bare = ToolCall.from_record({"name": "book", "arguments": {"seats": 2, "day": "Fri"}})
    theirs = ToolCall.from_record(
        {"id": "x1", "type": "function", "function": {"name": "book", "arguments": '{"seats": 2, "day": "Fri"}'}}
    )
    assert str(bare) == str(theirs) == 'book(seats=2, day="Fri")'
    assert theirs.id == "x1"
    assert ToolCall.from_record(theirs.to_record()) == theirs


@pytest.mark.parametrize("written", ['{"city": ', "[1]", "Oslo", '{"a": NaN}', "[" * 5000])
def test_arguments_that_are_no_json_object_are_kept_as_they_were_written(written):
    call = ToolCall.from_record({"name": "get_weather", "arguments": written})
    assert (call.malformed, call.arguments) == (written, {})
    assert ToolCall.from_record(call.to_record()) == call


@pytest.mark.parametrize("calls", ["text", [3], [{"arguments": {}}], [{"name": ""}], [{"name": "f", "arguments": [1]}]])
def test_calls_of_a_response_that_are_none_are_the_systems_failure(calls):
    with pytest.raises(SystemFailure, match="the answer's calls cannot be read: ") as told:
        Response(calls=calls)
    assert "\n" not in str(told.value)


def test_a_response_says_all_its_parts():
    response = Response(
        text="One moment.", calls=[{"name": "now", "arguments": {}}, ToolCall(name="f", arguments={"x": None})]
    )
    assert response.said == "One moment.\nnow()\nf(x=null)"
    assert Response(data={"a": 1}).said == '{"a": 1}'
    assert Response(refusal="I can't.").said == "I can't."


def test_messages_with_calls_have_the_form_of_chat_interfaces():
    call = ToolCall(name="f", arguments={"x": "é"}, id="call_1")
    assert Message(role="assistant", content="", calls=(call,)).to_record() == {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"x": "é"}'}}],
    }
    assert Message(role="tool", content="3", call_id="call_1").to_record() == {
        "role": "tool",
        "content": "3",
        "tool_call_id": "call_1",
    }


def test_material_that_is_data_is_kept_as_json_and_read_as_tools():
    case = Case(id="c/1", turns=(Turn(fields={"message": "Hi"}),), material={"tools": [WEATHER], "story": "Once."})
    assert set(map(type, case.material.values())) == {str}
    assert [tool["function"]["name"] for tool in tools_in(case.material)] == ["get_weather"]
    assert Case.from_record(case.to_record()) == case


@pytest.mark.parametrize(
    "tools", ["word", {"name": "f"}, [3], [{"description": "x"}], [{"name": "f", "parameters": 3}]]
)
def test_tools_that_are_none_are_wrong_use_on_one_line(tools):
    with pytest.raises(UsageError, match="expected"):
        read_tools(tools)


BOOK = {"name": "book", "description": "Book a room.", "parameters": {"type": "object"}}


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        ({"name": "book", "parameter": {"type": "object"}}, "'parameter'; did you mean 'parameters'"),
        ({"name": "book", "desciption": "Book."}, "'desciption'; did you mean 'description'"),
        (BOOK | {"parameters": {"type": "object", "propertys": {}}}, "'propertys'; did you mean 'properties'"),
        (BOOK | {"parameters": {"type": "object", "Properties": {}}}, "'Properties'; did you mean 'properties'"),
        ({"name": "book", "input_schema": {"type": "object", "requred": []}}, "'requred'; did you mean 'required'"),
        (BOOK | {"parameters": {"properties": {"size": {"enums": ["S"]}}}}, "'enums'; did you mean 'enum'"),
        (BOOK | {"parameters": {"properties": {"size": {"tpye": "string"}}}}, "'tpye'; did you mean 'type'"),
    ],
)
def test_a_misspelt_key_of_a_tool_is_named_with_the_key_that_was_meant(tool, message):
    with pytest.raises(UsageError, match=rf"^tool 'book' has the unknown key {message}\?$"):
        read_tools([{"type": "function", "function": tool}])


def test_extensions_and_arguments_may_have_any_name():
    schema = {key: {} for key in "title $schema $defs $$description default items additionalProperties x-type".split()}
    schema |= {key: {} for key in "minProperties maxProperties propertyNames patternProperties enumNames".split()}
    schema |= {key: {} for key in "nullable format propertyOrdering x-order dependentRequired anyOf tags".split()}
    schema |= {key: {} for key in "enumDescriptions longDescription xtype".split()}
    arguments = {"type": "object", "properties": {"types": schema, "enums": {"type": "array", "types": 1}, "n": True}}
    tool = BOOK | {"strict": True, "annotations": {}, "outputSchema": {}, "cache_control": {}, "parameters": arguments}
    [read] = read_tools([tool])
    assert read["function"] == tool
    assert read_tools([BOOK | {"parameters": schema}])


@pytest.mark.parametrize("text", ["{", "3", '[{"name": "f"}]', '[{"result": 1}]'])
def test_results_that_are_none_are_wrong_use(text):
    with pytest.raises(UsageError, match="tool_results"):
        results_in({"tool_results": text})
