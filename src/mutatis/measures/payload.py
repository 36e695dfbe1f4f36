"""Reads a reply that is JSON data, and names where two such replies differ.

Must not know what was asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mutatis.prompting import unfenced


def json_data(text: str) -> Any:
    """Return the JSON object or list that a reply is, bare or in a fence, None for any other reply.

    >>> json_data('{"price": 129}'), json_data("It costs 129 euros."), json_data("129")
    ({'price': 129}, None, None)
    """
    bare = unfenced(text)
    if not bare.startswith(("{", "[")):
        return None
    try:
        return json.loads(bare)
    except (ValueError, RecursionError):
        return None


def _leaves(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the simple values of JSON data, each with its path."""
    if isinstance(data, dict):
        for key in data:
            yield from _leaves(data[key], f"{path}.{key}" if path else str(key))
    elif isinstance(data, list):
        for at, one in enumerate(data):
            yield from _leaves(one, f"{path}[{at}]")
    else:
        yield path, data


def difference(first: Any, second: Any) -> str | None:
    """Name a simple value or a key in which two unequal pieces of data differ, None where only texts do.

    >>> difference({"price": 129}, {"price": 149}), difference({"a": 1}, {"a": 1, "b": 2})
    ('JSON differs at price: 129 / 149', "only one reply's JSON has b")
    >>> difference({"text": "a blue lamp"}, {"text": "a lamp in blue"})
    """
    ours, theirs = dict(_leaves(first)), dict(_leaves(second))
    for path in sorted(ours.keys() & theirs.keys()):
        one, other = ours[path], theirs[path]
        texts = isinstance(one, str) and isinstance(other, str)
        if one != other and not (texts and " " in one + other):
            return f"JSON differs at {path}: {json.dumps(one)[:40]} / {json.dumps(other)[:40]}"
    keys = sorted(ours.keys() ^ theirs.keys())
    return f"only one reply's JSON has {keys[0]}" if keys else None
