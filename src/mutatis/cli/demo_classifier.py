"""The classifier of `mutatis demo`, trained in a moment on the bundled samples to separate three kinds of text.

As in the paper on relation families, it is trained on lower-cased texts, while its TF-IDF of letters keeps case. It has
never seen a capital letter, and the uppercase family reveals this.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mutatis.api import read_cases
from mutatis.datasets import sample

LABEL = "sklearn:kind-of-text"
FAMILIES = [
    *("duplicate-2", "duplicate-4", "duplicate-6"),
    *("uppercase-10", "uppercase-25", "uppercase-50", "uppercase-75", "uppercase-100"),
]


def texts() -> Iterator[tuple[str, str]]:
    """Yield the reviews, questions and statements of the samples as (text, label), in lower case."""
    for name, data_format, task, field, label in (
        ("reviews", "jsonl", "sentiment", "text", "review"),
        ("stories", "squad2", "question-answering", "question", "question"),
        ("inference", "jsonl", "inference", "premise", "statement"),
    ):
        cases = read_cases(data_format, sample(name), task=task)
        for text in dict.fromkeys(case.turns[0].fields[field].lower() for case in cases):
            yield text, label


def make(folder: Path) -> dict[str, Any]:
    """Train on every second text, write model and test data to `folder`, and return both for a configuration.

    An existing model is kept, so that a second demo does not ask anything again.
    """
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    known = list(texts())
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
            "label": LABEL,
        },
        "data": {
            "task": "classification",
            "format": "jsonl",
            "path": str(data.absolute()),
            "relations": FAMILIES,
            "systems": [LABEL],
        },
    }
