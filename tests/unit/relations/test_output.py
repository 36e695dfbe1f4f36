"""What each output relation asks to be compared, and how it judges."""

from dataclasses import replace

import pytest

from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.measure import Comparison, Judge, Similarity
from mutatis.core.relation import RELATIONS, Group, Observation
from mutatis.core.system import Response
from mutatis.relations.output import OUTPUT_RELATIONS
from support.parts import ByHand

JUDGE = Judge(measure=ByHand(), equal=0.8, different=0.4, undecided=(0.55, 0.65))
HELD, BROKEN, INVALID = Outcome.SATISFIED, Outcome.VIOLATED, Outcome.INVALID


def observation(value: object, text: str = "text") -> Observation:
    case = Case(id="c", turns=(Turn(fields={"question": "Which?"}),))
    return Observation(case=case, turn=0, response=Response(text=text, value=value))


def group(*answers: object, reference: tuple[object, ...] = ("a",), roles: str = "", directed: bool = False) -> Group:
    names = {"e": "equivalent", "a": "altered", "": "follow-up"}
    members = tuple(
        replace(observation(answer), role=names[roles[i] if roles else ""]) for i, answer in enumerate(answers)
    )
    return Group(source=observation("a"), members=members, reference=reference, directed=directed)


def judged(name: str, of: Group, *scores: float) -> object:
    return OUTPUT_RELATIONS[name].decide(of, [Similarity(score=score, reason="why") for score in scores], JUDGE)


@pytest.mark.parametrize(
    ("name", "score", "outcome"),
    [
        ("equal", 0.8, HELD),
        ("equal", 0.79, BROKEN),
        ("different", 0.39, HELD),
        ("different", 0.4, BROKEN),
        ("opposite", 1.0, HELD),
        ("opposite", 0.8, HELD),
        ("opposite", 0.79, BROKEN),
        ("opposite", 0.0, BROKEN),
    ],
)
def test_thresholds(name: str, score: float, outcome: Outcome) -> None:
    decision = judged(name, group("b"), score)
    assert decision.outcome is outcome
    assert decision.score == score
    assert decision.measure == "by-hand"
    assert decision.thresholds == {"equal": 0.8, "different": 0.4}
    assert "why" in decision.reason
    assert decision.worst == (0,)


def test_the_undecided_band_is_a_mark_and_no_outcome() -> None:
    assert judged("equal", group("b"), 0.6).undecided
    assert judged("equal", group("b"), 0.6).outcome is BROKEN
    assert judged("different", group("b"), 0.6).outcome is BROKEN
    assert not judged("equal", group("b"), 0.7).undecided


def test_what_is_compared() -> None:
    of = group("b", reference=("a", "A"), directed=True)
    (comparison,) = OUTPUT_RELATIONS["equal"].comparisons(of)
    assert (comparison.reference, comparison.answer, comparison.question, comparison.directed) == (
        ("a", "A"),
        "b",
        "Which?",
        True,
    )
    (unparsed,) = OUTPUT_RELATIONS["different"].comparisons(
        Group(source=observation("a"), members=(observation(None, "said"),), reference=("a",))
    )
    assert unparsed.answer == "said"


