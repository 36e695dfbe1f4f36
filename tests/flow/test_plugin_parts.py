"""The small places where a plugin adds parts: parsers of prompt files, dialogues of a task, built-in systems."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.core.errors import UsageError
from mutatis.extending import BUILT_IN, DATASETS, PARSERS, TASKS, BuiltIn, Case, Record, Response, Turn, register_task
from mutatis.schema import schema
from mutatis.testing import ScriptedSystem
from support.nursery import Interpreter

PROMPT = """
summary = "count what a guest orders"
fields = ["order"]
kind = "number"
parser = "dishes"
prompt = "{order}"
"""


class Dishes:
    """Reads how many dishes an answer names."""

    def parse(self, response: Response, case: Case) -> float:
        return float(len(response.text.split(",")))

    def uninformative(self, value: Any) -> bool:
        return False


def orders(turns: Sequence[Record]) -> tuple[Turn, ...]:
    """Every turn of a record is a bare order."""
    return tuple(Turn(fields={"order": turn.text("message")}) for turn in turns)


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Path]:
    """A task with a parser and dialogues of its own, and a built-in system that answers it."""
    PARSERS["dishes"] = Dishes()
    (tmp_path / "orders.toml").write_text(PROMPT)
    register_task(tmp_path / "orders.toml")
    DATASETS.turns["orders"] = orders
    waiter = BuiltIn(task="orders", make=lambda label: ScriptedSystem({"*": "soup, rice"}, label=label))
    BUILT_IN.add("waiter", waiter)
    (tmp_path / "orders.jsonl").write_text(json.dumps({"id": "a", "turns": ["Soup, please", "And rice"]}) + "\n")
    yield tmp_path
    BUILT_IN.remove("waiter")
    TASKS.remove("orders")
    del DATASETS.turns["orders"], PARSERS["dishes"]


def test_a_task_with_a_parser_and_dialogues_of_its_own_is_run_on_a_built_in_system(parts: Path) -> None:
    run = mutatis.run(
        mutatis.system("builtin", name="waiter"),
        mutatis.read_cases("jsonl", parts / "orders.jsonl", task="orders"),
        ["upper-case"],
        task="orders",
        settings={"noise_floor": 0, "confirm": 0},
    )
    [row] = run.report.summary
    assert (row.system, row.satisfied, row.violated) == ("builtin:waiter", 2, 0)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("SEARCHES['dialtest'].model.__name__", "DialTestOptions"),
        ("DATASETS['multiwoz21'].name", "multiwoz21"),
        ("SYSTEMS['trade'].name", "trade"),
        ("MEASURES.resolve('state')", "state"),
    ],
)
def test_whoever_has_read_a_configuration_knows_what_ships(interpreter: Interpreter, code: str, expected: str) -> None:
    """Replays list the files that its options open, and `mutatis judge` takes its measures."""
    program = f"""
from mutatis.config import check
from mutatis.extending import DATASETS, MEASURES, SEARCHES, SYSTEMS
check({{}}, objects=("systems", "data"))
print({code})
"""
    done = interpreter.run("-c", program)
    assert done.stdout.strip() == expected, done.stderr


def test_names_of_built_in_systems_are_those_of_the_registry(parts: Path) -> None:
    with pytest.raises(UsageError) as caught:
        mutatis.system("builtin", name="waitr")
    assert str(caught.value).endswith("expected one of: reader, sentiment, tracker, waiter (did you mean 'waiter'?)")
    [section] = [
        case["then"]
        for case in schema()["$defs"]["SystemSection"]["allOf"]
        if case["if"]["properties"]["type"] == {"const": "builtin"}
    ]
    assert section["properties"]["name"]["enum"] == ["reader", "sentiment", "tracker", "waiter"]
    with pytest.raises(UsageError, match="built-in system 'waiter' has no option 'history'"):
        mutatis.system("builtin", name="waiter", history=True)
