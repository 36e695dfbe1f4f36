"""Every kind of extension written outside the package, as the documentation has it: by TOML and from Python."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import mutatis
from mutatis.extending import SYSTEMS
from mutatis.records import Report, SummaryRow, read_report
from support.loopback import Command

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT = "\n".join((DOCS / name).read_text("utf-8") for name in ("extending.md", "own-parts.md"))
BLOCKS = re.findall(r"```(?:python|toml)\n# (\w+\.(?:py|toml))\n(.*?)```", DOCUMENT, re.DOTALL)
PAGE = dict(BLOCKS)
"""The files that the page writes down, by their names."""

CONFIG = """
load = ["my_system.py", "my_format.py"]
relations = ["upper-case"]
noise_floor = 0

[system]
type = "keyword"
word = "lovely"

[data]
format = "stars"
path = "reviews.txt"
"""
BOT = """
load = ["my_bot.py"]
relations = ["same-when-repeated"]
noise_floor = 0
confirm = 0

[system]
type = "remembering"
forgets = false

[data]
format = "json"
task = "dialogue"
path = "talk.json"
"""
TALK = [{"id": "1", "turns": [{"question": f"What is the answer to question {'x ' * n}?"} for n in range(1, 6)]}]
TASK = """
load = ["my_task.py"]
relations = ["calm-typing"]
noise_floor = 0
confirm = 0

[system]
type = "function"
target = "desk.py:answer"

[data]
format = "jsonl"
task = "urgency"
path = "messages.jsonl"
"""
DESK = """
def answer(message):
    return "high" if len(message) > 20 else "low"
"""
SEARCH = CONFIG.replace('load = ["my_system.py"', 'load = ["my_search.py", "my_system.py"').replace(
    'relations = ["upper-case"]', 'relations = ["upper-case", "leet", "add-spaces"]\nconfirm = 0'
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with the files of the page; the modules that they become are forgotten afterwards."""
    for file, text in PAGE.items():
        (tmp_path / file).write_text(text, "utf-8")
    (tmp_path / "reviews.txt").write_text("*****\ta lovely film\n*\ta dull film\n***\tlovely, lovely\n", "utf-8")
    (tmp_path / "talk.json").write_text(json.dumps(TALK), "utf-8")
    messages = ("the screen is black!", "can I have a new mouse")
    (tmp_path / "messages.jsonl").write_text(
        "".join(json.dumps({"message": text}) + "\n" for text in messages), "utf-8"
    )
    (tmp_path / "desk.py").write_text(DESK, "utf-8")
    (tmp_path / "run.toml").write_text(CONFIG, "utf-8")
    yield tmp_path
    for module in [
        name for name, loaded in sys.modules.items() if str(tmp_path) in str(getattr(loaded, "__file__", ""))
    ]:
        del sys.modules[module]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Callable[[str], ModuleType]:
    """Import a file of the page, as a user's program does."""
    monkeypatch.syspath_prepend(folder)
    return importlib.import_module


def by_configuration(command: Command, folder: Path, text: str) -> Report:
    (folder / "run.toml").write_text(text, "utf-8")
    done = command("run", "run.toml", "--out", "out", "--max-rate", 1)
    assert done.code == 0, done.err
    return read_report(folder / "out" / "report.json")


def counts(row: SummaryRow) -> tuple[int, int, int]:
    return (row.violated, row.satisfied, row.error)


def test_the_page_uses_the_public_modules_alone() -> None:
    assert len(PAGE) == len(BLOCKS) == 9
    for file, text in PAGE.items():
        for module in re.findall(r"^(?:from|import) (mutatis[\w.]*)", text, re.MULTILINE):
            assert module in ("mutatis", "mutatis.extending", "mutatis.testing"), f"{file} imports {module}"


def test_the_search_of_the_page_is_short() -> None:
    [bandit] = re.findall(r"^class Bandit:\n.*?(?=^@)", PAGE["my_search.py"], re.DOTALL | re.MULTILINE)
    assert len([line for line in bandit.splitlines() if line.strip()]) <= 40


