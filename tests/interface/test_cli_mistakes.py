"""Typical mistakes: one clear line that names what was given and the next step, exit code 2, no traceback."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from support.loopback import Command

CONFIG = """
relations = ["upper-case"]
[system]
type = "builtin"
name = "sentiment"
[data]
task = "sentiment"
format = "jsonl"
path = "reviews.jsonl"
"""


@pytest.fixture
def command(command) -> Command:
    Path(command.folder, "reviews.jsonl").write_text('{"text": "It was lovely."}\n')
    Path(command.folder, "run.toml").write_text(CONFIG)
    return command


def complaint(command: Command, *arguments: object) -> str:
    done = command(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert not Path("out", "report.json").exists()
    assert len(done.complaint) < 400
    return done.complaint


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("relations =", "relation =", "did you mean 'relations'"),
        ('type = "builtin"', 'typ = "builtin"', "needs the key 'system.type'; is 'typ' a misspelling of it?"),
        ('type = "builtin"', 'type = "builtins"', "did you mean 'builtin'"),
        ('name = "sentiment"', 'name = "sentimental"', "did you mean 'sentiment'"),
        ('name = "sentiment"', 'nam = "sentiment"', "did you mean 'name'"),
        ('"upper-case"', '"upper-cas"', "did you mean 'upper-case'"),
        ('"upper-case"', '"llmorph/mr-9999"', "unknown relation 'llmorph/mr-9999'"),
        ('"upper-case"', '"tag:fre"', "no relation has the tag 'fre'; did you mean 'tag:free'?"),
        ('"upper-case"', '"tag:zzz"', " tags: abbreviation, agents, "),
        ('["upper-case"]', '"upper-case"', "relations is 'upper-case'; expected a list: ['upper-case']"),
        ('"upper-case"', '"robustness"', "did you mean 'tag:robustness'?"),
        ('"upper-case"', '"robustnes"', "did you mean 'tag:robustness'?"),
        ('["upper-case"]', "[upper-case]", "relations = [upper-case]; text needs quotes"),
        ('type = "builtin"\n', "", "needs the key 'system.type': the type of system"),
        ('name = "sentiment"\n', "", 'needs the option \'name\': "reader", "sentiment" or "tracker"'),
        ("[system]", 'task = "chat"\n[system]', 'expected task = "chat" in [data], or --task chat'),
        ("[system]", 'silence = ["old-answer"]\n[system]', "did you mean 'old-answers'"),
        ("[system]", "[gate.relations]\nupper-case = 5.0\n[system]", "gate.relations.upper-case is 5.0"),
        ('task = "sentiment"', 'task = "sentiments"', "did you mean 'sentiment'"),
        ('task = "sentiment"', 'task = "inference"', "field 'premise'"),
        ('format = "jsonl"', 'format = "jsonline"', "did you mean 'jsonl'"),
        ('path = "reviews.jsonl"', 'path = "review.jsonl"', "review.jsonl"),
        ('path = "reviews.jsonl"', 'path = "reviews.jsonl"\nlimit = "five"', "limit"),
        ('path = "reviews.jsonl"', 'path = "reviews.jsonl"\nlimt = 5', "did you mean 'limit'"),
        ('path = "reviews.jsonl"', 'path = "reviews.jsonl"\nsystems = ["builtin:sentment"]', "builtin:sentiment"),
        ('format = "jsonl"', 'format = "squad2"', "no cases for task 'sentiment'"),
        ('task = "sentiment"\nformat = "jsonl"', 'format = "squad2"', "reviews.jsonl"),
        ("[system]", 'seed = "seven"\n[system]', "seed is 'seven'"),
        ("[system]", "repeats = 0\n[system]", "repeats is 0"),
        ("[system]", "repeats = 99999999\n[system]", "repeats is 99999999; expected 10000 or less"),
        ("[system]", "max_queries = 1e23\n[system]", "max_queries is 1e+23; expected a whole number"),
        ("[system]", f"max_queries = 1{'0' * 23}\n[system]", "expected 1e+15 or less"),
        ("[system]", f"seed = {'9' * 5000}\n[system]", "run.toml is not TOML: a whole number of thousands of digits"),
        ("[system]", f"seed = {'[' * 5000}\n[system]", "run.toml is not TOML: nested too deeply to be read"),
        ("[system]", '[task]\nfile = ""\n[system]', "task.file is ''"),
        ("[system]", '[task]\nfile = "."\n[system]', "Is a directory; expected a prompt file"),
        ("[system]", "concurrency = 0\n[system]", "concurrency is 0"),
        ("[system]", "[gate]\nmax_rate = 1.5\n[system]", "gate.max_rate is 1.5"),
        ("[system]", "[gate]\nmax_rat = 0.5\n[system]", "did you mean 'max_rate'"),
        ("[system]", "[gate.relations]\nupper-cas = 0.5\n[system]", "did you mean 'upper-case'"),
        ("[system]", "[gate.relations]\nleet = 0.5\n[system]", "limits 'leet', which is not in this run; add it to"),
        ("[system]", "[gate.relations]\nlower-case = 0.5\n[system]", "not in this run; did you mean 'upper-case'?"),
        ("[system]", "[gate.relations]\nno-change = 0.5\n[system]", "it measures the noise floor; leave it out"),
        (
            "[system]",
            "max_rate = 0.1\n[system]",
            "'max_rate' is a key of [gate], not of the whole file; write it there",
        ),
        ("[system]", 'base_url = "http://127.0.0.1:9"\n[system]', "'base_url' is a key of [system], not of the whole"),
        ("[system]", 'language = "de"\n[system]', "'language' is a key of [data], not of the whole file"),
        (
            "[system]",
            "[gate]\nconfirm = 1\n[system]",
            "'confirm' is a key at the top level of the file, not in [gate]; write it above",
        ),
        (
            'name = "sentiment"',
            'name = "sentiment"\nmax_queries = 5',
            "'max_queries' is a key at the top level of the file, not in [sys",
        ),
        (
            'path = "reviews.jsonl"',
            'path = "reviews.jsonl"\nseed = 5',
            "'seed' is a key at the top level of the file, not in [data]",
        ),
        ("[system]", '[judge]\nmeasure = "exat"\n[system]', "did you mean 'exact'"),
        ("[system]", 'recipe = "llmorf"\n[system]', "did you mean 'llmorph'"),
        ("[system]", 'load = ["mine.py"]\n[system]', "mine.py"),
        ("[system]", '[search]\ntype = "grid"\n[system]', "transformation"),
        ("[system]", '[helper]\ntype = "opena"\n[system]', "did you mean 'openai'"),
        ('name = "sentiment"', 'name = "sentiment"\nprompt = "mine.txt"', "mine.txt"),
        ('name = "sentiment"', 'name = "sentiment"\nprompt = "Say a number."', "{text}"),
        ("[data]", "[[data]]", None),
        ("[data]", "[dat]", "did you mean 'data'"),
        ("[system]", "[systm]", "did you mean 'system' or"),
    ],
)
def test_a_mistake_in_the_file(command, old, new, says):
    assert CONFIG.count(old) == 1
    Path("run.toml").write_text(CONFIG.replace(old, new))
    if says is None:
        assert command("run", "run.toml", "--out", "out", "--max-rate", "1").code == 0
    else:
        assert says in complaint(command, "run", "run.toml", "--out", "out")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["missing.toml"], "mutatis init"),
        (["reviews.jsonl"], "reviews.jsonl is a data file; expected a TOML file"),
        ([], "nothing to run"),
        (["--data", "jsonl:reviews.jsonl"], "no [system]"),
        (["--system", "builtin:sentiment"], "no [data]; add, for example, [data] format ="),
        (["--system", "builtin:sentiment"], "or --data questions.txt"),
        (
            ["--system", "127.0.0.1:8000/chat", "--data", "reviews.jsonl"],
            "begins with its scheme: http://127.0.0.1:8000",
        ),
        (["--system", "localhost:8000", "--data", "reviews.jsonl"], "http://localhost:8000"),
        (["--system", "bot.py", "--data", "reviews.jsonl"], "expected FILE.py:FUNCTION, for example bot.py:answer"),
        (["bot.py"], "bot.py is a Python file; expected a TOML file, or --system bot.py:FUNCTION --data FILE"),
        (["--system", "sentimnt", "--data", "reviews.jsonl"], "did you mean builtin:sentiment?"),
        (["--system", "builtins:sentiment"], "did you mean 'builtin'"),
        (["--data", "reviews.parquet"], "FORMAT:PATH"),
        (["--data", "reviews.json1"], "--data 'reviews.json1': no such file; did you mean 'reviews.jsonl'?"),
        (["--data", "x" * 256], "xxx'; expected FORMAT:PATH"),
        (
            ["--system", "builtin:sentiment", "--data", "x" * 250 + ".jsonl"],
            "xxx.jsonl: cannot be read: File name too long",
        ),
        (["--data", "../nowhere/reviews.x"], "--data '../nowhere/reviews.x'; expected FORMAT:PATH"),
        (["--data", "reviews.jsonl"], "no [system]"),
        (["--system", "http:/bot", "--data", "reviews.jsonl"], "url is '/bot'"),
        (["--system", "nothing.py:answer", "--data", "reviews.jsonl", "--task", "sentiment"], "nothing.py"),
        (["run.toml", "--data", "json:reviews.jsonl"], "reviews.jsonl"),
        (["run.toml", "--set", "judge.measure"], "KEY=VALUE"),
        (["run.toml", "--set", "judge.mesure=exact"], "did you mean 'measure'"),
        (["run.toml", "--set", "seed.x=1"], "seed is {'x': 1}"),
        (["run.toml", "--set", "relations.5=x"], "--set 'relations.5=x'"),
        (["run.toml", "--set", "data=x", "--limit", "3"], "data"),
        (["run.toml", "--base-url", "ftp://x"], "base_url"),
        (["run.toml", "--system", "openai:m", "--base-url", "ftp://x"], "base_url is 'ftp://x'"),
        (["run.toml", "--recipe", "mortarr"], "did you mean 'mortar'"),
        (["run.toml", "--max-rate", "7"], "gate.max_rate is 7.0"),
        (["run.toml", "--set", "gate=1", "--max-rate", "1"], "gate"),
        (["run.toml", "--relations", "paraphrase"], "relation 'paraphrase' needs a language model; add [helper]"),
        (["run.toml", "--system", "function:nothing.py:answer"], "nothing.py"),
        (["run.toml", "--system", "openai:m", "--set", "system.api_key_env=NOT_THERE"], "NOT_THERE"),
        (["run.toml", "--limit", "0"], "limit"),
    ],
)
def test_a_mistake_on_the_command_line(command, arguments, says):
    told = complaint(command, "run", *arguments, "--out", "out")
    assert says in told
    assert "?;" not in told


def test_a_function_of_a_file_is_named_with_the_ending_of_the_file(command):
    Path("room_agent.py").write_text("def answer(text):\n    return text\n")
    told = complaint(command, "run", "--system", "room_agent:answer", "--data", "reviews.jsonl", "--task", "sentiment")
    assert told.endswith("did you mean 'room_agent.py:answer'?")
    Path("bots").mkdir()
    Path("room_agent.py").rename("bots/room_agent.py")
    of_function = CONFIG.replace('"builtin"', '"function"').replace(
        'name = "sentiment"', 'target = "room_agent:answer"'
    )
    Path("bots/run.toml").write_text(of_function.replace("reviews.jsonl", "../reviews.jsonl"))
    told = complaint(command, "run", "bots/run.toml")
    assert told.endswith("there is no module 'room_agent'; did you mean 'room_agent.py:answer'?")


def test_one_of_several_tables_has_to_be_named(command):
    blocks = '[[data]]\ntask = "sentiment"\nformat = "jsonl"\npath = "reviews.jsonl"\n'
    Path("run.toml").write_text(CONFIG.partition("[data]")[0] + blocks + blocks)
    assert "data.0.limit" in complaint(command, "run", "run.toml", "--out", "out", "--set", "data.limit=1")
    assert "0 to 1" in complaint(command, "run", "run.toml", "--out", "out", "--set", "data.2.limit=1")
    assert command("run", "run.toml", "--out", "out", "--max-rate", "1", "--set", "data.1.limit=1").code == 0


def test_a_relation_that_needs_a_helper_is_left_out_when_picked_by_tag(command):
    done = command("run", "run.toml", "--relations", "upper-case,tag:helper", "--out", "out", "--max-rate", "1")
    assert done.code == 0
    assert "note: left out, because they need [helper]:" in done.err
    assert "paraphrase" in done.err


def test_a_limit_for_a_relation_that_was_left_out_is_told_why(command):
    limited = ["--set", "gate.relations.paraphrase=0.5"]
    told = complaint(command, "run", "run.toml", "--relations", "upper-case,tag:helper", "--out", "out", *limited)
    assert "limits 'paraphrase', which is not in this run (left out, because they need [helper]: " in told
    assert not Path("out/report.json").exists()


def test_a_task_that_does_not_fit_a_relation_is_told(command):
    done = command("run", "run.toml", "--relations", "swap-symmetric,upper-case", "--out", "out", "--max-rate", "1")
    assert done.code == 0
    assert "note: relation swap-symmetric does not fit task sentiment" in done.err
    assert "none of the relations" in command("run", "run.toml", "--relations", "swap-symmetric").complaint
    Path("bot.py").write_text("def answer(text):\n    return {'name': text}\n")
    told = command("run", "--system", "bot.py:answer", "--data", "reviews.jsonl", "--task", "extraction").complaint
    assert "task 'extraction' has no default relations; choose 'tag:extraction', or some of data-city" in told


def test_user_code_that_fails_is_told_with_its_line(command):
    Path("broken_code.py").write_text("import json\n\nvalue = 1 / 0\n")
    said = complaint(command, "run", "run.toml", "--out", "out", "--set", 'load=["broken_code.py"]')
    assert "broken_code.py, line 3: ZeroDivisionError" in said


def test_text_that_is_not_utf8_is_told(command):
    Path("run.toml").write_bytes(CONFIG.encode() + b"# \xff\xfe\n")
    assert "run.toml" in complaint(command, "run", "run.toml", "--out", "out")
    Path("run.toml").write_text(CONFIG.replace('name = "sentiment"', 'name = "sentiment"\nprompt = "mine.txt"'))
    Path("mine.txt").write_bytes(b"{text} \xff")
    assert "mine.txt" in complaint(command, "run", "run.toml", "--out", "out")
    Path("run.toml").write_text(CONFIG)
    Path("reviews.jsonl").write_bytes(b'{"text": "\xff"}\n')
    assert "reviews.jsonl" in complaint(command, "run", "run.toml", "--out", "out")


def test_a_malformed_record_is_told_with_its_place(command):
    Path("reviews.jsonl").write_text('{"text": "fine"}\n{"txt": "lost"}\n')
    said = complaint(command, "run", "run.toml", "--out", "out")
    assert "reviews.jsonl" in said
    assert "2" in said
    assert "'text'" in said
    Path("reviews.jsonl").write_text('{"text": "fine"}\n{"text": \n')
    assert "2" in complaint(command, "run", "run.toml", "--out", "out")


def test_an_empty_file_is_told(command):
    Path("reviews.jsonl").write_text("")
    complaint(command, "run", "run.toml", "--out", "out")


@pytest.mark.parametrize("kind", ["text", "newer", "folder", "foreign"])
def test_a_store_that_cannot_be_used_is_told(command, kind):
    store = Path("out/store.db")
    store.parent.mkdir()
    if kind == "text":
        store.write_text("notes " * 1000)
    elif kind == "folder":
        store.mkdir()
    else:
        with sqlite3.connect(store) as db:
            db.execute("PRAGMA user_version=99" if kind == "newer" else "CREATE TABLE songs (title TEXT)")
        db.close()
    assert "store.db" in complaint(command, "run", "run.toml", "--out", "out")


def test_an_out_folder_that_is_a_file_is_told(command):
    Path("taken").write_text("x")
    assert "--out taken is a file; expected a folder" in command("run", "run.toml", "--out", "taken").complaint


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["list", "relation"], "did you mean 'relations'"),
        (["show", "latest"], "no run yet"),
        (["show", "nowhere"], "nowhere"),
        (["show", "reviews.jsonl"], "this is not a report.json, a store or a .zip"),
        (["replay", "nowhere", "abc"], "nowhere"),
        (["compare", "a", "b"], "a"),
        (["report", "nowhere", "-o", "x.html"], "nowhere"),
        (["report", "nowhere", "-o", "x.pdf"], ".html, .json, .xml, .csv, .md, .parquet, .zip, or"),
        (["init", "run.toml"], "exists"),
        (["init", "no/such/folder/x.toml"], "x.toml: cannot be written"),
    ],
)
def test_a_mistake_with_another_command(command, arguments, says):
    assert says in complaint(command, *arguments)


def test_an_unknown_finding_is_told_with_the_nearest(command):
    Path("run.toml").write_text(CONFIG)
    Path("bot.py").write_text("def answer(text):\n    return '0.1' if text.isupper() else '0.9'\n")
    command("run", "run.toml", "--system", "function:bot.py:answer", "--out", "out")
    finding = json.loads(Path("out/report.json").read_text())["findings"][0]["id"]
    for name in ("show", "replay"):
        assert "unknown finding" in command(name, "out", "zzzz").complaint
        assert finding in command(name, "out", finding[:-1] + "x").complaint


def test_a_report_of_a_newer_version_or_another_file_is_told(command):
    Path("old").mkdir()
    Path("old/report.json").write_text('{"format": "mutatis/report", "version": 99}')
    assert "99" in complaint(command, "show", "old")
    Path("old/report.json").write_text("[]")
    assert "report.json" in complaint(command, "show", "old")
    Path("old/report.json").write_text("{")
    assert "report.json" in complaint(command, "show", "old")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("run run.toml --relations uppercase", "did you mean 'upper-case' or 'tag:uppercase'?"),
        ("ask q.txt", "q.txt is a data file; expected a TOML file that names it in [data]"),
        ("ask bot.py", "bot.py is a Python file; expected a TOML file that names it in [system]"),
        ("ask bot.py:answer", "bot.py:answer names a function; expected a TOML file that names it in [system]"),
        (
            "init --http",
            "--http needs an address, for example: --http http://127.0.0.1:8000/chat; see: mutatis init --help",
        ),
        ("run --limit", "option '--limit' needs a value; see: mutatis run --help"),
        ("init --openai=3", "option '--openai' does not take a value; see: mutatis init --help"),
        ("run run.toml --max-queries 0", "max_queries is 0; expected 1 or more"),
        ("run run.toml --colour red", "no such option: --colour; see: mutatis run --help"),
        ("run run.toml --relation leet", "no such option: --relation; did you mean --relations?; see: mutatis run"),
        ("sheet latest bug -o x.csv", "'bug' is not one of 'bugs', 'context', 'follow-ups', 'answers'; see: "),
        ("run --limit many", "invalid value for '--limit': expected a whole number; see: mutatis run --help"),
        ("run --max-rate high", "invalid value for '--max-rate': expected a number; see: mutatis run --help"),
        ("shwo latest", "no such command 'shwo'"),
        ("show", "missing argument 'run'; see: mutatis show --help"),
        ("--verison", "no such option: --verison; did you mean --version?; see: mutatis --help"),
    ],
)
def test_wrong_options_are_told_on_one_line(command, arguments, says):
    said = complaint(command, *arguments.split())
    assert says in said
    assert "Value error" not in said


def test_mutatis_alone_shows_its_help(command):
    done = command()
    assert "Usage: mutatis" in done.out + done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("system", "data", "says"),
    [
        ("http://127.0.0.1:9/\udc80", "jsonl:reviews.jsonl", "system.url contains a lone surrogate (U+DC80)"),
        ("http://127.0.0.1:9/chat", "jsonl:\udc80.jsonl", "data.path contains a lone surrogate (U+DC80)"),
    ],
)
def test_half_a_character_is_no_text(command, system, data, says):
    told = complaint(command, "run", "--task", "sentiment", "--system", system, "--data", data, "--out", "out")
    assert told == f"{says}; expected text in UTF-8: change the value, or rename the file that it names"


def test_a_misspelt_configuration_is_told_which_there_are(command):
    for name in "abcdef":
        Path(f"{name}.toml").touch()
    assert complaint(command, "run", "run.tml") == "no configuration 'run.tml'; did you mean 'run.toml'?"
    said = complaint(command, "run", "other-project.toml")
    assert said == (
        "no configuration 'other-project.toml'; there are: a.toml, b.toml, c.toml, d.toml, e.toml; "
        "'mutatis init' writes a first one"
    )
    for file in Path().glob("*.toml"):
        file.unlink()
    assert "'mutatis init' writes a first one" in complaint(command, "run", "run.tml")
