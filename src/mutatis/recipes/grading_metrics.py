"""Measures how many verdicts of a grader are decided by each bias, with confidence intervals.

It counts verdicts of the relations for graders. Each such relation declares the bias that it tests.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, TypeAlias

from mutatis.campaign.events import Event, SourceClosed, SourceObserved
from mutatis.core.decision import Outcome
from mutatis.core.verdict import Verdict
from mutatis.recipes.source_counts import SourceCounts, share_of
from mutatis.relations.grading import ADDING_TEXT, BIASES, IDENTICAL, LENGTH
from mutatis.relations.table import PAIRWISE

_Key: TypeAlias = tuple[str, str]
"""A system's label and the name of a bias."""


class GradingMetrics:
    """The metrics `metrics.grading`: for each system and bias, how many of the judged verdicts the bias decides.

    `largest` is the bias that explains the most verdicts, and `decides` holds its counts. A bias that was tested but
    could never be judged has 0 verdicts and no share. `position` also records which position a grader favours.
    `preferences` records how often it chooses the answer shown first and the longer one (in words), and which of two
    equal answers it chooses if it does not call a tie.
    """

    name = "grading"

    def __init__(self) -> None:
        self._counts: SourceCounts[_Key] = SourceCounts()
        self._added: SourceCounts[str] = SourceCounts()
        self._places: dict[str, Counter[str]] = defaultdict(Counter)
        self._preferred: dict[str, Counter[str]] = defaultdict(Counter)

    def __call__(self, event: Event) -> None:
        """Count a verdict, or a preference that a system shows before any edit."""
        if isinstance(event, Verdict) and event.repeat == 0 and event.relation.name in BIASES:
            self._count(event)
        elif isinstance(event, SourceClosed):
            self._counts.close(event.case.id)
            self._added.close(event.case.id)
        elif isinstance(event, SourceObserved) and event.repeat == 0 and event.case.task == PAIRWISE:
            for observation in event.observations.values():
                if observation.error is None and observation.answer in ("A", "B"):
                    self._prefer(self._preferred[event.system], observation.asked.fields, observation.answer)

    def _count(self, verdict: Verdict) -> None:
        if verdict.relation.name == IDENTICAL and verdict.group is not None:
            chosen = str(verdict.group.members[0].answer)
            self._preferred[verdict.system]["chosen"] += chosen in ("A", "B")
            self._preferred[verdict.system]["first of equals"] += chosen == "A"
        judged = verdict.outcome in (Outcome.SATISFIED, Outcome.VIOLATED)
        decided = verdict.outcome is Outcome.VIOLATED
        bias = BIASES[verdict.relation.name]
        # Also without a judged verdict, so that the bias is listed with no verdicts rather than left out.
        self._counts.add(verdict.source.id, (verdict.system, bias), counts=decided, judged=judged)
        if bias in {LENGTH, *ADDING_TEXT}:
            self._added.add(verdict.source.id, verdict.system, counts=decided, judged=judged)
        if decided and verdict.relation.name == "swap-answers" and verdict.group is not None:
            self._places[verdict.system][str(verdict.group.source.answer)] += 1

    @staticmethod
    def _prefer(counts: Counter[str], fields: Any, verdict: str) -> None:
        first, second = len(fields["answer_a"].split()), len(fields["answer_b"].split())
        counts["all"] += 1
        counts["first"] += verdict == "A"
        counts["unequal"] += first != second
        counts["longer"] += first != second and (verdict == "A") == (first > second)

    def metrics(self) -> dict[str, Any]:
        """Return the metrics as JSON data."""
        systems: dict[str, Any] = {}
        for (system, bias), rate in sorted(self._counts.rates("decided").items()):
            systems.setdefault(system, {"largest": None, "biases": {}})["biases"][bias] = rate
        for system, counts in self._places.items():
            biases = systems[system]["biases"]["position"]
            biases |= {"keeps_to_first": counts["A"], "keeps_to_second": counts["B"]}
        for system, counts in self._preferred.items():
            if system in systems:
                preferences = {"first": _preference(counts, "first", "all")}
                preferences["longer"] = _preference(counts, "longer", "unequal")
                if counts["chosen"]:
                    preferences["first_of_equals"] = _preference(counts, "first of equals", "chosen")
                systems[system]["preferences"] = preferences
        added = self._added.rates("decided")
        for name, record in systems.items():
            record["largest"], record["decides"] = _largest(record["biases"], added.get(name))
        return {"systems": systems}


def _preference(counts: Counter[str], part: str, whole: str) -> dict[str, Any]:
    return {"of": counts[whole], "verdicts": counts[part], **share_of(counts[part], counts[whole])}


def _largest(biases: Mapping[str, dict[str, Any]], added: dict[str, Any] | None) -> tuple[str | None, Any]:
    """Return the bias that explains the most verdicts, and its counts. `added` counts all edits that add text.

    If every kind of added text decides verdicts, including padding, length is their common cause.
    """
    additions = [biases[name] for name in ADDING_TEXT & biases.keys() if biases[name]["judged"]]
    deciding_biases = {name: bias for name, bias in biases.items() if bias["decided"]}
    all_decide = len(additions) > 1 and all(bias["decided"] for bias in additions)
    if added is not None and LENGTH in deciding_biases and all_decide:
        others = {name: bias for name, bias in deciding_biases.items() if name not in ADDING_TEXT}
        deciding_biases = {**others, LENGTH: added}

    def size(name: str) -> tuple[float, int, str]:
        """By the lower bound: three of three pairs prove less than twenty of a hundred."""
        low, _ = deciding_biases[name]["interval"]
        return low, deciding_biases[name]["decided"], name

    largest = max(deciding_biases, key=size, default=None)
    return largest, deciding_biases.get(largest or "")
