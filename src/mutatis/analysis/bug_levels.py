"""MORTAR's metrics on bug counts: levels against reference-based testing, test-case figures, uniqueness.

These are pure functions, plus the accounting identities that every run must satisfy. A bug is a violated verdict on one
question of one seed. Source: MORTAR, section on metrics.
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

CRITICAL = 0.05
"""Similarity below which a bug is called critical (v1, figure 7)."""


class BrokenAccounting(MutatisError):
    """Two independent counts of the same thing differ: a defect in this program, never in its input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bug:
    """A violated verdict: relation key (`mr1`, ...) and question.

    `perturbations` are those of the worst pair, as the paper credits them: in its Table VII every bug of MR3 and MR4
    counts twice (DS1: 37,974 = 25,910 + 2 x 6,032). `test_cases` have the members of all violating pairs.
    """

    relation: str
    question: Question
    perturbations: frozenset[str]
    test_cases: frozenset[str]
    score: float | None = None


@dataclass(slots=True)
class Reference:
    """The results of reference-based testing for one system: the outcome of each question, and effective dialogues."""

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
    """Return the number of bugs per level, including `unlevelled`; None if there is no reference."""
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
    """Return Rate+ (violations per detection), RETC (revealing test cases) and BPTC (bugs per test case)."""
    revealing = {case for bug in bugs for case in bug.test_cases}
    return {
        "rate": _share(len(bugs), detections),
        "retc": _share(len(revealing), test_cases),
        "bptc": _share(len(bugs), test_cases),
    }


def contribution(
    bugs: Sequence[Bug], reference: Reference, perturbations: Iterable[str], relations: Iterable[str]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the number of bugs, their share of all bugs and their levels, per perturbation and per relation."""
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
                "share": _share(len(bugs_found), len(bugs)),
                "levels": levels(bugs_found, reference),
                "mean_score_of_bugs": mean([bug.score for bug in bugs_found if bug.score is not None]),
                "critical": sum(is_critical(bug) for bug in bugs_found),
            }
            for name, bugs_found in groups.items()
        }

    return {"per_perturbation": described(by_perturbation), "per_relation": described(by_relation)}


def is_critical(bug: Bug) -> bool:
    """Return True if the answers that should agree have almost nothing in common (v1, figure 7)."""
    return bug.score is not None and bug.score < CRITICAL


def uniqueness(
    methods: Mapping[str, Sequence[Bug]], reference: Reference, common: Set[str] | None = None
) -> dict[str, dict[str, Any]]:
    """Return, per method and level, the number and share of its bugs on questions where no other method has one.

    The shares are shares of bugs, as in Table V of the later paper, not of questions: each of its twelve overall shares
    is the mean of the shares of the three levels, weighted by the bugs in Table IV. The same figures counted in
    questions are given alongside. `common` restricts both to some seeds (the figures in brackets in the paper).
    """
    result: dict[str, dict[str, Any]] = {}
    for name, bugs in methods.items():
        asked = [bug for bug in bugs if common is None or bug.question[0] in common]
        others = {bug.question for other, bugs_of in methods.items() if other != name for bug in bugs_of}
        by_level: dict[str, list[Bug]] = {level: [] for level in LEVELS}
        for bug in asked:
            by_level.setdefault(reference.level(bug.question) or "unlevelled", []).append(bug)
        levelled = {level: _unique(by_level[level], others) for level in LEVELS}
        result[name] = {**_unique(asked, others), **levelled}
    return result


def _unique(bugs: Sequence[Bug], others: Set[Question]) -> dict[str, Any]:
    alone = [bug for bug in bugs if bug.question not in others]
    questions, unique = {bug.question for bug in bugs}, {bug.question for bug in alone}
    return {
        "bugs": len(bugs),
        "unique": len(alone),
        "share": _share(len(alone), len(bugs)),
        "questions": len(questions),
        "unique_questions": len(unique),
        "share_of_questions": _share(len(unique), len(questions)),
    }


def require_equal(identity: str, left: int, right: int) -> None:
    """Raise BrokenAccounting if two counts that must agree do not."""
    if left != right:
        raise BrokenAccounting(f"internal error: {identity}: {left:,} is not {right:,}; please report this")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Results expected from the annotations of the follow-ups, per perturbation and in total.

    Attributes:
        detectable: turns that some pair relation judges (answerable, context decided), per perturbation.
        groups: question groups formed by the versions of the questions, per group relation.
    """

    detectable: Mapping[str, int]
    groups: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Results counted from the verdicts: pair verdicts per perturbation, group verdicts per relation, bugs, levels."""

    pairs: Mapping[str, int]
    groups: Mapping[str, int]
    detections: int
    violated: int
    levels: Mapping[str, int] | None


def check_accounting(expected: Expected, counts: Found) -> None:
    """Check all identities between the follow-ups made and the verdicts found.

    Raises:
        BrokenAccounting: an identity does not hold.
    """
    for name in {**expected.detectable, **counts.pairs}:
        left, right = expected.detectable.get(name, 0), counts.pairs.get(name, 0)
        require_equal(f"{name}: turns to be judged are pair detections", left, right)
    require_equal(
        "all turns to be judged are pair detections", sum(expected.detectable.values()), sum(counts.pairs.values())
    )
    for name in {**expected.groups, **counts.groups}:
        left, right = expected.groups.get(name, 0), counts.groups.get(name, 0)
        require_equal(f"{name}: questions with enough versions are group detections", left, right)
    total = sum(expected.detectable.values()) + sum(expected.groups.values())
    require_equal("pairs and groups sum to the detections", total, counts.detections)
    if counts.levels is not None:
        require_equal("levels sum to the bugs", sum(counts.levels.values()), counts.violated)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def mean(values: Sequence[float]) -> float | None:
    """Return the mean of scores, or None if there is none."""
    return round(statistics.fmean(values), 6) if values else None
