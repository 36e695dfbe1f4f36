"""Tool calls: the actions that a system requests by name with JSON arguments, and the tools available to it.

A case's material may contain tools and recorded results, both as JSON text. Tools are a list of objects, in OpenAI's
form or as plain `{"name", "description", "parameters"}`. Results are a list of `{"name", "arguments"?, "result"}`.
Neither is shown in prompts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from mutatis.core.errors import UsageError, nearest, shortened
from mutatis.core.parsing import NotReadable, json_of

TOOLS, RESULTS, RENAMED = "tools", "tool_results", "renamed_tools"
"""Keys in a case's material for its tools, recorded tool results and renamed tools.

`renamed_tools` is set on a follow-up whose tools were renamed. It maps each new name to `{"name", "arguments": {new:
old}}`, so that calls can still be answered.
"""

Tool: TypeAlias = Mapping[str, Any]
"""A tool in OpenAI's form: `{"type": "function", "function": {"name", "description", "parameters"}}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool.

    Attributes:
        name: name of the tool.
        arguments: argument values by name, as JSON data.
        id: the system's id for the call, which is ignored in comparisons.
        result: the tool's result, or None if it was not called.
        malformed: the arguments as written if they are not a JSON object; `arguments` is then empty.
    """

    name: str
    arguments: Mapping[str, Any]
    id: str = ""
    result: str | None = None
    malformed: str = ""

    def __str__(self) -> str:
        """Return the call as code, such as `get_weather(city="Paris", days=2)`."""
        arguments = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in self.arguments.items())
        return f"{self.name}({self.malformed or ', '.join(arguments)})"

    def to_record(self) -> dict[str, Any]:
        """Return the call as JSON data, omitting absent parts."""
        record: dict[str, Any] = {"name": self.name, "arguments": dict(self.arguments)}
        extra = {"id": self.id or None, "result": self.result, "malformed": self.malformed or None}
        return record | {name: value for name, value in extra.items() if value is not None}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> ToolCall:
        """Create a call from a record written by `to_record`, or from OpenAI's form: `{"id", "function": {...}}`.

        Arguments given as a string are parsed as JSON. If they are not an object, the call is `malformed`.
        A result that is not a string is written as JSON.

        Raises:
            UsageError: the call has no name, or its arguments are neither an object nor a string.

        >>> str(ToolCall.from_record({"function": {"name": "add", "arguments": '{"a": 1}'}}))
        'add(a=1)'
        """
        inner = record.get("function")
        call: Mapping[str, Any] = inner if isinstance(inner, Mapping) else record
        name = call.get("name")
        if not isinstance(name, str) or not name:
            raise UsageError(f'a call is {shown_json(record)}; expected {{"name": text, "arguments": object}}')
        arguments, malformed = call.get("arguments"), str(record.get("malformed") or "")
        if isinstance(arguments, str):
            arguments, malformed = arguments_of(arguments)
        if arguments is not None and not isinstance(arguments, Mapping):
            raise UsageError(f"the arguments of call {name!r} are {shown_json(arguments)}; expected an object")
        result = record.get("result")
        return cls(
            name=name,
            arguments=dict(arguments or {}),
            id=str(record.get("id") or ""),
            result=None if result is None else text_or_json(result),
            malformed=malformed,
        )


def arguments_of(text: str) -> tuple[dict[str, Any], str]:
    """Return the arguments parsed from JSON, followed by "". If the text is not a JSON object, return {} and the text.

    Empty text means that there are no arguments.

    >>> arguments_of('{"city": "Oslo"}'), arguments_of(""), arguments_of('{"city": ')
    (({'city': 'Oslo'}, ''), ({}, ''), ({}, '{"city": '))
    """
    if not text.strip():
        return {}, ""
    try:
        data = json_of(text)
        return (data, "") if isinstance(data, dict) and _is_finite(data) else ({}, text)
    except NotReadable:
        return {}, text


def _is_finite(data: Mapping[str, Any]) -> bool:
    """Return True if the data contains no NaN or infinity, which Python reads but JSON does not allow."""
    try:
        json.dumps(data, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    return True


def shown_json(value: object) -> str:
    """Return a short representation of a value for use in error messages."""
    return shortened(repr(value), 60)


def tool_key(name: str) -> str:
    """Return a tool's name in the form used for comparison. Some interfaces replace dots in names with underscores.

    >>> tool_key("hotel.book") == tool_key("hotel_book")
    True
    """
    return name.replace(".", "_").strip()


def read_tools(data: object) -> tuple[Tool, ...]:
    """Return a list of tools in OpenAI's form. Tools without the outer `function` object are converted.

    Raises:
        UsageError: the data is not a list of tools.

    >>> read_tools([{"name": "now"}])[0]["function"]["parameters"]
    {'type': 'object', 'properties': {}}
    """
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise UsageError(f"tools are {shown_json(data)}; expected a list of tools in OpenAI's format")
    return tuple(_tool(entry) for entry in data)


def _tool(entry: object) -> Tool:
    inner = entry.get("function", entry) if isinstance(entry, Mapping) else None
    if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str) or not inner["name"]:
        expected = '{"type": "function", "function": {"name", "description", "parameters"}}'
        raise UsageError(f"a tool is {shown_json(entry)}; expected {expected}")
    parameters = inner.get("parameters") or inner.get("input_schema") or inner.get("inputSchema")
    if parameters is not None and not isinstance(parameters, Mapping):
        raise UsageError(
            f"the parameters of tool {inner['name']!r} are {shown_json(parameters)}; expected a JSON schema"
        )
    _check_keys(inner["name"], inner)
    _check_keys(inner["name"], parameters)
    others = {key: value for key, value in inner.items() if key not in ("input_schema", "inputSchema", "type")}
    function = {**others, "parameters": dict(parameters or {"type": "object", "properties": {}})}
    return {"type": "function", "function": function}


_KEYS = "properties required type enum description parameters minProperties maxProperties propertyNames".split()
"""Keys of tools and schemas without which arguments are not read as meant, and keywords of JSON schema like them."""


def _check_keys(tool: str, schema: Any) -> None:
    """Raise UsageError for a misspelt key of a schema or of its properties.

    Other unknown keys are legitimate. A key that begins with another letter ("enumDescriptions"), or resembles one that
    the schema has, may be an extension.

    >>> try: read_tools([{"name": "book", "parameters": {"type": "object", "propertys": {}}}])
    ... except UsageError as error: print(error)
    tool 'book' has the unknown key 'propertys'; did you mean 'properties'?
    """
    for key in sorted(schema.keys() - _KEYS, key=str) if isinstance(schema, Mapping) else ():
        candidates = [known for known in _KEYS if known[0] == str(key)[:1].casefold()]
        if str(key).isalpha() and (near := nearest(key, candidates, alike=0.75)) and near[0] not in schema:
            raise UsageError(f"tool {tool!r} has the unknown key {key!r}; did you mean {near[0]!r}?")
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    for inner in properties.values() if isinstance(properties, Mapping) else ():
        _check_keys(tool, inner)


def tools_in(material: Mapping[str, str]) -> tuple[Tool, ...]:
    """Return the tools in a case's material, or () if it has none.

    Raises:
        UsageError: the material is not a JSON list of tools.
    """
    text = material.get(TOOLS, "")
    return _tools_of(text) if text else ()


@lru_cache(maxsize=256)
def _tools_of(text: str) -> tuple[Tool, ...]:
    return read_tools(_json_material(TOOLS, text))


def results_in(material: Mapping[str, str]) -> tuple[Mapping[str, Any], ...]:
    """Return the recorded tool results of a case, each with `name`, `result` and optionally `arguments`.

    Raises:
        UsageError: the material is not a JSON list of such objects.
    """
    text = material.get(RESULTS, "")
    data = _json_material(RESULTS, text) if text else []
    for entry in data if isinstance(data, list) else [data]:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("name"), str) or "result" not in entry:
            expected = '{"name", "arguments"?, "result"}'
            raise UsageError(f"{RESULTS} contains {shown_json(entry)}; expected a list of {expected}")
    return tuple(data)


def renamed_in(material: Mapping[str, str]) -> Mapping[str, Mapping[str, Any]]:
    """Return the original names of a follow-up's renamed tools and their arguments, or {} if none was renamed."""
    table: Mapping[str, Mapping[str, Any]] = _json_material(RENAMED, material[RENAMED]) if RENAMED in material else {}
    return table


