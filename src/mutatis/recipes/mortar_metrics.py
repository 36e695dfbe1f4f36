"""MORTAR's numbers, collected while the run goes on, and its accounting identities, checked at the end.

Each side of an identity is counted on its own: turns from the annotations of follow-ups, detections from verdicts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mutatis.analysis.bug_levels import (
    Bug,
    Question,
    Reference,
    case_figures,
    contribution,
    levels,
    require,
    uniqueness,
    variation,
)
from mutatis.campaign.events import Event, FollowUpMade, VerdictReached
from mutatis.core.relation import Group
from mutatis.core.verdict import Outcome
from mutatis.relations.mortar import PERTURBATIONS

REFERENCE_BASED = "reference-based"


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A testing method: its relations by their short names, and whether unanswerable turns are left out of them."""

    name: str
    relations: Mapping[str, str]
    leaves_out_unanswerable: bool = False
    by_context: bool = True


MORTAR = Method(
    name="mortar",
    relations={
        "context-preserving": "mr1",
        "context-altering": "mr2",
        "inner-consistency": "mr3",
        "inter-divergence": "mr4",
    },
    leaves_out_unanswerable=True,
)
MORTAR_V1 = Method(
    name="mortar_v1",
    relations={"answerable-or-unknown": "mr1", "same-answerability": "mr2", "other-answerability": "mr3"},
)
METAL = Method(
    name="metal",
    relations={name: name for name in ("metal-synonyms", "metal-random-words", "metal-typos", "metal-leet")},
    by_context=False,
)


