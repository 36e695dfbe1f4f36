"""Whole campaigns against a server with faults: each ends as the right outcome, and the rest goes on."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mutatis.api import Run, run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.config import check
from mutatis.query import Store
from mutatis.reports.passing import untested
from support.server import Act, Server, score, serve

KEY = "sk-loopback-5f3a9c"
NUMBER = 5


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Waits between tries are noted and not waited; the server's short delays are."""
    noted: list[float] = []
    sleep = asyncio.sleep

    async def noting(seconds: float, result: Any = None) -> Any:
        if 0 < seconds < 0.3:
            return await sleep(seconds, result)
        if seconds:
            noted.append(seconds)
        return await sleep(0, result)

    monkeypatch.setattr(asyncio, "sleep", noting)
    return noted


async def campaign(server: Server | str, folder: Path, **options: Any) -> Run:
    """Five reviews, one relation: ten questions one after the other, the sources first."""
    data = folder / "reviews.jsonl"
    data.write_text("".join(json.dumps({"text": f"film number {i} was fine."}) + "\n" for i in range(NUMBER)))
    system = {
        "type": "openai",
        "model": "m",
        "base_url": server if isinstance(server, str) else server.url,
        "api_key_env": "LOOPBACK_KEY",
        "concurrency": 1,
        **options.pop("system", {}),
    }
    config = check(
        {
            "system": system,
            "data": {"task": "sentiment", "format": "jsonl", "path": str(data)},
            "relations": ["upper-case"],
            "noise_floor": 0,
            "confirm": 0,
            "shrink": 0,
            **options,
        }
    )
    with Store(folder / "out" / "store.db") as store:
        return await run_campaign(assemble(config, store), folder=folder / "out")


def outcomes(folder: Path) -> Counter[str]:
    return Counter(line["outcome"] for line in verdicts(folder))


def verdicts(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "out" / "verdicts.jsonl").read_text().splitlines()]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_KEY", KEY)


@pytest.fixture(autouse=True)
def no_secrets(tmp_path: Path) -> Any:
    """After every test: the key is in none of the files that were written."""
    yield
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "verdicts.jsonl" for path in written)
    assert any(path.name == "store.db" for path in written)
    for path in written:
        assert KEY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize(
    ("script", "waited"),
    [
        ([Act(status=429, retry_after="7")], [7.0]),
        ([Act(status=429, retry_after="3"), Act(status=429, retry_after="2")], [3.0, 2.0]),
        ([Act(status=429)], [0.5]),
        ([Act(status=500), Act(status=503), Act(status=502)], [0.5, 1.0, 2.0]),
        ([Act(cut="before")], [0.5]),
        ([Act(cut="inside")], [0.5]),
    ],
    ids=["429", "429 twice", "429 without a time", "three server faults", "cut before", "cut inside"],
)
async def test_passing_faults_leave_no_trace_in_the_verdicts(tmp_path, waits, script, waited):
    async with serve(script, answer=score) as server:
        run = await campaign(server, tmp_path, system={"timeout": 20.0})
    assert waits == waited
    assert outcomes(tmp_path)["error"] == 0
    assert sum(outcomes(tmp_path).values()) == NUMBER
    assert server.requests == 2 * NUMBER + len(script)
    assert run.report["run"]["queries"]["paid"] >= 2 * NUMBER + len(waited)


