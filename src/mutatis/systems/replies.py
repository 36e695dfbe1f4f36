"""Extracts a chatbot's reply and its tool calls from JSON, stream events or plain text.

Tool calls are read in OpenAI's format, as bare calls, Anthropic's blocks, or streams. Arguments that are not valid JSON
are kept as part of the answer (`ToolCall.malformed`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from mutatis.core.calls import ToolCall
from mutatis.core.errors import Retryable, SystemFailure, UsageError
from mutatis.core.system import Finish, Response
from mutatis.secrets.masking import struck_out
from mutatis.systems.endings import CUT_SHORT, ending_of, paths, status_of, value_at
from mutatis.systems.stream import GOES_ON, StreamEvent, data_of, events, joined, usual_chunk
from mutatis.systems.transport import Endpoint, Received, brief_value

_CALL_NAMES = ("tool_calls", "toolCalls", "tool_call", "function_call", "function_calls", "calls")
"""Keys that services use to return tool calls, most likely first."""

_CALL_PLACES = paths("message choices.message output response data result answer")
"""Paths to the object that contains the calls. If a path leads to a list, its first item is used."""


def calls_of(value: Any, mask: Callable[[str], str] = str) -> tuple[ToolCall, ...]:
    """Return the tool calls in a value, which is a call, a list of calls, or content blocks that include calls.

    Raises:
        UsageError: an item of the value is not a call.

    >>> [str(call) for call in calls_of([{"type": "tool_use", "id": "a", "name": "now", "input": {"zone": "CET"}}])]
    ['now(zone="CET")']
    """
    if value is None:
        return ()
    entries = value if isinstance(value, list) else [value]
    return tuple(_call(entry, mask) for entry in entries if not _is_text_block(entry))


def _is_text_block(entry: Any) -> bool:
    return isinstance(entry, Mapping) and entry.get("type") in ("text", "thinking", "output_text", "reasoning")


def _call(entry: Any, mask: Callable[[str], str]) -> ToolCall:
    if not isinstance(entry, Mapping):
        raise UsageError(f"expected a call, found {json.dumps(entry, default=str)[:60]}")
    inner = entry.get("function")
    fields = dict(inner if isinstance(inner, Mapping) else entry)
    arguments = next((fields[name] for name in ("arguments", "input", "args", "parameters") if name in fields), None)
    name_given = fields.get("name") or fields.get("tool") or fields.get("function")
    masked = {"arguments": struck_out(arguments, mask), "result": struck_out(entry.get("result"), mask)}
    return ToolCall.from_record({"name": name_given, "id": entry.get("id"), **masked})


def calls_found(data: Any, mask: Callable[[str], str] = str) -> tuple[ToolCall, ...]:
    """Return the tool calls in JSON data of unknown structure, found by their usual keys, or () if there are no calls.

    >>> [str(call) for call in calls_found({"choices": [{"message": {"tool_calls": [{"name": "now"}]}}]})]
    ['now()']
    """
    for path in _CALL_PLACES:
        place = value_at(data, path)
        for name in _CALL_NAMES if isinstance(place, Mapping) else ():
            with suppress(UsageError):  # the name may mean something else here, such as a number of telephone calls
                if calls := calls_of(place.get(name) or None, mask):
                    return calls
    return ()


def calls_streamed(stream: Sequence[StreamEvent], mask: Callable[[str], str] = str) -> tuple[ToolCall, ...]:
    """Return the tool calls assembled from the chunks of a stream in OpenAI's format, or () if there are no calls."""
    calls: dict[Any, dict[str, str]] = {}
    for piece in _pieces(stream):
        function = piece.get("function")
        fields = function if isinstance(function, Mapping) else piece
        index = piece.get("index", piece.get("id"))
        if index is None:  # servers that leave both out send whole calls
            index = f"call {len(calls)}"
        call = calls.setdefault(index, {"id": "", "name": "", "arguments": ""})
        call["id"] = call["id"] or str(piece.get("id") or "")
        # Some servers repeat the name with each piece, others send it in pieces, too.
        name = str(fields.get("name") or "")
        call["name"] = call["name"] if name == call["name"] else call["name"] + name
        arguments = fields.get("arguments") or ""
        call["arguments"] += arguments if isinstance(arguments, str) else json.dumps(arguments)
    return tuple(_call(call, mask) for call in calls.values() if call["name"])


