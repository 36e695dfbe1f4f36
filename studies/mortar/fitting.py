"""Fitting of the offline extractor's two models: labels, out-of-fold predictions, trees as JSON. Deterministic."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from orders import PERTURBATIONS, order_of
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from mutatis.context.extractors import from_rewrites
from mutatis.context.knowledge import Dialogue, Knowledge
from mutatis.context.offline.candidates import Features, NeedFeatures
from mutatis.context.offline.extractor import TurnModel, question_words
from mutatis.context.offline.turns import Progress, SourceDialogue
from mutatis.context.words import similar

FOLDS = 5


def fold_of(dialogue: str) -> int:
    """Return the fold of a dialogue, by a fixed hash of its id."""
    return int(hashlib.sha256(f"fold/{dialogue}".encode()).hexdigest(), 16) % FOLDS


@dataclass
class Sample:
    """One dialogue in one setting, with its labels; `counted` says whose turns' gold is worth learning from."""

    dialogue: Dialogue
    features: NeedFeatures
    gold: Knowledge
    labels: list[NDArray[np.int8]]
    fold: int
    counted: tuple[bool, ...]
    probabilities: list[NDArray[np.float64]] = field(default_factory=list)

    def gold_order(self, order: Sequence[int]) -> list[bool]:
        """Return which turns of a follow-up are equivalent by the gold rewrites."""
        return _walk(self.gold, order)


def _walk(gold: Knowledge, order: Sequence[int]) -> list[bool]:
    """Walk an order by explicit knowledge alone: no veto, no semantic check, no story."""
    needed, words, verdicts = gold.needed(), set(gold.start), []
    for turn in order:
        ok, _ = gold.satisfied(needed[turn], words)
        words |= gold.full[turn] if ok else gold.said[turn]
        verdicts.append(ok)
    return verdicts


def gold_verdicts(dialogue: Dialogue, order: Sequence[int]) -> list[bool]:
    """Return which turns of a follow-up are equivalent by the gold rewrites of a dialogue."""
    return _walk(from_rewrites(dialogue), order)


def sample(dialogue: Dialogue, *, fold: int | None = None, counted: tuple[bool, ...] = ()) -> Sample:
    """Read features and labels of one dialogue; without a fold its id gives it one, and all of its turns count."""
    features = NeedFeatures(dialogue)
    gold = from_rewrites(dialogue)
    labels = []
    for turn, words in enumerate(features.words):
        wanted = {part for need in gold.wanted[turn] for part in need.parts}
        labels.append(
            np.array([word in wanted or any(similar(word, part) for part in wanted) for word in words], dtype=np.int8)
        )
    return Sample(
        dialogue=dialogue,
        features=features,
        gold=gold,
        labels=labels,
        fold=fold_of(dialogue.id) if fold is None else fold,
        counted=counted or (True,) * len(dialogue),
    )


def fit_trees(
    rows: NDArray[Any], labels: NDArray[Any], names: Sequence[str], *, bags: int = 1, **options: Any
) -> dict[str, Any]:
    """Fit boosted trees and return them in the JSON form of `Trees`."""
    settings = {"learning_rate": 0.06, "max_iter": 150, "max_leaf_nodes": 12, "min_samples_leaf": 30}
    settings |= {"l2_regularization": 5.0, "max_features": 0.3, "random_state": 0, "early_stopping": False}
    settings |= options
    trees: list[list[list[float]]] = []
    baseline = 0.0
    for seed in range(bags):
        model = HistGradientBoostingClassifier(**settings | {"random_state": seed})
        model.fit(rows, labels)
        baseline = float(model._baseline_prediction[0][0])
        trees += [_tree(predictor.nodes, 1 / bags) for (predictor,) in model._predictors]
    return {"features": list(names), "baseline": round(baseline, 6), "trees": trees}


def _tree(nodes: Any, scale: float) -> list[list[float]]:
    """Return one fitted tree in the JSON form of `Trees`."""
    return [
        [round(float(node["value"]) * scale, 5)]
        if node["is_leaf"]
        else [int(node["feature_idx"]), float(f"{node['num_threshold']:.6g}"), int(node["left"]), int(node["right"])]
        for node in nodes
    ]


def vocabulary(samples: Sequence[Sample], least: int) -> list[str]:
    """Return the words that stand in at least so many questions of the (different) dialogues of some samples."""
    dialogues = {item.dialogue.id: item.dialogue for item in samples}.values()
    counts = Counter(
        word for dialogue in dialogues for question in dialogue.questions for word in question_words(question)
    )
    return sorted(word for word, number in counts.items() if number >= least)


