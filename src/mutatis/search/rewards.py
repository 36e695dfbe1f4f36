"""How much a try is worth to a learner: the thesis' reward, and ours, each by its name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from mutatis.core.edits import EditRates
from mutatis.search.space import Move, Site
from mutatis.text.edits import smallest_rate

RewardName = Literal["thesis", "failures"]
REFUSED = -100.0
"""The thesis' reward of an edit over a bound, or of one that changes nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """What came of a move at a place.

    Attributes:
        valid: it was put to a system.
        rates: how much it edited; None where nothing could be made.
        gain: how far the systems' uncertainty moved from the clean answer, mean over systems; 0 where it is not known.
        violated: a relation was violated; `inherited`, which the edited context caused by itself.
        text: what was made.
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
    """Return exp(|change of Gini impurity|) over the size of the edit, -100 for a refused one (2.2.3).

    The size is floored at the smallest edit of this text: repeating a word leaves both distances at 0.
    """
    if not trial.valid or trial.rates is None:
        return REFUSED
    size = math.hypot(trial.rates.word, trial.rates.character)
    return math.exp(trial.gain) / max(size, smallest_rate(trial.site.text))


def failures(trial: MoveResult) -> float:
    """Return 1 for a failure with a new text, 0.25 for a known or inherited one, -0.5 for a refused edit.

    What failed nowhere is worth how far it moved the uncertainty, a tenth at most.
    """
    if not trial.valid:
        return -0.5
    if trial.violated:
        return 1.0 if trial.fresh and not trial.inherited else 0.25
    return min(0.1, trial.gain)


REWARDS: Mapping[RewardName, Callable[[MoveResult], float]] = {"thesis": thesis, "failures": failures}
SCALES: Mapping[RewardName, float] = {"thesis": 0.01, "failures": 1.0}
"""What rewards are multiplied with before networks learn them."""
