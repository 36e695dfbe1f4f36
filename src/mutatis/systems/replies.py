"""Reads a chatbot's answer: the reply in JSON, in stream events or as plain text, and why it ended."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mutatis.core.calls import ToolCall
from mutatis.core.errors import Retryable, SystemFailure, UsageError
from mutatis.core.system import Finish
from mutatis.systems.calling import calls_found, calls_of, calls_streamed
from mutatis.systems.endings import ending_of, status_of
from mutatis.systems.received import Received
from mutatis.systems.refusals import brief_value
from mutatis.systems.stream import StreamEvent, events, joined
from mutatis.systems.transport import Endpoint

_STEP = re.compile(r"[^.\[\]]+")
_PLACE = re.compile(r"-?[0-9]{1,9}")
_PAGE = re.compile(r"<(?:!doctype|html|\?xml)\b", re.IGNORECASE)
_MARKUP = re.compile(r"<[!?/a-zA-Z]")
_BEGINS_JSON = re.compile(r"""\{\s*(?:"|\}\s*$)|\[\s*\{""")
"""The start of JSON but never of a sentence: "{hello} there" and "[citation] hi" are text, half an object is not."""

_NO_REPLY = frozenset({"error", "errors", "detail", "code", "status", "id", "type", "role", "model", "object", "url"})
"""Keys whose text is never the reply."""

DEEPEST = 20
"""Maximum depth at which data are searched for a text."""

_SAY = 'set it: response = "...", or --set system.response=...'


class NotThere(SystemFailure):
    """An answer has nothing where its text should be."""


def at_path(data: Any, path: str, mask: Callable[[str], str] = str) -> Any:
    """Return the value at a path such as `choices[0].text` or `choices.0.text`.

    Raises:
        NotThere: there is nothing at the path; `mask` removes secrets from the answer that the message quotes.

    >>> at_path({"choices": [{"text": "hi"}]}, "choices.0.text")
    'hi'
    """
    for step in _STEP.findall(path):
        if isinstance(data, dict) and step in data:
            data = data[step]
        elif isinstance(data, list) and _PLACE.fullmatch(step) and -len(data) <= int(step) < len(data):
            data = data[int(step)]
        else:
            names = f"it has: {', '.join(map(str, data)) or 'nothing'}" if isinstance(data, dict) else ""
            seen = brief_value(names, mask) if names else f"found {brief_value(data, mask)}"
            raise NotThere(f"the answer has nothing at {path!r} (at {step!r} {seen})")
    return data


NAMES = (
    *("answer", "reply", "response", "output_text", "generated_text", "message", "text", "content", "output", "result"),
    *("completion", "choices", "messages", "data", "bot", "label", "prediction"),
)
"""Names that bots use for their reply, most likely first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The value in place of the reply, why the reply ended, and any other error that the bot reports.

    `calls` are the tools that the bot calls, in addition to the reply or instead of one.
    """

    value: Any
    finish: Finish = Finish.STOP
    ended: str = ""
    error: Any = None
    calls: tuple[ToolCall, ...] = ()


def reply_in(received: Received, path: str | None, endpoint: Endpoint, calls: str | None = None) -> Reply:
    """Return the reply from a bot's answer.

    `path` is where the reply is in its JSON, or in each event of a stream; None finds it by name, "" takes the whole
    body. `calls` is where the tool calls are; None finds them by their usual names.

    Raises:
        SystemFailure: no reply is found, or an error in its place; Retryable if a stream broke off.
    """
    text = received.text
    stream = events(text, received.media)
    try:
        if stream is not None:
            return _streamed(stream, path, endpoint)
        if path == "":
            return Reply(value=text)
        if path is None:
            return _found(received, text.strip(), endpoint, calls)
        data = endpoint.parse(received.json)
        made = _calls_in(data, calls, endpoint)
        try:
            value = at_path(data, path, endpoint.mask)
        except NotThere:
            if not made:
                raise
            value = None
        ending = ending_of(data, endpoint.ends)
        return Reply(value=value, finish=ending.finish, ended=ending.ended, calls=made)
    except NotThere as error:
        raise SystemFailure(endpoint.told(str(error))) from None


def _calls_in(data: Any, path: str | None, endpoint: Endpoint) -> tuple[ToolCall, ...]:
    """Return the calls in JSON data.

    Raises:
        SystemFailure: the value at `path` is not a list of calls.
    """
    if path is None:
        return calls_found(data, endpoint.mask_answer)
    try:
        return calls_of(at_path(data, path), endpoint.mask_answer)
    except NotThere:  # no call this time
        return ()
    except UsageError as error:
        raise SystemFailure(endpoint.told(f"calls at {path!r} cannot be read: {error}")) from None


def _found(received: Received, text: str, endpoint: Endpoint, calls: str | None) -> Reply:
    """Return the reply in a body of unknown form. A body that is not JSON is the reply.

    Raises:
        NotThere: the body is a web page, or JSON without a name for the reply.
    """
    if (received.media != "text/plain" and _MARKUP.match(text)) or _PAGE.match(text):
        raise NotThere(f"the answer is a page or markup, not JSON: {brief_value(text, endpoint.mask)}")
    if not text.startswith(("{", "[", '"')):
        return Reply(value=None if received.is_json and text == "null" else text)
    certain = received.is_json or (_BEGINS_JSON.match(text) is not None and not _goes_on_in_words(text))
    try:
        data = endpoint.parse(received.json)
        ending = ending_of(data, endpoint.ends)
        made = _calls_in(data, calls, endpoint)
        try:
            value = _guessed_or_where(data, endpoint.mask)
        except NotThere:
            if not made:
                raise
            value = None
        return Reply(value=value, finish=ending.finish, ended=ending.ended, error=ending.error, calls=made)
    except SystemFailure:
        if certain:
            raise
        return Reply(value=text)


def _goes_on_in_words(text: str) -> bool:
    """Return True if words follow complete JSON data: the text then mentions JSON but is not JSON."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return text[end:].lstrip()[:1].isalpha()


def _guessed_or_where(data: Any, mask: Callable[[str], str]) -> Any:
    """Return the reply in JSON data. Raise NotThere with the path of a text that may be the reply."""
    try:
        return guessed(data, mask)
    except NotThere as error:
        path = text_path(data)
        if path is None:
            raise
        told = str(error).replace(
            _SAY, f'perhaps at {path!r}; set it: response = "{path}", or --set system.response={path}'
        )
        raise NotThere(mask(told)) from None


def text_path(data: Any) -> str | None:
    """Return the path of the text in JSON data that is most likely a reply, or None if there is no text.

    >>> text_path({"id": "a1", "result": {"replies": [{"type": "text", "value": "Hello there."}]}})
    'result.replies[0].value'
    """
    texts = [(_rank(path, text), number, path) for number, (path, text) in enumerate(_texts(data, ""))]
    return min(texts)[2] if texts else None


def _rank(path: str, text: str) -> tuple[bool, bool]:
    """Return a key that sorts likely replies first: by name, and single words last."""
    name = path.rpartition(".")[2].partition("[")[0]
    return name not in (*NAMES, "value", "body", "utterance"), " " not in text.strip()


def _texts(data: Any, path: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the texts in JSON data with paths that `at_path` understands."""
    if isinstance(data, str) and path and any(map(str.isalpha, data)):
        yield path, data
    elif depth > DEEPEST:
        return
    elif isinstance(data, list):
        for place, item in enumerate(data[:1]):
            yield from _texts(item, f"{path}[{place}]", depth + 1)
    elif isinstance(data, dict):
        for name, value in data.items():
            if isinstance(name, str) and _STEP.fullmatch(name) and name.casefold() not in _NO_REPLY:
                yield from _texts(value, f"{path}.{name}" if path else name, depth + 1)


def guessed(data: Any, mask: Callable[[str], str] = str) -> Any:
    r"""Return the reply in JSON data, by the names that bots usually give it; several messages are joined.

    Raises:
        NotThere: there is no such name.

    >>> guessed({"status": "ok", "reply": "Hi!"}), guessed([{"text": "Hi!"}, {"text": "How are you?"}])
    ('Hi!', 'Hi!\nHow are you?')
    >>> guessed({"choices": [{"message": {"role": "assistant", "content": "Hi!"}}]})
    'Hi!'
    """
    if isinstance(data, list) and data:
        items = [guessed(item, mask) for item in data]
        if not all(isinstance(text, str) for text in items):
            raise NotThere(f"cannot find the reply in the answer; {_SAY}, found {brief_value(data, mask)}")
        return "\n".join(items)
    if not isinstance(data, dict):
        return data
    name = next((name for name in NAMES if name in data), None)
    texts = [value for value in data.values() if isinstance(value, str)]
    if name is None and len(texts) == 1:
        return texts[0]
    if name is None:
        names = brief_value(f"it has: {', '.join(map(str, data)) or 'nothing'}", mask)
        raise NotThere(f"cannot find the reply in the answer ({names}); {_SAY}")
    value = data[name]
    return guessed(value[-1:] if name == "messages" and isinstance(value, list) else value, mask)


def _streamed(stream: Sequence[StreamEvent], path: str | None, endpoint: Endpoint) -> Reply:
    """Return the reply of a stream.

    An error or cut connection after the first chunk has the same effect as without streaming.

    Raises:
        SystemFailure: the stream contains no text, or an error; Retryable if it broke off.
    """

    def read(data: Any) -> Any:
        try:
            return at_path(data, path or "")
        except NotThere:
            return None

    streamed = joined(stream, read if path else None, path or "", endpoint.ends)
    if streamed.error is not None and (status := status_of(streamed.error)) is not None:
        payload = json.dumps({"error": streamed.error}).encode()
        raise endpoint.refusal(status, payload, {}, where="within the stream: ")
    calls = () if path == "" else calls_streamed(stream, endpoint.mask_answer)
    if streamed.text is None and streamed.finish is Finish.STOP and not calls:
        where = f" at {path!r}" if path else ""
        last = brief_value(stream[-1].data if stream else "", endpoint.mask)
        raise SystemFailure(endpoint.told(f"a stream of {len(stream)} events, no text{where}; last: {last}"))
    so_far = brief_value(streamed.text or "", endpoint.mask)
    if streamed.error is not None:
        said = brief_value(streamed.error, endpoint.mask)
        raise SystemFailure(endpoint.told(f"the stream ended with an error, {said}, after the text {so_far!r}"))
    if not streamed.ended:
        raise Retryable(endpoint.told(f"the stream broke off before its end mark, after the text {so_far!r}"))
    return Reply(value=streamed.text or "", finish=streamed.finish, ended=streamed.word, calls=calls)