def fit_linear(table: Table, words: Sequence[str], *, strength: float) -> dict[str, Any]:
    """Fit the regression on features and question words; return the JSON form of `Linear`.

    `strength` is the inverse of the penalty (C); columns are brought to one scale before, and back afterwards.
    """
    place = {word: at for at, word in enumerate(words)}
    said = np.zeros((len(table.rows), len(words)), dtype=np.float32)
    for row, question in enumerate(table.questions):
        for word in question_words(question) & place.keys():
            said[row, place[word]] = 1.0
    scaler = StandardScaler()
    model = LogisticRegression(C=strength, max_iter=500)
    model.fit(scaler.fit_transform(np.hstack([table.rows, said])), table.labels)
    weights = model.coef_[0] / scaler.scale_
    baseline = float(model.intercept_[0] - (weights * scaler.mean_).sum())
    short = [float(f"{value:.4g}") for value in weights]
    width = table.rows.shape[1]
    return {
        "baseline": round(baseline, 6),
        "weights": short[:width],
        "words": dict(zip(words, short[width:], strict=True)),
    }


def named_rows(features: Sequence[Features]) -> tuple[list[str], NDArray[np.float32]]:
    """Return the names of some features, and the features as a table in the order of these names."""
    return list(features[0]), np.array([list(row.values()) for row in features], dtype=np.float32)


@dataclass
class FollowUp:
    """One order of one sample, with its gold verdicts."""

    sample: Sample
    perturbation: str
    draw: int
    order: list[int]
    gold: list[bool]


def follow_ups(samples: Sequence[Sample], draws: int, seed: int = 0) -> list[FollowUp]:
    """Return all perturbations of all samples."""
    return [
        FollowUp(
            item,
            name,
            draw,
            order := order_of(name, item.dialogue.id, len(item.dialogue), draw=draw, seed=seed),
            item.gold_order(order),
        )
        for item in samples
        for name in PERTURBATIONS
        for draw in range(draws)
    ]


Predictor = Callable[[int, Sequence[Features], Sequence[str]], NDArray[np.float64]]


@dataclass
class Table:
    """The modelled turns of many follow-ups: features by name, whether they are equivalent, folds, questions."""

    names: list[str]
    rows: NDArray[np.float32]
    labels: NDArray[np.int8]
    folds: NDArray[np.int32]
    questions: list[str]

    def part(self, mask: NDArray[np.bool_]) -> Table:
        """Return the rows of a mask."""
        questions = [question for question, chosen in zip(self.questions, mask, strict=True) if chosen]
        return Table(self.names, self.rows[mask], self.labels[mask], self.folds[mask], questions)


def cascade(items: Sequence[FollowUp], predict: Predictor | None) -> tuple[Table, list[list[float]]]:
    """Walk all follow-ups in step; return the table of the modelled turns and the probabilities of all turns.

    `predict(fold, rows, questions)` gives probabilities; None uses gold verdicts as the history.
    """
    seeds: dict[int, SourceDialogue] = {}
    for item in items:
        if id(item.sample) not in seeds:
            drawn = item.sample
            seeds[id(drawn)] = SourceDialogue(drawn.dialogue, drawn.features, drawn.probabilities)
    walks = [Progress(seeds[id(item.sample)]) for item in items]
    rows, labels, folds, questions = [], [], [], []
    out: list[list[float]] = [[] for _ in items]
    for place in range(max(len(item.order) for item in items)):
        asked: dict[int, list[tuple[int, Features, str]]] = {}
        for number, item in enumerate(items):
            if place >= len(item.order):
                continue
            turn, walk = item.order[place], walks[number]
            if walk.predecessors_passed(turn) or walk.passed.get(turn, 0.0) >= 1.0:
                out[number].append(1.0)
                walk.commit(turn, 1.0)
                continue
            row, question = walk.features(turn), item.sample.dialogue.questions[turn]
            if item.sample.counted[turn]:
                rows.append(row)
                labels.append(item.gold[place])
                folds.append(item.sample.fold)
                questions.append(question)
            if predict is None:
                out[number].append(float(item.gold[place]))
                walk.commit(turn, float(item.gold[place]))
            else:
                asked.setdefault(item.sample.fold, []).append((number, row, question))
        for fold, waiting in asked.items():
            values = predict(fold, [row for _, row, _ in waiting], [question for _, _, question in waiting])
            for (number, _, _), value in zip(waiting, values, strict=True):
                out[number].append(float(value))
                walks[number].commit(items[number].order[place], float(value))
    return Table(*named_rows(rows), np.array(labels, dtype=np.int8), np.array(folds), questions), out


def predictor(models: Sequence[TurnModel]) -> Predictor:
    """Return a predictor that asks the model of each fold."""
    return lambda fold, rows, questions: models[fold].probability(models[fold].trees.rows(rows), questions)
