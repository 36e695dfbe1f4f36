"""Campaigns on both engines in one process of its own (Ray starts slowly, and warns): `python ray_runs.py FOLDER`.

Writes what each came to into `FOLDER/NAME/local` and `FOLDER/NAME/ray`, and prints what was seen as one line of JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.api import run_campaign
from mutatis.assembly.campaign import assemble
from mutatis.assembly.replicas import cluster
from mutatis.assembly.systems import Mode
from mutatis.campaign.events import Event, PhaseStarted
from mutatis.config import check
from mutatis.core.errors import UsageError
from mutatis.core.system import is_constrained
from mutatis.query import Limits, Store
from mutatis.query.helper import SystemHelper
from mutatis.testing import ScriptedSystem
from mutatis.text import embedder
from support import stock
from support.canaries import CANARY, HEADERS, PATH, QUERY, REQUEST

CODE = """
import os, time
from pathlib import Path
from mutatis.core.errors import SystemFailure

HERE = Path(__file__).parent

def answer(text):
    time.sleep(0.002 * (len(text) % 5))
    return "0.1" if text.isupper() and "1" in text else "0.9"

def odd(text):
    number = int("".join(filter(str.isdigit, text)) or 0)
    if number % 7 == 1:
        raise ValueError(f"no {number}")
    if number % 7 == 2:
        raise SystemExit(3)
    if number % 7 == 3:
        return None
    if number % 7 == 4:
        raise SystemFailure("will not")
    return answer(text)

def mortal(text):
    if "7" in text:
        try:
            (HERE / "armed").unlink()
        except FileNotFoundError:  # the other worker may have been asked at the same moment
            return answer(text)
        os._exit(1)
    return answer(text)
"""

COUNTS = 'f"{len(earlier) + 1} {question.isupper()}"'
"""What a bot says that counts its questions."""


def tables(folder: Path, function: str, **more: Any) -> dict[str, Any]:
    data = {"task": "sentiment", "format": "jsonl", "path": str(folder / "reviews.jsonl")}
    system = {"type": "function", "target": f"{folder / 'bot.py'}:{function}"}
    return {"system": system, "data": data, "relations": ["upper-case", "leet"], "noise_floor": 5, "confirm": 2, **more}


def three(folder: Path) -> dict[str, Any]:
    """Three bots on two processors, none of which waits for another's worker, and a system that answers from a file.

    Each bot has a revision of its own: bots that are the same share their stored answers, so how many are paid for
    would depend on which of them asks first.
    """
    said = {"film number 1 was fine.": "0.9", "FILM NUMBER 1 WAS FINE.": "0.1"}
    recorded = folder / "recorded.jsonl"
    recorded.write_text("".join(json.dumps({"text": text, "answer": answer}) + "\n" for text, answer in said.items()))
    bot = {"type": "function", "target": f"{folder / 'bot.py'}:answer"}
    bots = [{**bot, "label": f"bot {n}", "revision": str(n)} for n in range(3)]
    systems = [*bots, {"type": "recorded", "path": str(recorded)}]
    return {**{k: v for k, v in tables(folder, "answer").items() if k != "system"}, "systems": systems}


def dialogues(folder: Path) -> dict[str, Any]:
    data = {"task": "dialogue", "format": "jsonl", "path": str(folder / "talks.jsonl")}
    return {"system": {"type": "diary"}, "data": data, "relations": ["tag:metal"], "load": [str(folder / "diary.py")]}


def secretive(folder: Path) -> dict[str, Any]:
    """A bot that nobody answers for, with a key wherever one can stand, in a worker of its own."""
    system = {
        "type": "http",
        "url": f"http://127.0.0.1:9/{PATH}{QUERY}",
        "headers": {**HEADERS, "X-Api-Key": CANARY},
        "request": {**REQUEST, "message": "{text}"},
        "retries": 0,
        "replicas": 1,
    }
    return {**tables(folder, "answer"), "system": system, "max_wait": 0, "noise_floor": 0}


def chat(folder: Path) -> dict[str, Any]:
    """A shop's bot whose answers are judged together, of which too little is known: some are asked for again."""
    shop = folder / "shop"
    shop.mkdir()
    path = stock.write(shop, noise_floor=3, confirm=2)
    path["systems"][0]["target"] = f"{shop / 'bot.py'}:answer"
    path["data"][0]["path"] = str(shop / "cases.jsonl")
    return {**path, "relations": ["upper-case", "lower-case"]}


