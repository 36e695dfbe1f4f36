"""Records of a run as a whole: its time, its systems, the questions asked, and their cost."""

from __future__ import annotations

from typing import Any

from mutatis.records.record import ITEMS, TABLE, ReportRecord, Text


class Queries(ReportRecord):
    """Counts of the questions to the query layer: all, paid for, failed, and answered from the store.

    `phases` contains the number of distinct questions in each phase of a run with a budget, including stored ones.
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
    """The mean time, tokens and cost of an answer, including stored ones. `money` is given only if prices are."""

    seconds: float = 0.0
    prompt_tokens: float = 0.0
    completion_tokens: float = 0.0
    money: float | None = None


class SystemRecord(ReportRecord):
    """The origin of one system's answers: how many were paid for or stored, and when they were given.

    Attributes:
        endpoint: whether the system is a remote service.
        current: whether any judged answer was obtained for this run: by it, by a run that it continues, or by one that
            shares the store.
        answer: the mean cost of one answer, or None if there are no answers.
        currency: the currency of the prices.
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
    """Counts of the questions to the helper model: asked, paid for, answered from the store, failed, and unusable.

    `reasons` counts the faults by kind. After an unusable answer, the next run asks again.
    """

    label: Text
    asked: int = 0
    paid: int = 0
    stored: int = 0
    failed: int = 0
    unusable: int = 0
    reasons: dict[Text, int] = TABLE


class RunRecord(ReportRecord):
    """A run, its time, its versions and its cost: tokens, and money if prices were given.

    `offline` is True if the run used only stored answers. `helper` is None if there was no helper model. `named`
    contains the relations selected by name, rather than by a tag, by a recipe or by default.
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
