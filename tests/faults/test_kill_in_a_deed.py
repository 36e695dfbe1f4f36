"""A run that is killed while a tool books something does not have it booked again when it is repeated."""

from __future__ import annotations

import json
import signal
from pathlib import Path

from support.nursery import Interpreter, Program

RUN = """
import json
from pathlib import Path
import mutatis
from mutatis import Response
from mutatis.testing import ScriptedSystem

BOOK = {"name": "book", "description": "Reserve a seat.", "parameters": {"type": "object", "properties": {}}}

def agent(conversation):
    done = any(message.role == "tool" for message in conversation.messages)
    return "Done." if done else Response(calls=[{"name": "book", "arguments": {}}])

def run(folder):
    cases = mutatis.cases([{"message": "Reserve a seat.", "tools": [BOOK]}], task="tool-call")
    tools = {"answer": f"{folder}/desk.py:answer", "revision": "1"}
    settings = {"tools": tools, "noise_floor": 0, "confirm": 0, "shrink": 0}
    mutatis.run(ScriptedSystem(agent), cases, ["calls-polite-words"], out=Path(folder) / "out", settings=settings)
    return 0
"""

DESK = """
import time
from pathlib import Path

HERE = Path(__file__).parent

def answer(call):
    with open(HERE / "booked.txt", "a") as book:
        book.write(call["name"] + "\\n")
    while not (HERE / "open").exists():
        time.sleep(0.01)
    return "seat 7"
"""


def test_what_a_killed_run_may_have_done_is_not_done_again(interpreter: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "desk.py").write_text(DESK)
    booked = tmp_path / "booked.txt"
    program = Program(interpreter, RUN)
    killed = program.run(folder=str(tmp_path), killed_when=lambda: booked.exists() and booked.read_text() != "")
    assert (killed, booked.read_text()) == (-signal.SIGKILL, "book\n")
    (tmp_path / "open").touch()
    assert program.run(folder=str(tmp_path)) == 0
    assert booked.read_text() == "book\n"
    [line] = (tmp_path / "out" / "verdicts.jsonl").read_text("utf-8").splitlines()
    assert "may change something and was made before" in json.loads(line)["reason"]
