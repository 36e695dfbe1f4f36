"""Turns pairs into features once, and fits and applies the judge's logistic models to any subset of them."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from adapter import adapter
from cachetools import LRUCache
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
    "numbers_conflict negated hedged abstains listed extra_before position contrast "
    "contrast_elsewhere swapped swap_distance"
)
"""Features that can only speak against it."""

EXCHANGE_CAUTION = 1.1
"""What is taken from the logit of exchanged words: the more, the surer the adapter must be that they mean the same.

Chosen once, on the tables of `evaluate.py --contrast`: as many synonyms are accepted as without the adapter.
"""

CACHED = 500_000  # texts, of 1.5 kB each


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
        apart: how sure the word adapter is of exchanged words, where nothing else differs; else NaN.
    """

    names: tuple[str, ...]
    rows: Floats
    decided: Floats
    same: Bools
    weight: Floats
    fold: NDArray[np.int64]
    systems: tuple[tuple[str, ...], ...]
    apart: Floats

    @property
    def open(self) -> Bools:
        """The pairs that no rule decides."""
        return np.isnan(self.decided)

    def involves(self, system: str) -> Bools:
        """The pairs that involve a system."""
        return np.array([system in systems for systems in self.systems], dtype=bool)


def tabulate(
    pairs: list[Pair],
    folds: NDArray[np.int64],
    *,
    directed: bool,
    semantic: bool,
    parts: NDArray[np.int64] | None = None,
) -> Table:
    """Compute the features of all pairs.

    `parts`: the part of the classes to which a substitution belongs, -1 for other pairs; its words are judged by an
    adapter that saw neither them nor its class.
    """
    names = eq.DIRECTED_FEATURES if directed else eq.SYMMETRIC_FEATURES
    prepared = [eq.prepare(pair.comparison) for pair in pairs]
    undecided = [pair for pair in prepared if isinstance(pair, eq.Open)]
    decided = np.array([pair.score if isinstance(pair, Similarity) else np.nan for pair in prepared])
    rows = np.zeros((len(pairs), len(names)))
    rows[np.isnan(decided)] = np.array([pair.row for pair in undecided]).reshape(-1, len(names))
    if semantic:
        extra = np.zeros((len(pairs), len(eq.EMBEDDED)))
        extra[np.isnan(decided)] = eq.embedding_rows(undecided)
        rows, names = np.hstack([rows, extra]), (*names, *eq.EMBEDDED)
    apart = _apart(prepared, parts if parts is not None else np.full(len(pairs), -1)) if semantic else None
    return Table(
        names=names,
        rows=rows,
        decided=decided,
        same=np.array([pair.same for pair in pairs], dtype=bool),
        weight=np.array([pair.weight for pair in pairs]),
        fold=folds,
        systems=tuple(pair.systems for pair in pairs),
        apart=np.full(len(pairs), np.nan) if apart is None else apart,
    )


def _apart(prepared: list[Similarity | eq.Open], parts: NDArray[np.int64]) -> Floats:
    """Return how sure the adapter of each pair's part is that its exchanged words exclude each other."""
    apart = np.full(len(prepared), np.nan)
    for part in sorted(set(parts.tolist())):
        here = [(at, pair) for at in np.flatnonzero(parts == part) if isinstance(pair := prepared[at], eq.Open)]
        exchanged = [(at, pair) for at, pair in here if pair.exchanged]
        if exchanged:
            held = adapter(None if part < 0 else part)
            apart[[at for at, _ in exchanged]] = eq.exchange_rows([pair for _, pair in exchanged], held)[:, 0]
    return apart


def without(table: Table, semantic: bool, leave: tuple[str, ...] = ()) -> Table:
    """Return the table without some features, and where not `semantic` as it is without the `semantic` extra."""
    gone = {*leave, *(() if semantic else eq.EMBEDDED)}
    kept = [at for at, name in enumerate(table.names) if name not in gone]
    apart = table.apart if semantic and eq.EXCHANGED[0] not in leave else np.full(len(table.same), np.nan)
    return replace(table, names=tuple(table.names[at] for at in kept), rows=table.rows[:, kept], apart=apart)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A logistic model in the units of the features, and one for exchanged words: slope and intercept."""

    weights: Floats
    intercept: float
    exchange: tuple[float, float] | None = None

    def scores(self, table: Table, where: Bools) -> Floats:
        """Return the score of each selected pair, by rule or model."""
        sums = np.clip(table.rows[where] @ self.weights + self.intercept, -30, 30)
        chances = np.where(table.open[where], 1 / (1 + np.exp(-sums)), table.decided[where])
        if self.exchange is None:
            return chances
        slope, shift = self.exchange
        exchanged = ~np.isnan(table.apart[where])
        return np.where(exchanged, 1 / (1 + np.exp(-(slope * table.apart[where] + shift))), chances)


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
    best = minimize(
        loss, np.zeros(len(bounds)), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 500, "ftol": 1e-8}
    )
    weights = best.x[:-1] / scale
    fitted = _calibrated(weights, float(best.x[-1] - weights @ centre), table, chosen & (table.weight == 1.0))
    swapped = [at for at, name in enumerate(table.names) if name in ("swapped", "swapped_high")]
    fitted.weights[swapped] -= caution
    return replace(fitted, intercept=fitted.intercept + caution, exchange=_exchange(table, where))


def _exchange(table: Table, where: Bools) -> tuple[float, float] | None:
    """Fit slope and intercept of the model for exchanged words; both verdicts count alike, but for EXCHANGE_CAUTION."""
    chosen = where & ~np.isnan(table.apart) & (table.weight > 0)
    same, apart = table.same[chosen], table.apart[chosen]
    if same.all() or not same.any():
        return None
    weight = np.where(same, 0.5 / same.mean(), 0.5 / (1 - same.mean()))
    target = np.where(same, 1.0, -1.0)

    def loss(line: Floats) -> float:
        return float(weight @ np.logaddexp(0.0, -target * (line[0] * apart + line[1])))

    slope, shift = minimize(loss, np.array([-0.5, 0.0]), method="Nelder-Mead").x
    return float(slope), float(shift) - EXCHANGE_CAUTION


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
    """Fill the embedder's cache from an earlier run on this machine; return how many texts it knows.

    The package's cache holds fewer texts than a study has: here it may hold them all.
    """
    embedder.CARRIED.cache = LRUCache(CACHED)
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
