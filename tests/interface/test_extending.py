"""A system type and a data format written outside the package, exactly as `docs/extending.md` has them."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mutatis
from mutatis.datasets import DATASETS
from mutatis.systems import SYSTEMS
from support.loopback import Command

DOCUMENT = Path(__file__).parents[2] / "docs" / "extending.md"
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


def documented(file: str) -> str:
    [block] = re.findall(rf"```python\n(# {file}\n.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    return str(block)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    for file in ("my_system.py", "my_format.py"):
        (tmp_path / file).write_text(documented(file), "utf-8")
    (tmp_path / "reviews.txt").write_text("*****\ta lovely film\n*\ta dull film\n***\tlovely, lovely\n", "utf-8")
    (tmp_path / "run.toml").write_text(CONFIG, "utf-8")
    yield tmp_path
    for registry, name in ((SYSTEMS, "keyword"), (DATASETS, "stars")):
        if name in registry:
            registry.remove(name)
    for module in ("mutatis_user_my_system", "mutatis_user_my_format"):
        sys.modules.pop(module, None)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> Command:
    return Command(monkeypatch, capsys, folder)


def test_both_serve_a_configuration(command: Command, folder: Path) -> None:
    done = command("run", "run.toml", "--out", "out", "--max-rate", 1)
    assert done.code == 0, done.err
    report = json.loads((folder / "out" / "report.json").read_text("utf-8"))
    # "LOVELY" is not the word: both lovely reviews change their rating, the dull one keeps it.
    assert [(row["violated"], row["satisfied"], row["error"]) for row in report["summary"]] == [(2, 1, 0)]
    assert report["summary"][0]["system"] == "keyword:lovely"


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
    ],
)
def test_a_mistake_is_told_without_any_code_of_theirs(
    command: Command, folder: Path, old: str, new: str, says: str
) -> None:
    (folder / "run.toml").write_text(CONFIG.replace(old, new), "utf-8")
    done = command("run", "run.toml", "--out", "out")
    assert done.code == 2
    assert says in done.complaint
    if "'keyword'" in says and "did you mean 'keyword'" not in says:
        assert says in DOCUMENT.read_text("utf-8")


def test_both_serve_python(folder: Path) -> None:
    for file in ("my_system", "my_format"):
        name = f"mutatis_user_{file}"
        specification = importlib.util.spec_from_file_location(name, folder / f"{file}.py")
        assert specification is not None
        assert specification.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
    cases = mutatis.read_cases("stars", folder / "reviews.txt", least=2, name="mine")
    assert [case.id for case in cases] == ["mine/1", "mine/3"]
    assert mutatis.system("keyword", word="lovely", step=0.1).identity["step"] == 0.1
    assert SYSTEMS["keyword"].options == ("word", "step")
    (folder / "bad.txt").write_text("no stars\n")
    with pytest.raises(mutatis.UsageError, match="line 1: expected stars, a tab, a text; found 'no stars'"):
        mutatis.read_cases("stars", folder / "bad.txt")
