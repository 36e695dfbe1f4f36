"""An MCP server's tools as material, over its standard streams and over HTTP; its calls are answered once."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import socket
import sys
import threading

import pytest

import mutatis
from mutatis.assembly.mcp_server import listed_tools, started, tool_result, tools_of_run, with_tools
from mutatis.cli.replay import effects_of, masked
from mutatis.config import Config, public
from mutatis.core.calls import read_tools, tools_in
from mutatis.core.errors import MissingExtra, NotReached, UsageError
from mutatis.core.system import Response
from mutatis.query import Store
from mutatis.testing import ScriptedSystem

needs_mcp = pytest.mark.skipif(
    importlib.util.find_spec("mcp") is None, reason="needs mcp: pip install 'mutatis[agents]'"
)
SERVER = '''
import sys
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("seats")

@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def look(day: str) -> str:
    """See what is free."""
    return f"3 seats on {day}"

@server.tool()
def book(day: str, seats: int = 1) -> str:
    """Reserve seats."""
    with open(sys.argv[1], "a") as log:
        log.write(f"{day} {seats}\\n")
    return "seat 7"

if __name__ == "__main__":
    server.run("stdio")
'''
MESSAGE = "Reserve a seat for Friday."


@pytest.fixture
def server(tmp_path):
    """The command of a server, and the file where it notes what it booked."""
    (tmp_path / "seat_server.py").write_text(SERVER)
    log = tmp_path / "log.txt"
    return [sys.executable, str(tmp_path / "seat_server.py"), str(log)], log


def looks_then_books(conversation):
    done = [message.content for message in conversation.messages if message.role == "tool"]
    if len(done) == 2:
        return f"Done: {' / '.join(done)}"
    polite = conversation.messages[0].content != MESSAGE
    return Response(
        calls=[{"name": ("look", "book")[len(done)], "arguments": {"day": "Saturday" if polite and done else "Friday"}}]
    )


@needs_mcp
def test_cases_get_the_tools_of_a_server_and_its_hints_decide_what_is_called_again(server, tmp_path):
    command, log = server
    system = ScriptedSystem(looks_then_books)
    cases = mutatis.cases([{"message": MESSAGE}], task="tool-call")
    settings = {"tools": {"mcp": command, "answer": "mcp"}, "noise_floor": 0}
    run = mutatis.run(system, cases, ["calls-polite-words"], out=tmp_path / "run", settings=settings)
    tools = {tool["function"]["name"]: tool["function"] for tool in system.asked[0].tools}
    assert tools["look"]["annotations"] == {"readOnlyHint": True}
    assert tools["book"]["parameters"]["required"] == ["day"]
    lines = [json.loads(line) for line in (tmp_path / "run" / "verdicts.jsonl").read_text("utf-8").splitlines()]
    line = next(line for line in lines if line["relation"] == "calls-polite-words")
    assert line["source_output"]["text"] == "Done: 3 seats on Friday / seat 7"
    assert "result" not in line["followups"][0]["output"]["calls"][-1], "what may write is not called for a follow-up"
    assert log.read_text() == "Friday 1\n"
    assert run.report.summary[0].violated == 1


def test_a_case_that_has_tools_keeps_them_and_other_tasks_get_none():
    tools = read_tools([{"name": "look"}])
    record = {"message": MESSAGE, "tools": [{"name": "nap"}]}
    [bare], [kept] = (mutatis.cases([case], task="tool-call") for case in ({"message": MESSAGE}, record))
    [other] = mutatis.cases([{"message": MESSAGE}], task="chat")
    names = [[tool["function"]["name"] for tool in tools_in(with_tools(case, tools).material)] for case in (bare, kept)]
    assert names == [["look"], ["nap"]]
    assert with_tools(other, tools) == other


@needs_mcp
def test_the_same_over_http(tmp_path):
    import uvicorn
    from mcp.server.mcpserver import MCPServer

    made = MCPServer("seats")
    made.tool(name="look")(lambda day: f"3 seats on {day}")
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        serving = uvicorn.Server(uvicorn.Config(made.streamable_http_app(), log_level="critical", lifespan="on"))
        thread = threading.Thread(target=lambda: asyncio.run(serving.serve(sockets=[listening])), daemon=True)
        thread.start()
        tools = listed_tools(f"http://127.0.0.1:{port}/mcp")
        serving.should_exit = True
        thread.join()
    assert [tool["function"]["name"] for tool in tools] == ["look"]


@needs_mcp
def test_a_server_that_lists_nothing_is_one_line():
    with pytest.raises(
        UsageError, match=r"^\[tools\] mcp: no-such-command-here did not list its tools: FileNotFoundError"
    ):
        listed_tools(["no-such-command-here", "--key", "s3cret-words"])
    with pytest.raises(UsageError, match=r"did not list its tools: ") as told:
        listed_tools([sys.executable, "-c", "print('no JSON')"])
    assert "\n" not in str(told.value)


def test_without_the_package_or_a_server_one_line_says_what_is_missing(monkeypatch):
    cases = mutatis.cases([{"message": MESSAGE, "tools": [{"name": "nap"}]}], task="tool-call")
    with pytest.raises(UsageError, match=r'\[tools\] answer = "mcp" needs a server'):
        mutatis.run(lambda text: "No.", cases, ["calls-polite-words"], settings={"tools": {"answer": "mcp"}})
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, package=None: None)
    with pytest.raises(MissingExtra, match=r"mutatis\[agents\]"):
        listed_tools(["server"])


def test_a_report_that_would_start_a_server_says_so_before_it_is_replayed():
    config = Config.model_validate({"tools": {"mcp": ["rm", "-rf", "a folder"]}})
    assert effects_of(config) == [("runs code", "rm -rf 'a folder' ([tools] mcp)")]


@needs_mcp
def test_what_a_tool_says_of_its_failure_is_a_result_and_the_command_runs_in_the_configurations_folder(tmp_path):
    (tmp_path / "srv.py").write_text(
        "from mcp.server.mcpserver import MCPServer\n"
        'server = MCPServer("s")\n'
        "@server.tool()\n"
        "def look(day: str) -> str:\n"
        '    raise ValueError("no such day")\n'
        'server.run("stdio")\n'
    )
    command = [sys.executable, "srv.py"]
    assert [tool["function"]["name"] for tool in listed_tools(command, tmp_path)] == ["look"]
    assert asyncio.run(tool_result(command, "look", {"day": "Friday"}, tmp_path)).startswith(
        "Error executing tool look"
    )
    with pytest.raises(
        NotReached, match=r"^\[tools\] mcp: no-such-command-here: it cannot be reached: FileNotFoundError"
    ):
        asyncio.run(tool_result(["no-such-command-here"], "look", {"day": "Friday"}, tmp_path))


def test_keys_in_a_servers_arguments_are_in_no_report_and_come_from_the_environment(monkeypatch):
    key = "abcd1234efgh5678"
    for command in (
        ["npx", "srv", "--api-key", key],
        ["npx", "srv", f"--api-key={key}"],
        ["docker", "run", "-e", f"API_KEY={key}"],
    ):
        kept = public(Config.model_validate({"tools": {"mcp": command}}))
        assert key not in json.dumps(kept)
        assert kept["tools"]["mcp"][:2] == command[:2]
        assert masked(kept) == f"tools.mcp.{len(command) - 1}"
    kept = public(
        Config.model_validate({"tools": {"mcp": ["npx", "srv", "--api-key", "env:SEAT_KEY", "--token", "-v"]}})
    )
    assert kept["tools"]["mcp"] == ["npx", "srv", "--api-key", "env:SEAT_KEY", "--token", "***"]
    monkeypatch.delenv("SEAT_KEY", raising=False)
    for server in (["npx", "--api-key", "env:SEAT_KEY"], "http://127.0.0.1:9/mcp?key=env:SEAT_KEY"):
        effects = effects_of(Config.model_validate({"tools": {"mcp": server}}))
        assert [name for action, name in effects if action == "reads the environment variable"] == ["SEAT_KEY"]
        with pytest.raises(
            UsageError, match=r"\[tools\] mcp needs the environment variable SEAT_KEY, which is not set"
        ):
            started(server)
    monkeypatch.setenv("SEAT_KEY", key)
    assert started(["npx", "--api-key", "env:SEAT_KEY", "${HOME}"]) == ["npx", "--api-key", key, "${HOME}"]
    assert started("http://127.0.0.1:9/mcp?key=env:SEAT_KEY") == f"http://127.0.0.1:9/mcp?key={key}"


@needs_mcp
def test_offline_and_in_a_replay_no_server_is_started_for_its_list_of_tools(server, command, tmp_path):
    argv, log = server
    listing = f"open({str(tmp_path / 'started.txt')!r}, 'a').write('x')\n"
    (tmp_path / "seat_server.py").write_text(listing + SERVER)
    (command.folder / "bot.py").write_text(
        "import mutatis\n\ndef answer(text, tools):\n"
        "    names = [tool['function']['name'] for tool in tools]\n"
        "    polite = text.strip() != 'Reserve a seat for Friday.'\n"
        "    return mutatis.Response(calls=[{'name': names[polite], 'arguments': {'day': 'Friday'}}])\n"
    )
    (command.folder / "cases.jsonl").write_text(json.dumps({"message": MESSAGE}))
    (command.folder / "run.toml").write_text(
        f"relations = ['calls-polite-words']\nnoise_floor = 0\nconfirm = 0\nshrink = 0\n[tools]\nmcp = {argv!r}\n"
        "[system]\ntype = 'function'\ntarget = 'bot.py:answer'\ninput = 'text'\n"
        "[data]\ntask = 'tool-call'\nformat = 'jsonl'\npath = 'cases.jsonl'\n"
    )
    missing = command("run", "run.toml", "--out", "new", "--offline")
    assert missing.code == 2
    assert "are not stored, and --offline starts no server; run once without --offline" in missing.err
    assert not (tmp_path / "started.txt").exists()
    first = command("run", "run.toml", "--out", "out")
    assert (first.code, (tmp_path / "started.txt").read_text()) == (0, "x"), first.err
    (tmp_path / "seat_server.py").unlink()
    assert command("run", "run.toml", "--out", "out", "--offline").code == 0
    findings = json.loads((command.folder / "out" / "report.json").read_text())["findings"]
    again = command("replay", "out", findings[0]["id"], "--trust")
    assert again.code == 1, again.err
    assert "VIOLATED" in again.out
    assert not log.exists()


@needs_mcp
def test_of_servers_with_the_same_command_in_two_folders_each_keeps_its_list(tmp_path):
    listed = []
    for name in ("look", "watch"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "server.py").write_text(SERVER.replace("def look", f"def {name}"))
    with Store(tmp_path / "store.db") as store:
        for offline in (False, True):
            for name in ("look", "watch"):
                config = Config(tools={"mcp": [sys.executable, "server.py"]}, folder=tmp_path / name)
                listed.append(tools_of_run(config, store, offline=offline)[0]["function"]["name"])
    assert listed == ["look", "watch", "look", "watch"]


@needs_mcp
def test_a_list_is_found_where_folder_and_store_were_moved_together(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "server.py").write_text(SERVER)
    for place, offline in (("here", False), ("there", True)):
        with Store(tmp_path / place / "out" / "store.db") as store:
            config = Config(tools={"mcp": [sys.executable, "server.py"]}, folder=tmp_path / place)
            assert tools_of_run(config, store, offline=offline)
        if not offline:
            (tmp_path / "here").rename(tmp_path / "there")


TELLS_ITS_KEY = """
import sys
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

