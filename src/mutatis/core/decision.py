"""The decision of an output relation on one metamorphic group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mutatis.core.errors import check_word


class Outcome(StrEnum):
    """The four possible outcomes of a decision. They are never combined, and never reduced to a bool."""

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    INVALID = "invalid"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The decision on a metamorphic group: its outcome, the score of the worst pair, the reason and the measure.

    A relation may reject a follow-up, or one of its turns, before anything is compared. The decision is then INVALID or
    ERROR.

    Attributes:
        worst: indices of the group members that the score was computed from.
        violating: indices of all members of any violating pair.
        precondition: for INVALID, the precondition that failed with its stage, or the constraint that failed.
        unchanged: whether the decision is INVALID because the follow-up equals its source.
        cause: the error behind a violation, if the judge names one (`Similarity.cause`).

    Raises:
        UsageError: `outcome` is neither an outcome nor the name of one.
    """

    outcome: Outcome
    score: float | None = None
    reason: str = ""
    measure: str = ""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    undecided: bool = False
    worst: tuple[int, ...] = ()
    violating: tuple[int, ...] = ()
    precondition: str | None = None
    unchanged: bool = False
    cause: str = ""

    def __post_init__(self) -> None:
        if type(self.outcome) is not Outcome:  # made for every verdict: our own pay one comparison
            check_word("outcome", self.outcome, tuple(Outcome))
            object.__setattr__(self, "outcome", Outcome(self.outcome))
