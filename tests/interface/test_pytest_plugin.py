"""The pytest plugin: a campaign inside a test, its answers kept, its summary shown where the test fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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


def run(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "COLUMNS": "120"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=200)
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "test_bot.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def test_a_test_fails_above_its_gate_with_the_summary_and_pays_once(folder):
    out = run(folder, "-rP")
    assert "1 failed, 2 passed" in out
    assert "GateFailed: upper-case on bot, sentiment: violation rate 100.0% is above 50.0%" in out
    assert re.search(r"upper-case +3/3 +100", out)
    assert "ASKED 9" in out  # three sources, three follow-ups, and three sources again for the noise floor
    assert (folder / ".mutatis/pytest.db").is_file()
    again = run(folder, "-rP", "-k", "within")
    assert "ASKED 0" in again


def test_the_store_can_be_named(folder):
    run(folder, "-k", "within", "--mutatis-store", "elsewhere.db")
    assert (folder / "elsewhere.db").is_file()
    assert not (folder / ".mutatis").exists()


def test_tests_that_do_not_use_it_load_nothing(folder):
    (folder / "test_bot.py").write_text(
        "import sys\n\ndef test_nothing():\n"
        "    assert not [n for n in sys.modules if n.partition('.')[0] == 'mutatis']\n"
    )
    assert "1 passed" in run(folder)