server, key, port = MCPServer("seats"), *sys.argv[1:3]

@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def look(day: str) -> str:
    if day == "Saturday":
        raise ValueError(f"no access with {key}")
    return f"3 seats on {day} at {port} for {key}"

server.run("stdio")
"""


@needs_mcp
def test_a_value_from_the_environment_that_tools_repeat_is_in_no_file(tmp_path, monkeypatch):
    key = "h4nter22-zebra-77"
    monkeypatch.setenv("SEAT_KEY", key)
    monkeypatch.setenv("SEAT_PORT", "80")
    (tmp_path / "told.py").write_text(TELLS_ITS_KEY)

    def bot(conversation):
        done = [message.content for message in conversation.messages if message.role == "tool"]
        if done:
            return f"It said: {done[-1]}"
        polite = conversation.messages[0].content != MESSAGE
        return Response(calls=[{"name": "look", "arguments": {"day": "Saturday" if polite else "Friday"}}])

    server = [sys.executable, str(tmp_path / "told.py"), "env:SEAT_KEY", "env:SEAT_PORT"]
    settings = {"tools": {"mcp": server, "answer": "mcp"}, "noise_floor": 0}
    cases = mutatis.cases([{"message": MESSAGE}], task="tool-call")
    out = tmp_path / "out"
    run = mutatis.run(ScriptedSystem(bot), cases, ["calls-polite-words"], out=out, settings=settings)
    files = [file for file in out.rglob("*") if file.is_file()]
    assert {"report.json", "report.html", "verdicts.jsonl", "findings.jsonl", "junit.xml"} <= {f.name for f in files}
    assert [file.name for file in files if key.encode() in file.read_bytes()] == []
    told = (out / "verdicts.jsonl").read_text("utf-8")
    assert "3 seats on Friday at 80 for ***" in told
    [warning] = [warning for warning in run.report.health if warning.name == "masked"]
    assert "repeated a value from the environment" in warning.message


@needs_mcp
@pytest.mark.parametrize("prints", ["exits", "goes on"])
def test_a_server_that_prints_a_thousand_lines_of_anything_writes_none_of_them(tmp_path, capfd, prints):
    noise = "for number in range(1000):\n    print('starting', number, flush=True)\n"
    (tmp_path / "loud.py").write_text(noise + (SERVER if prints == "goes on" else ""))
    command = [sys.executable, str(tmp_path / "loud.py"), "log"]
    if prints == "goes on":
        assert len(listed_tools(command)) == 2
    else:
        with pytest.raises(UsageError, match="it printed lines that are not messages, the first: 'starting 0'"):
            listed_tools(command)
    assert capfd.readouterr().err == ""


DEEP = """
import json, sys
schema = '{"type": "string"}'
for _ in range(400):
    schema = '{"type": "object", "properties": {"a": ' + schema + '}}'
for line in sys.stdin:
    asked = json.loads(line)
    given = {"protocolVersion": asked.get("params", {}).get("protocolVersion"), "capabilities": {"tools": {}},
             "serverInfo": {"name": "s", "version": "1"}}
    result = json.dumps(given) if asked["method"] == "initialize" else None
    if asked["method"] == "tools/list":
        result = '{"tools": [{"name": "look", "inputSchema": ' + schema + '}]}'
    if result and "id" in asked:
        print('{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(asked["id"]), result), flush=True)
    elif "id" in asked:
        error = {"code": -32601, "message": "no"}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": error}), flush=True)
"""


@needs_mcp
def test_an_answer_that_cannot_be_read_is_no_timeout(tmp_path, monkeypatch):
    monkeypatch.setattr("mutatis.assembly.mcp_server._PATIENCE", 600.0)  # a timeout would not come in time
    (tmp_path / "deep.py").write_text(DEEP)
    with pytest.raises(UsageError, match=r"the server's answer cannot be read: .*recursion limit"):
        listed_tools([sys.executable, str(tmp_path / "deep.py")])