TARIFFS = """
PRICES = {"Basic": 9, "Green Flex": 12, "Night Saver": 8, "Sun Share": 15}

def answer(fields, history=()):
    text = fields["message"]
    if "tariffs" in text:
        return "We have Basic, Green Flex, Night Saver and Sun Share."
    named = [name for name in PRICES if name in text]
    return f"{named[0]} costs {PRICES[named[0]]} EUR a month, from 18 years." if named else "Which tariff?"
"""


def tariffs(folder: Path) -> dict[str, Any]:
    """A bot whose follow-ups draw from the dictionary that the run learns."""
    (folder / "tariffs.py").write_text(TARIFFS)
    questions = ["What does Basic cost?", "Which tariffs are there?", "Is Green Flex dear?", "What are the tariffs?"]
    (folder / "questions.txt").write_text("\n".join(questions))
    system = {"type": "function", "target": f"{folder / 'tariffs.py'}:answer", "input": "fields", "label": "bot"}
    data = {"task": "chat", "format": "lines", "path": str(folder / "questions.txt")}
    relations = ["rule-out", "another-value", "ask-with-another", "at-limit", "upper-case"]
    return {"system": system, "data": data, "relations": relations, "noise_floor": 3, "confirm": 2}


PRACTICE = """
import re

def answer(fields, history=()):
    weight = re.search(r"(\\d+) ?kg", fields["message"])
    if weight is None:
        return "We open at 9:00."
    return f"A check costs {35 if int(weight[1]) <= 10 else 42 if int(weight[1]) <= 25 else 60} EUR."
"""


def edges(folder: Path) -> dict[str, Any]:
    """A bot whose prices have edges that no reply names: each follow-up rests on the answers to those before it."""
    (folder / "practice.py").write_text(PRACTICE)
    questions = ["My dog weighs 12 kg. What does a check cost?", "What is it for a cat of 4 kg?", "When do you open?"]
    (folder / "weights.txt").write_text("\n".join(questions))
    system = {"type": "function", "target": f"{folder / 'practice.py'}:answer", "input": "fields", "label": "bot"}
    data = {"task": "chat", "format": "lines", "path": str(folder / "weights.txt")}
    return {"system": system, "data": data, "relations": ["find-edges"], "noise_floor": 2, "confirm": 2}


def not_made(folder: Path) -> str:
    """Return how it is told that a worker cannot make its system: a variable is not set there."""
    config = secretive(folder)
    config["system"]["headers"] = {**HEADERS, "X-Other": "env:NOBODY_SET_IT"}
    try:
        conducted({**config, "engine": "ray", "workers": 1}, folder / "secrets" / "never")
    except UsageError as error:
        return f"{error} {error!r} {error.__context__!r} {error.__cause__!r}"
    return "it was made"


def constrained() -> list[bool]:
    """Return whether two helpers in workers can be held to a schema, of which only the first is such a model."""

    class Held(ScriptedSystem):
        constrained = True

    with Store(None) as store:
        mode = Mode(store=store, cluster=cluster(1, None))
        systems = [mode.replicated(each, each) for each in (Held({"*": "a"}, "held"), ScriptedSystem({"*": "a"}))]
        return [is_constrained(SystemHelper(mode.layer(system, Limits()))) for system in systems]


