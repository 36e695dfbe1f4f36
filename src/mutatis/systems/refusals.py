"""Extracts from an error response the message, the code, and how long to wait before asking again.

The caller passes `mask`, a function that removes secrets.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from mutatis.systems.received import decoded
from mutatis.text.visible import on_one_line

_LONGEST_MESSAGE = 200
_LONGEST_PAGE = 4_000
_MARKUP = re.compile(r"(?is)<(head|style|script)\b.*?</\1>|<!--.*?-->|<[^<>]*+>")
"""Matches tags and comments of HTML, and elements whose content is not shown."""


def said_in(payload: bytes, mask: Callable[[str], str]) -> tuple[str, str]:
    """Return the message and the code from the body of an error response. The code may be empty."""
    try:
        data = json.loads(decoded(payload, json.detect_encoding(payload)))
    except (ValueError, RecursionError):
        page = mask(decoded(payload))[
            :_LONGEST_PAGE
        ]  # cut after masking, since half of a secret would not be recognised
        return brief_value(_MARKUP.sub(" ", page) if page.lstrip().startswith("<") else payload, mask), ""
    error = data.get("error", data) if isinstance(data, dict) else data
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail") or error.get("msg") or error
        codes = [code for code in (error.get("code"), error.get("type")) if code]
        # Numbers only repeat the status: LiteLLM has {"code": "400", "type": "budget_exceeded"}.
        telling = [code for code in codes if not str(code).isdecimal()] or codes
        return brief_value(message, mask), brief_value(telling[0] if telling else "", mask)
    return brief_value(error, mask), ""


def brief_value(value: Any, mask: Callable[[str], str] = str) -> str:
    """Format a value on one line for an error message. `mask` removes secrets before the text is shortened."""
    if isinstance(value, bytes):
        text = decoded(value)
    elif isinstance(value, str):
        text = value
    else:
        try:
            text = json.dumps(value, default=str)
        except (ValueError, RecursionError):
            text = type(value).__name__
    text = on_one_line(mask(text))
    return text if len(text) <= _LONGEST_MESSAGE else text[: _LONGEST_MESSAGE - 3] + "..."


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait according to `Retry-After` (seconds or a date) or `retry-after-ms`.

    >>> retry_after({"Retry-After": "2.5"})
    2.5
    """
    milliseconds, value = headers.get("retry-after-ms"), headers.get("Retry-After")
    try:
        if milliseconds is not None:
            return _seconds(float(milliseconds) / 1000)
        if value is None:
            return None
        if re.fullmatch(r"\s*+\d++(?:\.\d++)?\s*+", value):
            return _seconds(float(value))
        moment = parsedate_to_datetime(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return _seconds((moment - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _seconds(wanted: float) -> float | None:
    return max(0.0, wanted) if math.isfinite(wanted) else None
