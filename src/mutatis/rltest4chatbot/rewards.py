"""Rewards for a learning policy: the thesis' own (RLTest4Chatbot, 2.2.3), and one that counts failures."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from mutatis.rltest4chatbot.edits import EditRates
from mutatis.rltest4chatbot.space import Move, Site

RewardName = Literal["thesis", "failures"]
PENALTY = -100.0
"""Amount that the thesis' reward adds if an edit exceeds a bound (beta in the thesis)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """The result of an edit that a search tried at a turn.

    Attributes:
        valid: whether the edited text was sent to a system.
        rates: how much was edited, or None if no edit could be made.
        moved: how much less certain each system was of its answer than before the edit; empty if unknown.
        violated: whether a relation was violated.
        inherited: whether the edited context alone caused the violation.
        text: the edited text.
        fresh: whether the text had not been tried before at this turn.
        last: whether this was the last judged turn of its episode.
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
        """Mean change of the systems' uncertainty, which is positive if they became less certain."""
        return sum(self.moved) / len(self.moved) if self.moved else 0.0

    @property
    def gain(self) -> float:
        """Mean absolute change of the systems' uncertainty."""
        return sum(map(abs, self.moved)) / len(self.moved) if self.moved else 0.0


def thesis(trial: MoveResult) -> float:
    """Return exp(change of Gini impurity) divided by the size of the edit, and add -100 for an invalid edit.

    The change is relative to the answer before the edit, so an edit is worth more if it makes the system less certain.
    Invalid edits are not sent to any system, so their change is 0. An edit of size 0 (none, or a repeated word) counts
    as size 1.
    """
    if trial.rates is None:
        return PENALTY
    size = math.hypot(trial.rates.word, trial.rates.character)
    worth = math.exp(trial.change) / (size or 1.0)
    return worth if trial.valid else worth + PENALTY


def failures(trial: MoveResult) -> float:
    """Return 1 for a failure with a new text, 0.25 for any other failure, and -0.5 for an invalid edit.

    Other failures have a repeated text, or the edited context alone caused them. Without a failure, return the size of
    the change in the system's uncertainty, but at most 0.1.
    """
    if not trial.valid:
        return -0.5
    if trial.violated:
        return 1.0 if trial.fresh and not trial.inherited else 0.25
    return min(0.1, trial.gain)


REWARDS: Mapping[RewardName, Callable[[MoveResult], float]] = {"thesis": thesis, "failures": failures}
