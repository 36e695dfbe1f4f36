"""Terminals of any encoding, an interrupt at any moment, and texts that nest without end: a line and its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mutatis.core.parsing import DEEPEST, NotReadable, json_of, toml_of
from support.loopback import Command

BOT = """
def answer(text):
    return "0.1" if text.isupper() else "0.9"
"""

INTERRUPTED_WHILE_A_CLASS_IS_MADE = """
import sys
from mutatis.cli import main

class Interrupting:
    def __set_name__(self, owner, name):
        raise KeyboardInterrupt

class Finder:
    def find_spec(self, name, path, target=None):
        if name == "mutatis.cli.app":
            type("Made", (), {"field": Interrupting()})  # Python 3.11 turns what it raises into a RuntimeError

sys.meta_path.insert(0, Finder())
sys.argv = ["mutatis", "list", "relations"]
main()
"""


def ran(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env={**os.environ, **environment}, capture_output=True, timeout=600
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_of_any_encoding_is_written_to(tmp_path, encoding):
    (tmp_path / "bot.py").write_text(BOT)
    reviews = [{"text": f"The caf\u00e9 \u2026 no. {number} \U0001f600 was fine."} for number in range(4)]
    (tmp_path / "reviews.jsonl").write_text("".join(json.dumps(review) + "\n" for review in reviews))
    (tmp_path / "pairs.jsonl").write_text('{"question": "Q?", "reference": ["\\u2026"], "answer": "\\ud83d\\ude00"}\n')
    main = "import sys; from mutatis.cli import main; sys.argv = ['mutatis', *{}]; main()"
    tested = [
        "run",
        "--system",
        "bot.py:answer",
        "--data",
        "reviews.jsonl",
        "--task",
        "sentiment",
        "--relations",
        "upper-case",
        "--out",
        "out",
    ]
    for arguments in (tested, ["show", "out", "--all"]):
        done = ran(main.format(arguments), tmp_path, PYTHONIOENCODING=encoding)
        assert done.returncode == 0, done.stderr
        done.stdout.decode(encoding)
    told = ran(main.format(["judge", "pairs.jsonl"]), tmp_path, PYTHONIOENCODING=encoding).stdout.decode(encoding)
    assert all(isinstance(json.loads(line), dict) for line in told.splitlines() if line.startswith("{"))


def test_an_interrupt_while_a_class_is_made_is_an_interrupt(tmp_path):
    done = ran(INTERRUPTED_WHILE_A_CLASS_IS_MADE, tmp_path)
    assert done.returncode == 130
    assert done.stderr.decode() == "mutatis: interrupted; nothing was asked\n"


def test_a_key_of_twenty_thousand_dots_is_one_line(command: Command):
    (command.folder / "my.toml").write_text("a." * 20_000 + "b = 1\n")
    done = command("run", "my.toml")
    assert (done.code, done.err) == (2, "mutatis: my.toml is not TOML: nested too deeply to be read\n")


def test_data_is_read_to_a_depth_that_everything_goes_down_to():
    deep, deeper = "[" * DEEPEST + "]" * DEEPEST, "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)
    assert json_of(deep)
    assert json_of("[" + "[]," * 1_000 + "[]]")  # wide is not deep
    for read, text in ((json_of, deeper), (toml_of, "a = " + deeper), (toml_of, "a." * DEEPEST + "b = 1")):
        with pytest.raises(NotReadable, match="nested too deeply"):
            read(text)