def _pieces(stream: Sequence[StreamEvent]) -> Iterator[Mapping[str, Any]]:
    for data in data_of(stream):
        for path in (("choices", "delta"), ("choices", "message"), ("delta",), ("message",), ()):
            place = value_at(data, path)
            pieces = place.get("tool_calls") if isinstance(place, Mapping) else None
            if isinstance(pieces, list):
                yield from (piece for piece in pieces if isinstance(piece, Mapping))
                break


_STEP = re.compile(r"[^.\[\]]+")
"""Matches one key or index in a path such as `choices[0].text`."""

_PLACE = re.compile(r"-?[0-9]{1,9}")
"""Matches an index in a list, which may count from the end."""

_PAGE = re.compile(r"<(?:!doctype|html|\?xml)\b", re.IGNORECASE)
"""Matches the beginning of a web page or an XML document."""

_MARKUP = re.compile(r"<[!?/a-zA-Z]")
"""Matches the beginning of any markup."""

_BEGINS_JSON = re.compile(r"""\{\s*(?:"|\}\s*$)|\[\s*\{""")
"""Matches text that begins like JSON data and not like a sentence.

"{hello} there" and "[citation] hi" are ordinary text, but an object that breaks off halfway is JSON.
"""

_NO_REPLY = frozenset({"error", "errors", "detail", "code", "status", "id", "type", "role", "model", "object", "url"})
"""Keys whose value is never the reply."""

DEEPEST = 20
"""Maximum nesting depth in the search for a text in JSON data."""


class NotThere(SystemFailure):
    """Raised if an answer contains nothing at the path where its text is expected."""


def at_path(data: Any, path: str, mask: Callable[[str], str] = str) -> Any:
    """Return the value at a path such as `choices[0].text` or `choices.0.text`.

    `mask` removes secrets from the answer if an error message quotes it.

    Raises:
        NotThere: there is nothing at the path.

    >>> at_path({"choices": [{"text": "hi"}]}, "choices.0.text")
    'hi'
    """
    for step in _STEP.findall(path):
        if isinstance(data, dict) and step in data:
            data = data[step]
        elif isinstance(data, list) and _PLACE.fullmatch(step) and -len(data) <= int(step) < len(data):
            data = data[int(step)]
        else:
            raise NotThere(f"the answer has nothing at {path!r} (at {step!r} {_contents(data, mask)})")
    return data


def _contents(data: Any, mask: Callable[[str], str]) -> str:
    if isinstance(data, dict):
        return brief_value(f"it has: {', '.join(map(str, data)) or 'nothing'}", mask)
    return f"found {brief_value(data, mask)}"


NAMES = tuple(
    "answer reply response output_text generated_text message text content output result completion choices messages "
    "data bot label prediction".split()
)
"""Names that bots use for their reply, most likely first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A bot's reply, why it ended, and any error that the bot reports with it.

    Attributes:
        value: the value found at the path of the reply.
        finish: why the reply ended.
        ended: the server's word for why the reply ended, if Mutatis does not know it.
        error: any other error that the bot reports.
        calls: the tools that the bot calls, in addition to a reply or instead of one.
        refusal: the words of a refusal, if the server keeps them apart from the text.
    """

    value: Any
    finish: Finish = Finish.STOP
    ended: str = ""
    error: Any = None
    calls: tuple[ToolCall, ...] = ()
    refusal: str = ""

    def response(self, endpoint: Endpoint, where: str = "", /, **more: Any) -> Response:
        """Return the reply as a Response without secrets.

        Args:
            endpoint: the system, whose name appears in error messages.
            where: where the text was expected, for error messages.
            more: further parts of the response.

        Raises:
            SystemFailure: the reply has no text, or comes with an error.
        """
        return Response(
            text=self._text(endpoint, where),
            calls=self.calls,
            finish=self.finish,
            ended=endpoint.clean(self.ended),
            refusal=endpoint.mask_answer(self.refusal),
            **more,
        )

    def _text(self, endpoint: Endpoint, where: str) -> str:
        value = self.value
        error = "" if self.error is None else f", with the error {brief_value(self.error, endpoint.mask)}"
        if value is None or value == [] or (isinstance(value, str) and not value.strip()):
            if self.finish is Finish.FILTERED or (self.calls and not error):
                return ""
            cut = CUT_SHORT if self.finish is Finish.LENGTH else ""
            raise SystemFailure(endpoint.named(f"empty answer{where}{cut}{error}"))
        is_nan = value != value
        if isinstance(value, bool) or not isinstance(value, str | int | float) or is_nan:
            raise SystemFailure(endpoint.named(f"expected text{where}, found {brief_value(value, endpoint.mask)}"))
        text = endpoint.mask_answer(str(value))
        if error:
            raise SystemFailure(endpoint.named(f"the answer comes{error}: {brief_value(text)}"))
        return text


