"""Mistakes of a first hour, each tried on the real command: one clear line with the next step, exit code 2 or 3.

Those of programs in Python are in `test_python_mistakes.py`; those of each key and option in `test_cli_mistakes.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web

from support.loopback import Command, Done, loopback
from support.server import Server

CONFIG = """
relations = ["upper-case"]
noise_floor = 0
max_wait = 0.1
[system]
type = "function"
target = "bot.py:answer"
[data]
task = "chat"
format = "lines"
path = "questions.txt"
"""
BOT = """
def answer(text):
    return "Yes."

def pieces(text):
    yield "Yes."

def two(text, tone):
    return "Yes."

def nothing(text):
    return None

class Bot:
    def ask(self, text):
        return "Yes."

version = 3
"""
REVIEWS = 'task = "sentiment"\nformat = "jsonl"\npath = "reviews.jsonl"'
QUESTIONS = 'task = "chat"\nformat = "lines"\npath = "questions.txt"'
FUNCTION = 'type = "function"\ntarget = "bot.py:answer"'


def page(status: int, text: str, media: str = "application/json") -> web.RouteDef:
    """Return a route `/v1/STATUS...` that answers every question alike."""

    async def handle(_: web.Request) -> web.Response:
        return web.Response(status=status, text=text, content_type=media)

    return web.post(f"/v1/{status}{media.partition('/')[2]}{{rest:.*}}", handle)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    pages = [
        page(401, '{"error": "no token"}'),
        page(404, "<html><title>Not here</title></html>", "text/html"),
        page(405, '{"detail": "Method Not Allowed"}'),
        page(422, '{"detail": [{"loc": ["body", "query"], "msg": "field required"}]}'),
        page(400, '{"error": "session_id is required"}'),
        page(500, "out of memory", "text/plain"),
        page(200, "<!doctype html><html><body>Welcome</body></html>", "text/html"),
        page(200, '{"data": {"reply_text": "Yes.", "mood": "fine"}}'),
    ]
    with loopback(extra=pages) as running:
        yield running


@pytest.fixture
def command(command: Command) -> Command:
    (command.folder / "bot.py").write_text(BOT)
    (command.folder / "my.toml").write_text(CONFIG)
    (command.folder / "questions.txt").write_text("Do you ship?\nHow are you?\n")
    (command.folder / "reviews.jsonl").write_text('{"text": "It was lovely."}\n{"text": "A dull film."}\n')
    return command


def tell(done: Done, code: int, says: str) -> None:
    """A mistake was told as it should be: one line that is not too long, with nothing of Python in it."""
    assert done.code == code, done.err
    assert says in done.complaint
    assert " at 0x" not in done.complaint
    assert len(done.complaint) < 1_000


CONFIGURED = [
    # who is tested
    (FUNCTION, FUNCTION.replace("answer", "anwser"), 2, "did you mean 'answer'?"),
    (FUNCTION, FUNCTION.replace("bot.py", "bots.py"), 2, "no such file"),
    (FUNCTION, FUNCTION.replace(":answer", ""), 2, 'expected "my_bot.py:answer"'),
    (FUNCTION, FUNCTION.replace("answer", "Bot"), 2, "is the class Bot; expected an object: Bot(...)"),
    (FUNCTION, FUNCTION.replace("answer", "version"), 2, "version is 3; expected a function"),
    (FUNCTION, FUNCTION.replace("answer", "two"), 2, "missing a required argument: 'tone'; expected a function of one"),
    (FUNCTION, FUNCTION.replace("answer", "pieces"), 3, "returned a generator: join its pieces into one text"),
    (FUNCTION, FUNCTION.replace("answer", "nothing"), 3, "returned None; expected a string"),
    (FUNCTION, 'type = "http"\nurl = "localhost:8000/chat"', 2, "expected an address such as http://127.0.0.1:8000/v1"),
    (FUNCTION, 'type = "http"\nurl = "http://127.0.0.1:80000/chat"', 2, "a port from 1 to 65535"),
    (FUNCTION, 'type = "http"\nurl = "http://127.0.0.1:9/a chat"', 2, "cannot contain spaces: write %20"),
    (
        FUNCTION,
        'type = "http"\nurl = "http://127.0.0.1:9/chat"\nretries = 0',
        3,
        "nothing is listening there; is it running, and",
    ),
    (
        FUNCTION,
        'type = "http"\nurl = "http://127.0.0.1:9/?k=${KEY}"',
        2,
        "contains ${KEY}, which would be sent literally; expected",
    ),
    (FUNCTION, 'type = "http"\nurl = "http://127.0.0.1:9/?k=env:NO_KEY"', 2, "variable NO_KEY, which is not set"),
    (FUNCTION, 'type = "http"\nurl = "http://127.0.0.1:9"\nmethod = "post"', 2, "did you mean 'POST'?"),
    (FUNCTION, 'type = "openai"\napi_key = "sk-1"\nmodel = "m"', 2, "did you mean 'api_key_env'?"),
    (
        FUNCTION,
        'type = "Function"\ntarget = "bot.py:answer"',
        2,
        "unknown system type 'Function'; did you mean 'function'?",
    ),
    # templates
    (FUNCTION, FUNCTION + '\nprompt = "Q: {mesage}"', 2, "it contains {mesage}; add {message} to the prompt"),
    (FUNCTION, FUNCTION + '\nprompt = "Q: {{message}}"', 2, "contains {{message}}; expected single braces: {message}"),
    (FUNCTION, FUNCTION + '\nprompt = "ask.txt"', 2, "no such file ask.txt; expected a text with {field} placeholders"),
    (
        FUNCTION,
        'type = "http"\nurl = "http://127.0.0.1:9/chat"\nrequest = { q = "{{ message }}" }',
        2,
        "contains {{ message }}; expected single braces: {message}",
    ),
    # the file
    ("[system]", "[systems]", 2, "has a table [systems]; write [system], or [[systems]] for several systems"),
    ("[system]", "[[system]]", 2, "has several [[system]] tables; write [[systems]]"),
    ("[system]", "[System]", 2, "unknown key of the configuration: 'System'; did you mean 'system'"),
    ('["upper-case"]', "[“upper-case”]", 2, 'text needs straight quotes: "..."'),
    ('["upper-case"]', "\\upper", 2, "is not TOML"),
    ("noise_floor = 0", "noise_floor: 0", 2, "noise_floor: 0; write name = value"),
    ("noise_floor = 0", 'judge = "exact"', 2, 'expected a table: judge = {measure = "exact"}'),
    ("noise_floor = 0", 'search = "grid"', 2, 'expected a table: search = {type = "grid"}'),
    ("noise_floor = 0", "gate = 0.05", 2, "expected a table: gate = {max_rate = 0.05}"),
    ('"upper-case"', '"Upper_Case"', 2, "did you mean 'upper-case'"),
    ('path = "questions.txt"', 'path = "C:\\questions.txt"', 2, "in single quotes a backslash is literal"),
    # the data
    ('path = "questions.txt"', 'path = "question.txt"', 2, "no such file; did you mean 'questions.txt'?"),
    ('task = "chat"', 'task = "Chat"', 2, "unknown task 'Chat'; did you mean 'chat'?"),
    (
        QUESTIONS,
        REVIEWS + '\nfields = { txt = "text" }',
        2,
        "add {txt} to the prompt, or map a field of the data to it: fields = {text =",
    ),
]


@pytest.mark.parametrize(("old", "new", "code", "says"), CONFIGURED)
def test_a_mistake_in_the_file(command: Command, old: str, new: str, code: int, says: str) -> None:
    assert old in CONFIG
    Path("my.toml").write_text(CONFIG.replace(old, new))
    tell(command("run", "my.toml", "--out", "out"), code, says)
    assert (code == 3) is Path("out/report.json").exists()


DATA: list[tuple[str, str, bytes, str]] = [
    ("sentiment", "d.jsonl", b'[{"text": "a"},\n{"text": "b"}]\n', 'for a single array use format = "json"'),
    ("sentiment", "d.jsonl", b'{"text": "a"},\n', "one object per line, without a comma after it"),
    ("sentiment", "d.jsonl", b"{'text': 'a'}\n", "with texts in double quotes"),
    (
        "sentiment",
        "d.csv",
        b"PK\x03\x04\x00\xff",
        "is a workbook or an archive, not text; save the data as CSV or JSON lines",
    ),
    ("sentiment", "d.csv", b"text;label\na;b\n", 'pass delimiter = ";"'),
    ("sentiment", "d.csv", b"a,b\n1,2\n", 'map it to one of them with fields = {text = "a"}'),
    ("sentiment", "d.csv", b"", "no cases; expected at least one"),
    ("dialogue", "d.jsonl", b'{"id": "a", "story": "s", "turns": []}\n', "no turns; expected at least one question"),
    ("question-answering", "d.json", b"5", "expected a list of records"),
]


@pytest.mark.parametrize(("task", "name", "content", "says"), DATA)
def test_a_mistake_in_the_data(command: Command, task: str, name: str, content: bytes, says: str) -> None:
    Path(name).write_bytes(content)
    tell(command("run", "--system", "bot.py:answer", "--data", name, "--task", task, "--out", "out"), 2, says)
    assert not Path("out/report.json").exists()


ANSWERED = [
    ("http", "401json", "HTTP 401: no token; check the headers and the environment variables they name"),
    ("http", "404html", "HTTP 404: Not here; check the path of the address"),
    ("http", "405json", "questions may need another path or another method"),
    ("http", "422json", "set request = {...}; 'mutatis init --http URL' shows how"),
    ("http", "400json", "'mutatis init --http URL' writes a `session` line to begin with"),
    (
        "http",
        "500plain",
        "HTTP 500: out of memory; to see one question as it is sent: mutatis ask my.toml",
    ),
    ("http", "200html", "the answer is a web page or other markup, not JSON"),
    (
        "http",
        "200json",
        "cannot find the reply in the answer (it has: reply_text, mood); perhaps at 'data.reply_text'",
    ),
    ("openai", "404html", "check the model's name and the address"),
    ("openai", "200html", "(is it an OpenAI-compatible endpoint? its base_url usually ends in /v1): "),
    ("openai", "200json", "(is it an OpenAI-compatible endpoint? its base_url usually ends in /v1): "),
]


@pytest.mark.parametrize(("kind", "place", "says"), ANSWERED)
def test_a_server_that_is_another_than_was_thought(
    command: Command, server: Server, kind: str, place: str, says: str
) -> None:
    named = 'model = "m"\nbase_url' if kind == "openai" else "url"
    system = f'type = "{kind}"\nretries = 0\n{named} = "{server.url}/{place}"'
    Path("my.toml").write_text(CONFIG.replace(FUNCTION, system))
    tell(command("run", "my.toml", "--out", "out"), 3, says)


COMMANDS = [
    (
        ["run", "reviews.jsonl"],
        "reviews.jsonl is a data file; expected a TOML file, or --data reviews.jsonl --system TYPE:NAME",
    ),
    (["run", "bot.py:answer"], "names a function; expected a TOML file, or --system bot.py:answer --data FILE"),
    (["run", "."], ". is a folder; expected a TOML file; there are: my.toml"),
    (
        ["run", "my.toml", "--relations", ""],
        "--relations is empty; leave out the option to use the default sets of the task",
    ),
    (
        ["run", "my.toml", "--offline", "--fresh"],
        "offline asks nothing, but fresh asks everything again; use only one of the two",
    ),
    (["run", "--system", "gpt-4", "--data", "questions.txt"], "write openai:gpt-4 for a model behind an endpoint"),
    (["run", "--system", "Reader", "--data", "questions.txt"], "did you mean builtin:reader?"),
    (["demo", "--out", "my.toml"], "--out my.toml is a file; expected a folder"),
    (["judge", "reviews.jsonl", "-o", "."], "cannot write .: it is a folder; name a file in it"),
    (["init", "mine.py"], "mine.py does not end in .toml; expected a name such as mine.toml"),
]


@pytest.mark.parametrize(("arguments", "says"), COMMANDS)
def test_a_mistake_on_the_command_line(command: Command, arguments: list[str], says: str) -> None:
    tell(command(*arguments), 2, says)


@pytest.mark.parametrize("measure", ["exact", "refusal"])
def test_nothing_to_judge_is_told(command: Command, measure: str) -> None:
    Path("pairs.jsonl").write_text("\n\n")
    done = command("judge", "pairs.jsonl", "--measure", measure)
    tell(done, 2, "pairs.jsonl: the file has no lines; expected JSON lines such as {")


TASK = """
summary = "how urgent a message is"
fields = ["message"]
kind = "label"
parser = "label"
labels = ["Yes", "No"]
prompt = "{message}"
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("{message}", "Is it urgent?", "t.toml: the prompt contains none of the fields; add {message} to the prompt"),
        ("{message}", "{{message}}", "t.toml contains {{message}}; expected single braces: {message}"),
        ("{message}", "{mesage}", "add {message} to the prompt"),
        ('["message"]', "[]", "fields is []; expected at least 1 of them"),
        ('parser = "label"', 'parser = "lable"', "unknown answer parser 'lable'; did you mean 'label'?"),
    ],
)
def test_a_mistake_in_a_prompt_file(command: Command, old: str, new: str, says: str) -> None:
    Path("t.toml").write_text(TASK.replace(old, new))
    Path("my.toml").write_text(CONFIG.replace('task = "chat"\n', "") + '[task]\nfile = "t.toml"\n')
    tell(command("run", "my.toml", "--out", "out"), 2, says)