@pytest.mark.parametrize(
    ("before", "after", "outcome", "score"),
    [
        (0.8, 0.9, HELD, 0.1),
        (0.8, 0.8, HELD, 0.0),
        (0.8, 0.79, HELD, -0.01),
        (0.8, 0.69, BROKEN, -0.11),
        (0.8, 0.1, BROKEN, -0.7),
        (0.2, 0.1, HELD, 0.1),
        (0.2, 0.3, HELD, -0.1),
        (0.2, 0.31, BROKEN, -0.11),
        (0.52, 0.48, HELD, -0.04),
        (0.55, 0.44, BROKEN, -0.11),
        (0.2, 0.9, BROKEN, -0.7),
        (0.1 + 0.2, 0.3, HELD, 0.0),
        (1, 1, HELD, 0.0),
        ("good", 0.9, INVALID, None),
        (0.9, None, INVALID, None),
        (True, 0.9, INVALID, None),
    ],
)
def test_stronger(before: object, after: object, outcome: Outcome, score: float | None) -> None:
    of = group(after, reference=(before,))
    assert OUTPUT_RELATIONS["stronger"].comparisons(of) == ()
    decision = judged("stronger", of)
    assert (decision.outcome, decision.score) == (outcome, score)
    assert decision.measure == "direction"


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (0.8, 0.8, HELD),
        (0.8, 0.79, BROKEN),
        (0.2, 0.21, BROKEN),
        (0.2, 0.2, HELD),
        (0.52, 0.5, BROKEN),
        (0.1 + 0.2, 0.3, HELD),
        ("good", 0.9, INVALID),
    ],
)
def test_at_least_as_strong_is_llmorphs_own_rule(before: object, after: object, outcome: Outcome) -> None:
    assert judged("at-least-as-strong", group(after, reference=(before,))).outcome is outcome


def test_the_reason_names_the_tolerance_where_there_is_one() -> None:
    of = group(0.3, reference=(0.8,))
    assert judged("at-least-as-strong", of).reason == "the score should not fall: 0.8 became 0.3"
    assert "should not fall by more than 0.1: 0.8" in judged("stronger", of).reason


def test_equal_or_stronger() -> None:
    assert judged("equal-or-stronger", group(0.75, reference=(0.8,)), 0.9).outcome is HELD
    assert judged("equal-or-stronger", group(0.99, reference=(0.7,)), 0.1).outcome is HELD
    assert judged("equal-or-stronger", group(0.55, reference=(0.7,)), 0.1).outcome is BROKEN
    assert judged("equal-or-stronger", group("Rome", reference=("Oslo",)), 0.1).outcome is BROKEN


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        ("entailment", "contradiction", BROKEN),
        ("contradiction", "entailment", BROKEN),
        ("entailment", "neutral", HELD),
        ("entailment", "entailment", HELD),
        ("neutral", "contradiction", HELD),
    ],
)
def test_not_inverse(before: str, after: str, outcome: Outcome) -> None:
    assert judged("not-inverse", group(after, reference=(before,))).outcome is outcome


def test_inner_consistency_is_one_verdict_on_the_worst_pair() -> None:
    of = group("x", "y", "z", "w", roles="eaee")
    pairs = OUTPUT_RELATIONS["inner-consistency"].comparisons(of)
    assert [(c.reference[0], c.answer, c.directed) for c in pairs] == [
        ("x", "z", False),
        ("x", "w", False),
        ("z", "w", False),
    ]
    decision = judged("inner-consistency", of, 0.9, 0.3, 0.85)
    assert (decision.outcome, decision.score, decision.worst) == (BROKEN, 0.3, (0, 3))
    assert judged("inner-consistency", of, 0.9, 0.8, 0.85).outcome is HELD
    assert judged("inner-consistency", group("x", roles="e")).outcome is INVALID


def test_inter_divergence_wants_every_pair_to_differ() -> None:
    of = group("x", "y", "z", roles="eae")
    pairs = OUTPUT_RELATIONS["inter-divergence"].comparisons(of)
    assert [(c.reference[0], c.answer) for c in pairs] == [("x", "y"), ("z", "y")]
    decision = judged("inter-divergence", of, 0.1, 0.5)
    assert (decision.outcome, decision.score, decision.worst) == (BROKEN, 0.5, (2, 1))
    assert judged("inter-divergence", of, 0.1, 0.39).outcome is HELD
    # Two answers that are both "unknown" are equal, so they violate it.
    assert judged("inter-divergence", group("unknown", "unknown", roles="ea"), 1.0).outcome is BROKEN


