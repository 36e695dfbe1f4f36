"""Rewards of a try for a learner: the thesis' and ours, each by its name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from mutatis.core.edits import EditRates
from mutatis.search.space import Move, Site
from mutatis.text.edits import smallest_rate

RewardName = Literal["thesis", "failures"]
PENALTY = -100.0
"""Amount that the thesis' reward adds for an edit that exceeds a bound (its beta)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """The result of a move at a place.

    Attributes:
        valid: it was put to a system.
        rates: how much it edited; None if no edit could be made.
        gain: how far the systems' uncertainty moved from the clean answer, mean over systems; 0 if unknown.
        violated: a relation was violated; `inherited`: the edited context alone caused the violation.
        text: the edited text.
        fresh: the text was not tried before at this place.
        last: it was the last judged turn of its episode.
    """

    site: Site
    move: Move
    valid: bool
    rates: EditRates | None = None
    gain: float = 0.0
    violated: bool = False
    inherited: bool = False
    text: str = ""
    fresh: bool = True
    queries: int = 0
    last: bool = False


def thesis(trial: MoveResult) -> float:
    """Return exp(|change of Gini impurity|) divided by the size of the edit, plus -100 for a refused edit (2.2.3).

    A refused edit is not sent to any system, so its change is 0. The size is at least that of the smallest edit of this
    text, because repeating a word leaves both distances at 0. An edit that changes nothing has no size and gets only
    the penalty.
    """
    if trial.rates is None or not trial.rates.changed:
        return PENALTY
    size = math.hypot(trial.rates.word, trial.rates.character)
    worth = math.exp(trial.gain) / max(size, smallest_rate(trial.site.text))
    return worth if trial.valid else worth + PENALTY


def failures(trial: MoveResult) -> float:
    """Return 1 for a failure with a new text, 0.25 for a repeated or inherited one, -0.5 for a refused edit.

    A try without a failure is worth the distance it moved the uncertainty, a tenth at most.
    """
    if not trial.valid:
        return -0.5
    if trial.violated:
        return 1.0 if trial.fresh and not trial.inherited else 0.25
    return min(0.1, trial.gain)


REWARDS: Mapping[RewardName, Callable[[MoveResult], float]] = {"thesis": thesis, "failures": failures}
SCALES: Mapping[RewardName, float] = {"thesis": 0.01, "failures": 1.0}
"""Factors applied to rewards before networks learn them.

The importance of a family is a softmax of values (the thesis names no function). On the thesis' rewards, from -100 to
above 100, it would leave the second-best family no repetition, whatever k.
"""
