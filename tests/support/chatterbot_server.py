"""ChatterBot over HTTP: `python chatterbot_server.py PORT`, run with the Python of an environment that has ChatterBot.

POST /reply {"text": ...} answers {"reply": ...}. It knows a few phrases and learns nothing from what it is asked. The
model of spaCy that it usually tags with is only on GitHub, so it tags by lower case and compares letters.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

TALK = (
    ("Hello", "Hello, how can I help you?"),
    ("When do you open?", "We open at nine."),
    ("Where is the library?", "The library is in Mill Street."),
    ("Can I return a book late?", "Late books cost fifty cents a day."),
)


class Handler(BaseHTTPRequestHandler):
    """Answers one message at a time."""

    def do_GET(self) -> None:
        """Say that the bot is there."""
        self._send({"status": "ok"})

    def do_POST(self) -> None:
        """Reply to a message."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._send({"reply": str(BOT.get_response(asked["text"]))})

    def _send(self, data: dict[str, str]) -> None:
        payload = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    # Here, because the tests that collect this file have no ChatterBot.
    from chatterbot import ChatBot  # type: ignore[import-not-found]
    from chatterbot.tagging import LowercaseTagger  # type: ignore[import-not-found]
    from chatterbot.trainers import ListTrainer  # type: ignore[import-not-found]

    BOT = ChatBot("librarian", tagger=LowercaseTagger, database_uri="sqlite://", read_only=True)
    for pair in TALK:
        ListTrainer(BOT, show_training_progress=False).train(list(pair))
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
