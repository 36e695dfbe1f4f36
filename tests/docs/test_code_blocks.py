"""Every code block of README.md and docs/*.md: Python runs offline, configurations are checked, commands exist.

Blocks without a language hold commands (lines that begin with `$ ` where output follows); what is only read is `text`.
A comment before a block says what is special about it:

    <!-- test: after NAME -->    Python that goes on from a piece of `BEFORE`
    <!-- test: fails -->         a test file that fails, as the text says
    <!-- test: options of TYPE -->, <!-- test: task -->    TOML that is part of such a table or file
"""

from __future__ import annotations

import doctest
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer

import mutatis.relations  # noqa: F401 - fills the registry
from mutatis.cli.app import app
from mutatis.config import check
from mutatis.core.relation import RELATIONS
from mutatis.datasets import DATASETS
from mutatis.options import check_options as check_options
from mutatis.plugins import load_plugins
from mutatis.search import SEARCHES
from mutatis.systems import SYSTEMS
from mutatis.tasks import TASKS, register_task
from support.nursery import Interpreter

load_plugins(installed=False)
ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"(?:<!-- test: ([\w ]+) -->\n+)?^```(\w*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)
BEFORE = {
    "a function": """
def my_function(fields):
    return "unknown"
""",
    "a chatbot": """
QUESTIONS = ["Is the lamp in stock?", "Do you ship to Norway?"]


def bot(text, history=()):
    return "Yes."
""",
    "a run": """
import mutatis

mutatis.run(lambda text: text[:1], ["Good.", "Dull."], ["upper-case"], task="classification", out="out")
""",
    "a dialogue": """
import mutatis
from mutatis.extending import Case, derive

source = mutatis.read_cases("coqa", mutatis.sample("dialogues"))[0]
follow_up = Case(id="moved", task="dialogue", turns=source.turns[::-1], material=source.material)
""",
}
"""What a reader has before the block: pieces of Python, by what the mark calls them."""

RUNNER = """
import ast, asyncio, inspect, sys
code = compile(open("block.py").read(), "block.py", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
done = eval(code, vars(sys.modules["__main__"]))
if inspect.iscoroutine(done):
    asyncio.run(done)
for run in [one for one in vars(sys.modules["__main__"]).values() if type(one).__name__ == "Run"]:
    assert any(row.judged for row in run.summary), run.table()
"""
MINIMAL: dict[str, Any] = {
    "system": {"type": "builtin", "name": "sentiment"},
    "data": {"format": "lines", "path": "questions.txt", "task": "chat"},
}
"""What a part of a configuration is completed with."""

