"""The four pairs of a system and data that searches are compared on, as tables of a configuration."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

TRAINED = "clinc150.joblib"


Tables = dict[str, Any]


def pairs(data: Path, work: Path) -> dict[str, Callable[[], Tables]]:
    """Return what gives the tables of each pair, by name.

    `data` holds the public files, `work` the classifier that is trained when it is needed first.
    """
    return {
        "sentiment, SST-2": lambda: {
            "systems": [{"type": "builtin", "name": "sentiment"}],
            "data": [{"format": "sst2", "path": str(data / "sst2" / "dev.tsv.xz")}],
        },
        "TF-IDF and logistic regression, CLINC150": lambda: {
            "systems": [{"type": "sklearn", "model": str(classifier(data, work)), "label": "tf-idf"}],
            "data": [{"format": "clinc150", "path": str(data / "clinc150" / "data_small.json.xz")}],
        },
        "reader, SQuAD 2.0": lambda: {
            "systems": [{"type": "builtin", "name": "reader"}],
            "data": [{"format": "squad2", "path": str(data / "squad2" / "dev-v2.0-rebuilt.json.xz")}],
        },
        "reader, CoQA": lambda: {
            "systems": [{"type": "builtin", "name": "reader"}],
            "data": [{"format": "coqa", "path": str(data / "coqa" / "coqa-dev-rebuilt.json.xz")}],
        },
    }


def classifier(data: Path, work: Path) -> Path:
    """Return the file of a classifier trained on CLINC150's train split; it is trained once."""
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    file = work / TRAINED
    if not file.is_file():
        with lzma.open(data / "clinc150" / "data_small.json.xz", "rt", encoding="utf-8") as stream:
            splits = json.load(stream)
        pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression(C=30))
        pipeline.fit(*map(list, zip(*splits["train"], strict=True)))
        right = pipeline.score(*map(list, zip(*splits["test"], strict=True)))
        print(f"CLINC150 classifier: {right:.1%} of the test split right")
        work.mkdir(parents=True, exist_ok=True)
        joblib.dump(pipeline, file)
    return file
