"""Steps of a trajectory are questions of a budget: in what is let in, in each phase, when a run is repeated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.errors import Retryable
from mutatis.core.system import Conversation, Response
from mutatis.testing import ScriptedSystem

STEPS = 4
MESSAGES = [f"Is there a seat on day {number}?" for number in range(12)]
TOOL = {
    "name": "look",
    "description": "See what is free.",
    "parameters": {"type": "object", "properties": {"day": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
}


def looks_four_times(conversation: Conversation) -> str | Response:
    """Look with another day each time; asked in other words, for another one in the third step."""
    done = sum(message.role == "tool" for message in conversation.messages)
    if done == STEPS:
        return "Done."
    lost = done == 2 and conversation.messages[0].content not in MESSAGES
    return Response(calls=[{"name": "look", "arguments": {"day": "none" if lost else str(done)}}])


def campaign(out: Path, system: Any, max_queries: int | None, **more: Any) -> mutatis.Run:
    record = {"tools": [TOOL], "tool_results": [{"name": "look", "result": "free"}]}
    cases = mutatis.cases([{"message": message, **record} for message in MESSAGES], task="tool-call")
    return mutatis.run(system, cases, ["calls-polite-words"], max_queries=max_queries, out=out, **more)


def verdicts(folder: Path) -> str:
    return (folder / "verdicts.jsonl").read_text("utf-8")


@pytest.mark.parametrize("budget", [100, 150])
def test_every_phase_gets_its_share_and_what_is_begun_is_judged(tmp_path, budget):
    system = ScriptedSystem(looks_four_times)
    queries = campaign(tmp_path, system, budget).report.run.queries
    assert len(system.asked) == queries.paid == sum(queries.phases.values()) <= budget
    # 65 % for the search, at most one follow-up over it: its source and itself, each asked five times.
    assert 0.65 * budget - 10 <= queries.phases["search"] <= 0.65 * budget + 10
    assert queries.phases["noise floor"] >= STEPS + 1
    assert queries.phases["confirm"] >= STEPS + 1
    # Nothing was paid for half a way: each way is five questions.
    assert len(system.asked) % (STEPS + 1) == 0


@pytest.mark.parametrize("budget", [40, 100])
def test_a_run_that_is_repeated_under_its_budget_pays_nothing_and_says_the_same(tmp_path, budget):
    campaign(tmp_path, ScriptedSystem(looks_four_times), budget)
    before, again = verdicts(tmp_path), ScriptedSystem(looks_four_times)
    run = campaign(tmp_path, again, budget)
    assert (len(again.asked), run.report.run.queries.paid) == (0, 0)
    assert verdicts(tmp_path) == before


@pytest.mark.parametrize(("systems", "repeats", "budget"), [(1, 2, 27), (2, 1, 27), (2, 2, 70)])
def test_where_a_budget_ends_within_a_follow_up_does_not_depend_on_who_is_faster(tmp_path, systems, repeats, budget):
    def paid() -> int:
        tested = [ScriptedSystem(looks_four_times, label=f"agent {number}") for number in range(systems)]
        settings = {"repeats": repeats}
        return campaign(tmp_path, tested, budget, settings=settings).report.run.queries.paid

    assert 0 < paid() <= budget
    before = verdicts(tmp_path)
    assert paid() == 0  # stored answers come at once, and in the same order
    assert verdicts(tmp_path) == before


def test_a_larger_budget_pays_for_the_rest_alone_and_ends_where_one_run_does(tmp_path):
    asked = []
    for budget in (60, 150):
        system = ScriptedSystem(looks_four_times)
        campaign(tmp_path / "raised", system, budget)
        asked.append(len(system.asked))
    whole = ScriptedSystem(looks_four_times)
    campaign(tmp_path / "whole", whole, 150)
    assert verdicts(tmp_path / "raised") == verdicts(tmp_path / "whole")
    assert sum(asked) >= len(whole.asked) > asked[0]  # what the small run's later phases asked is not asked again
    assert campaign(tmp_path / "raised", ScriptedSystem("no"), 150, offline=True).report.run.queries.paid == 0


def test_a_step_that_is_sent_again_is_paid_for_again_and_never_over_the_budget(tmp_path):
    failed = []

    def stumbles(conversation: Conversation) -> str | Response:
        if len(conversation.messages) == 5 and not failed:
            failed.append(conversation)
            raise Retryable("HTTP 503")
        return looks_four_times(conversation)

    system = ScriptedSystem(stumbles)
    queries = campaign(tmp_path, system, 40).report.run.queries
    assert queries.retries == len(failed) == 1
    assert queries.paid == len(system.asked) <= 40
