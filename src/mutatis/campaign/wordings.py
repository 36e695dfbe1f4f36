"""Counts how many wordings of a question make the source's own answer the odd one out.

The counts of a source are dropped when it is closed; only the numbers that findings need are kept.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TypeAlias

from mutatis.core.decision import Outcome
from mutatis.core.measure import SOURCE_IS_ODD
from mutatis.core.verdict import Verdict

Input: TypeAlias = tuple[str, str]
"""Task and source."""

Question: TypeAlias = tuple[str, int]
"""System and turn."""


class Wordings:
    """Counts the judged wordings of questions that should get the same answer as the source."""

    def __init__(self) -> None:
        self._counts: dict[Input, dict[Question, list[int]]] = defaultdict(dict)
        self._findings: dict[Input, dict[str, Question]] = defaultdict(dict)
        self._told: dict[str, tuple[int, int]] = {}

    def count(self, verdict: Verdict) -> None:
        """Count a wording, and record its finding if the source's answer is the odd one."""
        if verdict.relation.expects != "same" or verdict.outcome not in (Outcome.SATISFIED, Outcome.VIOLATED):
            return
        key, question = (verdict.source.task, verdict.source.id), (verdict.system, verdict.turn)
        odd = verdict.decided.cause == SOURCE_IS_ODD
        counts = self._counts[key].setdefault(question, [0, 0])
        counts[0] += odd
        counts[1] += 1
        if odd:
            self._findings[key][verdict.finding] = question

    def close(self, key: Input) -> None:
        """Keep the numbers for a source's findings and drop the rest."""
        counts = self._counts.pop(key, {})
        for name, question in self._findings.pop(key, {}).items():
            differ, judged = counts[question]
            self._told[name] = differ, judged

    def of(self, finding: str) -> tuple[int, int] | None:
        """Return the number of wordings whose answer differs from the source's, and of all wordings, or None.

        The result is None if the answer to the source is not the odd one out.
        """
        for key in list(self._counts):  # sources that were cut short
            self.close(key)
        return self._told.get(finding)
