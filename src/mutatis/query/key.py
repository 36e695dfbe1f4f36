"""Computes the key for storing an answer, from everything that can affect the answer and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from mutatis.core.system import Conversation, Message

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
"""JSON encoder shared by all keys, because `json.dumps` would create a new one for every call."""


def canonical(value: object) -> str:
    """Return `value` as JSON with sorted keys and no spaces, so that equal data yield equal text."""
    return _ENCODER.encode(value)


def key_content(conversation: Conversation) -> dict[str, Any]:
    """Return the parts of a question that distinguish it from others, as JSON data.

    These are the parts that a system can see, and the conversation's `marks`.
    """
    visible: dict[str, Any] = {"messages": [_seen(message) for message in conversation.messages]}
    if conversation.fields:
        visible["fields"] = dict(conversation.fields)
    if conversation.options:
        visible["options"] = dict(conversation.options)
    if conversation.history:
        visible["history"] = [(dict(fields), answer) for fields, answer in conversation.history]
    if conversation.tools:
        visible["tools"] = list(conversation.tools)
    if any(conversation.marks.values()):
        visible["marks"] = dict(conversation.marks)
    return visible


def _seen(message: Message) -> tuple[Any, ...]:
    """Return a message as the system sees it.

    A message without tool calls keeps the form that it had in earlier versions, so that old keys stay valid.
    """
    if not message.calls and not message.call_id:
        return (message.role, message.content)
    calls = [(call.id, call.name, call.malformed or dict(call.arguments)) for call in message.calls]
    return (message.role, message.content, calls, message.call_id)


def answer_key(identity: Mapping[str, Any] | str, conversations: Sequence[Conversation], repeat: int) -> str:
    """Return the SHA-256 key of one answer, or of a whole stateful dialogue with all its turns.

    `identity` is the system's identity, or its canonical JSON text, which saves frequent callers from computing it
    again. Run id, case id, timeouts, retries and concurrency are not part of the key.
    """
    system = identity if isinstance(identity, str) else canonical(identity)
    asked = canonical([key_content(conversation) for conversation in conversations])
    text = f'{{"asked":{asked},"repeat":{repeat},"system":{system}}}'
    return hashlib.sha256(text.encode("ascii")).hexdigest()
