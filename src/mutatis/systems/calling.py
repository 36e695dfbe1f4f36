"""Reads tool calls from a service's answer: OpenAI's format, bare calls, Anthropic's blocks, or streams.

Arguments that are not valid JSON are kept as part of the answer (`ToolCall.malformed`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from mutatis.core.calls import ToolCall
from mutatis.core.errors import UsageError
from mutatis.secrets import struck_out
from mutatis.systems.endings import value_at
from mutatis.systems.stream import StreamEvent, data_of

NAMES = ("tool_calls", "toolCalls", "tool_call", "function_call", "function_calls", "calls")
"""Keys under which services return tool calls, most likely first."""

_PLACES = ((), ("message",), ("choices", "message"), ("output",), ("response",), ("data",), ("result",), ("answer",))
"""Paths to the object that contains the calls. If a path leads to a list, its first item is used."""


def calls_of(value: Any, mask: Callable[[str], str] = str) -> tuple[ToolCall, ...]:
    """Return the tool calls in a value, which is a call, a list of calls, or content blocks that include calls.

    Raises:
        UsageError: an item of the value is not a call.

    >>> [str(call) for call in calls_of([{"type": "tool_use", "id": "a", "name": "now", "input": {"zone": "CET"}}])]
    ['now(zone="CET")']
    """
    if value is None:
        return ()
    entries = value if isinstance(value, list) else [value]
    return tuple(_call(entry, mask) for entry in entries if not _is_text_block(entry))


def _is_text_block(entry: Any) -> bool:
    return isinstance(entry, Mapping) and entry.get("type") in ("text", "thinking", "output_text", "reasoning")


def _call(entry: Any, mask: Callable[[str], str]) -> ToolCall:
    if not isinstance(entry, Mapping):
        raise UsageError(f"expected a call, found {json.dumps(entry, default=str)[:60]}")
    inner = entry.get("function")
    fields = dict(inner if isinstance(inner, Mapping) else entry)
    arguments = next((fields[name] for name in ("arguments", "input", "args", "parameters") if name in fields), None)
    name_given = fields.get("name") or fields.get("tool") or fields.get("function")
    call = ToolCall.from_record({"name": name_given, "arguments": struck_out(arguments, mask), "id": entry.get("id")})
    result = entry.get("result")
    return call if result is None else ToolCall.from_record({**call.to_record(), "result": struck_out(result, mask)})


def calls_found(data: Any, mask: Callable[[str], str] = str) -> tuple[ToolCall, ...]:
    """Return the tool calls in JSON data of unknown structure, found by their usual keys, or () if there are none.

    >>> [str(call) for call in calls_found({"choices": [{"message": {"tool_calls": [{"name": "now"}]}}]})]
    ['now()']
    """
    for path in _PLACES:
        place = value_at(data, path)
        for name in NAMES if isinstance(place, Mapping) else ():
            with suppress(UsageError):  # the name may mean something else here, such as a number of telephone calls
                if calls := calls_of(place.get(name) or None, mask):
                    return calls
    return ()


def calls_streamed(stream: Sequence[StreamEvent], mask: Callable[[str], str] = str) -> tuple[ToolCall, ...]:
    """Return the tool calls assembled from the chunks of a stream in OpenAI's format, or () if there are none."""
    calls: dict[Any, dict[str, str]] = {}
    for piece in _pieces(stream):
        function = piece.get("function")
        fields = function if isinstance(function, Mapping) else piece
        index = piece.get("index", piece.get("id"))
        if index is None:  # servers that leave both out send whole calls
            index = f"call {len(calls)}"
        call = calls.setdefault(index, {"id": "", "name": "", "arguments": ""})
        call["id"] = call["id"] or str(piece.get("id") or "")
        # Some servers repeat the name with each piece, others send it in pieces, too.
        name = str(fields.get("name") or "")
        call["name"] = call["name"] if name == call["name"] else call["name"] + name
        arguments = fields.get("arguments") or ""
        call["arguments"] += arguments if isinstance(arguments, str) else json.dumps(arguments)
    return tuple(_call(call, mask) for call in calls.values() if call["name"])


def _pieces(stream: Sequence[StreamEvent]) -> Iterator[Mapping[str, Any]]:
    for data in data_of(stream):
        for path in (("choices", "delta"), ("choices", "message"), ("delta",), ("message",), ()):
            place = value_at(data, path)
            pieces = place.get("tool_calls") if isinstance(place, Mapping) else None
            if isinstance(pieces, list):
                yield from (piece for piece in pieces if isinstance(piece, Mapping))
                break
