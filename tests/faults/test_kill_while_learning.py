"""A run that is killed while it learns a dictionary, asks what it drew from it, or halves ends as if it were not."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from support.loopback import loopback
from support.nursery import Interpreter, Program
from support.server import Act, Server

PRICES = {"Basic": 9, "Green Flex": 12, "Night Saver": 8, "Sun Share": 15}
QUESTIONS = [
    "How much is Green Flex a month?",
    "Which tariffs are there?",
    "What does Basic cost?",
    "Is Basic for people from 18 years?",
    "What are the names of your tariffs?",
    "Can I get Green Flex for 2 people?",
]
UNNAMED = ("Night Saver", "Sun Share")
"""Names that only replies have: a question with one of them draws from the dictionary."""

FILES = ("verdicts.jsonl", "findings.jsonl", "repertoire.jsonl", "dictionary.json")
CONNECTIONS = 2

RUN = """
from pathlib import Path
from mutatis.api import run_config
from mutatis.config import check, read_toml

def run(config, store, out):
    run_config(check(read_toml(Path(config))), store=store, out=out)
    return 0
"""


def reply(body: dict[str, Any]) -> str:
    text = body["messages"][-1]["content"]
    if "tariffs" in text:
        return "We have Basic, Green Flex, Night Saver and Sun Share."
    named = [name for name in PRICES if name in text]
    return f"{named[-1]} costs {PRICES[named[-1]]} EUR a month, from 18 years." if named else "Which tariff?"


DRAWS = ("rule-out", "another-value", "ask-with-another", "at-limit")


def configuration(
    folder: Path,
    server: Server,
    more: str,
    relations: Sequence[str] = DRAWS,
    questions: Sequence[str] = QUESTIONS,
) -> Path:
    (folder / "questions.txt").write_text("\n".join(questions), "utf-8")
    path = folder / "run.toml"
    path.write_text(
        f"""
relations = {list(relations)}
concurrency = {CONNECTIONS}
noise_floor = 2
confirm = 2
{more}
[system]
type = "openai"
model = "m"
base_url = "{server.url}"
[data]
task = "chat"
format = "lines"
path = '{folder / "questions.txt"}'
""",
        "utf-8",
    )
    return path


def asked(server: Server) -> list[str]:
    return [body["messages"][-1]["content"] for body in server.bodies]


@pytest.mark.parametrize("more", ["", "max_queries = 60"], ids=["whole", "budget"])
def test_killed_while_it_learns_and_while_it_asks_what_it_learnt(tmp_path, interpreter: Interpreter, more: str):
    program = Program(interpreter, RUN)
    interpreter.nursery.loaded()

    def ended(store: str, out: str, **killing: Any) -> bool:
        code = program.run(config=str(config), store=str(tmp_path / store), out=str(tmp_path / out), **killing)
        assert code in (0, -signal.SIGKILL)
        return code == 0

    def drew() -> bool:
        """Hold everything from the first question on that draws from the dictionary, and one more question."""
        if any(name in text for text in asked(server)[before:] for name in UNNAMED) and not server.holds:
            server.hold_after(0)
        return server.holds

    with loopback(answer=reply, default=Act(delay=0.005)) as server:
        config = configuration(tmp_path, server, more)
        assert ended("whole.db", "whole")
        paid, server.requests = server.requests, 0
        server.bodies.clear()

        server.hold_after(2)  # of six: the dictionary is not made yet
        assert not ended("store.db", "out", killed_when=lambda: server.holds)
        assert set(asked(server)) <= set(QUESTIONS)
        server.release()
        before = len(server.bodies)
        assert not ended("store.db", "out", killed_when=drew)
        assert any(name in text for text in asked(server)[before:] for name in UNNAMED)
        server.release()
        assert ended("store.db", "out")
    for name in FILES:
        out, whole = ((tmp_path / folder / name).read_text("utf-8") for folder in ("out", "whole"))
        assert out.replace(str(tmp_path / "out"), str(tmp_path / "whole")) == whole  # findings name their folder
    assert server.requests <= paid + 2 * CONNECTIONS
    verdicts = [json.loads(line) for line in (tmp_path / "out" / "verdicts.jsonl").read_text("utf-8").splitlines()]
    made = [each["input"]["message"] for verdict in verdicts for each in verdict["followups"]]
    assert any(name in text for text in made for name in UNNAMED)


WEIGHED = ["My dog weighs 12 kg. What does a check cost?", "I am 70. Is there a discount for me?", "When do you open?"]


def priced(body: dict[str, Any]) -> str:
    """Return prices with edges at 10 and 25 kg, and a discount from 65, none of which a reply names."""
    text = body["messages"][-1]["content"]
    if weight := re.search(r"(\d+) ?kg", text):
        return f"A check costs {35 if int(weight[1]) <= 10 else 42 if int(weight[1]) <= 25 else 60} EUR."
    if age := re.search(r"I am (\d+)", text):
        return "Yes, there is." if int(age[1]) >= 65 else "No, there is none."
    return "We open at 9:00."


@pytest.mark.parametrize("more", ["", "max_queries = 12"], ids=["whole", "budget"])
def test_killed_while_it_halves(tmp_path, interpreter: Interpreter, more: str):
    program = Program(interpreter, RUN)
    interpreter.nursery.loaded()

    def ended(name: str, **killing: Any) -> bool:
        code = program.run(config=str(config), store=str(tmp_path / f"{name}.db"), out=str(tmp_path / name), **killing)
        assert code in (0, -signal.SIGKILL)
        return code == 0

    def edges(name: str) -> list[Any]:
        return list(json.loads((tmp_path / name / "report.json").read_text("utf-8"))["edges"])

    with loopback(answer=priced, default=Act(delay=0.005)) as server:
        config = configuration(tmp_path, server, more, ["find-edges"], WEIGHED)
        assert ended("whole")
        paid, server.requests = server.requests, 0
        for answers in (5, 2):  # between two steps of a walk: what comes next rests on what was answered
            server.hold_after(answers)
            assert not ended("out", killed_when=lambda: server.holds)
            server.release()
        assert ended("out")
    assert edges("out") == edges("whole")
    assert more or [len(row["edges"]) for row in edges("out")] == [2, 1]
    for file in ("verdicts.jsonl", "findings.jsonl"):
        out, whole = ((tmp_path / name / file).read_text("utf-8") for name in ("out", "whole"))
        assert out.replace(str(tmp_path / "out"), str(tmp_path / "whole")) == whole
    assert server.requests <= paid + 2 * CONNECTIONS
