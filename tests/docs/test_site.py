"""The site: its pages are made from the registries, and a generator builds them without network."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pydantic
import pytest

import mutatis.relations  # noqa: F401 - fills the registry
from mutatis.config import Config
from mutatis.core.relation import RELATIONS
from mutatis.datasets import DATASETS
from mutatis.options import meanings, models_in
from mutatis.search import SEARCHES
from mutatis.systems import SYSTEMS
from mutatis.transformations.wordnet import is_installed

ROOT = Path(__file__).parents[2]
UNCHANGED = ("no-change", "reference-based", "label-based")
"""Relations that ask the source itself."""

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "HF_HUB_OFFLINE": "1", "NO_MKDOCS_2_WARNING": "1"}


def python(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site-pages"
    python("docs/_site/pages.py", str(folder))
    return folder


def entries(pages: Path) -> dict[str, str]:
    """The part of each relation, by its name."""
    found: dict[str, str] = {}
    for name in ("robustness", "wording", "logic", "memory", "fairness", "others"):
        text = (pages / "reference" / f"{name}.md").read_text(encoding="utf-8")
        found |= dict(re.findall(r"^## ([\w.-]+)\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL))
    return found


def test_every_relation_has_an_entry_with_an_example_of_its_own(pages: Path) -> None:
    found = entries(pages)
    assert set(found) == set(RELATIONS)
    for name, text in found.items():
        left_out = (
            RELATIONS[name].needs_helper or name in UNCHANGED or (name.endswith("-wordnet") and not is_installed())
        )
        if not left_out:
            sides = re.search(r"~~~~text\n.*?, source\n(.*?)\n[^\n]*, follow-up\n(.*?)\n(?:~~~~|\n)", text, re.DOTALL)
            assert sides, name
            assert sides[1] != sides[2], name


def test_an_entry_says_what_was_measured(pages: Path) -> None:
    text = entries(pages)["add-spaces"]
    assert "`llmorph/mr-5`" in text
    assert "LLMorph, MR-5" in text
    assert "sentiment: 20 of 20 (84% to 100%)" in text  # Wilson: 20 / (20 + 1.96 ** 2)
    assert "`share = 0.1` (0 to 1)" in text


def test_the_options_are_explained(pages: Path) -> None:
    text = (pages / "reference" / "systems.md").read_text(encoding="utf-8")
    assert "| `session_start` |" in text
    assert "for a bot that keeps the dialogue" in text
    text = (pages / "reference" / "keys.md").read_text(encoding="utf-8")
    assert "| `confirm` | `whole number` | `20` | findings per relation that are asked again |" in text
    assert "| `retries` | `whole number` | none | further tries after a failure that passes, by default 4 |" in text


def models(model: type[pydantic.BaseModel]) -> Iterator[type[pydantic.BaseModel]]:
    yield model
    for info in model.model_fields.values():
        for inner in models_in(info.annotation):
            yield from models(inner)


CHOSEN = [registry[name].model for registry in (SYSTEMS, DATASETS, SEARCHES) for name in registry]


@pytest.mark.parametrize("model", dict.fromkeys(m for one in (Config, *CHOSEN) for m in models(one)), ids=repr)
def test_every_key_has_a_meaning(model: type[pydantic.BaseModel]) -> None:
    said = meanings(model)
    written = [name for name, info in model.model_fields.items() if not info.exclude]
    assert [name for name in written if not said.get(name)] == []
    assert [name for name in said if name not in model.model_fields] == []


def test_no_key_of_a_configuration_goes_without_a_word() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    table = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    tables = set(re.findall(r"\[\[?(\w+)\]\]?", text))
    for key in set(Config.model_fields) - {"folder", "systems", "relations"}:
        assert key in table | tables, key


@pytest.mark.skipif(importlib.util.find_spec("mkdocs") is None, reason="MkDocs is not installed (extra docs)")
def test_the_site_builds_and_asks_nobody(pages: Path, tmp_path: Path) -> None:
    written = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(
        written.replace("docs_dir: site-pages", f"docs_dir: {pages}"), encoding="utf-8"
    )
    python("-m", "mkdocs", "build", "-q", "--strict", "-f", str(tmp_path / "mkdocs.yml"), "-d", str(tmp_path / "site"))
    built = list((tmp_path / "site").rglob("*.html"))
    assert len(built) > 30
    for page in built:
        fetched = re.findall(r'(?:src|<link[^>]* href)="((?:https?:)?//[^"]*)"', page.read_text(encoding="utf-8"))
        assert not fetched, page
