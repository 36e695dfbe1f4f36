"""Rewards of a trial for a learner: the thesis' (RLTest4Chatbot, 2.2.3), and a count of failures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from mutatis.rltest4chatbot.edits import EditRates
from mutatis.rltest4chatbot.space import Move, Site

RewardName = Literal["thesis", "failures"]
PENALTY = -100.0
"""Amount that the thesis' reward adds for an edit that exceeds a bound (its beta)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """The result of a move at a place.

    Attributes:
        valid: it was sent to a system.
        rates: how much it edited; None if no edit could be made.
        moved: how much more uncertain each system became than at the clean answer; empty if unknown.
        violated: a relation was violated; `inherited`: the edited context alone caused the violation.
        text: the edited text.
        fresh: the text had not been tried before at this place.
        last: it was the last judged turn of its episode.
    """

    site: Site
    move: Move
    valid: bool
    rates: EditRates | None = None
    moved: tuple[float, ...] = ()
    violated: bool = False
    inherited: bool = False
    text: str = ""
    fresh: bool = True
    queries: int = 0
    last: bool = False

    @property
    def change(self) -> float:
        """The mean change of the systems' uncertainty; above 0 if they became less certain."""
        return sum(self.moved) / len(self.moved) if self.moved else 0.0

    @property
    def gain(self) -> float:
        """The mean absolute change of the systems' uncertainty."""
        return sum(map(abs, self.moved)) / len(self.moved) if self.moved else 0.0


def thesis(trial: MoveResult) -> float:
    """Return exp(change of Gini impurity) divided by the size of the edit, plus -100 for a refused edit.

    The change is relative to the clean answer: the less certain the system became, the more an edit is worth. A refused
    edit is not sent to any system, so its change is 0. An edit that leaves both distances at 0 (none at all, or a
    repeated word) has no size to divide by, and is worth the numerator.
    """
    if trial.rates is None:
        return PENALTY
    size = math.hypot(trial.rates.word, trial.rates.character)
    worth = math.exp(trial.change) / (size or 1.0)
    return worth if trial.valid else worth + PENALTY


def failures(trial: MoveResult) -> float:
    """Return 1 for a failure with a new text, 0.25 for a repeated or inherited one, -0.5 for a refused edit.

    A trial without a failure is worth its effect on the uncertainty, a tenth at most.
    """
    if not trial.valid:
        return -0.5
    if trial.violated:
        return 1.0 if trial.fresh and not trial.inherited else 0.25
    return min(0.1, trial.gain)


REWARDS: Mapping[RewardName, Callable[[MoveResult], float]] = {"thesis": thesis, "failures": failures}
