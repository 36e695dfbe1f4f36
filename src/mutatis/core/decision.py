"""The decision of an output relation on one metamorphic group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mutatis.core.errors import check_word


class Outcome(StrEnum):
    """The four outcomes. They are never merged, and never reduced to a bool."""

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    INVALID = "invalid"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The decision on a group: outcome, score of the worst pair, reason, and how it was measured.

    A relation that rejects a follow-up, or one turn of it, also decides: INVALID or ERROR, before anything is compared.

    Attributes:
        worst: the members (indices into the group) that the score comes from.
        violating: all members of any pair that violates.
        precondition: for INVALID, the broken precondition or constraint with its stage.
        unchanged: INVALID because the follow-up equals its source.
        cause: the error behind a violation, if the judge names one (`Similarity.cause`).

    Raises:
        UsageError: `outcome` is neither an outcome nor the text of one.
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
