"""Trains the two judge models and writes them into the package: `python studies/judge/train.py [--lexical]`.

Deterministic. Questions of fold 0 (a fifth, by hash) are left out of training altogether: the measured agreement that
is written beside the weights is on them, and a test checks it.
"""

from __future__ import annotations

import argparse
import json
from functools import cache
from pathlib import Path

import numpy as np
from fitting import Fitted, Table, digest, fit, keep_embeddings, tabulate, warm_embeddings, without_embeddings
from pairs import (
    HANDWRITTEN,
    Pair,
    annotated_pairs,
    evouna_path,
    evouna_records,
    fold_of,
    handwritten_pairs,
    output_pairs,
    undirected_copies,
    without_question,
)
from scoring import agreement

MODELS = Path(__file__).resolve().parents[2] / "src" / "mutatis" / "measures" / "models"
HANDWRITTEN_WEIGHT = 2.0
THRESHOLD = 0.5
UNDECIDED = (0.3, 0.7)


def training_pairs(*, directed: bool) -> list[Pair]:
    """Return the main pairs first (weight 1), then the copies and written pairs that widen the range of use."""
    records = evouna_records()
    annotated = annotated_pairs(records)
    if directed:
        return [*annotated, *without_question(annotated, 0.9), *handwritten_pairs(HANDWRITTEN_WEIGHT, directed=True)]
    outputs = output_pairs(records)
    return [
        *outputs,
        *undirected_copies(annotated, 0.5),
        *without_question(outputs, 0.4),
        *handwritten_pairs(HANDWRITTEN_WEIGHT, directed=False),
    ]


@cache
def build(*, directed: bool, semantic: bool) -> tuple[Table, int]:
    """Return the table of all training pairs, and how many of the first rows are the main pairs."""
    pairs = training_pairs(directed=directed)
    folds = np.array([-1 if pair.group.startswith("handwritten") else fold_of(pair.group) for pair in pairs])
    main = next(at for at, pair in enumerate(pairs) if pair.weight != 1.0)
    return tabulate(pairs, folds, directed=directed, semantic=semantic), main


def _stored(table: Table, fitted: Fitted) -> dict[str, object]:
    weights = {name: round(float(value), 5) for name, value in zip(table.names, fitted.weights, strict=True)}
    return {"intercept": round(fitted.intercept, 5), "weights": weights}


def tables(*, directed: bool, semantic: bool, embedded: bool) -> tuple[Table, int]:
    """Return `build`'s table for a measure; where embeddings were computed, the lexical one is cut out of it."""
    table, main = build(directed=directed, semantic=embedded)
    return (table if semantic == embedded else without_embeddings(table)), main


def train(*, semantic: bool, embedded: bool) -> Path:
    """Train one measure's two models and write them."""
    name = "answer-equivalence" if semantic else "answer-equivalence-lexical"
    stored: dict[str, object] = {}
    measured: dict[str, object] = {}
    for use in ("directed", "symmetric"):
        table, main = tables(directed=use == "directed", semantic=semantic, embedded=embedded)
        fitted = fit(table, table.fold != 0)
        stored[use] = _stored(table, fitted)
        held_out = (table.fold == 0) & (np.arange(len(table.fold)) < main)
        result = agreement(table.same[held_out], fitted.scores(table, held_out), THRESHOLD)
        measured[use] = result.as_json()
        print(f"{name:28s} {use:10s} held-out questions: {result}")
    model = {
        "format": "mutatis/judge-model",
        "version": 1,
        "name": name,
        "threshold": THRESHOLD,
        "undecided": list(UNDECIDED),
        **stored,
        "provenance": {
            "trained_on": "EVOUNA, TriviaQA part (Apache-2.0), questions of folds 1-4 of 5 by SHA-256; "
            "and studies/judge/handwritten.json",
            "data_sha256": digest(evouna_path()),
            "handwritten_sha256": digest(HANDWRITTEN),
            "command": "python studies/judge/train.py",
            "agreement_on_held_out_questions": measured,
        },
    }
    path = MODELS / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lexical", action="store_true", help="train only the model without embeddings")
    embedded = not parser.parse_args().lexical
    if embedded:
        warm_embeddings()
    for semantic in (False, True) if embedded else (False,):
        print(train(semantic=semantic, embedded=embedded), flush=True)
    keep_embeddings()


if __name__ == "__main__":
    main()
