"""A budget that ends in the middle of a run: what was paid for whole dialogues is judged, in their order."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import mutatis
from mutatis.api import run_config
from mutatis.assembly.campaign import assemble
from mutatis.campaign.plan import estimate
from mutatis.config import Config, check
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation
from mutatis.datasets import sample
from mutatis.query import Store
from mutatis.testing import ScriptedSystem


def tables(**more: object) -> dict[str, object]:
    return {
        "recipe": "mortar",
        "systems": [{"type": "function", "target": "bot.py:answer", "input": "fields", "concurrency": 4}],
        "data": [{"task": "dialogue", "format": "coqa", "path": str(sample("dialogues"))}],
        "judge": {"measure": "exact"},
        "noise_floor": 0,
        **more,
    }


def test_half_a_budget_judges_the_first_dialogues(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def answer(fields):\n    return fields['question']\n", encoding="utf-8")
    run = run_config(check(tables(max_queries=500), tmp_path))
    metrics = run.report["metrics"]["mortar"]["systems"]["function:bot.py:answer"]
    assert 1 <= metrics["seeds"] < 12
    assert metrics["detections"]["total"] > 100
    assert [warning["name"] for warning in run.report["health"]] == ["budget"]


def test_reference_based_testing_keeps_the_annotated_answers(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def answer(fields):\n    return 'no such thing'\n", encoding="utf-8")
    run = run_config(check(tables(reference="source"), tmp_path))
    rows = {row["relation"]: row for row in run.summary}
    assert rows["reference-based"]["satisfied"] == 0  # wrong everywhere, whatever the relations are judged by
    assert rows["context-preserving"]["violated"] == 0  # and always consistent with itself


BOT = """
import time

def answer(fields):
    text = fields["text"]
    time.sleep(len(text) % 3 / 2000)  # whoever is asked later may answer first
    return "0.1" if text.isupper() or "  " in text or text.count("o") % 7 == 3 else "0.9"
