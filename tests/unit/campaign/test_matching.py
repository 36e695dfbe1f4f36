"""Which observations are judged together, in which role, by which relation; what a refusal leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.campaign.follow_up import Answers, FollowUp, Maker, error, invalid
from mutatis.campaign.matching import Questions, pairs, refusals
from mutatis.core.cases import Case
from mutatis.core.constraint import Evidence, Precondition, Stage
from mutatis.core.decision import Outcome
from mutatis.core.relation import MetamorphicRelation
from support.parts import dialogue, observed, pair, proposed, question, reordered, step

CASE = dialogue("Who?", "Where?", "When?")
MAKER = Maker(seed=0, helper=None)


def answered(
    *relations: MetamorphicRelation, origin: tuple[int, ...] = (2, 0), said: tuple[str | None, ...] = ("late", "Ann")
) -> tuple[FollowUp, Answers]:
    """A follow-up that asks the source's turns `origin`, answered by one system."""
    case = reordered(CASE, *origin)
    follow_up = proposed(CASE, relations, step("round-shuffle"), case=case)
    answers = Answers(system="s", source=observed(CASE, "Ann", "Rome", "late"), follow_up=observed(case, *said))
    follow_up.answers.append(answers)
    return follow_up, answers


async def test_a_follow_up_turn_is_judged_with_the_source_turn_that_it_came_from():
    verdicts = await pairs(*answered(pair()), MAKER)
    assert [(v.turn, v.group.source.turn, v.group.members[0].turn) for v in verdicts] == [(2, 2, 0), (0, 0, 1)]
    assert [v.group.reference for v in verdicts] == [("late",), ("Ann",)]
    assert [v.group.members[0].answer for v in verdicts] == ["late", "Ann"]
    assert all(v.decision is None and v.system == "s" and v.source is CASE and v.repeat == 0 for v in verdicts)
    assert all(v.steps == ("round-shuffle",) and v.derivation.source == "d/0" for v in verdicts)


async def test_a_verdict_carries_the_variant_the_repeat_and_whether_the_system_read_the_same():
    follow_up, answers = answered(pair())
    derivation = replace(follow_up.proposal.derivation, variant=("question",))
    follow_up.proposal = replace(follow_up.proposal, derivation=derivation)
    verdicts = await pairs(follow_up, replace(answers, repeat=2, vacuous=frozenset({1})), MAKER)
    assert [(v.variant, v.repeat, v.vacuous) for v in verdicts] == [(("question",), 2, False), (("question",), 2, True)]


async def test_only_turns_in_a_role_of_the_relation_are_judged():
    when = pair(when=lambda turn: "asked-who" if turn.fields["question"] == "Who?" else None)
    [verdict] = await pairs(*answered(when), MAKER)
    assert (verdict.turn, verdict.group.members[0].role) == (0, "asked-who")


async def test_question_relations_make_no_pairs():
    assert await pairs(*answered(question()), MAKER) == []


async def test_a_refused_turn_is_told_and_the_others_are_judged():
    follow_up, answers = answered(pair())
    follow_up.refuse([pair()], invalid("source output: x", "no"), system="s", turns=(2,))
    follow_up.refuse([pair()], error("another system's"), system="t", turns=(0,))
    first, second = await pairs(follow_up, answers, MAKER)
    assert (first.turn, first.outcome, first.group) == (2, Outcome.INVALID, None)
    assert (second.turn, second.decision) == (0, None)


async def test_a_precondition_on_the_follow_ups_answer_makes_it_invalid_and_keeps_its_group():
    short = Precondition(
        name="short", stage=Stage.FOLLOW_UP_OUTPUT, check=lambda evidence: len(evidence.response.text) < 4
    )
    first, second = await pairs(*answered(pair(preconditions=(short,))), MAKER)
    assert (first.outcome, first.decided.precondition) == (Outcome.INVALID, "follow-up output: short")
    assert first.group.members[0].answer == "late"
    assert second.decision is None