async def test_a_question_whose_time_is_up_is_asked_again(tmp_path, waits, monkeypatch):
    """The time of the first try is up as soon as the server has it, whatever the clock says."""
    limited, ending = asyncio.timeout, []

    async def end(limit: asyncio.Timeout) -> None:
        while not server.requests:
            await asyncio.sleep(0)
        limit.reschedule(0.0)

    def timeout(seconds: float | None) -> asyncio.Timeout:
        limit = limited(seconds)
        if seconds == 77.0 and not ending:  # the limit of a question, and the first one
            ending.append(asyncio.create_task(end(limit)))
        return limit

    monkeypatch.setattr(asyncio, "timeout", timeout)
    async with serve([Act(silent=True)], answer=score) as server:
        run = await campaign(server, tmp_path, system={"timeout": 77.0})
        server.released.set()
    assert waits == [0.5]
    assert outcomes(tmp_path)["error"] == 0
    assert server.requests == run.report["run"]["queries"]["paid"] == 2 * NUMBER + 1


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (Act(raw="{"), "not JSON"),
        (Act(raw="[]"), "no choices"),
        (Act(raw='{"choices": []}'), "no choices"),
        (Act(text=""), "empty answer"),
        (Act(text="0.5", finish="content_filter"), "content filter"),
        (Act(text="0.5", finish="length"), "max_tokens"),
        (Act(status=400, error={"message": "too long", "code": "context_length_exceeded"}), "too long"),
        (Act(status=400, error={"message": "no", "code": "content_filter"}), "content filter"),
        (Act(text="I would rather not say."), "not parsed"),
        (Act(text="y", size=2**20), "not parsed"),
    ],
)
async def test_a_lasting_fault_is_one_error_and_the_rest_goes_on(tmp_path, waits, act, says):
    async with serve([act], answer=score) as server:
        await campaign(server, tmp_path)
    assert outcomes(tmp_path)["error"] == 1
    assert sum(outcomes(tmp_path).values()) == NUMBER
    [line] = [line for line in verdicts(tmp_path) if line["outcome"] == "error"]
    assert says in line["reason"]
    assert waits == []
    assert server.requests == 2 * NUMBER


async def test_what_failed_is_asked_again_by_the_next_run_and_nothing_else(tmp_path, waits):
    async with serve([Act(raw="{"), Act(text="")], answer=score) as server:
        await campaign(server, tmp_path)
        assert outcomes(tmp_path)["error"] > 0
        before = server.requests
        await campaign(server, tmp_path)
    assert outcomes(tmp_path)["error"] == 0
    assert server.requests == before + 2


async def test_what_was_cut_off_is_paid_and_not_bought_again_by_the_next_run(tmp_path, waits):
    async with serve([Act(text="0.5", finish="length")], answer=score) as server:
        await campaign(server, tmp_path)
        before = server.requests
        run = await campaign(server, tmp_path)
    assert outcomes(tmp_path)["error"] == 1
    assert server.requests == before
    assert run.report["run"]["queries"]["paid"] == 0


async def test_an_answer_of_a_megabyte_is_judged_like_any_other(tmp_path):
    data = tmp_path / "questions.jsonl"
    data.write_text(json.dumps({"context": "Ann lives in Rome.", "question": "Where does Ann live?"}) + "\n")
    async with serve(default=Act(text="in Rome", size=2**20)) as server:
        await campaign(
            server,
            tmp_path,
            data={"task": "question-answering", "format": "jsonl", "path": str(data)},
            judge={"measure": "exact"},
        )
    assert outcomes(tmp_path) == {"satisfied": len(verdicts(tmp_path))}
    # Told once: the verdicts hold its beginning, the store the whole.
    told = verdicts(tmp_path)[0]["source_output"]["text"]
    assert told.startswith("in Rome")
    assert "1,048,576 characters in all, sha256 " in told
    assert len(told) < 11_000
    assert (tmp_path / "out" / "verdicts.jsonl").stat().st_size < 200_000


@pytest.mark.parametrize("status", [401, 403])
async def test_a_wrong_key_is_asked_once_and_told_once(tmp_path, waits, status):
    refusal = Act(status=status, error={"message": f"Incorrect API key provided: {KEY}"})
    async with serve(default=refusal) as server:
        run = await campaign(server, tmp_path)
    assert server.requests == 1
    assert waits == []
    assert outcomes(tmp_path) == {"error": NUMBER}
    assert "openai:m" in str(untested(run.report))
    assert all("LOOPBACK_KEY" in line["reason"] for line in verdicts(tmp_path))


async def test_a_wrong_key_with_many_connections_is_asked_at_most_once_on_each(tmp_path):
    async with serve(default=Act(status=401)) as server:
        await campaign(server, tmp_path, system={"concurrency": 4})
    assert server.requests <= 4


