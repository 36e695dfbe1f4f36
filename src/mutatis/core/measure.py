"""Comparisons of two answers, their scores, and the thresholds that decide."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from mutatis.core.calls import Tool
from mutatis.core.repertoire import Repertoire

Says = Literal["same", "different"]
"""A judgement of two answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two answers to compare.

    Attributes:
        reference: accepted answers; one for a system's own output, several if the data give several.
        answer: the answer to judge.
        question: the question, if available: its words carry no evidence in an answer.
        directed: True if `reference` is authoritative (an annotated answer), False between two system outputs.
        language: code of the language of the question; empty if not given.
        repertoire: the system's replies to this question, in all its wordings, and to others; None if they were not
            collected.
        tools: the tools that may be called, if the answers are calls.
        schema: the JSON schema of the case, if the answers are data.
    """

    reference: tuple[Any, ...]
    answer: Any
    question: str = ""
    directed: bool = False
    language: str = ""
    repertoire: Repertoire | None = None
    tools: tuple[Tool, ...] = ()
    schema: Mapping[str, Any] | None = None


SOURCE_IS_ODD = "source"
"""Cause: the source's own answer is wrong, so every rewording that is answered correctly is a finding."""


UNSTABLE = "unstable"
"""Cause: the answers to the question have nothing in common, or fall into two groups with different content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarity:
    """The similarity of two answers.

    Attributes:
        score: from 0 (different) to 1 (same).
        reason: why, in one line.
        open: the judge cannot decide: the score decides nothing, and no finding may rely on it.
        cause: if the answers differ, a word for the error, shared by all pairs of one question with the same error,
            such as SOURCE_IS_ODD; empty if unknown.
        error: why it could not be judged at all (a helper that failed).
    """

    score: float
    reason: str = ""
    open: bool = False
    error: str | None = None
    cause: str = ""


class Measure(Protocol):
    """Scores many pairs of answers at once."""

    name: str

    def compare(
        self, comparisons: Sequence[Comparison]
    ) -> Sequence[Similarity] | Coroutine[Any, Any, Sequence[Similarity]]:
        """Return one similarity per comparison, in order, or a coroutine if a helper judges.

        Never raises for any text.
        """


@runtime_checkable
class AsksHelper(Protocol):
    """A measure or annotator that asks a helper, and can state how often, so that a run can be planned."""

    def most_asked(self, number: int) -> int:
        """Return the maximum number of questions to the helper for this many pairs or dialogues."""


@runtime_checkable
class ComparesAtOnce(Protocol):
    """A measure that can compare a few short answers in less time than it takes to start a thread.

    It looks up results that need a model (`text.memory.remembered`), so that computing can be switched off.
    """

    @property
    def at_once(self) -> bool:
        """Whether it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A measure with its thresholds.

    Two answers are the same when score >= `equal` and different when score < `different`. Papers use two thresholds, so
    an answer between them can be neither. Scores inside `undecided` are marked for people to look at. `precision` is
    how often people agree with its "same" or "different", if measured. `false_alarm` is how often it calls rewordings
    of one answer different. `unsound` is the share of follow-ups that readers rejected and that systems answer
    differently. Both were measured on systems that were not used to develop it. If `verbatim`, the measure reads
    replies as given, not the values that tasks parse from them, and so judges every task. If `together`, it judges the
    pairs of a block of sources at once, and gets the replies to all of their questions.
    """

    measure: Measure
    equal: float = 0.5
    different: float = 0.5
    undecided: tuple[float, float] | None = None
    precision: Mapping[Says, float] = field(default_factory=dict)
    false_alarm: float | None = None
    unsound: float = 1.0
    verbatim: bool = False
    together: bool = False

    def is_undecided(self, score: float) -> bool:
        """Return True if a score lies in the undecided band."""
        return self.undecided is not None and self.undecided[0] <= score <= self.undecided[1]

    @property
    def thresholds(self) -> dict[str, float]:
        """The thresholds as JSON data."""
        return {"equal": self.equal, "different": self.different}