async def test_where_nobody_answered_no_precondition_is_asked():
    def never(evidence: Evidence) -> bool:
        raise AssertionError(f"asked about {evidence.response}")

    asking = pair(preconditions=(Precondition(name="never", stage=Stage.FOLLOW_UP_OUTPUT, check=never),))
    follow_up, answers = answered(asking, said=(None, None))
    first, second = await pairs(follow_up, answers, MAKER)
    assert {first.outcome, second.outcome} == {Outcome.ERROR}
    assert first.decided.reason == "follow-up: down"


def test_a_relation_that_refused_the_follow_up_has_a_verdict_per_asked_source_turn():
    case = replace(CASE, ask_turns=(0, 2))
    refusing, other = pair("refusing"), pair("other")
    follow_up = proposed(case, [refusing, other], step("round-shuffle"))
    follow_up.refuse([refusing], invalid("constraint: x", "no"))
    refused = refusals(follow_up, "s", asked=True)
    assert [(v.relation.name, v.system, v.turn, v.outcome) for v in refused] == [
        ("refusing", "s", 0, Outcome.INVALID),
        ("refusing", "s", 2, Outcome.INVALID),
    ]
    assert {v.group for v in refused} == {None}


def test_refused_turns_are_told_here_only_where_the_system_was_not_asked():
    follow_up = proposed(CASE, [pair()])
    follow_up.refuse([pair()], error("down"), system="s", turns=(1,))
    assert refusals(follow_up, "s", asked=True) == []
    [told] = refusals(follow_up, "s", asked=False)
    assert (told.turn, told.outcome, told.decided.reason) == (1, Outcome.ERROR, "down")
    assert refusals(follow_up, "t", asked=False) == []


def test_a_question_relation_that_refused_has_no_verdict_of_its_own():
    follow_up = proposed(CASE, [question()])
    follow_up.refuse([question()], invalid("constraint: x", "no"))
    assert refusals(follow_up, "s", asked=True) == []
    assert refusals(follow_up, "s", asked=False) == []


def version(
    mark: str, origin: tuple[int, ...], said: tuple[str | None, ...], *relations: MetamorphicRelation, case: Case = CASE
) -> FollowUp:
    made = reordered(case, *origin, mark=mark, steps=(step(f"step-{mark}"),))
    follow_up = proposed(case, relations or (question(),), case=made)
    source = observed(case, "Ann", "Rome", "late")
    follow_up.answers.append(Answers(system="s", source=source, follow_up=observed(made, *said)))
    return follow_up


def test_all_versions_of_a_question_are_one_group_with_the_source_of_their_own_turn():
    questions = Questions()
    questions.add(version("b", (2, 0), ("late", "Ann")))
    questions.add(version("a", (0, 2), ("Eve", "soon")))
    by_turn = {v.turn: v for v in questions.close(("dialogue", "d/0"))}
    assert set(by_turn) == {0, 2}
    assert by_turn[2].group.source.turn == 2
    assert by_turn[2].group.source.answer == "late"
    assert [m.answer for m in by_turn[2].group.members] == ["late", "soon"]
    assert by_turn[0].group.source.turn == 0
    assert [(m.answer, m.turn) for m in by_turn[0].group.members] == [("Ann", 1), ("Eve", 0)]
    assert {m.role for m in by_turn[0].group.members} == {"equivalent"}
    assert (by_turn[0].steps, by_turn[0].source, by_turn[0].variant) == (("step-a", "step-b"), CASE, ())
    assert by_turn[0].decision is None


def test_a_closed_source_is_forgotten_and_others_stay_open():
    other = dialogue("Who?", "Where?", "When?", name="d/1")
    same_id = replace(CASE, task="question-answering")
    questions = Questions()
    for case in (CASE, other, same_id):
        for mark in "ab":
            questions.add(version(mark, (1,), ("Rome",), case=case))
    assert [(v.source.task, v.source.id) for v in questions.close(("dialogue", "d/1"))] == [("dialogue", "d/1")]
    assert questions.close(("dialogue", "d/1")) == []
    rest = [(v.source.task, v.source.id) for v in questions.close()]
    assert rest == [("dialogue", "d/0"), ("question-answering", "d/0")]
    assert questions.close() == []


