"""Dialogue systems behind endpoints and sessions: the configurations of the documentation, failures, resume."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from aiohttp import web

import mutatis
from mutatis.api import Run, run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.config import check
from mutatis.query import Store
from mutatis.testing import ScriptedSystem
from support.server import serve

DOCS = Path(__file__).parents[2] / "docs" / "mortar.md"


def documented(number: int, url: str, dialogues: int) -> dict:
    """A configuration as the documentation gives it, on the shipped dialogues and a server of this test."""
    text = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.S)[number]
    tables = tomllib.loads(text.replace("http://127.0.0.1:8000", url))
    tables["data"] |= {"path": str(mutatis.sample("dialogues")), "limit": dialogues}
    tables |= {"judge": {"measure": "exact"}, "noise_floor": 0, "confirm": 0, "shrink": 0}
    tables["system"] |= {"retries": 0}
    return tables


async def run(tables: dict, store: Path | None = None) -> Run:
    with Store(store) as answers:
        return await run_campaign(assemble(check(tables), answers), folder=None)


async def test_an_endpoint_is_tested_with_the_documented_file() -> None:
    async with serve() as server:
        result = await run(documented(0, server.url.removesuffix("/v1"), 2))
        asked = server.requests
    [figures] = result.report["metrics"]["mortar"]["systems"].values()
    assert figures["test_cases"] == 10
    assert result.report["run"]["queries"]["paid"] == asked < result.report["run"]["queries"]["logical"]
    roles = [message["role"] for message in server.bodies[-1]["messages"]]
    assert roles[-1] == "user"
    assert "assistant" in [message["role"] for body in server.bodies for message in body["messages"]]


class Bot:
    """Keeps its dialogues; answers with the number of the question in its session; fails on one question."""

    def __init__(self, fails_on: str = "") -> None:
        self.sessions: dict[str, list[str]] = {}
        self.fails_on = fails_on

    async def start(self, request: web.Request) -> web.Response:
        name = f"s{len(self.sessions)}"
        self.sessions[name] = []
        return web.json_response({"id": name})

    async def reply(self, request: web.Request) -> web.Response:
        question = (await request.json())["q"]
        if question == self.fails_on:
            return web.json_response({"error": "no"}, status=400)
        asked = self.sessions[request.match_info["name"]]
        asked.append(question)
        return web.json_response({"text": f"answer {len(asked)}"})

    @property
    def routes(self) -> list[web.RouteDef]:
        return [web.post("/start", self.start), web.post("/bot/{name}", self.reply)]


async def test_a_bot_with_sessions_fails_in_the_middle_and_the_run_is_resumed(tmp_path: Path) -> None:
    cases = mutatis.read_cases("coqa", mutatis.sample("dialogues"), limit=2)
    bot = Bot(cases[1].turns[4].fields["question"])
    async with serve(extra=bot.routes) as server:
        tables = documented(1, server.url.removesuffix("/v1"), 2)
        first = await run(tables, tmp_path / "answers.db")
        whole = len(bot.sessions)
        bot.fails_on = ""
        second = await run(tables, tmp_path / "answers.db")
        again = len(bot.sessions) - whole
        third = await run(tables, tmp_path / "answers.db")
        assert len(bot.sessions) == whole + again
    errors = [sum(row["error"] for row in result.summary) for result in (first, second, third)]
    assert errors[0] > 0
    assert errors[1:] == [0, 0]
    # The first dialogue and its five follow-ups were answered; only dialogues that hold the failing question are
    # asked again, each whole.
    assert 0 < again <= 6
    assert whole >= 12 - 1
    assert third.report["run"]["queries"]["paid"] == 0
    assert second.report["summary"] == third.report["summary"]
    [figures] = first.report["metrics"]["mortar"]["systems"].values()
    assert figures["test_cases"] == 10  # errors are detections too
    assert all(len(set(said)) <= len(said) for said in bot.sessions.values())


async def test_a_failing_turn_of_a_stateless_system_breaks_only_what_follows(tmp_path: Path) -> None:
    cases = mutatis.read_cases("coqa", mutatis.sample("dialogues"), limit=1)
    failing = cases[0].turns[3].fields["question"]

    def answer(conversation):
        question = conversation.fields["question"]
        return mutatis.SystemFailure("boom") if question == failing else str(conversation.turn)

    events: list = []
    result = await mutatis.run_async(
        ScriptedSystem(answer), cases, ["context-preserving", "inner-consistency"],
        task="dialogue", judge="exact", settings={"confirm": 0}, on_event=events.append, out=tmp_path,
    )  # fmt: skip
    rows = {row["relation"]: row for row in result.summary}
    assert rows["context-preserving"]["error"] > 0
    assert rows["context-preserving"]["satisfied"] + rows["context-preserving"]["violated"] > 0
    reasons = (tmp_path / "verdicts.jsonl").read_text()
    assert "boom" in reasons
    assert "history broken" in reasons
    assert rows["inner-consistency"]["satisfied"] + rows["inner-consistency"]["violated"] > 0
