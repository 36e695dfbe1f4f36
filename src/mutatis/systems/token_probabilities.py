"""Reads how likely the alternatives for each token of an answer were, from OpenAI's interface (`logprobs`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mutatis.core.parsing import NotReadable, json_of
from mutatis.systems.stream import StreamEvent

DIGITS = 6
"""Number of digits kept: servers compute in half precision, and an answer stores up to 21 numbers per token."""


def asked_for(outcomes: int) -> dict[str, Any]:
    """Return the request keys that ask for this many alternatives per token; none for 0."""
    return {"logprobs": True, "top_logprobs": outcomes} if outcomes else {}


def decisions_in(data: Any, mask: Callable[[str], str] = str) -> dict[str, dict[str, float]] | None:
    """Return the probabilities of each token's alternatives by token number, from 1; None if there are none.

    `data` is a whole answer. The sampled token is always included, even if it is not among the likeliest. `mask`
    removes secrets from a text: an answer that repeats one has no decisions, because its tokens spell the secret.

    >>> told = {"token": "Yes", "logprob": -0.5, "top_logprobs": [{"token": "No", "logprob": -1.2}]}
    >>> decisions_in({"choices": [{"logprobs": {"content": [told]}}]})
    {'1': {'No': 0.301194, 'Yes': 0.606531}}
    """
    return _numbered(_tokens(data), mask)


def decisions_streamed(
    stream: Sequence[StreamEvent], mask: Callable[[str], str] = str
) -> dict[str, dict[str, float]] | None:
    """Return the same as `decisions_in` for the tokens in the events of a stream."""
    tokens = list[Mapping[str, Any]]()
    for event in stream:
        if '"logprobs"' in event.data:  # of most streams no event is read a second time
            try:
                tokens += _tokens(json_of(event.data))
            except NotReadable:
                continue
    return _numbered(tokens, mask)


def _tokens(data: Any) -> list[Mapping[str, Any]]:
    try:
        content = data["choices"][0]["logprobs"]["content"]
    except (KeyError, IndexError, TypeError):
        return []
    return [entry for entry in content if isinstance(entry, Mapping)] if isinstance(content, list) else []


def _numbered(tokens: Sequence[Mapping[str, Any]], mask: Callable[[str], str]) -> dict[str, dict[str, float]] | None:
    spelt = "".join(map(_name, tokens))
    if mask(spelt) != spelt:
        return None
    decisions = {str(number): _outcomes(token) for number, token in enumerate(tokens, start=1)}
    return decisions if any(decisions.values()) else None


def _outcomes(token: Mapping[str, Any]) -> dict[str, float]:
    """Return the alternatives of one token, each once. Servers may omit the likeliest ones or the sampled one."""
    likeliest = token.get("top_logprobs")
    entries = [*likeliest, token] if isinstance(likeliest, list) else [token]
    outcomes: dict[str, float] = {}
    for entry in entries:
        logarithm = entry.get("logprob") if isinstance(entry, Mapping) else None
        if isinstance(logarithm, int | float) and not isinstance(logarithm, bool) and not math.isnan(logarithm):
            outcomes[_name(entry)] = round(math.exp(min(0.0, logarithm)), DIGITS)
    return outcomes


def _name(entry: Mapping[str, Any]) -> str:
    """Return a token as text. Parts of a character, which would all look alike, are written as bytes."""
    raw = entry.get("bytes")
    try:
        return bytes(raw).decode("utf-8", "backslashreplace") if isinstance(raw, list) else str(entry.get("token"))
    except (TypeError, ValueError):
        return str(entry.get("token"))