OTHER = ("cd", "export", "jupyter", "printf", "inspect", "promptfoo", "python", "sha256sum")
"""Commands that are not ours to check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    page: Path
    line: int
    language: str
    text: str
    mark: str

    @property
    def name(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(*languages: str) -> list[Block]:
    return [block for page in PAGES for block in _of(page) if block.language in languages]


def _of(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start(2)) + 1
        yield Block(page=page, line=line, language=match[2], text=match[3], mark=match[1] or "")


def each(*languages: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("block", blocks(*languages), ids=lambda block: block.name)


def a_file_of_its_page(block: Block) -> bool:
    """Whether `tests/interface/test_extending.py` runs it: the files that the pages on extensions write down."""
    return block.page.name in EXTENSIONS and re.match(r"# \w+\.(?:py|toml)\n", block.text) is not None


EXTENSIONS = ("extending.md", "own-parts.md")
FILES = dict(
    written
    for name in EXTENSIONS
    for written in re.findall(
        r"```(?:python|toml)\n# (\w+\.(?:py|toml))\n(.*?)```", (ROOT / "docs" / name).read_text("utf-8"), re.S
    )
)
"""The files of the pages on extensions, by their names; other blocks may import them."""


def test_every_block_is_seen() -> None:
    for page in PAGES:
        fences = re.findall(r"^```", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(fences) == 2 * len(list(_of(page))), page
    assert not any("tag:free" in block.text for page in PAGES for block in _of(page)), "nobody read all that it selects"
    known = {"", "python", "pycon", "toml", "json", "yaml", "text"}
    assert {block.language for page in PAGES for block in _of(page)} <= known


@each("python")
def test_python_runs(block: Block, tmp_path: Path, interpreter: Interpreter) -> None:
    if a_file_of_its_page(block):
        compile(block.text, block.name, "exec")
        return
    before = BEFORE[block.mark.removeprefix("after ")] if block.mark.startswith("after ") else ""
    is_test = "def test_" in block.text
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    file = tmp_path / ("test_block.py" if is_test else "block.py")
    imported = "import pytest\n" if is_test else ""
    file.write_text(imported + before + block.text, encoding="utf-8")
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", file.name] if is_test else ["-c", RUNNER]
    done = interpreter.run(*command, cwd=tmp_path, PYTHONPATH=str(ROOT / "src"), HF_HUB_OFFLINE="1")
    assert done.returncode == (1 if block.mark == "fails" else 0), done.stdout + done.stderr
    if block.mark == "fails":
        assert "GateFailed" in done.stdout
        assert "violation rate" in done.stdout, "it fails for another reason than its page says"


@each("pycon")
def test_sessions_say_what_they_say(block: Block) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, {}, block.name, str(block.page), block.line)
    told: list[str] = []
    doctest.DocTestRunner().run(test, out=told.append)
    assert not told, "".join(told)


@each("toml")
def test_configurations_are_valid(block: Block, tmp_path: Path) -> None:
    tables = tomllib.loads(block.text)
    if "project" in tables:  # of a package that adds parts, not of a run
        assert "mutatis" in tables["project"]["entry-points"]
        return
    if block.mark == "task" or (a_file_of_its_page(block) and "parser" in tables):
        (tmp_path / "of-the-page.toml").write_text(block.text, encoding="utf-8")
        TASKS.remove(register_task(tmp_path / "of-the-page.toml").name)
        return
    if block.mark.startswith("options of "):
        tables = {"system": {"type": block.mark.removeprefix("options of "), **tables}}
    own_types = bool(tables.get("load"))
    missing = {key: table for key, table in MINIMAL.items() if key not in tables and f"{key}s" not in tables}
    config = check({**missing, **tables})
    named = [(SYSTEMS, system.type, system.options) for system in (*config.systems, *filter(None, [config.helper]))]
    named += [(DATASETS, data.format, data.options) for data in config.data]
    named += [(SEARCHES, config.search.type, config.search.options)]
    for registry, kind, options in named:
        if not (own_types and kind not in registry):
            check_options(registry[kind].model, options, kind)
    for selector in config.relations:
        tag = selector.removeprefix("tag:")
        assert selector in RELATIONS or own_types or any(tag in RELATIONS[name].tags for name in RELATIONS), selector


@each("json")
def test_lines_of_data_are_json(block: Block) -> None:
    for line in block.text.splitlines():
        json.loads(line)


@each("yaml")
def test_files_of_other_tools_can_be_read(block: Block) -> None:
    assert isinstance(pytest.importorskip("yaml").safe_load(block.text), dict)


def commands(text: str) -> Iterator[str]:
    """Yield the commands of a block without a language: its lines, or those after `$ ` where output is shown."""
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    shown = any(line.startswith("$ ") for line in lines)
    for line in lines:
        if line.strip() and not line.startswith("#") and (not shown or line.startswith("$ ")):
            yield re.split(r" {2,}| # ", line.removeprefix("$ "))[0]


def parse(command: str, *, whole: bool = True) -> None:
    """Parse a command of ours, with `[...]` read as given and the first of `a|b`; raises where it is none.

    A part of one (not `whole`), as text mentions it, may lack arguments.
    """
    plain = (
        re.sub(r"\s*\|\s*[\w|-]+", "", re.sub(r"\bN\b", "1", command))
        .replace("[", "")
        .replace("]", "")
        .replace(" ...", "")
    )
    _, *words = shlex.split(plain)
    group: Any = typer.main.get_command(app)
    if words and not words[0].startswith("-"):
        assert words[0] in group.commands, f"no command {words[0]!r}"
        try:
            group.commands[words[0]].make_context(words[0], words[1:])
        except typer.BadParameter as wrong:
            if whole or type(wrong).__name__ != "MissingParameter":
                raise
    elif words:
        assert words[0] in ("--help", "--version", "--install-completion"), command


@each("")
def test_commands_exist(block: Block) -> None:
    shown = list(commands(block.text))
    assert shown
    for command in shown:
        match shlex.split(command, comments=True):
            case ["mutatis", *_]:
                parse(command)
            case ["make", target]:
                assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), target
            case ["python", script, *words] if script.endswith(".py"):
                source = (ROOT / script).read_text(encoding="utf-8")
                for word in words:
                    option = word.strip("[]")
                    assert not option.startswith("--") or f'"{option}"' in source, f"{script} has no {option}"
            case ["python", "-m", "mutatis.records.schema" | "mutatis.schema", *_] | ["pip", "install", *_]:
                pass
            case ["pytest", *words] | ["python", "-m", "pytest", *words]:
                plugin = (ROOT / "src" / "mutatis_pytest.py").read_text(encoding="utf-8")
                for word in words:
                    assert not word.startswith("--mutatis") or f'"{word}"' in plugin, word
            case [other, *_]:
                assert other in OTHER, f"{other!r} is no command; mark what is only read as text"


SPANS = sorted(
    {
        (page.name, span)
        for page in PAGES
        for span in re.findall(r"(?<!`)`(mutatis [a-z][^`\n]*)`(?!`)", page.read_text(encoding="utf-8"))
    }
)


@pytest.mark.parametrize(("page", "span"), SPANS)
def test_commands_in_the_text_exist(page: str, span: str) -> None:
    parse(span, whole=False)


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", re.sub(r"`[^`\n]*`", "", text)):
        path = (page.parent / target) if target else page
        assert path.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in map(slug, headings), f"{target}#{anchor}"