def reply_in(received: Received, path: str | None, endpoint: Endpoint, calls: str | None = None) -> Reply:
    """Return the reply from a bot's answer.

    Args:
        received: the bot's answer.
        path: path of the reply in the JSON data, or in each event of a stream. None looks under common names, and ""
            uses the whole body.
        endpoint: the system, whose name appears in error messages.
        calls: path of the tool calls. None looks under their usual names.

    Raises:
        SystemFailure: the answer has no reply, or an error in its place. It is a Retryable if a stream broke off.
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
        reply = _in_data(data, lambda data: at_path(data, path, endpoint.mask), endpoint, calls)
        return replace(reply, error=None)  # with a path, the value there counts, whatever else the data contain
    except NotThere as error:
        raise SystemFailure(endpoint.named(str(error))) from None


def _in_data(data: Any, find: Callable[[Any], Any], endpoint: Endpoint, calls: str | None) -> Reply:
    """Return the reply in JSON data. If there is no text, the tool calls are the reply.

    Raises:
        NotThere: `find` finds no text, and the data have no calls.
    """
    made_calls = _calls_in(data, calls, endpoint)
    try:
        value = find(data)
    except NotThere:
        if not made_calls:
            raise
        value = None
    ending = ending_of(data, endpoint.ends)
    return Reply(value=value, finish=ending.finish, ended=ending.ended, error=ending.error, calls=made_calls)


def _calls_in(data: Any, path: str | None, endpoint: Endpoint) -> tuple[ToolCall, ...]:
    """Return the tool calls in JSON data.

    Raises:
        SystemFailure: the value at `path` is not a list of calls.
    """
    if path is None:
        return calls_found(data, endpoint.mask_answer)
    try:
        return calls_of(at_path(data, path), endpoint.mask_answer)
    except NotThere:  # this answer has no calls
        return ()
    except UsageError as error:
        raise SystemFailure(endpoint.named(f"calls at {path!r} cannot be read: {error}")) from None


def _found(received: Received, text: str, endpoint: Endpoint, calls: str | None) -> Reply:
    """Return the reply from a body of unknown format. If the body is not JSON, it is itself the reply.

    Raises:
        NotThere: the body is a web page, or JSON without a known name for the reply.
    """
    if (received.media != "text/plain" and _MARKUP.match(text)) or _PAGE.match(text):
        raise NotThere(f"the answer is a web page or other markup, not JSON: {brief_value(text, endpoint.mask)}")
    if not text.startswith(("{", "[", '"')):
        return Reply(value=None if received.is_json and text == "null" else text)
    certain = received.is_json or (_BEGINS_JSON.match(text) is not None and not _goes_on_in_words(text))
    try:
        data = endpoint.parse(received.json)
        return _in_data(data, lambda data: _guessed_or_where(data, endpoint.mask), endpoint, calls)
    except SystemFailure:
        if certain:
            raise
        return Reply(value=text)


def _goes_on_in_words(text: str) -> bool:
    """Return True if a text begins with complete JSON data but continues with words."""
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return text[end:].lstrip()[:1].isalpha()


def _guessed_or_where(data: Any, mask: Callable[[str], str]) -> Any:
    """Return the reply from JSON data. If it is not found, raise NotThere and suggest the path of a likely text."""
    try:
        return guessed(data, mask)
    except NotThere as error:
        path = text_path(data)
        perhaps, path = (f"perhaps at {path!r}; ", path) if path else ("", "...")
        advice = f'{perhaps}set it: response = "{path}", or --set system.response={path}'
        raise NotThere(mask(f"cannot find the reply in the answer ({error}); {advice}")) from None


def text_path(data: Any) -> str | None:
    """Return the path of the text in JSON data that is most likely the reply, or None if there is no text.

    >>> text_path({"id": "a1", "result": {"replies": [{"type": "text", "value": "Hello there."}]}})
    'result.replies[0].value'
    """
    texts = [(_rank(path, text), number, path) for number, (path, text) in enumerate(_texts(data, ""))]
    return min(texts)[2] if texts else None


def _rank(path: str, text: str) -> tuple[bool, bool]:
    """Return a sort key that puts likely replies first: known names before others, and single words last."""
    name = path.rpartition(".")[2].partition("[")[0]
    return name not in (*NAMES, "value", "body", "utterance"), " " not in text.strip()


def _texts(data: Any, path: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield each text in JSON data with its path, in the format of `at_path`."""
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
    r"""Return the reply from JSON data, looked up under the names that bots commonly use. Several messages are joined.

    Raises:
        NotThere: no such name occurs.

    >>> guessed({"status": "ok", "reply": "Hi!"}), guessed([{"text": "Hi!"}, {"text": "How are you?"}])
    ('Hi!', 'Hi!\nHow are you?')
    >>> guessed({"choices": [{"message": {"role": "assistant", "content": "Hi!"}}]})
    'Hi!'
    """
    if isinstance(data, list) and data:
        items = [guessed(item, mask) for item in data]
        if not all(isinstance(text, str) for text in items):
            raise NotThere(_contents(data, mask))
        return "\n".join(items)
    if not isinstance(data, dict):
        return data
    name = next((name for name in NAMES if name in data), None)
    texts = [value for value in data.values() if isinstance(value, str)]
    if name is None and len(texts) == 1:  # the only text must be the reply
        return texts[0]
    if name is None:
        raise NotThere(_contents(data, mask))
    value = data[name]
    if name == "messages" and isinstance(value, list):
        value = value[-1:]  # the earlier ones are the conversation so far
    return guessed(value, mask)


