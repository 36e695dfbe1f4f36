"""A report that somebody sent: replaying it does nothing that was not shown, and nothing without being told to."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pydantic
import pytest

import mutatis.rltest4chatbot  # noqa: F401 - fills registries
from mutatis.config import Config
from mutatis.datasets import DATASETS, sample
from mutatis.options import meanings, models_in
from mutatis.search import SEARCHES
from mutatis.systems import SYSTEMS
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
def command(command, monkeypatch, server) -> Command:
    Path("reviews.jsonl").write_text(json.dumps({"text": "a fine film"}) + "\n")
    Path("run.toml").write_text(CONFIG.format(url=server.url))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert command("run", "run.toml", "--out", "out").code == 0
    server.requests = 0
    server.headers.clear()
    return command


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
    assert "cannot be confirmed without a terminal" in done.err.splitlines()[-1]
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
    config = CONFIG.format(url=server.url).replace('model = "m"', 'model = "mine"')
    Path("own.toml").write_text(config)
    assert command("replay", "out", finding, "--config", "own.toml").code == 1
    assert {body["model"] for body in server.bodies[-2:]} == {"mine"}


def built_in(**changes: Any) -> str:
    """The report as one of a system that is built in, with data that ships with the package, and with these changes."""
    data = {"task": "sentiment", "format": "jsonl", "path": str(sample("reviews"))}
    finding = foreign(
        {"system": {"type": "builtin", "name": "sentiment", "label": "openai:m"}, "data": [data], **changes}
    )
    report = json.loads(Path("out/report.json").read_text())
    for option in ("model", "base_url"):
        report["run"]["config"]["systems"][0].pop(option, None)
    report["run"]["config"].update({"systems": changes["systems"]} if "systems" in changes else {})
    Path("out/report.json").write_text(json.dumps(report))
    return finding


def test_what_is_built_in_asks_nobody(command):
    done = command("replay", "out", built_in())
    assert done.code in (0, 1)
    assert done.err == ""


PLACE = str(Path(__file__).parent / "nowhere")
OPENED: dict[str, tuple[dict[str, Any], str]] = {
    "data": ({"data": [{"format": "jsonl", "path": PLACE}]}, f"reads the file {PLACE}"),
    "two data": (
        {"data": [{"format": "jsonl", "path": str(sample("reviews"))}, {"format": "lines", "path": "their.txt"}]},
        "reads the file FOLDER/their.txt",
    ),
    "an option of a format": (
        {"data": [{"format": "multiwoz22", "path": str(sample("reviews")), "schema_file": PLACE}]},
        f"reads the file {PLACE}",
    ),
    "task": ({"task": {"file": "task.toml"}}, "reads the file FOLDER/task.toml"),
    "oracle": ({"oracle": "regions.json"}, "reads the file FOLDER/regions.json"),
    "criteria": ({"judge": {"criteria": PLACE}}, f"reads the file {PLACE}"),
    "prompts": ({"prompts": {"paraphrase": "p.txt"}}, "reads the file FOLDER/p.txt"),
    "embeddings": ({"judge": {"measure": "minilm-cosine", "embeddings": "them"}}, "loads the model FOLDER/them"),
    "a prompt file": (
        {"systems": [{"type": "builtin", "name": "sentiment", "prompt": "p.md"}]},
        "reads the file FOLDER/p.md",
    ),
    "answers": ({"systems": [{"type": "sheet", "path": "answers.csv"}]}, "reads the file FOLDER/answers.csv"),
    "a model": ({"systems": [{"type": "transformers", "model": "evil/model"}]}, "loads the model evil/model"),
    "a tracker": ({"systems": [{"type": "trade", "model": "weights"}]}, "loads the model weights"),
    "what proposes words": ({"search": {"type": "random-edits", "model": "bert"}}, "loads the model bert"),
    "vectors": ({"search": {"type": "random-edits", "vectors": "v.txt"}}, "reads the file FOLDER/v.txt"),
}


@pytest.mark.parametrize(("changes", "told"), OPENED.values(), ids=OPENED)
def test_what_a_report_would_open_is_told_and_not_opened(command, monkeypatch, changes, told):
    opened = []
    monkeypatch.setattr("mutatis.cli.replay.assemble", lambda *_, **__: opened.append(1))
    done = command("replay", "out", built_in(**changes))
    assert (done.code, opened) == (2, [])
    *lines, last = done.err.splitlines()
    assert f"  {told.replace('FOLDER', str(Path.cwd()))}" in lines
    assert "cannot be confirmed without a terminal" in last
    assert last.endswith("give your own configuration (--config FILE), or say that you trust the report (--trust)")


def test_one_question_lists_all_that_a_report_would_open(command, monkeypatch):
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    many = {**OPENED["task"][0], **OPENED["oracle"][0], **OPENED["criteria"][0], **OPENED["data"][0]}
    done = command("replay", "out", built_in(**many))
    told = [
        told.replace("FOLDER", str(Path.cwd())) for _, told in (OPENED[name] for name in ("task", "oracle", "criteria"))
    ]
    assert [line for line in told if f"  {line}\n" not in done.err] == []
    assert done.err.count("go on?") == 1
    assert "mutatis: not replayed; give your own configuration" in done.err.splitlines()[-1]


def test_with_consent_it_is_opened(command, monkeypatch):
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    data = [{"task": "sentiment", "format": "jsonl", "path": "reviews.jsonl"}]
    assert command("replay", "out", built_in(data=data)).code in (0, 1)
    assert command("replay", "out", built_in(data=data), "--trust").code in (0, 1)


def test_what_a_search_learnt_is_neither_read_nor_written(command):
    pytest.importorskip("torch")
    search = {"type": "multi-pdqn", "space": "relations", "resume": "theirs", "save": "mine.safetensors", "log": "logs"}
    finding = built_in(search={**search, "evaluate": True}, gate={"baseline": "theirs.json"})
    done = command("replay", "out", finding, "--trust")
    assert done.code in (0, 1), done.err
    assert done.err == ""
    assert sorted(path.name for path in Path().glob("*")) == [".mutatis", "out", "reviews.jsonl", "run.toml"]


def test_a_finding_of_our_own_agent_which_is_gone_is_asked_again(command):
    """A report of an earlier version holds options that the search has no longer; one finding needs none of them."""
    gone = {"reward": "failures", "fit": True, "noise_kind": "gaussian", "loss": "smooth-l1", "passes": True}
    done = command("replay", "out", built_in(search={"type": "multi-pdqn", "space": "relations", **gone}), "--trust")
    assert done.code in (0, 1), done.err
    assert done.err == ""


def tables(model: type[pydantic.BaseModel]) -> Iterator[type[pydantic.BaseModel]]:
    yield model
    for field in model.model_fields.values():
        for inner in models_in(field.annotation):
            yield from tables(inner)


def test_every_option_that_opens_something_says_so():
    """An option whose docstring speaks of files or models is marked as one that opens something, or is named here."""
    models = {
        inner for registry in (SYSTEMS, DATASETS, SEARCHES) for name in registry for inner in [registry[name].model]
    }
    unmarked = set()
    for model in sorted({*models, *tables(Config)}, key=lambda model: model.__name__):
        for option, meaning in meanings(model).items():
            speaks = re.search(r"\b(file (of|with)|folder|path|checkpoint|hub|written|embedding model)\b", meaning)
            if speaks and not is_marked(model.model_fields[option]):
                unmarked.add(f"{model.__name__}.{option}")
    assert unmarked == {
        "Options21.split",
        *("HttpOptions.response", "HttpOptions.calls"),  # places in an answer
        *("SimpleTodOptions.revision", "TransformersOptions.revision"),
    }


def is_marked(field: Any) -> bool:
    return "Opens(" in f"{field.metadata} {field.annotation}"


def test_roles_and_names_of_fields_are_spelt_out_when_it_is_replayed(command):
    finding = foreign({})
    report = json.loads(Path("out/report.json").read_text())
    for entry in report["findings"]:
        for side in (entry["source"], *entry["followups"]):
            for turn in side["case"]["turns"]:
                turn["fields"]["\x1b[2Jname\n# head"] = "x"
            side["role"] = "\x1b[2Jrole\n# head"
    Path("out/report.json").write_text(json.dumps(report))
    done = command("replay", "out", finding, "--config", "run.toml")
    assert done.code == 1, done.err
    assert "⟨U+001B⟩[2Jrole" in done.out
    assert "⟨U+001B⟩[2Jname" in done.out
    assert "\x1b" not in done.out
    assert "\n# head" not in done.out


def test_nobody_elses_cluster_is_joined(command, server):
    done = command("replay", "out", foreign({"engine": "ray", "ray_address": "ray://192.0.2.1:1"}), "--trust")
    assert done.code == 1
    assert server.requests == 2


def test_escapes_in_a_foreign_report_are_spelt_out(command):
    done = command("replay", "out", foreign({"system": {"base_url": "http://x/\x1b[2J"}, "folder": 5}))
    assert done.code == 2
    assert "\x1b" not in done.err
    assert "Traceback" not in done.err
