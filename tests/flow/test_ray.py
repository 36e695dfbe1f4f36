"""`--engine ray` writes what the local engine writes, byte for byte, whoever dies meanwhile."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mutatis.core.errors import UsageError
from support.canaries import leaked
from support.nursery import PATIENCE

if importlib.util.find_spec("ray") is None:
    pytest.skip("Ray is not installed (extra ray)", allow_module_level=True)

SCRIPT = Path(__file__).resolve().parents[1] / "support" / "ray_runs.py"
ENVIRONMENT = {"PYTHONPATH": str(SCRIPT.parents[1]), "PYTHONWARNINGS": "ignore"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("ray")
    done = subprocess.run(
        [sys.executable, SCRIPT, folder], capture_output=True, text=True, env=os.environ | ENVIRONMENT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert leaked(done.stdout + done.stderr) == {}
    return folder, json.loads(done.stdout.splitlines()[-1])


LEARNING = ["tariffs", "tariffs-budget"]
"""Campaigns with a dictionary."""

HALVED = ["edges", "edges-budget"]
"""Campaigns that find edges by halving."""

METHODS = ["llmorph", "llmorph-budget", "mortar", "mortar-budget", "families", "families-budget"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["odd", "mortal", "dialogues", "three", "chat", *LEARNING, *HALVED, *METHODS])
def test_verdicts_and_findings_are_those_of_the_local_engine_byte_for_byte(runs, name):
    folder = runs[0] / name
    more = [*(["repertoire.jsonl"] * (name in ["chat", *LEARNING])), *(["dictionary.json"] * (name in LEARNING))]
    for file in ("verdicts.jsonl", "findings.jsonl", *more):
        local, ray = (folder / engine / file for engine in ("local", "ray"))
        text = ray.read_text().replace(str(ray.parent), str(local.parent))
        assert text == local.read_text()
    reports = [json.loads((folder / engine / "report.json").read_text()) for engine in ("local", "ray")]
    for part in ("summary", "health", "metrics", *(["edges"] * (name in HALVED))):
        assert reports[0][part] == reports[1][part]
    for counts in ("logical", "stored", "errors"):
        assert reports[0]["run"]["queries"][counts] == reports[1]["run"]["queries"][counts]
    assert reports[0]["summary"]


@pytest.mark.long
@pytest.mark.parametrize("name", LEARNING)
def test_follow_ups_draw_from_the_dictionary_on_ray(runs, name):
    folder = runs[0] / name / "ray"
    verdicts = [json.loads(line) for line in (folder / "verdicts.jsonl").read_text().splitlines()]
    made = [each["input"]["message"] for v in verdicts if v["relation"] == "rule-out" for each in v["followups"]]
    assert any("Night Saver" in text or "Sun Share" in text for text in made)  # no question of the data has these
    assert "Sun Share" in (folder / "dictionary.json").read_text()


@pytest.mark.long
def test_edges_are_found_on_ray(runs):
    report = json.loads((runs[0] / "edges" / "ray" / "report.json").read_text())
    edges = {row["question"]: [(edge["low"], edge["high"]) for edge in row["edges"]] for row in report["edges"]}
    assert [("10 kg", "11 kg"), ("25 kg", "26 kg")] in edges.values()


@pytest.mark.long
def test_no_key_of_a_worker_comes_out(runs):
    folder, seen = runs
    assert "needs the environment variable NOBODY_SET_IT, which is not set" in seen["not made"]
    assert leaked(seen["not made"]) == {}
    files = [path for path in (folder / "secrets").rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"verdicts.jsonl", "report.json", "report.html"}
    assert {str(path): leaked(path.read_bytes()) for path in files if leaked(path.read_bytes())} == {}


@pytest.mark.long
@pytest.mark.parametrize("name", METHODS)
def test_the_published_methods_find_something_and_their_budgets_are_spent(runs, name):
    report = json.loads((runs[0] / name / "ray" / "report.json").read_text())
    assert sum(row["violated"] for row in report["summary"]) > 0
    assert sum(row["satisfied"] for row in report["summary"]) > 0
    assert ("budget" in [warning["name"] for warning in report["health"]]) is name.endswith("budget")


@pytest.mark.long
def test_progress_is_told_as_by_the_local_engine(runs):
    for told in runs[1]["progress"].values():
        assert told["ray"] == told["local"]
        assert told["local"][0].startswith("search ")


@pytest.mark.long
def test_the_worker_that_should_die_died(runs):
    assert runs[1]["armed"] is False


@pytest.mark.long
def test_what_is_odd_has_the_same_name_in_a_worker(runs):
    lines = (runs[0] / "odd" / "ray" / "verdicts.jsonl").read_text()
    for reason in ("raised ValueError: no", "raised SystemExit", "returned None", "will not"):
        assert reason in lines


@pytest.mark.long
def test_a_function_of_a_program_works_elsewhere(runs):
    [(process, _)] = {tuple(said) for said in runs[1]["own"]}
    assert process != runs[1]["here"]


@pytest.mark.long
def test_a_worker_loads_what_makes_its_system_and_not_what_reads_configurations(runs):
    assert {loaded for _, loaded in runs[1]["own"]} == {"False"}


@pytest.mark.long
def test_a_helper_in_a_worker_is_held_to_a_schema_where_its_model_can_be(runs):
    assert runs[1]["constrained"] == [True, False]


BOT = """
import time
from pathlib import Path

