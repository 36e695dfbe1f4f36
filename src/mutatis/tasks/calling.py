"""The parser of task `tool-call`: the calls of an answer, as JSON data. An answer without calls counts, too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mutatis.core.calls import ToolCall
from mutatis.core.cases import Case
from mutatis.core.errors import UsageError
from mutatis.core.parsing import NotReadable, json_of
from mutatis.core.system import Response
from mutatis.core.task import Unparsable
from mutatis.prompting import unfenced
from mutatis.tasks.parsers import PARSERS, answer_text, quoted

_BEGIN, _END = "<tool_call>", "</tool_call>"
"""How models without an interface for calls write them (Hermes, Qwen)."""


@dataclass(frozen=True, slots=True)
class CallsParser:
    """The calls of an answer, or calls written as JSON in its text; else empty."""

    def parse(self, response: Response, case: Case) -> list[dict[str, Any]]:
        """Return the calls in order, each with `name` and `arguments`; raise `Unparsable` for wrong JSON."""
        calls = response.calls or written_calls(answer_text(response))
        for call in calls:
            if call.malformed:
                raise Unparsable(f"the arguments of the call {call.name} are no JSON object: {quoted(call.malformed)}")
        return [{"name": call.name, "arguments": dict(call.arguments)} for call in calls]

    def uninformative(self, value: Any) -> bool:
        """Whether nothing is called."""
        return not value


def _tagged(text: str) -> list[str]:
    """Return what stands between the tags that are closed."""
    opened = [part.partition(_END) for part in text.split(_BEGIN)[1:]]
    return [inner for inner, closed, _ in opened if closed]


def written_calls(text: str) -> tuple[ToolCall, ...]:
    """Return the calls that a text consists of: JSON with `name` and `arguments`, bare, fenced or tagged; else ().

    >>> [str(call) for call in written_calls('<tool_call>{"name": "now", "arguments": {"zone": "CET"}}</tool_call>')]
    ['now(zone="CET")']
    >>> written_calls('The name is {"name": "Ada"}.')
    ()
    """
    calls: list[ToolCall] = []
    for candidate in _tagged(text) or [unfenced(text)]:
        try:
            data = json_of(candidate)
        except NotReadable:
            return ()
        for entry in data if isinstance(data, list) else [data]:
            entry = entry.get("function", entry) if isinstance(entry, dict) else entry
            if not isinstance(entry, dict) or not {"arguments", "parameters"} & entry.keys():
                return ()
            try:
                arguments = entry.get("arguments", entry.get("parameters"))
                calls.append(ToolCall.from_record({"name": entry.get("name"), "arguments": arguments}))
            except UsageError:
                return ()
    return tuple(calls)


PARSERS["calls"] = CallsParser()
