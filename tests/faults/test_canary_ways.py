"""Whatever way there is out of a run, no key takes it: messages, commands, exceptions, objects as they are shown."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mutatis
from mutatis.config import check
from mutatis.core.errors import MutatisError, SystemFailure, UsageError
from mutatis.core.system import Conversation, Message
from mutatis.reports.markdown import render_markdown
from mutatis.systems import SYSTEMS
from support.canaries import CANARY, HEADERS, KEYS, PATH, QUERY, REQUEST, leaked
from support.loopback import Command, loopback
from support.server import Act

KEY = KEYS["pass"]


@pytest.fixture
def command(command, monkeypatch) -> Command:
    Path(command.folder, "reviews.jsonl").write_text(json.dumps({"text": "a fine film"}) + "\n")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return command


def configuration(system: str) -> str:
    return f"""
relations = ["upper-case"]
noise_floor = 0
[system]
{system}
retries = 0
[data]
task = "sentiment"
format = "jsonl"
path = "reviews.jsonl"
"""


HTTP = 'type = "http"\nurl = "http://127.0.0.1:9/x"\n'
OPENAI = 'type = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n'
WRONG = {
    "headers as a text": HTTP + f'headers = "Authorization: Bearer {KEY}"',
    "headers as a list": HTTP + f'headers = ["X-Api-Key: {KEY}"]',
    "a header that is a list": HTTP + f'headers = {{ X-It = ["{KEY}"] }}',
    "a header's name with its value": HTTP + f'headers = {{ "Authorization: Bearer {KEY}" = "" }}',
    "a header over two lines": HTTP + f'headers = {{ X-It = "{KEY}\\n" , "a b" = "" }}',
    "the key for its name": OPENAI + f'api_key_env = "{KEY}"',
    "the key of a service for its name": OPENAI + f'api_key_env = "{CANARY}"',
    "the key as an option": OPENAI + f'api_key = "{KEY}"',
    "a key of a table": OPENAI + f'"{KEY}" = 1',
    "a user in an address": OPENAI.replace("http://", f"http://me:{KEY}@"),
    "a mistyped scheme": OPENAI.replace("http://", f"htp://me:{KEY}@"),
    "one slash": OPENAI.replace("http://", f"http:/me:{KEY}@"),
    "no scheme": OPENAI.replace("http://", f"me:{KEY}@"),
    "an address that is none": HTTP.replace("http://127.0.0.1:9/x", f"127.0.0.1:9/x?code={KEY}"),
    "a body as a text": OPENAI + f'extra_body = "{KEY}"',
    "a template as a list": HTTP + f'request = ["{KEY}"]',
    "a timeout": HTTP + f'timeout = "{KEY}"\nheaders = {{ X-It = "{KEY}" }}',
    "a template that holds nothing": HTTP + f'request = {{ pass = "{KEY}", route = "{KEYS["unknown key"]}" }}',
    "no TOML": HTTP + f"api_key = {KEY}",
    "no TOML in a table": HTTP + f"headers = {{ Authorization = Bearer {KEY} }}",
    "no table": f'type = "http"\nurl = "http://127.0.0.1:9/x"\nsession_start = "{KEY}"',
}


@pytest.mark.parametrize("system", WRONG.values(), ids=WRONG)
def test_a_message_about_a_mistake_holds_no_key(command, system):
    Path("run.toml").write_text(configuration(system))
    done = command("run", "run.toml", "--out", "out")
    assert done.code in (2, 3)
    assert leaked(done.out + done.err) == {}


ARGUMENTS = {
    "a mistyped scheme": ("run", "--system", f"htp://me:{KEY}@127.0.0.1:9/x", "--data", "reviews.jsonl"),
    "no scheme": ("run", "--system", f"me.example/x?code={KEY}", "--data", "reviews.jsonl"),
    "a user and no scheme": ("run", "--system", f"me:{KEY}@host.example/x", "--data", "reviews.jsonl"),
    "a setting": ("run", "run.toml", "--set", f"system.headers.X-Key={KEY}", "--set", f"seed.x.token={KEY}"),
    "no setting": ("run", "run.toml", "--set", f"system.headers.X-Key: {KEY}"),
    "an address of a first file": ("init", "--http", f"htp://me:{KEY}@127.0.0.1:9/x"),
    "a cluster": (
        "run",
        "run.toml",
        "--engine",
        "ray",
        "--set",
        f"ray_address=ray://me:{KEY}@127.0.0.1:9",
        "--offline",
    ),
}


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_a_message_about_arguments_holds_no_key(command, arguments):
    Path("run.toml").write_text(configuration(HTTP))
    done = command(*arguments)
    assert done.code in (2, 3), done.out
    assert leaked(done.out + done.err) == {}


def tables(url: str) -> dict[str, Any]:
    """A run with a key in every place of its system."""
    return {
        "system": {
            "type": "http",
            "url": f"{url}/{PATH}/chat/completions{QUERY}",
            "headers": {**HEADERS, "X-Api-Key": CANARY},
            "request": {**REQUEST, "messages": "{messages}"},
            "response": "choices.0.message.content",
            "retries": 0,
        },
        "data": {"task": "sentiment", "format": "jsonl", "path": "reviews.jsonl"},
        "relations": ["upper-case"],
        "noise_floor": 0,
    }


def written(tables: dict[str, Any]) -> str:
    """The same as a TOML file; JSON's texts and lists are TOML's, too."""

    def value(setting: Any) -> str:
        if isinstance(setting, dict):
            return "{" + ", ".join(f"{json.dumps(key)} = {value(inner)}" for key, inner in setting.items()) + "}"
        return json.dumps(setting)

    return "".join(f"{key} = {value(table)}\n" for key, table in tables.items())


@pytest.fixture
def server() -> Iterator[Any]:
    from aiohttp import web

    async def said(request: web.Request) -> web.Response:
        body = await request.text()
        text = f"{'0.1' if 'FILM' in body else '0.9'} {dict(request.headers)} {request.path_qs} {body}"
        token = {"access_token": "given-out-1234567"}
        return web.json_response({"choices": [{"message": {"content": text}}], **token}, headers={"X-Echo": CANARY})

    with loopback(extra=[web.post("/x/{path:.*}", said)]) as running:
        running.url = running.url.replace("/v1", "/x")
        yield running


@pytest.fixture
def ran(command, server) -> Command:
    Path("run.toml").write_text(written(tables(server.url)))
    done = command("run", "run.toml", "--out", "out")
    assert done.code == 0, done.err
    assert leaked(done.out + done.err) == {}
    assert json.loads(Path("out/report.json").read_text())["findings"]
    return command


def test_no_command_shows_a_key(ran):
    finding = json.loads(Path("out/report.json").read_text())["findings"][0]["id"]
    for arguments in (
        ("ask", "run.toml"),
        ("run", "run.toml", "--plan"),
        ("run", "run.toml", "--out", "out"),
        ("show", "out"),
        ("show", "out", finding, "--full"),
        ("replay", "out", finding),
        ("replay", "out", finding, "--trust"),
        ("replay", "out", finding, "--config", "run.toml"),
        ("list", "runs"),
        ("compare", "out", "out"),
        ("report", "out", "--format", "csv", "-o", "made.csv"),
        ("report", "out", "--format", "markdown", "-o", "made.md"),
        ("sheet", "out", "bugs", "-o", "sheet.html"),
    ):
        done = ran(*arguments)
        assert done.code in (0, 1, 2), (arguments, done.err)
        assert leaked(done.out + done.err) == {}, arguments
    files = [path for path in Path().rglob("*") if path.is_file() and path.name != "run.toml"]
    assert {path.name: leaked(path.read_bytes()) for path in files if leaked(path.read_bytes())} == {}


@pytest.mark.parametrize("status", [0, 400, 401, 404, 429])
def test_no_command_shows_a_key_where_nothing_is_answered(command, status):
    with loopback(default=Act(status=status or 200, error=CANARY, cut="" if status else "before")) as server:
        config = tables(server.url)
        config["system"]["url"] = f"{server.url}/chat/completions{QUERY}"
        Path("run.toml").write_text(written(config))
        for arguments in (
            ("ask", "run.toml"),
            ("run", "run.toml", "--out", "out"),
            ("run", "run.toml", "--out", "out"),
        ):
            done = command(*arguments)
            assert done.code == 3, (done.out, done.err)
            assert leaked(done.out + done.err) == {}, arguments
    for path in Path("out").rglob("*"):
        assert leaked(path.read_bytes()) == {}, path


def test_a_token_that_the_server_gives_out_is_not_shown(ran):
    done = ran("ask", "run.toml")
    assert "given-out" not in done.out
    assert '"access_token": "***"' in done.out


def test_a_guess_says_so_and_is_told_apart_from_another(ran):
    report = json.loads(Path("out/report.json").read_text())
    [system] = report["run"]["config"]["systems"]
    assert system["headers"]["X-Team"].startswith("***(masked by guess, ")
    assert system["headers"]["bearer"] == "***"
    assert system["request"]["x"]["route"].startswith("***(masked by guess, ")
    assert "q=***(masked by guess, " in system["url"]
    assert "masked by guess" in ran("run", "run.toml", "--out", "again", "--offline").err
    tables = Path("run.toml").read_text()
    Path("run.toml").write_text(tables.replace(KEYS["unknown header"], KEYS["unknown header"][::-1]))
    assert ran("run", "run.toml", "--out", "out", "--offline").code == 3  # nothing is stored of what may be another
    Path("run.toml").write_text(tables.replace(KEYS["bearer"], KEYS["bearer"][::-1]))
    assert ran("run", "run.toml", "--out", "out", "--offline").code == 0  # a new key is no other system


def test_a_report_without_its_keys_is_not_replayed_with_stars(ran):
    finding = json.loads(Path("out/report.json").read_text())["findings"][0]["id"]
    done = ran("replay", "out", finding, "--trust")
    assert done.code == 2
    assert done.err.startswith(
        "mutatis: the report does not contain systems.0.url, which is a secret or looks like a secret; "
    )
    assert "--config FILE" in done.err


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """Everything that hangs on an exception, whether or not a traceback would show it."""
    if error is not None:
        yield error
        yield from chain(error.__cause__)
        yield from chain(error.__context__)


def told(error: BaseException) -> str:
    texts = []
    for part in chain(error):
        texts += [str(part), repr(part), repr(part.args), *getattr(part, "__notes__", ()), repr(vars(part))]
    return "\n".join([*texts, *traceback.format_exception(error)])


FAILING = {
    "nobody there": {"url": "http://127.0.0.1:9/x?code={code}&q={unknown parameter}".format_map(KEYS)},
    "no address": {"url": "http://[::1/x?code={code}".format_map(KEYS)},
    "another port": {"url": "http://127.0.0.1:99999/x?code={code}".format_map(KEYS)},
}


@pytest.mark.parametrize("options", FAILING.values(), ids=FAILING)
def test_an_error_of_asking_holds_no_key_nor_does_what_hangs_on_it(options):
    async def asked() -> None:
        system = SYSTEMS["http"](
            headers={"X-Api-Key": CANARY, **HEADERS}, request={**REQUEST, "q": "{message}"}, timeout=5, **options
        )
        try:
            await system.ask(Conversation(messages=(Message(role="user", content="x"),), fields={"message": "x"}))
        finally:
            await system.close()

    with pytest.raises(MutatisError) as caught:
        asyncio.run(asked())
    assert leaked(told(caught.value)) == {}


def test_what_a_server_says_hangs_on_no_error(server):
    """The reader's own error would hold the whole body."""
    system = SYSTEMS["openai"](model="m", base_url=server.url, headers={"X-Api-Key": CANARY})
    with pytest.raises(MutatisError) as caught:
        system.endpoint.parse(f"{{no JSON, {CANARY}".encode())
    assert leaked(told(caught.value)) == {}


