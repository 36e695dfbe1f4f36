"""Agreement of context verdicts with gold rewrites: tables, and the choice of the undecided band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from orders import PERTURBATIONS

LEAST_DECIDED = 0.82
"""Share of turns that must be decided when the band is chosen; the goal is 0.80, the rest is for other data."""
GOALS = {"kappa": (0.80, 0.01), "kappa_decided": (0.90, 0.02), "equivalent_precision": (0.97, 0.01)}
"""What is to be reached, and by how much more it should be, since other dialogues differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One follow-up turn: predicted (None = undecided) and gold."""

    perturbation: str
    predicted: bool | None
    probability: float | None
    gold: bool


def kappa(predicted: NDArray[Any], gold: NDArray[Any]) -> float:
    """Return Cohen's kappa of two boolean vectors; 1 where chance alone agrees fully."""
    agree = float(np.mean(predicted == gold))
    first, second = float(np.mean(predicted)), float(np.mean(gold))
    chance = first * second + (1 - first) * (1 - second)
    return (agree - chance) / (1 - chance) if chance < 1 else 1.0


def _share(hits: int, total: int) -> float | None:
    return round(hits / total, 3) if total else None


def table(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Return agreement per perturbation and in total; `kappa` counts undecided as equivalent."""
    result = {}
    for name in [*PERTURBATIONS, "all"]:
        part = [row for row in rows if name in (row.perturbation, "all")]
        gold = np.array([row.gold for row in part])
        two_way = np.array([row.predicted is not False for row in part])
        decided = [row for row in part if row.predicted is not None]
        called = [row for row in decided if row.predicted is False]
        passed = [row for row in decided if row.predicted]
        result[name] = {
            "turns": len(part),
            "altered": _share(sum(not row.gold for row in part), len(part)),
            "kappa_always_equivalent": round(kappa(np.ones(len(part), dtype=bool), gold), 3),
            "kappa": round(kappa(two_way, gold), 3),
            "altered_precision": _share(sum(not row.gold for row in called), len(called)),
            "altered_recall": _share(sum(not row.gold for row in called), int((~gold).sum())),
            "decided": _share(len(decided), len(part)),
            "kappa_decided": round(
                kappa(np.array([bool(row.predicted) for row in decided]), np.array([row.gold for row in decided])), 3
            ),
            "equivalent_precision": _share(sum(row.gold for row in passed), len(passed)),
        }
    return result


def _value(reached: dict[str, float], balanced: bool) -> float:
    """Return how good a band is: the goal that is furthest from being reached, or a weighted sum."""
    if balanced:
        return min((reached[name] - goal) / margin for name, (goal, margin) in GOALS.items())
    return (
        1.5 * reached["kappa"] + min(reached["kappa_decided"], 0.93) + 2 * min(reached["equivalent_precision"], 0.985)
    )


def choose_band(
    guesses: NDArray[Any], gold: NDArray[Any], *, balanced: bool
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the band (low, high) in which a turn is undecided, and what it reaches on out-of-fold guesses.

    `balanced` weighs all goals alike; else the kappa of the two-way reading (undecided counts as equivalent) leads.
    """
    best: tuple[float, dict[str, float], dict[str, float]] | None = None
    steps = np.round(np.arange(0.06, 0.96, 0.01), 2)
    for low in steps:
        two_way = kappa(guesses >= low, gold)
        for high in steps[steps >= low]:
            decided = (guesses < low) | (guesses >= high)
            passed = guesses >= high
            if decided.mean() < LEAST_DECIDED or not passed.any():
                continue
            reached = {
                "kappa": two_way,
                "kappa_decided": kappa(passed[decided], gold[decided]),
                "equivalent_precision": float(gold[passed].mean()),
                "decided": float(decided.mean()),
            }
            value = _value(reached, balanced)
            if best is None or value > best[0]:
                best = (value, {"low": float(low), "high": float(high)}, {k: round(v, 3) for k, v in reached.items()})
    if best is None:
        return {"low": 0.5, "high": 0.5}, {}
    return best[1], best[2]


def print_table(version: str, band: dict[str, float], agreement: dict[str, Any]) -> None:
    """Print one version's agreement on the dialogues that were not fitted."""
    print(f"\n{version}: undecided from {band['low']} to {band['high']}; out of fold {agreement['out_of_fold']}")
    columns = list(agreement["held_out"]["all"])
    print("     " + "  ".join(f"{name[:22]:>22}" for name in columns))
    for name, values in agreement["held_out"].items():
        print(f"{name:4} " + "  ".join(f"{values[column]!s:>22}" for column in columns))