"""


def reviews(folder: Path, number: int, **more: object) -> Config:
    folder.mkdir(exist_ok=True)
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    words = ["a", "film", "that", "nobody", "who", "saw", "it", "will", "soon", "forget", "and", "they", "took", "home"]
    lines = [{"text": " ".join(words[(n * k) % len(words)] for k in range(1, 9)) + f" {n}."} for n in range(number)]
    (folder / "reviews.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    tables = {
        "systems": [{"type": "function", "target": "bot.py:answer", "input": "fields"}],
        "data": [{"task": "sentiment", "format": "jsonl", "path": "reviews.jsonl", "name": "reviews"}],
        **more,
    }
    return check(tables, folder)


def lines_of(out: Path) -> list[str]:
    return (out / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()


def test_a_budget_ends_with_findings_that_were_confirmed_a_noise_floor_and_something_shrunk(tmp_path: Path) -> None:
    run = run_config(reviews(tmp_path, 2000, max_queries=1000), out=tmp_path / "out")
    queries = run.report.run.queries
    assert queries.paid == sum(queries.phases.values()) <= 1000
    assert queries.paid >= 970
    assert all(queries.phases[phase] > 20 for phase in ("search", "noise floor", "confirm", "shrink"))
    rows = [row for row in run.summary if row.judged]
    assert {row.noise_floor for row in rows} == {0.0}
    quiet = sorted(row.judged for row in rows if not row.violated and not row.invalid)
    assert quiet[0] >= 0.8 * quiet[-1]  # every relation, evenly, and those that find something more often
    assert min(row.judged for row in rows if row.violated > 4 and not row.invalid) >= 2 * quiet[-1]
    violated = {finding.relation for finding in run.findings}
    assert {finding.relation for finding in run.findings if finding.confirmed} == violated
    assert sum(finding.shrunk is not None for finding in run.findings) >= 5
    [warning] = [check for check in run.report.health if check.name == "budget"]
    assert "the budget of 1,000 queries is spent on search " in warning.message


def test_a_budget_that_failures_used_up_says_so() -> None:
    """Failures are no answers, so no phase counts them: "the budget of 3 queries is spent on search 1"."""

    def fail(_: Conversation) -> str:
        raise SystemFailure("the service is gone")

    run = mutatis.run(ScriptedSystem(fail), ["Are you open?", "Where are you?"], ["upper-case"], max_queries=3)
    [warning] = [check.message for check in run.report.health if check.name == "budget"]
    told = "the budget of 3 queries is spent, 3 of them on attempts without an answer"
    assert warning == f"the run is not complete: {told}"


@pytest.mark.parametrize("search", ["once", "random", "bandit"])
def test_under_a_budget_the_verdicts_are_the_same_for_every_concurrency_and_when_repeated(
    tmp_path: Path, search: str
) -> None:
    written = []
    for concurrency in (1, 64):
        config = reviews(
            tmp_path / str(concurrency), 120, max_queries=200, concurrency=concurrency, search={"type": search}
        )
        run_config(config, out=tmp_path / f"out{concurrency}", store=tmp_path / f"{concurrency}.db")
        written.append(lines_of(tmp_path / f"out{concurrency}"))
    assert written[0] == written[1]
    again = run_config(config, out=tmp_path / "again", store=tmp_path / "64.db")  # stored answers count, too
    assert lines_of(tmp_path / "again") == written[0]
    assert again.report.run.queries.paid == 0
    (tmp_path / "killed.db").write_bytes((tmp_path / "1.db").read_bytes())
    with closing(sqlite3.connect(tmp_path / "killed.db")) as store, store:  # as if it had been killed in the middle
        store.execute("DELETE FROM answers WHERE key < '8'")  # keys are hashes: about half of them
    resumed = run_config(config, out=tmp_path / "resumed", store=tmp_path / "killed.db")
    assert lines_of(tmp_path / "resumed") == written[0]
    assert 60 < resumed.report.run.queries.paid < 140
    if search == "once":  # a larger budget goes on where it ended
        larger = reviews(tmp_path / "64", 120, max_queries=350, search={"type": search})
        more = run_config(larger, out=tmp_path / "larger", store=tmp_path / "64.db")
        assert set(written[0]) <= set(lines_of(tmp_path / "larger"))  # who speaks waits for the last of its source
        assert more.report.run.queries.paid <= 200


def test_a_budget_that_is_larger_than_the_run_changes_no_verdict(tmp_path: Path) -> None:
    run_config(reviews(tmp_path, 6), out=tmp_path / "whole")
    run_config(reviews(tmp_path, 6, max_queries=5000), out=tmp_path / "budget")
    assert sorted(lines_of(tmp_path / "budget")) == sorted(lines_of(tmp_path / "whole"))


def test_what_findings_do_not_need_goes_back_to_the_search(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def answer(fields):\n    return '0.9'\n", encoding="utf-8")
    config = reviews(tmp_path, 1000, max_queries=600, relations=["tag:robustness"])
    (tmp_path / "bot.py").write_text("def answer(fields):\n    return '0.9'\n", encoding="utf-8")
    run = run_config(config)
    phases = run.report.run.queries.phases
    assert (phases["confirm"], phases["shrink"], run.findings) == (0, 0, [])
    assert phases["search"] >= 600 - 60 - 12  # the noise floor's tenth, and what is not worth giving back
    off = run_config(reviews(tmp_path / "off", 300, max_queries=200, noise_floor=0, confirm=0))
    assert off.report.run.queries.phases["search"] >= 198


def test_shares_of_ones_own_and_the_plan_that_shows_them(tmp_path: Path) -> None:
    reserve = {"noise_floor": 0.05, "confirm": 0.5, "shrink": 0.0}
    config = reviews(tmp_path, 80, max_queries=400, reserve=reserve)
    with Store(None) as store:
        planned = asyncio.run(estimate(assemble(config, store), store)).lines()[-1]
    shares = "search 180, noise floor 20, confirm 200, shrink 0"
    assert planned == f"max_queries           400, stored answers included: {shares} ([reserve])"
    phases = run_config(config).report.run.queries.phases
    assert phases["confirm"] > phases["noise floor"] >= 20
    assert sum(phases.values()) <= 400  # what confirm does not need goes to shrinking, whose share is nothing


@pytest.mark.long
def test_rates_of_a_bandit_come_from_its_even_share_and_are_those_of_an_exhaustive_run(tmp_path: Path) -> None:
    off = {"noise_floor": 0, "confirm": 0, "relations": ["upper-case", "leet", "add-spaces", "misspell"]}
    every = run_config(reviews(tmp_path / "every", 400, **off))
    budget = {"max_queries": 600, "search": {"type": "bandit"}}
    run = run_config(reviews(tmp_path / "bandit", 400, **off, **budget), out=tmp_path / "out")
    truth = {row.relation: row.rate for row in every.summary}
    lines = [json.loads(line) for line in lines_of(tmp_path / "out")]
    for row in run.summary:
        even = [v for v in lines if v["relation"] == row.relation and v["estimates"]]
        judged = [v["outcome"] for v in even if v["outcome"] in ("satisfied", "violated")]
        assert (row.estimate, row.estimated) == ("even", len(judged))
        assert row.rate == pytest.approx(judged.count("violated") / len(judged), abs=1e-6)
        assert row.interval[0] <= truth[row.relation] <= row.interval[1]
        assert row.estimated < row.judged
    assert "rates are estimates from the even share of the search" in run.table()


def test_a_budget_that_ends_while_a_finding_is_shrunk_says_so() -> None:
    def run(max_queries: int | None) -> mutatis.Run:
        system = ScriptedSystem(lambda talk: "0.1" if "CHILD" in talk.messages[-1].content else "0.9")
        return mutatis.run(
            *(system, ["the film was good and not too long for a child"], ["upper-case"]),
            task="sentiment", max_queries=max_queries, settings={"noise_floor": 0, "confirm": 1, "shrink": 20},
        )  # fmt: skip

    whole = run(None).report.run.queries.paid
    for budget in range(4, 2 * whole):
        made = run(budget).report
        is_told = any(check.name == "budget" for check in made.health)
        assert is_told == (made.run.queries.paid < whole), budget
