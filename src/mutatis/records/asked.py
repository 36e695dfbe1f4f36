"""Pydantic models of the cases, derivations and answers in a report."""

from __future__ import annotations

from typing import Any

from mutatis.core.calls import ToolCall
from mutatis.core.system import answer_in_words
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
    """The steps by which a follow-up was derived from its source."""

    source: Text
    steps: list[StepRecord]
    variant: list[Text]
    draw: int
    origin: list[int]


class ResponseRecord(ReportRecord):
    """An answer: its text, the value parsed from it for the task, and why it ended, unless it ended normally.

    `calls`, `data` and `refusal` are the other parts of an answer, if any.
    """

    text: Text
    value: Any = None
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
