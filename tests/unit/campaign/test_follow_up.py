"""Making one follow-up: who judges it, what refuses it and why, and what is noted of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.campaign.follow_up import FollowUp, Maker, concerned, error, invalid
from mutatis.core.cases import Case, Turn
from mutatis.core.constraint import Constraint, Evidence, Precondition, Stage
from mutatis.core.decision import Outcome
from mutatis.core.errors import OfflineMiss, SystemFailure, UnusableFollowUp
from mutatis.core.relation import MetamorphicRelation, Observation
from mutatis.core.system import Response
from mutatis.core.transformation import TRANSFORMATIONS, transformation
from mutatis.testing import ScriptedHelper
from support.parts import dialogue, pair, proposed, review, step

CASE = dialogue("Who?", "Where?")
HELPER = ScriptedHelper("yes")
MAKER = Maker(seed=0, helper=HELPER)


def precondition(name: str, stage: Stage, holds: Any = False) -> Precondition:
    return Precondition(name=name, stage=stage, check=holds if callable(holds) else lambda evidence: holds)


def reason(follow_up: FollowUp, relation: MetamorphicRelation, turn: int = 0, system: str = "s") -> str:
    decision = follow_up.refusal(relation, system, turn)
    return "" if decision is None else decision.reason


def test_the_first_refusal_stays_and_one_of_the_whole_follow_up_goes_before_one_of_a_turn():
    first, other = pair("one"), pair("other")
    follow_up = proposed(CASE, [first, other])
    follow_up.refuse([first], error("turn"), system="s", turns=(1,))
    assert follow_up.alive == [first, other]
    assert (reason(follow_up, first, 1), reason(follow_up, first, 0), reason(follow_up, first, 1, "t")) == (
        "turn",
        "",
        "",
    )
    follow_up.refuse([first], error("first"))
    follow_up.refuse([first, other], error("second"))
    assert follow_up.alive == []
    assert (reason(follow_up, first, 1), reason(follow_up, other, 0)) == ("first", "second")


def test_a_system_is_asked_while_any_relation_says_something_of_any_asked_turn():
    first, other = pair("one"), pair("other")
    case = replace(CASE, ask_turns=(1,))
    follow_up = proposed(case, [first, other])
    follow_up.refuse([first], error("no"), system="s", turns=(1,))
    assert follow_up.concerns("s")
    follow_up.refuse([other], error("no"), system="s", turns=(1,))
    assert not follow_up.concerns("s")
    assert follow_up.concerns("t")


def test_a_proposal_concerns_the_relations_that_accept_its_steps_and_have_its_variant():
    case = Case(
        id="q/0", task="question-answering", turns=(Turn(fields={"context": "Ann is old.", "question": "Is she?"}),)
    )
    loud, spaced = pair("loud"), pair("spaced", "add-spaces")
    narrow = pair("narrow", variants={"question-answering": (("context",),)})
    relations = [loud, spaced, narrow]

    def names(*variant: str) -> list[str]:
        return [relation.name for relation in concerned(proposed(case, relations, variant=variant).proposal)]

    assert names("question") == ["loud"]
    assert names("context") == ["loud", "narrow"]
    assert names("context", "question") == ["loud"]
    assert names("answer") == []


def test_a_broken_condition_and_a_failure_are_different_outcomes():
    broken = invalid("constraint: x", "why", unchanged=True)
    assert (broken.outcome, broken.precondition, broken.reason, broken.unchanged) == (
        Outcome.INVALID, "constraint: x", "why", True,
    )  # fmt: skip
    assert not invalid("x", "y").unchanged
    failed = error(SystemFailure("down"))
    assert (failed.outcome, failed.precondition, failed.reason) == (Outcome.ERROR, None, "down")


async def test_only_preconditions_of_the_stage_are_asked_and_the_first_broken_one_is_named():
    seen: list[str] = []

    def holds(name: str, result: bool) -> Any:
        async def check(evidence: Evidence) -> bool:
            seen.append(name)
            return result

        return check

    stage = Stage.SOURCE_OUTPUT
    relation = pair(
        preconditions=(
            precondition("other", Stage.SOURCE_INPUT, holds("other", False)),
            precondition("first", stage, holds("first", True)),
            precondition("second", stage, holds("second", False)),
            precondition("third", stage, holds("third", False)),
        )
    )
    observation = Observation(case=CASE, turn=1)
    decision = await MAKER.broken(relation, stage, proposed(CASE, [relation]), observation)
    assert seen == ["first", "second"]
    assert decision == invalid("source output: second", "precondition not met on the source output: second")
    assert await MAKER.broken(relation, Stage.FOLLOW_UP_OUTPUT, proposed(CASE, [relation]), observation) is None


async def test_a_precondition_sees_the_turn_its_answer_the_variant_and_the_helper():
    seen: list[Evidence] = []
    relation = pair(preconditions=(precondition("x", Stage.SOURCE_OUTPUT, lambda e: bool(seen.append(e) or True)),))
    observation = Observation(case=CASE, turn=1, response=Response(text="Rome"))
    follow_up = proposed(CASE, [relation], variant=("question",))
    assert await MAKER.broken(relation, Stage.SOURCE_OUTPUT, follow_up, observation) is None
    [evidence] = seen
    assert (evidence.task, evidence.case, evidence.turn) == ("dialogue", CASE, CASE.turns[1])
    assert (evidence.fields, evidence.response, evidence.helper) == (("question",), observation.response, HELPER)


@pytest.mark.parametrize("fault", [SystemFailure("down"), OfflineMiss("not stored")])
async def test_a_precondition_whose_helper_fails_is_an_error(fault):
    def fail(evidence: Evidence) -> bool:
        raise fault

    relation = pair(preconditions=(precondition("x", Stage.SOURCE_INPUT, fail),))
    observation = Observation(case=CASE, turn=0)
    decision = await MAKER.broken(relation, Stage.SOURCE_INPUT, proposed(CASE, [relation]), observation)
    assert decision == error(f"precondition 'x': {fault}")


async def test_a_source_is_refused_only_where_a_precondition_on_it_holds_on_no_turn():
    def about(*words: str) -> Precondition:
        return precondition("about", Stage.SOURCE_INPUT, lambda e: e.turn.fields["question"] in words)

    first, last, none = (pair(str(words), preconditions=(about(*words),)) for words in (("Who?",), ("Where?",), ()))
    follow_up = proposed(CASE, [first, last, none])
    await MAKER.check_source(follow_up)
    assert follow_up.alive == [first, last]
    assert follow_up.refusal(none, "s", 0).precondition == "source input: about"


@pytest.fixture
def registry() -> Iterator[None]:
    before = set(TRANSFORMATIONS)
    yield
    for name in set(TRANSFORMATIONS) - before:
        TRANSFORMATIONS.remove(name)


async def test_the_case_is_derived_and_kept():
    follow_up = proposed(CASE, [pair()], variant=("question",))
    await MAKER.make(follow_up)
    assert [turn.fields["question"] for turn in follow_up.case.turns] == ["WHO?", "WHERE?"]
    assert follow_up.alive == [pair()] == list(follow_up.relations)


async def test_the_seed_decides_what_is_drawn():
    text = "many words that may be spelt in another way"
    made = []
    for seed in (1, 1, 2):
        follow_up = proposed(review(text), [pair()], step("add-spaces", share=0.5))
        await Maker(seed=seed, helper=None).make(follow_up)
        made.append(follow_up.case.turns[0].fields["text"])
    assert made[0] == made[1] != made[2]
    assert {text_.replace(" ", "") for text_ in made} == {text.replace(" ", "")}


@pytest.mark.parametrize(
    ("fault", "outcome", "named"),
    [
        (UnusableFollowUp("nothing to change"), Outcome.INVALID, "follow-up input: usable"),
        (SystemFailure("nothing to change"), Outcome.ERROR, None),
        (OfflineMiss("nothing to change"), Outcome.ERROR, None),
    ],
)
async def test_what_cannot_be_made_is_refused_for_all_relations(registry, fault, outcome, named):
    @transformation("impossible")
    def impossible(text: str) -> str:
        """Fail."""
        raise fault

    first, other = pair("one"), pair("other")
    follow_up = proposed(review("x"), [first, other], step("impossible"))
    await MAKER.make(follow_up)
    assert follow_up.case is None
    for relation in (first, other):
        decision = follow_up.refusal(relation, "s", 0)
        assert (decision.outcome, decision.precondition, decision.reason) == (outcome, named, "nothing to change")


async def test_a_follow_up_that_equals_its_source_is_refused_where_the_relation_does_not_keep_it():
    strict, lenient = pair("strict"), pair("lenient", unchanged="keep")
    follow_up = proposed(review("LOUD"), [strict, lenient])
    await MAKER.make(follow_up)
    assert follow_up.alive == [lenient]
    assert follow_up.refusal(strict, "s", 0) == invalid(
        "follow-up input: changed", "the follow-up equals its source", unchanged=True
    )


async def test_a_broken_constraint_refuses_its_relation_alone_and_sees_both_cases():
    seen: list[tuple[Case, Case]] = []
    never = Constraint(name="never", check=lambda before, after: bool(seen.append((before, after))))
    bound, free = pair("bound", constraints=(never,)), pair("free")
    follow_up = proposed(CASE, [bound, free], variant=("question",))
    await MAKER.make(follow_up)
    assert follow_up.alive == [free]
    assert follow_up.refusal(bound, "s", 1) == invalid("constraint: never", "constraint not met: never")
    assert seen == [(CASE, follow_up.case)]


async def test_a_precondition_on_the_follow_ups_input_must_hold_on_every_asked_turn():
    quiet = precondition("quiet", Stage.FOLLOW_UP_INPUT, lambda e: e.turn.fields["question"] != "WHERE?")
    careful, free = pair("careful", preconditions=(quiet,)), pair("free")
    other = pair("other", preconditions=(quiet,))
    follow_up = proposed(CASE, [careful, other, free], variant=("question",))
    await MAKER.make(follow_up)
    assert follow_up.alive == [free]
    assert follow_up.refusal(careful, "s", 0).precondition == "follow-up input: quiet"
    first_only = proposed(replace(CASE, ask_turns=(0,)), [careful], variant=("question",))
    await MAKER.make(first_only)
    assert first_only.alive == [careful]


class Notes:
    """An annotator that notes its name at every turn, and whom it was asked about."""

    def __init__(self, name: str, fault: Exception | None = None) -> None:
        self.name, self.fault, self.calls = name, fault, []

    async def annotate(self, source: Case, follow_up: Case, helper: Any) -> Sequence[Mapping[str, Any]]:
        self.calls.append((source.id, follow_up.id, helper))
        if self.fault:
            raise self.fault
        return [{self.name: number} for number, _ in enumerate(follow_up.turns)]


async def test_annotators_are_asked_once_each_and_only_for_relations_that_are_left():
    shared, unshared, unused = Notes("shared"), Notes("own"), Notes("unused")
    never = Constraint(name="never", check=lambda *_: False)
    relations = [
        pair("a", annotator=shared),
        pair("b", annotator=shared),
        pair("c", annotator=unshared),
        pair("d", annotator=unused, constraints=(never,)),
        pair("e"),
    ]
    follow_up = proposed(CASE, relations, variant=("question",))
    await MAKER.make(follow_up)
    assert [turn.annotations for turn in follow_up.case.turns] == [{"shared": 0, "own": 0}, {"shared": 1, "own": 1}]
    assert shared.calls == unshared.calls == [("d/0", follow_up.case.id, HELPER)]
    assert unused.calls == []


@pytest.mark.parametrize("fault", [SystemFailure("down"), OfflineMiss("not stored")])
async def test_an_annotator_that_fails_makes_errors_of_its_relations_alone(fault):
    failing, fine = Notes("failing", fault), Notes("fine")
    first, two, three = pair("one", annotator=failing), pair("two", annotator=failing), pair("three", annotator=fine)
    follow_up = proposed(CASE, [first, two, three], variant=("question",))
    await MAKER.make(follow_up)
    assert follow_up.alive == [three]
    assert follow_up.refusal(first, "s", 0) == follow_up.refusal(two, "s", 0) == error(f"failing: {fault}")
    assert follow_up.case.turns[1].annotations == {"fine": 1}
