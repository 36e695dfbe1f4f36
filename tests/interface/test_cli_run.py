"""`mutatis run` as a user meets it: from a file, from options, again, offline, with gates and budgets."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.loopback import Command, loopback
from support.reviews import BOT, config, write_reviews
from support.server import Act

CONFIG = config("upper-case", "add-spaces", top="noise_floor = 0\nconfirm = 0\nshrink = 0")


@pytest.fixture
def command(command) -> Command:
    Path("bot.py").write_text(BOT)
    write_reviews(5)
    Path("run.toml").write_text(CONFIG)
    return command


def report(folder: str = "out") -> dict[str, Any]:
    return json.loads(Path(folder, "report.json").read_text())


def paid(folder: str = "out") -> int:
    return report(folder)["run"]["queries"]["paid"]


def outcomes(folder: str = "out") -> dict[str, tuple[int, int]]:
    return {row["relation"]: (row["satisfied"], row["violated"]) for row in report(folder)["summary"]}


def test_violations_gate_only_where_a_gate_is_given(command):
    assert command("run", "run.toml", "--out", "out").code == 0


def test_a_file_is_run_and_its_violations_above_the_gate_make_exit_code_1(command):
    done = command("run", "run.toml", "--out", "out", "--max-rate", "0")
    assert done.code == 1
    assert outcomes() == {"upper-case": (0, 5), "add-spaces": (5, 0)}
    assert paid() == 15
    assert "upper-case" in done.out
    assert "out/report.html" in done.out
    assert "gate: upper-case on function:bot.py:answer, sentiment: violation rate 100.0% is above 0.0%" in done.err
    assert {path.name for path in Path("out").iterdir()} >= {
        "report.json",
        "report.html",
        "junit.xml",
        "verdicts.jsonl",
        "store.db",
    }


def test_options_alone_do_the_same(command):
    arguments = ["--system", "function:bot.py:answer", "--data", "jsonl:reviews.jsonl", "--task", "sentiment"]
    command("run", "run.toml", "--out", "one")
    command("run", *arguments, "--relations", "upper-case, add-spaces", "--out", "two", "--set", "noise_floor=0")
    assert Path("one/verdicts.jsonl").read_bytes() == Path("two/verdicts.jsonl").read_bytes()


def test_options_win_over_the_file(command):
    command("run", "run.toml", "--relations", "leet", "--limit", "2", "--seed", "9", "--out", "out")
    assert outcomes() == {"leet": (2, 0)}
    assert report()["run"]["seed"] == 9


def test_a_gate_that_is_wide_enough_is_exit_code_0(command):
    assert command("run", "run.toml", "--out", "out", "--max-rate", "1").code == 0
    assert command("run", "run.toml", "--out", "out", "--set", "gate.max_rate=0.99").code == 1
    assert command("run", "run.toml", "--out", "out", "--set", "gate.relations.upper-case=1.0").code == 0
    assert command("run", "run.toml", "--out", "out", "--max-rate", "1", "--set", "gate.max_findings=4").code == 1


def test_running_again_pays_nothing_and_says_how_old_the_answers_are(command):
    command("run", "run.toml", "--out", "out")
    first = Path("out/verdicts.jsonl").read_bytes()
    again = command("run", "run.toml", "--out", "out")
    queries = report()["run"]["queries"]
    assert (queries["paid"], queries["stored"] > 0) == (0, True)
    assert queries["oldest"] is not None
    assert "stored" in again.out
    assert Path("out/verdicts.jsonl").read_bytes() == first


@pytest.mark.parametrize("change", ["file", "revision", "fresh"])
def test_another_version_is_asked_anew(command, change):
    command("run", "run.toml", "--out", "out", "--max-rate", "1")
    arguments = {"file": [], "revision": ["--set", "system.revision=2"], "fresh": ["--fresh"]}[change]
    if change == "file":
        Path("bot.py").write_text(BOT.replace('"0.1"', '"0.90"'))  # another size: Python's bytecode knows whole seconds
    assert command("run", "run.toml", "--out", "out", "--max-rate", "1", *arguments).code == 0
    assert paid() == 15
    assert outcomes()["upper-case"] == ((5, 0) if change == "file" else (0, 5))


def test_offline_judges_stored_answers_with_another_measure_and_asks_nothing(command):
    Path("talk.py").write_text(
        "def answer(fields):\n    return 'Rome' if fields['question'].isupper() else 'the city of Rome'\n"
    )
    Path("questions.jsonl").write_text('{"context": "Ann lives in Rome.", "question": "Where does Ann live?"}\n')
    arguments = ["run", "--system", "function:talk.py:answer", "--data", "jsonl:questions.jsonl", "--out", "out"]
    arguments += ["--task", "question-answering", "--relations", "upper-case", "--max-rate", "1"]
    arguments += ["--set", "system.input=fields"]
    command(*arguments, "--measure", "exact")
    strict = outcomes()["upper-case"]
    assert command(*arguments, "--measure", "containment", "--offline").code == 0
    assert paid() == 0
    lenient = outcomes()["upper-case"]
    assert strict[1] > 0
    assert lenient == (sum(strict), 0)


def test_offline_without_stored_answers_is_an_error_for_each(command):
    done = command("run", "run.toml", "--out", "out", "--offline")
    assert done.code == 3
    assert paid() == 0
    assert "--offline" in done.err


def test_the_plan_is_what_is_then_paid(command):
    relations = "upper-case,add-spaces,lower-case,leet,no-change"
    planned = command("run", "run.toml", "--relations", relations, "--out", "out", "--plan")
    assert planned.code == 0
    assert not Path("out/report.json").exists()
    figures = dict(re.findall(r"^(\w[\w ]+?)  +(\d+)$", planned.out, re.MULTILINE))
    command("run", "run.toml", "--relations", relations, "--out", "out")
    # Five sources; their lower case is what they are, and asking again is paid for.
    assert int(figures["to be paid"]) == paid() == 5 + 4 * 5
    again = command("run", "run.toml", "--relations", relations, "--out", "out", "--plan")
    assert re.search(r"^to be paid +0$", again.out, re.MULTILINE)


def test_the_plan_needs_no_key_and_says_what_it_costs(command):
    system = """type = "openai"
