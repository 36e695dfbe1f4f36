"""A gate over an endpoint that was asked nothing: a bot replaced at its address must not pass on what is stored."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import mutatis
from mutatis.core.errors import StoreError
from mutatis.records import read_report
from mutatis.reports.html import render_html
from support.loopback import Command, Done, loopback
from support.reviews import write_reviews
from support.server import Server

SYSTEM = """
[[systems]]
type = "openai"
model = "m"
base_url = "{url}"
label = "{label}"
retries = 0
"""

DATA = """
relations = ["upper-case", "add-spaces"]
noise_floor = {again}
confirm = {again}
shrink = 0
{gate}
{systems}
[data]
task = "sentiment"
format = "jsonl"
path = "reviews.jsonl"
"""

GATE = "[gate]\nmax_rate = 1.0"
REMEDIES = ("--fresh", "revision", '[gate] max_age = "12h"', "--offline")


@pytest.fixture
def command(command: Command) -> Command:
    write_reviews(4)
    return command


@pytest.fixture
def server() -> Iterator[Server]:
    with loopback() as server:
        yield server


def configured(*urls: str, gate: str = GATE, again: int = 0) -> None:
    systems = "".join(SYSTEM.format(url=url, label=f"bot-{n}") for n, url in enumerate(urls))
    Path("run.toml").write_text(DATA.format(gate=gate, systems=systems, again=again))


def test_a_bot_replaced_at_the_same_address_does_not_pass_on_stored_answers(command: Command, server: Server) -> None:
    configured(server.url)
    assert command("run", "run.toml", "--out", "out").code == 0
    asked = server.requests
    server.answer = lambda body: "0.5"  # another bot: nobody asks it
    done = command("run", "run.toml", "--out", "out")
    assert (done.code, server.requests) == (3, asked)
    assert done.complaint.startswith("the system could not be tested: bot-0: nothing was asked: all 12 answers were")
    assert re.search(r"stored, the newest \d+ s old; ", done.complaint)
    assert all(remedy in done.complaint for remedy in REMEDIES)
    assert "gate: passed" not in done.out


def test_a_server_that_is_gone_does_not_pass_either(command: Command) -> None:
    with loopback() as server:
        configured(server.url)
        assert command("run", "run.toml", "--out", "out").code == 0
    assert command("run", "run.toml", "--out", "out").code == 3


def test_a_label_is_told_as_it_is(command: Command, server: Server) -> None:
    configured(server.url)
    label = ("--set", "systems.label=openai:m")  # ":m:" is a picture to some
    for _ in range(2):
        done = command("run", "run.toml", "--out", "out", *label)
    assert "could not be tested: openai:m: nothing was asked" in done.complaint


@pytest.mark.parametrize(
    "gate",
    [
        "[gate]\nmax_findings = 100",
        "[gate]\nmin_judged = 1",
        '[gate]\nbaseline = "out"',
        "[gate.relations]\nadd-spaces = 1.0",
    ],
)
def test_every_kind_of_gate_is_one(gate: str, command: Command, server: Server) -> None:
    configured(server.url, gate="")
    assert command("run", "run.toml", "--out", "out").code == 0
    configured(server.url, gate=gate)
    assert command("run", "run.toml", "--out", "out").code == 3


def test_an_option_is_a_gate_and_without_any_it_is_said_in_one_line(command: Command, server: Server) -> None:
    configured(server.url, gate="")
    assert command("run", "run.toml", "--out", "out").code == 0
    done = command("run", "run.toml", "--out", "out")
    assert done.code == 0
    assert len(told(done)) == 1
    assert command("run", "run.toml", "--out", "out", "--max-rate", "1").code == 3


def told(done: Done) -> list[str]:
    return [line for line in done.out.splitlines() if "nothing was asked" in line]


def test_who_says_offline_wants_stored_answers_and_is_told_so(command: Command, server: Server) -> None:
    configured(server.url)
    assert command("run", "run.toml", "--out", "out").code == 0
    done = command("run", "run.toml", "--out", "out", "--offline")
    assert done.code == 0, done.err
    [line] = told(done)
    assert line.startswith("bot-0: nothing was asked: all 12 answers were stored")
    assert line.endswith("(--offline)")
    assert "gate: passed" in done.out


def test_each_remedy_is_one(command: Command, server: Server) -> None:
    configured(server.url)
    assert command("run", "run.toml", "--out", "out").code == 0
    assert command("run", "run.toml", "--out", "out", "--fresh").code == 0
    assert command("run", "run.toml", "--out", "out").code == 3
    assert command("run", "run.toml", "--out", "out", "--set", "systems.revision=2").code == 0
    assert command("run", "run.toml", "--out", "out", "--set", "systems.revision=2").code == 3
    aged("out", hours=11)
    within = command("run", "run.toml", "--out", "out", "--set", 'gate.max_age="12h"')
    assert within.code == 0, within.err
    assert [line.endswith('the newest 11 h old (max_age = "12h")') for line in told(within)] == [True]
    aged("out", hours=2)
    beyond = command("run", "run.toml", "--out", "out", "--set", 'gate.max_age="12h"')
    assert (beyond.code, "the newest 13 h old" in beyond.err) == (3, True)


def aged(folder: str, *, hours: float) -> None:
    """Make stored answers so much older."""
    with sqlite3.connect(f"{folder}/store.db") as db:
        db.execute("UPDATE answers SET asked_at = asked_at - ?", (hours * 3600,))
    db.close()


@pytest.mark.parametrize("written", ["12", '"12"', '"tomorrow"', '"-1h"', '"h"', '"12 parsecs"', "[1]", "true"])
def test_an_age_that_is_none_is_told_in_one_line(written: str, command: Command) -> None:
    configured("http://127.0.0.1:9/v1", gate=f"[gate]\nmax_age = {written}")
    done = command("run", "run.toml", "--out", "out")
    assert done.code == 2
    assert "gate.max_age is" in done.complaint
    assert done.complaint.endswith('expected a duration, such as "30min", "12h" or "7d"')


def test_several_systems_are_told_one_by_one(command: Command, server: Server) -> None:
    with loopback() as other:
        configured(server.url, other.url)
        assert command("run", "run.toml", "--out", "out").code == 0
        done = command("run", "run.toml", "--out", "out", "--set", "systems.1.revision=2")
        assert done.code == 3
        assert "bot-0: nothing was asked" in done.complaint
        assert "bot-1" not in done.complaint
    suites = ElementTree.parse("out/junit.xml").getroot().findall("testsuite")
    failed = {suite.get("name"): (suite.get("errors"), suite.get("tests")) for suite in suites}
    assert failed == {"bot-0 on sentiment": ("2", "2"), "bot-1 on sentiment": ("0", "2")}


def test_what_only_confirms_is_not_what_was_judged(command: Command, server: Server) -> None:
    server.answer = lambda body: "0.9" if "FILM" in str(body) else "0.1"  # upper-case violates, and is confirmed
    configured(server.url, again=0)
    assert command("run", "run.toml", "--out", "out").code == 0
    configured(server.url, again=2)
    done = command("run", "run.toml", "--out", "out")
    assert done.code == 3
    assert "no judged answer is new" in done.complaint
    assert "6 questions failed or came afterwards" in done.complaint  # 2 sources again, 2 findings of 2 questions each


def test_a_question_that_got_no_answer_does_not_count_as_asked(command: Command) -> None:
    with loopback() as server:
        configured(server.url, gate="[gate]\nmax_rate = 1.0\nmax_errors = 0.5")
        assert command("run", "run.toml", "--out", "out").code == 0
        with Path("reviews.jsonl").open("a") as file:
            file.write('{"text": "one more."}\n')
    done = command("run", "run.toml", "--out", "out")
    assert done.code == 3
    assert "bot-0: nothing was asked: all 12 answers were stored" in done.err


def test_one_new_question_is_asked_and_that_will_do(command: Command, server: Server) -> None:
    configured(server.url)
    assert command("run", "run.toml", "--out", "out").code == 0
    with Path("reviews.jsonl").open("a") as file:
        file.write('{"text": "one more."}\n')
    done = command("run", "run.toml", "--out", "out")
    assert (done.code, told(done)) == (0, [])


def test_a_run_that_goes_on_with_one_that_was_killed_is_one_run(
    command: Command, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(server.url)
    with monkeypatch.context() as killed:

        def full(*_: Any) -> None:
            raise StoreError("the disk is full")

        killed.setattr("mutatis.reports.forms.render_junit", full)  # the last thing that a run does
        assert command("run", "run.toml", "--out", "out").code != 0
    asked = server.requests
    done = command("run", "run.toml", "--out", "out")
    assert (done.code, server.requests, told(done)) == (0, asked, [])
    assert command("run", "run.toml", "--out", "out").code == 3  # the second one has judged these answers


def test_a_run_that_was_killed_long_ago_is_not_gone_on_with(
    command: Command, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(server.url)
    with monkeypatch.context() as killed:
        killed.setattr("mutatis.campaign.session.health_warnings", lambda *_: 1 / 0)
        command("run", "run.toml", "--out", "out")
    aged("out", hours=25)
    with sqlite3.connect("out/store.db") as db:
        db.execute("UPDATE runs SET began = began - 90000")
    db.close()
    assert command("run", "run.toml", "--out", "out").code == 3


def test_a_function_is_no_endpoint_its_answers_are_stored_under_its_file(command: Command) -> None:
    Path("bot.py").write_text("def answer(text):\n    return '0.5'\n")
    configured(gate=GATE + '\n[system]\ntype = "function"\ntarget = "bot.py:answer"')
    for _ in range(2):
        done = command("run", "run.toml", "--out", "out")
        assert (done.code, told(done)) == (0, [])


def test_a_helper_that_is_asked_is_not_the_system(command: Command, server: Server) -> None:
    server.answer = lambda body: '{"text": "The film was nice."}' if body["model"] == "helper" else "0.5"
    helper = f'[helper]\ntype = "openai"\nmodel = "helper"\nbase_url = "{server.url}"'
    configured(server.url, gate=f"{GATE}\n{helper}")
    paraphrased = ("run", "run.toml", "--out", "out", "--relations", "paraphrase")
    assert command(*paraphrased).code == 0
    asked = server.requests
    done = command(*paraphrased, "--set", "helper.revision=2")
    assert (done.code, server.requests - asked) == (3, 4)
    assert "bot-0: nothing was asked: all 8 answers were stored" in done.err


def test_a_helper_that_is_not_asked_is_nobody_who_was_tested(command: Command, server: Server) -> None:
    server.answer = lambda body: '{"text": "The film was nice."}'
    Path("bot.py").write_text("def answer(text):\n    return '0.5'\n")
    helper = f'[helper]\ntype = "openai"\nmodel = "helper"\nbase_url = "{server.url}"'
    configured(gate=f'{GATE}\n{helper}\n[system]\ntype = "function"\ntarget = "bot.py:answer"')
    for _ in range(2):
        done = command("run", "run.toml", "--out", "out", "--relations", "paraphrase")
        assert (done.code, told(done)) == (0, [])


def test_page_build_server_markdown_and_python_say_the_same(command: Command, server: Server) -> None:
    configured(server.url)
    assert command("run", "run.toml", "--out", "out").code == 0
    command("run", "run.toml", "--out", "out", "--summary", "told.md")
    page = Path("out/report.html").read_text()
    assert '<span class="gate untested">not tested</span>' in page
    assert "nothing was asked: all 12 answers were stored" in page
    assert "## mutatis: could not be tested" in Path("told.md").read_text()
    assert "nothing was asked" in Path("told.md").read_text()
    root = ElementTree.parse("out/junit.xml").getroot()
    assert (root.get("errors"), root.get("tests")) == ("2", "2")
    assert all("nothing was asked" in error.get("message", "") for error in root.iter("error"))
    run = mutatis.api.Run(report=read_report(Path("out")))
    with pytest.raises(mutatis.api.GateFailed, match=r"nothing was asked.*fresh=True.*check\(max_age=\"12h\"\)"):
        run.check(max_rate=1.0)
    run.check(max_rate=1.0, max_age="1h")
    run.check(max_rate=None)


def test_a_report_of_an_earlier_version_says_nothing_of_it(command: Command, server: Server) -> None:
    configured(server.url)
    for _ in range(2):
        command("run", "run.toml", "--out", "out")
    written = json.loads(Path("out/report.json").read_text())
    del written["run"]["systems"], written["run"]["offline"]
    Path("out/report.json").write_text(json.dumps(written))
    report = read_report(Path("out"))
    mutatis.api.Run(report=report).check(max_rate=1.0)
    assert "passes the gate" in render_html(report)


def test_python_that_asked_nothing_says_so(command: Command, server: Server) -> None:
    def tested(**more: Any) -> mutatis.Run:
        system = mutatis.system("openai", model="m", base_url=server.url)
        options = {"task": "sentiment", "store": "answers.db", "settings": {"noise_floor": 0, "confirm": 0}, **more}
        return mutatis.run(system, ["A lovely film.", "A dull one."], ["add-spaces"], **options)

    tested().check(max_rate=1.0)
    again = tested()
    assert "openai:m: nothing was asked: all 4 answers were stored" in again.table()
    with pytest.raises(mutatis.api.GateFailed, match="nothing was asked"):
        again.check(max_rate=1.0)
    offline = tested(offline=True)
    offline.check(max_rate=1.0)
    assert "nothing was asked" in offline.table()
    tested(fresh=True).check(max_rate=1.0)
