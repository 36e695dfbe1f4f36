"""A report that somebody sent: replaying it does nothing that was not shown, and nothing without being told to."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from support.loopback import Command, loopback

CONFIG = """
relations = ["upper-case"]
noise_floor = 0
[system]
type = "openai"
model = "m"
base_url = "{url}"
[data]
task = "sentiment"
format = "jsonl"
path = "reviews.jsonl"
"""


def low_if_upper(body: dict[str, Any]) -> str:
    return "0.1" if "FILM" in body["messages"][-1]["content"] else "0.9"


@pytest.fixture
def server():
    with loopback(answer=low_if_upper) as running:
        yield running


@pytest.fixture
def command(monkeypatch, capsys, tmp_path, server) -> Command:
    Path(tmp_path, "reviews.jsonl").write_text(json.dumps({"text": "a fine film"}) + "\n")
    Path(tmp_path, "run.toml").write_text(CONFIG.format(url=server.url))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    made = Command(monkeypatch, capsys, tmp_path)
    assert made("run", "run.toml", "--out", "out").code == 0
    server.requests = 0
    server.headers.clear()
    return made


def foreign(changes: dict[str, Any]) -> str:
    """Change the report's configuration as a stranger might; return the finding."""
    path = Path("out/report.json")
    report = json.loads(path.read_text())
    config = report["run"]["config"]
    for name, value in changes.items():
        config[name] = [{**config["systems"][0], **value}] if name == "system" else value
    if "system" in config:
        config["systems"] = config.pop("system")
    path.write_text(json.dumps(report))
    return report["findings"][0]["id"]


MARK = "open('ran', 'w').close()\n"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"system": {"type": "function", "target": "evil.py:answer"}}, "evil.py:answer"),
        ({"load": ["evil.py"]}, "evil.py"),
        ({"helper": {"type": "function", "target": "evil.py:answer"}}, "evil.py:answer"),
        ({"system": {"type": "sklearn", "model": "evil.joblib"}}, "evil.joblib"),
    ],
)
def test_code_that_a_report_names_is_not_run(command, server, changes, told):
    Path("evil.py").write_text(MARK + "def answer(text):\n    return '0.1'\n")
    done = command("replay", "out", foreign(changes))
    assert done.code == 2
    last = done.err.splitlines()[-1]
    assert last.startswith("mutatis: replaying this report runs code that it names: ")
    assert told in last
    assert last.endswith("give your own configuration (--config FILE), or say that you trust the report (--trust)")
    assert not Path("ran").exists()
    assert server.requests == 0


def test_with_trust_it_is_run_and_shown_all_the_same(command):
    Path("evil.py").write_text(MARK)
    done = command("replay", "out", foreign({"load": ["evil.py"]}), "--trust")
    assert done.code == 1
    assert f"runs code {Path('evil.py').absolute()}" in done.err
    assert Path("ran").exists()


@pytest.mark.parametrize(
    "options",
    [
        {"headers": {"X-It": "Bearer env:PRIVATE"}},
        {"api_key_env": "PRIVATE"},
        {"extra_body": {"a": [{"b": "env:PRIVATE"}]}},
    ],
)
def test_variables_that_a_report_names_are_not_read(command, server, monkeypatch, options):
    monkeypatch.setenv("PRIVATE", "sk-private-1234567890")
    finding = foreign({"system": options})
    done = command("replay", "out", finding)
    assert done.code == 2
    assert "sends the environment variable PRIVATE" in done.err.splitlines()[-1]
    assert "sk-private" not in done.err
    assert server.requests == 0
    assert command("replay", "out", finding, "--config", "run.toml").code == 1
    assert "sk-private" not in json.dumps(server.headers)


def test_the_key_that_is_sent_by_default_is_told_too(command, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-default-1234567890")
    done = command("replay", "out", foreign({}))
    assert done.code == 2
    assert "sends the environment variable OPENAI_API_KEY" in done.err.splitlines()[-1]
    assert server.requests == 0


def test_where_nobody_can_be_asked_nothing_is_sent(command, server):
    done = command("replay", "out", foreign({}))
    assert done.code == 2
    assert "nobody is here to agree" in done.err.splitlines()[-1]
    assert server.url in done.err
    assert server.requests == 0


class Terminal(io.StringIO):
    """Somebody at a terminal who types a text."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("said", "code", "asked"), [("n", 2, 0), ("y", 1, 2)])
def test_who_is_there_is_asked(command, server, monkeypatch, said, code, asked):
    monkeypatch.setattr("sys.stdin", Terminal(f"{said}\n"))
    done = command("replay", "out", foreign({}))
    assert done.code == code
    assert server.requests == asked


def test_ones_own_system_goes_by_any_name(command, server):
    finding = foreign({})
    own = CONFIG.format(url=server.url).replace('model = "m"', 'model = "mine"')
    Path("own.toml").write_text(own)
    assert command("replay", "out", finding, "--config", "own.toml").code == 1
    assert {body["model"] for body in server.bodies[-2:]} == {"mine"}


def test_what_is_built_in_asks_nobody(command, server):
    finding = foreign({"system": {"type": "builtin", "name": "sentiment", "label": "openai:m"}})
    report = json.loads(Path("out/report.json").read_text())
    for option in ("model", "base_url"):
        report["run"]["config"]["systems"][0].pop(option, None)
    Path("out/report.json").write_text(json.dumps(report))
    done = command("replay", "out", finding)
    assert done.code in (0, 1)
    assert done.err == ""


def test_nobody_elses_cluster_is_joined(command, server):
    done = command("replay", "out", foreign({"engine": "ray", "ray_address": "ray://192.0.2.1:1"}), "--trust")
    assert done.code == 1
    assert server.requests == 2


def test_escapes_in_a_foreign_report_are_spelt_out(command):
    done = command("replay", "out", foreign({"system": {"base_url": "http://x/\x1b[2J"}, "folder": 5}))
    assert done.code == 2
    assert "\x1b" not in done.err
    assert "Traceback" not in done.err
