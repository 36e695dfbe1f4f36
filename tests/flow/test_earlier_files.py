"""Files that a run of commit b7d50608 left behind stay readable, and a plugin written for it runs unchanged.

`earlier/` holds both: the plugin (`desk_parts.py`) with its data and configuration, and what the run wrote.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import mutatis

EARLIER = Path(__file__).parent / "earlier"
GREETED = "8879ed84b4"
FINDINGS = {
    ("desk-greeting", "Can I pay the price by card?"),
    ("keyboard-typos", "What is your address, and what are your hours?"),
    ("keyboard-typos", "What is the price of a small parcel?"),
    ("add-spaces", "What is the price of a small parcel?"),
    ("add-spaces", "Which are your opening hours?"),
    ("add-spaces", "Can I pay the price by card?"),
    ("add-spaces", "What is your address, and what are your hours?"),
}


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(EARLIER, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def desk(interpreter, folder):
    """The command line in a process of its own, so that the plugin is registered once."""
    return lambda *arguments: interpreter.run("-m", "mutatis", *arguments, cwd=folder)


def violations(run: mutatis.Run) -> set[tuple[str, str]]:
    return {(each.relation, each.source.case.turns[0].fields["message"]) for each in run.findings}


def test_the_plugin_finds_the_desk_that_dislikes_to_be_greeted(desk, folder):
    done = desk("run", "desk.toml", "--out", "new")
    assert done.returncode == 0, done.stderr
    rows = {row.relation: row for row in mutatis.read_run(folder / "new").summary}
    assert rows["desk-twice"].satisfied == 6
    assert rows["desk-greeting"].satisfied + rows["desk-greeting"].violated == 6
    assert set(rows) == {"add-spaces", "desk-greeting", "desk-twice", "keyboard-typos", "upper-case"}


def test_a_mistake_in_the_plugins_options_and_data_is_one_line(desk, folder):
    done = desk("run", "desk.toml", "--set", "system.angri=true")
    assert done.returncode == 2
    assert "did you mean 'angry'" in done.stderr
    (folder / "letters.txt").write_text("no dash\n", encoding="utf-8")
    done = desk("run", "desk.toml")
    assert done.returncode == 2
    assert "line 1: expected a dash and a text" in done.stderr


def test_a_report_is_read(folder):
    run = mutatis.read_run(folder / "run")
    assert violations(run) == FINDINGS
    assert sum(row.judged for row in run.summary) == 30


def test_verdicts_have_the_keys_that_readers_rely_on(folder):
    lines = [json.loads(line) for line in (folder / "run" / "verdicts.jsonl").read_text("utf-8").splitlines()]
    outcomes = [line["outcome"] for line in lines if line.get("relation") != "identity"]
    assert outcomes.count("violated") == 7


def test_a_bundle_is_read(desk, folder):
    shown = desk("show", "run.zip", "--all")
    assert shown.returncode == 0, shown.stderr
    assert GREETED in shown.stdout


def test_a_finding_is_shown_and_a_page_made_anew(desk, folder):
    shown = desk("show", "run", GREETED)
    assert shown.returncode == 0, shown.stderr
    assert "Come to the point." in shown.stdout
    page = desk("report", "run", "-o", "page.html")
    assert page.returncode == 0, page.stderr
    assert "Come to the point." in (folder / "page.html").read_text("utf-8")


def test_a_finding_is_asked_again(desk, folder):
    again = desk("replay", "run", GREETED, "--config", "desk.toml")
    assert again.returncode in {0, 1}, again.stderr
    assert "Come to the point." in again.stdout


def test_a_baseline_knows_its_findings(desk, folder):
    gated = desk("run", "desk.toml", "--baseline", "baseline.json", "--out", "new")
    assert gated.returncode in {0, 1}, gated.stderr
    run = mutatis.read_run(folder / "new")
    again = [each for each in run.findings if (each.relation, each.source.case.turns[0].fields["message"]) in FINDINGS]
    assert len(again) > 3  # whatever their follow-ups look like now
    assert not any(each.new for each in again)


def test_the_store_answers_the_sources(desk, folder):
    done = desk("run", "desk.toml", "--out", "run", "--relations", "upper-case", "--set", "noise_floor=0")
    assert done.returncode == 0, done.stderr
    stored = mutatis.read_run(folder / "run").report.run.queries.stored
    assert stored >= 6