@dataclass(slots=True)
class _Turns:
    """What the annotations of the follow-ups say, per perturbation."""

    total: Counter[str] = field(default_factory=Counter)
    unanswerable: Counter[str] = field(default_factory=Counter)
    undecided: Counter[str] = field(default_factory=Counter)
    detectable: Counter[str] = field(default_factory=Counter)
    test_cases: set[str] = field(default_factory=set)
    seeds: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Detections:
    """What the verdicts on one system say."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    pairs: Counter[str] = field(default_factory=Counter)
    scores: list[float] = field(default_factory=list)
    bugs: list[Bug] = field(default_factory=list)


class DialogueMetrics:
    """Collects the metrics of one or more methods that test the same dialogues in one run."""

    def __init__(self, name: str, methods: Sequence[Method]) -> None:
        self.name = name
        self._methods = methods
        self._turns: dict[str, _Turns] = {method.name: _Turns() for method in methods}
        self._found: dict[tuple[str, str], _Detections] = defaultdict(_Detections)
        self._reference: dict[str, Reference] = defaultdict(Reference)

    def __call__(self, event: Event) -> None:
        """Count a follow-up's turns or a verdict."""
        if isinstance(event, FollowUpMade):
            self._count_turns(event)
        elif isinstance(event, VerdictReached) and event.verdict.repeat == 0:
            self._count_verdict(event)

    def _count_turns(self, event: FollowUpMade) -> None:
        assert event.case.derivation is not None
        perturbation = _perturbation(tuple(step.transformation for step in event.case.derivation.steps))
        method = self._method_of(perturbation)
        if method is None:
            return
        turns = self._turns[method.name]
        turns.test_cases.add(event.case.id)
        turns.seeds.add(event.source.id)
        for index in event.case.asked:
            annotations = event.case.turns[index].annotations
            turns.total[perturbation] += 1
            unanswerable = annotations.get("answerable", True) is False
            turns.unanswerable[perturbation] += unanswerable
            if method.by_context:
                self._count_context(turns, method, perturbation, annotations.get("context"), unanswerable)
            else:
                turns.detectable[perturbation] += bool(annotations.get("changed"))

    @staticmethod
    def _count_context(
        turns: _Turns, method: Method, perturbation: str, context: str | None, unanswerable: bool
    ) -> None:
        if unanswerable and method.leaves_out_unanswerable:
            return
        # In v1 an unanswerable question has its expected answer, "unknown", in every context.
        if context == "undecided" and not unanswerable:
            turns.undecided[perturbation] += 1
        else:
            turns.detectable[perturbation] += 1

    def _count_verdict(self, event: VerdictReached) -> None:
        identity = event.verdict.identity
        question = (identity.source, identity.turn)
        if identity.relation == REFERENCE_BASED:
            reference = self._reference[identity.system]
            if event.verdict.outcome is Outcome.VIOLATED:
                reference.wrong.add(question)
            elif event.verdict.outcome is Outcome.SATISFIED:
                reference.right.add(question)
            return
        method = next((m for m in self._methods if identity.relation in m.relations), None)
        if method is None or event.group is None:
            return
        found = self._found[method.name, identity.system]
        key = method.relations[identity.relation]
        outcome, judgement = event.verdict.outcome, event.verdict.judgement
        found.outcomes[key, outcome.value] += 1
        perturbations = _perturbations(event.group)
        if event.relation.grouping == "pair":
            found.pairs[next(iter(perturbations))] += 1
        if outcome in (Outcome.SATISFIED, Outcome.VIOLATED) and judgement.score is not None:
            found.scores.append(judgement.score)
        if outcome is Outcome.VIOLATED:
            members = judgement.violating or range(len(event.group.members))
            bug = Bug(
                relation=key,
                question=question,
                perturbations=perturbations,
                test_cases=frozenset(event.group.members[i].observation.case.id for i in members),
                score=judgement.score,
            )
            found.bugs.append(bug)

    def _method_of(self, perturbation: str) -> Method | None:
        for method in self._methods:
            if perturbation in (PERTURBATIONS.values() if method.by_context else method.relations):
                return method
        return None

    def metrics(self) -> dict[str, Any]:
        """Return the numbers of the first method per system, and the comparison where there are several.

        Raises:
            BrokenAccounting: two counts that must agree do not.
        """
        first = self._methods[0]
        result: dict[str, Any] = {
            "systems": {system: self._system(first, system) for name, system in self._found if name == first.name}
        }
        others = [m for m in self._methods[1:] if any(name == m.name for name, _ in self._found)]
        if others:
            result["methods"] = {
                m.name: {system: self._system(m, system) for name, system in self._found if name == m.name}
                for m in (first, *others)
            }
            result["uniqueness"] = {
                system: self._uniqueness(system, [first, *others]) for system in sorted({s for _, s in self._found})
            }
        return result

    def _system(self, method: Method, system: str) -> dict[str, Any]:
        turns, found, reference = self._turns[method.name], self._found[method.name, system], self._reference[system]
        keys = list(method.relations.values())
        detections = {key: sum(n for (k, _), n in found.outcomes.items() if k == key) for key in keys}
        total = sum(detections.values())
        decided = sum(n for (_, outcome), n in found.outcomes.items() if outcome in ("satisfied", "violated"))
        by_level = levels(found.bugs, reference)
        self._check(turns, found, total, by_level)
        counts = [by_level[level] for level in ("l1", "l2", "l3")] if by_level else []
        figures = case_figures(found.bugs, len(turns.test_cases), decided)
        buggy = [bug.score for bug in found.bugs if bug.score is not None]
        return {
            "seeds": len(turns.seeds),
            "test_cases": len(turns.test_cases),
            "turns": sum(turns.total.values()),
            "unanswerable": sum(turns.unanswerable.values()),
            "undecided_context": sum(turns.undecided.values()),
            "detections": {**detections, "total": total},
            "outcomes": {f"{key}_{outcome}": n for (key, outcome), n in sorted(found.outcomes.items())},
            "nbugs": len(found.bugs),
            **figures,
            "levels": by_level,
            "cv": variation(counts),
            "cv_l1_l2": variation(counts[:2]),
            "mean_score": round(sum(found.scores) / len(found.scores), 6) if found.scores else None,
            "mean_score_of_bugs": round(sum(buggy) / len(buggy), 6) if buggy else None,
            "critical": sum(score < 0.05 for score in buggy),
            **contribution(found.bugs, reference),
        }

    @staticmethod
    def _check(turns: _Turns, found: _Detections, total: int, by_level: dict[str, int] | None) -> None:
        for perturbation in turns.total:
            left, right = turns.detectable[perturbation], found.pairs[perturbation]
            require(f"{perturbation}: detectable turns are pair detections", left, right)
        require("turns detected are pair detections", sum(turns.detectable.values()), sum(found.pairs.values()))
        require("detections are verdicts", total, sum(found.outcomes.values()))
        violated = sum(n for (_, outcome), n in found.outcomes.items() if outcome == "violated")
        require("bugs are violated verdicts", len(found.bugs), violated)
        if by_level is not None:
            require("levels sum to the bugs", sum(by_level.values()), len(found.bugs))

    def _uniqueness(self, system: str, methods: Sequence[Method]) -> dict[str, Any]:
        questions: dict[str, set[Question]] = {
            m.name: {bug.question for bug in self._found[m.name, system].bugs} for m in methods
        }
        common = set.intersection(*(self._turns[m.name].seeds for m in methods))
        reference = self._reference[system]
        return {"all_seeds": uniqueness(questions, reference), "common_seeds": uniqueness(questions, reference, common)}


def _perturbation(steps: Sequence[str]) -> str:
    return next((PERTURBATIONS.get(name, name) for name in steps), "")


def _perturbations(group: Group) -> frozenset[str]:
    """Return the perturbations that the members of a group came from."""
    derivations = [member.observation.case.derivation for member in group.members]
    return frozenset(_perturbation([s.transformation for s in d.steps]) for d in derivations if d is not None)
