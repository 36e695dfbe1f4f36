"""What came out of judging one metamorphic group."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mutatis.core.cases import Derivation


class Outcome(StrEnum):
    """The four outcomes; they are never merged and never a bare bool."""

    SATISFIED = "satisfied"
    VIOLATED = "violated"
    INVALID = "invalid"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What an output relation says of a group: outcome, score of the worst pair, reason and how it was measured.

    `worst` names the members (indices into the group) that the score comes from, `violating` all members of any
    pair that violates.
    """

    outcome: Outcome
    score: float | None = None
    reason: str = ""
    measure: str = ""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    undecided: bool = False
    worst: tuple[int, ...] = ()
    violating: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What makes a violation the same finding in two runs; never the run seed or the perturbed text."""

    system: str
    task: str
    relation: str
    source: str
    turn: int
    variant: tuple[str, ...] = ()

    @property
    def finding(self) -> str:
        """Short hash: the FINDING of the command line."""
        parts = (self.system, self.task, self.relation, self.source, str(self.turn), *self.variant)
        text = "\x1f".join(parts).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, digest_size=5).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The judgement on one group.

    Attributes:
        identity: which finding this would be.
        judgement: outcome, score, reason, thresholds.
        repeat: repeat index of the answers judged.
        draw: draw number of the follow-up; 0 for question groups.
        steps: names of the transformations that made the follow-up.
        plan: how the follow-up was, or would have been, derived; None for question groups.
        precondition: the broken precondition or constraint of an INVALID verdict, with its stage.
        unchanged: INVALID because the follow-up equals its source.
        vacuous: the system reads the same in source and follow-up (after its own tokenizer), so it could not differ.
        confirmed: None until `confirm` tried; False marks the finding FLAKY.
    """

    identity: Identity
    judgement: Judgement
    repeat: int = 0
    draw: int = 0
    steps: tuple[str, ...] = ()
    precondition: str | None = None
    unchanged: bool = False
    vacuous: bool = False
    plan: Derivation | None = None
    confirmed: bool | None = None

    @property
    def outcome(self) -> Outcome:
        """The outcome of the judgement."""
        return self.judgement.outcome
