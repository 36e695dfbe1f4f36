"""MORTAR's metrics on counted bugs: levels against reference-based testing, test-case figures, uniqueness.

Pure functions; a bug is a violated verdict on one question of one seed. Source: MORTAR, section on metrics.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mutatis.core.errors import MutatisError

Question: TypeAlias = tuple[str, int]
"""A seed question: source id and turn."""

LEVELS = ("l1", "l2", "l3")


class BrokenAccounting(MutatisError):
    """Two independent counts of the same thing differ: a defect of this program, never of its input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug:
    """A violated verdict: relation key (`mr1`, ...), question, perturbations and test cases that take part."""

    relation: str
    question: Question
    perturbations: frozenset[str]
    test_cases: frozenset[str]
    score: float | None = None


@dataclass(slots=True)
class Reference:
    """What reference-based testing found of one system: outcome per question; effective dialogues."""

    wrong: set[Question] = field(default_factory=set)
    right: set[Question] = field(default_factory=set)

    @property
    def effective(self) -> Set[str]:
        """Dialogues with at least one wrong answer."""
        return {source for source, _ in self.wrong}

    def level(self, question: Question) -> str | None:
        """Return l1 (also wrong there), l2 (right, in an effective dialogue), l3 (in an ineffective one), or None."""
        if question in self.wrong:
            return "l1"
        if question not in self.right:
            return None
        return "l2" if question[0] in self.effective else "l3"


def levels(bugs: Iterable[Bug], reference: Reference) -> dict[str, int] | None:
    """Return the number of bugs per level, `unlevelled` included; None where there is no reference at all."""
    if not reference.wrong and not reference.right:
        return None
    counts = Counter(reference.level(bug.question) or "unlevelled" for bug in bugs)
    return {level: counts[level] for level in (*LEVELS, "unlevelled")}


def variation(counts: Sequence[int]) -> float | None:
    """Return the coefficient of variation, sample standard deviation over mean.

    >>> round(variation([6819, 5756]), 3)
    0.12
    """
    mean = statistics.fmean(counts) if counts else 0.0
    return round(statistics.stdev(counts) / mean, 6) if mean and len(counts) > 1 else None


def case_figures(bugs: Sequence[Bug], test_cases: int, detections: int) -> dict[str, float | None]:
    """Return Rate+ (violated per detection), RETC (revealing test cases) and BPTC (bugs per test case)."""
    revealing = {case for bug in bugs for case in bug.test_cases}
    return {
        "rate": _share(len(bugs), detections),
        "retc": _share(len(revealing), test_cases),
        "bptc": _share(len(bugs), test_cases),
    }


def contribution(bugs: Sequence[Bug], reference: Reference) -> dict[str, dict[str, Any]]:
    """Return bugs, share and level split per perturbation (by participation) and per relation."""
    by_perturbation: dict[str, list[Bug]] = {}
    by_relation: dict[str, list[Bug]] = {}
    for bug in bugs:
        by_relation.setdefault(bug.relation, []).append(bug)
        for name in bug.perturbations:
            by_perturbation.setdefault(name, []).append(bug)

    def described(groups: Mapping[str, list[Bug]]) -> dict[str, Any]:
        return {
            name: {
                "bugs": len(found),
                "share": _share(len(found), len(bugs)),
                "levels": levels(found, reference),
                "mean_score": _mean([bug.score for bug in found if bug.score is not None]),
                "critical": sum(bug.score is not None and bug.score < 0.05 for bug in found),
            }
            for name, found in sorted(groups.items())
        }

    return {"per_perturbation": described(by_perturbation), "per_relation": described(by_relation)}


def uniqueness(
    methods: Mapping[str, Set[Question]], reference: Reference, common: Set[str] | None = None
) -> dict[str, dict[str, Any]]:
    """Return per method its bug questions, and per level those that no other method finds, as a share of its own.

    `common` restricts both to some seeds (the papers' brackets).
    """
    result: dict[str, dict[str, Any]] = {}
    for name, questions in methods.items():
        own = {q for q in questions if common is None or q[0] in common}
        others: set[Question] = set().union(*(found for other, found in methods.items() if other != name))
        row: dict[str, Any] = {"questions": len(own), "unique": len(own - others)}
        for level in LEVELS:
            at_level = {q for q in own if reference.level(q) == level}
            row[level] = {"questions": len(at_level), "unique": _share(len(at_level - others), len(at_level))}
        result[name] = row
    return result


def require(identity: str, left: int, right: int) -> None:
    """Raise BrokenAccounting where two counts that must agree do not."""
    if left != right:
        raise BrokenAccounting(f"internal error: {identity}: {left} is not {right}; please report this")


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _mean(values: Sequence[float]) -> float | None:
    return round(statistics.fmean(values), 6) if values else None
