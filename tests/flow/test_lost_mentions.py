"""An edit that destroys an entity changes the task: the report gives the rate with and without such follow-ups."""

from __future__ import annotations

import mutatis
from mutatis.core.cases import Case, Turn
from mutatis.core.system import Conversation
from mutatis.testing import ScriptedHelper, ScriptedSystem


def in_the_text(conversation: Conversation) -> str:
    """Name a relation only while both entities stand in the text."""
    fields = conversation.fields
    return "capital" if fields["head"] in fields["text"] and fields["tail"] in fields["text"] else "no relation"


def cases() -> list[Case]:
    fields = {"text": "Paris lies in France and is old.", "head": "Paris", "tail": "France"}
    marked = {"protected": {"entities": ["Paris", "France"]}}
    return [Case(id=f"re/{i}", turns=(Turn(fields=fields, annotations=marked),)) for i in range(30)]


def test_both_figures_are_given() -> None:
    run = mutatis.run(ScriptedSystem(in_the_text), cases(), ["upper-case"], task="relation-extraction", judge="exact")
    [row] = run.summary
    assert row["violated"] == 30
    assert row["lost_mentions"].to_json() == {"judged": 30, "violated": 30}
    [warning] = [check for check in run.report["health"] if check["name"] == "lost-mentions"]
    assert "30 of 30 violations lost a marked entity" in warning["message"]
    assert "of those that keep all, 0 of 0 are violated" in warning["message"]


def test_nothing_is_said_where_nothing_is_lost() -> None:
    run = mutatis.run(
        ScriptedSystem(in_the_text), cases(), ["random-sentence"], task="relation-extraction", judge="exact"
    )
    assert run.summary[0]["lost_mentions"].to_json() == {"judged": 0, "violated": 0}
    assert not [check for check in run.report["health"] if check["name"] == "lost-mentions"]


def test_a_value_written_in_another_form_on_purpose_is_not_lost() -> None:
    tool = {"name": "look_up", "parameters": {"type": "object", "properties": {"date": {"type": "string"}}}}
    requests = mutatis.cases([{"message": "Is anything free on 5 December?", "tools": [tool]}], task="tool-call")

    def first_seen(conversation: Conversation) -> mutatis.Response:
        date = "5 December" if "5 December" in conversation.fields["message"] else "1 May"
        return mutatis.Response(calls=[{"name": "look_up", "arguments": {"date": date}}])

    chosen = ["calls-write-otherwise", "exchange-argument"]
    rows = {row["relation"]: row for row in mutatis.run(ScriptedSystem(first_seen), requests, chosen).summary}
    assert all(rows[name]["violated"] for name in chosen)
    assert not any(row["lost_mentions"]["judged"] for row in rows.values())


def test_a_value_asked_for_instead_is_not_lost() -> None:
    tool = {"name": "look_up", "parameters": {"type": "object", "properties": {"people": {"type": "integer"}}}}
    result = {"name": "look_up", "result": "yes"}
    request = {"message": "Is a room free for 3 people?", "tools": [tool], "tool_results": [result]}

    def for_three(conversation: Conversation) -> mutatis.Response:
        if conversation.messages[-1].role == "tool":
            return mutatis.Response(text="Yes.")
        return mutatis.Response(calls=[{"name": "look_up", "arguments": {"people": 3}}])

    cases = mutatis.cases([request], task="tool-call")
    [row] = mutatis.run(ScriptedSystem(for_three), cases, ["and-for-new-value"]).summary
    assert row["violated"] == 3
    assert row["lost_mentions"].to_json() == {"judged": 0, "violated": 0}


def unwanted(prompt: str) -> str:
    raise AssertionError("the helper was asked")


def test_a_question_about_other_entities_has_lost_none() -> None:
    silent = ScriptedSystem({"*": "no relation"})  # sees none anywhere, so exchanged entities must give the same answer
    helper = ScriptedHelper(unwanted)
    run = mutatis.run(silent, cases(), ["swap-symmetric"], task="relation-extraction", judge="exact", helper=helper)
    assert run.summary[0]["satisfied"] == 30
    assert run.summary[0]["lost_mentions"]["judged"] == 0