def test_labels_of_which_there_is_none(command: Command) -> None:
    Path("my.toml").write_text(CONFIG.replace('task = "chat"\n', 'task = "classification"\nlabels = []\n'))
    tell(command("run", "my.toml", "--out", "out"), 2, "data.labels is []; expected at least 1 of them")


def test_a_budget_for_nothing_says_so_and_blames_no_relation(command: Command) -> None:
    done = command("run", "my.toml", "--out", "out", "--max-queries", 1)
    tell(done, 3, "no verdict was reached: the run is not complete: the budget of 1 queries is spent")
    assert "Nothing was judged: the run has no verdict." in done.out
    assert "Nothing was judged: the run has no verdict." in Path("out/report.html").read_text()


def test_a_report_that_cannot_be_written_where_it_should(command: Command) -> None:
    assert command("run", "my.toml", "--out", "out").code == 0
    for ending in ("html", "json", "xml", "csv", "md", "parquet"):
        tell(command("report", "out", "-o", f"my.toml/r.{ending}"), 2, f"my.toml/r.{ending}: cannot be written: ")


def test_a_mark_before_the_text_is_none_of_it(command: Command) -> None:
    Path("my.toml").write_bytes(b"\xef\xbb\xbf" + CONFIG.encode())
    assert command("run", "my.toml", "--out", "out").code == 0


def test_options_of_the_judge_that_judge_nothing_are_told(command: Command) -> None:
    Path("my.toml").write_text(CONFIG.replace(QUESTIONS, REVIEWS).replace("[system]", "[judge]\nequal = 0.9\n[system]"))
    Path("bot.py").write_text("def answer(text):\n    return '0.5'\n")
    done = command("run", "my.toml", "--out", "out")
    assert done.code == 0
    assert "note: judge: [judge] equal is for free-text answers, and these tasks have none" in done.err
