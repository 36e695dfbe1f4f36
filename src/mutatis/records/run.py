"""What a report says of its run as a whole: when, by which systems, what was asked, and what that cost.

Must not know what was found.
"""

from __future__ import annotations

from typing import Any

from mutatis.records.record import ITEMS, TABLE, ReportRecord, Text


class Queries(ReportRecord):
    """Questions put to the query layer, those that were paid for, that failed, and that the store answered.

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
    """Tokens as the systems report them."""

    prompt: int = 0
    completion: int = 0


class MeanAnswer(ReportRecord):
    """What an answer took and came to on the average, stored ones included; `money` where prices were given."""

    seconds: float = 0.0
    prompt_tokens: float = 0.0
    completion_tokens: float = 0.0
    money: float | None = None


class SystemRecord(ReportRecord):
    """Where the answers of one system came from: questions paid for, answers stored, and when these were asked.

    `answer` is what one of them took, None where none came; its money is in the `currency`. `endpoint` says that a
    service elsewhere answers, `current` whether any answer that was judged was asked for this run: by it, by a run that
    it goes on with, or by one beside it on the same store.
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
    """What asking the helper came to: questions, those paid for, answers stored, failures and unusable answers.

    `reasons` says how often what went wrong; an unusable answer is asked for again by the next run.
    """

    label: Text
    asked: int = 0
    paid: int = 0
    stored: int = 0
    failed: int = 0
    unusable: int = 0
    reasons: dict[Text, int] = TABLE


class RunRecord(ReportRecord):
    """What was run, when, with which versions, and what it cost: tokens, and money where prices were given.

    `offline` says that nothing was to be asked; `helper` is None where no language model was at hand. `named` are the
    relations that were picked by name, and not by a tag, a recipe or default.
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
