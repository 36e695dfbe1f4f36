"""The five recorded judges of LLMBar Natural: how often each breaks the swap, counted in the recorded file by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.studies import load_study

STUDY = Path(__file__).parents[2] / "studies" / "kinds" / "graders.py"
VIOLATED = {"GPT-4": 5, "ChatGPT": 29, "LLaMA2": 21, "PaLM2": 20, "Falcon": 48}
"""Pairs of which the recorded winner is another output in the other order, unread verdicts left out."""


@pytest.fixture(scope="module")
def replayed(shared_data, tmp_path_factory):
    if not (shared_data / "llmbar").is_dir():
        pytest.skip("LLMBar is not in MUTATIS_SHARED")
    study = load_study(STUDY)
    folder = tmp_path_factory.mktemp("llmbar")
    study.write(folder)
    return study.replay(folder), study.places(folder), folder


def test_swaps_are_violated_as_often_as_the_records_say(replayed):
    run, _, _ = replayed
    rows = {row.system: row for row in run.report.summary if row.relation == "swap-answers"}
    assert {judge: row.violated for judge, row in rows.items()} == VIOLATED
    assert {judge: row.judged for judge, row in rows.items()} == dict.fromkeys(VIOLATED, 100) | {"PaLM2": 98}
    assert {judge: row.error for judge, row in rows.items()} == dict.fromkeys(VIOLATED, 0) | {"PaLM2": 2}


def test_a_verdict_that_was_not_read_is_an_error_of_its_own(replayed):
    lines = (replayed[2] / "out" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    errors = [verdict for verdict in map(json.loads, lines) if verdict["outcome"] == "error"]
    assert {verdict["system"] for verdict in errors} == {"PaLM2"}
    assert all("no verdict in 'None'" in verdict["reason"] for verdict in errors)


def test_falcon_keeps_to_the_first_place(replayed):
    assert replayed[1]["Falcon"] == {"first": 48, "second": 0}
    assert replayed[1]["ChatGPT"] == {"first": 25, "second": 4}