def test_an_error_of_options_holds_no_key_nor_does_what_hangs_on_it():
    for options in (
        {"url": "http://h/", "headers": f"Authorization: Bearer {KEY}"},
        {"url": "http://h/", "headers": {"X-It": KEY}, "timeout": "long"},
        {"url": f"htp://me:{KEY}@h/"},
    ):
        with pytest.raises(UsageError) as caught:
            SYSTEMS["http"](**options)
        assert leaked(told(caught.value)) == {}
    with pytest.raises(UsageError) as caught:
        check({**tables("http://h"), "seed": "x"})
    assert leaked(told(caught.value)) == {}


def test_objects_are_shown_without_keys(tmp_path):
    config = check(tables("http://127.0.0.1:9"))
    system = SYSTEMS["http"](**config.systems[0].options)
    model = SYSTEMS["http"].model(**config.systems[0].options)
    from mutatis.assembly.making import making

    for shown in (config, config.systems[0], system, system.endpoint, model, making(config, config.systems[0])):
        assert leaked(f"{shown!r} {shown}") == {}
    assert leaked(json.dumps(system.identity)) == {}


def test_a_program_s_run_shows_no_key(server, tmp_path, capsys, caplog):
    caplog.set_level(logging.DEBUG)
    options = tables(server.url)["system"]
    system = mutatis.system(options.pop("type"), **{key: value for key, value in options.items() if key != "retries"})
    run = mutatis.run(system, ["a fine film"], ["upper-case"], task="sentiment", out=tmp_path / "out")
    with pytest.raises(AssertionError) as caught:
        run.check()
    print(run, repr(run), run.table(), run._repr_html_(), render_markdown(run.report))
    print(run.frame("summary").to_string(), run.frame("findings").to_string(), run.frame("verdicts").to_string())
    shown = "".join(capsys.readouterr()) + caplog.text + told(caught.value)
    assert leaked(shown) == {}
    assert "masked by guess" in shown


