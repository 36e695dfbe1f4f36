"""Reads from JSON data how a reply ended: normally, at the token limit, withheld, with an error, or not yet.

The same code handles complete replies and individual stream events.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mutatis.core.system import Finish
from mutatis.text.normalisation import listed_words

_LENGTH = listed_words(
    "length max_tokens max_output_tokens max_new_tokens max_length limit model_length token_limit"
    " model_context_window_exceeded maxpredictedtokensreached contextlengthreached"
)
_FILTERED = listed_words(
    "content_filter content_filtered safety refusal recitation blocklist prohibited_content spii guardrail_intervened"
    " error_toxic image_safety language"
)
_WHOLE = listed_words(
    "stop stop_sequence stop_token stop_word stop_string stopstringfound end end_turn end_of_turn end_of_text"
    " endoftext end_of_sequence eos eos_token eosfound eot word complete completed done finish finished success"
    " succeeded ok normal natural tool_call tool_calls tool_use toolcalls function_call function_calls calls"
)
FINISH: Mapping[str, Finish] = {
    **dict.fromkeys(_WHOLE, Finish.STOP),
    **dict.fromkeys(_LENGTH, Finish.LENGTH),
    **dict.fromkeys(_FILTERED, Finish.FILTERED),
}
"""How an answer ended, by the name that a server uses (OpenAI, Anthropic, Gemini, Cohere, Ollama, llama.cpp).

Any other name is treated as unknown.
"""

_REASONS = ("finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason", "stop_type")
_FLAGS = ("done", "stop", "finished", "is_finished", "is_end")


def paths(places: str) -> tuple[tuple[str, ...], ...]:
    """Return the paths of places in JSON data, after the empty path, which leads to the data themselves.

    >>> paths("choices.message output")
    ((), ('choices', 'message'), ('output',))
    """
    return ((), *(tuple(place.split(".")) for place in places.split()))


_PLACES = paths(
    "choices candidates delta message details output output.choices response incomplete_details"
    " response.incomplete_details"
)
"""Paths in a JSON object that may record how its reply ended. If a path leads to a list, its first item is used."""

_ERRORS = ("error", "errors", "error_message", "errorMessage", "exception")
_NO_ERROR = frozenset({"", "none", "null", "no", "false", "0", "[]", "ok"})

_GOOD, _BAD = ("success", "ok"), frozenset({"error", "failed", "failure"})

CUT_SHORT = " (cut off before any text; raise max_tokens)"

_STATUS = {
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 504,
}
"""HTTP status for each type of error that may appear inside an answer (from Anthropic's and OpenAI's tables)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The end of a reply, as read from JSON data.

    Attributes:
        open: whether the data mark the reply as unfinished.
        closed: whether the data mark the reply as finished.
        finish: why the reply ended, if it did.
        ended: the server's word for why the reply ended, if Mutatis does not know it.
        error: the error, if there was one.
    """

    open: bool = False
    closed: bool = False
    finish: Finish = Finish.STOP
    ended: str = ""
    error: Any = None


def ending_of(data: Any, whole: Collection[str] = ()) -> Ending:
    """Return how a reply ended, as read from JSON data.

    `whole` contains additional words that the server uses for the end of a complete reply.

    >>> ending_of({"choices": [{"text": "It is", "finish_reason": "length"}]}).finish
    <Finish.LENGTH: 'length'>
    >>> ending_of({"response": "It is", "done": False}).open
    True
    """
    is_open, reasons, error = False, list[str](), None
    for place in _places(data):
        for reason in (place[name] for name in _REASONS if name in place):
            if isinstance(reason, Mapping):  # SGLang: {"type": "length", ...}
                reason = reason.get("type")
            if not isinstance(reason, str) or reason in ("", "null"):
                is_open = True
            elif reason != "none":  # some servers send it with every reply: it says nothing about the end
                reasons.append(reason.lower())
        flags = [place[name] for name in _FLAGS if isinstance(place.get(name), bool)]
        is_open = is_open or False in flags
        if True in flags:
            reasons.append("stop")
        error = error or _error_in(place)
    for place in _places(data, (("incomplete_details",), ("response", "incomplete_details"))):
        if place.get("reason"):
            reasons.append(str(place["reason"]).lower())
    if "error" in reasons:
        error = error or data
    finish, ended = _why(reasons, {word.lower() for word in whole})
    return Ending(open=is_open and not reasons, closed=bool(reasons), finish=finish, ended=ended, error=error)


def _why(reasons: Sequence[str], whole: Collection[str]) -> tuple[Finish, str]:
    """Return why a reply ended, and the server's word for that reason if Mutatis does not know it.

    If there are several reasons, one that left the reply incomplete takes precedence.
    """
    for reason in reasons:
        if reason not in whole and FINISH.get(reason, Finish.STOP) is not Finish.STOP:
            return FINISH[reason], ""
    unknown = next((reason for reason in reasons if reason not in FINISH and reason not in whole), "")
    return (Finish.UNKNOWN, unknown) if unknown else (Finish.STOP, "")


def _error_in(place: Mapping[str, Any]) -> Any:
    """Return the value under "error" or an equivalent name, or None if no such value reports an error."""
    for name in _ERRORS:
        error = place.get(name)
        is_empty = not any(error.values()) if isinstance(error, Mapping) else str(error).strip().lower() in _NO_ERROR
        if not is_empty:
            return error
    return None


def says_failed(data: Mapping[str, Any]) -> bool:
    """Return True if a stream event reports a failure without naming an error.

    Complete replies are not checked: a bot that says it did not understand has still replied.

    >>> says_failed({"success": False, "message": "out of memory"}), says_failed({"status": "working"})
    (True, False)
    """
    return any(data.get(name) is False for name in _GOOD) or str(data.get("status")).lower() in _BAD


def status_of(error: Any) -> int | None:
    """Return the HTTP status that corresponds to an error inside an answer, or None if nothing corresponds.

    >>> status_of({"type": "overloaded_error"}), status_of({"code": "503"}), status_of({"code": "bad_request"})
    (529, 503, None)
    """
    if not isinstance(error, Mapping):
        return None
    for name in ("status", "status_code", "code"):
        code = str(error.get(name))
        if re.fullmatch("[45][0-9]{2}", code):
            return int(code)
    kind = error.get("type")
    return _STATUS.get(kind) if isinstance(kind, str) else None


def _places(data: Any, paths: tuple[tuple[str, ...], ...] = _PLACES) -> Iterator[Mapping[str, Any]]:
    """Yield the objects at these paths, leaving out paths that lead to nothing or to other values."""
    for path in paths:
        place = value_at(data, path)
        if isinstance(place, Mapping):
            yield place


def value_at(data: Any, path: Sequence[str]) -> Any:
    """Return the value at a path of keys, or None. If a key leads to a list, its first item is used.

    >>> value_at({"choices": [{"delta": {"text": "Hi"}}]}, ("choices", "delta", "text"))
    'Hi'
    """
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
        if isinstance(data, list) and data:
            data = data[0]
    return data
