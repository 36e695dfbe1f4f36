"""What a run would ask, counted by hand before anything is paid."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mutatis import measures
from mutatis.campaign.cost import FOLLOW_UPS, HELPER, SOURCES, STEPS
from mutatis.campaign.judging import Judges
from mutatis.campaign.observe import Observer
from mutatis.campaign.plan import MET, READ, Estimate, Range, estimate
from mutatis.campaign.session import Campaign, conduct
from mutatis.campaign.trajectory import ToolAnswers
from mutatis.core.cases import Case, Derivation, Turn
from mutatis.core.constraint import Constraint, Precondition, Stage
from mutatis.core.errors import AnswerCutOff
from mutatis.core.measure import Judge
from mutatis.core.relation import RELATIONS
from mutatis.core.search import Proposal, Source
from mutatis.core.system import Conversation, Finish, Response
from mutatis.core.task import TASKS
from mutatis.core.transformation import derive
from mutatis.measures.helper import HelperMeasure
from mutatis.query import QueryLayer, Store
from mutatis.query.spending import Prices
from mutatis.search import Once
from mutatis.testing import ScriptedBot, ScriptedHelper, ScriptedSystem
from support.parts import Target, dialogue, pair, review, step, target

CLAIM = pair("claim", "claim-value")
LOUD, SPACED = pair("loud"), pair("spaced", "add-spaces")
TALK = dialogue("who", "where")
ALONE = {"confirm": 0, "shrink": 0, "noise_floor": 0}

JUDGES = Judges(
    by_kind=dict.fromkeys(sorted({TASKS[name].kind for name in TASKS}), measures.judge("label")), by_measure={}
)


async def estimated(system: Any, sources: list[Source], **more: Any) -> Estimate:
    with Store(None) as store:
        return await estimate(campaign_of(system, sources, **more), store)


def searched(result: Estimate) -> tuple[int, int]:
    """Return how many questions to sources and follow-ups are expected."""
    return result.of(SOURCES)[0], result.of(FOLLOW_UPS)[0]


def campaign_of(system: Any, sources: list[Source], **more: Any) -> Campaign:
    targets = system if isinstance(system, list) else [target(system)]
    return Campaign(
        targets=targets,
        sources=sources,
        no_change=RELATIONS["no-change"],
        **{"search": Once(sources), "judges": JUDGES, **more},
    )


async def test_sources_and_follow_ups_are_counted_once():
    texts = ["one film", "two films", "LOUD", "one film"]  # the last is the first again; the third has no follow-up
    sources = [Source(case=review(text, n), relations=(LOUD,)) for n, text in enumerate(texts)]
    result = await estimated(ScriptedSystem({}), sources)
    assert (*searched(result), result.of(HELPER)) == (3, 2, (0, 0))
    assert (result.exact, result.learns, result.stored) == (True, False, 0)


async def test_repeats_multiply_and_the_noise_floors_index_is_asked_once():
    sources = [Source(case=review("one film"), relations=(LOUD, RELATIONS["no-change"]))]
    result = await estimated(ScriptedSystem({}), sources, repeats=3)
    assert searched(result) == (3, 3 + 1)


async def test_each_system_is_asked_the_sources_that_are_for_it():
    sources = [
        Source(case=review("one film", 1), relations=(LOUD,), systems=("a",)),
        Source(case=review("two films", 2), relations=(LOUD,)),
    ]
    result = await estimated([target(ScriptedSystem({}, name)) for name in "ab"], sources)
    assert searched(result) == (3, 3)


async def test_tokens_are_a_quarter_of_the_characters_of_all_prompts():
    sources = [Source(case=review("one film"), relations=(LOUD,))]
    scripted = target(ScriptedSystem({}))
    [asked] = [scripted.tasks["sentiment"].converse(sources[0].case, 0, [])]
    length = sum(len(message.content) for message in asked.messages)
    assert (await estimated([scripted], sources, **ALONE)).tokens == 2 * (length // 4)


def condition(stage: str, holds: bool) -> Precondition:
    return Precondition(name="condition", stage=Stage(stage), check=lambda _: holds)


async def test_what_a_condition_on_inputs_refuses_is_not_counted():
    never = Constraint(name="never", check=lambda *_: False)
    for relation in (
        pair(constraints=(never,)),
        pair(preconditions=(condition("source input", False),)),
        pair(preconditions=(condition("follow-up input", False),)),
    ):
        result = await estimated(ScriptedSystem({}), [Source(case=review("one film"), relations=(relation,))], **ALONE)
        assert (result.exact, result.of(FOLLOW_UPS), result.most) == (True, (0, 0), 1)


async def test_what_a_condition_on_an_answer_may_refuse_makes_the_figures_an_upper_bound():
    relation = pair(preconditions=(condition("source output", False),))
    sources = [Source(case=review(f"film {n}"), relations=(relation,)) for n in range(8)]
    result = await estimated(ScriptedSystem({}), sources, **ALONE)
    assert (result.exact, result.of(FOLLOW_UPS), result.most) == (False, (round(8 * MET), 8), 16)
    assert f"follow-up questions   about {round(8 * MET)}, at most 8" in result.lines()
    # Of two relations that share a follow-up one is enough for it to be asked.
    both = [replace(source, relations=(relation, pair("other"))) for source in sources]
    assert (await estimated(ScriptedSystem({}), both, **ALONE)).of(FOLLOW_UPS) == (8, 8)


async def test_each_kind_of_change_has_its_price():
    relations = (LOUD.but(change="noise"), SPACED.but(change="noise"), RELATIONS["no-change"].but(change=""))
    texts = [Source(case=review(text, n), relations=relations) for n, text in enumerate(["one film", "two films"])]
    result = await estimated(ScriptedSystem({}), texts, **ALONE)
    assert result.changes == {"noise": (4, 4), "other": (2, 2)}
    assert "of these, by change   noise 4, other 2" in result.lines()


async def test_what_is_made_from_an_answer_cannot_be_foreseen():
    turns = (Turn(fields={"message": "When does it open?"}),)
    sources = [Source(case=Case(id=f"c/{n}", task="chat", turns=turns), relations=(CLAIM,)) for n in range(4)]
    chat = target(ScriptedSystem({}), tasks={"chat": TASKS["chat"]})
    result = await estimated([chat], sources, **ALONE)
    # A question and the claim behind it.
    assert result.of(FOLLOW_UPS) == (round(4 * READ), 4 * 2)
    assert "; 8 of them cannot be foreseen" in "\n".join(result.lines())
    assert result.unforeseen == 8


async def test_follow_ups_of_a_language_model_are_not_made_but_counted():
    made = pair("made", "paraphrase")
    sources = [Source(case=TALK, relations=(made, LOUD))]
    result = await estimated([target(ScriptedSystem({}, name)) for name in "ab"], sources, repeats=2)
    # Two turns, two systems, two repeats: sources, what the model makes, and what is written in upper case.
    assert (*searched(result), result.of(HELPER), result.exact) == (8, 8 + 8, (2, 4), False)


async def test_a_dialogue_that_begins_like_another_is_asked_what_differs():
    talks = [("who", "where"), ("who", "where"), ("who", "why"), ("when", "where")]
    sources = [Source(case=dialogue(*talk, name=f"d/{n}"), relations=(LOUD,)) for n, talk in enumerate(talks)]
    result = await estimated(ScriptedSystem({}), sources)
    # The first has two questions, the second is the first, the third has the same beginning, the last none of it.
    assert (*searched(result), result.exact) == (2 + 0 + 1 + 2, 5, True)


async def test_what_is_asked_again_by_a_relation_costs_nothing_more_for_the_noise_floor():
    texts = Source(case=review("one film"), relations=(RELATIONS["no-change"],))
    result = await estimated(ScriptedSystem({}), [texts], confirm=0, shrink=0)
    assert (*searched(result), result.of("noise floor"), result.most) == (1, 1, (0, 0), 2)
    other = await estimated(ScriptedSystem({}), [replace(texts, relations=(LOUD,))], confirm=0, shrink=0)
    assert (*searched(other), other.of("noise floor"), other.most) == (1, 1, (1, 1), 3)


async def test_a_run_that_is_stored_is_not_paid_again():
    bot, sources = ScriptedSystem({"*": "0.5"}), [Source(case=review("one film"), relations=(LOUD,))]
    with Store(None) as store:
        scripted = Target(layer=QueryLayer(bot, store), tasks=target(bot).tasks)
        campaign = campaign_of([scripted], sources, confirm=0, shrink=0)
        campaign.judges = Judges(by_kind={"number": measures.judge("number")}, by_measure={})
        await conduct(campaign)
        result = await estimate(campaign_of([scripted], sources, confirm=0, shrink=0), store)
    assert (*searched(result), result.of("noise floor"), result.stored, result.expected) == (1, 1, (1, 1), 3, 0)


class Cut(ScriptedSystem):
    """A system whose answers are cut off."""

    async def ask(self, conversation: Conversation) -> Response:
        return replace(await super().ask(conversation), finish=Finish.LENGTH)


async def test_a_stored_answer_that_was_withheld_is_not_paid_for_again():
    cut = Cut({"*": "here"})
    sources = [Source(case=review("one film"), relations=(LOUD,))]
    with Store(None) as store:
        scripted = Target(layer=QueryLayer(cut, store), tasks=target(cut).tasks)
        with pytest.raises(AnswerCutOff):
            await scripted.layer.ask(scripted.tasks["sentiment"].converse(sources[0].case, 0, []))
        result = await estimate(campaign_of([scripted], sources, **ALONE), store)
    assert result.stored == 1


async def test_turns_behind_stored_answers_are_stored_too():
    bot = ScriptedSystem({"*": "here"})
    sources = [Source(case=dialogue("who", "where"), relations=(LOUD,))]
    with Store(None) as store:
        scripted = Target(layer=QueryLayer(bot, store), tasks=target(bot).tasks)
        await Observer(scripted).observe(sources[0].case)
        result = await estimate(campaign_of([scripted], sources, **ALONE), store)
    assert (*searched(result), result.stored, result.expected) == (2, 2, 2, 2)


async def test_a_dialogue_that_a_bot_keeps_is_one_question_with_all_its_turns():
    twice = [Source(case=dialogue("who", "where", name=f"d/{n}"), relations=(LOUD,)) for n in (0, 1)]
    result = await estimated(ScriptedBot({}), twice)
    assert searched(result) == (2, 2)


async def test_what_is_stored_is_counted_under_the_same_key():
    bot = ScriptedSystem({"*": "0.5"})
    sources = [Source(case=review("one film"), relations=(LOUD,))]
    with Store(None) as store:
        layer = QueryLayer(bot, store)
        scripted = Target(layer=layer, tasks=target(bot).tasks)
        await layer.ask(scripted.tasks["sentiment"].converse(sources[0].case, 0, []))
        result = await estimate(campaign_of([scripted], sources), store)
    assert (*searched(result), result.stored) == (1, 1, 1)


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
    assert (search.asked, result.learns, result.of(FOLLOW_UPS)) == (1, True, (1, 1))


FIGURES = {"stored": 7, "tokens": 1234}
KINDS = {SOURCES: Range(10, 10), FOLLOW_UPS: Range(20, 20), HELPER: Range(5, 5)}
NO_PRICES = "money                 unknown; set prices = {prompt = ..., completion = ...} in [system]"


def test_the_lines_say_what_is_to_be_paid():
    assert Estimate(**FIGURES, kinds=KINDS, most=28).lines() == [
        "source questions      10",
        "follow-up questions   20",
        "helper questions      5",
        "already stored        7",
        "to be paid            28",
        "prompt tokens         about 1234",
        NO_PRICES,
    ]


def test_the_lines_say_what_is_likely_and_what_is_the_most():
    kinds = {
        **KINDS, FOLLOW_UPS: Range(14, 20), "noise floor": Range(10, 10), "confirm": Range(4, None),
        "shrink": Range(0, 0), "judge's questions": Range(2, None),
    }  # fmt: skip
    changes = {"case": Range(4, 4), "wording": Range(10, 16)}
    bound = Estimate(
        **FIGURES, kinds=kinds, changes=changes, unforeseen=8, exact=False, most=90, judge="one per pair",
        money={"EUR": (1.234, 5.6)},
    )  # fmt: skip
    assert bound.lines() == [
        "source questions      10",
        "follow-up questions   about 14, at most 20; 8 of them cannot be foreseen",
        "helper questions      at most 5",
        "of these, by change   wording 10 to 16, case 4",
        "judge's questions     about 2 (one per pair)",
        "noise floor           10",
        "confirm               about 4",
        "already stored        7",
        "to be paid            about 38, at most 90",
        "prompt tokens         at most about 1234",
        "money                 about 1.23 EUR, at most about 5.60, answers of 100 tokens and at most 1000 "
        "without max_tokens",
    ]


async def test_how_often_findings_are_asked_again_has_no_maximum_without_a_budget():
    sources = [Source(case=review(f"film {n}", n), relations=(LOUD,)) for n in range(20)]
    scripted = target(ScriptedSystem({}))
    scripted.layer.prices = Prices(prompt=4.0, completion=8.0, currency="EUR")
    result = await estimated([scripted], sources, noise_floor=0)
    # One of 20 verdicts is expected to be a violation: its two questions are asked again, and it is made smaller.
    assert result.of("confirm") == (2, None)
    assert result.of("shrink").most is None
    assert (result.of(SOURCES), result.of(FOLLOW_UPS)) == ((20, 20), (20, 20))
    assert result.most is None
    paid = f"to be paid            about {result.expected}; the maximum is unknown without max_queries"
    about, _ = result.money["EUR"]
    money = f"money                 about {about:.2f} EUR, answers of 100 tokens"
    assert {"confirm               about 2", paid, money} <= set(result.lines())
    scripted.layer.spending.max_queries = 500
    result = await estimated([scripted], sources, noise_floor=0)
    assert f"to be paid            about {result.expected}, at most 500" in result.lines()


def test_nothing_is_at_most_nothing():
    lines = Estimate(exact=False, kinds={SOURCES: Range(3, 3), HELPER: Range(0, 0)}).lines()
    assert "helper questions      0" in lines


def test_of_a_search_that_learns_the_lines_say_what_is_not_known():
    lines = Estimate(**FIGURES, kinds=KINDS, learns=True).lines()
    assert lines[0] == "this is the first batch: the search decides the rest from the answers"
    assert "to be paid            about 28, of the first batch; the maximum is unknown without max_queries" in lines
    budget = Estimate(**FIGURES, kinds=KINDS, learns=True, most=500, dealt={"search": 400, "shrink": 100}).lines()
    assert "to be paid            about 28, of the first batch, at most 500" in budget
    assert budget[-1] == "max_queries           500, stored answers included: search 400, shrink 100 ([reserve])"


def test_what_is_counted_on_some_sources_is_about():
    kinds = {kind: Range(number.expected, None) for kind, number in KINDS.items()}
    lines = Estimate(**FIGURES, kinds=kinds, unforeseen=90, counted=(50, 300_000), most=99).lines()
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
    # One follow-up, one verdict. How often the helper is asked about it depends on its answers.
    assert "judge's questions     about 1 (one per pair of answers)" in result.lines()
    assert (result.expected, result.most) == (1 + 1 + 1, None)
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
    assert (result.of(HELPER), *searched(result), result.exact) == ((3, 6), 3, 3, False)


async def test_the_follow_ups_that_are_counted_are_those_of_the_runs_seed():
    source = Source(case=review("many words that may be spelt in another way"), relations=(SPACED,))
    [proposal] = Once([source]).ask()
    made = await derive(source.case, proposal.derivation, seed=5)
    bot = ScriptedSystem({"*": "0.5"})
    with Store(None) as store:
        layer = QueryLayer(bot, store)
        scripted = Target(layer=layer, tasks=target(bot).tasks)
        await layer.ask(scripted.tasks["sentiment"].converse(made, 0, []))
        stored = [(await estimate(campaign_of([scripted], [source], seed=seed), store)).stored for seed in (5, 6)]
    assert stored == [1, 0]


async def test_of_a_large_run_some_follow_ups_are_made(monkeypatch: pytest.MonkeyPatch):
    made = []

    async def counted(*arguments: Any, **more: Any) -> Any:
        made.append(arguments)
        return await derive(*arguments, **more)

    monkeypatch.setattr("mutatis.campaign.follow_up.derive", counted)
    monkeypatch.setattr("mutatis.campaign.plan.MADE", 20)
    # Every fifth is written in upper case already.
    texts = [f"film {n}" if n % 5 else f"FILM {n}" for n in range(1001)]
    sources = [Source(case=review(text, n), relations=(LOUD,)) for n, text in enumerate(texts)]
    result = await estimated(ScriptedSystem({}), sources)
    assert len(made) == 20
    assert result.counted == (20, 1001)
    assert searched(result) == (1001, pytest.approx(801, abs=110))
    assert result.most is None


async def test_the_money_of_a_system_in_a_large_run_does_not_shrink_beside_a_helper(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mutatis.campaign.plan.MADE", 20)
    sources = [Source(case=review(f"film {n}", n), relations=(pair("made", "paraphrase"),)) for n in range(1000)]
    scripted, helper = target(ScriptedSystem({})), target(ScriptedSystem({}, label="helper")).layer
    scripted.layer.prices = Prices(prompt=0.0, completion=8.0, currency="EUR")
    result = await estimated([scripted], sources, helper_layer=helper, **ALONE)
    assert result.counted == (20, 1000)
    assert searched(result) == (1000, 1000)
    about, _ = result.money["EUR"]
    # Only the sources have prompts, and follow-ups count like them: 100 tokens for each answer, except the helper's.
    assert about == pytest.approx(result.expected * 1000 / (1000 + result.of(HELPER)[0]) * 100 * 8 / 1e6)


def tool_source(relations=(LOUD,), **material):
    tools = json.dumps([{"name": "look"}])
    turn = Turn(fields={"message": "Is it free?"})
    case = Case(id="t/1", task="tool-call", turns=(turn,), material={"tools": tools, **material})
    return Source(case=case, relations=relations)


def asked_by(**tools: Any) -> Target:
    made = target(ScriptedSystem({}), tasks={"tool-call": TASKS["tool-call"]})
    return replace(made, tools=ToolAnswers(**tools))


RECORDED = json.dumps([{"name": "look", "result": "yes"}])


async def test_steps_with_tools_are_planned_one_a_question_and_twelve_at_most():
    loud = replace(LOUD, tasks=("tool-call",))
    result = await estimated([asked_by()], [tool_source((loud,), tool_results=RECORDED)], **ALONE)
    assert searched(result) == (1, 1)
    assert result.of(STEPS) == (2, 24)
    assert (result.expected, result.most) == (2 + 2, 2 + 24)
    assert "steps with tools      about 2, at most 24" in result.lines()


async def test_calls_of_a_function_are_planned_beside_the_steps_and_none_where_nobody_answers():
    loud = replace(LOUD, tasks=("tool-call",))
    layer = target(ScriptedSystem({}, label="tools")).layer
    result = await estimated([asked_by(live=layer, stored=layer)], [tool_source((loud,))], **ALONE)
    assert result.of(STEPS) == (4, 48)
    result = await estimated([asked_by()], [tool_source((loud,))])
    assert result.of(STEPS) == (0, 0)
    assert not any("steps with tools" in line for line in result.lines())
