"""Pydantic models of the cases, derivations and answers in a report, and records of what a run asked and was told.

Questions and follow-ups are identified by a hash of their content, so that a later run recognises new ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from mutatis.core.calls import ToolCall
from mutatis.core.system import answer_in_words
from mutatis.records.jsontext import dump
from mutatis.records.record import ITEMS, TABLE, ReportRecord, Text


class CallRecord(ReportRecord):
    """A tool call and its result. Arguments that are not a JSON object are kept as text in `malformed`."""

    name: Text
    arguments: dict[Text, Any] = TABLE
    id: Text = ""
    result: Text | None = None
    malformed: Text = ""


class TurnRecord(ReportRecord):
    """One turn of a test case."""

    fields: dict[Text, Text]
    expected: list[Text] = ITEMS
    reply: Text | None = None
    annotations: dict[Text, Any] = TABLE
    calls: list[CallRecord] = ITEMS


class CaseRecord(ReportRecord):
    """A source or follow-up case up to the judged turn, with its language if it is not English.

    `key` identifies the content of the source across runs, wherever it is in the data. `parallel` identifies the
    question across languages, if the data provide such an identifier.
    """

    id: Text
    turns: list[TurnRecord]
    task: Text = ""
    material: dict[Text, Text] = TABLE
    ask_turns: list[int] | None = None
    language: Text = ""
    key: Text = ""
    parallel: Text = ""


class StepRecord(ReportRecord):
    """One transformation with its parameters. It applies to all turns if `turns` is None."""

    transformation: Text
    parameters: dict[Text, Any]
    turns: list[int] | None = None


class DerivationRecord(ReportRecord):
    """The steps that derived a follow-up from its source."""

    source: Text
    steps: list[StepRecord]
    variant: list[Text]
    draw: int
    origin: list[int]


class ResponseRecord(ReportRecord):
    """An answer: its text, the value parsed from it for the task, and why it ended, unless it ended normally.

    `calls`, `data` and `refusal` are the other parts of an answer, if any. `points` is the score of a grader on its
    own scale; `value` is then the place on the scale, from 0 to 1.
    """

    text: Text
    value: Any = None
    points: Text = ""
    probabilities: dict[Text, float | None] | None = None
    finish: Text = "stop"
    calls: list[CallRecord] = ITEMS
    data: Any = None
    refusal: Text = ""

    @property
    def said(self) -> str:
        """The whole answer in readable form: its text or refusal, its data, and its calls as code, one per line."""
        calls = (ToolCall.from_record(call.to_json()) for call in self.calls)
        return answer_in_words(self.text or self.refusal, self.data, calls)


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
        """True if too many questions get the reply for it to be an answer."""
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
