"""The replies of one system to a block of questions, as evidence for a judge of many replies.

A judge of two texts cannot separate rewording from contradiction. A run can: it has the replies to every other wording
of a question, and to every other question. Pure data, independent of how it was collected and of its use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

REPLIES, QUESTIONS = 4, 5
"""Fewest other replies to a question, and fewest questions of a block, for a reliable judgement.

With fewer replies 9 to 18 of 150 pairs that were called the same were not, with fewer questions 2 to 9 of 100
(`studies/repertoire/curve.py --what siblings sources`).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedReply:
    """A system's reply to one wording of a question; `message` is that wording."""

    message: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReplies:
    """The replies to one question, in the order of asking.

    Attributes:
        source: the reply to the question as the data words it; None without a reply.
        siblings: the replies to the wordings that must keep the meaning.
        repeats: the replies to the source's wording asked again.
        others: the replies to follow-ups of the question that need not keep its meaning.
    """

    source: WordedReply | None
    siblings: tuple[WordedReply, ...] = ()
    repeats: tuple[WordedReply, ...] = ()
    others: tuple[WordedReply, ...] = ()

    @property
    def same(self) -> Iterator[WordedReply]:
        """Yield every reply that should have the same content: the source's, the siblings' and the repeats'."""
        if self.source is not None:
            yield self.source
        yield from self.siblings
        yield from self.repeats


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, kw_only=True)
class ReplyBlock:
    """One system's replies to the questions that are judged together; compared by identity, so usable as a key."""

    questions: tuple[QuestionReplies, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repertoire:
    """A block as seen from one of its questions; `place` is the index of that question."""

    block: ReplyBlock
    place: int

    @property
    def question(self) -> QuestionReplies:
        """The question that is judged."""
        return self.block.questions[self.place]