def test_decisions_field_by_field() -> None:
    known = {"measure": "by-hand", "thresholds": {"equal": 0.8, "different": 0.4}}
    unlike = "answers should be the same, but differ: why"
    assert judged("equal", group("b", "c"), 0.9, 0.6) == Decision(
        outcome=BROKEN, score=0.6, reason=unlike, undecided=True, worst=(1,), **known
    )
    assert judged("equal", group("b"), 0.9).reason == "answers should be the same: why"
    assert judged("different", group("b", "c"), 0.1, 0.9) == Decision(
        outcome=BROKEN, score=0.9, reason="answers should differ, but are the same: why", worst=(1,), **known
    )
    assert judged("opposite", group("b"), 0.0) == Decision(
        outcome=BROKEN, score=0.0, reason="answers should be opposite relations, but are not: why", worst=(0,), **known
    )
    assert judged("inner-consistency", group("x", "y", roles="ee"), 0.1) == Decision(
        outcome=BROKEN, score=0.1, worst=(0, 1), violating=(0, 1), **known,
        reason="1 pair of answers should agree, but the worst differs: why",
    )  # fmt: skip
    assert judged("inner-consistency", group("x", "y", "z", roles="eee"), 1, 1, 1).reason == (
        "3 pairs of answers should agree: why"
    )
    assert judged("inter-divergence", group("x", "y", roles="ea"), 0.9) == Decision(
        outcome=BROKEN, score=0.9, worst=(0, 1), violating=(0, 1), **known,
        reason="1 pair of answers should differ, but the worst agrees: why",
    )  # fmt: skip
    assert judged("inter-divergence", group("x", "y", "z", roles="eae"), 0, 0).reason == (
        "2 pairs of answers should differ: why"
    )
    of = group("x")
    without = OUTPUT_RELATIONS["equal"].decide(of, [Similarity(score=0.9)], JUDGE)
    assert without.reason == "answers should be the same"


def test_decisions_that_need_no_measure_field_by_field() -> None:
    assert judged("stronger", group(0.3, reference=(0.8,))) == Decision(
        outcome=BROKEN, score=-0.5, measure="direction", worst=(0,),
        reason="the score should not fall by more than 0.1: 0.8 became 0.3",
    )  # fmt: skip
    assert judged("stronger", group("x", reference=(0.8,))) == Decision(
        outcome=INVALID, reason="answers are not numbers", measure="direction", worst=(0,)
    )
    assert judged("stronger", group(0.5, reference=(0.5,))).outcome is HELD
    assert judged("stronger", group(0.6, reference=(0.5,))).score == 0.1  # neutral counts as the upper side
    assert judged("stronger", group(1 / 3, reference=(0.1,))).score == -0.233333333
    assert judged("not-inverse", group("contradiction", reference=("entailment",))) == Decision(
        outcome=BROKEN, score=0.0, measure="label", worst=(0,),
        reason="entailment must not be turned into its inverse: it became contradiction",
    )  # fmt: skip
    assert judged("not-inverse", group("neutral", reference=("entailment",))).score == 1.0
    nothing = Decision(outcome=INVALID, reason="no answers to compare", measure="by-hand")
    for name in ("equal", "different", "opposite", "inner-consistency", "inter-divergence", "not-inverse"):
        assert judged(name, group(reference=())) == nothing


def test_questions_are_told_to_the_measure() -> None:
    of = group("x", "y", roles="ee")
    [comparison] = OUTPUT_RELATIONS["inner-consistency"].comparisons(of)
    assert comparison == Comparison(reference=("x",), answer="y", question="Which?")
    assert OUTPUT_RELATIONS["inter-divergence"].comparisons(of) == []
    assert [c.answer for c in OUTPUT_RELATIONS["equal"].comparisons(of)] == ["x", "y"]


@pytest.mark.parametrize(
    ("name", "roles", "score", "outcome", "violating"),
    [
        ("inner-consistency", "ee", 0.8, HELD, ()),
        ("inner-consistency", "ee", 0.79, BROKEN, (0, 1)),
        ("inter-divergence", "ea", 0.39, HELD, ()),
        ("inter-divergence", "ea", 0.4, BROKEN, (0, 1)),
    ],
)
def test_a_score_exactly_at_the_threshold_of_a_question(name, roles, score, outcome, violating) -> None:
    decision = judged(name, group("x", "y", roles=roles), score)
    assert (decision.outcome, decision.violating, decision.score) == (outcome, violating, score)