BOT = f"""
import os


def answer(text):
    if text.isupper():
        cause = ValueError(os.environ["BOT_TOKEN"])
        raise RuntimeError("401 for http://h/x?sig={KEYS["sig"]} Authorization: Bearer {KEYS["bearer"]}") from cause
    if "2" in text:
        raise RuntimeError("it is " + os.environ["BOT_TOKEN"])
    return "0.5"
"""


def test_what_a_bot_quotes_in_an_exception_is_cleaned(command, monkeypatch):
    monkeypatch.setenv("BOT_TOKEN", CANARY)
    Path("bot.py").write_text(BOT)
    Path("reviews.jsonl").write_text("".join(json.dumps({"text": f"a fine film {n}"}) + "\n" for n in range(3)))
    Path("run.toml").write_text(configuration('type = "function"\ntarget = "bot.py:answer"'))
    done = command("run", "run.toml", "--out", "out")
    assert done.code in (0, 3)
    assert leaked(done.out + done.err) == {}
    assert "http://h/x?sig=*** Authorization: Bearer ***" in Path("out/verdicts.jsonl").read_text()
    for path in Path("out").rglob("*"):
        assert leaked(path.read_bytes()) == {}, path


def test_the_file_of_a_mistake_of_the_program_holds_no_key(command, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError(f"http://h/?code={KEYS['code']}") from ValueError(f"Bearer {KEYS['bearer']}")

    monkeypatch.setattr("mutatis.cli.run.assemble", broken)
    Path("run.toml").write_text(configuration(HTTP))
    done = command("run", "run.toml")
    assert done.code == 4
    assert leaked(done.err) == {}
    file = Path(done.err.partition("with the file ")[2].partition(" to ")[0])
    assert "ZeroDivisionError: http://h/?code=***" in file.read_text()
    assert leaked(file.read_bytes()) == {}
    file.unlink()


class Quoting:
    """A system of a user's own that tells its request in its failures, and hangs more on them."""

    label = "quoting"
    identity = {"type": "quoting"}  # noqa: RUF012

    async def ask(self, conversation: Conversation) -> mutatis.Response:
        error = SystemFailure(f"401 for http://h/?sig={KEYS['sig']} with Bearer {KEYS['bearer']}")
        error.add_note(f"Authorization: Bearer {KEYS['bearer']}")
        raise error from ValueError(KEYS["code"])


def test_what_a_system_of_ones_own_quotes_in_a_failure_is_cleaned(tmp_path, capsys):
    run = mutatis.run(Quoting(), ["a fine film"], ["upper-case"], task="sentiment", out=tmp_path / "out")
    with pytest.raises(AssertionError) as caught:
        run.check()
    print(run.table(), run._repr_html_())
    assert leaked("".join(capsys.readouterr()) + told(caught.value)) == {}
    assert "401 for http://h/?sig=*** with Bearer ***" in (tmp_path / "out" / "verdicts.jsonl").read_text()
    for path in (tmp_path / "out").rglob("*"):
        assert leaked(path.read_bytes()) == {}, path
