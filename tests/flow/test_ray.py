"""`--engine ray` writes what the local engine writes, byte for byte, whoever dies meanwhile."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mutatis.core.errors import UsageError

if importlib.util.find_spec("ray") is None:
    pytest.skip("Ray is not installed (extra ray)", allow_module_level=True)

SCRIPT = Path(__file__).resolve().parents[1] / "support" / "ray_runs.py"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("ray")
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, SCRIPT, folder], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", ["function", "budget", "batch", "odd", "mortal", "dialogues"])
def test_verdicts_and_findings_are_those_of_the_local_engine_byte_for_byte(runs, name):
    folder = runs[0] / name
    for file in ("verdicts.jsonl", "findings.jsonl"):
        local, ray = (folder / engine / file for engine in ("local", "ray"))
        text = ray.read_text().replace(str(ray.parent), str(local.parent))
        assert text == local.read_text()
    reports = [json.loads((folder / engine / "report.json").read_text()) for engine in ("local", "ray")]
    for part in ("summary", "health", "metrics"):
        assert reports[0][part] == reports[1][part]
    for counts in ("logical", "stored", "errors"):
        assert reports[0]["run"]["queries"][counts] == reports[1]["run"]["queries"][counts]
    assert reports[0]["summary"]


def test_the_worker_that_should_die_died(runs):
    assert runs[1]["armed"] is False


def test_what_is_odd_has_the_same_name_in_a_worker(runs):
    lines = (runs[0] / "odd" / "ray" / "verdicts.jsonl").read_text()
    for reason in ("raised ValueError: no", "raised SystemExit", "returned None", "will not"):
        assert reason in lines


def test_a_function_of_a_program_works_elsewhere(runs):
    processes = set(runs[1]["own"])
    assert runs[1]["here"] not in processes


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    from mutatis.assembly.replicas import cluster

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"mutatis\[ray\]"):
        cluster(2, None)
