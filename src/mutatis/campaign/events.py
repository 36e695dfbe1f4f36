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
    """A named phase begins; `total` is its units of work, if given.

    `questions` returns at any time about how many questions to the systems it takes in all, None if unknown.
    """

    name: str
    total: int | None = None
    questions: Callable[[], int | None] = field(default=lambda: None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced:
    """One unit of work in the phase is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceClosed:
    """No more events of a source follow: its records can be summed up."""

    case: Case


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceObserved:
    """A source case was put to a system; sent once per case, system and repeat, with one observation per asked turn."""

    system: str
    case: Case
    observations: Mapping[int, Observation]
    repeat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpMade:
    """A follow-up was derived and annotated; sent once per follow-up, whatever number of systems is asked.

    `relations` names the relations that have not rejected it, `systems` the systems that get it.
    """

    source: Case
    case: Case
    relations: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstable:
    """The answers to the wordings of one question fall into two clusters of size; sent before its source is closed.

    `shares` holds both with a text and the number of `wordings` that get it, the larger one first; `findings` are the
    violations between the two.
    """

    source: Case
    shares: tuple[tuple[str, int], ...]
    wordings: int
    findings: frozenset[str]


Event: TypeAlias = PhaseStarted | Advanced | SourceClosed | Unstable | SourceObserved | FollowUpMade | Verdict
"""Anything that a listener can be told; a judged verdict is an event itself."""

Listener: TypeAlias = Callable[[Event], None]


class Collector(Protocol):
    """A listener that computes metrics of its own over a run, for the metrics in `report.json`."""

    name: str

    def __call__(self, event: Event) -> None:
        """Take note of an event."""

    def metrics(self) -> dict[str, Any]:
        """Return the metrics as JSON data once the run is over."""
