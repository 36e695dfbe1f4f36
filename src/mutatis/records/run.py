"""Facts about a run as a whole: its time, its systems, the questions asked, and their cost.

Independent of the findings.
"""

from __future__ import annotations

from typing import Any

from mutatis.records.record import ITEMS, TABLE, ReportRecord, Text


class Queries(ReportRecord):
    """Questions put to the query layer: all, paid for, failed, and answered by the store.

    `phases` holds the distinct questions of each phase of a run under a budget, stored ones included.
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
    """The average time, tokens and cost of an answer, including stored ones. `money` needs prices."""

    seconds: float = 0.0
    prompt_tokens: float = 0.0
    completion_tokens: float = 0.0
    money: float | None = None


class SystemRecord(ReportRecord):
    """The origin of one system's answers: questions paid for, answers stored, and when these were asked.

    `answer` is the effort of one answer, None if none came. Its money is in the `currency`. `endpoint` marks a service
    elsewhere. `current` is True if any judged answer was asked for this run: by it, by a run that it continues, or by
    one beside it on the same store.
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
    """The helper's use: questions, questions paid for, answers stored, failures and unusable answers.

    `reasons` counts the faults by kind. An unusable answer is asked for again by the next run.
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

    `offline` means that nothing was to be asked. `helper` is None without a language model. `named` holds the relations
    picked by name, and not by a tag, a recipe or default.
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
