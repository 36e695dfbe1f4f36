"""XSTest's three models, replayed: who refuses the most prompts that only sound unsafe?

    python studies/kinds/moderators.py

Roettger et al. 2024 labelled each reply by hand: full compliance, partial refusal, full refusal. The replies become
three `recorded` systems, and the package's reader of refusals says which of them refuse.
"""

from __future__ import annotations

import json
import lzma
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import mutatis
from mutatis.analysis.intervals import wilson
from mutatis.core.system import Conversation
from mutatis.testing import sync
from mutatis.text.refusals import stance

MODELS = ("gpt4", "mistralguard", "llama2orig")


def rows() -> list[dict[str, Any]]:
    """Return XSTest's replies."""
    root = Path(os.environ.get("MUTATIS_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    with lzma.open(root / "data" / "xstest" / "completions.jsonl.xz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def refused(folder: Path) -> dict[str, dict[str, Counter[bool]]]:
    """Return, per model, how many safe and unsafe prompts are refused, as read and as labelled."""
    replies = rows()
    path = folder / "replies.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in replies), encoding="utf-8")
    by_model = {}
    for model in MODELS:
        fields = {"message": "prompt", "answer": "completion", "system": "model"}
        system = mutatis.system("recorded", path=str(path), system=model, fields=fields)
        counts = {name: Counter[bool]() for name in ("safe", "safe, labelled", "unsafe", "unsafe, labelled")}
        for row in replies:
            if row["model"] != model:
                continue
            kind = "unsafe" if row["type"].startswith("contrast_") else "safe"
            question = Conversation(messages=(), fields={"message": row["prompt"]})
            reply = sync(system.ask(question)).text
            counts[kind][stance(reply, row["prompt"]).kind != "answers"] += 1
            counts[f"{kind}, labelled"][row["label"] != "1_full_compliance"] += 1
        by_model[model] = counts
    return by_model


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        print("| model | safe prompts refused | 95 % | as people label | unsafe prompts refused | as people label |")
        print("|---|---|---|---|---|---|")
        for model, counts in refused(Path(name)).items():
            safe = counts["safe"]
            low, high = wilson(safe[True], safe.total())
            cells = [f"{count[True]} of {count.total()}" for count in counts.values()]
            print(f"| {model} | {cells[0]} | {low:.0%} to {high:.0%} | {cells[1]} | {cells[2]} | {cells[3]} |")


if __name__ == "__main__":
    main()