model = "m"
base_url = "http://127.0.0.1:9/v1"
api_key_env = "A_KEY_THAT_IS_NOT_SET"
max_tokens = 10
prices = {prompt = 1000.0, completion = 100000.0}
headers = {X-Account = "env:AN_ACCOUNT_THAT_IS_NOT_SET"}"""
    Path("run.toml").write_text(CONFIG.replace('type = "function"\ntarget = "bot.py:answer"', system))
    planned = command("run", "run.toml", "--out", "out", "--plan")
    assert planned.code == 0, planned.err
    assert re.search(r"^to be paid +15$", planned.out, re.MULTILINE)
    tokens = int(re.search(r"^prompt tokens +about (\d+)$", planned.out, re.MULTILINE)[1])
    # Fifteen answers of ten tokens each.
    assert f"money                 about {tokens / 1000 + 15:.2f} USD, at most about " in planned.out
    asked = command("run", "run.toml", "--out", "out")
    assert asked.code == 2
    assert "A_KEY_THAT_IS_NOT_SET" in asked.err


def test_the_plan_knows_repeats(command):
    planned = command("run", "run.toml", "--set", "repeats=3", "--out", "out", "--plan")
    command("run", "run.toml", "--set", "repeats=3", "--out", "out")
    assert re.search(r"^to be paid +45$", planned.out, re.MULTILINE)
    assert paid() == 45


def test_the_budget_holds_and_the_next_run_goes_on(command):
    command("run", "run.toml", "--out", "out", "--max-queries", "7")
    assert paid() == 6  # a follow-up takes two questions, and what does not fit is not begun
    assert any(check["name"] == "budget" for check in report()["health"])
    command("run", "run.toml", "--out", "out")
    assert paid() == 15 - 6
    assert outcomes() == {"upper-case": (0, 5), "add-spaces": (5, 0)}


def test_a_budget_that_lets_nothing_be_judged_is_exit_code_3(command):
    assert command("run", "run.toml", "--out", "out", "--max-queries", "1").code == 3


def test_several_systems_and_several_data_each_with_relations_of_their_own(command):
    write_reviews(3, "more.jsonl")
    Path("run.toml").write_text(
        """
