"""False alarms of MORTAR's relations on a system that is right by gold rewrites, and the bounds that limit them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from agreement import kappa
from numpy.typing import NDArray

RELATIONS = ("mr1", "mr2", "mr3", "mr4")
GOALS = {"mr1": 0.05, "mr2": 0.10, "mr3": 0.05, "mr4": 0.10}
"""Share of false alarms that each relation may make: the goals themselves, as the limits out of fold."""
RESAMPLES = 400

Mask = NDArray[np.bool_]


def alarms(equivalent: Mask, altered: Mask, known: Mask, group: NDArray[np.intp]) -> dict[str, tuple[int, int]]:
    """Return (false alarms, detections) per relation.

    All arguments have one entry per follow-up turn: what the check says (neither: undecided), whether the system knows
    the answer there, and which seed question of which draw it asks.
    """
    found = by_question(equivalent, altered, known, group)
    return {name: (int(wrong.sum()), int(made.sum())) for name, (wrong, made) in found.items()}


def by_question(
    equivalent: Mask, altered: Mask, known: Mask, group: NDArray[np.intp]
) -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
    """Return (false alarms, detections) per relation and seed question; arguments as for `alarms`."""

    def per_question(mask: Mask) -> NDArray[np.intp]:
        return np.bincount(group[mask], minlength=int(group.max(initial=-1)) + 1)

    same_known, same_not = per_question(equivalent & known), per_question(equivalent & ~known)
    other_known, other_not = per_question(altered & known), per_question(altered & ~known)
    consistent = same_known + same_not >= 2
    divergent = (same_known + same_not > 0) & (other_known + other_not > 0)
    split = (same_known > 0) & (same_not > 0)
    met = ((same_known > 0) & (other_known > 0)) | ((same_not > 0) & (other_not > 0))
    return {
        "mr1": (same_not, same_known + same_not),
        "mr2": (other_known, other_known + other_not),
        "mr3": (consistent & split, consistent),
        "mr4": (divergent & met, divergent),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """One follow-up turn out of fold: the model's probability and what is known about it.

    Attributes:
        dialogue: its id; what is resampled.
        question: which seed question of which draw it asks.
        counted: whether the question has an answer; relations leave the others out.
    """

    dialogue: str
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
        places: dict[str, int] = {}
        dialogue = np.array([places.setdefault(one.dialogue, len(places)) for one in guesses])
        self._dialogue = np.zeros(len(numbers), dtype=np.intp)
        self._dialogue[self.group] = dialogue
        draws = np.random.default_rng(0).multinomial(len(places), [1 / len(places)] * len(places), size=RESAMPLES)
        self._resamples = draws.astype(np.float64)

    def rates(self, low: float, high: float, sure: float | None = None) -> dict[str, float]:
        """Return the share of false alarms per relation; the system knows that a vetoed turn cannot be answered.

        With `sure` it is the share that so many of the resamples of the dialogues stay under.
        """
        altered = self.vetoed | (self.probability < low)
        equivalent = ~self.vetoed & (self.probability >= high)
        known = self.gold & ~self.vetoed
        found = by_question(equivalent & self.counted, altered & self.counted, known, self.group)
        result = {}
        for name, (wrong, made) in found.items():
            if sure is None:
                result[name] = float(wrong.sum() / max(1, made.sum()))
                continue
            again_wrong, again_made = (self._resamples @ self._per_dialogue(counts) for counts in (wrong, made))
            result[name] = float(np.quantile(again_wrong / np.maximum(again_made, 1), sure))
        return result

    def _per_dialogue(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        return np.bincount(self._dialogue, weights=counts.astype(np.float64))

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


def choose_bounds(guesses: Guesses, *, sure: float, least_kappa: float) -> tuple[dict[str, float], dict[str, float]]:
    """Return the bounds and what they reach on the guesses that they were chosen on.

    `high` is as low as the goals of MR1 and MR3 bear, `low` then as high as those of MR2 and MR4 bear, each in `sure`
    of the resamples of the dialogues; `high` rises until what is decided agrees with the gold as well as `least_kappa`
    asks. Nothing else is settled by hand, and nothing by dialogues that were held out.
    """
    steps = [round(float(value), 3) for value in np.arange(0.02, 0.99, 0.005)]
    low = high = steps[-1]
    for high in steps:
        if not _within(guesses.rates(0.0, high, sure), "mr1", "mr3"):
            continue
        lower = [step for step in steps if step <= high and _within(guesses.rates(step, high, sure), "mr2", "mr4")]
        low = max(lower, default=0.0)
        if guesses.agreement(low, high)["kappa_decided"] >= least_kappa:
            break
    reached = {**guesses.rates(low, high), **guesses.agreement(low, high)}
    return {"low": low, "high": high}, {name: round(value, 3) for name, value in reached.items()}


def _within(rates: dict[str, float], *names: str) -> bool:
    return all(rates[name] <= GOALS[name] for name in names)
