"""An answer that ended for a reason nobody knows is open; one reply is one choice; what is no number is no text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.errors import SystemFailure
from mutatis.core.system import Conversation, Finish, Message
from mutatis.query import Limits, QueryLayer, Store
from mutatis.query.circuit import FIRST
from mutatis.systems import SYSTEMS
from support.loopback import loopback
from support.server import Act, score, serve

REVIEWS = [{"text": f"Film number {number} was fine."} for number in range(6)]


def rated(body: dict[str, Any]) -> Act:
    """End every answer to a question in capitals by a word of the server's own."""
    shouted = "FILM" in json.dumps(body["messages"])
    return Act(text=score(body), finish="insufficient_system_resource" if shouted else "stop")


def talk() -> Conversation:
    return Conversation(messages=(Message(role="user", content="When?"),), fields={"question": "When?"})


def run(url: str, folder: Path, **system: object) -> None:
    tested = mutatis.system("openai", model="m", base_url=url, **system)
    settings = {"noise_floor": 0, "confirm": 0}
    relations = ["upper-case", "add-spaces"]
    mutatis.run(tested, REVIEWS, relations, task="sentiment", out=folder, settings=settings)


def outcomes(folder: Path, relation: str) -> list[tuple[str, str]]:
    lines = (folder / "verdicts.jsonl").read_text("utf-8").splitlines()
    verdicts = [json.loads(line) for line in lines]
    return [(v["outcome"], v.get("precondition") or "") for v in verdicts if v["relation"] == relation]


def test_an_answer_that_ended_for_an_unknown_reason_is_open_and_named(tmp_path):
    with loopback(answer=rated) as server:
        run(server.url, tmp_path)
        assert outcomes(tmp_path, "upper-case") == [("invalid", "follow-up output: the judge can tell")] * 6
        assert {outcome for outcome, _ in outcomes(tmp_path, "add-spaces")} <= {"satisfied", "violated"}
        lines = (tmp_path / "verdicts.jsonl").read_text("utf-8")
        assert "ended for an unknown reason, 'insufficient_system_resource'" in lines
        asked = server.requests
        run(server.url, tmp_path, ends=["insufficient_system_resource"])
    assert server.requests == asked + 6  # what was open was never served; nothing else is asked again
    assert {outcome for outcome, _ in outcomes(tmp_path, "upper-case")} <= {"satisfied", "violated"}


def test_a_system_whose_every_answer_ends_so_is_given_up_with_the_remedy(tmp_path):
    with loopback(default=Act(text="0.5", finish="abort")) as server:
        run(server.url, tmp_path)
        assert server.requests <= FIRST + 8
    lines = (tmp_path / "verdicts.jsonl").read_text("utf-8")
    assert "set ends = ['abort']" in lines


@pytest.mark.parametrize("word", ["stop", "STOP", "end_turn", "eos_token", "COMPLETE", "tool_calls", "", None])
async def test_a_usual_end_is_whole(word):
    async with serve([Act(raw=json.dumps({"answer": "Nine.", "finish_reason": word}))]) as server:
        system = SYSTEMS["http"](url=f"{server.url}/chat/completions")
        response = await QueryLayer(system, Store(None), Limits(retries=0)).ask(talk())
        await system.close()
    assert (response.text, response.finish) == ("Nine.", Finish.STOP)


async def test_the_choices_of_one_stream_are_not_joined():
    pieces = [(0, "It is"), (1, "We are"), (0, " open."), (1, " closed.")]
    chunks = [{"choices": [{"index": at, "delta": {"content": text}}]} for at, text in pieces]
    chunks += [
        {"choices": [{"index": at, "delta": {}, "finish_reason": end}]} for at, end in ((1, "length"), (0, "stop"))
    ]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    for options in ({"type": "openai", "model": "m", "stream": True}, {"type": "http"}):
        async with serve([Act(raw=body)]) as server:
            kind = options["type"]
            where = {"base_url": server.url} if kind == "openai" else {"url": f"{server.url}/chat/completions"}
            system = SYSTEMS[kind](**{name: value for name, value in options.items() if name != "type"}, **where)
            response = await QueryLayer(system, Store(None), Limits(retries=0)).ask(talk())
            await system.close()
        assert (response.text, response.finish) == ("It is open.", Finish.STOP)


async def test_nan_is_no_text():
    async with serve([Act(raw='{"answer": NaN}')]) as server:
        system = SYSTEMS["http"](url=f"{server.url}/chat/completions")
        with pytest.raises(SystemFailure, match="expected text, found NaN"):
            await QueryLayer(system, Store(None), Limits(retries=0)).ask(talk())
        await system.close()
    with pytest.raises(SystemFailure, match="returned nan"):
        await QueryLayer(SYSTEMS["function"](target=lambda text: float("nan")), Store(None)).ask(talk())
