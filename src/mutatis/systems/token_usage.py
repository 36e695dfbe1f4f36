"""Counts the tokens of an answer, from OpenAI's interface, whole or in the events of a stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mutatis.core.parsing import NotReadable, json_of
from mutatis.systems.stream import StreamEvent


def usage_in(data: Any) -> tuple[int, int]:
    """Return the tokens of prompt and answer; 0 for a missing number.

    >>> usage_in({"usage": {"prompt_tokens": 7}}), usage_in({"usage": None})
    ((7, 0), (0, 0))
    """
    usage = data.get("usage") if isinstance(data, dict) else None
    usage = usage if isinstance(usage, dict) else {}
    return _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))


def usage_streamed(stream: Sequence[StreamEvent]) -> tuple[int, int]:
    """Return the same as `usage_in`, for a stream: the last event with numbers has the whole."""
    for event in reversed(stream):
        if '"usage"' in event.data:
            try:
                told = usage_in(json_of(event.data))
            except NotReadable:
                continue
            if any(told):
                return told
    return 0, 0


def _count(value: Any) -> int:
    """Return a number of tokens as far as it is one; the store and the sums take no more than 64 bits."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62 else 0
