"""Output relations of what is known of the answer, and of the direction in which it moves."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mutatis.tasks  # noqa: F401
from mutatis.core.cases import EXPECTS, Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.measure import Judge, Similarity
from mutatis.core.relation import Group, Observation
from mutatis.core.system import Response
from mutatis.relations.opposite import converses_of, is_symmetric
from mutatis.relations.output import OUTPUT_RELATIONS
from support.parts import ByHand

HELD, BROKEN, INVALID = Outcome.SATISFIED, Outcome.VIOLATED, Outcome.INVALID


JUDGE = Judge(measure=ByHand(), equal=0.8, different=0.4)


def seen(value: object, *, text: str = "", task: str = "question-answering", expects: object = None) -> Observation:
    annotations = {} if expects is None else {EXPECTS: expects}
    case = Case(id="c", task=task, turns=(Turn(fields={"question": "Which?"}, annotations=annotations),))
    return Observation(case=case, turn=0, response=Response(text=text or str(value), value=value))


def group(after: Observation, before: object = "a") -> Group:
    return Group(source=seen(before), members=(after,), reference=(before,))


def decided(name: str, of: Group, *scores: float) -> Decision:
    return OUTPUT_RELATIONS[name].decide(of, [Similarity(score=score) for score in scores], JUDGE)


@pytest.mark.parametrize(("score", "outcome"), [(0.8, HELD), (0.79, BROKEN)])
def test_the_answer_that_an_edit_settles(score: float, outcome: Outcome) -> None:
    of = group(seen("yes", expects=["yes", "true"]), before="Rome")
    [comparison] = OUTPUT_RELATIONS["known-answer"].comparisons(of)
    assert (comparison.reference, comparison.answer, comparison.directed) == (("yes", "true"), "yes", True)
    decision = decided("known-answer", of, score)
    assert decision.outcome is outcome
    assert "'yes or true'" in decision.reason


def test_an_edit_that_settles_nothing_says_nothing() -> None:
    for expects in (None, []):
        of = group(seen("yes", expects=expects))
        assert OUTPUT_RELATIONS["known-answer"].comparisons(of) == []
        assert decided("known-answer", of).outcome is INVALID


@pytest.mark.parametrize(
    ("task", "value", "text", "outcome"),
    [
        ("question-answering", "unknown", "unknown", HELD),
        ("retrieval-qa", "unknown", "The passages do not say.", HELD),
        ("relation-extraction", "no relation", "no relation", HELD),
        (
            "question-answering",
            "I'm sorry, but I can't help with that.",
            "I'm sorry, but I can't help with that.",
            HELD,
        ),
        ("question-answering", "Rome", "Rome", BROKEN),
        ("relation-extraction", "spouse", "spouse", BROKEN),
        ("question-answering", "no", "no", BROKEN),
    ],
)
def test_abstaining(task: str, value: str, text: str, outcome: Outcome) -> None:
    of = group(seen(value, text=text, task=task, expects=[]))
    assert OUTPUT_RELATIONS["abstains"].comparisons(of) == ()
    decision = decided("abstains", of)
    assert (decision.outcome, decision.score) == (outcome, float(outcome is HELD))
    assert (repr(value) in decision.reason) is (outcome is BROKEN)


def test_abstaining_is_demanded_only_where_nothing_is_left() -> None:
    assert decided("abstains", group(seen("Rome"))).outcome is INVALID


@pytest.mark.parametrize(
    ("before", "after", "score", "outcome"),
    [
        ("two weeks", "Two weeks; Tom Harding", 0.1, HELD),
        ("two weeks", "It takes two of their weeks.", 0.1, HELD),
        ("two weeks", "Tom Harding", 0.1, BROKEN),
        ("two weeks", "14 days", 0.8, HELD),
        ("...", "Tom Harding", 0.1, BROKEN),
    ],
)
def test_an_answer_in_company(before: str, after: str, score: float, outcome: Outcome) -> None:
    assert decided("contains", group(seen(after), before), score).outcome is outcome


def test_company_needs_an_answer() -> None:
    of = replace(group(seen("x")), reference=())
    assert decided("contains", of, 0.0).outcome is INVALID


def test_converses() -> None:
    of = group(seen("has child"), "Father")
    [comparison] = OUTPUT_RELATIONS["converse"].comparisons(of)
    assert comparison.reference == ("child",)
    assert decided("converse", of, 0.8).outcome is HELD
    assert decided("converse", of, 0.7).outcome is BROKEN
    assert OUTPUT_RELATIONS["converse"].comparisons(group(seen("x"), "genre")) == []
    assert decided("converse", group(seen("x"), "genre")).outcome is INVALID


def test_the_list_of_converses_is_read_both_ways() -> None:
    assert set(converses_of("child")) == {"parent", "father", "mother"}
    assert "part of" in converses_of("has part")
    assert "has part" in converses_of("member of")
    assert converses_of("spouse") == ()
    assert is_symmetric(" Sister city ")
    assert not is_symmetric("capital")


@pytest.mark.parametrize(
    ("name", "before", "after", "outcome", "moved"),
    [
        ("not-lower", 0.5, 0.4, HELD, -0.1),
        ("not-lower", 0.5, 0.39, BROKEN, -0.11),
        ("not-lower", 0.5, 0.9, HELD, 0.4),
        ("not-higher", 0.5, 0.6, HELD, -0.1),
        ("not-higher", 0.5, 0.61, BROKEN, -0.11),
        ("not-higher", 0.5, 0.1, HELD, 0.4),
        ("not-stronger", 0.8, 0.95, BROKEN, -0.15),
        ("not-stronger", 0.8, 0.6, HELD, 0.2),
        ("not-stronger", 0.2, 0.05, BROKEN, -0.15),
        ("not-stronger", 0.2, 0.4, HELD, 0.2),
    ],
)
def test_directions(name: str, before: float, after: float, outcome: Outcome, moved: float) -> None:
    decision = decided(name, group(seen(after, task="sentiment"), before))
    assert decision.outcome is outcome
    assert decision.score == pytest.approx(moved)
    assert OUTPUT_RELATIONS[name].comparisons(group(seen(after), before)) == ()


def test_a_direction_needs_numbers() -> None:
    assert decided("not-lower", group(seen("positive"), 0.5)).outcome is INVALID
    assert decided("not-lower", group(seen(True), 0.5)).outcome is INVALID
