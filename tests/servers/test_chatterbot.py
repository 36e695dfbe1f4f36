"""ChatterBot, a chatbot that answers by what it has heard, over HTTP. `make servers` installs it and runs this."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mutatis.core.system import Conversation, Message
from mutatis.systems import SYSTEMS
from support.real_servers import free_port, running

PYTHON = Path(os.environ.get("MUTATIS_SERVERS", ""), "chatterbot", "bin", "python")
if not PYTHON.exists():
    pytest.skip("ChatterBot is started by `make servers` alone (MUTATIS_SERVERS)", allow_module_level=True)

SCRIPT = Path(__file__).resolve().parents[1] / "support" / "chatterbot_server.py"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    port = free_port()
    with running([str(PYTHON), str(SCRIPT), port], {}, f"http://127.0.0.1:{port}/"):
        yield f"http://127.0.0.1:{port}/reply"


async def test_its_reply_is_found_in_its_json(address):
    system = SYSTEMS["http"](url=address, request={"text": "{message}"})
    asked = Conversation(
        messages=(Message(role="user", content="When do you open?"),), fields={"message": "When do you open?"}
    )
    answer = await system.ask(asked)
    await system.close()
    assert answer.text == "We open at nine."


def test_a_campaign_judges_every_follow_up_and_a_repeated_one_asks_nothing(address, command):
    (command.folder / "questions.txt").write_text("When do you open?\nWhere is the library?\nHello\n")
    (command.folder / "run.toml").write_text(
        f"""
        relations = ["upper-case", "keyboard-typos", "polite-words"]
        noise_floor = 1
        [system]
        type = "http"
        url = "{address}"
        request = {{ text = "{{message}}" }}
        [data]
        task = "chat"
        format = "lines"
        path = "questions.txt"
        """
    )
    first = command("run", "run.toml", "--out", "out")
    assert first.code in (0, 1), first.err
    report = json.loads((command.folder / "out" / "report.json").read_text())
    assert report["run"]["queries"]["errors"] == 0
    assert sum(row["satisfied"] + row["violated"] + row["open"] for row in report["summary"]) > 0
    command("run", "run.toml", "--out", "out", "--offline")
    again = json.loads((command.folder / "out" / "report.json").read_text())
    assert (again["run"]["queries"]["paid"], again["summary"]) == (0, report["summary"])