def known_call(call: ToolCall, material: Mapping[str, str]) -> ToolCall:
    """Return a call with the original names of its tool and arguments, so that the call can be answered.

    >>> call = ToolCall(name="look_tool", arguments={"day": "Friday"})
    >>> known_call(call, {RENAMED: '{"look_tool": {"name": "look", "arguments": {}}}'}).name
    'look'
    """
    table = renamed_in(material)
    known = next((names for name, names in table.items() if tool_key(name) == tool_key(call.name)), None)
    if known is None:
        return call
    names = known["arguments"]
    return replace(call, name=known["name"], arguments={names.get(n, n): value for n, value in call.arguments.items()})


def _json_material(name: str, text: str) -> Any:
    try:
        return json_of(text)
    except NotReadable as error:
        raise UsageError(f"the material {name!r} is not JSON ({error}); expected a JSON list") from None


def without_tools(material: Mapping[str, str]) -> dict[str, str]:
    """Return the part of a case's material that a system may read: everything except the tools and their results."""
    return {name: text for name, text in material.items() if name not in (TOOLS, RESULTS, RENAMED)}


def text_or_json(value: object) -> str:
    """Return a value as text: a string as it is, any other as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def json_material(material: Mapping[str, Any]) -> dict[str, str]:
    """Return the material as strings. Values of other types are written as JSON.

    >>> json_material({"story": "Once.", "tools": [{"name": "now"}]})
    {'story': 'Once.', 'tools': '[{"name": "now"}]'}
    """
    return {name: text_or_json(value) for name, value in material.items()}