FEW = "planted or groups or failed_turn or learner or running_again or two_systems or one_edit"
"""The contract's tests that are run by default, for workers start slowly; all with MUTATIS_CONTRACT=all."""


def contract() -> list[Any]:
    """Return how the tests of the engine end on this cluster, how many passed, and what they said."""
    told, passed = io.StringIO(), []

    class Passed:
        def pytest_runtest_logreport(self, report: Any) -> None:
            passed.extend([report.nodeid] * (report.when == "call" and report.passed))

    os.environ["MUTATIS_TEST_ENGINE"] = "ray"
    every = os.environ.get("MUTATIS_CONTRACT") == "all"
    tests = Path(__file__).parents[1] / "flow" / "test_engine.py"
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "-W", "ignore", str(tests), *([] if every else ["-k", FEW])]
    with contextlib.redirect_stdout(told):
        code = pytest.main(options, plugins=[Passed()])
    return [int(code), len(passed), told.getvalue()[-3000:]]


def conducted(tables: dict[str, Any], out: Path) -> list[str]:
    """Run a campaign; return what a progress display lives on: the phases, each with the questions it expects."""
    told: list[str] = []

    def listen(event: Event) -> None:
        if isinstance(event, PhaseStarted):
            told.append(f"{event.name} {event.questions()}")

    async def inside() -> None:
        with Store(None) as store:
            campaign = assemble(check(tables), store)
            campaign.progress = [listen]
            await run_campaign(campaign, folder=out)

    asyncio.run(inside())
    return told


def main(folder: Path) -> None:
    import ray_methods  # beside this file; the tests' own collection knows no such module

    from support import ray_patience  # noqa: F401 - Ray waits as long as it takes

    (folder / "bot.py").write_text(CODE)
    ray_methods.keeper(folder, "diary", COUNTS)
    reviews = [{"text": f"film number {n} was fine."} for n in range(24)]
    asked = ("what is the price of lamp {}?", "and is lamp {} a good lamp?")  # words that METAL's edits change
    talks = [{"id": f"t{n}", "turns": [{"question": text.format(n)} for text in asked]} for n in range(4)]
    for name, rows in (("reviews", reviews), ("talks", talks)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    where = cluster(2, None)
    campaigns = {
        "odd": tables(folder, "odd"),
        "mortal": tables(folder, "mortal"),
        "dialogues": dialogues(folder),
        "three": three(folder),
        "chat": chat(folder),
        "tariffs": tariffs(folder),
        "tariffs-budget": {**tariffs(folder), "max_queries": 40},
        "edges": edges(folder),
        "edges-budget": {**edges(folder), "max_queries": 9},
        "secrets": secretive(folder),
        **ray_methods.campaigns(folder),
    }
    seen: dict[str, Any] = {"progress": {}}
    installed = embedder.embedder_is_installed
    for name, config in campaigns.items():
        # Loading a model takes long; only transformations of METAL ask it.
        embedder.embedder_is_installed = installed if name == "dialogues" else lambda: False
        local = conducted(config, folder / name / "local")
        if name == "mortal":
            (folder / "armed").touch()
        ray = conducted({**config, "engine": "ray", "workers": 2}, folder / name / "ray")
        seen["progress"][name] = {"local": local, "ray": ray}
    seen["armed"] = (folder / "armed").exists()

    def answer(text: str) -> str:
        return f"{os.getpid()} {'mutatis.config' in sys.modules} {text}"

    seen["not made"] = not_made(folder)
    run = mutatis.run(
        answer, mutatis.cases(["a", "b", "c"], task="chat"), ["no-change"], settings={"engine": "ray", "workers": 1}
    )
    seen["own"] = [example["source"]["response"]["text"].split()[:2] for example in run.report.to_json()["examples"]]
    seen["here"] = str(os.getpid())
    seen["constrained"] = constrained()
    seen["contract"] = contract()
    where.ray.shutdown()
    print(json.dumps(seen))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
