"""A budget of money: a run stops when it is paid, says so, goes on with more, and needs every price."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.api import run_config
from mutatis.config import check
from mutatis.core.errors import UsageError
from support.loopback import loopback
from support.server import Act

BOT = """
from mutatis import Response

def answer(text):
    return Response(text="yes", prompt_tokens=900, completion_tokens=50)
"""

PRICES = {"prompt": 1000.0, "completion": 2000.0, "currency": "EUR"}
"""900 tokens at 1,000 a million and 50 at 2,000: a question costs 1."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "q.txt").write_text("".join(f"Do you have lamp number {number}?\n" for number in range(6)))
    return tmp_path


def run(folder: Path, **more: Any) -> mutatis.Run:
    tables = {
        "relations": ["upper-case"],
        "concurrency": 1,
        "noise_floor": 0,
        "judge": {"measure": "exact"},
        "systems": [{"type": "function", "target": "bot.py:answer", "prices": PRICES}],
        "data": [{"task": "chat", "format": "lines", "path": "q.txt"}],
        **more,
    }
    return run_config(check(tables, folder), store=folder / "store.db")


def test_it_stops_when_the_money_is_spent_and_goes_on_with_more(folder: Path) -> None:
    first = run(folder, max_money=5)
    assert first.report["run"]["queries"]["paid"] == 5
    assert first.report["run"]["money"] == {"EUR": 5.0}
    budget = next(warning for warning in first.report["health"] if warning["name"] == "budget")
    assert budget["message"] == "the run is not complete: the budget of 5 is spent"
    assert "larger max_money" in budget["remedy"]
    more = run(folder, max_money=4)  # what is stored costs nothing
    assert more.report["run"]["queries"]["paid"] == 4
    last = run(folder, max_money=4)
    assert last.report["run"]["queries"]["paid"] == 3
    assert sum(row["satisfied"] for row in last.summary) == 6
    assert "budget" not in {warning["name"] for warning in last.report["health"]}


def test_beside_a_budget_of_questions_the_first_that_is_spent_ends_the_run(folder: Path) -> None:
    assert run(folder, max_money=100, max_queries=4).report["run"]["queries"]["paid"] == 4


def test_where_nobody_can_count_the_money_nothing_is_asked(folder: Path) -> None:
    model = {"type": "openai", "model": "m", "base_url": "http://127.0.0.1:9/v1"}
    with pytest.raises(UsageError, match="max_money needs the prices of openai:m; add prices"):
        run(folder, max_money=1, systems=[model])
    with pytest.raises(UsageError, match="max_money needs the prices of openai:m"):
        run(folder, max_money=1, helper=model)
    with pytest.raises(UsageError, match="max_money needs prices in a single currency; these are in EUR and USD"):
        run(folder, max_money=1, helper={**model, "prices": {"prompt": 1.0, "completion": 1.0}})
    with pytest.raises(UsageError, match="no system has any"):
        run(folder, max_money=1, systems=[{"type": "function", "target": "bot.py:answer"}])


def test_a_retry_is_paid_once_a_cut_off_answer_is_paid_and_a_stored_one_is_not(folder: Path) -> None:
    model = {"type": "openai", "model": "m", "retries": 2, "prices": {"prompt": 1e6, "completion": 1e6}}
    script = [Act(status=500), Act(text="yes"), Act(text="yes", finish="length")]  # 10 tokens an answer
    with loopback(script, default=Act(text="yes")) as server:
        (folder / "q.txt").write_text("Is it open?\n")
        first = run(folder, systems=[{**model, "base_url": server.url}])
        assert server.requests == 3
        assert first.report.run.money == {"USD": 20.0}
        assert first.report.run.systems[0].answer["money"] == 10.0
        again = run(folder, systems=[{**model, "base_url": server.url}])  # the answer that was cut off was no failure
    assert again.report.run.money == {"USD": 0.0}
    assert again.report.run.systems[0].answer["money"] == 10.0


AGENT = """
from mutatis import Response

def answer(messages):
    done = sum(message["role"] == "tool" for message in messages)
    calls = [{"name": "look", "arguments": {"day": str(done)}}] if done < 4 else []
    return Response(text="" if calls else "Done.", calls=calls, prompt_tokens=900, completion_tokens=50)
"""


def test_steps_of_an_agent_cost_money_and_more_of_it_pays_for_the_rest_alone(folder: Path) -> None:
    (folder / "agent.py").write_text(AGENT)
    look = {"name": "look", "parameters": {"type": "object", "properties": {"day": {"type": "string"}}}}
    record = {"tools": [look], "tool_results": [{"name": "look", "result": "free"}]}
    lines = [json.dumps({"message": f"Is there a seat on day {day}?", **record}) for day in range(4)]
    (folder / "days.jsonl").write_text("\n".join(lines))
    agent = {
        "relations": ["calls-polite-words"],
        "judge": {},
        "concurrency": 4,
        "systems": [{"type": "function", "target": "agent.py:answer", "input": "messages", "prices": PRICES}],
        "data": [{"task": "tool-call", "format": "jsonl", "path": "days.jsonl"}],
    }
    paid = []
    for money in (13, 100):
        report = run(folder, max_money=money, **agent).report.run
        assert report.money == {"EUR": float(report.queries.paid)}
        paid.append(report.queries.paid)
    assert 13 <= paid[0] <= 13 + 4  # over by what is on the wire at most
    assert sum(paid) == 4 * 2 * 5  # four sources and their follow-ups, each asked five times: nothing twice
