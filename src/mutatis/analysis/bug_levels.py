"""MORTAR's metrics on bug counts: bug levels, figures per test case, and bugs that only one method finds.

These are pure functions. A bug is a violated verdict on one question of one seed. Source: MORTAR, section on metrics.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mutatis.core.gathering import gathered

Question: TypeAlias = tuple[str, int]
"""A question of a seed dialogue, as source id and turn number."""

LEVELS = ("l1", "l2", "l3")

CRITICAL = 0.05
"""A bug is critical if the similarity of its answers is below this value (first version of the paper, figure 7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug:
    """A violated verdict: the relation (`mr1`, ...) and the question.

    `perturbations` holds the perturbations of the worst pair. As in the paper, each one is credited with the bug.
    `test_cases` holds the members of all violating pairs.
    """

    relation: str
    question: Question
    perturbations: frozenset[str]
    test_cases: frozenset[str]
    score: float | None = None


@dataclass(slots=True)
class Reference:
    """The results of reference-based testing of one system: the questions it answered correctly and incorrectly."""

    wrong: set[Question] = field(default_factory=set)
    right: set[Question] = field(default_factory=set)

    @property
    def effective(self) -> Set[str]:
        """Ids of the dialogues with at least one wrong answer."""
        return {source for source, _ in self.wrong}

    def level(self, question: Question) -> str | None:
        """Return the level of a bug on this question, or None if the reference has no result for the question.

        `l1`: the answer is also wrong according to the reference. `l2`: it is right, but another answer in the same
        dialogue is wrong. `l3`: all answers in the dialogue are right.
        """
        if question in self.wrong:
            return "l1"
        if question not in self.right:
            return None
        return "l2" if question[0] in self.effective else "l3"


def levels(bugs: Iterable[Bug], reference: Reference) -> dict[str, int] | None:
    """Return the number of bugs per level, including `unlevelled`, or None if there are no reference results."""
    if not reference.wrong and not reference.right:
        return None
    counts = Counter(reference.level(bug.question) or "unlevelled" for bug in bugs)
    return {level: counts[level] for level in (*LEVELS, "unlevelled")}


def variation(counts: Sequence[int]) -> float | None:
    """Return the coefficient of variation: the sample standard deviation divided by the mean.

    >>> round(variation([6819, 5756]), 3)
    0.12
    """
    mean = statistics.fmean(counts) if counts else 0.0
    return round(statistics.stdev(counts) / mean, 6) if mean and len(counts) > 1 else None


def case_figures(bugs: Sequence[Bug], test_cases: int, detections: int) -> dict[str, float | None]:
    """Return MORTAR's metrics per test case.

    Rate+ is the number of violations divided by the number of decided verdicts, RETC is the share of test cases that
    reveal a bug, and BPTC is the number of bugs per test case.
    """
    revealing = {case for bug in bugs for case in bug.test_cases}
    return {
        "rate": proportion(len(bugs), detections),
        "retc": proportion(len(revealing), test_cases),
        "bptc": proportion(len(bugs), test_cases),
    }


def contribution(
    bugs: Sequence[Bug], reference: Reference, perturbations: Iterable[str], relations: Iterable[str]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the number of bugs, their share of all bugs and their levels, for each perturbation and each relation."""
    by_perturbation: dict[str, list[Bug]] = {name: [] for name in perturbations}
    by_relation: dict[str, list[Bug]] = {name: [] for name in relations}
    for bug in bugs:
        by_relation.setdefault(bug.relation, []).append(bug)
        for name in bug.perturbations:
            by_perturbation.setdefault(name, []).append(bug)

    def described(groups: Mapping[str, list[Bug]]) -> dict[str, dict[str, Any]]:
        return {
            name: {
                "bugs": len(bugs_found),
                "share": proportion(len(bugs_found), len(bugs)),
                "levels": levels(bugs_found, reference),
                "mean_score_of_bugs": mean([bug.score for bug in bugs_found if bug.score is not None]),
                "critical": sum(is_critical(bug) for bug in bugs_found),
            }
            for name, bugs_found in groups.items()
        }

    return {"per_perturbation": described(by_perturbation), "per_relation": described(by_relation)}


def is_critical(bug: Bug) -> bool:
    """Return True if the answers that should agree have almost nothing in common (MORTAR v1, figure 7)."""
    return bug.score is not None and bug.score < CRITICAL


def uniqueness(
    methods: Mapping[str, Sequence[Bug]], reference: Reference, common: Set[str] | None = None
) -> dict[str, dict[str, Any]]:
    """Return the number and share of each method's bugs on questions where no other method finds one, by level.

    The shares refer to bugs, as in Table V of the later paper; the shares of questions are also included. If `common`
    is given, only bugs in these seeds are counted, like the figures in brackets in the paper.
    """
    result: dict[str, dict[str, Any]] = {}
    for name, bugs in methods.items():
        asked = [bug for bug in bugs if common is None or bug.question[0] in common]
        others = {bug.question for other, bugs_of in methods.items() if other != name for bug in bugs_of}
        by_level = gathered(asked, lambda bug: reference.level(bug.question))
        levelled = {level: _unique(by_level.get(level, []), others) for level in LEVELS}
        result[name] = {**_unique(asked, others), **levelled}
    return result


def _unique(bugs: Sequence[Bug], others: Set[Question]) -> dict[str, Any]:
    alone = [bug for bug in bugs if bug.question not in others]
    questions, unique = {bug.question for bug in bugs}, {bug.question for bug in alone}
    return {
        "bugs": len(bugs),
        "unique": len(alone),
        "share": proportion(len(alone), len(bugs)),
        "questions": len(questions),
        "unique_questions": len(unique),
        "share_of_questions": proportion(len(unique), len(questions)),
    }


def proportion(part: int, whole: int) -> float | None:
    """Return a proportion, or None if there is nothing to relate it to."""
    return round(part / whole, 6) if whole else None


def mean(values: Sequence[float]) -> float | None:
    """Return the mean of the scores, or None for an empty sequence."""
    return round(statistics.fmean(values), 6) if values else None
