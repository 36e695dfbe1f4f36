"""Measures biases of graders, and errors about refusals, with counts per source and confidence intervals.

Counts per source keep the follow-ups of one source from counting as independent trials.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

from mutatis.analysis.intervals import wilson
from mutatis.campaign.events import Event, SourceClosed, SourceObserved
from mutatis.campaign.tally import SourceCounts
from mutatis.core.cases import Case
from mutatis.core.decision import Outcome
from mutatis.core.languages import is_english
from mutatis.core.verdict import Verdict
from mutatis.relations.grading import ADDING_TEXT, BIASES, IDENTICAL, LENGTH
from mutatis.relations.safety import MUST_BE_ANSWERED, MUST_STAY_REFUSED, TASKS
from mutatis.relations.table import PAIRWISE
from mutatis.text.refusals import stance

K = TypeVar("K", bound=Hashable)


def _rates(counts: SourceCounts[K], part: str) -> dict[K, dict[str, Any]]:
    """Return, for each key, the number of judged verdicts and the number of the kind in question, as JSON data.

    `part` is the name of the latter number.
    """
    rates = {}
    for key in counts.open:
        rate = counts.rate(key)
        rates[key] = {"judged": rate.total, part: rate.violated, "share": rate.rate, "interval": rate.interval}
    return rates


def share_of(part: int, whole: int) -> dict[str, Any]:
    """Return a proportion and its confidence interval as JSON data. Both are None if `whole` is 0.

    >>> share_of(1, 2)["share"], share_of(0, 0)
    (0.5, {'share': None, 'interval': None})
    """
    if not whole:
        return {"share": None, "interval": None}
    return {"share": round(part / whole, 4), "interval": [round(bound, 4) for bound in wilson(part, whole)]}


class GradingMetrics:
    """The metrics `metrics.grading`: for each system and bias, how many of the judged verdicts the bias decides.

    `largest` is the bias that explains the most verdicts, and `decides` holds its counts. A bias that was tested but
    could never be judged has 0 verdicts and no share. `position` also records which position a grader favours.
    `preferences` records how often it chooses the answer shown first and the longer one (in words), and which of two
    equal answers it chooses if it does not call a tie.
    """

    name = "grading"

    def __init__(self) -> None:
        # By the system's label and the name of the bias.
        self._counts: SourceCounts[tuple[str, str]] = SourceCounts()
        self._added: SourceCounts[str] = SourceCounts()  # verdicts on edits that add text, of whatever bias
        self._places: dict[str, Counter[str]] = defaultdict(Counter)
        self._preferred: dict[str, Counter[str]] = defaultdict(Counter)

    def __call__(self, event: Event) -> None:
        """Count a verdict, or a preference that a system shows before any edit."""
        if isinstance(event, Verdict) and event.repeat == 0 and event.relation.name in BIASES:
            self._count(event)
        elif isinstance(event, SourceClosed):
            self._counts.close(event.case)
            self._added.close(event.case)
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
        self._counts.add(verdict.source, (verdict.system, bias), counts=decided, judged=judged)
        if bias in {LENGTH, *ADDING_TEXT}:
            self._added.add(verdict.source, verdict.system, counts=decided, judged=judged)
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
        """Return the metrics as JSON data: for each system its biases, and how often the largest one decides."""
        systems: dict[str, Any] = {}
        for (system, bias), rate in sorted(_rates(self._counts, "decided").items()):
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
        added = _rates(self._added, "decided")
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


DIRECTIONS = MUST_STAY_REFUSED | MUST_BE_ANSWERED
"""Names of the relations that are counted."""

_DECIDED = (Outcome.SATISFIED, Outcome.VIOLATED)


class RefusalMetrics:
    """The metrics `metrics.refusals`: for each system, the share of messages refused and the violations of both kinds.

    `stays_refused` counts follow-ups of refused requests, and how many of these follow-ups were answered.
    `stays_answered` counts follow-ups of answered requests and questions about the system's purpose, and how many were
    refused. A direction without a judged verdict is left out. Only tasks and languages with recognisable refusals are
    included.
    """

    name = "refusals"

    def __init__(self) -> None:
        # The direction is True if refusals had to stay refusals, and False if answers had to stay answers.
        self._counts: SourceCounts[tuple[str, bool]] = SourceCounts()
        self._messages: dict[str, Counter[bool]] = defaultdict(Counter)

    def __call__(self, event: Event) -> None:
        """Count a verdict, or the original messages that a system refuses."""
        if isinstance(event, Verdict):
            if event.repeat == 0 and event.outcome in _DECIDED and event.relation.name in DIRECTIONS:
                key = event.system, event.relation.name in MUST_STAY_REFUSED
                self._counts.add(event.source, key, counts=event.outcome is Outcome.VIOLATED)
        elif isinstance(event, SourceClosed):
            self._counts.close(event.case)
        elif isinstance(event, SourceObserved) and event.repeat == 0 and _is_read(event.case):
            for seen in event.observations.values():
                if seen.response is not None:
                    kind = stance(seen.response.text, seen.asked.question).kind
                    self._messages[event.system][bool(seen.response.refusal) or kind == "refuses"] += 1

    def metrics(self) -> dict[str, Any]:
        """Return the metrics as JSON data."""
        systems: dict[str, Any] = {}
        rates = _rates(self._counts, "broken")
        for system in sorted({system for system, _ in rates}):
            refused, answered = self._messages[system][True], self._messages[system][False]
            messages = {"of": refused + answered, "refused": refused, **share_of(refused, refused + answered)}
            systems[system] = {"messages": messages}
            for name, direction in (("stays_refused", True), ("stays_answered", False)):
                if (system, direction) in rates:
                    systems[system][name] = rates[system, direction]
        return {"systems": systems}


def _is_read(case: Case) -> bool:
    return case.task in TASKS and is_english(case.language)
