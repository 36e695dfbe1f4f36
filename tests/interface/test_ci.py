"""Builds: the files of `examples/ci/` run as a build server runs them, and the gate that they rely on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from support.loopback import Command
from support.nursery import Interpreter

ROOT = Path(__file__).parents[2]


HANDED_ON = """#!/bin/sh
printf '%s\\0' "$PWD" "$@" > "{folder}/asked"
read -r code < "{folder}/code"
cat "{folder}/out"
cat "{folder}/err" >&2
exit "$code"
"""
"""The program `mutatis` of a build: it has its arguments run by a process that has the libraries already."""


class Build:
    """A copy of `examples/` in which shell commands run, with `mutatis` on the path."""

    def __init__(self, folder: Path, interpreter: Interpreter) -> None:
        self.folder, self._interpreter = folder, interpreter
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        self.ci = folder / "examples" / "ci"
        programs = folder / "bin"
        programs.mkdir()
        (programs / "mutatis").write_text(HANDED_ON.format(folder=folder))
        (programs / "mutatis").chmod(0o755)
        for pipe in ("asked", "code"):
            os.mkfifo(folder / pipe)
        self._server = threading.Thread(target=self._serve, daemon=True)
        self._server.start()
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")},
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT / "src"),
        }

    def __call__(self, command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", command], cwd=self.folder, env={**self.environment, **environment},
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip

    def _serve(self) -> None:
        while arguments := (self.folder / "asked").read_text(encoding="utf-8").split("\0")[:-1]:
            cwd, *rest = arguments
            code = "from mutatis.cli import main; main()"
            done = self._interpreter.run("-c", code, *rest, cwd=Path(cwd), PYTHONPATH=str(ROOT / "src"))
            (self.folder / "out").write_text(done.stdout, encoding="utf-8")
            (self.folder / "err").write_text(done.stderr, encoding="utf-8")
            (self.folder / "code").write_text(f"{done.returncode}\n", encoding="utf-8")

    def close(self) -> None:
        """End the thread that runs commands."""
        (self.folder / "asked").write_text("", encoding="utf-8")
        self._server.join(600)

    def break_the_bot(self) -> None:
        """A change that makes the bot depend on spaces, too."""
        bot = self.ci / "bot.py"
        text = bot.read_text(encoding="utf-8")
        bot.write_text(text.replace("in text.split()]", "in text.split() if '  ' not in text]"), encoding="utf-8")


@pytest.fixture
def build(tmp_path: Path, interpreter: Interpreter) -> Iterator[Build]:
    made = Build(tmp_path, interpreter)
    yield made
    made.close()


def test_a_build_passes_with_known_findings_and_fails_on_new_ones(build: Build) -> None:
    done = build("examples/ci/check.sh", OUT="out")
    assert done.returncode == 0, done.stderr
    assert "## mutatis: within the gate" in (build.ci / "out-summary.md").read_text(encoding="utf-8")
    report = json.loads((build.ci / "out" / "report.json").read_text(encoding="utf-8"))
    assert [finding["new"] for finding in report["findings"]] == [False] * 4
    build.break_the_bot()
    done = build("examples/ci/check.sh", OUT="later")
    assert done.returncode == 1, done.stderr
    assert "gate: new fault" in done.stderr
    assert "add-spaces on bot" in done.stderr
    assert "upper-case on bot" not in done.stderr
    told = (build.ci / "later-summary.md").read_text(encoding="utf-8")
    assert "### New findings" in told
    assert told.index("### New findings") < told.index("### Known findings")
    suite = ElementTree.parse(build.ci / "later" / "junit.xml").getroot()
    failed = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert failed == ["add-spaces"]
    compared = build("cd examples/ci && ./compare.sh out later")
    assert compared.returncode == 1, compared.stderr
    assert "new fault" in (build.ci / "comparison.md").read_text(encoding="utf-8")
    assert build("cd examples/ci && ./compare.sh later out").returncode == 0
    accepted = build("OUT=later examples/ci/accept.sh && OUT=later examples/ci/check.sh")
    assert accepted.returncode == 0, accepted.stderr


def test_the_shell_part_of_the_workflow_runs(build: Build) -> None:
    workflow = yaml.safe_load((build.ci / "github-actions.yml").read_text(encoding="utf-8"))
    job = workflow["jobs"]["metamorphic"]
    commands = [step["run"] for step in job["steps"] if "run" in step and not step["run"].startswith("pip ")]
    assert commands == ["examples/ci/check.sh"]
    page = build.folder / "page.md"
    for command in commands:
        done = build(command, GITHUB_STEP_SUMMARY=str(page), **job["env"])
        assert done.returncode == 0, done.stderr
    assert page.read_text(encoding="utf-8").startswith("## mutatis: within the gate")
    kept = [path for step in job["steps"] for path in str(step.get("with", {}).get("path", "")).split()]
    assert len(kept) == 5
    for path in kept:
        assert (build.folder / path).is_file(), path


def test_what_is_tested_is_the_commit_of_the_build(build: Build) -> None:
    done = build("examples/ci/check.sh", OUT="out", REVISION="1e10")  # no number, whatever it looks like
    assert done.returncode == 0, done.stderr
    report = json.loads((build.ci / "out" / "report.json").read_text(encoding="utf-8"))
    assert [system["revision"] for system in report["run"]["config"]["systems"]] == ["1e10"]


def test_the_baseline_of_the_example_is_what_it_finds(build: Build) -> None:
    before = (build.ci / "baseline.json").read_text(encoding="utf-8")
    assert build("examples/ci/check.sh && examples/ci/accept.sh").returncode == 0
    assert (build.ci / "baseline.json").read_text(encoding="utf-8") == before


@pytest.fixture
def command(command: Command) -> Command:
    shutil.copytree(
        ROOT / "examples" / "ci", command.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
    )
    return command


def test_a_run_as_baseline_under_another_label(command: Command) -> None:
    assert command("run", "mutatis.toml", "--out", "one").code == 0
    renamed = command("run", "mutatis.toml", "--set", "system.label=bot-2", "--baseline", "one", "--out", "two")
    assert renamed.code == 0, renamed.err
    assert "gate: passed; 0 new faults, 4 known from one" in renamed.out
    names = [Path(row["name"]).name for row in json.loads(command("list", "runs", "--json").out)]
    assert names == ["two", "one"]
    told = command("compare", "previous", "latest", "--fail-on-new")
    assert told.code == 0
    assert "old: bot   new: bot-2" in told.out
    assert "common: 4 findings" in told.out
    for form, beginning in (
        ("json", '{"format": "mutatis/comparison"'),
        ("html", "<!doctype html>"),
        ("text", "bot and bot-2 "),
    ):
        assert command("compare", "one", "two", "--format", form, "-o", "told").code == 0
        assert (command.folder / "told").read_text(encoding="utf-8").startswith(beginning)


def test_the_latest_run_as_baseline_is_told_by_its_name(command: Command) -> None:
    assert command("run", "mutatis.toml", "--out", "one").code == 0
    told = command("run", "mutatis.toml", "--baseline", "latest", "--out", "two").out
    assert "gate: passed; 0 new faults, 4 known from one" in told


def test_a_baseline_that_is_not_there_is_told_before_anything_is_asked(command: Command) -> None:
    done = command("run", "mutatis.toml", "--baseline", "nowhere", "--out", "out")
    assert done.code == 2
    assert done.complaint.startswith("baseline: no run 'nowhere'")
    told = command("run", "mutatis.toml", "--baseline", "known/none.json", "--out", "out")
    assert told.code == 2
    assert told.complaint.startswith(f"baseline known/none.json: no such file ({command.folder / 'known/none.json'})")
    assert "expected a file of known findings, or a RUN" in told.complaint
    assert told.complaint.endswith("mutatis report latest --format baseline -o known/none.json")
    assert "mutatis report latest --format baseline -o FILE" in done.complaint
    assert not (command.folder / "out" / "report.json").exists()
    (command.folder / "baseline.json").write_text('{"format": "other"}', encoding="utf-8")
    assert "is not a baseline" in command("run", "mutatis.toml").complaint
    text = '{"format": "mutatis/baseline", "version": 1, "systems": [], "findings": [{"id": 3}]}'
    (command.folder / "baseline.json").write_text(text, encoding="utf-8")
    assert "findings[0].id is '3'" in command("run", "mutatis.toml").complaint
    done = command("run", "mutatis.toml", "--summary", "no/such/folder.md")
    assert "no/such/folder.md: cannot be written" in done.complaint


def test_there_is_no_previous_run_yet(command: Command) -> None:
    assert command("list", "runs").out.strip() == "no runs yet"
    assert "no run yet" in command("show", "latest").complaint
    assert command("run", "mutatis.toml", "--out", "one").code == 0
    assert "there is only one run" in command("compare", "previous", "latest").complaint


SKIPPED = {"name": "a", "skip_reason": "not found"}
FINE = {"name": "b", "version": "1.0", "vulns": []}
WEAK = {"name": "c", "version": "2.0", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}]}


@pytest.mark.parametrize(
    ("packages", "code", "told"),
    [
        ([FINE], 0, "0 of 1 audited versions have a known weakness"),
        ([FINE, WEAK], 1, "c 2.0: CVE-1, mended in 2.1\n1 of 2 audited"),
        ([FINE, SKIPPED], 2, "not audited: 1 of 2 packages"),
        ([SKIPPED], 2, "not audited: 1 of 1 packages"),
        (None, 2, "not audited: "),
    ],
)
def test_an_audit_that_asked_nobody_is_not_taken_for_a_clean_one(packages, code, told, tmp_path):
    program = tmp_path / "pip-audit"
    said = "no route to host" if packages is None else json.dumps({"dependencies": packages})
    program.write_text(f"#!/bin/sh\necho '{said}' {'>&2; exit 1' if packages is None else ''}\n")
    program.chmod(0o755)
    command = [sys.executable, str(ROOT / ".ci" / "audit.py"), str(program), "constraints.txt"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert told in done.stdout
