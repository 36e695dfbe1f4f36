"""Replies of a run to different questions: questions that got the same one, and questions with their own.

Questions are named by a hash of their content, so that another run recognises them. Independent of the conclusions.
"""

from __future__ import annotations

from mutatis.records.record import ITEMS, ReportRecord, Text

STOCK = 3
"""Different questions that get a reply word for word before it is a stock reply: two may well have one answer."""


class SharedReply(ReportRecord):
    """A reply that different questions got, word for word: the hash of each, with the id of its case.

    `refuses` marks a reply that declines in words, or finds nothing in a text, which may be right. `became` holds the
    ids of the questions that had a reply of their own in the baseline and now get this stock reply.
    """

    reply: Text
    questions: dict[Text, Text]
    refuses: bool = False
    became: list[Text] = ITEMS

    @property
    def is_stock(self) -> bool:
        """Whether so many questions got it that it does not answer any one."""
        return len(self.questions) >= STOCK


class RepliesRecord(ReportRecord):
    """The replies of a system to the questions of a task of free text: shared ones, commonest first, and the rest.

    `others` are the hashes of the questions whose reply no other question got, or is the one that the data expect.
    """

    system: Text
    task: Text
    shared: list[SharedReply]
    others: list[Text]

    @property
    def asked(self) -> int:
        """How many different questions were answered."""
        return len(self.others) + sum(len(reply.questions) for reply in self.shared)
