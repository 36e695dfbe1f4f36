"""Judges are asked once for many groups, each with its own thresholds; failures of a judge are errors."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field, replace

import pytest

import mutatis.tasks  # noqa: F401 - fills the registry
from mutatis.campaign.judging import Judges, grouped, judge_again, judge_all
from mutatis.core.cases import Case, Turn
from mutatis.core.decision import Decision, Outcome
from mutatis.core.errors import BudgetExceeded, OfflineMiss, SystemFailure, UsageError
from mutatis.core.measure import Comparison, Judge, Repertoire, ReplyBlock, Similarity
from mutatis.core.relation import RELATIONS, Observation
from mutatis.core.system import Response
from mutatis.core.verdict import Verdict
from mutatis.loops import AT_ONCE
from mutatis.relations import relation  # noqa: F401 - fills the registry
from mutatis.relations.output import Equal

CASE = Case(id="a/0", task="question-answering", turns=(Turn(fields={"text": "x"}, expected=("gold",)),))


@dataclass
class Halfway:
    """Says 0.6 of everything, and counts how often it is asked."""

    name: str = "halfway"
    calls: list[int] = field(default_factory=list)
    fault: Exception | None = None

    def compare(self, comparisons: list[Comparison]) -> list[Similarity]:
        self.calls.append(len(comparisons))
        if self.fault:
            raise self.fault
        return [Similarity(score=0.6) for _ in comparisons]


def pending(name: str = "upper-case", **changes: object) -> Verdict:
    observation = Observation(case=CASE, turn=0, response=Response(text="a"))
    chosen = RELATIONS["upper-case"].but(name=name, **changes)
    return grouped(Verdict(system="s", relation=chosen, source=CASE, turn=0), observation, [observation])


async def test_a_judge_is_asked_once_for_all_its_groups():
    measure = Halfway()
    verdicts = await judge_all(
        [pending() for _ in range(7)], Judges(by_kind={"text": Judge(measure=measure)}, by_measure={})
    )
    assert measure.calls == [7]
    assert [v.outcome for v in verdicts] == [Outcome.SATISFIED] * 7


async def test_a_judge_of_all_replies_gets_the_earlier_answer_to_each_question_that_was_asked_again():
    class Block:
        number = 0

        def of(self, verdict: Verdict) -> Repertoire:
            return Repertoire(block=ReplyBlock(questions=()), place=0)

    class Noting(Halfway):
        def compare(self, comparisons: list[Comparison]) -> list[Similarity]:
            noted.extend(comparison.repertoire.asked_again for comparison in comparisons if comparison.repertoire)
            return super().compare(comparisons)

    noted: list[object] = []
    judge = Judge(measure=Noting(), verbatim=True, together=True)
    bench = Judges(by_kind={"text": judge}, by_measure={}, repertoires=Block())
    source = Observation(case=CASE, turn=0, response=Response(text="yes"))
    loud = Observation(case=replace(CASE, id="a/0~"), turn=0, response=Response(text="no"))
    other = replace(loud, case=replace(CASE, id="a/0~smaller"), response=Response(text="smaller"))
    verdict = grouped(replace(pending(), group=None), source, [loud])
    again = replace(loud, response=Response(text="no, sorry"))
    for answers in ([source, again], [replace(source, response=Response(text="sure")), loud], [source, other]):
        await judge_again(verdict, answers[0], answers[1:], bench)
    assert noted == [{"no, sorry": "no"}, {"sure": "yes"}, {}]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_two_judges_with_one_measure_keep_their_own_thresholds(order):
    strict, lenient = Judge(measure=Halfway(), equal=0.9), Judge(measure=Halfway(), equal=0.1)
    bench = Judges(by_kind={"text": strict}, by_measure={"halfway": lenient})
    items = [pending("by-kind"), pending("by-measure", output_relation=Equal(measure="halfway"))]
    verdicts = await judge_all([items[i] for i in order], bench)
    outcomes = {v.relation.name: v.outcome for v in verdicts}
    assert outcomes == {"by-kind": Outcome.VIOLATED, "by-measure": Outcome.SATISFIED}


@pytest.mark.parametrize("fault", [SystemFailure("helper down"), OfflineMiss("not stored"), BudgetExceeded("spent")])
async def test_a_judge_that_fails_makes_errors_that_name_it(fault):
    bench = Judges(by_kind={"text": Judge(measure=Halfway(fault=fault))}, by_measure={})
    [verdict] = await judge_all([pending()], bench)
    assert verdict.outcome is Outcome.ERROR
    assert verdict.decided.reason == f"halfway: {fault}"


async def test_what_is_judged_already_is_not_measured():
    measure = Halfway()
    known = replace(pending(), decision=Decision(outcome=Outcome.INVALID))
    bench = Judges(by_kind={"text": Judge(measure=measure)}, by_measure={})
    assert [v.outcome for v in await judge_all([known, pending()], bench)] == [Outcome.INVALID, Outcome.SATISFIED]
    assert measure.calls == [1]


def test_the_reference_is_the_annotation_where_the_relation_wants_it():
    source = Observation(case=CASE, turn=0, response=Response(text="said", value="Said"))
    wanting = replace(pending(reference="annotated"), group=None)
    annotated = grouped(wanting, source, []).group
    assert (annotated.reference, annotated.directed) == (("gold",), True)
    group = grouped(pending(), source, []).group
    assert (group.reference, group.directed) == (("Said",), False)
    plain = replace(source, case=replace(CASE, turns=(Turn(fields={}),)))
    fallback = grouped(wanting, plain, []).group
    assert (fallback.reference, fallback.directed) == (("Said",), False)


def test_a_measure_that_the_run_does_not_have_is_told():
    asking = RELATIONS["upper-case"].but(output_relation=Equal(measure="opposite"))
    with pytest.raises(UsageError) as caught:
        Judges(by_kind={}, by_measure={}).of(asking, "sentiment")
    assert str(caught.value) == (
        "relation 'upper-case' is judged by the measure 'opposite', which this run does not have; add the relation "
        "to the run"
    )


FAILED = Observation(case=CASE, turn=0, error="down")
FINE = Observation(case=CASE, turn=0, response=Response(text="a"))


@pytest.mark.parametrize(
    ("reference", "grouping", "source", "member", "reason"),
    [
        ("annotated", "pair", FAILED, FINE, None),  # it is compared with the annotation: nobody asks the source
        ("source", "pair", FAILED, FINE, "source: down"),
        ("annotated", "pair", FINE, FAILED, "follow-up: down"),
        ("annotated", "pair", FAILED, FAILED, "follow-up: down"),
        ("source", "question", FAILED, FINE, None),  # versions are compared with each other
        ("source", "question", FINE, FAILED, "follow-up: down"),
        ("source", "pair", FINE, FINE, None),
    ],
)
def test_a_group_is_an_error_where_an_answer_that_it_is_judged_by_failed(reference, grouping, source, member, reason):
    chosen = RELATIONS["upper-case"].but(reference=reference, grouping=grouping)
    failed = grouped(Verdict(system="s", relation=chosen, source=CASE, turn=0), source, [member])
    assert (failed.decision and failed.decision.reason) == reason


def test_without_annotated_answers_a_relation_that_wants_them_goes_by_the_source():
    plain = replace(CASE, turns=(replace(CASE.turns[0], expected=()),))
    chosen = replace(RELATIONS["upper-case"], reference="annotated")
    failed = grouped(Verdict(system="s", relation=chosen, source=plain, turn=0), replace(FAILED, case=plain), [FINE])
    assert failed.decision is not None
    assert failed.decision.reason == "source: down"


@dataclass
class Quick(Halfway):
    """Remembers the threads that it was asked in."""

    threads: list[threading.Thread] = field(default_factory=list)

    def compare(self, comparisons: list[Comparison]) -> list[Similarity]:
        self.threads.append(threading.current_thread())
        return super().compare(comparisons)


async def test_pairs_are_compared_in_a_thread():
    measure = Quick()
    judges = Judges(by_kind={"text": Judge(measure=measure)}, by_measure={})
    verdicts = await judge_all([pending() for _ in range(3)], judges)
    assert [v.outcome for v in verdicts] == [Outcome.SATISFIED] * 3
    [thread] = measure.threads
    assert thread is not threading.main_thread()


async def test_others_get_their_turn_while_many_groups_are_judged():
    turns = 0

    async def asks() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    asking = asyncio.create_task(asks())
    judges = Judges(by_kind={"text": Judge(measure=Halfway())}, by_measure={})
    verdicts = await judge_all([pending() for _ in range(20 * AT_ONCE)], judges)
    asking.cancel()
    assert len(verdicts) == 20 * AT_ONCE
    assert turns >= 2 * 19  # while comparing is prepared, and while it is decided
