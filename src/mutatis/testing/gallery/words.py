"""Reads the word lists of the gallery's test systems from `words.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


def gallery_words(name: str) -> Any:
    """Return one list or table from `words.toml`, with its lists as tuples."""
    return _frozen(_tables()[name])


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