def _streamed(stream: Sequence[StreamEvent], path: str | None, endpoint: Endpoint) -> Reply:
    """Return the reply from a stream.

    An error or a lost connection after the first event is handled as it would be without streaming.

    Raises:
        SystemFailure: the stream contains an error, or no text. It is a Retryable if the stream broke off.
    """
    goes_on = not GOES_ON.isdisjoint(_STEP.findall(path or ""))

    def read(data: Any) -> tuple[Any, bool]:
        try:
            return at_path(data, path or ""), goes_on
        except NotThere:
            return None, False

    streamed = joined(stream, read if path else usual_chunk, endpoint.ends)
    status = status_of(streamed.error)
    if status is not None:
        payload = json.dumps({"error": streamed.error}).encode()
        raise endpoint.refusal(status, payload, {}, where="within the stream: ")
    calls = () if path == "" else calls_streamed(stream, endpoint.mask_answer)  # with "", the body is the reply
    # If there is no text at all, the last event is shown: an error that was reported is in it.
    if streamed.text is None and streamed.finish is Finish.STOP and not calls:
        where = f" at {path!r}" if path else ""
        last = brief_value(stream[-1].data if stream else "", endpoint.mask)
        raise SystemFailure(endpoint.named(f"a stream of {len(stream)} events, no text{where}; last: {last}"))
    so_far = brief_value(streamed.text or "", endpoint.mask)
    if streamed.error is not None:
        reported = brief_value(streamed.error, endpoint.mask)
        raise SystemFailure(endpoint.named(f"the stream ended with an error, {reported}, after the text {so_far!r}"))
    if not streamed.ended:
        raise Retryable(endpoint.named(f"the stream broke off before its end mark, after the text {so_far!r}"))
    return Reply(value=streamed.text or "", finish=streamed.finish, ended=streamed.unknown_end, calls=calls)
