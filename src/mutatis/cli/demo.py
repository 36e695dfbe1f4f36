"""`mutatis demo`: tests the built-in systems and a freshly trained classifier on the bundled samples, offline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mutatis.cli import demo_classifier
from mutatis.cli.run import run_command
from mutatis.config import check
from mutatis.core.errors import install_command
from mutatis.datasets import sample
from mutatis.records.runs import run_folder
from mutatis.reports.terminal import console
from mutatis.text import embedder

NOISE = ["add-spaces", "leet", "keyboard-typos", "upper-case", "shuffle-inside-words"]
ASKED_OF_A_MODEL = ["upper-case", "keyboard-typos", "polite-words", "final-mark", "lower-case", "indirect-question"]
MEANING = ["exclamation", "synonyms-lexicon", "sentiment-negation-auxiliary", "emphasis-rules"]


def demo(out: Path) -> int:
    """Run the demonstration. Return 0 on completion, whatever it finds, because finding violations is its purpose."""
    tables: dict[str, Any] = {
        "seed": 7,
        "recipe": ["content_quality", "mortar"],
        "systems": [{"type": "builtin", "name": "sentiment"}],
        "data": [
            {
                "task": "sentiment",
                "format": "jsonl",
                "path": str(sample("reviews")),
                "relations": [*NOISE, *MEANING],
                "systems": ["builtin:sentiment"],
            }
        ],
    }
    run_folder(out, "--out")
    classifier = demo_classifier.make(out / "classifier")
    tables["systems"].append(classifier["system"])
    tables["data"].append(classifier["data"])
    if embedder.embedder_is_installed():
        tables["systems"].append({"type": "builtin", "name": "reader"})
        tables["data"] += _reading()
    else:
        console().print(f"note: the built-in reader needs: {install_command('semantic')}; it is left out", markup=False)
    code = run_command(check(tables), out=out)
    if code in (0, 1):
        console().print("\na search: edits of a user's words that make the built-in tracker lose its way", markup=False)
        code = run_command(check(_searching()), out=out / "search")
    return 0 if code in (0, 1) else code


def demo_language_model(out: Path) -> int:
    """Test the bundled language model on plain questions, offline. Return 0 on completion, whatever it finds."""
    run_folder(out, "--out")
    code = run_command(check(_asking()), out=out)
    return 0 if code in (0, 1) else code


def _asking() -> dict[str, Any]:
    """Return a campaign with a real language model. It takes a few minutes on one core."""
    return {
        "seed": 7,
        "noise_floor": 3,
        "confirm": 3,
        "shrink": 2,
        "systems": [{"type": "local", "max_tokens": 96, "system_message": "Answer in one short sentence."}],
        "data": [{"task": "chat", "format": "lines", "path": str(sample("questions")), "relations": ASKED_OF_A_MODEL}],
    }


def _searching() -> dict[str, Any]:
    """Return a search that needs no extra and does not learn. It tries as many random edits as are valid."""
    return {
        "seed": 7,
        "noise_floor": 10,
        "confirm": 3,
        "shrink": 4,
        "systems": [{"type": "builtin", "name": "tracker"}],
        "data": [{"format": "states", "path": str(sample("bookings"))}],
        "search": {"type": "random-edits", "within": "filled", "protect": "values", "proposals": 80},
    }


def _reading() -> list[dict[str, Any]]:
    return [
        {
            "task": "question-answering",
            "format": "squad2",
            "path": str(sample("stories")),
            "limit": 30,
            "relations": [
                "add-spaces",
                "leet",
                "upper-case",
                "random-sentence",
                "shuffle-sentences",
            ],
            "systems": ["builtin:reader"],
        },
        {
            "task": "dialogue",
            "format": "coqa",
            "path": str(sample("dialogues")),
            "relations": ["tag:mortar", "reference-based"],
            "systems": ["builtin:reader"],
        },
    ]
