"""A budget that ends in the middle of a run: what was paid for whole dialogues is judged, in their order."""

from __future__ import annotations

from pathlib import Path

from mutatis.api import run_config
from mutatis.config import check
from mutatis.datasets import sample


def tables(**more: object) -> dict[str, object]:
    return {
        "recipe": "mortar",
        "systems": [{"type": "function", "target": "bot.py:answer", "input": "fields", "concurrency": 4}],
        "data": [{"task": "dialogue", "format": "coqa", "path": str(sample("dialogues"))}],
        "judge": {"measure": "exact"},
        "noise_floor": 0,
        **more,
    }


def test_half_a_budget_judges_the_first_dialogues(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def answer(fields):\n    return fields['question']\n", encoding="utf-8")
    run = run_config(check(tables(max_queries=500), tmp_path))
    metrics = run.report["metrics"]["mortar"]["systems"]["function:bot.py:answer"]
    assert 1 <= metrics["seeds"] < 12
    assert metrics["detections"]["total"] > 100
    assert [warning["name"] for warning in run.report["health"]] == ["budget"]


def test_reference_based_testing_keeps_the_annotated_answers(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def answer(fields):\n    return 'no such thing'\n", encoding="utf-8")
    run = run_config(check(tables(reference="source"), tmp_path))
    rows = {row["relation"]: row for row in run.summary}
    assert rows["reference-based"]["satisfied"] == 0  # wrong everywhere, whatever the relations are judged by
    assert rows["context-preserving"]["violated"] == 0  # and always consistent with itself
