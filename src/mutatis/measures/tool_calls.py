"""Compares two lists of tool calls: the names of the tools, and their arguments according to each tool's schema.

Optional arguments may be omitted or set to their default, and numbers may be written as text. The order of a list
matters only if the schema mentions an order, and the order of calls only if one uses the result of another. Free text
is left to the judge of short answers, and the pair is undecided if that judge is unsure. The comparison is symmetric.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from mutatis.core.calls import Tool, tool_key
from mutatis.core.measure import Comparison, Says, Similarity
from mutatis.core.parsing import NotReadable, json_of
from mutatis.measures.argument_values import SAME, compare_arguments, matched, says_nothing, worst
from mutatis.measures.catalogue import add_pair_measure
from mutatis.measures.similarities import cannot_tell, different, most_similar, same

CallData: TypeAlias = Mapping[str, Any]
"""A tool call as data: a mapping with the keys `name` and `arguments`."""

AGREEMENT: dict[Says, float] = {"same": 0.99, "different": 0.97}
"""Proportion of correct verdicts on the held-out half of `studies/tool_calls`.

This half has equal numbers of pairs that are the same and pairs that differ.
"""

_USES = re.compile(
    r"\$\{?[a-z][\w.]*\}?|\{\{[^{}]+\}\}|<[^<>]*(?:result|output)[^<>]*>|(?:the )?(?:result|output) (?:of|from) .+",
    re.IGNORECASE,
)
"""Pattern of an argument that refers to the result of an earlier call."""


def schemas_of(tools: Sequence[Tool]) -> dict[str, Mapping[str, Any]]:
    """Return the schema of each tool's arguments. The keys are the tools' names, normalised for comparison."""
    functions = (tool["function"] for tool in tools)
    return {tool_key(function["name"]): function.get("parameters") or {} for function in functions}


def compare_calls(first: Sequence[CallData], second: Sequence[CallData], tools: Sequence[Tool] = ()) -> Similarity:
    """Compare two lists of tool calls made in reply to the same question.

    >>> compare_calls([{"name": "f", "arguments": {"n": 1}}], [{"name": "f", "arguments": {"n": "1"}}]).score
    0.95
    """
    if not first and not second:
        return same("no call on either side", 1.0)
    if len(first) != len(second):
        return different(f"{_counted(len(first))} / {_counted(len(second))}: {_extra(first, second)}")
    schemas = schemas_of(tools)
    # A call that uses the result of an earlier one must stay behind it.
    in_order = any(_uses_result(call.get("arguments")) for call in (*first, *second))
    verdict = worst(
        matched(first, second, lambda call, other: _call(call, other, schemas), _likeness, in_order=in_order)
    )
    return same("the same calls", 1.0 if list(first) == list(second) else 0.95) if verdict is SAME else verdict


def _uses_result(arguments: Any) -> bool:
    """Return True if any of a call's arguments is only a reference to another call's result."""
    values = arguments.values() if isinstance(arguments, Mapping) else ()
    return any(isinstance(value, str) and _USES.fullmatch(value.strip()) is not None for value in values)


def _likeness(call: CallData, other: CallData) -> tuple[bool, int]:
    """Return a sort key for two calls that is greatest for the same tool and the most equal arguments."""
    ours, theirs = call.get("arguments"), other.get("arguments")
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        shared = sum(name in theirs and ours[name] == theirs[name] for name in ours)
    else:
        shared = int(ours == theirs)
    return tool_key(str(call.get("name"))) == tool_key(str(other.get("name"))), shared


def _call(first: CallData, second: CallData, schemas: Mapping[str, Mapping[str, Any]]) -> Similarity:
    ours, theirs = tool_key(str(first.get("name"))), tool_key(str(second.get("name")))
    if ours != theirs:
        return different(f"another tool: {ours} / {theirs}")
    arguments = [call.get("arguments") for call in (first, second)]
    if not all(isinstance(table, Mapping) for table in arguments):
        return SAME if arguments[0] == arguments[1] else different(f"{ours}: arguments that are not an object")
    schema = schemas[ours] if ours in schemas else _undescribed(*arguments)
    verdict = compare_arguments(arguments[0], arguments[1], schema)  # type: ignore[arg-type]
    return verdict if verdict is SAME else replace(verdict, reason=f"{ours}, {verdict.reason}")


def _undescribed(*arguments: Any) -> Mapping[str, Any]:
    """Return a schema for a tool without a description: every argument that has a value is required."""
    names = (
        name for table in arguments for name, value in table.items() if value is not False and not says_nothing(value)
    )
    return {"required": list(names)}


def _counted(number: int) -> str:
    return f"{number or 'no'} call" if number < 2 else f"{number} calls"


def _extra(first: Sequence[CallData], second: Sequence[CallData]) -> str:
    """Describe a call that occurs in only one of two lists."""
    ours, theirs = (Counter(tool_key(str(call.get("name"))) for call in calls) for calls in (first, second))
    name = next((ours - theirs if len(first) > len(second) else theirs - ours).elements())
    return f"{name} is on one side only"


def _compared(comparison: Comparison) -> Similarity:
    """Compare an answer with the most similar of the accepted lists of calls."""
    answer = call_list(comparison.answer)
    references = [call_list(value) for value in comparison.reference]
    if answer is None or None in references:
        return cannot_tell("one of the answers is not a list of calls")
    return most_similar(
        compare_calls(reference, answer, comparison.tools) for reference in references if reference is not None
    )


def call_list(value: Any) -> list[CallData] | None:
    """Parse the tool calls in an answer, which may be JSON text. Return None if it is not a list of calls.

    >>> call_list('[{"name": "now", "arguments": {}}]'), call_list("hello")
    ([{'name': 'now', 'arguments': {}}], None)
    """
    if isinstance(value, str):
        try:
            value = json_of(value)
        except NotReadable:
            return None
    if not isinstance(value, list | tuple) or not all(isinstance(call, Mapping) and "name" in call for call in value):
        return None
    return list(value)


add_pair_measure(
    "tool-calls",
    _compared,
    summary="Calls of tools: the same tools with the same arguments, by the tools' schemas; else open.",
    kinds=("calls",),
    precision=lambda: AGREEMENT,
)
