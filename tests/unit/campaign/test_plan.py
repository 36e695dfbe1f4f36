"""What a run would ask, counted by hand before anything is paid."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mutatis.campaign.judging import Judges
from mutatis.campaign.plan import Estimate, estimate
from mutatis.campaign.session import Campaign
from mutatis.campaign.trajectory import ToolAnswers
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.constraint import Constraint
from mutatis.core.measure import Judge
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Proposal, Source
from mutatis.core.task import TASKS
from mutatis.core.transformation import derive
from mutatis.measures.helper import HelperMeasure
from mutatis.query import QueryLayer, Store
from mutatis.query.spending import Prices
from mutatis.search import Once
from mutatis.testing import ScriptedBot, ScriptedHelper, ScriptedSystem
from support.parts import Target, dialogue, pair, review, step, target

LOUD, SPACED = pair("loud"), pair("spaced", "add-spaces")
TALK = dialogue("who", "where")


async def estimated(system: Any, sources: list[Source], **more: Any) -> Estimate:
    with Store(None) as store:
        return await estimate(campaign_of(system, sources, **more), store)


def campaign_of(system: Any, sources: list[Source], **more: Any) -> Campaign:
    targets = system if isinstance(system, list) else [target(system)]
    return Campaign(
        targets=targets,
        sources=sources,
        no_change=RELATIONS["no-change"],
        **{"search": Once(sources), "judges": Judges(by_kind={}, by_measure={}), **more},
    )


async def test_sources_and_follow_ups_are_counted_once():
    texts = ["one film", "two films", "LOUD", "one film"]  # the last is the first again; the third has no follow-up
    sources = [Source(case=review(text, n), relations=(LOUD,)) for n, text in enumerate(texts)]
    result = await estimated(ScriptedSystem({}), sources)
    assert (result.sources, result.follow_ups, result.proposals, result.helper) == (3, 2, 4, 0)
    assert (result.exact, result.learns, result.stored) == (True, False, 0)


async def test_repeats_multiply_and_the_noise_floors_index_is_asked_once():
    sources = [Source(case=review("one film"), relations=(LOUD, RELATIONS["no-change"]))]
    result = await estimated(ScriptedSystem({}), sources, repeats=3)
    assert (result.sources, result.follow_ups, result.proposals) == (3, 3 + 1, 2)


async def test_each_system_is_asked_the_sources_that_are_for_it():
    sources = [
        Source(case=review("one film", 1), relations=(LOUD,), systems=("a",)),
        Source(case=review("two films", 2), relations=(LOUD,)),
    ]
    result = await estimated([target(ScriptedSystem({}, name)) for name in "ab"], sources)
    assert (result.sources, result.follow_ups) == (3, 3)


async def test_tokens_are_a_quarter_of_the_characters_of_all_prompts():
    sources = [Source(case=review("one film"), relations=(LOUD,))]
    scripted = target(ScriptedSystem({}))
    [asked] = [scripted.tasks["sentiment"].converse(sources[0].case, 0, [])]
    length = sum(len(message.content) for message in asked.messages)
    assert (await estimated([scripted], sources)).tokens == 2 * (length // 4)


async def test_what_a_condition_may_refuse_makes_the_figures_an_upper_bound():
    never = Constraint(name="never", check=lambda *_: False)
    sources = [Source(case=review("one film"), relations=(pair(constraints=(never,)),))]
    result = await estimated(ScriptedSystem({}), sources)
    assert (result.exact, result.follow_ups) == (False, 1)


async def test_follow_ups_of_a_language_model_are_not_made_but_counted():
    made = pair("made", "paraphrase")
    sources = [Source(case=TALK, relations=(made, LOUD))]
    result = await estimated([target(ScriptedSystem({}, name)) for name in "ab"], sources, repeats=2)
    # Two turns, two systems, two repeats: sources, what the model makes, and what is written in upper case.
    assert (result.sources, result.follow_ups, result.helper, result.exact) == (8, 8 + 8, 1, False)


async def test_later_turns_of_a_dialogue_count_as_new_ones():
    twice = [Source(case=dialogue("who", "where", name=f"d/{n}"), relations=(LOUD,)) for n in (0, 1)]
    result = await estimated(ScriptedSystem({}), twice)
    # The first turns are equal; what was answered before the second ones is not known.
    assert (result.sources, result.follow_ups, result.exact) == (1 + 2, 1 + 2, False)


async def test_a_dialogue_that_a_bot_keeps_is_one_question_with_all_its_turns():
    twice = [Source(case=dialogue("who", "where", name=f"d/{n}"), relations=(LOUD,)) for n in (0, 1)]
    result = await estimated(ScriptedBot({}), twice)
    assert (result.sources, result.follow_ups) == (2, 2)


async def test_what_is_stored_is_counted_under_the_same_key():
    bot = ScriptedSystem({"*": "0.5"})
    sources = [Source(case=review("one film"), relations=(LOUD,))]
    with Store(None) as store:
        layer = QueryLayer(bot, store)
        scripted = Target(label="scripted", layer=layer, tasks=target(bot).tasks)
        await layer.ask(scripted.tasks["sentiment"].converse(sources[0].case, 0, []))
        result = await estimate(campaign_of([scripted], sources), store)
    assert (result.sources, result.follow_ups, result.stored) == (1, 1, 1)


class Learning:
    """Would go on for ever."""

    learns = True

    def __init__(self, source: Source) -> None:
        self.asked, self.source = 0, source

    def ask(self) -> list[Proposal]:
        self.asked += 1
        derivation = Derivation(source=self.source.case.id, steps=(step("upper-case"),), variant=("text",))
        return [Proposal(source=self.source, derivation=derivation)]


async def test_of_a_search_that_learns_only_the_first_batch_is_counted():
    source = Source(case=review("one film"), relations=(LOUD,))
    search = Learning(source)
    result = await estimated(ScriptedSystem({}), [source], search=search)
    assert (search.asked, result.learns, result.follow_ups) == (1, True, 1)


FIGURES = {"sources": 10, "follow_ups": 20, "helper": 5, "stored": 7, "tokens": 1234}
NO_PRICES = "money                 unknown; set prices = {prompt = ..., completion = ...} in [system]"


def test_the_lines_say_what_is_to_be_paid():
    assert Estimate(**FIGURES, most=28).lines() == [
        "source questions      10",
        "follow-up questions   20",
        "helper questions      5",
        "already stored        7",
        "to be paid            28",
        "prompt tokens         about 1234",
        NO_PRICES,
    ]


def test_the_lines_say_what_is_expected_and_what_is_the_most():
    later = {"noise floor": (10, 10), "confirm": (4, 40), "shrink": (0, 0), "judge's questions": (2, 12)}
    bound = Estimate(**FIGURES, exact=False, later=later, most=90, judge="one per pair", money={"EUR": (1.234, 5.6)})
    assert bound.lines() == [
        "source questions      10",
        "follow-up questions   at most 20",
        "helper questions      at most 5",
        "noise floor           10",
        "confirm               about 4, at most 40",
        "judge's questions     about 2, at most 12 (one per pair)",
        "already stored        7",
        "to be paid            about 44, at most 90",
        "prompt tokens         at most about 1234",
        "money                 about 1.23 EUR, at most about 5.60, answers of 100 tokens and at most 1000 where"
        " max_tokens does not say",
    ]


def test_of_a_search_that_learns_the_lines_say_what_is_not_known():
    lines = Estimate(**FIGURES, learns=True).lines()
    assert lines[0] == "this is the first batch: the search decides the rest by what it learns"
    assert "to be paid            about 28, of the first batch; at most: nobody knows without max_queries" in lines
    budget = Estimate(**FIGURES, learns=True, most=500, dealt={"search": 400, "shrink": 100}).lines()
    assert "to be paid            about 28, of the first batch, at most 500" in budget
    assert budget[-1] == "max_queries           500, stored answers included: search 400, shrink 100 ([reserve])"


def test_what_is_counted_on_some_sources_is_about():
    lines = Estimate(**FIGURES, counted=(50, 300_000), most=99).lines()
    assert lines[:3] == [
        "counted on            50 of 300000 sources",
        "source questions      about 10",
        "follow-up questions   about 20",
    ]


async def test_a_judge_that_asks_a_helper_is_told():
    helper = ScriptedHelper('{"same": true, "reason": ""}')
    judges = Judges(by_kind={"text": Judge(measure=HelperMeasure(helper))}, by_measure={})
    sources = [Source(case=dialogue("who"), relations=(LOUD,))]
    result = await estimated(ScriptedSystem({}), sources, judges=judges, confirm=0, noise_floor=0, shrink=0)
    # One follow-up, one verdict: two pairs at most (the reference, and its image), each asked up to three times.
    assert "judge's questions     about 1, at most 6 (one per pair of answers)" in result.lines()
    assert result.most == 1 + 1 + 6
    assert helper.prompts == []


async def test_money_is_told_per_currency():
    sources = [Source(case=review("one film"), relations=(LOUD,))]
    scripted = target(ScriptedSystem({}))
    scripted.layer.prices = Prices(prompt=4.0, completion=8.0, currency="EUR")
    result = await estimated([scripted], sources, confirm=0, noise_floor=0, shrink=0)
    about, most = result.money["EUR"]
    # Two questions; 4 of a million for each token of a prompt, and 100 tokens, at most 1,000, of each answer.
    assert about == pytest.approx((result.tokens * 4 + 2 * 100 * 8) / 1e6)
    assert most == pytest.approx(2 * (result.tokens / 2 * 4 + 1000 * 8) / 1e6)


async def test_every_proposal_of_a_language_model_is_a_helpers_question():
    sources = [Source(case=review(text, n), relations=(pair("made", "paraphrase"),)) for n, text in enumerate("abc")]
    result = await estimated(ScriptedSystem({}), sources)
    assert (result.helper, result.follow_ups, result.proposals, result.exact) == (3, 3, 3, False)


async def test_the_follow_ups_that_are_counted_are_those_of_the_runs_seed():
    source = Source(case=review("many words that may be spelt in another way"), relations=(SPACED,))
    [proposal] = Once([source]).ask()
    made = await derive(source.case, proposal.derivation, seed=5)
    bot = ScriptedSystem({"*": "0.5"})
    with Store(None) as store:
        layer = QueryLayer(bot, store)
        scripted = Target(label="scripted", layer=layer, tasks=target(bot).tasks)
        await layer.ask(scripted.tasks["sentiment"].converse(made, 0, []))
        stored = [(await estimate(campaign_of([scripted], [source], seed=seed), store)).stored for seed in (5, 6)]
    assert stored == [1, 0]


async def test_of_a_large_run_some_follow_ups_are_made(monkeypatch: pytest.MonkeyPatch):
    made = []

    async def counted(*arguments: Any, **more: Any) -> Any:
        made.append(arguments)
        return await derive(*arguments, **more)

    monkeypatch.setattr("mutatis.campaign.plan.derive", counted)
    monkeypatch.setattr("mutatis.campaign.plan.MADE", 20)
    # Every fifth is written in upper case already.
    texts = [f"film {n}" if n % 5 else f"FILM {n}" for n in range(1001)]
    sources = [Source(case=review(text, n), relations=(LOUD,)) for n, text in enumerate(texts)]
    result = await estimated(ScriptedSystem({}), sources)
    assert len(made) == 20
    assert result.counted == (20, 1001)
    assert (result.sources, result.follow_ups) == (1001, pytest.approx(801, abs=110))
    assert result.most >= 1001 + 801


def tool_source(relations=(LOUD,), **material):
    tools = json.dumps([{"name": "look"}])
    turn = Turn(fields={"message": "Is it free?"})
    case = Case(id="t/1", task="tool-call", turns=(turn,), material={"tools": tools, **material})
    return Source(case=case, relations=relations)


def asked_by(**tools: Any) -> Target:
    made = target(ScriptedSystem({}), tasks={"tool-call": TASKS["tool-call"]})
    return replace(made, tools=ToolAnswers(**tools))


ALONE = {"confirm": 0, "shrink": 0, "noise_floor": 0}
RECORDED = json.dumps([{"name": "look", "result": "yes"}])


async def test_steps_with_tools_are_planned_one_a_question_and_twelve_at_most():
    loud = replace(LOUD, tasks=("tool-call",))
    result = await estimated([asked_by()], [tool_source((loud,), tool_results=RECORDED)], **ALONE)
    assert (result.sources, result.follow_ups) == (1, 1)
    assert result.later["steps with tools"] == (2, 24)
    assert (result.expected, result.most) == (2 + 2, 2 + 24)
    assert "steps with tools      about 2, at most 24" in result.lines()


async def test_calls_of_a_function_are_planned_beside_the_steps_and_none_where_nobody_answers():
    loud = replace(LOUD, tasks=("tool-call",))
    layer = target(ScriptedSystem({}, label="tools")).layer
    result = await estimated([asked_by(live=layer, stored=layer)], [tool_source((loud,))], **ALONE)
    assert result.later["steps with tools"] == (4, 48)
    result = await estimated([asked_by()], [tool_source((loud,))])
    assert result.later["steps with tools"] == (0, 0)
    assert not any("steps with tools" in line for line in result.lines())
