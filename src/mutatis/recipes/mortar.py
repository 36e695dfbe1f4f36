"""MORTAR, a method of multi-turn metamorphic testing for dialogue systems, in both versions, with its baseline.

`mortar` uses this library's own judge and context check. `mortar_v2_paper` and `mortar_v1` use the papers' judges and
checks.

Turns are counted from the annotations of follow-ups, and detections from verdicts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from mutatis.analysis.bug_levels import (
    Bug,
    Question,
    Reference,
    case_figures,
    contribution,
    is_critical,
    levels,
    mean,
    proportion,
    uniqueness,
    variation,
)
from mutatis.campaign.events import Event, FollowUpMade
from mutatis.campaign.follow_up import not_annotated
from mutatis.context import ContextCheck
from mutatis.core.decision import Outcome
from mutatis.core.relation import Group
from mutatis.core.verdict import Verdict
from mutatis.recipes.recipe import Recipe, add_recipes
from mutatis.relations.metal import PERTURBATIONS, PERTURBATIONS_V1, WORDNET
from mutatis.relations.mortar import ALTERED, EQUIVALENT, PERTURBATION_OF, V1, V2

UNDECIDED, LEFT_OUT, CHANGED = "undecided", "left-out", "changed"

NOT_ANNOTATED = not_annotated(ContextCheck.name)
"""Name of the precondition that fails if no knowledge could be extracted from a dialogue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """The parts of a testing method that its metrics depend on.

    Attributes:
        relations: the short name (`mr1`, ...) of each relation.
        scored: pair relations that compare with the reference and expect the same answer. Mean scores cover these.
        unanswerable: tag of the turns whose question is annotated as unanswerable.
    """

    name: str
    relations: Mapping[str, str]
    scored: frozenset[str]
    unanswerable: str = LEFT_OUT

    def tag(self, annotations: Mapping[str, Any]) -> str:
        """Return the tag of a follow-up turn: changed (METAL), its context (MORTAR), or left out."""
        if annotations.get("changed"):
            return CHANGED
        if annotations.get("answerable", True) is False:
            return self.unanswerable
        return str(annotations.get("context", LEFT_OUT))


MORTAR = Method(
    name="mortar",
    relations={
        "context-preserving": "mr1",
        "context-altering": "mr2",
        "inner-consistency": "mr3",
        "inter-divergence": "mr4",
    },
    scored=frozenset({"mr1"}),
)
MORTAR_V1 = Method(
    name="mortar_v1",
    relations={"answerable-or-unknown": "mr1", "same-answerability": "mr2", "other-answerability": "mr3"},
    scored=frozenset({"mr1"}),
    unanswerable=ALTERED,  # no context makes it answerable
)


def metal(*names: str) -> Method:
    """Return the single-turn baseline METAL with these perturbations, each as a separate relation."""
    return Method(name="metal", relations={name: name for name in names}, scored=frozenset(names))


@dataclass(slots=True)
class Turns:
    """Counts from the annotations of follow-ups, per perturbation.

    `tags` counts turns per perturbation and tag, and `touched` the follow-ups with an altered or changed turn.
    """

    total: Counter[str] = field(default_factory=Counter)
    unanswerable: Counter[str] = field(default_factory=Counter)
    tags: Counter[tuple[str, str]] = field(default_factory=Counter)
    cases: Counter[str] = field(default_factory=Counter)
    touched: Counter[str] = field(default_factory=Counter)
    seeds: set[str] = field(default_factory=set)
    relations: set[str] = field(default_factory=set)

    def count(self, method: Method, active: frozenset[str], event: FollowUpMade) -> None:
        """Count the turns of one follow-up. `active` holds the short names of the relations that judge it."""
        name = perturbation_of(event.case.derivation)
        self.relations |= active
        self.seeds.add(event.source.id)
        self.cases[name] += 1
        touched = False
        for index in event.case.asked:
            annotations = event.case.turns[index].annotations
            tag = method.tag(annotations)
            self.total[name] += 1
            self.unanswerable[name] += annotations.get("answerable", True) is False
            self.tags[name, tag] += 1
            touched = touched or tag in (ALTERED, CHANGED)
        self.touched[name] += touched

    def tagged(self, tag: str, perturbation: str | None = None) -> int:
        """Return the number of turns with a tag, for one perturbation or for all."""
        return sum(n for (name, tag_of), n in self.tags.items() if tag_of == tag and perturbation in (None, name))


@dataclass(slots=True)
class Scores:
    """Scores of the answers that were compared with the reference. `bugs` holds the scores of violations."""

    decided: list[float] = field(default_factory=list)
    bugs: list[float] = field(default_factory=list)

    def add(self, verdict: Verdict) -> None:
        """Add the score of a verdict, if it was decided."""
        score = verdict.decided.score
        if score is not None and verdict.outcome in (Outcome.SATISFIED, Outcome.VIOLATED):
            self.decided.append(score)
            if verdict.outcome is Outcome.VIOLATED:
                self.bugs.append(score)


