"""Comparisons of two answers, their similarity scores, and the thresholds that turn scores into decisions.

A judge may also read a repertoire, the replies of one system to a block of questions. From two replies alone, it cannot
distinguish rewording from contradiction. A run has more evidence: the replies to every other wording of the question,
and to every other question.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from mutatis.core.calls import Tool

REPLIES, QUESTIONS = 4, 5
"""Minimum number of other replies to a question, and of questions in a block, for a reliable judgement.

With fewer, more pairs are wrongly judged the same (`studies/repertoire/curve.py --what siblings sources`).
"""


class WordedReply(NamedTuple):
    """A system's reply to one wording of a question. `message` is the wording."""

    message: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReplies:
    """The replies to one question, in the order of the requests.

    Attributes:
        source: the reply to the question as worded in the data; None if there is no reply.
        siblings: the replies to rewordings that must keep the meaning.
        repeats: the replies to repetitions of the original wording.
        others: the replies to follow-ups that need not keep the meaning.
    """

    source: WordedReply | None
    siblings: tuple[WordedReply, ...] = ()
    repeats: tuple[WordedReply, ...] = ()
    others: tuple[WordedReply, ...] = ()

    @property
    def same(self) -> Iterator[WordedReply]:
        """Yield every reply that should have the same content: the source's reply, the siblings and the repeats."""
        if self.source is not None:
            yield self.source
        yield from self.siblings
        yield from self.repeats


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, kw_only=True)
class ReplyBlock:
    """One system's replies to a block of questions that are judged together.

    Blocks are compared by identity, so they can serve as dictionary keys.
    """

    questions: tuple[QuestionReplies, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repertoire:
    """A block of replies and the question under judgement.

    Attributes:
        place: the index of that question.
        asked_again: if a question was asked again, the recorded reply that each new one takes the place of.
    """

    block: ReplyBlock
    place: int
    asked_again: Mapping[str, str] = field(default_factory=dict)

    @property
    def question(self) -> QuestionReplies:
        """The question under judgement."""
        return self.block.questions[self.place]


Says = Literal["same", "different"]
"""A judge's opinion on whether two answers mean the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two answers to compare.

    Attributes:
        reference: the accepted answers: exactly one if it is a system's own output, possibly several from annotated
            data.
        answer: the answer to judge.
        question: the question, if available. Words that an answer repeats from it do not count as similarity.
        directed: True if `reference` is authoritative (an annotated answer), False between two system outputs.
        language: language code of the question; empty if unknown.
        repertoire: the system's replies to all wordings of this question, and to other questions; None if they were not
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


REPERTOIRE = "repertoire"
"""Name of the measure that compares a reply with all replies of the run."""


SOURCE_IS_ODD = "source"
"""Cause of a violation: the source's own answer is wrong, so every correctly answered rewording is reported."""


NOT_UNDERSTOOD = "not understood"
"""Cause of a violation: the reply to the follow-up does not answer any question."""


ONE_REQUEST = "one request of two"
"""Cause of a violation: an agent carries out only the first of two requests, as one does whose tools are fixed."""


FAILURE_UNREPORTED = "unreported failure"
"""Cause of a violation: an agent answers as if its tools had not failed."""


UNSTABLE = "unstable"
"""Cause of a violation: answers to the question share no content, or form two groups with different content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarity:
    """The similarity of two answers.

    Attributes:
        score: from 0 (different) to 1 (same).
        reason: one-line explanation of the score.
        open: whether the judge cannot decide. The score then has no effect, and no finding may rely on it.
        cause: if the answers differ, a word for the error, such as SOURCE_IS_ODD. It is the same for all pairs of one
            question with the same error. Empty if unknown.
        error: why the pair could not be judged at all, for example because a helper model failed; otherwise None.
    """

    score: float
    reason: str = ""
    open: bool = False
    error: str | None = None
    cause: str = ""


class Measure(Protocol):
    """A method that scores many pairs of answers at once."""

    name: str

    def compare(
        self, comparisons: Sequence[Comparison]
    ) -> Sequence[Similarity] | Coroutine[Any, Any, Sequence[Similarity]]:
        """Return one similarity per comparison, in order, or a coroutine if a helper model judges.

        It must not raise an exception for any text.
        """


@runtime_checkable
class AsksHelper(Protocol):
    """A measure or annotator that asks a helper model and can give its maximum number of questions for the plan."""

    def most_asked(self, number: int) -> int:
        """Return the maximum number of questions to the helper model for this many pairs or dialogues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A measure with its thresholds.

    Two answers are the same if score >= `equal` and different if score < `different`. The two thresholds may differ, as
    in some papers; a score between them means neither. `undecided` is a band of scores that people should check.

    `precision` is how often people agree with the judge's "same" or "different", if measured. `false_alarm` is how
    often it judges rewordings of one answer to be different. `unsound` is, among the follow-ups that readers rejected,
    the share that systems answer differently.

    If `verbatim`, the measure reads replies as given rather than parsed values, so it can judge every task. If
    `together`, it judges all pairs of a block of sources at once, using the replies to all their questions.
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
        """The thresholds `equal` and `different` as JSON data."""
        return {"equal": self.equal, "different": self.different}
