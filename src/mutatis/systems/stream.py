"""Reads a reply that arrives in chunks, as server-sent events or one JSON object per line, and joins them.

The whole body must have been received first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from mutatis.core.parsing import NotReadable, json_of
from mutatis.core.system import Finish
from mutatis.systems.endings import ending_of, says_failed, value_at
from mutatis.text.normalisation import listed_words

_FIELD = re.compile(r"(?:data|event|id|retry)?:")
"""Matches the start of a line of server-sent events. A line that begins with a colon is a comment."""

_LINE_END = re.compile(r"\r\n|\n|\r")  # unlike `str.splitlines`, which also splits at U+2028 and U+0085
_SERVER_SENT = "text/event-stream"
_JSON_LINES = ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines")
_END = "[DONE]"
_ENDS = listed_words(
    "end done close finish finished complete completed message_stop message_end message-end stream-end stream_end"
    " response.completed response.incomplete"
)
_BEGINS = frozenset({"message_start", "message-start", "stream-start", "stream_start", "response.created"})
_KINDS = ("type", "event", "event_type")
_FAILS = re.compile(r"^(?:(?:response|stream|message|run|workflow)[._-](?:failed|error)|error)$")
"""Matches types of events that report a failure."""

_ASIDE = re.compile(r"reasoning|thinking|function|tool|^(?:ping|heartbeat|keep-?alive|open|metadata)$")
"""Matches types of events whose text is not part of the reply, such as reasoning or tool calls."""

CHUNK = ("choices", "delta", "message", "content", "text", "token", "response", "answer", "reply", "output", "data")
"""Keys that may hold an event's chunk of the reply, most likely first."""

