"""A judge that asks a language model, through the whole loop: from `[judge]` to verdicts, and from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mutatis.api import run_config
from mutatis.assembly.campaign import assemble
from mutatis.config import check
from mutatis.core.errors import UsageError
from mutatis.query import Store
from support.loopback import Command, loopback
from support.server import Act

BOT = '''
def answer(fields):
    """Right, but says Tuesday where it is shouted at."""
    return "It left on Tuesday." if fields["question"].isupper() else "On Monday"
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    rows = [{"question": f"When did ship {n} leave?", "context": f"Ship {n} left on Monday."} for n in range(8)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


def config(folder: Path, url: str = "", **judge: Any) -> Any:
    tables: dict[str, Any] = {
        "relations": ["upper-case"],
        "systems": [{"type": "function", "target": "bot.py:answer", "input": "fields"}],
        "data": [{"task": "question-answering", "format": "jsonl", "path": "cases.jsonl"}],
        "judge": judge,
        "noise_floor": 0,
        "confirm": 0,
    }
    if url:
        tables["helper"] = {"type": "openai", "model": "m", "base_url": url, "retries": 0}
    return check(tables, folder)


def verdict(same: object) -> str:
    return json.dumps({"same": same, "reason": "Monday is not Tuesday"})


def outcomes(folder: Path, name: str) -> list[tuple[str, str]]:
    lines = (folder / name / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return [(row["outcome"], row["reason"]) for row in map(json.loads, lines)]


def test_what_the_helper_says_decides_and_its_reason_is_kept(folder: Path) -> None:
    with loopback(answer=lambda body: verdict(False)) as server:
        run_config(config(folder, server.url, measure="helper"), out=folder / "out", store=folder / "s.db")
        asked = server.requests
        run_config(config(folder, server.url, measure="helper"), out=folder / "again", store=folder / "s.db")
        assert server.requests == asked > 0  # answers of a judge are stored like all others
    decided = outcomes(folder, "out")
    assert {outcome for outcome, _ in decided} <= {"violated", "satisfied"}
    assert any(outcome == "violated" and "Monday is not Tuesday" in reason for outcome, reason in decided)


def test_null_is_no_finding_and_no_success(folder: Path) -> None:
    with loopback(answer=lambda body: verdict(None)) as server:
        run = run_config(config(folder, server.url, measure="helper"), out=folder / "out")
    [row] = run.summary
    assert (row["violated"], row["satisfied"]) == (0, 0)
    assert row["invalid"] > 0
    assert all("the judge cannot tell" in reason for outcome, reason in outcomes(folder, "out") if outcome == "invalid")


def test_a_helper_that_fails_makes_errors_and_no_findings(folder: Path) -> None:
    with loopback(default=Act(status=500)) as server:
        run = run_config(config(folder, server.url, measure="helper"), out=folder / "out")
    [row] = run.summary
    assert row["violated"] == row["satisfied"] == 0
    assert row["error"] > 0


def test_a_limited_cascade_is_the_same_for_every_concurrency(folder: Path) -> None:
    files = []
    for concurrency in (1, 16):
        with loopback(answer=lambda body: verdict(False)) as server:
            made = config(folder, server.url, measure="token-f1", ask=[0.0, 0.9], most=3)
            made = made.model_copy(update={"concurrency": concurrency})
            run_config(made, out=folder / str(concurrency))
            assert server.requests == 3
        files.append((folder / str(concurrency) / "verdicts.jsonl").read_bytes())
    assert files[0] == files[1]
    assert b"not asked: [judge] most = 3" in files[0]


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ({"measure": "helper"}, r"measure needs a language model; add \[helper\]"),
        ({"ask": [0.3, 0.7]}, r"ask needs a language model; add \[helper\]"),
        ({"criteria": "rubric.txt"}, "only apply if a helper judges"),
    ],
)
def test_a_judge_that_cannot_ask_is_told_at_once(folder: Path, judge: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run_config(config(folder, **judge))


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        ({"measure": "helper", "ask": [0.3, 0.7]}, "asks about every pair"),
        ({"measure": "helper", "equal": 0.9}, "gives no scores"),
        ({"ask": [0.7, 0.3]}, r"ask = \[0.7, 0.3\]; expected"),
        ({"measure": "helper", "criteria": "missing.txt"}, "cannot read the prompt"),
    ],
)
def test_a_judge_that_makes_no_sense_is_told_at_once(folder: Path, judge: dict[str, Any], message: str) -> None:
    with Store(None) as store, pytest.raises(UsageError, match=message):
        assemble(config(folder, "http://127.0.0.1:9/v1", **judge), store)  # nothing is asked yet


def test_mutatis_judge_asks_the_helper_of_a_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = [
        {"reference": "Paris", "answer": "Paris", "label": True},
        {"reference": "On Monday morning", "answer": "The morning of that Monday in May", "label": True},
        {"reference": "Rome", "answer": "Oslo", "label": False},
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")
    with loopback(answer=lambda body: verdict(True)) as server:
        settings = f'[helper]\ntype = "openai"\nmodel = "m"\nbase_url = "{server.url}"\n'
        (tmp_path / "judge.toml").write_text(
            f'{settings}[judge]\nmeasure = "token-f1"\nask = [0.1, 0.9]\n', encoding="utf-8"
        )
        command = Command(monkeypatch, capsys, tmp_path)
        done = command("judge", "pairs.jsonl", "--config", "judge.toml")
    assert done.code == 0, done.err
    assert [json.loads(line)["same"] for line in done.out.splitlines()] == [True, True, False]
    assert "asked about 1 pair (33%), of them 1 paid now" in done.err