relations = ["upper-case"]
noise_floor = 0
[[systems]]
type = "function"
target = "bot.py:answer"
label = "loud"
[[systems]]
type = "builtin"
name = "sentiment"
[[data]]
task = "sentiment"
format = "jsonl"
path = "reviews.jsonl"
[[data]]
task = "sentiment"
format = "jsonl"
path = "more.jsonl"
relations = ["leet", "add-spaces"]
systems = ["loud"]
"""
    )
    command("run", "run.toml", "--out", "out")
    rows = {(row["system"], row["relation"]): row["satisfied"] + row["violated"] for row in report()["summary"]}
    assert rows == {
        ("loud", "upper-case"): 5,
        ("builtin:sentiment", "upper-case"): 5,
        ("loud", "leet"): 3,
        ("loud", "add-spaces"): 3,
    }


def test_two_files_of_one_name_are_not_mixed_up(command):
    for folder, word in (("a", "good"), ("b", "bad")):
        Path(folder).mkdir()
        Path(folder, "x.jsonl").write_text(json.dumps({"text": f"It was {word}."}) + "\n")
    blocks = "".join(
        f'[[data]]\ntask = "sentiment"\nformat = "jsonl"\npath = "{folder}/x.jsonl"\n' for folder in ("a", "b")
    )
    Path("run.toml").write_text(CONFIG.partition("[data]")[0] + blocks)
    assert "name" in command("run", "run.toml", "--out", "out").complaint
    Path("run.toml").write_text(CONFIG.partition("[data]")[0] + blocks + 'name = "other"\n')
    assert command("run", "run.toml", "--out", "out").code == 0
    assert outcomes()["upper-case"] == (0, 2)


def test_without_out_everything_goes_to_one_folder_and_answers_are_shared(command):
    command("run", "run.toml")
    [folder] = Path(".mutatis/runs").iterdir()
    assert paid(str(folder)) == 15
    command("run", "run.toml")
    [newest] = set(Path(".mutatis/runs").iterdir()) - {folder}
    assert paid(str(newest)) == 0
    assert command("show", "latest").code == 0


def test_a_wrong_key_is_one_clear_line_and_exit_code_3(command, monkeypatch):
    monkeypatch.setenv("BOT_KEY", "sk-loopback-77")
    with loopback(default=Act(status=401, error={"message": "Incorrect API key provided"})) as server:
        done = command(
            "run", "run.toml", "--system", "openai:m", "--base-url", server.url, "--out", "out",
            "--set", "system.api_key_env=BOT_KEY", "--concurrency", "1",
        )  # fmt: skip
        assert server.requests == 1
    assert done.code == 3
    assert "HTTP 401: Incorrect API key provided" in done.complaint
    assert "BOT_KEY" in done.complaint
    assert "sk-loopback-77" not in done.err + done.out


def test_an_endpoint_from_the_command_line(command, monkeypatch):
    with loopback() as server:
        command("run", "run.toml", "--system", "openai:m", "--base-url", server.url, "--out", "out")
        assert server.requests == paid() == 15
    assert report()["summary"][0]["system"] == "openai:m"


def test_a_relation_of_ones_own_in_one_file(command):
    Path("mine.py").write_text(
        '''
import mutatis

@mutatis.transformation("my-echo")
def my_echo(text: str) -> str:
    """Say it twice."""
    return f"{text} {text}"

mutatis.relation("my-echo", tasks=["sentiment"])
'''
    )
    done = command("run", "run.toml", "--set", 'load=["mine.py"]', "--relations", "my-echo", "--out", "out")
    assert done.code == 0, done.err
    assert outcomes() == {"my-echo": (5, 0)}


def test_how_long_a_lost_system_is_waited_for_reaches_the_query_layer(tmp_path, monkeypatch):
    from mutatis.assembly.campaign import assemble
    from mutatis.config import check
    from mutatis.query import Store

    data = tmp_path / "reviews.jsonl"
    data.write_text('{"text": "fine"}\n')
    tables = {
        "relations": ["upper-case"],
        "system": {"type": "builtin", "name": "sentiment", "retries": 1},
        "data": {"task": "sentiment", "format": "jsonl", "path": str(data)},
    }
    with Store(None) as store:
        assert assemble(check(tables), store).targets[0].layer._wire.limits.max_wait == 300
        assert assemble(check({**tables, "max_wait": 5.0}), store).targets[0].layer._wire.limits.max_wait == 5.0


def test_a_gate_on_a_published_id_holds_for_the_run_and_for_its_report_later(command):
    Path("run.toml").write_text(CONFIG + '\n[gate.relations]\n"llmorph/mr-5" = 1.0\nupper-case = 0.5\n')
    assert command("run", "run.toml", "--out", "out").code == 1
    assert report()["run"]["config"]["gate"]["relations"] == {"add-spaces": 1.0, "upper-case": 0.5}
    # Another process: nothing that the run registered or loaded is there.
    code = "from mutatis.cli import main; main()"
    arguments = ["report", "out", "--format", "junit", "-o", "later.xml"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert Path("later.xml").read_text() == Path("out/junit.xml").read_text()
    assert 'failures="1"' in Path("later.xml").read_text()
