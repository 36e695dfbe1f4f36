"""`mutatis init` for each kind of system: what it writes runs as it is; and the completion of the shell."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from support.loopback import loopback

SOURCE = Path(__file__).parents[2] / "src"


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def report(folder: str) -> dict[str, Any]:
    return json.loads(Path(folder, "report.json").read_text(encoding="utf-8"))


def test_function_finds_the_fault_of_its_bot(command):
    done = command("init", "--function")
    assert "wrote mutatis.toml, questions.txt, my_bot.py; next: mutatis run mutatis.toml" in done.out
    ran = command("run", "mutatis.toml", "--out", "out")
    assert ran.code == 0, ran.err
    assert any(row["violated"] for row in report("out")["summary"])


def test_openai_asks_the_endpoint(command):
    command("init", "--openai")
    with loopback(answer=lambda body: "Yes.") as server:
        text = Path("mutatis.toml").read_text()
        Path("mutatis.toml").write_text(text.replace("http://127.0.0.1:11434/v1", server.url))
        ran = command("run", "mutatis.toml", "--out", "out")
    assert ran.code == 0, ran.err
    assert sum(row["satisfied"] for row in report("out")["summary"]) > 10


async def reply(request: web.Request) -> web.Response:
    body = await request.json()
    return web.json_response({"reply": f"You said {len(body['message'].split())} words."})


def test_http_asks_the_bot(command, http_bot):
    with http_bot(reply) as url:
        assert command("init", "bot.toml", "--http", f"{url}/say").code == 0
        first = tomllib.loads(re.sub(r"(?m)^# (?=request.*session|session_start)", "", Path("bot.toml").read_text()))
        assert first["system"]["session_start"]["url"] == f"{url}/say"
        assert first["system"]["request"]["session"] == "{session}"
        ran = command("run", "bot.toml", "--out", "out")
    assert ran.code == 0, ran.err
    assert report("out")["summary"][0]["task"] == "chat"


def test_tracker_runs_offline(command):
    assert command("init", "--tracker").code == 0
    ran = command("run", "mutatis.toml", "--out", "out")
    assert ran.code == 0, ran.err
    assert {row["task"] for row in report("out")["summary"]} == {"dialogue-state"}


def test_sklearn_is_a_script(command):
    assert "next: python check_model.py" in command("init", "--sklearn").out
    done = python(command.folder, "check_model.py")
    assert done.returncode == 0, done.stderr
    assert "sklearn:Pipeline on sentiment" in done.stdout
    assert Path("sklearn-out/report.html").is_file()


def test_pytest_finds_the_fault_of_its_bot(command, interpreter):
    assert "next: pip install pytest && python -m pytest test_my_bot.py" in command("init", "--pytest").out
    arguments = ("-m", "pytest", "-p", "no:cacheprovider", "test_my_bot.py")
    done = interpreter.run(*arguments, cwd=command.folder, PYTHONPATH=str(SOURCE))
    assert "FAILED test_my_bot.py::test_bot[" in done.stdout
    assert "I did not understand that." in done.stdout


def test_an_address_without_its_scheme_is_told(command):
    assert (
        "--http 'bot:8000' is not an address; expected an address, for example: --http http://"
        in command("init", "--http", "bot:8000").complaint
    )
    assert not Path("mutatis.toml").exists()


def test_one_kind_at_a_time_and_nothing_is_overwritten(command):
    assert (
        "--openai and --function cannot be combined; expected one kind of file"
        in command("init", "--openai", "--function").complaint
    )
    Path("questions.txt").write_text("mine")
    Path("my_bot.py").write_text("mine")
    assert command("init", "--function").complaint == "my_bot.py exists; move it away"
    assert not Path("mutatis.toml").exists()
    done = command("init", "--openai")
    assert done.out.strip() == "wrote mutatis.toml; questions.txt is left unchanged; next: mutatis run mutatis.toml"
    told = "mutatis.toml exists; move it away, or name another file: mutatis init other.toml"
    assert command("init", "--openai").complaint == told
    assert Path("questions.txt").read_text() == Path("my_bot.py").read_text() == "mine"


def test_the_shell_completes(command, monkeypatch):
    monkeypatch.setenv("_MUTATIS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "mutatis com")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert "compare" in command().out.split()


KEY = "sk-Zx81kLmQ0pT7vW3nB5yC"


@pytest.mark.parametrize(
    ("address", "written", "variable"),
    [
        ("https://my.bot/chat?key={}&lang=en", "https://my.bot/chat?key=env:BOT_KEY&lang=en", "BOT_KEY"),
        ("https://my.bot/chat?api-key={}", "https://my.bot/chat?api-key=env:BOT_API_KEY", "BOT_API_KEY"),
        ("https://my.bot/chat?x={}", "https://my.bot/chat?x=env:BOT_X", "BOT_X"),
        ("https://my.bot/bot123456789:{}/send", "https://my.bot/botenv:BOT_KEY/send", "BOT_KEY"),
        ("https://my.bot/#access_token={}", "https://my.bot/#access_token=env:BOT_ACCESS_TOKEN", "BOT_ACCESS_TOKEN"),
        ("https://my.bot/chat?lang=en", "https://my.bot/chat?lang=en", ""),
    ],
)
def test_a_secret_of_the_address_is_not_written(command, address, written, variable):
    done = command("init", "--http", address.format(KEY))
    assert done.code == 0, done.err
    assert (f"read from the environment: export {variable}=..." in done.out) is bool(variable)
    assert tomllib.loads(Path("mutatis.toml").read_text())["system"]["url"] == written
    assert KEY not in Path("mutatis.toml").read_text() + done.out + done.err


def test_what_is_written_instead_is_asked_with_the_secret_and_shows_it_nowhere(command, monkeypatch, http_bot):
    asked = []

    async def reply(request):
        asked.append(request.query["key"])
        return web.json_response({"reply": f"your key is {request.query['key']}"})

    with http_bot(reply) as url:
        assert command("init", "--http", f"{url}/chat?key={KEY}").code == 0
        told = command("run", "mutatis.toml", "--out", "out", "--relations", "upper-case", "--set", "noise_floor=0")
        assert told.complaint == "url needs the environment variable BOT_KEY, which is not set"
        monkeypatch.setenv("BOT_KEY", f"{KEY}&{{message}}=1")
        done = command("run", "mutatis.toml", "--out", "out", "--relations", "upper-case", "--set", "noise_floor=0")
        shown = command("ask", "mutatis.toml")
    assert (done.code, shown.code) == (0, 0), done.err
    assert set(asked) == {f"{KEY}&{{message}}=1"}
    left = b"".join(path.read_bytes() for path in Path("out").rglob("*") if path.is_file())
    assert KEY.encode() not in left + (done.out + done.err + shown.out + shown.err).encode()
    assert json.loads(Path("out/report.json").read_text())["summary"][0]["system"] == f"{url}/chat?key=env:BOT_KEY"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["--http", "https://me:secret@my.bot/chat"],
            "--http contains a user name or password; pass these in a header",
        ),
        (["--http", "http://my.bot/a\nb = 1"], "an address cannot contain spaces: write %20 instead"),
        (["--http", "http://my.bot:99999/chat"], "expected a host, and a port from 1 to 65535"),
        (["mine.py"], "mine.py does not end in .toml; expected a name such as mine.toml"),
        (["--pytest", "mine.toml"], "mine.toml does not end in .py; expected a name such as mine.py"),
        (["."], ". is a folder; name a file in it: mutatis.toml"),
    ],
)
def test_what_cannot_be_written_is_told_and_nothing_is(command, arguments, says):
    done = command("init", *arguments)
    assert (done.code, done.out) == (2, "")
    assert says in done.complaint
    assert "secret@" not in done.complaint
    assert list(Path().iterdir()) == []
