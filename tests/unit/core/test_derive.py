"""Deriving follow-ups: the same plan gives the same follow-up, through its record and with shrinking steps."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mutatis.transformations  # noqa: F401 - fills the registry
from mutatis.core.cases import Case, Derivation, Step, Turn
from mutatis.core.errors import UsageError
from mutatis.core.transformation import KEEP_ROUNDS, RESTORE, derive, generator
from mutatis.testing import sync
from mutatis.text.spans import changes, restore_spans

TEXT = "The old bakery isn't far from Rome. It was founded in 1921!"
NAMES = ["add-spaces", "leet", "upper-case", "delete-characters", "shuffle-inside-words", "swap-characters"]
steps = st.lists(
    st.builds(Step, transformation=st.sampled_from(NAMES), turns=st.sampled_from([None, (0,), (1, 2)])),
    min_size=1,
    max_size=3,
).map(tuple)
plans = st.builds(
    Derivation,
    source=st.just("d/1"),
    steps=steps,
    variant=st.sampled_from([("question",), ("question", "context"), ()]),
    draw=st.integers(0, 3),
)


def source(turns: int = 3) -> Case:
    return Case(
        id="d/1",
        turns=tuple(Turn(fields={"question": f"{TEXT} Or {i}?", "context": TEXT * 2}) for i in range(turns)),
        material={"story": "A story."},
    )


@given(plans, st.integers(0, 3))
def test_a_plan_gives_the_same_follow_up_again_also_from_its_record(plan, seed):
    made = sync(derive(source(), plan, seed=seed))
    record = json.loads(json.dumps(plan.to_record()))
    again = sync(derive(source(), Derivation.from_record(record), seed=seed))
    assert made == again
    assert made.derivation is not None
    assert sync(derive(source(), made.derivation, seed=seed)) == made
    assert made.id == f"d/1~{made.derivation.digest()}"
    assert made.derivation.source == "d/1"
    assert made.key == source().question


@given(plans)
def test_a_case_comes_back_from_its_record(plan):
    case = sync(derive(source(), plan))
    record = json.loads(json.dumps(case.to_record()))
    assert Case.from_record(record, case.derivation) == case


@given(plans)
def test_only_the_named_fields_and_turns_change(plan):
    made = sync(derive(source(), plan))
    touched = {i for step in plan.steps for i in (range(3) if step.turns is None else step.turns)}
    fields = plan.variant or ("question", "context")
    for index, (before, after) in enumerate(zip(source().turns, made.turns, strict=True)):
        for name in before.fields:
            if name not in fields or index not in touched:
                assert after.fields[name] == before.fields[name]
    assert made.material == source().material


@given(plans, st.integers(1, 5))
def test_another_seed_or_draw_makes_other_choices_of_its_own(plan, seed):
    plan = replace(plan, steps=(Step(transformation="add-characters", parameters={"share": 0.5}),), variant=())
    first, other = sync(derive(source(), plan)), sync(derive(source(), plan, seed=seed))
    drawn = sync(derive(source(), replace(plan, draw=plan.draw + 1)))
    assert len({case.turns[0].fields["context"] for case in (first, other, drawn)}) == 3


@given(plans)
def test_restoring_every_span_gives_the_source_back(plan):
    made = sync(derive(source(1), replace(plan, steps=tuple(replace(s, turns=None) for s in plan.steps))))
    assert made.derivation is not None
    spans = {
        name: list(range(len(changes(text, made.turns[0].fields[name]))))
        for name, text in source(1).turns[0].fields.items()
    }
    restore = Step(transformation=RESTORE, parameters={"spans": spans}, turns=(0,))
    back = sync(
        derive(source(1), replace(made.derivation, steps=(*made.derivation.steps, restore)), restore=restore_spans)
    )
    assert back.same_input(source(1))


def test_restoring_one_span_leaves_the_others():
    plan = Derivation(source="d/1", steps=(Step(transformation="upper-case"),), variant=("question",))
    case = Case(id="d/1", turns=(Turn(fields={"question": "one two three"}),))
    restore = Step(transformation=RESTORE, parameters={"spans": {"question": [1]}}, turns=(0,))
    plan = replace(plan, steps=(*plan.steps, restore))
    made = sync(derive(case, plan, restore=restore_spans))
    assert made.turns[0].fields["question"] == "ONE two THREE"
    with pytest.raises(UsageError, match="pass restore=restore_spans"):
        sync(derive(case, plan))


def test_rounds_that_are_kept_know_where_they_came_from():
    plan = Derivation(
        source="d/1",
        steps=(
            Step(transformation="round-shuffle"),
            Step(transformation=KEEP_ROUNDS, parameters={"rounds": [2, 0]}),
        ),
    )
    whole = sync(derive(source(), replace(plan, steps=plan.steps[:1])))
    kept = sync(derive(source(), plan))
    assert whole.derivation is not None
    assert kept.derivation is not None
    assert sorted(whole.derivation.origin) == [0, 1, 2]
    assert kept.derivation.origin == (whole.derivation.origin[2], whole.derivation.origin[0])
    for turn, origin in enumerate(kept.derivation.origin):
        assert kept.turns[turn].fields == source().turns[origin].fields
        assert kept.origin(turn) == origin


def test_turns_that_are_not_asked_stay_unasked_wherever_they_move():
    plan = Derivation(source="d/1", steps=(Step(transformation="round-shuffle"),))
    case = replace(source(), ask_turns=(2,))
    made = sync(derive(case, plan))
    assert [made.origin(turn) for turn in made.asked] == [2]


def test_a_smaller_share_changes_a_subset():
    plan = Derivation(source="d/1", steps=(), variant=("context",))
    changed = []
    for share in (0.1, 0.4, 0.9):
        step = Step(transformation="leet", parameters={"share": share})
        text = sync(derive(source(1), replace(plan, steps=(step,)))).turns[0].fields["context"]
        changed.append({i for i, (a, b) in enumerate(zip(TEXT * 2, text, strict=True)) if a != b})
    assert changed[0] < changed[1] < changed[2]


@pytest.mark.parametrize(
    ("step", "variant", "says"),
    [
        (Step(transformation="leeet"), (), "did you mean 'leet'"),
        (Step(transformation="leet", parameters={"share": 2.0}), (), "from 0 to 1"),
        (Step(transformation="leet"), ("title",), "no field 'title'; it has: question, context"),
        (Step(transformation="paraphrase"), ("question",), "language model"),
    ],
)
def test_an_impossible_plan_is_told(step, variant, says):
    with pytest.raises(UsageError, match=says):
        sync(derive(source(), Derivation(source="d/1", steps=(step,), variant=variant)))


def test_a_generator_is_the_same_in_every_process():
    assert generator("a", 1).getrandbits(64) == generator("a", 1).getrandbits(64)
    assert generator("a", 1).random() != generator("a", 2).random()
    assert generator("ab").random() != generator("a", "b").random()
