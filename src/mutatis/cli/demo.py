"""`mutatis demo`: tests the built-in systems and a newly trained classifier on the bundled samples, offline."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mutatis.api import read_cases
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
    """Run the demonstration. Return 0 on completion, even if it finds violations, because that is its purpose."""
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
    classifier = _trained_classifier(out / "classifier")
    tables["systems"].append(classifier["system"])
    tables["data"].append(classifier["data"])
    if embedder.embedder_is_installed():
        tables["systems"].append({"type": "builtin", "name": "reader"})
        tables["data"] += _reading()
    else:
        console().print(f"note: the built-in reader needs: {install_command('semantic')}; it is left out")
    code = run_command(check(tables), out=out)
    if code in (0, 1):
        console().print("\na search: edits of a user's words that make the built-in tracker lose its way")
        code = run_command(check(_searching()), out=out / "search")
    return 0 if code in (0, 1) else code


def demo_language_model(out: Path) -> int:
    """Test the bundled language model on plain questions, offline, in a few minutes on one core.

    Return 0 on completion, even if it finds violations.
    """
    run_folder(out, "--out")
    tables = {
        "seed": 7,
        "noise_floor": 3,
        "confirm": 3,
        "shrink": 2,
        "systems": [{"type": "local", "max_tokens": 96, "system_message": "Answer in one short sentence."}],
        "data": [{"task": "chat", "format": "lines", "path": str(sample("questions")), "relations": ASKED_OF_A_MODEL}],
    }
    code = run_command(check(tables), out=out)
    return 0 if code in (0, 1) else code


def _searching() -> dict[str, Any]:
    """Return the configuration of a demo with a search. It tries 80 random edits and needs no extra packages."""
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
    """Return the data for the built-in reader: questions on stories, and dialogues."""
    return [
        {
            "task": "question-answering",
            "format": "squad2",
            "path": str(sample("stories")),
            "limit": 30,
            "relations": ["add-spaces", "leet", "upper-case", "random-sentence", "shuffle-sentences"],
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


# The classifier is trained in a moment to separate three kinds of text. As in the paper on relation families, it is
# trained on lower-cased texts, while its TF-IDF of letters keeps case. It has never seen a capital letter, and the
# uppercase family reveals this.

_LABEL = "sklearn:kind-of-text"
_FAMILIES = [f"duplicate-{copies}" for copies in (2, 4, 6)] + [f"uppercase-{part}" for part in (10, 25, 50, 75, 100)]


def _texts() -> Iterator[tuple[str, str]]:
    """Yield the reviews, questions and statements in the samples as (text, label), in lower case."""
    for name, data_format, task, field, label in (
        ("reviews", "jsonl", "sentiment", "text", "review"),
        ("stories", "squad2", "question-answering", "question", "question"),
        ("inference", "jsonl", "inference", "premise", "statement"),
    ):
        cases = read_cases(data_format, sample(name), task=task)
        for text in dict.fromkeys(case.turns[0].fields[field].lower() for case in cases):
            yield text, label


def _trained_classifier(folder: Path) -> dict[str, Any]:
    """Train a classifier on half of the sample texts, and save it in `folder` with the rest as test data.

    Return the model and the data as parts of a configuration. An existing model is kept, so that a second demo can use
    the stored answers.
    """
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    known = list(_texts())
    folder.mkdir(parents=True, exist_ok=True)
    model, data = folder / "kind-of-text.joblib", folder / "kinds.jsonl"
    if not model.exists():
        letters = TfidfVectorizer(lowercase=False, analyzer="char", ngram_range=(2, 3), sublinear_tf=True)
        pipeline = make_pipeline(letters, LogisticRegression(C=10.0))
        pipeline.fit([text for text, _ in known[::2]], [label for _, label in known[::2]])
        joblib.dump(pipeline, model)
    lines = [json.dumps({"id": str(n), "text": text, "label": label}) for n, (text, label) in enumerate(known[1::2])]
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {
        "system": {
            "type": "sklearn",
            "model": str(model.absolute()),
            "sha256": hashlib.sha256(model.read_bytes()).hexdigest(),
            "label": _LABEL,
        },
        "data": {
            "task": "classification",
            "format": "jsonl",
            "path": str(data.absolute()),
            "relations": _FAMILIES,
            "systems": [_LABEL],
        },
    }
