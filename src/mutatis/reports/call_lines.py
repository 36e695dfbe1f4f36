"""Formats tool calls as code, one per line, and marks where two sequences diverge and which arguments differ.

All text from data or models is made safe to print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from mutatis.core.calls import ToolCall, tools_in
from mutatis.core.errors import UsageError
from mutatis.records.asked import CallRecord
from mutatis.reports.marking import MarkedSpan, mark, shorten, visible

RESULT = 160
"""Maximum number of characters of a result shown next to its call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLine:
    """One tool call for display: its code, its result, and whether the two compared sequences diverge here."""

    spans: tuple[MarkedSpan, ...]
    result: str = ""
    parts: bool = False


def call_lines(calls: Sequence[CallRecord], others: Sequence[CallRecord] | None = None) -> tuple[CallLine, ...]:
    """Return tool calls as lines for display.

    If `others` are given, the calls are compared with them step by step.
    """
    codes = _codes(calls)
    other_codes = codes if others is None else _codes(others)
    steps = list(zip_longest(codes, other_codes))
    first_difference = next((number for number, (code, other) in enumerate(steps) if code != other), -1)
    lines = []
    for number, (call, code) in enumerate(zip(calls, codes, strict=True)):
        other = other_codes[number] if number < len(other_codes) else ""
        _, spans = mark(other, code) if other else ((), (MarkedSpan(visible(code), True),))
        result = visible(call.result or "")
        shown = result if len(result) <= RESULT else result[: RESULT - 1] + "\u2026"
        lines.append(CallLine(spans=shorten(spans), result=shown, parts=number == first_difference))
    return tuple(lines)


def _codes(calls: Sequence[CallRecord]) -> list[str]:
    return [str(ToolCall.from_record(call.to_json())) for call in calls]


def material_in_words(name: str, text: str) -> str:
    """Return an input's material for display, with each tool as a line `name(argument, ...): description`.

    Other material is returned unchanged.
    """
    try:
        tools = tools_in({name: text})
    except UsageError:
        return text
    return "\n".join(map(_in_words, (tool["function"] for tool in tools))) or text


def _in_words(function: dict[str, object]) -> str:
    parameters = function.get("parameters")
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    names = ", ".join(map(str, properties if isinstance(properties, dict) else ()))
    description = function.get("description")
    return f"{function['name']}({names})" + (f": {description}" if description else "")
