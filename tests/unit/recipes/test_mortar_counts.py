"""What MORTAR's metrics are counted from: turns by their annotations, detections by their verdicts; by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import mutatis.relations  # noqa: F401 - fills the registries
from mutatis.analysis.bug_levels import Bug
from mutatis.campaign.events import FollowUpMade
from mutatis.core.cases import Case
from mutatis.core.decision import Decision, Outcome
from mutatis.core.relation import RELATIONS, Group, Observation
from mutatis.core.verdict import Verdict
from mutatis.recipes.mortar import (
    MORTAR,
    MORTAR_V1,
    ReferenceBased,
    Scores,
    SystemCounts,
    Turns,
    metal,
    perturbation_of,
)
from support.parts import dialogue, reordered, step

CASE = dialogue("q0", "q1", "q2", "q3")
SAME, OTHER, UNSURE = ({"context": name} for name in ("equivalent", "altered", "undecided"))
UNANSWERABLE = {"answerable": False, "context": "equivalent"}


@pytest.mark.parametrize(
    ("annotations", "v2", "v1"),
    [
        (SAME, "equivalent", "equivalent"),
        ({**SAME, "answerable": True}, "equivalent", "equivalent"),
        (OTHER, "altered", "altered"),
        (UNSURE, "undecided", "undecided"),
        (UNANSWERABLE, "left-out", "altered"),
        ({}, "left-out", "left-out"),
        ({"answerable": False}, "left-out", "altered"),
        ({"changed": True}, "changed", "changed"),
        ({"changed": False, "context": "altered"}, "altered", "altered"),
    ],
)
def test_what_becomes_of_a_turn(annotations, v2, v1):
    assert [method.tag(annotations) for method in (MORTAR, MORTAR_V1)] == [v2, v1]


def test_the_baseline_has_a_relation_per_perturbation():
    method = metal("a", "b")
    assert (method.name, method.relations, method.scored) == ("metal", {"a": "a", "b": "b"}, {"a", "b"})
    tags = [
        method.tag(note) for note in ({"changed": True}, {"changed": False}, {"changed": True, "answerable": False})
    ]
    assert tags == ["changed", "left-out", "changed"]


def made(origin: Sequence[int], *annotations: dict[str, Any], by: str = "round-shuffle", **more: Any) -> FollowUpMade:
    case = reordered(CASE, *origin, steps=(step(by),))
    turns = tuple(replace(turn, annotations=notes) for turn, notes in zip(case.turns, annotations, strict=True))
    return FollowUpMade(source=CASE, case=replace(case, turns=turns, **more))


def test_turns_are_counted_per_perturbation():
    turns = Turns()
    both = frozenset({"mr1", "mr3"})
    turns.count(MORTAR, both, made((2, 0, 1), SAME, OTHER, UNSURE))
    turns.count(MORTAR, both, made((0, 2, 3), SAME, SAME, UNANSWERABLE))
    turns.count(MORTAR, frozenset({"mr1", "mr2"}), made((1, 0), SAME, OTHER, by="round-reduction"))
    assert turns.cases == {"DRS": 2, "DRR": 1}
    assert turns.total == {"DRS": 6, "DRR": 2}
    assert turns.unanswerable == {"DRS": 1, "DRR": 0}
    assert turns.touched == {"DRS": 1, "DRR": 1}
    assert turns.tags == {
        ("DRS", "equivalent"): 3, ("DRS", "altered"): 1, ("DRS", "undecided"): 1, ("DRS", "left-out"): 1,
        ("DRR", "equivalent"): 1, ("DRR", "altered"): 1,
    }  # fmt: skip
    assert (turns.seeds, turns.relations) == ({"d/0"}, {"mr1", "mr2", "mr3"})
    assert [turns.tagged(tag) for tag in ("equivalent", "altered", "undecided", "changed")] == [4, 2, 1, 0]
    of_one = [turns.tagged(*tags) for tags in (("equivalent", "DRS"), ("altered", "DRR"), ("altered", "DRD"))]
    assert of_one == [3, 1, 0]


def test_only_asked_turns_count():
    turns = Turns()
    turns.count(MORTAR, frozenset({"mr1"}), made((0, 1, 2), SAME, SAME, OTHER, ask_turns=(1,)))
    assert (turns.total, turns.touched) == ({"DRS": 1}, {"DRS": 0})


def test_the_baseline_counts_changed_turns():
    turns = Turns()
    turns.count(metal("metal-leet"), frozenset({"metal-leet"}), made((0, 1), {"changed": True}, SAME, by="metal-leet"))
    [name] = turns.cases
    assert (turns.tagged("changed"), turns.touched[name], turns.total[name]) == (1, 1, 2)


def verdict(
    relation: str,
    outcome: Outcome,
    *members: Case,
    score: float | None = None,
    worst: tuple[int, ...] = (),
    violating: tuple[int, ...] = (),
    turn: int = 0,
    directed: bool = False,
) -> Verdict:
    group = Group(
        source=Observation(case=CASE, turn=turn),
        members=tuple(Observation(case=case, turn=0) for case in members),
        directed=directed,
    )
    return Verdict(
        system="s",
        relation=RELATIONS[relation],
        source=CASE,
        turn=turn,
        group=group if members else None,
        decision=Decision(outcome=outcome, score=score, worst=worst, violating=violating),
    )


DRS = reordered(CASE, 0, steps=(step("round-shuffle"),), mark="a")
DRR = reordered(CASE, 0, steps=(step("round-reduction"),), mark="b")
DSD = reordered(CASE, 0, steps=(step("round-shuffle-duplication"),), mark="c")
VIOLATED, SATISFIED, INVALID, ERROR = Outcome.VIOLATED, Outcome.SATISFIED, Outcome.INVALID, Outcome.ERROR


def bug(relation: str, turn: int, perturbations: str, *cases: Case, score: float) -> Bug:
    return Bug(
        relation=relation,
        question=("d/0", turn),
        perturbations=frozenset(perturbations.split()),
        test_cases=frozenset(case.id for case in cases),
        score=score,
    )


def test_verdicts_are_counted_and_a_bug_is_credited_to_its_worst_pair():
    counts = SystemCounts()
    pairs, groups = "context-preserving", "inner-consistency"
    for judged in (
        verdict(pairs, VIOLATED, DRS, score=0.25, worst=(0,), turn=1),
        verdict(pairs, SATISFIED, DRS, score=0.75),
        verdict(pairs, ERROR, DRR),
        verdict("context-altering", VIOLATED, DRR, score=0.5),
        verdict(groups, VIOLATED, DRS, DRR, DSD, score=0.0, worst=(0, 2), violating=(0, 1, 2)),
        verdict(groups, SATISFIED, DRS, DRS, score=1.0),
    ):
        counts.count(MORTAR, judged)
    assert counts.outcomes == {
        ("mr1", "violated"): 1, ("mr1", "satisfied"): 1, ("mr1", "error"): 1,
        ("mr2", "violated"): 1, ("mr3", "violated"): 1, ("mr3", "satisfied"): 1,
    }  # fmt: skip
    assert counts.participation == {
        ("mr1", "DRS"): 2, ("mr1", "DRR"): 1, ("mr2", "DRR"): 1,
        ("mr3", "DRS"): 2, ("mr3", "DRR"): 1, ("mr3", "DSD"): 1,
    }  # fmt: skip
    assert {name: (score.decided, score.bugs) for name, score in counts.scores.items()} == {
        "DRS": ([0.25, 0.75], [0.25]),
        "DRR": ([], []),  # an error has no score, and mr2 expects another answer
    }
    first, second, third = counts.bugs
    assert first == bug("mr1", 1, "DRS", DRS, score=0.25)
    assert second == bug("mr2", 0, "DRR", DRR, score=0.5)
    assert third == bug("mr3", 0, "DRS DSD", DRS, DRR, DSD, score=0.0)
    assert counts.failed == set()


def test_what_was_never_judged_is_no_detection_and_its_source_failed_where_somebody_did():
    counts = SystemCounts()
    counts.count(MORTAR, verdict("context-preserving", INVALID))
    assert (counts.outcomes, counts.failed) == ({}, set())
    counts.count(MORTAR, verdict("context-preserving", ERROR))
    assert (counts.outcomes, counts.failed, counts.bugs) == ({}, {"d/0"}, [])


def test_scores_are_of_decided_verdicts_that_have_one():
    scores = Scores()
    for outcome, score in ((VIOLATED, 0.1), (SATISFIED, 0.9), (VIOLATED, None), (ERROR, 0.3), (INVALID, 0.4)):
        scores.add(verdict("context-preserving", outcome, DRS, score=score))
    assert (scores.decided, scores.bugs) == ([0.1, 0.9], [0.1])


def test_reference_based_testing_counts_questions_with_an_annotated_answer():
    counts = ReferenceBased()
    for outcome, turn, directed in (
        (VIOLATED, 0, True), (SATISFIED, 1, True), (ERROR, 2, True), (INVALID, 3, True), (VIOLATED, 3, False),
    ):  # fmt: skip
        counts.count(verdict("reference-based", outcome, DRS, score=0.5, turn=turn, directed=directed))
    counts.count(verdict("reference-based", ERROR))
    assert (counts.reference.wrong, counts.reference.right, counts.errors) == ({("d/0", 0)}, {("d/0", 1)}, 2)
    assert (counts.scores.decided, counts.scores.bugs) == ([0.5, 0.5], [0.5])


def test_a_follow_up_is_named_after_the_first_of_its_steps_as_the_papers_name_it():
    names = {"round-shuffle": "DRS", "round-reduction": "DRR", "round-duplication": "DRD"}
    names |= {"round-shuffle-reduction": "DSR", "round-shuffle-duplication": "DSD", "upper-case": "upper-case"}
    for name, published in names.items():
        case = reordered(CASE, 0, steps=(step(name), step("keep-rounds", rounds=[0])))
        assert perturbation_of(case.derivation) == published
    assert perturbation_of(replace(DRS.derivation, steps=())) == ""
