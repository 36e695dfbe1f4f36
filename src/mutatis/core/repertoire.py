"""The replies of one system to a block of questions, as evidence for a judge that reads many replies.

From two replies alone, a judge cannot distinguish rewording from contradiction. A run has more evidence: the replies to
every other wording of the question, and to every other question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

REPLIES, QUESTIONS = 4, 5
"""Minimum number of other replies to a question, and of questions in a block, for a reliable judgement.

With fewer of them, more pairs are wrongly judged the same (`studies/repertoire/curve.py --what siblings sources`).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedReply:
    """A system's reply to one wording of a question. `message` is the wording."""

    message: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReplies:
    """The replies to one question, in the order in which they were requested.

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
    """A block of replies and the question under judgement. `place` is the index of that question."""

    block: ReplyBlock
    place: int

    @property
    def question(self) -> QuestionReplies:
        """The question under judgement."""
        return self.block.questions[self.place]
