"""Names can be searched for: a class stands once, so does a function that modules share, and no name says nothing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
BESIDE = ("tests", "studies", "benchmarks", "docs", "examples", ".ci")
"""Folders whose names are held to saying something, too."""

AS_HANDED_OVER = ROOT / "studies" / "reach" / "bots"
"""Bots that were written blind stay as they were handed over."""

EMPTY_WORDS = {"found", "given", "it", "one", "own", "ready", "thing"}
"""They name nothing: a search for them finds every second line. `other` may stand where something is no other."""

NO_CODE = re.compile(r"""(?s)(\"{3}|'{3})(?:\\.|.)*?\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*""")
"""Strings and comments, as far as it takes to see which files hold such a word at all: to parse all takes seconds."""

COMMANDS = {"mutatis.cli.app"}
"""What a command is called is what users type; it may be the name of the function that does the same from Python."""


READ = {"read"}
"""Both the cases of a file and an answer are read; neither room knows the other."""


@cache
def trees() -> dict[str, ast.Module]:
    """Return every module of the package by its dotted name."""
    return {
        ".".join(path.relative_to(SOURCE).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }


def trees_beside() -> Iterator[tuple[str, ast.Module]]:
    """Yield the files of Python beside the package that may hold a word that says nothing, with their paths."""
    for path in (path for folder in BESIDE for path in sorted((ROOT / folder).rglob("*.py"))):
        if path.is_relative_to(AS_HANDED_OVER):
            continue
        text = path.read_text("utf-8")
        if not EMPTY_WORDS.isdisjoint(re.findall(r"\w+", NO_CODE.sub("", text))):
            yield str(path.relative_to(ROOT)), ast.parse(text)


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield what a node of a module's tree names: a variable, a parameter, a field, a function or a class."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
        yield node.attr
    elif isinstance(node, ast.alias) and node.asname:
        yield node.asname
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
        yield node.name


def empty_names(tree: ast.Module) -> list[str]:
    """Return where a module uses a word that says nothing as a name: "line 12: found".

    What it imports (`given` of Hypothesis) was named elsewhere: by others, or it is told there.
    """
    nodes = list(ast.walk(tree))
    imported = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    empty = EMPTY_WORDS - imported
    return [f"line {getattr(node, 'lineno', 0)}: {name}" for node in nodes for name in names_in(node) if name in empty]


def classes_of(tree: ast.Module) -> list[str]:
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def functions_of(tree: ast.Module) -> list[str]:
    """Return the names of a module's public functions; methods are part of an interface, and have its names."""
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
    ]


def twice(names: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the names that stand more than once, with the modules where they stand."""
    places = defaultdict(list)
    for module, defined in names.items():
        for name in defined:
            places[name].append(module)
    return {name: modules for name, modules in places.items() if len(modules) > 1}


def test_a_name_says_what_it_names() -> None:
    files = (*trees().items(), *trees_beside())
    assert {name: places for name, tree in files if (places := empty_names(tree))} == {}


def test_a_function_of_a_module_has_a_name_of_its_own() -> None:
    defined = {module: functions_of(tree) for module, tree in trees().items() if module not in COMMANDS}
    assert twice(defined).keys() == READ


PLANTED = """
from elsewhere import it

class Judge:
    ready: bool

    def one(self, given): ...

def compare():
    found = [thing for thing in ()]
    self.own = found
    not_found = given_name = None
    record.found(it("one"))
"""


def test_the_check_of_names_sees_what_is_planted() -> None:
    words = [line.partition(": ")[2] for line in empty_names(ast.parse(PLANTED))]
    assert sorted(words) == ["found", "found", "given", "one", "own", "ready", "thing", "thing"]


def test_the_check_of_doubles_sees_what_is_planted() -> None:
    first = ast.parse(PLANTED)
    second = ast.parse("class Judge: ...\nclass Judge2: ...\ndef compare(): ...\ndef _hidden(): ...\ndef one(): ...")
    assert twice({"a": classes_of(first), "b": classes_of(second)}) == {"Judge": ["a", "b"]}
    assert twice({"a": functions_of(first), "b": functions_of(second)}) == {"compare": ["a", "b"]}
