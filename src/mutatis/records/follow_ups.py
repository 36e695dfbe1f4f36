"""Records which follow-ups a run has sent to systems, as hashes, so that a later run recognises new ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from mutatis.records.jsontext import dump
from mutatis.records.record import ReportRecord, Text

MOST = 20_000
"""Maximum number of messages recorded per system and task.

If there are more, none are recorded, and every finding missing from a baseline counts as new.
"""


class AskedRecord(ReportRecord):
    """The relations tested on a system in a task, and the hashes of all messages sent to it."""

    system: Text
    task: Text
    relations: list[Text]
    messages: list[Text]


def message_hash(turns: Iterable[Mapping[str, str]]) -> str:
    """Return ten hexadecimal digits that identify a message and the turns before it.

    >>> message_hash([{"message": "Hi"}]) == message_hash([{"message": "Hi"}, {"message": "Hi"}])
    False
    """
    text = dump([sorted(fields.items()) for fields in turns])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