def test_systems_repeats_and_relations_have_groups_of_their_own():
    questions = Questions()
    for mark in "ab":
        follow_up = version(mark, (1,), ("Rome",), question("one"), question("two"))
        [answers] = follow_up.answers
        follow_up.answers += [replace(answers, system="t"), replace(answers, repeat=1)]
        questions.add(follow_up)
    groups = [(v.relation.name, v.system, v.repeat, len(v.group.members)) for v in questions.close(("dialogue", "d/0"))]
    assert sorted(groups) == sorted((r, s, n, 2) for r in ("one", "two") for s, n in (("s", 0), ("t", 0), ("s", 1)))


def test_one_version_is_no_group_and_a_version_in_no_role_does_not_count():
    questions = Questions()
    only = question(when=lambda turn: "equivalent" if turn.fields["question"] == "Who?a" else None)
    for mark in "ab":
        questions.add(version(mark, (0,), ("Ann",), only))
    assert questions.close(("dialogue", "d/0")) == []


def test_the_roles_of_all_versions_say_whose_group_it_is():
    unlike = question(suits=lambda roles: len(roles) != 2)
    questions = Questions()
    for mark in "ab":
        questions.add(version(mark, (0,), ("Ann",), unlike))
    assert questions.close(("dialogue", "d/0")) == []
    for mark in "abc":
        questions.add(version(mark, (0,), ("Ann",), unlike))
    assert len(questions.close(("dialogue", "d/0"))) == 1


def test_a_group_is_judged_on_the_versions_that_were_answered_while_they_are_enough():
    questions = Questions()
    for mark, said in (("a", "Ann"), ("b", None), ("c", "Eve")):
        questions.add(version(mark, (0,), (said,)))
    [verdict] = questions.close(("dialogue", "d/0"))
    assert [m.answer for m in verdict.group.members] == ["Ann", "Eve"]
    assert verdict.steps == ("step-a", "step-b", "step-c")
    assert verdict.decision is None


def test_too_few_answered_versions_are_an_error_that_names_the_first_reason():
    questions = Questions()
    for mark, said in (("a", "Ann"), ("b", None)):
        questions.add(version(mark, (0,), (said,)))
    [verdict] = questions.close(("dialogue", "d/0"))
    assert verdict.outcome is Outcome.ERROR
    assert verdict.decided.reason == "too few versions were answered: down"
    assert len(verdict.group.members) == 2


@pytest.mark.parametrize("needs", [{}, {"equivalent": 0}])
def test_versions_that_all_failed_are_an_error_even_if_the_relation_needs_none(needs):
    questions = Questions()
    for mark in "ab":
        questions.add(version(mark, (0,), (None,), question(needs=needs)))
    [verdict] = questions.close(("dialogue", "d/0"))
    assert verdict.decided.outcome is Outcome.ERROR
    assert verdict.decided.reason == "too few versions were answered: down"
    assert len(verdict.group.members) == 2


def test_a_refused_version_and_one_of_pair_relations_are_not_kept():
    questions = Questions()
    refused = version("a", (0,), ("Ann",))
    refused.refuse([question()], invalid("constraint: x", "no"))
    unasked = version("b", (0,), ("Ann",))
    unasked.answers.clear()
    for follow_up in (refused, unasked, version("c", (0,), ("Ann",), pair()), version("d", (0,), ("Ann",))):
        questions.add(follow_up)
    assert questions.close(("dialogue", "d/0")) == []
    questions.add(version("e", (0,), ("Ann",), pair(), question()))
    questions.add(version("f", (0,), ("Ann",)))
    [verdict] = questions.close(("dialogue", "d/0"))
    assert (verdict.relation.name, len(verdict.group.members)) == ("question", 2)
