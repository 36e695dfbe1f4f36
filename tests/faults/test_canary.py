"""A key is put wherever a key can be, a server sends it back in every way it can: no file that is written has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from mutatis.api import run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.config import check
from mutatis.query import Store
from mutatis.records.bundle import unpacked
from mutatis.reports.forms import write
from support.canaries import CANARY, HEADERS, PATH, QUERY, REQUEST, leaked
from support.server import serve

PLACES: dict[str, Callable[[str], dict[str, Any]]] = {
    "key from the environment": lambda url: openai(url, api_key_env="CANARY"),
    "header from the environment": lambda url: openai(url, headers={"X-Team": "env:CANARY"}),
    "header written out": lambda url: openai(url, headers={"X-Api-Key": CANARY, "Authorization": f"Bearer {CANARY}"}),
    "extra body": lambda url: openai(url, extra_body={"auth": {"value": CANARY}, "token": CANARY}),
    "address": lambda url: http(f"{url}/chat/completions?api_key={CANARY}&x=1"),
    "request template": lambda url: http(
        f"{url}/chat/completions", request={"auth": {"token": CANARY}, "token": CANARY, "messages": "{messages}"}
    ),
    "header of a bot": lambda url: http(f"{url}/chat/completions", headers={"Cookie": f"session={CANARY}"}),
    "label": lambda url: {**http(f"{url}/chat/completions?token={CANARY}"), "label": f"bot {CANARY}"},
    "start of a session": lambda url: http(
        f"{url}/chat/completions",
        session_start={"url": f"{url}/chat/completions", "request": {"secret": CANARY}, "response": "id"},
    ),
}


KNOWN = {"X-Api-Key": CANARY}
"""What the servers send back on their own."""

OTHER_NAMES: dict[str, Callable[[str], dict[str, Any]]] = {
    "address by other names": lambda url: http(f"{url}/chat/completions{QUERY}", headers=KNOWN),
    "address by its path": lambda url: http(f"{url}/{PATH}/chat/completions", headers=KNOWN),
    "headers by other names": lambda url: openai(url, headers={**KNOWN, **HEADERS}),
    "request by other names": lambda url: http(
        f"{url}/chat/completions", headers=KNOWN, request={**REQUEST, "messages": "{messages}"}
    ),
}
"""Places that are found by less common names, by what stands around them, or by guess."""


def openai(url: str, **options: Any) -> dict[str, Any]:
    return {"type": "openai", "model": "m", "base_url": url, **options}


def http(url: str, **options: Any) -> dict[str, Any]:
    return {"type": "http", "url": url, "response": "choices.0.message.content", **options}


def completion(text: str, **more: Any) -> dict[str, Any]:
    return {"id": "s1", "choices": [{"message": {"content": text}, "finish_reason": "stop"}], **more}


async def echo(request: web.Request) -> str:
    """Everything that was sent."""
    return f"{dict(request.headers)} {request.path_qs} {await request.text()}"


async def in_an_answer(request: web.Request) -> web.Response:
    return web.json_response(completion(f"0.5 {await echo(request)}"))


def cut(number: int) -> Callable[[web.Request], Any]:
    async def in_an_error(request: web.Request) -> web.Response:
        said = "x" * number + " ".join(CANARY for _ in range(3)) + await echo(request)
        return web.json_response({"error": {"message": said, "code": CANARY}}, status=400)

    return in_an_error


async def denied(request: web.Request) -> web.Response:
    return web.Response(text=f"wrong key {await echo(request)}", status=401)


async def moved(request: web.Request) -> web.Response:
    return web.Response(status=307, headers={"Location": f"http://elsewhere/?key={CANARY}"})


async def no_json(request: web.Request) -> web.Response:
    return web.Response(text=" " * 790 + f"{{{CANARY} {await echo(request)}")


async def no_choices(request: web.Request) -> web.Response:
    return web.json_response({CANARY: await echo(request)})


async def dropped(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


SERVERS = {
    "answer": in_an_answer,
    **{f"error after {number}": cut(number) for number in (0, 100, 150, 190)},
    "denied": denied,
    "moved": moved,
    "no JSON": no_json,
    "no choices": no_choices,
    "dropped": dropped,
}


@pytest.mark.parametrize("place", [*PLACES, *OTHER_NAMES])
async def test_the_key_is_in_no_file_of_runs_that_succeed_and_runs_that_fail(place, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CANARY", CANARY)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    # How a server sends something back is the same for all that is known to be secret: three ways are enough for some.
    servers = SERVERS if place in PLACES else {name: SERVERS[name] for name in ("answer", "error after 150", "no JSON")}
    for number, server in enumerate(servers.values()):
        routes = [web.post(f"/v{number}/{{path:.*}}", server)]
        async with serve(extra=routes) as running:
            base = running.url.replace("/v1", f"/v{number}")
            await campaign({**PLACES, **OTHER_NAMES}[place](base), tmp_path / str(number))
    said = "".join(capsys.readouterr())
    assert not leaked(said.encode()), "on the terminal"
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"verdicts.jsonl", "report.json", "report.html", "junit.xml", "store.db"} <= {path.name for path in written}
    for path in written:
        assert not leaked(path.read_bytes()), f"{path.relative_to(tmp_path)}: {leaked(path.read_bytes())}"


async def campaign(system: dict[str, Any], folder: Path) -> None:
    folder.mkdir()
    data = folder / "reviews.jsonl"
    data.write_text(json.dumps({"text": "a fine film."}) + "\n")
    tables = {
        "system": {**system, "retries": 0},
        "data": {"task": "sentiment", "format": "jsonl", "path": str(data)},
        "relations": ["upper-case"],
        "noise_floor": 1,
    }
    with Store(folder / "out" / "store.db") as store:
        run = await run_campaign(assemble(check(tables), store), folder=folder / "out")
    print(run.table())
    print("".join(run.show(finding.id)._repr_html_() for finding in run.findings))
    write(run.report, folder / "grid.html", folder / "out", form="grid")
    run.save(folder / "run.zip")  # packed: what is looked at is what it unpacks to
    unpacked(folder / "run.zip", folder)