def test_all_members_of_violating_pairs_are_named_and_not_only_the_worst() -> None:
    of = group("x", "y", "z", "w", roles="eeee")  # the pairs 01, 02, 03, 12, 13, 23
    decision = judged("inner-consistency", of, 0.9, 0.7, 0.8, 0.8, 0.8, 0.1)
    assert (decision.worst, decision.violating) == ((2, 3), (0, 2, 3))
    apart = judged("inter-divergence", group("x", "y", "z", "w", roles="eaae"), 0.4, 0.3, 0.9, 0.1)  # 01, 02, 31, 32
    assert (apart.worst, apart.violating) == ((3, 1), (0, 1, 3))


def test_nothing_to_compare_is_invalid_and_never_satisfied() -> None:
    for name in OUTPUT_RELATIONS:
        assert judged(name, group(reference=())).outcome is INVALID


def test_each_relation_of_the_table_lends_its_output_relation_by_name() -> None:
    used = {RELATIONS[name].output_relation.name for name in RELATIONS}
    assert used - OUTPUT_RELATIONS.keys() == set()
    assert {"stands-by-it", "agrees-with-itself"} <= used  # which docs/relations.md names


def edited(answer: object, reference: object, context: str, changed: str, question: str = "Which?") -> Group:
    def seen(text: str, value: object) -> Observation:
        case = Case(id="c", turns=(Turn(fields={"context": text, "question": question}),))
        return Observation(case=case, turn=0, response=Response(text=str(value), value=value))

    return Group(source=seen(context, reference), members=(seen(changed, answer),), reference=(reference,))


def test_an_answer_that_copies_the_edited_text_is_the_same_answer() -> None:
    of = edited("0ctober 1973", "October 1973", "It fell in October 1973.", "It fell in 0ctober 1973.")
    (comparison,) = OUTPUT_RELATIONS["equal"].comparisons(of)
    assert comparison.reference == ("October 1973", "0ctober 1973")
    (different,) = OUTPUT_RELATIONS["different"].comparisons(of)
    assert different.reference == ("October 1973",)
    same = edited("October 1973", "October 1973", "It fell in October 1973.", "It fell in 0ctober 1973.")
    assert OUTPUT_RELATIONS["equal"].comparisons(same)[0].reference == ("October 1973",)


def test_image_wants_what_the_edit_made_of_the_answer() -> None:
    of = edited("1973", "1973", "It fell in 1973.", "It fell in 1977.")
    (comparison,) = OUTPUT_RELATIONS["image"].comparisons(of)
    assert comparison.reference == ("1977",)
    assert judged("image", of, 0.0).outcome is BROKEN
    right = edited("1977", "1973", "It fell in 1973.", "It fell in 1977.")
    assert judged("image", right, 1.0).outcome is HELD
    lenient = edited("8,000 years ago", "8,000 years ago", "8,000 years ago it rose.", "8,500 years ago it rose.")
    assert judged("image", lenient, 1.0).outcome is BROKEN
    in_words = edited("eight thousand", "8,000 years ago", "8,000 years ago it rose.", "8,500 years ago it rose.")
    assert judged("image", in_words, 1.0).outcome is HELD
    untouched = edited("1973", "Oslo", "Oslo fell in 1973.", "Oslo fell in 1977.")
    assert OUTPUT_RELATIONS["image"].comparisons(untouched) == []
    assert judged("image", untouched).outcome is INVALID


@pytest.mark.parametrize(
    ("reference", "inverse"),
    [("Yes.", "no"), ("no", "yes"), ("entailment", "contradiction"), ("contradiction", "entailment"), ("Oslo", None)],
)
def test_inverse(reference: str, inverse: str | None) -> None:
    of = group("b", reference=(reference,))
    comparisons = OUTPUT_RELATIONS["inverse"].comparisons(of)
    assert [c.reference for c in comparisons] == ([] if inverse is None else [(inverse,)])
    outcome = judged("inverse", of, *([0.0] if comparisons else [])).outcome
    assert outcome is (INVALID if inverse is None else BROKEN)
