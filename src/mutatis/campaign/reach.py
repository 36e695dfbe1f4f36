"""Summarises the tests of each question, for two tables of the report.

One shows which kinds of change passed, failed or could not be applied. The other shows the thresholds ("edges") of
values in questions that change the replies.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from mutatis.campaign.events import Event, SourceClosed
from mutatis.core.cases import Case
from mutatis.core.constraint import is_open
from mutatis.core.decision import Outcome
from mutatis.core.errors import shortened
from mutatis.core.relation import CHANGES, OTHER_CHANGE, MetamorphicRelation
from mutatis.core.transformation import AS_IT_IS, NO_CHANGE
from mutatis.core.verdict import Verdict
from mutatis.transformations.halving import Walk, changes_in, goes_evenly, turn_in, walks_of

LISTED = 200
"""Maximum number of questions listed in the table. Further questions are only counted."""

REASONS = 3
"""Number of reasons shown for a kind of change that could not be applied, the most frequent first."""

NOTHING = "the question has nothing of this kind to change"

FELL, HELD, OPEN, FAILED, NOT_APPLICABLE = "fell", "held", "open", "failed", "not-applicable"
_RANK = (FELL, HELD, OPEN, FAILED, NOT_APPLICABLE)
"""States in order of precedence, for several follow-ups that make the same kind of change to a question."""


@dataclass(slots=True)
class _Question:
    """The kinds of change tried on one question put to one system, each with its result and the reason."""

    case: Case
    states: dict[str, tuple[str, str]] = field(default_factory=dict)

    def add(self, change: str, state: str, reason: str) -> None:
        """Record the result of a kind of change if it takes precedence over the result recorded before."""
        before = self.states.get(change)
        if before is None or _RANK.index(state) < _RANK.index(before[0]):
            self.states[change] = state, reason


@dataclass(slots=True)
class _Counts:
    """Counts of the changes tried on the finished questions of one system."""

    questions: int = 0
    states: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    reasons: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    listed: list[dict[str, Any]] = field(default_factory=list)

    def close(self, question: _Question) -> None:
        """Add a finished question to the counts."""
        self.questions += 1
        for change, (state, reason) in question.states.items():
            self.states[change][state] += 1
            if state == NOT_APPLICABLE:
                self.reasons[change][reason] += 1
        if len(self.listed) < LISTED:
            self.listed.append(_tests_of(question))

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON data."""
        return {
            "questions": self.questions,
            "kinds": [self._kind(change) for change in (*CHANGES, OTHER_CHANGE) if self.states[change]],
            "untried": [change for change in CHANGES if not self.states[change]],
            "table": self.listed,
        }

    def _kind(self, change: str) -> dict[str, Any]:
        counts = self.states[change]
        why = sorted(self.reasons[change].items(), key=lambda entry: (-entry[1], entry[0]))
        return {
            "change": change,
            **{state: counts[state] for state in (FELL, HELD, OPEN, FAILED)},
            "not_applicable": counts[NOT_APPLICABLE],
            "reasons": dict(why[:REASONS]),
        }


def _tests_of(question: _Question) -> dict[str, Any]:
    return {
        "source": question.case.id,
        "question": question.case.turns[-1].text,
        "states": {change: state for change, (state, _) in question.states.items()},
        "reasons": {change: reason for change, (state, reason) in question.states.items() if state == NOT_APPLICABLE},
    }


class Reach:
    """A listener that counts tests per system and kind of change. Only questions in progress are kept in memory.

    Relations without a kind of change are counted together, and relations that change nothing are not counted.
    """

    def __init__(self) -> None:
        self._open: dict[tuple[str, str, str], _Question] = {}
        self._counts: dict[str, _Counts] = defaultdict(_Counts)

    def __call__(self, event: Event) -> None:
        """Record a verdict, or add a question to the counts when its source is closed."""
        if isinstance(event, Verdict):
            change = event.relation.change or OTHER_CHANGE
            if not _changes_nothing(event.relation):
                key = event.system, event.source.task, event.source.id
                question = self._open.setdefault(key, _Question(case=event.source))
                question.add(change, _state(event), NOTHING if event.decided.unchanged else event.decided.reason)
        elif isinstance(event, SourceClosed):
            for key in [key for key in self._open if key[1:] == (event.case.task, event.case.id)]:
                self._close(key)

    def _close(self, key: tuple[str, str, str]) -> None:
        self._counts[key[0]].close(self._open.pop(key))

    def records(self) -> list[dict[str, Any]]:
        """Return the tests of each system's questions as JSON data. Call it after the run."""
        for key in list(self._open):
            self._close(key)
        return [{"system": system, **counts.record()} for system, counts in self._counts.items()]


def _changes_nothing(relation: MetamorphicRelation) -> bool:
    return all(step.transformation in (AS_IT_IS, NO_CHANGE) for step in relation.transformations)


def _state(verdict: Verdict) -> str:
    decision = verdict.decided
    if decision.outcome is Outcome.VIOLATED:
        return FELL
    if decision.outcome is Outcome.SATISFIED:
        return HELD
    if decision.outcome is Outcome.ERROR:
        return FAILED
    return OPEN if is_open(decision.precondition or "") else NOT_APPLICABLE


EDGES_LISTED = 200
"""Maximum number of rows in the table of edges."""

REPLY_SHOWN = 160
"""Maximum number of characters shown of a reply in the table of edges."""


class Edges:
    """A listener that records the thresholds of values in questions that change the replies of a system."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []

    def __call__(self, event: Event) -> None:
        """Record the replies to a question if its follow-ups were made to find the threshold of a value in it."""
        if isinstance(event, Verdict) and event.group is not None and not event.repeat:
            for walk in walks_of(event.group):
                row = _edges_of(walk)
                if row is not None and len(self._rows) < EDGES_LISTED:
                    about = {"system": event.system, "source": event.source.id, "question": event.group.question}
                    self._rows.append({**about, **row})

    def records(self) -> list[dict[str, Any]]:
        """Return the thresholds that were found as JSON data for the report's table."""
        return self._rows


def _edges_of(walk: Walk) -> dict[str, Any] | None:
    """Return the table row for one value in a question, or None if the replies do not change with it.

    A price per person grows evenly with every person, so it has no edges. `turn` has the values between which a rising
    price falls.
    """
    changes = changes_in(walk.points, walk.value)
    if not changes:
        return None
    texts = walk.texts
    replies = {number: shortened(" ".join(reply.split()), REPLY_SHOWN) for number, reply in walk.points.items()}
    even = goes_evenly(walk.points, walk.value)
    turn = turn_in(walk.points, walk.value)
    edges = [
        {"low": texts[low], "high": texts[high], "below": replies[low], "above": replies[high]}
        for low, high in pairwise(sorted(walk.points))
        if (low, high) in changes
    ]
    return {
        "value": walk.value.text,
        "asked": [{"value": texts[number], "reply": replies[number]} for number in sorted(walk.points)],
        "edges": [] if even else edges,
        "even": even,
        "direction": walk.direction,
        "turn": [] if turn is None else [texts[number] for number in turn],
    }
