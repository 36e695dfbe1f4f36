"""Extracts the probabilities of the alternatives for each token of an answer from OpenAI's `logprobs`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

DIGITS = 6
"""Number of digits kept of each probability.

Servers compute in half precision, so more digits mean little, and an answer may have 21 probabilities per token.
"""


def asked_for(outcomes: int) -> dict[str, Any]:
    """Return the request keys that ask for this many alternatives per token. For 0, return an empty dict."""
    return {"logprobs": True, "top_logprobs": outcomes} if outcomes else {}


def decisions_in(pieces: Iterable[Any], mask: Callable[[str], str] = str) -> dict[str, dict[str, float]] | None:
    """Return the probabilities of each token's alternatives by token number, starting at 1, or None.

    `pieces` are the JSON data of an answer: one object, or the events of a stream. The sampled token is always
    included, even if it is not among the most likely ones. `mask` removes secrets from a text. If an answer repeats a
    secret, no probabilities are returned, because the tokens would spell out the secret.

    >>> told = {"token": "Yes", "logprob": -0.5, "top_logprobs": [{"token": "No", "logprob": -1.2}]}
    >>> decisions_in([{"choices": [{"logprobs": {"content": [told]}}]}])
    {'1': {'No': 0.301194, 'Yes': 0.606531}}
    """
    tokens = [token for data in pieces for token in _tokens(data)]
    spelt = "".join(map(_name, tokens))
    if mask(spelt) != spelt:
        return None
    decisions = {str(number): _outcomes(token) for number, token in enumerate(tokens, start=1)}
    return decisions if any(decisions.values()) else None


def _tokens(data: Any) -> list[Mapping[str, Any]]:
    try:
        content = data["choices"][0]["logprobs"]["content"]
    except (KeyError, IndexError, TypeError):
        return []
    return [entry for entry in content if isinstance(entry, Mapping)] if isinstance(content, list) else []


def _outcomes(token: Mapping[str, Any]) -> dict[str, float]:
    """Return the probability of each alternative for a token.

    Servers may omit likely alternatives, or the token that was sampled.
    """
    likeliest = token.get("top_logprobs")
    entries = [*likeliest, token] if isinstance(likeliest, list) else [token]
    outcomes: dict[str, float] = {}
    for entry in entries:
        logarithm = entry.get("logprob") if isinstance(entry, Mapping) else None
        if isinstance(logarithm, int | float) and not isinstance(logarithm, bool) and not math.isnan(logarithm):
            outcomes[_name(entry)] = round(math.exp(min(0.0, logarithm)), DIGITS)
    return outcomes


def _name(entry: Mapping[str, Any]) -> str:
    """Return a token as text. Fragments of a character are written as bytes, because as text they look alike."""
    raw = entry.get("bytes")
    try:
        return bytes(raw).decode("utf-8", "backslashreplace") if isinstance(raw, list) else str(entry.get("token"))
    except (TypeError, ValueError):
        return str(entry.get("token"))
