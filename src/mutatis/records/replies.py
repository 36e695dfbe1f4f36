"""Groups the questions of a run by reply: those that share a reply, and those with a reply of their own.

Questions are identified by a hash of their content, so that a later run recognises them.
"""

from __future__ import annotations

from mutatis.records.record import ITEMS, ReportRecord, Text

STOCK = 3
"""Minimum number of different questions that must get the same reply for it to be a stock reply.

Two questions may well have the same answer.
"""


class SharedReply(ReportRecord):
    """A reply that different questions got, word for word.

    Attributes:
        reply: the text of the reply.
        questions: the hash of each question, with the id of its case.
        refuses: whether the reply declines, or reports that a text contains nothing. Either may be correct.
        became: ids of questions that had a reply of their own in the baseline and now get this stock reply.
    """

    reply: Text
    questions: dict[Text, Text]
    refuses: bool = False
    became: list[Text] = ITEMS

    @property
    def is_stock(self) -> bool:
        """True if the reply goes to too many questions to be the answer to any of them."""
        return len(self.questions) >= STOCK


class RepliesRecord(ReportRecord):
    """A system's replies to the questions of a free-text task: shared replies, most common first, and the others.

    `others` holds the hashes of questions whose reply is unique, or matches the expected answer in the data.
    """

    system: Text
    task: Text
    shared: list[SharedReply]
    others: list[Text]

    @property
    def asked(self) -> int:
        """The number of different questions that were answered."""
        return len(self.others) + sum(len(reply.questions) for reply in self.shared)
