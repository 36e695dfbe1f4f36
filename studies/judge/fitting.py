"""Turns pairs into features once, and fits and applies the judge's logistic models to any subset of them."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pairs import Pair
from scipy.optimize import minimize

from mutatis.core.measure import Similarity
from mutatis.measures import equivalence as eq
from mutatis.text import embedder

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FOR = (
    "exact contained coverage fuzzy_coverage precision last_word first_word spelling answer_within initials "
    "numbers_found cosine focus"
)
"""Features that can only speak for two answers being the same."""

AGAINST = (
    "numbers_conflict negated hedged abstains listed substituted extra_before position contrast "
    "contrast_elsewhere swapped swap_distance"
)
"""Features that can only speak against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Pairs as arrays, all with one row per pair.

    Attributes:
        names: the features, in the order of the columns.
        rows: features, shape (pairs, features); zero where a rule decides.
        decided: the score that a rule gives, NaN where none does.
        same: the human verdict.
        weight: training weight.
        fold: fold of the question.
        systems: the answering systems.
    """

    names: tuple[str, ...]
    rows: Floats
    decided: Floats
    same: Bools
    weight: Floats
    fold: NDArray[np.int64]
    systems: tuple[tuple[str, ...], ...]

    @property
    def open(self) -> Bools:
        """The pairs that no rule decides."""
        return np.isnan(self.decided)

    def involves(self, system: str) -> Bools:
        """The pairs that involve a system."""
        return np.array([system in systems for systems in self.systems], dtype=bool)


def tabulate(pairs: list[Pair], folds: NDArray[np.int64], *, directed: bool, semantic: bool) -> Table:
    """Compute the features of all pairs."""
    names = eq.DIRECTED_FEATURES if directed else eq.SYMMETRIC_FEATURES
    prepared = [eq.prepare(pair.comparison) for pair in pairs]
    undecided = [one for one in prepared if isinstance(one, eq.Open)]
    decided = np.array([one.score if isinstance(one, Similarity) else np.nan for one in prepared])
    rows = np.zeros((len(pairs), len(names)))
    rows[np.isnan(decided)] = np.array([one.row for one in undecided]).reshape(-1, len(names))
    if semantic:
        extra = np.zeros((len(pairs), len(eq.EMBEDDED)))
        extra[np.isnan(decided)] = eq.embedding_rows(undecided)
        rows, names = np.hstack([rows, extra]), (*names, *eq.EMBEDDED)
    return Table(
        names=names,
        rows=rows,
        decided=decided,
        same=np.array([pair.same for pair in pairs], dtype=bool),
        weight=np.array([pair.weight for pair in pairs]),
        fold=folds,
        systems=tuple(pair.systems for pair in pairs),
    )


def without_embeddings(table: Table) -> Table:
    """Return the table as it is without the `semantic` extra."""
    kept = [at for at, name in enumerate(table.names) if name not in eq.EMBEDDED]
    return replace(table, names=tuple(table.names[at] for at in kept), rows=table.rows[:, kept])


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A logistic model in the units of the features."""

    weights: Floats
    intercept: float

    def scores(self, table: Table, where: Bools) -> Floats:
        """Return the score of each selected pair, by rule or model."""
        sums = np.clip(table.rows[where] @ self.weights + self.intercept, -30, 30)
        return np.where(table.open[where], 1 / (1 + np.exp(-sums)), table.decided[where])


def _bounds(names: tuple[str, ...]) -> list[tuple[float | None, float | None]]:
    """Return the range of each weight: what speaks for sameness can only do so, on any data."""
    base = [name.removesuffix("_high").removesuffix("_low") for name in names]
    speak_for, speak_against = set(FOR.split()), set(AGAINST.split())
    return [
        (0.0, None) if name in speak_for else (None, 0.0) if name in speak_against else (None, None) for name in base
    ]


def fit(table: Table, where: Bools, *, strength: float = 0.3, caution: float = 0.0) -> Fitted:
    """Fit a logistic model with signed weights to the open pairs among those selected; deterministic.

    `caution` is added to the logit after calibration: the more, the surer the model must be that two answers differ.
    Not where a word stands in another's place: that says so by itself, whatever the system's style.
    """
    chosen = where & table.open & (table.weight > 0)
    rows, weight = table.rows[chosen], table.weight[chosen]
    target = np.where(table.same[chosen], 1.0, -1.0)
    centre, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale < 1e-9] = 1.0
    scaled = np.hstack([(rows - centre) / scale, np.ones((len(rows), 1))])
    penalty = np.append(np.full(rows.shape[1], 1 / strength), 0.0)

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = target * (scaled @ weights)
        value = float(weight @ np.logaddexp(0.0, -margin) + 0.5 * penalty @ weights**2)
        pull = -weight * target / (1.0 + np.exp(np.clip(margin, -30, 30)))
        return value, scaled.T @ pull + penalty * weights

    bounds = [*_bounds(table.names), (None, None)]
    found = minimize(
        loss, np.zeros(len(bounds)), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 500, "ftol": 1e-8}
    )
    weights = found.x[:-1] / scale
    fitted = _calibrated(weights, float(found.x[-1] - weights @ centre), table, chosen & (table.weight == 1.0))
    swapped = [at for at, name in enumerate(table.names) if name in ("swapped", "swapped_high")]
    fitted.weights[swapped] -= caution
    return replace(fitted, intercept=fitted.intercept + caution)


def _calibrated(weights: Floats, intercept: float, table: Table, where: Bools) -> Fitted:
    """Rescale the model on the human judgements alone, since the other training pairs have their own share of same."""
    sums = table.rows[where] @ weights + intercept
    target = np.where(table.same[where], 1.0, -1.0)

    def loss(line: Floats) -> float:
        return float(np.logaddexp(0.0, -target * (line[0] * sums + line[1])).sum())

    slope, shift = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    return Fitted(weights=weights * slope, intercept=float(intercept * slope + shift))


def _cache_file() -> Path:
    return Path(tempfile.gettempdir()) / "mutatis-judge-embeddings.npz"


def warm_embeddings() -> int:
    """Fill the embedder's cache from an earlier run on this machine; return how many texts it knows."""
    path = _cache_file()
    if path.exists():
        with np.load(path, allow_pickle=False) as stored:
            embedder.CARRIED.cache.update(zip(stored["texts"].tolist(), stored["vectors"], strict=True))
    return len(embedder.CARRIED.cache)


def keep_embeddings() -> None:
    """Store the embedder's cache for the next run on this machine."""
    if embedder.CARRIED.cache:
        texts = np.array(list(embedder.CARRIED.cache), dtype=np.str_)
        np.savez(_cache_file(), texts=texts, vectors=np.array(list(embedder.CARRIED.cache.values())))


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, for the record of provenance."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
