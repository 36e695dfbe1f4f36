"""False alarms of MORTAR's relations on a system that is right by gold rewrites, and the bounds that limit them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from agreement import kappa
from numpy.typing import NDArray

RELATIONS = ("mr1", "mr2", "mr3", "mr4")
LAX = 0.045
"""Share of false alarms that MR1 and MR3 may make where the bounds are chosen, out of fold; the goal is 5 %."""

Mask = NDArray[np.bool_]


def alarms(equivalent: Mask, altered: Mask, known: Mask, group: NDArray[np.intp]) -> dict[str, tuple[int, int]]:
    """Return (false alarms, detections) per relation.

    All arguments have one entry per follow-up turn: what the check says (neither: undecided), whether the system knows
    the answer there, and which seed question of which draw it asks.
    """

    def per_question(mask: Mask) -> NDArray[np.intp]:
        return np.bincount(group[mask], minlength=int(group.max(initial=-1)) + 1)

    same_known, same_not = per_question(equivalent & known), per_question(equivalent & ~known)
    other_known, other_not = per_question(altered & known), per_question(altered & ~known)
    consistent = same_known + same_not >= 2
    divergent = (same_known + same_not > 0) & (other_known + other_not > 0)
    split = (same_known > 0) & (same_not > 0)
    met = ((same_known > 0) & (other_known > 0)) | ((same_not > 0) & (other_not > 0))
    return {
        "mr1": (int(same_not.sum()), int(equivalent.sum())),
        "mr2": (int(other_known.sum()), int(altered.sum())),
        "mr3": (int((consistent & split).sum()), int(consistent.sum())),
        "mr4": (int((divergent & met).sum()), int(divergent.sum())),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """One follow-up turn out of fold: the model's probability and what is known about it.

    Attributes:
        question: which seed question of which draw it asks.
        counted: whether the question has an answer; relations leave the others out.
    """

    question: tuple[str, int, int]
    probability: float
    gold: bool
    vetoed: bool
    counted: bool


class Guesses:
    """Out-of-fold guesses, judged by any pair of bounds."""

    def __init__(self, guesses: Sequence[Guess]) -> None:
        numbers: dict[tuple[str, int, int], int] = {}
        self.group = np.array([numbers.setdefault(one.question, len(numbers)) for one in guesses])
        self.probability = np.array([one.probability for one in guesses])
        self.gold = np.array([one.gold for one in guesses])
        self.vetoed = np.array([one.vetoed for one in guesses])
        self.counted = np.array([one.counted for one in guesses])

    def rates(self, low: float, high: float) -> dict[str, float]:
        """Return the share of false alarms per relation; the system knows that a vetoed turn cannot be answered."""
        altered = self.vetoed | (self.probability < low)
        equivalent = ~self.vetoed & (self.probability >= high)
        known = self.gold & ~self.vetoed
        found = alarms(equivalent & self.counted, altered & self.counted, known, self.group)
        return {name: wrong / max(1, made) for name, (wrong, made) in found.items()}

    def agreement(self, low: float, high: float) -> dict[str, float]:
        """Return the kappa of what is decided, the share decided, and the share of altered turns called so."""
        altered = self.vetoed | (self.probability < low)
        equivalent = ~self.vetoed & (self.probability >= high)
        decided = altered | equivalent
        return {
            "kappa_decided": kappa(equivalent[decided], self.gold[decided]),
            "decided": float(decided.mean()),
            "altered_recall": float((altered & ~self.gold).sum() / max(1, (~self.gold).sum())),
        }


def choose_bounds(guesses: Guesses, *, strict: float, least_kappa: float) -> tuple[dict[str, float], dict[str, float]]:
    """Return the bounds and what they reach on the guesses that they were chosen on.

    `high` is as low as MR1 and MR3 bear; `low` then as high as MR2 and MR4 bear, whose share of false alarms may be
    `strict`; `high` rises until what is decided agrees with the gold as well as `least_kappa` asks.
    """
    steps = [round(float(value), 3) for value in np.arange(0.02, 0.98, 0.01)]
    low = high = steps[-1]
    for high in steps:
        rates = guesses.rates(0.0, high)
        if max(rates["mr1"], rates["mr3"]) > LAX:
            continue
        found = {low: guesses.rates(low, high) for low in steps if low <= high}
        low = max((low for low, made in found.items() if max(made["mr2"], made["mr4"]) <= strict), default=0.0)
        if guesses.agreement(low, high)["kappa_decided"] >= least_kappa:
            break
    reached = {**guesses.rates(low, high), **guesses.agreement(low, high)}
    return {"low": low, "high": high}, {name: round(value, 3) for name, value in reached.items()}