HERE = Path(__file__).parent

def answer(text):
    with open(HERE / "calls", "a") as log:
        log.write(text + "\\n")
    while (HERE / "held").exists() and len((HERE / "calls").read_text().splitlines()) >= 10:
        time.sleep(0.01)
    return "0.1" if text.isupper() and "1" in text else "0.9"
"""

CONFIGURATION = """
relations = ["upper-case", "leet"]
noise_floor = 5
confirm = 2
[system]
type = "function"
target = "bot.py:answer"
[data]
task = "sentiment"
format = "jsonl"
path = "reviews.jsonl"
"""

# An interrupt is ignored by what a shell starts in the background.
CODE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "import support.ray_patience; from mutatis.cli import main; main()"
)


@pytest.mark.long
def test_an_interrupt_keeps_what_is_on_the_wire_and_the_next_run_goes_on(tmp_path, interpreter):
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "run.toml").write_text(CONFIGURATION)
    lines = [json.dumps({"text": f"film number {number} was fine."}) + "\n" for number in range(60)]
    (tmp_path / "reviews.jsonl").write_text("".join(lines))

    def calls() -> int:
        log = tmp_path / "calls"
        return len(log.read_text().splitlines()) if log.exists() else 0

    here = interpreter.run("-c", CODE, "run", "run.toml", "--out", "local", cwd=tmp_path, **ENVIRONMENT)
    assert "violated" in here.stdout, here.stderr
    needed = calls()
    (tmp_path / "calls").unlink()
    on_ray = ["-c", CODE, "run", "run.toml", "--engine", "ray", "--workers", "2", "--out", "ray"]
    command = [sys.executable, *on_ray]
    (tmp_path / "held").touch()  # from the tenth question on nothing is answered
    with (
        (tmp_path / "told").open("w") as err,
        subprocess.Popen(
            command,
            cwd=tmp_path,
            env=os.environ | ENVIRONMENT,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=err,
        ) as run,
    ):

        def until(reached: Callable[[], bool]) -> None:
            for _ in range(20 * PATIENCE):
                if reached() or run.poll() is not None:
                    return
                time.sleep(0.05)

        until(lambda: calls() >= 10)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does: the workers get it, too
        until(lambda: "interrupted: waiting for" in (tmp_path / "told").read_text())
        (tmp_path / "held").unlink()
    assert run.returncode == 130, (tmp_path / "told").read_text()
    assert "answers already requested are kept" in (tmp_path / "told").read_text()
    assert not (tmp_path / "ray" / "verdicts.jsonl").exists()
    assert 10 <= calls() < needed
    again = interpreter.run(*on_ray, cwd=tmp_path, **ENVIRONMENT)
    assert again.returncode == 0, again.stderr
    assert calls() == needed  # nothing was paid for twice
    local, ray = ((tmp_path / engine / "verdicts.jsonl").read_bytes() for engine in ("local", "ray"))
    assert ray == local


@pytest.mark.long
def test_the_contract_of_the_engine_holds_on_ray(runs):
    code, passed, said = runs[1]["contract"]
    assert code == 0, said
    assert passed >= (15 if os.environ.get("MUTATIS_CONTRACT") == "all" else 7)


def test_ray_that_does_not_start_in_its_time_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch):
    import ray

    from mutatis.assembly.replicas import cluster

    wanted: list[object] = []

    def late(**options: object) -> None:
        wanted.append(options["address"])
        raise Exception("The current node timed out during startup.")  # as Ray does

    monkeypatch.setattr(ray, "init", late)
    with pytest.raises(UsageError, match=r"Ray did not start: .*timed out.*; try again, or leave out --engine ray"):
        cluster(2, None)
    with pytest.raises(UsageError, match=r"--ray-address nowhere:1: .*leave out the option to use this machine"):
        cluster(2, "nowhere:1")
    assert wanted == ["local", "nowhere:1"]  # never a cluster that happens to run here


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    from mutatis.assembly.replicas import cluster

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"mutatis\[ray\]"):
        cluster(2, None)