@pytest.mark.parametrize("name", re.findall(r"^def (test_\w+)", PAGE["test_mine.py"], re.MULTILINE))
def test_the_checks_of_the_page_pass(load: Callable[[str], ModuleType], tmp_path: Path, name: str) -> None:
    check = getattr(load("test_mine"), name)
    wanted = check.__code__.co_varnames[: check.__code__.co_argcount]
    (tmp_path / "data").mkdir()
    check(*[tmp_path / "data" for _ in wanted])


def test_system_and_data_format_serve_a_configuration(command: Command, folder: Path) -> None:
    report = by_configuration(command, folder, CONFIG)
    # "LOVELY" is not the word: both lovely reviews change their rating, the dull one keeps it.
    assert [counts(row) for row in report.summary] == [(2, 1, 0)]
    assert report.summary[0].system == "keyword:lovely"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('word = "lovely"', 'wrod = "lovely"', "unknown option of system type 'keyword': 'wrod'; did you mean 'word'?"),
        ('word = "lovely"', "", "system type 'keyword' needs the option 'word'"),
        ('word = "lovely"', 'word = "x"\nstep = 0.7', "system type 'keyword': step is 0.7; expected 0.5 or less"),
        ('word = "lovely"', 'word = "x"\nstep = "0.2"', "system type 'keyword': step is '0.2'; expected a number"),
        ('"keyword"', '"keywords"', "unknown system type 'keywords'; did you mean 'keyword'?"),
        ("[data]", "[data]\nleast = 6", "data format 'stars': least is 6; expected 5 or less"),
        ("[data]", "[data]\nleats = 2", "unknown option of data format 'stars': 'leats'; did you mean 'least'"),
        ("[data]", '[data]\nlimit = "2"', "data format 'stars': limit is '2'; expected a whole number"),
        ("[data]", "[data]\nfirst = 3", "no cases with first = 3; expected at least one"),
        ("[data]", '[search]\ntype = "my-bandits"\n[data]', "unknown search 'my-bandits'; did you mean 'my-bandit'"),
        (
            "[data]",
            '[search]\ntype = "my-bandit"\nround = 3\n[data]',
            "unknown option of search 'my-bandit': 'round'; did",
        ),
        (
            "[data]",
            '[search]\ntype = "my-bandit"\nrounds = 0\n[data]',
            "search 'my-bandit': rounds is 0; expected 1 or more",
        ),
    ],
)
def test_a_mistake_is_told_without_any_code_of_theirs(
    command: Command, folder: Path, old: str, new: str, says: str
) -> None:
    loads = CONFIG.replace('load = ["my_system.py"', 'load = ["my_search.py", "my_system.py"')
    (folder / "run.toml").write_text(loads.replace(old, new), "utf-8")
    done = command("run", "run.toml", "--out", "out")
    assert done.code == 2
    assert says in done.complaint
    if "'keyword'" in says and "did you mean 'keyword'" not in says:
        assert says in DOCUMENT


def test_system_and_data_format_serve_python(load: Callable[[str], ModuleType], folder: Path) -> None:
    load("my_system")
    load("my_format")
    cases = mutatis.read_cases("stars", folder / "reviews.txt", least=2, name="mine")
    assert [case.id for case in cases] == ["mine/1", "mine/3"]
    assert mutatis.system("keyword", word="lovely", step=0.1).identity["step"] == 0.1
    assert SYSTEMS["keyword"].options == ("word", "step")
    (folder / "bad.txt").write_text("no stars\n")
    with pytest.raises(mutatis.UsageError, match="line 1: expected stars, a tab, a text; found 'no stars'"):
        mutatis.read_cases("stars", folder / "bad.txt")


def test_the_bot_that_keeps_its_dialogue(command: Command, folder: Path) -> None:
    # Five rounds, a fifth of them once more: the bot notices the one that it has heard before.
    assert [counts(row) for row in by_configuration(command, folder, BOT).summary] == [(1, 5, 0)]
    forgetful = by_configuration(command, folder, BOT.replace("false", "true"))
    assert [counts(row) for row in forgetful.summary] == [(0, 6, 0)]


