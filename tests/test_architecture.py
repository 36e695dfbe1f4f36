"""The folders are the dataflow: floors, rooms that do not know each other, no cycles, short functions, few imports."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
ROOMS = {"transformations", "measures", "datasets", "tasks", "systems", "query", "search", "analysis"}
FLOORS: list[set[str]] = [
    {"core"},
    {"text", "secrets", "options", "opening", "loops", "records", "doubles", "prompting", "guarding"}
    | {"toml_file", "reading", "languages", "dictionary"},
    ROOMS,
    {"context", "campaign"},
    {"relations", "reports"},
    {"recipes", "plugins"},
    {"config", "assembly", "schema"},
    {"__main__", "api", "cli", "extending", "testing", "mutatis_pytest", "mutatis", "interop"},
    {"rltest4chatbot"},
]
FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}
STACKED = {
    *(
        ("assembly", "config"),
        ("schema", "config"),
        ("cli", "api"),
        ("interop", "api"),
        ("__main__", "cli"),
        ("options", "secrets"),
    ),
    *(
        ("guarding", "secrets"),
        ("guarding", "text"),
        ("opening", "options"),
        ("toml_file", "secrets"),
        ("plugins", "recipes"),
        ("text", "languages"),
        ("dictionary", "text"),
        ("dictionary", "languages"),
    ),
}
"""Rooms of one floor where one stands on the other: assembly turns a config into parts, commands call the API, what is
wrong with an option, or with a user's code, is told without the secrets in it."""

HEAVY = [
    *("torch", "transformers", "sentence_transformers", "matplotlib", "sklearn", "pandas", "scipy", "spacy"),
    "py3langid",
]
READING = ["pydantic", "asyncio", "jinja2", "mutatis.records"]
"""What a command that reads a run needs; `--help` loads no command."""

CAMPAIGN = ["mutatis.assembly", "mutatis.relations", "numpy"]
"""What a campaign needs, and a command that only says what there is, or shows a report, does not."""
MODULES = sorted([*(SOURCE / "mutatis").rglob("*.py"), SOURCE / "mutatis_pytest.py"])


def name_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[0] if len(parts) == 1 else parts[1]


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """Every module of ours that a module imports, also inside functions and for type checkers."""
    known = {name_of(other) for other in MODULES}

    def names() -> Iterator[str]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: relative import"
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    yield inner if inner in known else str(node.module)

    return tuple(sorted({name for name in names() if name in known and name != name_of(path)}))


def test_a_room_imports_only_from_lower_floors() -> None:
    assert len(MODULES) > 200
    wrong = []
    for path in MODULES:
        here = room_of(name_of(path))
        for module in imports_of(path):
            there = room_of(module)
            if there == "mutatis":
                allowed = FLOOR[here] == FLOOR["mutatis"]  # nobody else imports the whole package
            else:
                allowed = there == here or FLOOR[there] < FLOOR[here] or (here, there) in STACKED
            wrong += [] if allowed else [f"{name_of(path)} may not import {module}"]
    assert wrong == []


PLUGINS = {"rltest4chatbot": {"mutatis.rltest4chatbot.environment"}}
"""Rooms that are plugins, with their programs that run the engine themselves, as a user's might."""


@pytest.mark.parametrize("room", PLUGINS)
def test_a_plugin_imports_only_what_an_outside_one_would_and_nobody_imports_it(room: str) -> None:
    for path in MODULES:
        name, there = name_of(path), imports_of(path)
        if room_of(name) != room:
            assert [module for module in there if room_of(module) == room] == [], name
        elif name not in PLUGINS[room]:
            within = f"mutatis.{room}"
            assert [module for module in there if not module.startswith(within)] in ([], ["mutatis.extending"]), name


def test_every_folder_has_a_floor() -> None:
    assert {room_of(name_of(path)) for path in MODULES} == set(FLOOR)


def test_there_are_no_import_cycles() -> None:
    modules = {name_of(path): set(imports_of(path)) - {"mutatis"} for path in MODULES}
    packages = {name_of(path) for path in MODULES if path.name == "__init__.py"}
    # A package's own __init__ may gather its modules, which may not import it back.
    for name, imported in modules.items():
        package = name if name in packages else name.rpartition(".")[0]
        assert package == name or package not in imported, f"{name} imports its own package"
    tuple(TopologicalSorter(modules).static_order())


def test_the_check_of_cycles_finds_one() -> None:
    with pytest.raises(ValueError, match="cycle"):
        tuple(TopologicalSorter({"a": {"b"}, "b": {"a"}}).static_order())


def test_few_protocols_are_checked_at_run_time() -> None:
    """A class with defaults says what may be offered in one place; a protocol for each part says it in twenty."""
    files = {path.name: path.read_text("utf-8").count("@runtime_checkable") for path in SOURCE.rglob("*.py")}
    assert sum(files.values()) <= 6, {name: number for name, number in files.items() if number}


def test_functions_are_short() -> None:
    long = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                long += [f"{name_of(path)}.{node.name}"] if node.end_lineno - node.lineno >= 60 else []
    assert long == []


def test_no_list_is_cut_into_pieces() -> None:
    """A long list of words is a string that is split, or data; a starred literal only hides how long it is."""
    starred = [
        f"{name_of(path)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.Tuple | ast.List | ast.Set)
    ]
    assert starred == []


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import mutatis", [*HEAVY, *CAMPAIGN]),
        ("import mutatis.extending", HEAVY),
        ("import mutatis_pytest", HEAVY),
        (
            "import sys; sys.argv = ['mutatis', '--help']; from mutatis.cli import main; main()",
            [*HEAVY, *CAMPAIGN, *READING],
        ),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(code: str, heavy: list[str]) -> None:
    program = f"""
import atexit, sys
atexit.register(lambda: print("LOADED", *(name for name in {heavy!r} if name in sys.modules)))
{code}
"""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "LOADED"


def test_every_test_is_run_by_one_of_the_two_targets_and_by_ci() -> None:
    makefile = (SOURCE.parent / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"-m (long|\"not long\")(?= |$)", makefile, re.MULTILINE)
    assert targets == ['"not long"', "long", '"not long"']  # the last one, `make machine`, repeats some
    ci = (SOURCE.parent / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"^make .*\btest-long\b", ci, re.MULTILINE)
    assert re.search(r"^make test\b(?!-)", ci, re.MULTILINE)
    # `make test-long` collects the files that have the mark on a line of its own: no other spelling.
    marked = re.compile(r"mark\.long\b")
    for path in (SOURCE.parent / "tests").rglob("test_*.py"):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if marked.search(line)]
        assert path == Path(__file__) or set(lines) <= {"@pytest.mark.long"}, path
