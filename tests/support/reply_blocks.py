"""Reads fixed replies with the verdict that a careful person gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mutatis.core.measure import Similarity

BLOCKS = Path(__file__).parents[1] / "unit" / "measures" / "blocks"


def read(name: str) -> Iterator[tuple[str, list[tuple[int, str, str]]]]:
    """Yield each question of a file with its replies: how often, "=" or "!", the text."""
    for part in re.split(r"^\? ", (BLOCKS / f"{name}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        message, *lines = part.strip().splitlines()
        replies = [line.split(" ", 2) for line in lines]
        yield message, [(int(number), mark, text) for number, mark, text in replies]


def verdict(similarity: Similarity) -> str:
    return "open" if similarity.open else "same" if similarity.score >= 0.5 else "different"
