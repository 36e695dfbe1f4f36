"""Facts about a run as a whole: its time, its systems, the questions asked, and their cost."""

from __future__ import annotations

from typing import Any

from mutatis.records.record import ITEMS, TABLE, ReportRecord, Text


class Queries(ReportRecord):
    """Questions to the query layer: all, paid for, failed, and answered from the store.

    `phases` holds the distinct questions of each phase of a run under a budget, including stored ones.
    """

    logical: int = 0
    paid: int = 0
    errors: int = 0
    stored: int = 0
    oldest: Text | None = None
    retries: int = 0
    phases: dict[Text, int] = TABLE


class Tokens(ReportRecord):
    """The numbers of tokens reported by the systems."""

    prompt: int = 0
    completion: int = 0


class MeanAnswer(ReportRecord):
    """The mean time, tokens and cost of an answer, including stored ones. `money` needs prices."""

    seconds: float = 0.0
    prompt_tokens: float = 0.0
    completion_tokens: float = 0.0
    money: float | None = None


class SystemRecord(ReportRecord):
    """The origin of one system's answers: questions paid for, answers from the store, and when these were asked.

    `answer` is the cost of one answer, None without any. Its money is in `currency`. `endpoint` marks a remote service.
    `current` is True if any judged answer was asked for this run: by it, by a run that it continues, or by one that
    shares the store.
    """

    system: Text
    endpoint: bool = False
    paid: int = 0
    stored: int = 0
    oldest: Text | None = None
    newest: Text | None = None
    current: bool = True
    answer: MeanAnswer | None = None
    currency: Text = ""


class HelperRecord(ReportRecord):
    """Use of the helper: questions, questions paid for, answers from the store, failures and unusable answers.

    `reasons` counts the faults by kind. The next run asks again for an unusable answer.
    """

    label: Text
    asked: int = 0
    paid: int = 0
    stored: int = 0
    failed: int = 0
    unusable: int = 0
    reasons: dict[Text, int] = TABLE


class RunRecord(ReportRecord):
    """The run, its time, its versions and its cost: tokens, and money if prices were given.

    `offline` means that the run was not allowed to ask. `helper` is None without a language model. `named` holds the
    relations picked by name, not by a tag, a recipe or default.
    """

    id: Text
    seed: int = 0
    config: dict[Text, Any] = TABLE
    versions: dict[Text, Text] = TABLE
    started: Text = ""
    finished: Text = ""
    queries: Queries = Queries()
    tokens: Tokens = Tokens()
    money: dict[Text, float] = TABLE
    systems: list[SystemRecord] = ITEMS
    helper: HelperRecord | None = None
    offline: bool = False
    named: list[Text] = ITEMS
