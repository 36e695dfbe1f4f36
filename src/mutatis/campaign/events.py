"""The events that a run sends to its listeners, such as its files, terminal, reports and the metrics of recipes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from mutatis.core.cases import Case
from mutatis.core.relation import Observation
from mutatis.core.verdict import Verdict

SEARCH, NOISE_FLOOR, CONFIRM, SHRINK = "search", "noise floor", "confirm", "shrink"
"""The names of the phases of a run, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseStarted:
    """The event sent when a phase of the run begins.

    Attributes:
        name: the name of the phase.
        questions: returns an estimate of the total number of questions in the phase, or None. It may be called at any
            time.
    """

    name: str
    questions: Callable[[], int | None] = field(default=lambda: None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceClosed:
    """The event sent when a source is finished: no more events follow for it, so its records can be summarised."""

    case: Case


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceObserved:
    """The event sent when a source case has been sent to a system. There is one per case, system and repeat.

    It contains one observation for each turn that was sent.
    """

    system: str
    case: Case
    observations: Mapping[int, Observation]
    repeat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpMade:
    """The event sent when a follow-up has been derived and annotated, once for all systems that receive it.

    `relations` names the relations that have not rejected it, and `systems` the systems that will receive it.
    """

    source: Case
    case: Case
    relations: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstable:
    """The event sent when the answers to the wordings of one question form two large clusters.

    It is sent before the source of the question is closed.

    Attributes:
        source: the source case.
        shares: for each of the two clusters, the larger one first, its answer and the number of wordings that get it.
        wordings: the number of wordings.
        findings: the violations caused by the contradiction between the two answers.
    """

    source: Case
    shares: tuple[tuple[str, int], ...]
    wordings: int
    findings: frozenset[str]


Event: TypeAlias = PhaseStarted | SourceClosed | Unstable | SourceObserved | FollowUpMade | Verdict
"""Any event that listeners receive, including judged verdicts."""

Listener: TypeAlias = Callable[[Event], None]


class Collector(Protocol):
    """A listener that computes its own metrics for a run, for inclusion in `report.json`."""

    name: str

    def __call__(self, event: Event) -> None:
        """Process an event of the run."""

    def metrics(self) -> dict[str, Any]:
        """Return the metrics as JSON data. Called after the run."""
