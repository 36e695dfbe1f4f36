"""Events of a run, sent to its listeners: files, terminal, reports, metrics of recipes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from mutatis.core.cases import Case
from mutatis.core.relation import Observation
from mutatis.core.verdict import Verdict

SEARCH, NOISE_FLOOR, CONFIRM, SHRINK = "search", "noise floor", "confirm", "shrink"
"""The phases of a run, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseStarted:
    """A named phase begins; `total` is its number of units of work, if known.

    `questions` returns at any time roughly how many questions to systems the phase takes in all, or None.
    """

    name: str
    total: int | None = None
    questions: Callable[[], int | None] = field(default=lambda: None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced:
    """One unit of work in the phase is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceClosed:
    """No more events of a source follow, so its records can be summarised."""

    case: Case


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceObserved:
    """A source case was asked; sent once per case, system and repeat, with one observation per asked turn."""

    system: str
    case: Case
    observations: Mapping[int, Observation]
    repeat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpMade:
    """A follow-up was derived and annotated; sent once per follow-up, however many systems are asked.

    `relations` names the relations that have not rejected it, `systems` the systems that get it.
    """

    source: Case
    case: Case
    relations: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstable:
    """The answers to the wordings of one question form two large clusters; sent before its source is closed.

    `shares` describes both by a text and the number of `wordings` that get it, the larger one first; `findings` are the
    violations between the two.
    """

    source: Case
    shares: tuple[tuple[str, int], ...]
    wordings: int
    findings: frozenset[str]


Event: TypeAlias = PhaseStarted | Advanced | SourceClosed | Unstable | SourceObserved | FollowUpMade | Verdict
"""Anything that listeners receive, including judged verdicts."""

Listener: TypeAlias = Callable[[Event], None]


class Collector(Protocol):
    """A listener that computes its own metrics over a run for `report.json`."""

    name: str

    def __call__(self, event: Event) -> None:
        """Process an event."""

    def metrics(self) -> dict[str, Any]:
        """Return the metrics as JSON data after the run."""
