"""Computes MORTAR's metrics of a run per system and method, and compares methods on the same dialogues.

The accounting identities are checked whenever the metrics are computed. A violated identity is an internal error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import Any

from mutatis.analysis.bug_levels import (
    Question,
    case_figures,
    check_accounting,
    contribution,
    is_critical,
    levels,
    mean,
    uniqueness,
    variation,
)
from mutatis.campaign.events import Event, FollowUpMade
from mutatis.core.decision import Outcome
from mutatis.core.verdict import Verdict
from mutatis.recipes.mortar_counts import CHANGED, UNDECIDED, Method, ReferenceBased, Scores, SystemCounts, Turns
from mutatis.relations.mortar import ALTERED, EQUIVALENT

REFERENCE_BASED = "reference-based"


class DialogueMetrics:
    """The metrics of one or more methods that test the same dialogues in a single run."""

    def __init__(self, name: str, methods: Sequence[Method]) -> None:
        self.name = name
        self._methods = methods
        self._turns: dict[tuple[str, str], Turns] = defaultdict(Turns)
        self._found: dict[tuple[str, str], SystemCounts] = defaultdict(SystemCounts)
        self._reference: dict[str, ReferenceBased] = defaultdict(ReferenceBased)

    def __call__(self, event: Event) -> None:
        """Count the turns of a follow-up, or count a verdict."""
        if isinstance(event, FollowUpMade):
            for method in self._methods:
                active = frozenset(key for name, key in method.relations.items() if name in event.relations)
                for system in event.systems if active else ():
                    self._turns[method.name, system].count(method, active, event)
        elif isinstance(event, Verdict) and event.repeat == 0:
            self._count_verdict(event)

    def _count_verdict(self, verdict: Verdict) -> None:
        if verdict.relation.name == REFERENCE_BASED:
            self._reference[verdict.system].count(verdict)
            return
        for method in self._methods:
            if verdict.relation.name in method.relations:
                self._found[method.name, verdict.system].count(method, verdict)

    def metrics(self) -> dict[str, Any]:
        """Return the metrics of the first method per system. If there are several methods, add a comparison.

        Raises:
            BrokenAccounting: two counts that must agree do not.
        """
        present = {name for name, _ in self._turns} | {name for name, _ in self._found}
        methods = [method for method in self._methods if method.name in present]
        result: dict[str, Any] = {"systems": self._systems(methods[0]) if methods else {}}
        if len(methods) > 1:
            result["methods"] = {method.name: self._systems(method) for method in methods}
            result["uniqueness"] = {system: self._uniqueness(system, methods) for system in result["systems"]}
        return result

    def _systems(self, method: Method) -> dict[str, Any]:
        known = [system for name, system in {**self._turns, **self._found} if name == method.name]
        return {system: self._system(method, system) for system in dict.fromkeys(known)}

    def _system(self, method: Method, system: str) -> dict[str, Any]:
        """Return a method's figures for one system. Raise BrokenAccounting if its counts contradict each other."""
        turns, counts = self._turns[method.name, system], self._found[method.name, system]
        reference_based = self._reference[system]
        active = [key for key in method.relations.values() if key in turns.relations]
        detections = {key: counts.detections(key) for key in active}
        by_level = levels(counts.bugs, reference_based.reference)
        check_accounting(turns.expected(method), counts.counted(by_level))
        decided = counts.with_outcome(Outcome.SATISFIED, Outcome.VIOLATED)
        on_levels = [by_level[level] for level in ("l1", "l2", "l3")] if by_level else []
        contributions = contribution(counts.bugs, reference_based.reference, turns.total, active)
        return {
            **_test_cases(turns, counts),
            "detections": {**detections, "total": sum(detections.values())},
            "outcomes": {f"{key}_{outcome}": number for (key, outcome), number in sorted(counts.outcomes.items())},
            "nbugs": len(counts.bugs),
            **case_figures(counts.bugs, sum(turns.cases.values()), decided),
            "levels": by_level,
            "cv": variation(on_levels),
            "cv_l1_l2": variation(on_levels[:2]),
            **_scores(list(counts.scores.values())),
            "critical": sum(map(is_critical, counts.bugs)),
            "reference": _reference(reference_based),
            "per_perturbation": {
                name: {**_perturbation(name, turns, counts, active), **row}
                for name, row in contributions["per_perturbation"].items()
            },
            "per_relation": {
                name: {"detections": detections.get(name, 0), **row}
                for name, row in contributions["per_relation"].items()
            },
        }

    def _uniqueness(self, system: str, methods: Sequence[Method]) -> dict[str, Any]:
        bugs = {method.name: self._found[method.name, system].bugs for method in methods}
        critical: dict[str, Set[Question]] = {
            name: {bug.question for bug in bugs_of if is_critical(bug)} for name, bugs_of in bugs.items()
        }
        common = set.intersection(*(self._turns[method.name, system].seeds for method in methods))
        reference = self._reference[system].reference
        return {
            "all_seeds": uniqueness(bugs, reference),
            "common_seeds": uniqueness(bugs, reference, common),
            "critical": _overlap(critical),
        }


def _overlap(questions: Mapping[str, Set[Question]]) -> dict[str, int]:
    """Return, for each method, in how many questions it alone finds a bug, and in how many all methods do."""
    alone = {}
    for name, found_by_it in questions.items():
        found_by_others = [others for other, others in questions.items() if other != name]
        alone[name] = len(set(found_by_it).difference(*found_by_others))
    return {**alone, "all_methods": len(set.intersection(*map(set, questions.values())))}


def _test_cases(turns: Turns, counts: SystemCounts) -> dict[str, Any]:
    left_out = sorted(counts.failed - turns.seeds)
    return {
        "seeds": len(turns.seeds),
        "seeds_left_out": len(left_out),
        "seeds_lost": left_out,
        "test_cases": sum(turns.cases.values()),
        "turns": sum(turns.total.values()),
        "unanswerable": sum(turns.unanswerable.values()),
        "undecided_context": turns.tagged(UNDECIDED),
    }


def _perturbation(name: str, turns: Turns, counts: SystemCounts, active: Sequence[str]) -> dict[str, Any]:
    return {
        "test_cases": turns.cases[name],
        "test_cases_touched": turns.touched[name],
        "turns": turns.total[name],
        "unanswerable": turns.unanswerable[name],
        **{tag: turns.tagged(tag, name) for tag in (EQUIVALENT, ALTERED, UNDECIDED, CHANGED) if turns.tagged(tag)},
        "detections": {key: counts.participation[key, name] for key in active},
        **_scores([counts.scores[name]]),
    }


def _scores(several: Sequence[Scores]) -> dict[str, float | None]:
    """Return the mean score of answers that should match the reference, the mean score of bugs, and the bug rate."""
    decided = [score for part in several for score in part.decided]
    bugs = [score for part in several for score in part.bugs]
    return {
        "mean_score": mean(decided),
        "mean_bug_score": mean(bugs),
        "rate_of_scored": round(len(bugs) / len(decided), 6) if decided else None,
    }


def _reference(reference: ReferenceBased) -> dict[str, Any] | None:
    """Return the results of reference-based testing on the unperturbed dialogues, or None if nothing is annotated."""
    wrong, right = reference.reference.wrong, reference.reference.right
    questions = len(wrong) + len(right) + reference.errors
    if not questions:
        return None
    return {
        "questions": questions,
        "bugs": len(wrong),
        "errors": reference.errors,
        "dialogues": len({source for source, _ in wrong | right}),
        "effective": len(reference.reference.effective),
        **_scores([reference.scores]),
    }