GOES_ON = frozenset({"delta", "token"})
"""Keys whose chunks always continue the reply. A chunk under another key may repeat the reply so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamEvent:
    """One event of a stream, with its data and its name, if any."""

    data: str
    name: str = ""


def events(body: str, media: str = "") -> list[StreamEvent] | None:
    r"""Return the events of a stream of server-sent events or of JSON lines, or None if the body is not a stream.

    Unless the header declares a stream (`media`), every line of the body must look like part of one, because an
    ordinary text may begin with "data:" or ":)". If a server sends several replies at once, only the first is returned.

    >>> [event.data for event in events('event: token\ndata: {"t": "Hi"}\n\ndata: [DONE]\n\n')]
    ['{"t": "Hi"}', '[DONE]']
    >>> [event.data for event in events('{"a": 1}\n{"a": 2}')]
    ['{"a": 1}', '{"a": 2}']
    >>> print(events('{"a": 1}'), events("Hi!"), events(":) Hi!"))
    None None None
    """
    lines = _LINE_END.split(body.removeprefix("\ufeff"))
    filled = [line for line in lines if line.strip()]
    if filled and _FIELD.match(filled[0]):
        if media == _SERVER_SENT or (all(map(_FIELD.match, filled)) and _has_whole_event(lines)):
            return _of_one_choice(list(_server_sent(lines)))
        return None
    # A single object is an ordinary reply in JSON.
    are_objects = len(filled) > 1 and all(line.lstrip().startswith("{") and _is_json(line) for line in filled)
    if media in _JSON_LINES or are_objects:
        return _of_one_choice([StreamEvent(data=line) for line in filled])
    return None


_OTHER_CHOICE = re.compile(r'"index"\s*:\s*[1-9]')
"""Matches the index of a choice other than the first."""


def _of_one_choice(stream: list[StreamEvent]) -> list[StreamEvent]:
    """Return the events of a single reply. If a server sends several replies (choices) at once, keep the first."""
    if not any(map(_OTHER_CHOICE.search, (event.data for event in stream))):
        return stream
    numbers = [_choice(event) for event in stream]
    first = next((number for number in numbers if number is not None), None)
    return [event for event, number in zip(stream, numbers, strict=True) if number in (None, first)]


def _choice(event: StreamEvent) -> int | None:
    """Return the index of the choice that an OpenAI chunk belongs to, or None for any other event."""
    choice = value_at(_json(event.data), ("choices",))
    number = choice.get("index", 0) if isinstance(choice, dict) else None
    return number if isinstance(number, int) else None


def _has_whole_event(lines: Sequence[str]) -> bool:
    """Return True if a blank line, which ends an event, follows some data."""
    first = next((at for at, line in enumerate(lines) if line.startswith("data:")), len(lines))
    return "" in lines[first + 1 : -1]  # after the last line break comes an empty string, which is no line


def _server_sent(lines: Sequence[str]) -> Iterator[StreamEvent]:
    """Yield events from their `data:` lines. One space after the colon is dropped, as in the HTML standard."""
    data, name = list[str](), ""
    for line in [*lines, ""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line.startswith("event:"):
            name = line[6:].strip()
        elif not line:
            # Servers that forget the blank line between events send one event of many lines, each a JSON object.
            apart = len(data) > 1 and all(row.startswith("{") and _is_json(row) for row in data)
            if data and not apart:
                data = ["\n".join(data)]
            yield from (StreamEvent(data=payload, name=name) for payload in data)
            data, name = [], ""


@dataclass(slots=True, kw_only=True)
class Streamed:
    """The reply in a stream, put together event by event.

    Attributes:
        read: returns an event's chunk of the reply, and whether it continues the reply for certain (`GOES_ON`).
        is_json: whether the events are JSON.
        ends: additional words that the server uses for the end of a complete reply.
        pieces: the chunks so far, each with that flag.
        last: the chunks of events that end the stream. They are kept apart, because some bots repeat the whole reply
            there.
        open, closed: whether an event announced that an end mark will come, and whether it came.
        broken: whether an event was cut off.
        finish: why the reply ended.
        unknown_end: the server's word for an end that Mutatis does not know.
        error: the error that an event reports.
    """

    read: Callable[[Any], tuple[Any, bool]]
    is_json: bool
    ends: Collection[str] = ()
    pieces: list[tuple[str, bool]] = field(default_factory=list)
    last: list[str] = field(default_factory=list)
    open: bool = False
    closed: bool = False
    broken: bool = False
    finish: Finish = Finish.STOP
    unknown_end: str = ""
    error: Any = None

    def add(self, event: StreamEvent) -> None:
        """Add the content of one event to the reply."""
        data = _json(event.data)
        if not isinstance(data, dict) or not data:
            self._add_text(event, data)
            return
        kinds = {kind.lower() for kind in (event.name, *map(data.get, _KINDS)) if isinstance(kind, str)}
        ending, is_last = ending_of(data, self.ends), not _ENDS.isdisjoint(kinds)
        self.open |= ending.open or not _BEGINS.isdisjoint(kinds) or _is_chunk(data)
        self.closed |= ending.closed or is_last
        if ending.finish is not Finish.STOP:
            self.finish, self.unknown_end = ending.finish, ending.ended
        is_aside = any(map(_ASIDE.search, kinds))
        # A tool that reports a failure does not end the reply: the model may still answer.
        failed = any(map(_FAILS.search, kinds)) or (not is_aside and says_failed(data))
        if ending.error or failed:
            self.error = self.error or ending.error or data
            return
        piece, goes_on = self.read(data)
        if not isinstance(piece, str) or piece == _END or is_aside:
            return
        if is_last:
            self.last.append(piece)
        else:
            self.pieces.append((piece, goes_on))

    def _add_text(self, event: StreamEvent, data: Any) -> None:
        """Add an event that is not a JSON object: plain text, or a JSON string if the other events are JSON."""
        name = event.name.lower()
        if event.data.strip() == _END or name in _ENDS:
            self.closed = True
        elif _FAILS.search(name):
            self.error = self.error or event.data
        elif self.is_json and data is None and event.data.lstrip().startswith("{"):
            self.broken = True  # half an object, whose content is lost even if more events follow
        elif not _ASIDE.search(name):
            piece = event.data
            if self.is_json and data:
                piece = data if isinstance(data, str) else self.read(data)[0]
            if isinstance(piece, str):
                self.pieces.append((piece, False))

    @property
    def text(self) -> str | None:
        """The reply assembled from the chunks, or None if it is empty."""
        text, last = _together(self.pieces), "".join(self.last)
        return (last if last.startswith(text) else text + last) or None

    @property
    def ended(self) -> bool:
        """True if the stream is complete: no event was cut off, and no announced event is missing."""
        return not self.broken and (self.closed or not self.open)


def usual_chunk(data: Any) -> tuple[Any, bool]:
    """Return the innermost value under the first known key of an event, and whether it continues the reply."""
    if isinstance(data, list):
        return usual_chunk(data[0]) if data else (None, False)
    if not isinstance(data, dict):
        return data, False
    for name in CHUNK:
        if name in data:
            piece, goes_on = usual_chunk(data[name])
            if piece is not None:
                return piece, goes_on or name in GOES_ON
    return None, False


def joined(
    stream: Sequence[StreamEvent],
    read: Callable[[Any], tuple[Any, bool]] = usual_chunk,
    ends: Collection[str] = (),
) -> Streamed:
    r"""Join the events of a stream into one reply. If each event repeats the reply so far, the last event counts.

    "1" and "10" do not show that (see `_repeats`): such pieces are joined.

    Args:
        stream: the events. Those that are not JSON are taken as text.
        read: extracts the chunk from an event's JSON data, as in `Streamed`; by default it is looked up by name.
        ends: additional words that the server uses for the end of a complete reply.

    >>> joined(events('data: {"text": "It"}\n\ndata: {"text": "It is"}\n\n')).text
    'It is'
    >>> joined(events('data: {"text": "1"}\n\ndata: {"text": "10"}\n\n')).text
    '110'
    """
    streamed = Streamed(read=read, is_json=_is_meant_as_json(stream), ends=ends)
    for event in stream:
        streamed.add(event)
    return streamed


def data_of(stream: Sequence[StreamEvent], mark: str = "") -> Iterator[Any]:
    """Yield the JSON data of the events that contain `mark`.

    In a long stream, this avoids parsing all events again.
    """
    for event in stream:
        if mark in event.data:
            with suppress(NotReadable):
                yield json_of(event.data)


def _is_meant_as_json(stream: Sequence[StreamEvent]) -> bool:
    """Return True if the events are meant as JSON, rather than text that happens to be valid JSON ("[1]", "{}")."""
    data = [event.data.lstrip() for event in stream if event.data.strip() not in (_END, "")]
    return bool(data) and (data[0].startswith('{"') or all(line.startswith('"') and _is_json(line) for line in data))


def _is_chunk(data: Any) -> bool:
    """Return True if JSON data are a chunk in OpenAI's streaming format.

    In this format, the last chunk gives a finish reason, unless [DONE] follows.
    """
    choice = value_at(data, ("choices",))
    return isinstance(choice, dict) and "delta" in choice


def _together(pieces: Sequence[tuple[str, bool]]) -> str:
    """Join the chunks of a stream into the reply, leaving out repetitions."""
    going_on = [text for text, goes_on in pieces if goes_on]
    if going_on:  # chunks under other keys repeat the whole reply
        return "".join(going_on)
    texts = [text for text, _ in pieces]
    while texts and not texts[0]:
        del texts[0]
    if len(texts) > 2 and texts[-1] == "".join(texts[:-1]) and sum(map(str.isalpha, texts[-1])) > 1:
        return texts[-1]
    return texts[-1] if _repeats(texts) else "".join(texts)


def _repeats(texts: Sequence[str]) -> bool:
    """Return True if each chunk repeats the reply so far.

    It is not enough that each chunk begins with the one before, because "1" and "10" might also add up to "110". There
    must also be a sign that the chunks are not parts of the reply, such as a complete word ("It", "It is").
    """
    if not all(later.startswith(earlier) for earlier, later in pairwise(texts)):
        return False
    different = list(dict.fromkeys(texts))
    if len(different) < 2:
        return False
    before_last = "".join(different[:-1])
    ends_a_word = any(a[-1].isalpha() and not b[len(a)].isalnum() for a, b in pairwise(different))
    return len(different) > 2 or sum(map(str.isalpha, before_last)) > 1 or ends_a_word


def _json(text: str) -> Any:
    """Parse a text as JSON. Return None if it is not JSON, or only a number or boolean, as in ordinary text."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return None if isinstance(data, int | float | bool) else data


def _is_json(text: str) -> bool:
    return _json(text) is not None
