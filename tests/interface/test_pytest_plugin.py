"""The pytest plugin: a campaign inside a test, its answers kept, its summary shown where the test fails."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.canaries import leaked
from support.loopback import loopback
from support.nursery import Interpreter, Program

SOURCE = Path(__file__).parents[2] / "src"

SUITE = """
import sys
import mutatis
from mutatis.testing import ScriptedSystem


BOT = ScriptedSystem(lambda conversation: "0.1" if conversation.fields["text"].isupper() else "0.9", "bot")
CASES = [mutatis.Case(id=f"a/{i}", turns=(mutatis.Turn(fields={"text": f"film {i} was fine"}),)) for i in range(3)]


def test_within(metamorphic):
    metamorphic(BOT, CASES, ["add-spaces"], task="sentiment").check()
    print("ASKED", BOT.count)


def test_above(metamorphic):
    run = metamorphic(BOT, CASES, ["upper-case"], task="sentiment")
    run.check(max_rate=0.5)


def test_nothing():
    pass
"""


PYTEST = """
import os, sys
import pytest
import mutatis.api

def run(folder, arguments, shown):
    file = os.open(shown, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream, place in ((0, os.open(os.devnull, os.O_RDONLY)), (1, file), (2, file)):
        os.dup2(place, stream)
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.argv = ["pytest", *arguments]
    return int(pytest.main(arguments))
"""
"""As `python -m pytest` in a folder, but that the package is loaded already."""

ENVIRONMENT = {"PYTHONPATH": f"{SOURCE}{os.pathsep}{Path(__file__).parents[1]}", "COLUMNS": "120"}


SECRETIVE = """
import mutatis
from support.canaries import CANARY, HEADERS, PATH, QUERY, REQUEST

OPTIONS = {{"headers": {{**HEADERS, "X-Api-Key": CANARY}}, "request": {{**REQUEST, "messages": "{{messages}}"}}}}


def system(path):
    return mutatis.system("http", url="{url}" + path + QUERY, response="choices.0.message.content", **OPTIONS)


def test_found(metamorphic):
    bot = system("/chat/completions")
    run = metamorphic(bot, ["a fine film"], ["upper-case"], task="sentiment")
    run.check()


def test_nobody_there(metamorphic):
    bot = mutatis.system("http", url="http://127.0.0.1:9/" + PATH + QUERY, **OPTIONS)
    metamorphic(bot, ["a fine film"], ["upper-case"], task="sentiment").check()


def test_wrong():
    mutatis.system("http", url="http://127.0.0.1:9/", headers=f"Authorization: Bearer {{CANARY}}")
"""


def test_a_failed_test_shows_no_key_not_even_with_its_variables(run, tmp_path, monkeypatch):
    def low_if_upper(body):
        return f"{'0.1' if 'FILM' in str(body) else '0.9'} {body}"

    with loopback(answer=low_if_upper) as server:
        (tmp_path / "test_secretive.py").write_text(SECRETIVE.format(url=server.url))
        text = run(tmp_path, "test_secretive.py", "--showlocals", "-vv", "--junitxml", "junit.xml")
    assert "3 failed" in text, text
    assert "bot        = HttpSystem(" in text
    # What a test itself writes out is its own: of its three texts, only the lines of our objects and messages count.
    told = "\n".join(line for line in text.splitlines() if "OPTIONS" not in line)
    assert leaked(told) == {}
    for path in tmp_path.rglob("*"):
        if path.is_file() and path.name != "test_secretive.py" and "__pycache__" not in path.parts:
            assert leaked(path.read_bytes()) == {}, path


@pytest.fixture
def run(interpreter: Interpreter) -> Callable[..., str]:
    """Runs pytest in a folder; gives what it said."""
    # Other packages' plugins take longer than most of these runs; `run_anew` finds ours among them.
    program = Program(interpreter, PYTEST, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", **ENVIRONMENT)
    plugins = [word for name in ("mutatis", "asyncio", "xdist") for word in ("-p", name)]

    def inside(folder: Path, *arguments: str) -> str:
        shown = folder / "shown.txt"
        arguments = (*plugins, "-p", "no:cacheprovider", *arguments)
        program.run(folder=str(folder), arguments=arguments, shown=str(shown))
        return shown.read_text(encoding="utf-8")

    return inside


def run_anew(folder: Path, *arguments: str) -> str:
    """Run pytest in an interpreter that has loaded nothing."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, **ENVIRONMENT}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "test_bot.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def test_a_test_fails_above_its_gate_with_the_summary_and_pays_once(run, folder):
    out = run_anew(folder, "-rP")
    assert "1 failed, 2 passed" in out
    assert "GateFailed: upper-case on bot, sentiment: violation rate 100.0% is above 50.0%" in out
    assert re.search(r"upper-case +3/3 +100", out)
    assert "ASKED 9" in out  # three sources, three follow-ups, and three sources again for the noise floor
    assert (folder / ".mutatis/pytest.db").is_file()
    again = run(folder, "-rP", "-k", "within")
    assert "ASKED 0" in again


def test_pytest_tells_what_the_plugin_takes(run, folder):
    told = " ".join(run(folder, "--help").split())
    for option in (
        "--mutatis-store=MUTATIS_STORE where answers are kept (.mutatis/pytest.db)",
        "--mutatis-out=MUTATIS_OUT folder of the reports (.mutatis/pytest)",
        "--mutatis-baseline=DIR folder of known findings, one file per test",
        "--mutatis-update-baseline write the findings as known",
        "mutatis_baseline (string): folder of known findings, from the root folder; see --mutatis-baseline",
    ):
        assert option in told
    marks = run(folder, "--markers")
    assert "@pytest.mark.metamorphic(*relations, task): one test per relation (argument `relation`)" in marks


def test_the_store_can_be_named(run, folder):
    run(folder, "-k", "within", "--mutatis-store", "elsewhere.db", "--mutatis-out", "reports")
    assert (folder / "elsewhere.db").is_file()
    assert (folder / "reports/test_bot.test_within/report.html").is_file()
    assert [path.name for path in (folder / ".mutatis").iterdir()] == ["history"]  # by which `list runs` finds it


SIMPLE = """
import pytest

TEXTS = ["It was lovely.", "A quiet joy.", "Slow and loud."]

def bot(text):
    return "0.1" if text.isupper() else "0.9"

async def slow_bot(text):
    return bot(text)

"""


def suite(folder: Path, tests: str) -> None:
    (folder / "test_bot.py").write_text(SIMPLE + tests)


def test_a_failure_shows_the_first_findings_whole_and_none_of_our_frames(run, folder):
    suite(folder, """
def test_it(metamorphic):
    metamorphic(bot, TEXTS, ["upper-case"], task="sentiment").check()
""")  # fmt: skip
    out = run(folder)
    assert "1 failed" in out
    told = " ".join(line.removeprefix("E").strip() for line in out.splitlines())
    assert re.search(r"source +It was lovely\. +follow-up +IT WAS LOVELY\. +change +'It' -> 'IT'", told), out
    assert re.search(r"answers +0\.9 -> 0\.1 +why +answers should be the same, but differ", told)
    assert re.search(r"show +mutatis show \.mutatis/pytest/test_bot\.test_it [0-9a-f]{10}", told)
    assert "3 of 3 findings; report: .mutatis/pytest/test_bot.test_it/report.html" in told
    assert "mutatis replay" not in out  # the function is the program's own: no command can ask it
    for ours in ("mutatis_pytest.py", "api.py", "runners.py"):
        assert ours not in out, out
    assert (folder / ".mutatis/pytest/test_bot.test_it/report.html").is_file()
    finding = re.search(r"mutatis show (\S+) ([0-9a-f]{10})", told)
    shown = subprocess.run(
        [sys.executable, "-c", "from mutatis.cli import main; main()", "show", *finding.groups()],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "answer: 0.1" in shown.stdout


def test_wrong_use_is_one_line_without_our_frames(run, folder):
    suite(folder, """
def test_it(metamorphic):
    metamorphic(bot, TEXTS, ["uper-case"], task="sentiment")
""")  # fmt: skip
    out = run(folder)
    assert "did you mean 'upper-case'" in out
    for ours in ("mutatis_pytest.py", "api.py", "registry.py"):
        assert f"{ours}:" not in out, out


def test_the_mark_makes_one_test_per_relation(run, folder):
    suite(folder, """
@pytest.mark.metamorphic("upper-case", "tag:wording", "tag:logic", task="sentiment")
def test_each(metamorphic, relation):
    metamorphic(bot, TEXTS).check()

@pytest.mark.parametrize("name", ["upper-case", "add-spaces"])
def test_by_hand(metamorphic, name):
    metamorphic(bot, TEXTS, [name], task="sentiment").check()
""")  # fmt: skip
    out = run(folder, "-rA", "--strict-markers")
    assert "FAILED test_bot.py::test_each[upper-case]" in out
    assert "PASSED test_bot.py::test_each[emphasis-rules]" in out
    assert re.search(r"SKIPPED .*judges none of these cases: \d+ INVALID", out)  # by tag, and it fits no text here
    assert "FAILED test_bot.py::test_by_hand[upper-case]" in out
    assert "PASSED test_bot.py::test_by_hand[add-spaces]" in out


def test_a_relation_of_a_tag_that_does_not_know_the_language_is_skipped_with_that_reason(run, folder):
    suite(folder, """
@pytest.mark.metamorphic("tag:wording", task="sentiment")
def test_german(metamorphic, relation):
    metamorphic(lambda text: "0.5", ["Das war ein schöner Abend mit euch.", "Leider war das Essen kalt."]).check()
""")  # fmt: skip
    assert re.search(r"SKIPPED .*judges none of these cases: 2 INVALID, not for German", run(folder, "-rs"))


def test_an_unknown_relation_of_a_mark_fails_its_test_with_one_line_and_no_other(run, folder):
    suite(folder, """
@pytest.mark.metamorphic("uper-case", task="sentiment")
def test_each(metamorphic, relation):
    metamorphic(bot, TEXTS).check()

@pytest.mark.metamorphic("tag:wordin", task="sentiment")
class TestTag:
    def test_each(self, metamorphic, relation):
        metamorphic(bot, TEXTS).check()

def test_other(metamorphic):
    metamorphic(bot, TEXTS, ["add-spaces"], task="sentiment").check()
""")  # fmt: skip
    out = run(folder, "-rA")
    assert "2 failed, 1 passed" in out
    assert "FAILED test_bot.py::test_each[mark] - Failed: the mark metamorphic of test_each: unknown relation" in out
    assert "did you mean 'upper-case'" in out
    assert "no relation has the tag 'wordin'; did you mean 'tag:wording'" in out
    assert "_manager.py" not in out
    assert "mutatis_pytest.py" not in out
    (folder / "test_bot.py").write_text((folder / "test_bot.py").read_text().replace("uper-case", "polite-words"))
    assert "relation polite-words does not fit task sentiment" in run(folder)


def test_a_mark_may_name_a_relation_of_an_installed_plugin(folder):
    information = folder / "greeting_parts-0.1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting-parts\nVersion: 0.1\n")
    (information / "entry_points.txt").write_text("[mutatis]\ngreeting = greeting_parts\n")
    (folder / "greeting_parts.py").write_text(
        'from mutatis import relation\nrelation("greet", transformations=["upper-case"], tasks=["sentiment"])\n'
    )
    suite(folder, """
@pytest.mark.metamorphic("greet", task="sentiment")
def test_marked(metamorphic, relation):
    metamorphic(bot, TEXTS).check()
""")  # fmt: skip
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    out = run_anew(folder, "-rA")
    assert "FAILED test_bot.py::test_marked[greet]" in out, out
    assert "unknown relation" not in out


def test_a_mark_that_says_nothing_to_its_test_fails_it(run, folder):
    suite(folder, """
@pytest.mark.metamorphic("upper-case", tsk="sentiment")
def test_misspelt(metamorphic, relation):
    metamorphic(bot, TEXTS).check()

@pytest.mark.metamorphic("upper-case", task="sentiment")
def test_without(metamorphic):
    metamorphic(bot, TEXTS).check()

@pytest.mark.metamorphic("upper-case", task="sentiment")
class TestSome:
    def test_of_its_own(self, metamorphic):
        metamorphic(bot, TEXTS, ["add-spaces"], task="sentiment").check()
""")  # fmt: skip
    out = run(folder, "-rA")
    assert "2 failed, 1 passed" in out
    assert "the mark metamorphic of test_misspelt: unknown argument 'tsk'; did you mean 'task'?" in out
    assert "the mark metamorphic of test_without makes one test per relation; add the argument" in out


def test_settings_and_their_gate(run, folder):
    suite(folder, """
def test_table(metamorphic):
    metamorphic(bot, TEXTS, ["upper-case"], task="sentiment", settings={"gate": {"max_rate": 1.0}}).check()

def test_file(metamorphic):
    metamorphic(bot, TEXTS, ["upper-case"], task="sentiment", settings="my.toml").check()
""")  # fmt: skip
    (folder / "my.toml").write_text("[gate]\nmax_findings = 2\n")
    out = run(folder)
    assert "1 failed, 1 passed" in out
    assert "3 faults, more than 2" in out


def test_async_tests_await_it(run, folder):
    suite(folder, """
@pytest.mark.asyncio
async def test_it(metamorphic):
    run = await metamorphic(slow_bot, TEXTS, ["upper-case"], task="sentiment")
    run.check()

@pytest.mark.asyncio
async def test_other(metamorphic):
    (await metamorphic(slow_bot, TEXTS, ["add-spaces"], task="sentiment")).check()

def test_sync(metamorphic):
    metamorphic(slow_bot, TEXTS, ["add-spaces"], task="sentiment").check()
""")  # fmt: skip
    out = run(folder)
    assert "1 failed, 2 passed" in out
    assert "source     It was lovely." in out
    assert "api.py" not in out


def test_known_findings_fail_nothing(run, folder):
    suite(folder, """
@pytest.mark.metamorphic("upper-case", "add-spaces", task="sentiment")
def test_each(metamorphic, relation):
    metamorphic(bot, TEXTS).check()
""")  # fmt: skip
    assert "needs a folder" in run(folder, "--mutatis-update-baseline")
    assert "1 failed, 1 passed" in run(folder, "--mutatis-baseline", "known")
    assert "2 passed" in run(folder, "--mutatis-baseline", "known", "--mutatis-update-baseline")
    assert sorted(path.name for path in (folder / "known").iterdir()) == [
        "test_bot.test_each-add-spaces.json",
        "test_bot.test_each-upper-case.json",
    ]
    assert "2 passed" in run(folder, "--mutatis-baseline", "known")
    (folder / "pytest.ini").write_text("[pytest]\nmutatis_baseline = known\n")
    assert "2 passed" in run(folder)
    text = (folder / "test_bot.py").read_text()
    (folder / "test_bot.py").write_text(text.replace('"0.1" if text.isupper()', '"0.1" if text.lower() not in LOW'))
    (folder / "test_bot.py").write_text(
        (folder / "test_bot.py").read_text().replace("def bot", "LOW = [text.lower() for text in TEXTS]\n\ndef bot")
    )
    out = run(folder)
    assert "1 failed, 1 passed" in out
    assert "new fault" in out
    assert "add-spaces on function:bot" in out


def test_each_run_of_a_test_has_a_baseline_of_its_own(run, folder):
    suite(folder, """
def test_twice(metamorphic):
    first = metamorphic(bot, TEXTS, ["add-spaces"], task="sentiment")
    second = metamorphic(bot, TEXTS, ["upper-case"], task="sentiment")
    first.check()
    second.check()
""")  # fmt: skip
    assert "1 passed" in run(folder, "--mutatis-baseline", "known", "--mutatis-update-baseline")
    known = {path.name: len(json.loads(path.read_text())["findings"]) for path in (folder / "known").iterdir()}
    assert known == {"test_bot.test_twice.json": 0, "test_bot.test_twice-2.json": 3}
    assert "1 passed" in run(folder, "--mutatis-baseline", "known")
    # What only the second run found is new in the first one.
    text = (folder / "test_bot.py").read_text()
    (folder / "test_bot.py").write_text(text.replace('["add-spaces"]', '["upper-case"]'))
    out = run(folder, "--mutatis-baseline", "known")
    assert "1 failed" in out
    assert "new fault" in out


def test_a_run_that_judged_nothing_is_no_pass(run, folder):
    suite(folder, """
def broken(text):
    raise ValueError("no model")

def silent(text):
    return "no number"

def test_broken(metamorphic):
    metamorphic(broken, TEXTS, ["upper-case"], task="sentiment").check()

def test_silent(metamorphic):
    metamorphic(silent, TEXTS, ["upper-case"], task="sentiment").check()
""")  # fmt: skip
    out = run(folder)
    assert "2 failed" in out
    assert out.count("no answer could be judged") >= 2
    assert "ValueError: no model" in out


def test_a_dead_bot_fails_its_test_and_in_the_baseline_as_well(run, folder):
    suite(folder, """
QUESTIONS = ["When are you open?", "How can I pay?", "What is shipping?", "Do you sell lamps?"]
DEAD = False

def shop(text):
    return "Error: 500 Internal Server Error" if DEAD else f"You asked {text.lower().strip(' ?')!r}: yes."

def test_shop(metamorphic):
    metamorphic(shop, QUESTIONS, ["upper-case"], task="chat").check()
""")  # fmt: skip
    assert "1 passed" in run(folder, "--mutatis-baseline", "known", "--mutatis-update-baseline")
    text = (folder / "test_bot.py").read_text()
    (folder / "test_bot.py").write_text(text.replace("DEAD = False", "DEAD = True"))
    for options in ((), ("--mutatis-baseline", "known")):
        out = run(folder, *options)
        assert "1 failed" in out
        assert "4 of 4 different questions got one and the same reply" in out


@pytest.mark.long
def test_workers_share_the_store(run, folder):
    suite(folder, """
@pytest.mark.metamorphic("upper-case", "add-spaces", "leet", "keyboard-typos", task="sentiment")
def test_each(metamorphic, relation):
    metamorphic(bot, TEXTS).check()
""")  # fmt: skip
    out = run(folder, "-n", "2", "--mutatis-baseline", "known", "--mutatis-update-baseline")
    assert "4 passed" in out
    assert len(list((folder / "known").iterdir())) == 4
    assert len(list((folder / ".mutatis/pytest").glob("*/report.json"))) == 4


def test_tests_that_do_not_use_it_load_nothing(folder):
    (folder / "test_bot.py").write_text(
        "import sys\n\ndef test_nothing():\n"
        "    assert not [n for n in sys.modules if n.partition('.')[0] == 'mutatis']\n"
    )
    assert "1 passed" in run_anew(folder)


ENDPOINT = """
import mutatis
import pytest


@pytest.mark.parametrize("number", [1, 2])
def test_bot(metamorphic, number):
    bot = mutatis.system("openai", model="m", base_url="{url}")
    metamorphic(bot, ["It was lovely.", "A quiet joy."], ["upper-case"], task="sentiment").check(max_rate=1.0)
"""


def test_an_endpoint_that_nobody_asked_in_this_session_was_not_tested(run, folder):
    with loopback() as server:
        (folder / "test_bot.py").write_text(ENDPOINT.format(url=server.url))
        assert "2 passed" in run(folder)  # the second one finds what the first one has asked just now
    with sqlite3.connect(folder / ".mutatis/pytest.db") as db:
        db.execute("UPDATE answers SET asked_at = asked_at - 60")
    db.close()
    out = run(folder)
    assert "2 failed" in out
    assert "nothing was asked: all" in out
    assert "fresh=True" in out
