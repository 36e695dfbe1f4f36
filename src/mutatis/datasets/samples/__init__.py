"""Sample data that ships with the package. All of it was written for this purpose."""

from __future__ import annotations

from pathlib import Path

from mutatis.core.errors import unknown_name

SAMPLES = {
    "bookings.jsonl": "states",
    "dialogues.json": "coqa",
    "inference.jsonl": "jsonl",
    "passages.jsonl": "jsonl",
    "questions.txt": "lines",
    "reviews.jsonl": "jsonl",
    "stories.json": "squad2",
}
"""The data format of each sample, by file name."""


def sample(name: str) -> Path:
    """Return the path of a sample file, given its name with or without a suffix ("reviews", "stories.json")."""
    for file in SAMPLES:
        if name in (file, file.partition(".")[0]):
            return Path(__file__).parent / file
    raise unknown_name("sample", name, SAMPLES)
