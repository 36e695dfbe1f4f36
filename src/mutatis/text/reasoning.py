"""Separates a model's reply from the reasoning before it."""

from __future__ import annotations

import re

_REASONING = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)


def without_reasoning(text: str) -> str:
    """Return a reply without its leading reasoning block or surrounding white space.

    >>> without_reasoning("<think>May I? No.</think> I can't help with that.")
    "I can't help with that."
    """
    return _REASONING.sub("", text, count=1).strip()
