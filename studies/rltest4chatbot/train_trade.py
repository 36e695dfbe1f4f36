"""Trains TRADE on one split of MultiWOZ 2.1 or 2.2 and reports it on another, beside baselines.

python studies/rltest4chatbot/train_trade.py --train val.json --test test.json --out checkpoint

A twentieth of the training dialogues chooses the epoch; the test split is looked at once, at the end.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from baselines import baselines_of
from training import Settings, accuracy_of, examples_of, save, train

from mutatis.datasets import read
from mutatis.rltest4chatbot.metrics import StateAccuracy
from mutatis.rltest4chatbot.trackers.history import Vocabulary
from mutatis.text import embedder


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True, help="file of dialogues to learn from")
    parser.add_argument("--test", type=Path, required=True, help="file of dialogues to report on")
    parser.add_argument("--format", default="multiwoz21", choices=["multiwoz21", "multiwoz22", "states"])
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--epochs", type=int, default=Settings().epochs)
    parser.add_argument("--features", type=int, default=Settings().features)
    parser.add_argument("--batch", type=int, default=Settings().batch)
    parser.add_argument("--rate", type=float, default=Settings().rate)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--embeddings", choices=["random", "minilm"], default="random", help="first word embeddings")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument(
        "--held-out", type=float, default=0.05, help="share of training dialogues that choose the epoch"
    )
    return parser.parse_args()


def minilm_start(features: int, seed: int) -> Any:
    """Return a function that gives words the leading components of their MiniLM embeddings."""

    def start(vocabulary: Vocabulary) -> Any:
        rows = embedder.embed([word.strip("<>") or word for word in vocabulary.words])
        centred = rows - rows.mean(0)
        _, _, axes = np.linalg.svd(centred, full_matrices=False)
        reduced = centred @ axes[:features].T
        noise = np.random.default_rng(seed).normal(0, 0.1, (len(rows), features)).astype(np.float32)
        noise[:, : reduced.shape[1]] = reduced * (0.1 / reduced.std())
        return noise

    return start


def line(name: str, figures: StateAccuracy) -> str:
    return (
        f"{name:<34} joint {figures.joint:6.2%}  slot {figures.slot:6.2%}  precision {figures.precision:6.2%}  "
        f"recall {figures.recall:6.2%}  F1 {figures.f1:6.2%}  ({figures.turns} turns)"
    )


def main() -> None:
    args = arguments()
    cases = read(args.format, args.train)
    random.Random(args.seed).shuffle(cases)
    held = max(1, round(args.held_out * len(cases)))
    learned, chosen = examples_of(cases[held:]), examples_of(cases[:held])
    test = examples_of(read(args.format, args.test))
    print(
        f"{len(cases) - held} dialogues to learn from ({len(learned)} turns), {held} to choose by, "
        f"{len(test)} turns to report on"
    )
    settings = Settings(
        features=args.features,
        epochs=args.epochs,
        batch=args.batch,
        rate=args.rate,
        seed=args.seed,
        device=args.device,
    )
    start = minilm_start(args.features, args.seed) if args.embeddings == "minilm" else None
    began = time.perf_counter()
    tracker, curve = train(
        learned,
        chosen,
        settings,
        start=start,
        tell=lambda text: print(text, flush=True),
        keep=lambda best: save(best, args.out),
    )
    seconds = time.perf_counter() - began
    size = sum(parameter.numel() for parameter in tracker.network.parameters())
    figures = accuracy_of(tracker, test, args.device)
    save(tracker, args.out)
    print(f"{size} parameters, {len(tracker.vocabulary)} words, {seconds:.0f} s of training on {args.device}")
    results = {"trade": figures, **baselines_of(learned, test)}
    for name, result in results.items():
        print(line(name, result))
    record = {
        "parameters": size,
        "seconds": seconds,
        "curve": curve.rows,
        "test": {name: {key: getattr(result, key) for key in result.__slots__} for name, result in results.items()},
    }
    (args.out / "results.json").write_text(json.dumps(record, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
