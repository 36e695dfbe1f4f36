"""The study of searches, end to end on a few dialogues: right seeds, every method, tables beside the thesis."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import mutatis

STUDY = Path(__file__).resolve().parents[2] / "studies" / "rltest4chatbot"
METHODS = ("random", "filled", "dialtest", "single", "evolutionary", "multi-pdqn")


def run(script: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, str(STUDY / script), *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_study_runs_and_gives_its_tables(tmp_path: Path) -> None:
    runs = tmp_path / "runs.jsonl"
    data = ("--data", mutatis.sample("bookings"), "--format", "states", "--tracker", "builtin:tracker", "--out", runs)
    few = ("--k", 3, "--seeds", 1, "--train", 40, "--test", 20, "--methods", *METHODS)
    told = run("search.py", *data, *few)
    found = [json.loads(line) for line in runs.read_text().splitlines()]
    thesis = [one for one in found if one["validity"] == "thesis" and one["attack"] == "hybrid"]
    assert {one["method"] for one in thesis} == set(METHODS)
    for one in found:
        assert one["proposals"] == 20
        assert one["distinct"] <= one["failures"] - one["inherited"] <= one["valid"] <= one["places"]
        assert sum(counts[0] for counts in one["by dialogue"]) == one["distinct"]
        # Seeds are turns that the tracker gets right: a failure is another state than the annotated one, too.
        assert one["method"] == "dialtest" or one["wrong by labels"] == one["failures"]
    assert [one["trained"]["proposals"] for one in thesis if one["trained"]] == [40, 40]
    assert "dialogues right at every turn" in told
    assert run("search.py", *data, *few).count("'method'") == 0  # runs that stand in the file are not made again
    tables = run("tables.py", runs, "--figures", tmp_path / "figures")
    assert "not run: no fine-tuned weights at hand" in tables
    for title in ("Table 4.2", "Tables 4.3, 4.4", "Tables 4.5, 4.6", "Table 4.7", "Tables A.1 to A.9"):
        assert f"### {title}" in tables
    assert {path.name for path in (tmp_path / "figures").iterdir()} == {"figure-4.1.png", "figure-4.2.png"}
