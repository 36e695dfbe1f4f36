"""False alarms of MORTAR's relations on a system that is right by gold rewrites, and the bounds that limit them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from agreement import kappa
from numpy.typing import NDArray

from mutatis.context.cues import KINDS, Kind

RELATIONS = ("mr1", "mr2", "mr3", "mr4")
GOALS = {
    "canard": {"mr1": 0.05, "mr2": 0.10, "mr3": 0.05, "mr4": 0.10},
    "mtrag": {"mr1": 0.05, "mr2": 0.075, "mr3": 0.075, "mr4": 0.20},
}
"""Share of false alarms that each relation may make out of fold, per corpus.

Of MT-RAG, whose rewrites are not all sound, MR3 and MR4 may make more, for one wrong gold verdict spoils a whole group
of them. MR2 may make fewer there: with 0.10, a domain that had no part in the bounds had 0.15.
"""
RESAMPLES = 400

Mask = NDArray[np.bool_]
Bounds: TypeAlias = dict[Kind, dict[str, float]]
"""Per kind of question: `low` and `high`."""


def alarms(equivalent: Mask, altered: Mask, known: Mask, group: NDArray[np.intp]) -> dict[str, tuple[int, int]]:
    """Return (false alarms, detections) per relation.

    All arguments have one entry per follow-up turn: what the check says (neither: undecided), whether the system knows
    the answer there, and which seed question of which draw it asks.
    """
    counts = by_question(equivalent, altered, known, group)
    return {name: (int(wrong.sum()), int(made.sum())) for name, (wrong, made) in counts.items()}


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
        kind: of the question, as the bounds tell it apart.
        counted: whether the question has an answer; relations leave the others out.
    """

    dialogue: str
    question: tuple[str, int, int]
    kind: Kind
    probability: float
    gold: bool
    vetoed: bool
    counted: bool


