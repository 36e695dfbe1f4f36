"""Where too little is known of a source, it is asked again before it is judged: how often, and what that costs."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.plan import Estimate, estimate
from mutatis.campaign.session import conduct
from mutatis.config import check
from mutatis.core.cases import Case, Turn
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation
from mutatis.query import QueryLayer, Store
from mutatis.query.helper import SystemHelper
from mutatis.records import Report
from mutatis.testing import ScriptedBot, ScriptedSystem
from support import stock

THERE = ("Yes, we have the {} right here.", "The {} can be picked up today.", "There are some of the {} left.")
GONE = ("We ran out of the {}.", "Sorry, more {} come next week.", "Nothing remains of the {} just now.")
MANY, FEW = list(stock.RELATIONS), ["lower-case"]
SIX, TWO = stock.PRODUCTS, stock.PRODUCTS[:2]


class Shop:
    """Answers in words that follow from the message; drawing, in others each time that it is asked the same."""

    def __init__(self, *, drawing: bool = False, at_most: int = 10**6) -> None:
        self.asked: Counter[str] = Counter()
        self._drawing, self._at_most = drawing, at_most

    def __call__(self, said: Conversation | Sequence[Conversation]) -> str:
        last = said if isinstance(said, Conversation) else said[-1]
        message = last.messages[-1].content
        self.asked[message] += 1
        if self.asked[message] > self._at_most:
            raise SystemFailure("out of order")
        letters = message.lower().replace(" ", "")
        product = next((name for name in SIX if name.lower() in letters), "lamp")
        wordings = THERE if product in SIX[:3] else GONE
        draw = self.asked[message] if self._drawing else 0
        return wordings[(zlib.crc32(message.encode()) + draw) % 3].format(product)

    @property
    def again(self) -> Counter[str]:
        """How often each message was asked again."""
        return Counter({message: number - 1 for message, number in self.asked.items() if number > 1})


def asking(product: str) -> str:
    return f"Do you have the {product}?"


def cases(products: Sequence[str], *, turns: int = 1) -> list[Case]:
    """A dialogue about each product, and the products after it, of so many turns."""
    made = []
    for number, product in enumerate(products):
        about = [products[(number + turn) % len(products)] for turn in range(turns)]
        said = tuple(Turn(fields={"message": asking(name)}) for name in about)
        made.append(Case(id=f"shop/{product}", task="chat", turns=said))
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    report: Report
    verdicts: list[dict[str, Any]]
    repertoire: list[dict[str, Any]]

    @property
    def outcomes(self) -> Counter[str]:
        return Counter(verdict["outcome"] for verdict in self.verdicts)

    @property
    def repeats(self) -> list[int]:
        return [len(line["repeats"]) for line in self.repertoire]


def run(
    folder: Path,
    *shops: Any,
    products: Sequence[str] = SIX,
    relations: Sequence[str] = MANY,
    turns: int = 1,
    offline: bool = False,
    store: str = "store.db",
    plan: bool = False,
    helper: ScriptedSystem | None = None,
    **tables: Any,
) -> Run:
    """Run a campaign on these shops, or plan it; the judge knows words alone."""
    systems = [
        ScriptedSystem(shop, f"shop {number}") if isinstance(shop, Shop) else shop for number, shop in enumerate(shops)
    ]
    settings = {"noise_floor": 0, "confirm": 0, "concurrency": 1, **tables}
    with Store(folder / store) as answers:
        helping = None if helper is None else SystemHelper(QueryLayer(helper, answers))
        objects = HandedOver(systems=systems, cases=cases(products, turns=turns), relations=relations, helper=helping)
        campaign = assemble(check(settings, objects=("systems", "data")), answers, objects, offline=offline)
        report = asyncio.run(conduct(campaign, folder=folder))
    return Run(
        report=report,
        verdicts=stock.lines(folder),
        repertoire=stock.lines(folder, "repertoire.jsonl"),
    )


def planned(folder: Path, products: Sequence[str], relations: Sequence[str], **tables: Any) -> Estimate:
    with Store(folder / "plan.db") as store:
        objects = HandedOver(systems=[ScriptedSystem(Shop(), "shop 0")], cases=cases(products), relations=relations)
        settings = {"noise_floor": 0, "confirm": 0, **tables}
        return asyncio.run(estimate(assemble(check(settings, objects=("systems", "data")), store, objects), store))


def in_doubt(verdicts: Sequence[dict[str, Any]]) -> set[str]:
    """Return the source messages to which two different texts were said."""
    return {
        verdict["source_input"]["message"]
        for verdict in verdicts
        if verdict["source_output"]["text"] != verdict["followups"][0]["output"]["text"]
    }


def test_where_enough_is_known_nothing_is_asked_again(tmp_path):
    shop = Shop()
    result = run(tmp_path, shop)
    assert in_doubt(result.verdicts)
    assert shop.again == {}
    assert result.repeats == [0] * 6
    assert result.report.run.queries.paid == 6 * 7


def test_a_system_that_says_the_same_again_is_asked_once(tmp_path):
    shop = Shop()
    result = run(tmp_path, shop, relations=FEW)  # one follow-up a source: three replies are lacking
    doubted = in_doubt(result.verdicts)
    assert 0 < len(doubted) < 6
    assert shop.again == dict.fromkeys(doubted, 1)
    assert result.report.run.queries.paid == 6 * 2 + len(doubted)


def test_one_that_words_its_answers_anew_is_asked_five_times_and_decided(tmp_path):
    silent = run(tmp_path, Shop(drawing=True), relations=FEW, judge={"repertoire": 0})
    assert silent.outcomes["invalid"] > 0
    assert any("too few replies to this question are known (1 " in verdict["reason"] for verdict in silent.verdicts)
    shop = Shop(drawing=True)
    result = run(tmp_path, shop, relations=FEW, store="other.db")
    assert set(shop.again.values()) == {5}
    assert shop.again.keys() == in_doubt(result.verdicts)
    assert result.outcomes["invalid"] < silent.outcomes["invalid"]
    assert result.outcomes["violated"] == 0


def test_of_few_sources_each_is_asked_again(tmp_path):
    shop = Shop()
    result = run(tmp_path, shop, products=TWO)
    assert shop.again == dict.fromkeys(in_doubt(result.verdicts), 1)
    drawing = Shop(drawing=True)
    result = run(tmp_path, drawing, products=TWO, store="other.db")
    assert drawing.again == dict.fromkeys(in_doubt(result.verdicts), 5)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_never_more_often_than_is_said(tmp_path, number):
    shop = Shop(drawing=True)
    run(tmp_path, shop, relations=FEW, judge={"repertoire": number})
    assert set(shop.again.values()) == ({number} if number else set())


def test_another_measure_asks_nothing_again(tmp_path):
    shop = Shop(drawing=True)
    settings = {"noise_floor": 0, "confirm": 0, "judge": {"measure": "free-answers"}}
    with Store(None) as store:
        objects = HandedOver(systems=[ScriptedSystem(shop, "shop")], cases=cases(TWO), relations=FEW)
        asyncio.run(conduct(assemble(check(settings, objects=("systems", "data")), store, objects)))
    assert shop.again == {}


@pytest.mark.parametrize(("measure", "told"), [("free-answers", True), ("repertoire", False)])
def test_a_number_of_repeats_that_nothing_reads_is_a_note(measure, told):
    settings = {"judge": {"measure": measure, "repertoire": 3}}
    with Store(None) as store:
        objects = HandedOver(systems=[ScriptedSystem(Shop(), "shop")], cases=cases(TWO), relations=FEW)
        notes = assemble(check(settings, objects=("systems", "data")), store, objects).notes
    assert ("judge: [judge] repertoire has no effect: it belongs to the measure repertoire" in notes) is told


def test_the_same_text_needs_no_evidence(tmp_path):
    shop = Shop()
    one_wording = ScriptedSystem(lambda said: shop(said)[:0] + "It is in stock.", "shop 0")
    run(tmp_path, one_wording, products=TWO, relations=FEW)
    assert shop.again == {}


def test_noise_floor_and_confirm_pay_for_nothing_that_is_known(tmp_path):
    shop = Shop(drawing=True)
    run(tmp_path, shop, relations=FEW, noise_floor=100, confirm=5, shrink=0)
    doubted = {message for message, number in shop.again.items() if number == 5}
    others = {asking(product) for product in SIX} - doubted
    assert doubted
    assert {message: shop.again[message] for message in others} == dict.fromkeys(others, 1), "the noise floor"

    later = Shop(drawing=True)
    settings = {"relations": FEW, "store": "later.db", "noise_floor": 100}
    run(tmp_path, later, judge={"repertoire": 0}, **settings)
    before = later.asked.total()
    result = run(tmp_path, later, **settings)
    asked_again = sum(bool(number) for number in result.repeats)
    assert asked_again
    assert later.asked.total() - before == 4 * asked_again, "the noise floor's answer is one of five"


def test_the_plan_counts_it(tmp_path):
    told = planned(tmp_path, SIX, FEW)
    assert told.of("sources asked again") == (6, 30)
    assert (told.expected, told.most) == (12 + 6, 12 + 30)
    assert "sources asked again   about 6, at most 30" in told.lines()
    assert planned(tmp_path, SIX, MANY).of("sources asked again") == (0, 30)
    assert planned(tmp_path, TWO, MANY).of("sources asked again") == (2, 10)
    assert planned(tmp_path, SIX, FEW, judge={"repertoire": 0}).of("sources asked again") == (0, 0)
    assert planned(tmp_path, SIX, FEW, judge={"measure": "free-answers"}).of("sources asked again") == (0, 0)


@pytest.mark.parametrize("drawing", [False, True])
def test_a_run_asks_no_more_than_its_plan_says(tmp_path, drawing):
    told, shop = planned(tmp_path, SIX, FEW, noise_floor=3), Shop(drawing=drawing)
    run(tmp_path, shop, relations=FEW, noise_floor=3)
    assert told.most is not None
    assert 12 < shop.asked.total() <= told.most


def test_offline_a_repeat_that_is_missing_leaves_the_pair_open(tmp_path):
    shop = Shop(drawing=True)
    before = run(tmp_path, shop, relations=FEW, judge={"repertoire": 0})
    asked = shop.asked.total()
    result = run(tmp_path, shop, relations=FEW, offline=True)
    assert shop.asked.total() == asked
    assert result.outcomes["error"] == 0
    assert result.verdicts == before.verdicts
    assert result.outcomes["invalid"] > 0


def test_a_repeat_that_fails_leaves_the_pair_open(tmp_path):
    before = run(tmp_path, Shop(), relations=FEW, judge={"repertoire": 0})
    result = run(tmp_path, Shop(at_most=1), relations=FEW, store="other.db", max_wait=0)
    assert result.outcomes["error"] == 0
    assert result.verdicts == before.verdicts


@pytest.mark.parametrize("budget", [12, 14, 20])
def test_a_budget_that_ends_in_the_middle_leaves_pairs_open_and_says_so(tmp_path, budget):
    shop = Shop(drawing=True)
    reserve = {"noise_floor": 0.0, "confirm": 0.0, "shrink": 0.0}
    result = run(tmp_path, shop, relations=FEW, max_queries=budget, reserve=reserve)
    assert shop.asked.total() <= budget
    assert result.outcomes["error"] == 0
    assert len(result.verdicts) == 6
    assert "budget" in [check.name for check in result.report.health]
    assert result.outcomes["invalid"] > 0


def test_a_budget_is_spent_on_the_same_questions_whatever_the_concurrency(tmp_path):
    told = []
    for number in (1, 4, 64):
        folder = tmp_path / str(number)
        folder.mkdir()
        run(folder, Shop(), relations=FEW, max_queries=20, concurrency=number)
        told.append([(folder / name).read_bytes() for name in ("verdicts.jsonl", "repertoire.jsonl")])
    assert told[0] == told[1] == told[2]


def test_every_system_is_asked_by_itself(tmp_path):
    plain, drawing = Shop(), Shop(drawing=True)
    result = run(tmp_path, plain, drawing, relations=FEW)
    assert set(plain.again.values()) == {1}
    assert set(drawing.again.values()) == {5}
    assert {line["system"]: len(line["repeats"]) for line in result.repertoire if line["repeats"]} == {
        "shop 0": 1,
        "shop 1": 5,
    }


def test_repeats_of_the_run_count(tmp_path):
    shop = Shop()
    run(tmp_path, shop, relations=FEW, repeats=3)
    times = {shop.asked[asking(product)] for product in SIX}
    assert times <= {3, 4}, "of four replies beside it a source has the follow-up's, three times, and two of its own"


def test_a_turn_of_a_dialogue_is_asked_again_after_the_recorded_history(tmp_path):
    histories: dict[str, set[tuple[str, ...]]] = {}
    shop = Shop(drawing=True)

    def answer(conversation: Conversation) -> str:
        earlier = tuple(message.content for message in conversation.messages[:-1])
        histories.setdefault(conversation.messages[-1].content, set()).add(earlier)
        return shop(conversation)

    result = run(tmp_path, ScriptedSystem(answer, "shop 0"), products=TWO, relations=FEW, turns=2)
    repeated = {(line["source"], line["turn"]) for line in result.repertoire if line["repeats"]}
    assert {turn for _, turn in repeated} == {0, 1}
    assert {len(line["repeats"]) for line in result.repertoire} <= {0, 5}
    for product in TWO:
        assert len(histories[asking(product)]) == 2, "first, and after the answer that was given to the first"


def test_a_bot_that_keeps_the_dialogue_is_asked_all_of_it_again(tmp_path):
    bot = ScriptedBot(Shop(drawing=True), "shop 0")
    result = run(tmp_path, bot, products=TWO, relations=FEW, turns=2)
    assert {len(line["repeats"]) for line in result.repertoire} == {5}
    said = Counter(tuple(sent.messages[-1].content for sent in session) for session in bot.sessions)
    assert [said[asking(first), asking(second)] for first, second in (TWO, TWO[::-1])] == [6, 6]
    assert result.outcomes["error"] == 0


def test_the_helper_is_asked_about_what_stays_open(tmp_path):
    def asked(**judge: Any) -> int:
        helper = ScriptedSystem(lambda _: json.dumps({"same": True, "reason": "both say so"}), "helper")
        judge |= {"ask": [0.4, 0.6]}
        name = f"helped {len(judge)}.db"
        result = run(tmp_path, Shop(drawing=True), relations=FEW, store=name, helper=helper, judge=judge)
        assert result.outcomes["error"] == 0
        return helper.count

    assert 0 <= asked() < asked(repertoire=0)


def test_answers_that_are_drawn_to_see_their_distribution_serve_here_too(tmp_path):
    alone, both = Shop(drawing=True), Shop(drawing=True)
    run(tmp_path, alone, relations=FEW, judge={"draws": 6, "repertoire": 0})
    result = run(tmp_path, both, relations=FEW, judge={"draws": 6}, store="other.db")
    assert max(result.repeats) == 5
    assert both.asked.total() == alone.asked.total(), "the five answers are drawn anyway"


@pytest.mark.parametrize("number", [1, 4, 64])
def test_a_search_that_learns_asks_again_in_its_order(tmp_path, number):
    first = run(tmp_path, Shop(), relations=MANY, max_queries=60, search={"type": "bandit"})
    assert any(first.repeats)
    other = tmp_path / "other"
    other.mkdir()
    again = run(other, Shop(), relations=MANY, max_queries=60, search={"type": "bandit"}, concurrency=number)
    assert again.verdicts == first.verdicts
    assert again.repertoire == first.repertoire
