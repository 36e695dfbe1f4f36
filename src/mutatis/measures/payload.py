"""Reads replies that consist of JSON data, and names the difference between two such replies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mutatis.core.measure import Similarity
from mutatis.measures.similarities import cannot_tell, different, same
from mutatis.prompting import unfenced


def json_data(text: str) -> Any:
    """Parse a reply that is a JSON object or list, with or without a code fence. Return None for any other reply.

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
    """Yield the scalar values in JSON data, each with its path."""
    if isinstance(data, dict):
        for key in data:
            yield from _leaves(data[key], f"{path}.{key}" if path else str(key))
    elif isinstance(data, list):
        for at, item in enumerate(data):
            yield from _leaves(item, f"{path}[{at}]")
    else:
        yield path, data


def compare_json(first: str, second: str) -> Similarity | None:
    """Judge pairs with at least one JSON reply. Return None for all others.

    >>> compare_json('{"price": 129}', "It costs 129 euros.").reason
    'one reply is JSON, the other is not'
    """
    ours, theirs = json_data(first), json_data(second)
    if ours is None and theirs is None:
        return None
    if ours is None or theirs is None:
        return different("one reply is JSON, the other is not")
    if ours == theirs:
        return same("the same JSON data", 1.0)
    differs = difference(ours, theirs)
    if differs is None:
        return cannot_tell("texts inside the JSON data differ")
    return different(differs)


def difference(first: Any, second: Any) -> str | None:
    """Describe a difference between two JSON values, or return None if only longer strings differ.

    >>> difference({"price": 129}, {"price": 149}), difference({"a": 1}, {"a": 1, "b": 2})
    ('JSON differs at price: 129 / 149', "only one reply's JSON has b")
    >>> difference({"text": "a blue lamp"}, {"text": "a lamp in blue"})
    """
    ours, theirs = dict(_leaves(first)), dict(_leaves(second))
    for path in sorted(ours.keys() & theirs.keys()):
        left, right = ours[path], theirs[path]
        texts = isinstance(left, str) and isinstance(right, str)
        if left != right and not (texts and " " in left + right):
            return f"JSON differs at {path}: {json.dumps(left)[:40]} / {json.dumps(right)[:40]}"
    keys = sorted(ours.keys() ^ theirs.keys())
    return f"only one reply's JSON has {keys[0]}" if keys else None
