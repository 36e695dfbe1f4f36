"""The commands of docs/tutorial.md, run as they stand there: the first finding comes within three."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from support.loopback import Command, Done, loopback

TUTORIAL = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")
SHOP = {"deliver": "Yes, on Saturdays, too.", "return": "Within 30 days.", "backpack": "Yes, it keeps water out."}
QUESTIONS = "Do you deliver on Saturdays?\nHow can I return a pair of shoes?\nIs the backpack waterproof?\n"


def reply(message: str) -> str:
    """A bot that knows no words in capitals."""
    return next((answer for word, answer in SHOP.items() if word in message), "I did not understand that.")


class Bot(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps({"reply": reply(body["message"])}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def chatbot() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Bot) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/chat"
        server.shutdown()
        thread.join()


def written(language: str, holding: str = "") -> str:
    """The one block of the page in this language that holds a text."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
    [text] = [text for named, text in blocks if named == language and holding in text]
    return text


def block(holding: str) -> list[str]:
    """The commands of the block that holds this text."""
    commands = written("", holding).splitlines()
    assert len(commands) in (3, 4)
    return commands


def run(command: Command, line: str) -> Done:
    done = command(*line.split()[1:])
    assert done.code == 0, done.err
    return done


def test_a_chatbot(command: Command, chatbot: str) -> None:
    Path("questions.txt").write_text(QUESTIONS, encoding="utf-8")
    first, second, third = block("--data questions.txt")
    run(command, first.replace("http://127.0.0.1:8000/chat", chatbot))
    assert "I did not understand that." in run(command, second).out
    assert third == "mutatis view"


def test_a_small_chatbot_with_a_fault(command: Command) -> None:
    first, second, third = block("init --function")
    run(command, first)
    run(command, second)
    shown = run(command, third).out
    for line in written("text").splitlines():
        assert line in shown


def test_a_language_model(command: Command) -> None:
    first, second, third = block("init --openai")
    run(command, first)
    with loopback(answer=lambda body: reply(body["messages"][-1]["content"])) as server:
        text = Path("mutatis.toml").read_text(encoding="utf-8")
        Path("mutatis.toml").write_text(text.replace("http://127.0.0.1:11434/v1", server.url), encoding="utf-8")
        run(command, second)
    assert "I did not understand that." in run(command, third).out


def test_a_test_suite(command: Command) -> None:
    first, *then, last = block("init --pytest")
    run(command, first)
    assert then == ["pip install pytest", "python -m pytest test_my_bot.py"]
    assert last == "mutatis view .mutatis/pytest"
    made = Path("test_my_bot.py").read_text(encoding="utf-8")
    assert made.partition('"""\n\n')[2] == written("python", "pytest"), (
        "the file is the one of the page, which test_code_blocks.py runs"
    )
