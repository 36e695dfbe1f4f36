"""Computes MORTAR's metrics of a run per system and method, and compares methods on the same dialogues.

The accounting identities are checked whenever the metrics are computed. A violated identity is an internal error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import Any

from mutatis.analysis.bug_levels import (
    Found,
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
        turns, tallied, reference = self._turns[method.name, system], self._found[method.name, system], self._reference
        known = reference[system].reference
        active = [key for key in method.relations.values() if key in turns.relations]
        detections = {
            key: sum(n for (relation_name, _), n in tallied.outcomes.items() if relation_name == key) for key in active
        }
        total = sum(detections.values())
        decided = sum(n for (_, outcome), n in tallied.outcomes.items() if outcome in ("satisfied", "violated"))
        by_level = levels(tallied.bugs, known)
        check_accounting(
            turns.expected(method),
            Found(
                pairs=tallied.pairs,
                groups=tallied.groups,
                detections=sum(tallied.outcomes.values()),
                violated=sum(n for (_, outcome), n in tallied.outcomes.items() if outcome == "violated"),
                levels=by_level,
            ),
        )
        counts = [by_level[level] for level in ("l1", "l2", "l3")] if by_level else []
        split = contribution(tallied.bugs, known, turns.total, active)
        return {
            "seeds": len(turns.seeds),
            "seeds_left_out": len(tallied.failed - turns.seeds),
            "seeds_lost": sorted(tallied.failed - turns.seeds),
            "test_cases": sum(turns.cases.values()),
            "turns": sum(turns.total.values()),
            "unanswerable": sum(turns.unanswerable.values()),
            "undecided_context": turns.tagged(UNDECIDED),
            "detections": {**detections, "total": total},
            "outcomes": {f"{key}_{outcome}": n for (key, outcome), n in sorted(tallied.outcomes.items())},
            "nbugs": len(tallied.bugs),
            **case_figures(tallied.bugs, sum(turns.cases.values()), decided),
            "levels": by_level,
            "cv": variation(counts),
            "cv_l1_l2": variation(counts[:2]),
            **_scores(list(tallied.scores.values())),
            "critical": sum(is_critical(bug) for bug in tallied.bugs),
            "reference": _reference(reference[system]),
            "per_perturbation": {
                name: {**_perturbation(name, turns, tallied, method), **row}
                for name, row in split["per_perturbation"].items()
            },
            "per_relation": {
                name: {"detections": detections.get(name, 0), **row} for name, row in split["per_relation"].items()
            },
        }

    def _uniqueness(self, system: str, methods: Sequence[Method]) -> dict[str, Any]:
        bugs = {method.name: self._found[method.name, system].bugs for method in methods}
        critical: dict[str, Set[Question]] = {
            name: {bug.question for bug in found_bugs if is_critical(bug)} for name, found_bugs in bugs.items()
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
    alone = {
        name: len(
            questions_of - set[Question]().union(*(others for other, others in questions.items() if other != name))
        )
        for name, questions_of in questions.items()
    }
    return {**alone, "all_methods": len(set.intersection(*(set(questions_of) for questions_of in questions.values())))}


def _perturbation(name: str, turns: Turns, counts: SystemCounts, method: Method) -> dict[str, Any]:
    return {
        "test_cases": turns.cases[name],
        "test_cases_touched": turns.touched[name],
        "turns": turns.total[name],
        "unanswerable": turns.unanswerable[name],
        **{tag: turns.tagged(tag, name) for tag in (EQUIVALENT, ALTERED, UNDECIDED, CHANGED) if turns.tagged(tag)},
        "detections": {
            key: counts.participation[key, name] for key in method.relations.values() if key in turns.relations
        },
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
    wrong, right = len(reference.reference.wrong), len(reference.reference.right)
    if not wrong + right + reference.errors:
        return None
    return {
        "questions": wrong + right + reference.errors,
        "bugs": wrong,
        "errors": reference.errors,
        "dialogues": len({source for source, _ in reference.reference.wrong | reference.reference.right}),
        "effective": len(reference.reference.effective),
        **_scores([reference.scores]),
    }