def test_the_bot_from_python(load: Callable[[str], ModuleType], folder: Path) -> None:
    bot = load("my_bot").RememberingBot(label="mine", forgets=False)
    cases = mutatis.read_cases("json", folder / "talk.json", task="dialogue")
    run = mutatis.run(bot, cases, ["same-when-repeated"], settings={"noise_floor": 0, "confirm": 0})
    assert [counts(row) for row in run.summary] == [(1, 5, 0)]


def test_the_task(command: Command, folder: Path) -> None:
    report = by_configuration(command, folder, TASK)
    # One space more makes the message of 20 characters urgent; the other one is longer already.
    assert [(row.task, *counts(row)) for row in report.summary] == [("urgency", 1, 1, 0)]


def test_the_task_from_python(load: Callable[[str], ModuleType], folder: Path) -> None:
    load("my_task")
    cases = [mutatis.Case(id="a/1", turns=(mutatis.Turn(fields={"message": "the screen is black!"}),))]
    answer = load("desk").answer
    run = mutatis.run(answer, cases, ["calm-typing"], task="urgency", settings={"noise_floor": 0, "confirm": 0})
    assert [(row.task, *counts(row)) for row in run.summary] == [("urgency", 1, 0, 0)]


def test_the_output_relation_from_python(load: Callable[[str], ModuleType]) -> None:
    load("my_output_relation")

    def rate(text: str) -> str:
        return {"good": "0.6", "good good": "0.7", "bad": "0.3", "bad bad": "0.0"}.get(text.strip().lower(), "0.5")

    texts = ("good", "bad", "so so")
    cases = [mutatis.Case(id=f"a/{text}", turns=(mutatis.Turn(fields={"text": text}),)) for text in texts]
    run = mutatis.run(rate, cases, ["louder-by-copies"], task="sentiment", settings={"noise_floor": 0, "confirm": 0})
    # good: 0.1 from neutral, then 0.2 (2 copies: allowed); bad: 0.2, then 0.5 (more than 0.4); so so takes no side.
    assert [(*counts(row), row.invalid) for row in run.summary] == [(1, 1, 0, 1)]


def test_the_search(command: Command, folder: Path) -> None:
    options = {"rounds": 6, "batch": 2}
    report = by_configuration(command, folder, SEARCH + '[search]\ntype = "my-bandit"\nrounds = 6\nbatch = 2\n')
    rows = sorted((row.relation, *counts(row)) for row in report.summary)
    assert sum(violated + satisfied for _, violated, satisfied, _ in rows) == 6  # of nine follow-ups
    system = mutatis.system("keyword", word="lovely")
    cases = mutatis.read_cases("stars", folder / "reviews.txt")
    bandit = sys.modules["mutatis_user_my_search"].BanditOptions(**options)
    for search in ({"type": "my-bandit", **options}, bandit, bandit.build):
        relations = ["upper-case", "leet", "add-spaces"]
        run = mutatis.run(system, cases, relations, search=search, settings={"noise_floor": 0, "confirm": 0})
        assert sorted((row.relation, *counts(row)) for row in run.summary) == rows


def test_the_search_finds_the_relation_that_is_violated(load: Callable[[str], ModuleType]) -> None:
    load("my_search")
    cases = [
        mutatis.Case(id=f"a/{n}", turns=(mutatis.Turn(fields={"text": f"what I think of film {n}"}),))
        for n in range(60)
    ]
    relations = ["upper-case", "leet", "add-spaces"]
    search = {"type": "my-bandit", "rounds": 60, "batch": 4}
    run = mutatis.run(
        lambda text: "0.9" if text.isupper() else "0.1",
        cases,
        relations,
        task="sentiment",
        search=search,
        settings={"confirm": 0},
    )
    tried = {row.relation: row.violated + row.satisfied for row in run.summary}
    assert tried["upper-case"] > 40, f"by chance it were 20 of 60: {tried}"
