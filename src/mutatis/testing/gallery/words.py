"""Reads the words of the gallery's test systems from `words.toml`, and chooses among the wordings of a reply."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
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


def worded(ways: Sequence[str], *seed: str) -> str:
    """Choose one of several wordings. The choice is the same for the same `seed`, which varies with the dialogue."""
    digest = hashlib.blake2b("\x1f".join(seed).encode(), digest_size=4).digest()
    return ways[int.from_bytes(digest, "big") % len(ways)]
