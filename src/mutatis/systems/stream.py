"""A reply that comes in pieces: server-sent events, or one JSON object per line; the pieces joined to one text.

Must not know addresses or secrets: it is given a body and says what it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

_EVENT = re.compile(r"(?:data|event|id|retry)?:")
_END = "[DONE]"

CHUNK = ("choices", "delta", "message", "content", "text", "token", "response", "answer", "reply", "output", "data")
"""Names under which the pieces of a reply stand, the likeliest first."""


def events(body: str) -> list[str] | None:
    r"""Return the data of each event of a stream; None where the body is no stream.

    >>> events('event: token\ndata: {"t": "Hi"}\n\ndata: [DONE]\n\n')
    ['{"t": "Hi"}']
    >>> events('{"a": 1}\n{"a": 2}')
    ['{"a": 1}', '{"a": 2}']
    >>> events('{"a": 1}') is events("Hi!") is None
    True
    """
    lines = body.lstrip("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    if _EVENT.match(first):
        return [data for data in _server_sent(lines) if data.strip() != _END]
    rows = [line for line in lines if line.strip()]
    if len(rows) > 1 and all(row.lstrip().startswith("{") and _parsed(row) is not None for row in rows):
        return rows
    return None


def _server_sent(lines: Sequence[str]) -> Iterator[str]:
    """Yield the data of each event: its `data:` lines, one space after the colon left out (the HTML standard)."""
    data: list[str] = []
    for line in [*lines, ""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []


def joined(chunks: Sequence[str], read: Callable[[Any], Any] | None = None) -> str | None:
    """Return the reply that the events of a stream hold; None where they hold none.

    `read` takes the text out of an event's JSON (None: where it is not there); by default it is found by its name.
    Events that are no JSON are text themselves. Where each event repeats the reply so far, the last one is the reply.

    >>> joined(['{"choices": [{"delta": {"content": "Hi"}}]}', '{"choices": [{"delta": {"content": "!"}}]}'])
    'Hi!'
    >>> joined(["Hello", " ", "you"]), joined(['{"text": "He"}', '{"text": "Hello"}']), joined(['{"type": "ping"}'])
    ('Hello you', 'Hello', None)
    """
    pieces = [piece for chunk in chunks if (piece := _piece(chunk, read or _named))]
    if not pieces:
        return None
    repeats = len(pieces) > 1 and all(b.startswith(a) for a, b in pairwise(pieces))
    return pieces[-1] if repeats and len(pieces[-1]) > len(pieces[0]) else "".join(pieces)


def _piece(chunk: str, read: Callable[[Any], Any]) -> str | None:
    data = _parsed(chunk)
    if data is None:
        return chunk
    found = data if isinstance(data, str) else read(data)
    return found if isinstance(found, str) else None


def _named(data: Any) -> Any:
    """Return what stands under the first name that tells a piece, as deep as it goes."""
    if isinstance(data, list):
        return _named(data[0]) if data else None
    if not isinstance(data, dict):
        return data
    return next((found for name in CHUNK if name in data and (found := _named(data[name])) is not None), None)


def _parsed(chunk: str) -> Any:
    try:
        data = json.loads(chunk)
    except (ValueError, RecursionError):
        return None
    return None if isinstance(data, int | float | bool) else data
