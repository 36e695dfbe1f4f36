"""Where entries of the dictionary are drawn, a run writes the same bytes whatever the system, the order and the end."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.cases import Turn
from mutatis.core.system import Conversation, Response
from mutatis.records.bundle import unpacked, write_bundle
from mutatis.testing import ScriptedSystem
from support.canaries import CANARY
from support.loopback import loopback

PRICES = {"Basic": 9, "Green Flex": 12, "Night Saver": 8, "Sun Share": 15}
QUESTIONS = [
    "How much is Green Flex a month?",
    "Which tariffs are there?",
    "What does Basic cost?",
    "Can I get Night Saver for 2 people?",
    "What are the names of your tariffs?",
    "Is Sun Share for people from 18 years?",
]
RELATIONS = ["ask-of-two", "another-value", "it-for-name", "and-for-another", "ask-after-another", "ask-with-another"]
NEEDED = {"ask-of-two": {"alone"}, "turn-condition": {"left out"}}
FILES = ("verdicts.jsonl", "findings.jsonl", "repertoire.jsonl", "dictionary.json")


def reply(said: Sequence[str]) -> str:
    """Answer the last message, with the name of an earlier one where it has none; the first tariff is dearer later."""
    text = said[-1]
    if "tariffs" in text:
        return "We have Basic, Green Flex, Night Saver and Sun Share."
    named = [name for message in said for name in PRICES if name in message]
    here = [name for name in PRICES if name in text]
    if not named:
        return "Which tariff do you mean?"
    name = (here or named)[-1]
    price = PRICES[name] + (len(said) > 1 and name == "Basic")
    return f"{name} costs {price} EUR a month, from 18 years."


class Talking:
    """A bot that keeps the dialogue itself."""

    label = "bot"
    identity = {"type": "talking"}  # noqa: RUF012 - the protocol wants it

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Any]:
        said: list[str] = []

        class Talk:
            async def send(self, turn: Turn) -> Response:
                said.append(turn.fields["message"])
                return Response(text=reply(said))

        yield Talk()


def told(conversation: Conversation) -> str:
    return reply([message.content for message in conversation.messages if message.role == "user"])


SYSTEMS = {"history": lambda: ScriptedSystem(told, "bot"), "sessions": Talking}


def run(system: Any, out: Path, questions: Sequence[str] = QUESTIONS, **more: Any) -> dict[str, bytes]:
    mutatis.run(system, list(questions), RELATIONS, task="chat", out=out, **more)
    return {name: (out / name).read_bytes() for name in FILES}


@pytest.mark.parametrize("max_queries", [None, 60])
@pytest.mark.parametrize("kind", list(SYSTEMS))
def test_the_bytes_are_the_same_at_any_concurrency_and_when_half_of_the_answers_are_lost(tmp_path, kind, max_queries):
    wholes = []
    for number in (1, 16):
        more = {"store": tmp_path / f"{number}.db", "settings": {"concurrency": number}, "max_queries": max_queries}
        wholes.append(run(SYSTEMS[kind](), tmp_path / f"at {number}", **more))
    assert wholes[0] == wholes[1]
    with closing(sqlite3.connect(tmp_path / "16.db")) as store, store:  # as if it had been killed in the middle
        store.execute("DELETE FROM answers WHERE key < '8'")
    assert run(SYSTEMS[kind](), tmp_path / "resumed", **more) == wholes[0]
    made = [json.loads(line) for line in wholes[0]["verdicts.jsonl"].splitlines()]
    judged = {verdict["relation"] for verdict in made if verdict["followups"]}
    assert {"ask-of-two", "ask-after-another"} <= judged


@pytest.mark.parametrize("max_queries", [None, 60])
@pytest.mark.parametrize("mine", [False, True], ids=["baseline", "baseline and file"])
def test_entries_from_before_the_run_are_used_first_and_alike_however_it_is_asked(tmp_path, mine, max_queries):
    """The dictionary of a baseline that saw three tariffs of four, and a file of the user's with a fifth."""

    def early(conversation: Conversation) -> str:
        text = reply([message.content for message in conversation.messages if message.role == "user"])
        return "We have Basic, Green Flex and Night Saver." if "tariffs" in conversation.messages[-1].content else text

    plain = {"task": "chat", "out": tmp_path / "before", "settings": {"noise_floor": 0}}
    mutatis.run(ScriptedSystem(early, "bot"), QUESTIONS[:3], ["ask-of-two"], **plain)
    seen = (tmp_path / "before" / "dictionary.json").read_text("utf-8")
    assert "Night Saver" in seen
    assert "Sun Share" not in seen
    (tmp_path / "mine.json").write_text('{"names": [{"names": ["Basic", "Wind Shift"]}]}', "utf-8")
    (tmp_path / "questions.txt").write_text("\n".join(QUESTIONS), "utf-8")
    data = {"task": "chat", "format": "lines", "path": str(tmp_path / "questions.txt")}
    tables = {
        "data": {**data, "dictionary": str(tmp_path / "mine.json")} if mine else data,
        "gate": {"baseline": str(tmp_path / "before")},
        "relations": RELATIONS,
    }

    def run_with(out: str, **more: Any) -> dict[str, bytes]:
        settings = {**tables, "concurrency": more.pop("concurrency", 4)}
        mutatis.run(
            ScriptedSystem(told, "bot"), None, settings=settings, out=tmp_path / out, max_queries=max_queries, **more
        )
        return {name: (tmp_path / out / name).read_bytes() for name in FILES}

    alone = run_with("one", concurrency=1, store=tmp_path / "one.db")
    assert run_with("many", concurrency=16, store=tmp_path / "many.db") == alone
    assert run_with("stored", offline=True, store=tmp_path / "many.db") == alone
    with closing(sqlite3.connect(tmp_path / "many.db")) as store, store:
        store.execute("DELETE FROM answers WHERE key < '8'")
    assert run_with("resumed", store=tmp_path / "many.db") == alone
    first = [json.loads(line) for line in alone["verdicts.jsonl"].splitlines()]
    exchanged = [
        (each["derivation"]["draw"], each["input"]["message"])
        for verdict in first
        if verdict["relation"] == "ask-of-two" and verdict["source_input"]["message"] == "What does Basic cost?"
        for each in verdict["followups"]
    ]
    assert exchanged
    assert not any("Sun Share" in message for draw, message in exchanged if draw == 0)
    written = b"".join(alone.values()).decode()
    assert "Sun Share" in written
    assert ("Wind Shift" in written) is mine


