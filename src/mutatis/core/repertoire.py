"""The replies of one system to a block of questions, as evidence for a judge that reads many replies.

A judge of two texts cannot tell rewording from contradiction. A run can: it has the replies to every other wording of a
question, and to every other question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

REPLIES, QUESTIONS = 4, 5
"""Minimum number of other replies to a question, and of questions in a block, for a reliable judgement.

With fewer replies, 9 to 18 of 150 pairs judged the same were not; with fewer questions, 2 to 9 of 100
(`studies/repertoire/curve.py --what siblings sources`).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedReply:
    """A system's reply to one wording of a question, `message`."""

    message: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReplies:
    """The replies to one question, in the order of asking.

    Attributes:
        source: the reply to the question as worded in the data; None if there is no reply.
        siblings: the replies to rewordings that must keep the meaning.
        repeats: the replies to the source's wording asked again.
        others: the replies to follow-ups that need not keep the meaning.
    """

    source: WordedReply | None
    siblings: tuple[WordedReply, ...] = ()
    repeats: tuple[WordedReply, ...] = ()
    others: tuple[WordedReply, ...] = ()

    @property
    def same(self) -> Iterator[WordedReply]:
        """Yield every reply that should have the same content: those of the source, the siblings and the repeats."""
        if self.source is not None:
            yield self.source
        yield from self.siblings
        yield from self.repeats


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, kw_only=True)
class ReplyBlock:
    """One system's replies to questions that are judged together. Compared by identity, so usable as a key."""

    questions: tuple[QuestionReplies, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repertoire:
    """A block from the point of view of one question; `place` is its index."""

    block: ReplyBlock
    place: int

    @property
    def question(self) -> QuestionReplies:
        """The question under judgement."""
        return self.block.questions[self.place]
