"""Replies of a run to different questions: questions that share a reply, and questions with their own.

Questions are identified by a hash of their content, so that another run recognises them.
"""

from __future__ import annotations

from mutatis.records.record import ITEMS, ReportRecord, Text

STOCK = 3
"""Number of different questions that must get the same reply for it to be a stock reply.

Two questions may well have the same answer.
"""


class SharedReply(ReportRecord):
    """A reply that different questions got, word for word: the hash of each, with the id of its case.

    `refuses` marks a reply that declines in words, or finds nothing in a text, which may be right. `became` holds the
    ids of questions that had their own reply in the baseline and now get this stock reply.
    """

    reply: Text
    questions: dict[Text, Text]
    refuses: bool = False
    became: list[Text] = ITEMS

    @property
    def is_stock(self) -> bool:
        """Whether so many questions got it that it cannot answer any of them."""
        return len(self.questions) >= STOCK


class RepliesRecord(ReportRecord):
    """A system's replies to the questions of a free-text task: the shared ones, most common first, and the rest.

    `others` has the hashes of questions whose reply is unique, or is the one that the data expect.
    """

    system: Text
    task: Text
    shared: list[SharedReply]
    others: list[Text]

    @property
    def asked(self) -> int:
        """The number of different questions that were answered."""
        return len(self.others) + sum(len(reply.questions) for reply in self.shared)
