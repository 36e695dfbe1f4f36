"""How Mutatis is installed, as the documentation has it: nothing that does not work yet."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PUBLISHED = False
"""Whether a package index has Mutatis: until then, nobody is told to install it from one."""

PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*", "studies/*/README.md", "src/**/*.py", "Dockerfile")
    for path in ROOT.glob(pattern)
    if path.is_file() and path.suffix not in (".pyc", ".png") and path.name not in ("CONTRIBUTING.md", "CHANGELOG.md")
)
FROM_INDEX = re.compile(r"pip3? install(?: -[\w-]+)* [\"']?mutatis(?![\w\[./-])")
"""Without an extra: `mutatis[plot]` is said to those who have Mutatis, for whom pip installs what the extra names."""


@pytest.mark.skipif(PUBLISHED, reason="Mutatis is on an index")
def test_nobody_is_told_to_install_it_from_an_index() -> None:
    assert len(PAGES) > 300
    told = [str(path.relative_to(ROOT)) for path in PAGES if FROM_INDEX.search(path.read_text("utf-8", "replace"))]
    assert told == []


@pytest.mark.parametrize("text", ["run: pip install mutatis", "`pip install -U mutatis`", "pip install 'mutatis'"])
def test_what_would_be_told_is_recognised(text: str) -> None:
    assert FROM_INDEX.search(text)


def test_the_core_names_nothing_that_extras_bring() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    core = {re.split(r"[\[<>=]", line)[0] for line in project["dependencies"]}
    assert core.isdisjoint({"torch", "matplotlib", "transformers", "sentence-transformers", "pandas", "ray"})


def test_extras_that_are_named_are_there() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = {name for path in PAGES for name in re.findall(r"mutatis\[([\w-]+)\]", path.read_text("utf-8", "replace"))}
    assert {"plot", "semantic", "sentence-transformers", "inspect"} <= named <= set(extras)
