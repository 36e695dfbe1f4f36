"""The default extractor `offline`: two fitted models estimate a question's needs and whether they are met.

It needs no language model and no downloads. Gold rewrites are used only to fit the models (`studies/mortar`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mutatis.context.cues import KINDS, Kind
from mutatis.context.decisions import ContextDecision, ContextOptions, Status, final_decision, vetoed
from mutatis.context.knowledge import Dialogue
from mutatis.context.offline.candidates import NeedFeatures
from mutatis.context.offline.turns import Progress, SourceDialogue
from mutatis.context.words import plain_words
from mutatis.core.errors import StoreError
from mutatis.core.languages import ENGLISH
from mutatis.core.system import Helper

# The turn model: boosted trees, and where it pays the mean of them and a logistic regression on words and features.
#
# Where there is a title the trees alone are never sure enough of an altered context: they see how features work
# together, but rank the clearest cases badly (no leaf is small). The regression ranks those best, and single words of
# the question ("album", "that", "movie") tell it what the cues do not. Must not know follow-ups.


def question_words(question: str) -> frozenset[str]:
    """Return the lower-cased words of a question, as used by the regression."""
    return frozenset(word.lower() for word in plain_words(question))


class Linear:
    """A logistic regression loaded from JSON: `baseline`, `weights` (per feature) and `words` (a weight per word)."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._baseline = float(data["baseline"])
        self._weights = np.array(data["weights"], dtype=np.float64)
        self._words: dict[str, float] = dict(data["words"])

    def probability(self, rows: NDArray[np.float32], questions: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability for each row (rows x features); `questions` holds the question of each row."""
        # In a plain sum, the last digits depend on the order of the words, which differs between processes.
        said = np.array(
            [math.fsum(self._words.get(word, 0.0) for word in question_words(question)) for question in questions]
        )
        return _logistic(self._baseline + rows @ self._weights + said)


class TurnModel:
    """A model of the probability that the context of a turn is equivalent to the original one.

    It uses trees alone, or the mean of trees and a logistic regression.
    """

    def __init__(self, trees: Mapping[str, Any], linear: Mapping[str, Any] | None = None) -> None:
        self.trees = Trees(trees)
        self.linear = None if linear is None else Linear(linear)

    def probability(self, rows: NDArray[np.float32], questions: Sequence[str]) -> NDArray[np.float64]:
        """Return the probability for each row; `questions` holds the question of each row."""
        by_trees = self.trees.probability(rows)
        return by_trees if self.linear is None else (by_trees + self.linear.probability(rows, questions)) / 2


FORMAT = "mutatis/context-model"
VERSION = 2
_SURE: Mapping[Status, float] = {"altered": 0.0, "undecided": 0.5, "equivalent": 1.0}
"""Share of a turn's words that later turns may rely on, by the status that a fixed rule (a guard) assigned.

If the model judged the turn, its probability is used instead.
"""
VERSIONS = ("title", "no_title", "no_answers")


class Models:
    """One fitted version: the two models, and two probability thresholds for each kind of question.

    Attributes:
        low: a turn with a lower probability is altered. This threshold is strict, because every error here causes a
            false alarm of MR2 or MR4.
        high: a turn with at least this probability is equivalent. This threshold is lenient, because MR1 and MR3
            tolerate more errors. Between the two thresholds, the turn is undecided.
    """

    def __init__(self, record: Mapping[str, Any]) -> None:
        """Load models from their JSON form. Raise StoreError if the format or version is not the expected one."""
        if record.get("format") != FORMAT or record.get("version") != VERSION:
            raise StoreError(
                f"expected a context model of format {FORMAT}, version {VERSION}; train the model again with "
                "train_context.py"
            )
        self.need = Trees(record["need"])
        self.turn = TurnModel(record["turn"], record.get("turn_linear"))
        self.low: dict[Kind, float] = {kind: float(record["bounds"][kind]["low"]) for kind in KINDS}
        self.high: dict[Kind, float] = {kind: float(record["bounds"][kind]["high"]) for kind in KINDS}


@lru_cache(maxsize=8)
def load_version(version: str) -> Models:
    """Load one of the bundled model versions: `title`, `no_title` or `no_answers`."""
    text = files("mutatis.context").joinpath("models", f"{version}.json").read_text(encoding="utf-8")
    return Models(json.loads(text))


def version_for(dialogue: Dialogue) -> str:
    """Return the name of the model version that was fitted on dialogues with the same kind of material."""
    if not any(dialogue.answers):
        return "no_answers"
    return "title" if dialogue.title or dialogue.section else "no_title"


class OfflineJudge:
    """A judge of one seed's follow-ups. It applies fixed rules (guards) first, then the fitted models.

    See section 3 of the specification.
    """

    def __init__(self, dialogue: Dialogue, models: Models) -> None:
        features = NeedFeatures(dialogue)
        need = models.need
        self._models = models
        self.seed = SourceDialogue(dialogue, features, [need.probability(need.rows(rows)) for rows in features.rows])

    def judge(self, order: Sequence[int], options: ContextOptions) -> list[ContextDecision]:
        """Return one judgement per turn of `order`. Earlier verdicts determine which words the context contains."""
        dialogue = self.seed.dialogue
        walk = Progress(self.seed)
        equivalent: set[int] = set()
        result = []
        for place, turn in enumerate(order):
            if options.adjacency_veto and vetoed(dialogue, order, place):
                decision = ContextDecision(status="altered", check="adjacency", missing=walk.missing(turn))
            else:
                decision = self._guarded(walk, turn, equivalent)
            decision = final_decision(decision, dialogue, order, place, options)
            if decision.equivalent:
                equivalent.add(turn)
            walk.commit(turn, _SURE[decision.status] if decision.probability is None else decision.probability)
            result.append(decision)
        return result

    def _guarded(self, walk: Progress, turn: int, equivalent: set[int]) -> ContextDecision:
        """Judge a turn by the guards (rules that are always right). If none applies, use the turn model."""
        if turn == 0:
            return ContextDecision(status="equivalent", check="opening")
        if walk.predecessors_passed(turn):
            return ContextDecision(status="equivalent", check="predecessors")
        if turn in equivalent:
            return ContextDecision(status="equivalent", check="asked-before", probability=walk.passed[turn])
        row = self._models.turn.trees.rows([walk.features(turn)])
        value = float(self._models.turn.probability(row, [self.seed.dialogue.questions[turn]])[0])
        kind = self.seed.cues[turn].kind
        if value >= self._models.high[kind]:
            return ContextDecision(status="equivalent", check="model", probability=value)
        missing = walk.missing(turn)
        status: Status = "altered" if value < self._models.low[kind] else "undecided"
        return ContextDecision(status=status, check="model", probability=value, missing=missing)


class Offline:
    """The extractor `offline`. `models` replaces the bundled models, which is useful for fitting and tests."""

    name = "offline"
    needs_helper = False
    languages = ENGLISH

    def __init__(self, models: Mapping[str, Models] | None = None) -> None:
        self._models = models

    async def extract(self, dialogue: Dialogue, helper: Helper | None = None) -> OfflineJudge:
        """Return the judge for the follow-ups of one dialogue."""
        version = version_for(dialogue)
        return OfflineJudge(dialogue, self._models[version] if self._models else load_version(version))


class Trees:
    """A sum of regression trees on the log-odds scale.

    The JSON form has `baseline`, `features` (names) and `trees`. Each tree is a list of nodes [feature, threshold,
    left, right], or [value] for a leaf; a row goes left if its feature is <= the threshold.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.features: list[str] = list(data["features"])
        self.baseline = float(data["baseline"])
        self._roots: list[int] = []
        nodes: list[Sequence[float]] = []
        for tree in data["trees"]:
            first = len(nodes)
            self._roots.append(first)
            # A leaf leads to itself, so that a row that has arrived stays there.
            nodes += [
                (node[0], node[1], first + node[2], first + node[3], 0.0)
                if len(node) == 4
                else (0, np.inf, first + place, first + place, node[0])
                for place, node in enumerate(tree)
            ]
        table = np.array(nodes, dtype=np.float64).reshape(-1, 5).T
        self._feature, self._following = table[0].astype(np.intp), table[2:4].T.astype(np.intp)
        self._threshold, self._value = table[1], table[4]

    def rows(self, features: Iterable[Mapping[str, float]]) -> NDArray[np.float32]:
        """Return features by name as a table, with the columns that the trees were fitted to."""
        table = [[each[name] for name in self.features] for each in features]
        return np.array(table, dtype=np.float32).reshape(len(table), len(self.features))

    def probability(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the probability for each row (rows x features)."""
        row = np.arange(len(rows))[:, None]
        at = np.tile(np.array(self._roots, dtype=np.intp), (len(rows), 1))
        while True:
            goes_right = rows[row, self._feature[at]] > self._threshold[at]
            following = self._following[at, goes_right.astype(np.intp)]
            if np.array_equal(following, at):
                return _logistic(self.baseline + self._value[at].sum(axis=1))
            at = following


def _logistic(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-log_odds)))
