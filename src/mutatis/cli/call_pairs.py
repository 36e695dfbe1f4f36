"""Lines of a file of pairs of calls, for `mutatis judge --measure tool-calls`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mutatis.cli.lines import fields_of, text_of
from mutatis.core.calls import ToolCall, read_tools
from mutatis.core.errors import UsageError
from mutatis.core.measure import Comparison

CALL_PAIRS = (
    '{"question"?: text, "tools"?: [tools], "reference": [calls], "answer": [calls], "label"?: true or false}, a call '
    'being {"name": text, "arguments": object}'
)


def calls_comparison(line: str, where: str) -> tuple[Comparison, Any]:
    """Return the comparison and the label of one line.

    Raises:
        UsageError: the line is no JSON object with these fields; the message names `where`, field and expectation.
    """
    data = fields_of(line, where, CALL_PAIRS, ("reference", "answer"))
    try:
        tools = read_tools(data.get("tools") or [])
    except UsageError as error:
        raise UsageError(f"{where}: field 'tools': {error}") from None
    comparison = Comparison(
        reference=(_calls(data, "reference", where),),
        answer=_calls(data, "answer", where),
        question=text_of(data, "question", where),
        tools=tools,
    )
    return comparison, data.get("label")


def _calls(data: Mapping[str, Any], name: str, where: str) -> list[dict[str, Any]]:
    value = data[name]
    if not isinstance(value, list):
        raise UsageError(f"{where}: field {name!r} is {type(value).__name__}; expected a list of calls, [] for none")
    made = []
    for entry in value:
        if not isinstance(entry, dict):
            raise UsageError(
                f"{where}: field {name!r} holds {str(entry)[:40]!r}; expected a call, an object with a name"
            )
        try:
            call = ToolCall.from_record(entry)
        except UsageError as error:
            raise UsageError(f"{where}: field {name!r}: {error}") from None
        if call.malformed:
            raise UsageError(f"{where}: field {name!r}: the arguments of {call.name} are no JSON object")
        made.append({"name": call.name, "arguments": dict(call.arguments)})
    return made
