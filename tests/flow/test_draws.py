"""`[judge] draws`: distributions of answers, tested over sources, beside verdicts that stay as they are."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.assembly.campaign import HandedOver, assemble
from mutatis.campaign.observe import further
from mutatis.campaign.plan import estimate
from mutatis.config import check
from mutatis.query import Store

QUIET = {"noise_floor": 0, "confirm": 0, "shrink": 0}
RELATIONS = ["leet", "add-spaces", "swap-characters", "upper-case"]
NAMES = "film book song play game food wine room bath view town lake road ship boat hall shop dish soup meal"
TEXTS = [f"the {name} was what everybody expected of it" for name in NAMES.split()]


def coin(flips: float, *, seed: int = 1) -> Any:
    """A classifier that answers by chance, three to one; with digits it says the opposite in this share of them."""
    chance = random.Random(seed)

    def answer(text: str) -> str:
        positive = chance.random() < 0.75
        if any(map(str.isdigit, text)) and chance.random() < flips:
            positive = not positive
        return "0.9" if positive else "0.1"

    return answer


def sure(flips: float, *, seed: int = 1) -> Any:
    """A classifier that always answers the same, but for words with digits: there not in this share of answers."""
    chance = random.Random(seed)
    return lambda text: "0.1" if any(map(str.isdigit, text)) and chance.random() < flips else "0.9"


def run(answer: Any, out: Path | None = None, **settings: Any) -> mutatis.Run:
    cases = mutatis.cases(settings.pop("texts", TEXTS), task="sentiment")
    every = {**QUIET, "judge": {"draws": 8}, "concurrency": 1, **settings}
    return mutatis.run(answer, cases, RELATIONS, settings=every, out=out)


def rows(result: mutatis.Run) -> dict[str, Any]:
    return {row.relation: row for row in result.summary}


def test_a_relation_under_which_the_answers_are_others_is_marked_and_no_other(tmp_path: Path) -> None:
    result = run(sure(0.3), tmp_path / "out")
    told = rows(result)
    assert [name for name, row in told.items() if row.shifted] == ["leet"]
    assert told["leet"].shift_p == 0.0002
    assert told["add-spaces"].shift_p == 1.0
    assert {name: row.shift_sources for name, row in told.items() if row.shift_p is not None} == {
        "leet": 20, "add-spaces": 20, "swap-characters": 20
    }  # fmt: skip
    assert told["upper-case"].shift_p is None  # a number may become a stronger one, so that others are no fault
    assert "answers change under leet (p 0.0002)" in result.table()
    [means] = result.report.distributions
    assert (means.sources, means.draws, means.entropy, means.pass_k) == (20, 8, 0.0, [1.0] * 8)


def test_a_random_but_indifferent_system_has_no_row_marked(tmp_path: Path) -> None:
    result = run(coin(0.0), tmp_path / "out")
    assert not any(row.shifted for row in result.summary)
    assert all(row.violated for row in result.summary)  # one draw each: a pair says nothing of such a system
    frame = result.frame("draws")
    assert len(frame) == 20
    for record in frame.itertuples():
        counts = record.counts
        assert sum(counts) == 8
        assert record.pass_k == (1.0 if counts == [8] else 0.0)
        if counts == [6, 2]:  # -(3/4 ln 3/4 + 1/4 ln 1/4)
            assert record.entropy == pytest.approx(0.562335)
    lines = [json.loads(line) for line in (tmp_path / "out" / "draws.jsonl").read_text().splitlines()]
    assert [line["source"] for line in lines] == list(frame["source"])
    [six] = [line for line in lines if [number for _, number in line["clusters"]] == [6, 2]][:1]
    assert six["pass_k"][1] == pytest.approx(15 / 28)  # C(6, 2) / C(8, 2)


def test_what_a_random_system_violates_is_not_called_real_and_what_differs_is() -> None:
    random_rows = rows(run(coin(0.0), noise_floor=20))
    assert {name: row.violated > 0 for name, row in random_rows.items()} == dict.fromkeys(RELATIONS, True)
    told = [row.expected_precision for row in random_rows.values() if row.expected_precision is not None]
    assert told
    assert max(told) < 0.3  # the judge of numbers is always right: it is the system that answers by chance
    assert rows(run(sure(1.0), noise_floor=20))["leet"].expected_precision == 1.0


def test_verdicts_are_those_of_a_run_without_draws(tmp_path: Path) -> None:
    def verdicts(name: str, **settings: Any) -> str:
        run(lambda text: f"0.{len(text) % 10}", tmp_path / name, texts=TEXTS[:2], **settings)
        return (tmp_path / name / "verdicts.jsonl").read_text()

    assert verdicts("drawn") == verdicts("plain", judge={})
    assert not (tmp_path / "plain" / "draws.jsonl").exists()


def test_repeats_are_the_first_draws_and_no_index_is_that_of_another_phase() -> None:
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(text)
        return "0.9"

    run(answer, texts=TEXTS[:2], repeats=3, judge={"draws": 5})
    assert len(asked) == 2 * (1 + len(RELATIONS)) * 5
    assert [*further(3, 2)] == [5, 6]  # 0 to 2 are the run's, 3 the noise floor's, 4 that of confirm


def test_more_of_them_than_draws_ask_nothing_further() -> None:
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(text)
        return "0.9"

    result = run(answer, texts=TEXTS[:2], repeats=3, judge={"draws": 2})
    assert len(asked) == 2 * (1 + len(RELATIONS)) * 3
    assert result.report.distributions[0].sources == 2


def test_offline_has_the_same_numbers_and_asks_nothing(tmp_path: Path) -> None:
    settings = {"texts": TEXTS[:6]}
    first = run(coin(0.3), tmp_path / "out", **settings)
    cases = mutatis.cases(TEXTS[:6], task="sentiment")
    every = {**QUIET, "judge": {"draws": 8}}
    again = mutatis.run(coin(0.3), cases, RELATIONS, settings=every, out=tmp_path / "out", offline=True)
    assert again.report.run.queries.paid == 0
    assert [row.shift_p for row in again.summary] == [row.shift_p for row in first.summary]
    assert again.report.draws == first.report.draws


def test_a_plan_and_a_budget_count_them(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(text: str) -> str:
        asked.append(text)
        return "0.9"

    cases, settings = mutatis.cases(TEXTS[:3], task="sentiment"), {**QUIET, "judge": {"draws": 4}}
    config = check({"relations": RELATIONS, **settings}, objects=("systems", "data"))
    with Store(tmp_path / "store.db") as store:
        campaign = assemble(config, store, HandedOver(systems=[answer], cases=cases))
        planned = asyncio.run(estimate(campaign, store))
    assert planned.of("source questions") == (3 * 4, 3 * 4)
    assert planned.most == planned.expected == 3 * 4 * (1 + len(RELATIONS))
    result = mutatis.run(answer, cases, RELATIONS, settings=settings, max_queries=24)
    assert 4 * 2 <= len(asked) <= 24
    assert "budget" in [check.name for check in result.report.health]


def test_replies_of_a_chatbot_are_clusters_by_their_meaning() -> None:
    yes = ("Yes, it is in stock.", "Yes, we have it right here.", "Yes, you can pick it up today.")
    chance = random.Random(5)

    def answer(text: str) -> str:
        shouted = text.isupper() and chance.random() < 0.5
        return "No, it is sold out." if shouted else chance.choice(yes)

    things = ("lamp", "chair", "radio", "kettle", "table", "mirror", "carpet", "basket")
    cases = mutatis.cases(
        [{"message": f"Is the {article} available in your store?"} for article in things], task="chat"
    )
    relations = ["upper-case", "add-spaces", "repeat-words", "drop-punctuation", "lower-case"]
    result = mutatis.run(answer, cases, relations, settings={**QUIET, "judge": {"draws": 6}, "concurrency": 1})
    assert [row.relation for row in result.summary if row.shifted] == ["upper-case"]
    [means] = result.report.distributions
    assert means.entropy == 0.0  # three wordings, one meaning
