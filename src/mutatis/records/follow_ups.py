"""Which follow-ups a run asked, by hashes: another run tells by them what was never asked before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from mutatis.records.jsontext import dump
from mutatis.records.record import ReportRecord, Text

MOST = 20_000
"""Messages of a system and task that are kept; of more none are, and every finding that a baseline lacks is new."""


class AskedRecord(ReportRecord):
    """The relations that a system was tested by in a task, and all messages that were put to it, by their hashes."""

    system: Text
    task: Text
    relations: list[Text]
    messages: list[Text]


def message_hash(turns: Iterable[Mapping[str, str]]) -> str:
    """Return ten hexadecimal digits that name a message with the turns before it.

    >>> message_hash([{"message": "Hi"}]) == message_hash([{"message": "Hi"}, {"message": "Hi"}])
    False
    """
    text = dump([sorted(fields.items()) for fields in turns])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