class Guesses:
    """Out-of-fold guesses of one corpus, judged by any bounds."""

    def __init__(self, guesses: Sequence[Guess]) -> None:
        numbers: dict[tuple[str, int, int], int] = {}
        self.group = np.array([numbers.setdefault(guess.question, len(numbers)) for guess in guesses])
        self.kind = np.array([KINDS.index(guess.kind) for guess in guesses])
        self.probability = np.array([guess.probability for guess in guesses])
        self.gold = np.array([guess.gold for guess in guesses])
        self.vetoed = np.array([guess.vetoed for guess in guesses])
        self.counted = np.array([guess.counted for guess in guesses])
        places: dict[str, int] = {}
        dialogue = np.array([places.setdefault(guess.dialogue, len(places)) for guess in guesses])
        self._dialogue = np.zeros(len(numbers), dtype=np.intp)
        self._dialogue[self.group] = dialogue
        draws = np.random.default_rng(0).multinomial(len(places), [1 / len(places)] * len(places), size=RESAMPLES)
        self._resamples = draws.astype(np.float64)

    def verdicts(self, bounds: Bounds) -> tuple[Mask, Mask]:
        """Return which turns are called equivalent, and which altered."""
        low, high = (np.array([bounds[kind][side] for kind in KINDS])[self.kind] for side in ("low", "high"))
        return ~self.vetoed & (self.probability >= high), self.vetoed | (self.probability < low)

    def rates(self, bounds: Bounds, sure: float | None = None) -> dict[str, float]:
        """Return the share of false alarms per relation; the system knows that a vetoed turn cannot be answered.

        With `sure` it is the share that so many of the resamples of the dialogues stay under.
        """
        equivalent, altered = self.verdicts(bounds)
        known = self.gold & ~self.vetoed
        by_name = by_question(equivalent & self.counted, altered & self.counted, known, self.group)
        result = {}
        for name, (wrong, made) in by_name.items():
            if sure is None:
                result[name] = float(wrong.sum() / max(1, made.sum()))
                continue
            again_wrong, again_made = (self._resamples @ self._per_dialogue(counts) for counts in (wrong, made))
            result[name] = float(np.quantile(again_wrong / np.maximum(again_made, 1), sure))
        return result

    def tally(self, bounds: Bounds) -> Counter[str]:
        """Return numbers of turns and verdicts, and false alarms and detections of each relation."""
        equivalent, altered = self.verdicts(bounds)
        known = self.gold & ~self.vetoed
        result = Counter(
            turns=len(self.gold),
            altered=int((~self.gold).sum()),
            decided=int((equivalent | altered).sum()),
            called_altered=int(altered.sum()),
            rightly_altered=int((altered & ~self.gold).sum()),
        )
        for name, (wrong, made) in alarms(equivalent & self.counted, altered & self.counted, known, self.group).items():
            result |= Counter({f"{name}_false": wrong, f"{name}_detections": made})
        return result

    def _per_dialogue(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        return np.bincount(self._dialogue, weights=counts.astype(np.float64))

    def agreement(self, bounds: Bounds) -> dict[str, float]:
        """Return kappa and share of what is decided, and how many altered turns are called so and how often rightly."""
        equivalent, altered = self.verdicts(bounds)
        decided = altered | equivalent
        right = (altered & ~self.gold).sum()
        return {
            "kappa_decided": kappa(equivalent[decided], self.gold[decided]) if decided.any() else 0.0,
            "decided": float(decided.mean()),
            "altered_precision": float(right / max(1, altered.sum())),
            "altered_recall": float(right / max(1, (~self.gold).sum())),
        }


HIGHS = [round(float(value), 3) for value in np.arange(0.70, 0.985, 0.01)]
LOWS = [round(float(value), 3) for value in np.arange(0.0, 0.41, 0.01)]


def choose_bounds(
    corpora: Mapping[str, Guesses],
    *,
    sure: Mapping[str, float],
    least_kappa: float,
    most: Mapping[str, float] | None = None,
) -> tuple[Bounds, dict[str, dict[str, float]]]:
    """Return the bounds and what they reach, per corpus, on the guesses that they were chosen on.

    The highs decide as much as possible of the first corpus within the goals of MR1 and MR3, the lows then find as many
    of its altered turns as possible within those of MR2 and MR4; each goal holds in `sure` of the resamples of the
    dialogues of every corpus. The highs rise until what is decided of the first corpus agrees with the gold as
    `least_kappa` asks. `most` replaces the goal of MR4, per corpus. Nothing else is settled by hand.
    """
    first = next(iter(corpora.values()))
    goals = {name: {**GOALS[name], "mr4": (most or {}).get(name, GOALS[name]["mr4"])} for name in corpora}

    def within(bounds: Bounds, *names: str) -> bool:
        for corpus, guesses in corpora.items():
            rates = guesses.rates(bounds, sure[corpus])
            if any(rates[name] > goals[corpus][name] for name in names):
                return False
        return True

    highs = [(pointing, plain) for pointing in HIGHS for plain in HIGHS if plain <= pointing]
    allowed = [pair for pair in highs if within(bounds_of((0.0, 0.0), pair), "mr1", "mr3")]
    bounds = bounds_of((0.0, 0.0), (HIGHS[-1], HIGHS[-1]))
    for pair in sorted(allowed, key=lambda pair: -first.agreement(bounds_of((0.0, 0.0), pair))["decided"]):
        lows = [(0.0, 0.0)]
        for other in LOWS:
            fitting = [low for low in LOWS if low >= other and within(bounds_of((low, other), pair), "mr2", "mr4")]
            lows += [(max(fitting), other)] if fitting else []
        bounds = max(
            (bounds_of(low, pair) for low in lows), key=lambda candidate: first.agreement(candidate)["altered_recall"]
        )
        if first.agreement(bounds)["kappa_decided"] >= least_kappa:
            break
    reached = {name: {**guesses.rates(bounds), **guesses.agreement(bounds)} for name, guesses in corpora.items()}
    return bounds, {name: {key: round(value, 3) for key, value in figures.items()} for name, figures in reached.items()}


def bounds_of(lows: tuple[float, float], highs: tuple[float, float]) -> Bounds:
    """Return bounds from two lows (with a pronoun, else) and two highs (pointing elsewhere, plain)."""
    return {
        "pronoun": {"low": lows[0], "high": highs[0]},
        "pointer": {"low": lows[1], "high": highs[0]},
        "plain": {"low": lows[1], "high": highs[1]},
    }
