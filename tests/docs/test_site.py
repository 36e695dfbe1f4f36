"""The site: its pages are made from the registries, and a generator builds them without network."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pydantic
import pytest

import mutatis.relations  # noqa: F401 - fills the registry
from mutatis.config import Config
from mutatis.core.relation import RELATIONS
from mutatis.datasets import DATASETS
from mutatis.options import meanings, models_in
from mutatis.plugins import load_plugins
from mutatis.relations.soundness import PURPOSES, readings
from mutatis.search import SEARCHES
from mutatis.systems import SYSTEMS
from mutatis.transformations.wordnet import wordnet_is_installed
from support.browser import chromium, opened
from support.nursery import Interpreter

load_plugins(installed=False)
ROOT = Path(__file__).parents[2]
UNCHANGED = ("no-change", "reference-based", "label-based", "answer-in-its-language")
"""Relations that ask the source itself."""

ENVIRONMENT = {"PYTHONPATH": str(ROOT / "src"), "HF_HUB_OFFLINE": "1", "NO_MKDOCS_2_WARNING": "1"}


def python(interpreter: Interpreter, *arguments: str) -> None:
    done = interpreter.run(*arguments, cwd=ROOT, **ENVIRONMENT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, interpreter: Interpreter) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site-pages"
    python(interpreter, "docs/_site/pages.py", str(folder))
    return folder


def entries(pages: Path) -> dict[str, str]:
    """The part of each relation, by its name."""
    by_name: dict[str, str] = {}
    for name in (*PURPOSES, "others"):
        text = (pages / "reference" / f"{name}.md").read_text(encoding="utf-8")
        by_name |= dict(re.findall(r"^## ([\w.-]+)\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL))
    return by_name


def test_every_relation_has_an_entry_with_an_example_of_its_own(pages: Path) -> None:
    by_name = entries(pages)
    assert set(by_name) == set(RELATIONS)
    for name, text in by_name.items():
        left_out = (
            RELATIONS[name].needs_helper
            or name in UNCHANGED
            or "so there is no example here" in text
            or (name.endswith("-wordnet") and not wordnet_is_installed())
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


def test_the_table_of_readings_has_every_relation_that_was_read(pages: Path) -> None:
    text = (pages / "reference" / "soundness.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)) == {row.relation for row in readings()}


def test_an_entry_says_which_fields_are_changed(pages: Path) -> None:
    by_name = entries(pages)
    assert (
        "| changes | question-answering: context or question; inference: premise or hypothesis |" in by_name["antonyms"]
    )
    assert "| changes |" not in by_name["leet"]  # every combination


def test_what_was_measured_is_part_of_the_site(pages: Path) -> None:
    measured = {path.stem for path in (pages / "studies").glob("*.md")}
    assert {"soundness", "gallery", "judge", "mortar", "search", "benchmarks"} <= measured
    assert "](studies/judge.md#" in (pages / "judge.md").read_text(encoding="utf-8")


def test_the_options_are_explained(pages: Path) -> None:
    text = (pages / "reference" / "systems.md").read_text(encoding="utf-8")
    assert "| `session_start` |" in text
    assert "for a bot that stores the state of its dialogues" in text
    text = (pages / "reference" / "keys.md").read_text(encoding="utf-8")
    assert "| `confirm` | `whole number` | `20` | number of findings per relation that are asked again |" in text
    assert (
        "| `retries` | `whole number` | none | maximum number of retries after a temporary failure; by default 4 |"
        in text
    )


def models(model: type[pydantic.BaseModel]) -> Iterator[type[pydantic.BaseModel]]:
    yield model
    for info in model.model_fields.values():
        for inner in models_in(info.annotation):
            yield from models(inner)


CHOSEN = [registry[name].model for registry in (SYSTEMS, DATASETS, SEARCHES) for name in registry]


@pytest.mark.parametrize("model", dict.fromkeys(m for root in (Config, *CHOSEN) for m in models(root)), ids=repr)
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


@pytest.fixture(scope="module")
def site(pages: Path, tmp_path_factory: pytest.TempPathFactory, interpreter: Interpreter) -> Path:
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("MkDocs is not installed (extra docs)")
    folder = tmp_path_factory.mktemp("built")
    written = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    (folder / "mkdocs.yml").write_text(written.replace("docs_dir: site-pages", f"docs_dir: {pages}"), encoding="utf-8")
    options = ("--strict", "-f", str(folder / "mkdocs.yml"), "-d", str(folder / "site"))
    python(interpreter, "-m", "mkdocs", "build", *options)
    return folder / "site"


@pytest.mark.long
def test_the_site_builds_and_asks_nobody(site: Path) -> None:
    built = list(site.rglob("*.html"))
    assert len(built) > 30
    for page in built:
        fetched = re.findall(r'(?:src|<link[^>]* href)="((?:https?:)?//[^"]*)"', page.read_text(encoding="utf-8"))
        assert not fetched, page


@pytest.mark.long
def test_the_site_is_searched_from_the_disk(site: Path) -> None:
    errors: list[str] = []
    asked: list[str] = []
    with chromium() as browser:
        page = opened(browser, viewport={"width": 1400, "height": 900})
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.focus("input[name=query]")
        page.keyboard.type("homoglyphs")
        page.locator(".md-search-result__item h2", has_text="homoglyphs").first.click()
        page.wait_for_url("**/reference/robustness.html*")
    assert errors == []
    assert all(url.startswith(("file:", "about:")) for url in asked)


PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
MOST_WORDS = 2500


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_is_longer_than_people_read(page: Path) -> None:
    """Code and tables count; the reference is made from the registries, and what was measured lies in `studies/`."""
    assert len(page.read_text(encoding="utf-8").split()) <= MOST_WORDS
