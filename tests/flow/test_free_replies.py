"""A chatbot that words its replies anew each time is not called faulty; one that changes a number is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mutatis.api import run_config
from mutatis.config import check

BOT = '''
def answer(fields):
    """Answer in other words where the message is in small letters, and name another term where it is shouted."""
    message = fields["message"]
    if "save" in message.lower():
        if message.islower():
            return "Try to write down what you spend. Many people pay for things that they never use."
        return "A savings plan can be a good start. Put aside a little every month, Ms Lee."
    if message.islower():
        return "Any item can be returned within two weeks of delivery. We refund what you paid."
    days = 30 if message.isupper() else 14
    return f"You can return any item within {days} days of delivery."
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    rows = [{"message": "How long can I return an item?"}, {"message": "How can I save money?"}]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


def verdicts(folder: Path, **judge: Any) -> dict[tuple[str, str], tuple[str, str, str]]:
    tables: dict[str, Any] = {
        "relations": ["upper-case", "lower-case"],
        "systems": [{"type": "function", "target": "bot.py:answer", "input": "fields"}],
        "data": [{"task": "chat", "format": "jsonl", "path": "cases.jsonl"}],
        "judge": judge,
        "noise_floor": 0,
        "confirm": 0,
    }
    run_config(check(tables, folder), out=folder / "out", store=folder / "store.db")
    lines = (folder / "out" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return {
        (row["relation"], row["source_input"]["message"].split()[-1]): (
            row["outcome"],
            row["measure"],
            row["reason"],
        )
        for row in rows
    }


def test_paraphrases_are_no_findings_and_another_number_is_one(folder: Path) -> None:
    outcomes = verdicts(folder)
    assert {measure for _, measure, _ in outcomes.values()} == {"repertoire"}
    outcome, _, reason = outcomes["upper-case", "item?"]
    assert outcome == "violated"
    assert reason.endswith("30 days in place of two weeks"), "which are the 14 days that it says otherwise"
    assert outcomes["lower-case", "item?"][0] == "satisfied"
    assert outcomes["upper-case", "money?"][0] == "satisfied"
    outcome, _, reason = outcomes["lower-case", "money?"]
    assert outcome == "invalid"
    assert reason == (
        "the judge cannot tell: nothing places the answers: "
        "too few replies to this question are known (3 besides this one)"
    ), "the source, asked again once in the same words, is one of them"


def test_two_texts_alone_are_judged_by_what_can_be_named(folder: Path) -> None:
    outcomes = verdicts(folder, measure="free-answers")
    assert {measure for _, measure, _ in outcomes.values()} == {"free-answers"}
    assert outcomes["upper-case", "item?"][2].endswith("14 days / 30 days")
    assert outcomes["lower-case", "item?"][0] == "satisfied"
    outcome, _, reason = outcomes["lower-case", "money?"]
    assert (outcome, reason) == ("invalid", "the judge cannot tell: no difference that can be named")


def test_a_configuration_names_another_measure(folder: Path) -> None:
    outcomes = verdicts(folder, measure="exact")
    assert {measure for _, measure, _ in outcomes.values()} == {"exact"}
    assert outcomes["lower-case", "item?"][0] == "violated"
