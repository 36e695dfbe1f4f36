"""Agreement of context verdicts with gold rewrites, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from orders import PERTURBATIONS


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


def print_table(version: str, bounds: Mapping[str, Mapping[str, float]], agreement: dict[str, Any]) -> None:
    """Print one version's agreement on the dialogues that were not fitted."""
    undecided = ", ".join(f"{kind} {band['low']} to {band['high']}" for kind, band in bounds.items())
    print(f"\n{version}: undecided: {undecided}")
    for part in ("out_of_fold", "unseen"):
        for name, reached in agreement.get(part, {}).items():
            print(f"{part} {name}: {reached}")
    columns = list(agreement["held_out"]["all"])
    print("     " + "  ".join(f"{name[:22]:>22}" for name in columns))
    for name, values in agreement["held_out"].items():
        print(f"{name:4} " + "  ".join(f"{values[column]!s:>22}" for column in columns))
