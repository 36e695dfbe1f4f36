"""A real language model in a whole campaign: its answers are stored, and judged again offline they are the same."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

import mutatis
from mutatis.systems import local

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None or importlib.util.find_spec(local.CARRIED) is None,
    reason=f"needs pip install 'mutatis[local]' and {local.GET_CARRIED}",
)

ANIMALS = ("dog", "fish", "bird", "snake", "spider")
QUESTIONS = [f"{start} a {animal} have legs?" for animal in ANIMALS for start in ("Does", "Can")]

GRAMMAR = {"grammar": 'root ::= "yes" | "no"'}
"""One word an answer: what is shown is the run, not what the model knows."""


def run(folder: Path, **said: object) -> mutatis.Run:
    system = mutatis.system("local", max_tokens=8, context=256, extra_body=GRAMMAR)
    return mutatis.run(
        system,
        QUESTIONS,
        ["upper-case"],
        out=folder,
        settings={"noise_floor": 0, "confirm": 0, "shrink": 0, "judge": {"measure": "exact"}, "concurrency": 4},
        task="chat",
        **said,
    )


def test_a_few_questions_and_the_same_verdicts_from_the_store(tmp_path: Path) -> None:
    first = run(tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "verdicts.jsonl").read_text().splitlines()]
    judged = [line for line in lines if line["relation"] == "upper-case"]
    assert len(judged) == len(QUESTIONS)
    assert {line["outcome"] for line in judged} <= {"satisfied", "violated", "invalid"}
    assert first.report.run.queries.errors == 0
    before = (tmp_path / "verdicts.jsonl").read_bytes()
    again = run(tmp_path, offline=True)
    assert again.report.run.queries.paid == 0
    assert (tmp_path / "verdicts.jsonl").read_bytes() == before
