"""The files of `examples/`, run as their own comments say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import mutatis
from support.loopback import Command, loopback

ROOT = Path(__file__).parents[2]


@pytest.fixture
def command(command: Command) -> Command:
    """The command line in a copy of `examples/`."""
    shutil.copytree(ROOT / "examples", command.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    return command


def test_own_relation_on_own_function(command: Command) -> None:
    done = command(
        *("run", "--system", "function:my_bot.py:answer", "--set", "system.input=fields", "--limit", 6),
        *("--data", f"squad2:{mutatis.sample('stories')}", "--set", 'load=["my_relations.py"]'),
        *("--relations", "courtesy,upper-case", "--out", "out", "--max-rate", 1),
    )
    assert done.code == 0, done.err
    report = json.loads((command.folder / "out" / "report.json").read_text(encoding="utf-8"))
    rows = {row["relation"]: row for row in report["summary"]}
    assert rows["courtesy"]["violated"] + rows["courtesy"]["satisfied"] == 6
    lines = (command.folder / "out" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = [json.loads(line) for line in lines]
    asked = [v["followups"][0]["input"]["question"] for v in verdicts if v["relation"] == "courtesy"]
    assert all(question.startswith(("Please: ", "If you would be so kind: ", "When you have")) for question in asked)


def test_dialogues_behind_an_endpoint(command: Command) -> None:
    def forgetful(body: dict[str, Any]) -> str:
        return "Nora" if len(body["messages"]) < 5 else "unknown"

    file = command.folder / "dialogue.toml"
    with loopback(answer=forgetful) as server:
        text = file.read_text(encoding="utf-8").replace("http://127.0.0.1:8000/v1", server.url)
        file.write_text(text, encoding="utf-8")
        done = command("run", "dialogue.toml", "--out", "out")
    assert done.code == 1, done.err
    report = json.loads((command.folder / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["run"]["queries"]["errors"] == 0
    assert report["metrics"]["mortar"]["systems"]["openai:my-model"]["seeds"] == 2
    # A bot that depends on the position of a question alone contradicts itself as soon as dialogues are cut.
    assert any(row["relation"] == "context-preserving" and row["violated"] for row in report["summary"])
    assert server.requests == report["run"]["queries"]["paid"]


def test_a_search_for_failures_of_a_tracker(command: Command) -> None:
    pytest.importorskip("torch")
    done = command("run", "rltest4chatbot.toml", "--out", "out", "--set", "search.proposals=60", "--set", "confirm=0")
    assert done.err == ""
    report = json.loads((command.folder / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["metrics"]["edits"]["systems"]["builtin:tracker"]["distinct"] > 0


def test_the_relation_is_the_one_of_the_documentation() -> None:
    documented = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    module = (ROOT / "examples" / "my_relations.py").read_text(encoding="utf-8")
    code = module[module.index("from random import Random") :]
    assert code.strip() in documented
