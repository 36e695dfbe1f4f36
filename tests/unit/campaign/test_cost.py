"""The price of a source and of a follow-up against what the loop asks, under a budget and without one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from mutatis.campaign.cost import BESIDE, FOLLOW_UPS, HELPER, SOURCES, STEPS, Pricing
from mutatis.campaign.follow_up import concerned
from mutatis.core.cases import Case, Turn
from mutatis.core.search import Source
from mutatis.search import Once
from mutatis.testing import ScriptedBot, ScriptedSystem
from support.parts import dialogue, loop, pair, target


def talk(*replies: str | None) -> Case:
    turns = (Turn(fields={"question": f"turn {number}?"}, reply=reply) for number, reply in enumerate(replies))
    return dialogue(*turns)


def priced(system: Any, source: Source, **more: Any) -> tuple[list[float], list[float]]:
    """Return what the follow-ups of a source are expected to ask, and ask at most."""
    pricing = Pricing(targets=[target(system)], **more)
    costs = [pricing.follow_up(proposal, concerned(proposal)) for proposal in Once([source]).ask()]
    return [cost.expected[FOLLOW_UPS] for cost in costs], [cost.most[FOLLOW_UPS] for cost in costs]


def test_turns_with_a_recorded_reply_are_asked_again_by_those_who_keep_the_dialogue_alone():
    source = Source(case=talk("Go on.", "Go on.", None), relations=(pair(turns="each"),))
    assert priced(ScriptedSystem({}), source) == ([1, 1, 1], [1, 1, 1])
    assert priced(ScriptedBot({}), source) == ([1, 2, 3], [1, 2, 3])
    said_nothing = Source(case=talk(None, None, None), relations=(pair(turns="each"),))
    assert priced(ScriptedSystem({}), said_nothing, repeats=2) == ([2, 4, 6], [2, 4, 6])


def test_an_order_of_rounds_may_take_each_twice():
    source = Source(case=talk(None, None, None), relations=(pair(transformation="round-shuffle"),))
    assert priced(ScriptedSystem({}), source) == ([3], [3 + 3])


def test_an_edit_that_sees_the_turns_adds_as_many_as_it_declares():
    source = Source(case=talk(None, None, None), relations=(pair(transformation="unrelated-turn"),))
    assert priced(ScriptedSystem({}), source) == ([3], [3 + 1])


def test_what_no_relation_knows_the_language_of_costs_nothing():
    foreign = Source(case=replace(talk(None), language="de"), relations=(pair(languages=("en",)),))
    pricing = Pricing(targets=[target(ScriptedSystem({}))])
    [proposal] = Once([foreign]).ask()
    assert not pricing.follow_up(proposal, concerned(proposal)).most


def test_a_source_is_priced_as_often_as_it_is_asked_and_of_each_system():
    pricing = Pricing(targets=[target(ScriptedSystem({}, name)) for name in "ab"], repeats=2, draws=5)
    source = Source(case=talk(None, None), relations=(pair(),), systems=("a",))
    cost = pricing.source(source)
    assert (dict(cost.most), cost.all()) == ({SOURCES: 2 * 5}, 10)
    assert pricing.source(Source(case=talk(None), relations=()), times=1).all() == 2
    assert not {STEPS, BESIDE, HELPER} & cost.most.keys()


@pytest.mark.parametrize("max_queries", range(6, 12))
async def test_a_dialogue_is_begun_only_where_the_longest_order_of_its_rounds_fits(max_queries: int):
    # Three questions; the follow-up has six, of which the first is the source's.
    twice = pair(transformation="round-duplication")
    doubled = twice.but(transformations=[step_of(twice, ratio=1.0)])
    on = loop(ScriptedSystem({"*": "yes"}), max_queries=max_queries)
    verdicts: Counter[str] = Counter()
    on.listeners = (lambda event: verdicts.update([type(event).__name__]),)
    source = Source(case=talk(None, None, None), relations=(doubled,))
    await on.run(Once([source]), [source])
    asked = on.allowance.asked
    assert on.stopped is None, "a dialogue was left half asked"
    assert (asked, bool(verdicts["Verdict"])) == ((0, False) if max_queries < 3 + 6 else (8, True))


def step_of(relation: Any, **parameters: Any) -> Any:
    [made] = relation.transformations
    return type(made)(transformation=made.transformation, parameters=parameters)
