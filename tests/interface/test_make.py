"""Which Python the Makefile takes: the newest that really runs, or the given one, in an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = "{}.{}".format(*sys.version_info)


def program(path: Path, lines: str) -> None:
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)


def python(path: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", str(ROOT / ".ci" / "python"), *arguments]
    return subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, check=False)


def test_a_name_without_a_python_behind_it_is_passed_over(tmp_path: Path) -> None:
    program(tmp_path / "python3.13", "echo 'command not found' >&2; exit 127")
    program(tmp_path / "python3.12", "exit 1")  # an older one, or one without pip
    program(tmp_path / "python3", f'exec "{sys.executable}" "$@"')
    done = python(str(tmp_path))
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, str(tmp_path / "python3"), "")


def test_without_a_python_it_says_what_to_install(tmp_path: Path) -> None:
    done = python(str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no Python 3.11 or newer with venv and pip runs here: install one (python3.12")
    assert done.stderr.count("\n") == 1


def plan(*arguments: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    handed_down = ("PYTHON", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS")  # of the make that runs this test
    environment = {name: value for name, value in os.environ.items() if name not in handed_down}
    command = ["make", "--no-print-directory", "-n", "-B", "demo", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_a_python_that_is_given_gets_an_environment_of_its_own() -> None:
    lines = plan(f"PYTHON={sys.executable}").stdout.splitlines()
    assert lines[0].endswith(f'"$python" -m venv .venv-{VERSION}')
    assert f".venv-{VERSION}/bin/mutatis demo --out demo-out" in lines
    assert lines[-1].startswith(f'echo "mutatis is .venv-{VERSION}/bin/mutatis here')
    assert ".venv/bin/mutatis demo --out demo-out" in plan().stdout.splitlines()


def test_a_python_that_does_not_run_is_refused() -> None:
    done = plan("PYTHON=python3.4")
    assert done.returncode == 2
    assert done.stderr.startswith("PYTHON=python3.4 does not run as Python 3.11 or newer with venv and pip")
