"""What one system said to a block of questions: the evidence on which a judge of many replies rests.

A judge of two texts cannot tell rewording from contradiction. A run can: it has the replies to every other wording of
a question, and those to every other question. Pure data; must not know how it was collected, nor how it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

REPLIES, QUESTIONS = 4, 5
"""Other replies to a question, and questions of a block, below which little can be told.

With fewer replies 9 to 18 of 150 pairs that were called the same were not, with fewer questions 2 to 9 of 100
(`studies/repertoire/curve.py --what siblings sources`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedReply:
    """What a system said to one wording of a question; `message` is that wording."""

    message: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReplies:
    """The replies to one question, in the order in which they were asked for.

    Attributes:
        source: the reply to the question as the data words it; None where there was none.
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
        """Yield every reply that should say the same: the source's, the siblings' and the repeats'."""
        if self.source is not None:
            yield self.source
        yield from self.siblings
        yield from self.repeats


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, kw_only=True)
class ReplyBlock:
    """The replies of one system to the questions that are judged together; compared by identity, so it can be a key."""

    questions: tuple[QuestionReplies, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repertoire:
    """A block, seen from one of its questions: `place` is its index there."""

    block: ReplyBlock
    place: int

    @property
    def question(self) -> QuestionReplies:
        """The question that is judged."""
        return self.block.questions[self.place]