def follow_ups(folder: Path) -> dict[str, set[str]]:
    """Return what was made of each question."""
    made: dict[str, set[str]] = {}
    for line in map(json.loads, (folder / "verdicts.jsonl").read_text("utf-8").splitlines()):
        texts = made.setdefault(line["source_input"]["message"], set())
        texts.update(json.dumps([line["relation"], each["input"]]) for each in line["followups"])
    return made


JOINING = ["Are you open on Sundays?", "Do you sell gas?", "Can I pay by card?"]
"""Questions without a name or a value of any kind, so that they add no entry."""


@pytest.mark.parametrize("place", [0, 3, 6])
def test_questions_that_join_and_another_order_move_no_exchange_of_names_and_values(tmp_path, place):
    before, after = tmp_path / "before", tmp_path / "after"
    order = QUESTIONS[place:][::-1] + QUESTIONS[:place]
    names = ["ask-of-two", "another-value"]
    plain = {"task": "chat", "settings": {"confirm": 0, "noise_floor": 0}}
    mutatis.run(ScriptedSystem(told, "bot"), QUESTIONS, names, out=before, **plain)
    mutatis.run(ScriptedSystem(told, "bot"), [*order[:place], *JOINING, *order[place:]], names, out=after, **plain)
    first, second = follow_ups(before), follow_ups(after)
    assert any(first.values())
    assert {question: second[question] for question in first} == first


def test_a_secret_that_a_reply_repeats_is_in_no_file_and_no_bundle(tmp_path, monkeypatch):
    monkeypatch.setenv("BOT_KEY", CANARY)

    def leaking(body: dict[str, Any]) -> str:
        text = body["messages"][-1]["content"]
        return f"{reply([text])} Your key is {CANARY}, and {CANARY} (Basic) costs 9 EUR."

    with loopback(answer=leaking) as server:
        system = {"type": "openai", "model": "m", "base_url": server.url, "headers": {"X-Key": "env:BOT_KEY"}}
        (tmp_path / "questions.txt").write_text("\n".join(QUESTIONS), "utf-8")
        data = {"task": "chat", "format": "lines", "path": str(tmp_path / "questions.txt")}
        tables = {"system": system, "data": data, "relations": RELATIONS}
        mutatis.run(None, None, settings=tables, out=tmp_path / "out", store=tmp_path / "store.db")
    assert "Night Saver" in (tmp_path / "out" / "dictionary.json").read_text("utf-8")
    bundle = write_bundle([tmp_path / "out"], tmp_path / "run.zip")
    opened = unpacked(bundle, tmp_path / "home")
    packed = {path.name: path.read_bytes() for path in opened.rglob("*") if path.is_file()}
    assert "dictionary.json" in packed
    written = {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path != bundle}
    assert not [name for name, content in [*packed.items(), *written.items()] if CANARY.encode() in content]


@pytest.mark.parametrize("relation", ["ask-of-two", "turn-condition"])
def test_a_finding_on_several_follow_ups_of_one_question_is_confirmed(tmp_path, relation):
    """The system's answers to one of two tariffs alone, and to the question without its condition, are asked again."""

    def one_price(conversation: Conversation) -> str:
        text = conversation.messages[-1].content
        if "student" in text:
            return "Students pay 7 EUR a month."
        return "Basic costs 9 EUR a month." if "Basic" in text else reply([text])

    questions = [*QUESTIONS, "I am a student. What does Sun Share cost a month?"]
    out = tmp_path / "run"
    result = mutatis.run(ScriptedSystem(one_price, "bot"), questions, [relation], task="chat", out=out)
    findings = [finding for finding in result.report.findings if finding.relation == relation]
    assert findings
    assert {finding.confirmed for finding in findings} == {True}
    assert all({follow_up.role for follow_up in finding.followups} >= NEEDED[relation] for finding in findings)
