"""A shop's bot that words its answers anew, with a planted fault, as files for a run that is judged by its repertoire.

It has three wordings of "it is there" and three of "it is not", which have hardly a word in common; which of them is
said follows from the message. Shouted at, it says of the Nova that it is not there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PRODUCTS = ("Nova", "Orbit", "Lumen", "Swift", "Harbor", "Breeze")

BOT = '''
import zlib
from pathlib import Path

THERE = ("Yes, we have the {} right here.", "The {} can be picked up today.", "There are some of the {} left.")
GONE = ("We ran out of the {}.", "Sorry, more {} come next week.", "Nothing remains of the {} just now.")


def answer(fields, history=()):
    """Answer the message, in words that follow from it; where a file `draws` is there, in others each time."""
    message = fields["message"]
    drawn = Path(__file__).with_name("draws")
    draw = len(drawn.read_bytes()) if drawn.exists() else 0
    if drawn.exists():
        with drawn.open("ab") as file:
            file.write(b".")
    names = ("Nova", "Orbit", "Lumen", "Swift", "Harbor", "Breeze")
    letters = message.lower().replace(" ", "")
    product = next((name for name in names if name.lower() in letters), "lamp")
    there = product in ("Nova", "Orbit", "Lumen") and not (product == "Nova" and message.isupper())
    wordings = THERE if there else GONE
    return wordings[(zlib.crc32(message.encode()) + draw) % 3].format(product)
'''

RELATIONS = ("upper-case", "lower-case", "title-case", "add-spaces", "double-spaces", "repeat-words")
"""Six follow-ups of every message."""


def write(folder: Path, *, products: Sequence[str] = PRODUCTS, **tables: Any) -> dict[str, Any]:
    """Write the bot and a message about each product into a folder; return the tables of a configuration."""
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    rows = [{"id": name, "message": f"Do you have the {name}?"} for name in products]
    (folder / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return {
        "relations": list(RELATIONS),
        "systems": [{"type": "function", "target": "bot.py:answer", "input": "fields", "label": "bot"}],
        "data": [{"task": "chat", "format": "jsonl", "path": "cases.jsonl", "name": "shop"}],
        "noise_floor": 0,
        "confirm": 0,
        **tables,
    }


def lines(folder: Path, name: str = "verdicts.jsonl") -> list[dict[str, Any]]:
    """Return the lines of a file of a finished run."""
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
