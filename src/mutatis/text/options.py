"""Reads and writes the options of a multiple-choice question, one per line after a letter or number: "A) tea"."""

from __future__ import annotations

import re
from collections.abc import Sequence

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LINE = re.compile(r"(?<!\s)\s*+\(?([A-Z]|[a-z]|\d{1,2})[.):]\s*+(\S.*)")


def options_of(text: str) -> list[tuple[str, str]]:
    r"""Return the (name, text) of each option, or [] if a line is not an option or two options have the same name.

    >>> options_of("A) tea\nB) milk"), options_of("tea, milk")
    ([('A', 'tea'), ('B', 'milk')], [])
    """
    matches = [_LINE.fullmatch(line) for line in text.splitlines() if line.strip()]
    options = [(match[1], match[2].strip()) for match in matches if match is not None]
    return options if len(options) == len(matches) == len({name for name, _ in options}) else []


def listed_options(texts: Sequence[str], names: Sequence[str] = LETTERS) -> str:
    r"""Return options as a text with one option per line.

    >>> listed_options(["tea", "milk"])
    'A) tea\nB) milk'
    """
    return "\n".join(f"{name}) {text}" for name, text in zip(names, texts, strict=False))