async def test_a_wrong_key_is_not_hidden_by_follow_ups_that_are_invalid_anyway(tmp_path):
    data = tmp_path / "loud.jsonl"
    data.write_text("".join(json.dumps({"text": text}) + "\n" for text in ("LOUD", "quiet")))
    async with serve(default=Act(status=401)) as server:
        run = await campaign(server, tmp_path, data={"task": "sentiment", "format": "jsonl", "path": str(data)})
    assert outcomes(tmp_path) == {"invalid": 1, "error": 1}
    assert untested(run.report)


async def test_one_system_of_two_that_refuses_is_told(tmp_path):
    async with serve(answer=score) as good, serve(default=Act(status=401)) as bad:
        systems = [
            {"type": "openai", "model": name, "base_url": server.url, "api_key_env": "LOOPBACK_KEY"}
            for name, server in (("good", good), ("bad", bad))
        ]
        tables = {"systems": systems, "relations": ["upper-case"], "noise_floor": 0}
        data = tmp_path / "reviews.jsonl"
        data.write_text('{"text": "fine."}\n')
        tables["data"] = {"task": "sentiment", "format": "jsonl", "path": str(data)}
        with Store(tmp_path / "out" / "store.db") as store:
            run = await run_campaign(assemble(check(tables), store), folder=tmp_path / "out")
    rows = {row["system"]: (row["error"], row["satisfied"] + row["violated"]) for row in run.summary}
    assert rows == {"openai:good": (0, 1), "openai:bad": (1, 0)}
    assert "openai:bad" in str(untested(run.report))


async def test_an_unreachable_server_is_given_up_and_told(tmp_path, waits, unused_tcp_port):
    run = await campaign(f"http://127.0.0.1:{unused_tcp_port}/v1", tmp_path, system={"retries": 1})
    assert outcomes(tmp_path) == {"error": NUMBER}
    assert "cannot be reached" in verdicts(tmp_path)[0]["reason"]
    assert untested(run.report)
    assert len(waits) <= 10


async def test_a_server_that_never_recovers_is_not_asked_for_ever(tmp_path, waits):
    async with serve(default=Act(status=500)) as server:
        await campaign(server, tmp_path, relations=["upper-case", "leet", "add-spaces"], system={"retries": 2})
    # 20 questions; after 10 that failed 3 times each the rest is not asked.
    assert server.requests == 30
    assert outcomes(tmp_path) == {"error": 3 * NUMBER}


async def test_a_newline_in_the_key_is_not_sent(tmp_path, monkeypatch):
    monkeypatch.setenv("LOOPBACK_KEY", f"{KEY}\n")
    async with serve(answer=score) as server:
        await campaign(server, tmp_path)
    assert outcomes(tmp_path)["error"] == 0
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


async def test_a_key_written_into_the_configuration_stays_out_of_every_file(tmp_path):
    headers = {"X-Api-Key": KEY, "X-Team": "blue"}
    async with serve(answer=score) as server:
        run = await campaign(server, tmp_path, system={"headers": headers})
    assert server.headers[0]["X-Api-Key"] == KEY
    assert run.report["run"]["config"]["systems"][0]["headers"] == {"X-Api-Key": "***", "X-Team": "blue"}


async def test_a_helper_that_refuses_makes_errors_that_name_it(tmp_path, waits):
    refusal = Act(status=400, error={"message": "prompt too long", "code": "context_length_exceeded"})
    async with serve(answer=score) as server, serve(default=refusal) as helping:
        helper = {"type": "openai", "model": "h", "base_url": helping.url, "api_key_env": "LOOPBACK_KEY"}
        await campaign(server, tmp_path, relations=["upper-case", "paraphrase"], helper=helper)
    errors = [line for line in verdicts(tmp_path) if line["outcome"] == "error"]
    assert {line["relation"] for line in errors} == {"paraphrase"}
    assert len(errors) == NUMBER
    assert all("helper openai:h" in line["reason"] for line in errors)