@dataclass(slots=True)
class SystemCounts:
    """Counts from the verdicts on one system.

    `participation` counts, per relation and perturbation, the verdicts that involve a follow-up made by the
    perturbation.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    participation: Counter[tuple[str, str]] = field(default_factory=Counter)
    scores: dict[str, Scores] = field(default_factory=lambda: defaultdict(Scores))
    bugs: list[Bug] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)

    def count(self, method: Method, verdict: Verdict) -> None:
        """Count one verdict by a relation of this method."""
        key, outcome = method.relations[verdict.relation.name], verdict.outcome
        if verdict.group is None:
            # It could not be made or annotated. Question relations have this verdict only if all versions are missing.
            if outcome is Outcome.ERROR or verdict.decided.precondition == NOT_ANNOTATED:
                self.failed.add(verdict.source.id)
            return
        self.outcomes[key, outcome.value] += 1
        names = _perturbations(verdict.group, range(len(verdict.group.members)))
        for name in names:
            self.participation[key, name] += 1
        if key in method.scored:
            [name] = names
            self.scores[name].add(verdict)
        if outcome is Outcome.VIOLATED:
            self.bugs.append(_bug(key, verdict.group, verdict))

    def detections(self, relation: str) -> int:
        """Return the number of verdicts by a relation, which is given by its short name."""
        return sum(number for (key, _), number in self.outcomes.items() if key == relation)

    def with_outcome(self, *outcomes: Outcome) -> int:
        """Return the number of verdicts with one of these outcomes."""
        return sum(number for (_, outcome), number in self.outcomes.items() if outcome in outcomes)


@dataclass(slots=True)
class ReferenceBased:
    """The results of reference-based testing for one system."""

    reference: Reference = field(default_factory=Reference)
    scores: Scores = field(default_factory=Scores)
    errors: int = 0

    def count(self, verdict: Verdict) -> None:
        """Count a verdict, unless the annotated answer is missing.

        Without it, a system would only be compared with itself, which proves nothing.
        """
        if verdict.group is None or not verdict.group.directed:
            return
        question = (verdict.source.id, verdict.turn)
        outcome = verdict.outcome
        if outcome is Outcome.VIOLATED:
            self.reference.wrong.add(question)
        elif outcome is Outcome.SATISFIED:
            self.reference.right.add(question)
        else:
            self.errors += 1
        self.scores.add(verdict)


def _bug(key: str, group: Group, verdict: Verdict) -> Bug:
    decision = verdict.decided
    worst: Sequence[int] = decision.worst or range(len(group.members))
    return Bug(
        relation=key,
        question=(verdict.source.id, verdict.turn),
        perturbations=_perturbations(group, worst),
        test_cases=frozenset(group.members[i].case.id for i in decision.violating or worst),
        score=decision.score,
    )


def perturbation_of(derivation: Any) -> str:
    """Return the name that the papers use for the perturbation that made a follow-up."""
    first = next((step.transformation for step in derivation.steps), "")
    return PERTURBATION_OF.get(first, first)


def _perturbations(group: Group, members: Iterable[int]) -> frozenset[str]:
    return frozenset(perturbation_of(group.members[i].case.derivation) for i in members)


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
        """Return the metrics of the first method per system. If there are several methods, add a comparison."""
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
        """Return a method's figures for one system, in the terms of the paper.

        `levels` counts bugs by how surely they are real, and `cv` is the coefficient of variation of these counts.
        """
        turns, counts = self._turns[method.name, system], self._found[method.name, system]
        reference_based = self._reference[system]
        active = [key for key in method.relations.values() if key in turns.relations]
        detections = {key: counts.detections(key) for key in active}
        by_level = levels(counts.bugs, reference_based.reference)
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
        "rate_of_scored": proportion(len(bugs), len(decided)),
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


METAL, METAL_V1 = metal(*PERTURBATIONS, WORDNET[0]), metal(*PERTURBATIONS_V1, WORDNET[1])

_MORTAR = Recipe(
    name="mortar",
    summary="Five dialogue perturbations, MR1-MR4, with the levels of bugs against reference-based testing.",
    paper=V2,
    relations=("tag:mortar", "reference-based"),
    collectors=lambda: (DialogueMetrics("mortar", (MORTAR, METAL)),),
)

add_recipes(
    _MORTAR,
    # The set-up of the paper as it stands: a language model extracts the knowledge in seven steps ([helper]), the story
    # may resolve a question in the papers' lax reading, and there are two verdicts. What stays ours: a refusal in an
    # altered context is INVALID, not SATISFIED, and prompts and schemas are our own wording.
    replace(
        _MORTAR,
        name="mortar_v2_paper",
        summary="The later version as published: knowledge by [helper], two verdicts, MiniLM cosine >= 0.6.",
        settings={
            "judge": {"measure": "minilm-cosine", "equal": 0.6, "different": 0.6},
            "context": {
                "extractor": "language-model",
                "undecided": "equivalent",
                "adjacency_veto": False,
                "dataset_check": "papers",
                "semantic_check": "papers",
            },
        },
    ),
    # v1 tags answerability with every item that the gold or extracted rewrite adds (no intersection with the seed's
    # own context), lets the story resolve nearly everything, knows no third verdict, and judges by MSS.
    Recipe(
        name="mortar_v1",
        summary="The earlier version: all turns, unknown as an expected answer, judged by MSS >= 0.6.",
        paper=V1,
        relations=("tag:mortar-v1", "reference-based"),
        settings={
            "judge": {"measure": "mss", "equal": 0.6, "different": 0.6},
            "context": {
                "undecided": "equivalent",
                "needed": "papers",
                "adjacency_veto": False,
                "dataset_check": "papers",
            },
        },
        collectors=lambda: (DialogueMetrics("mortar_v1", (MORTAR_V1, METAL_V1)),),
    ),
    Recipe(
        name="metal_dialogue",
        summary="METAL's perturbations of single questions inside dialogues: MORTAR's baseline.",
        paper=V2,
        relations=("tag:metal", "reference-based"),
        collectors=lambda: (DialogueMetrics("metal_dialogue", (METAL,)),),
    ),
)
