"""Reviews of films and a bot that takes offence where one is shouted: in files, for a run of the command."""

from __future__ import annotations

import json
from pathlib import Path

BOT = 'def answer(text):\n    return "0.1" if text.isupper() else "0.9"\n'


def config(*relations: str, top: str = "noise_floor = 0") -> str:
    """Return a configuration: these relations are tried on `bot.py`, with the films of `reviews.jsonl`."""
    return f"""
relations = {json.dumps(relations)}
{top}
[system]
type = "function"
target = "bot.py:answer"
[data]
task = "sentiment"
format = "jsonl"
path = "reviews.jsonl"
"""


def write_reviews(number: int, file: str = "reviews.jsonl") -> None:
    """Write so many reviews into a file."""
    rows = [{"text": f"film number {i} was lovely."} for i in range(number)]
    Path(file).write_text("".join(json.dumps(row) + "\n" for row in rows))
