"""What thirty lines do: normalised text, the defaults that a schema names, calls as a set."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, bool) or value is None:
        return value
    try:
        return float(value)
    except ValueError:
        return re.sub(r"[^\w]+", " ", str(value)).strip().casefold()


def _filled(call: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> tuple[str, Any]:
    name = call["name"].replace(".", "_")
    tool = next((tool for tool in tools if tool["name"].replace(".", "_") == name), {})
    properties = tool.get("parameters", {}).get("properties", {})
    defaults = {key: schema["default"] for key, schema in properties.items() if "default" in schema}
    return name, _plain({**defaults, **call["arguments"]})


def naive_same(first: Sequence[Any], second: Sequence[Any], tools: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether two lists of calls are the same, as most who need it write it down first."""
    rest = [_filled(call, tools) for call in second]
    for call in (_filled(call, tools) for call in first):
        if call not in rest:
            return False
        rest.remove(call)
    return not rest
